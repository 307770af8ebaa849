"""Event files and registries, read strictly into one immutable dataset with line numbers."""
