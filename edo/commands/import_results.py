"""A table of single results in, event files out: the verb of `edo.importers.results`."""

from edo.importers.results import add_arguments, run

__all__ = ["add_arguments", "run"]
