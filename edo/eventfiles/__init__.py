"""Event files and registries in, records with their lines or all that is wrong out."""
