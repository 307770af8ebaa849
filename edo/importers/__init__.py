"""Importers: tables of results in, event files and registries out."""
