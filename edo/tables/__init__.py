"""The history in; its data as CSV, JSON and SQLite out."""
