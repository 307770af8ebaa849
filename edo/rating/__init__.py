"""The Edo rating pass, from the results of events to ratings with standard errors."""
