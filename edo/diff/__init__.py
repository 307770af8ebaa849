"""What changed between two states of the history, and which edits caused it."""
