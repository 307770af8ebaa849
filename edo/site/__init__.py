"""The website: pages, charts, search and metadata, rendered from templates."""
