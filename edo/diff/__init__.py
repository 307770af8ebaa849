"""What changed between two editions of the history, and which edits caused it."""
