"""A pass in; what the joint distribution of all its ratings answers out."""
