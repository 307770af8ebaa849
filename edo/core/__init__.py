"""Foundations shared by all packages; nothing here knows the rating method or the site."""
