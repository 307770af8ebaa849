"""The Edo historical chess rating pass and the static site around it."""

__version__ = "0.1.0"
