"""A history that was read in; what an editor should look at once more out."""
