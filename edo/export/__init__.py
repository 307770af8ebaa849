"""The history and its ratings as CSV, JSON and SQLite files."""
