"""Ratings in; curves, figures and pictures out."""
