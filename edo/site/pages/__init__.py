"""The kinds of pages, each as a template with the records and numbers it shows."""
