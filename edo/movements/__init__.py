"""Two editions of the history in; what moved, and which edit did it, out."""
