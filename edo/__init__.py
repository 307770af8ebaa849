"""The Edo historical chess rating pass and the static site around it."""

import os

__version__ = "0.8.0"  # of the next release: CHANGELOG.md has the dates of those before

# The last bits of sums by OpenBLAS depend on the number of its threads. One thread gives the same
# bytes on every machine, and costs a twelfth of the time at most. It reads this when it is loaded.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ.get("OPENBLAS_NUM_THREADS") or "1"
