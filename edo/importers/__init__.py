"""Importers draft event files from tables of results and from collections of games (PGN).

Drafts lie in a folder of their own with a report for editors; nothing is written into the history.
"""
