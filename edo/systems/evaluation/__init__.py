"""Evaluation of rating systems: predictions of results left out, and simulated histories."""
