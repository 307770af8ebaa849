"""What people ask for on the command line: a module a verb, with `add_arguments` and `run`."""
