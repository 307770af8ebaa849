"""Numbers alone: comparisons and graphs as arrays in, strengths and exact variances out."""
