"""Nothing in, what each step takes out: the verb of `edo.bench`."""

from edo.bench import add_arguments, run

__all__ = ["add_arguments", "run"]
