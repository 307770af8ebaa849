"""Drafts of events from the headers of games in PGN."""
