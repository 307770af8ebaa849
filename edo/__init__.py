"""The Edo historical chess rating pass and the static site around it."""
