"""How well rating systems and their parameters predict results held out."""
