"""Results left out in; how well ratings foretell them out."""
