"""The Edo ratings: from the results of events to ratings with standard errors."""
