"""Inference from the joint distribution of all fitted ratings."""
