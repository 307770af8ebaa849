"""Build the site; `python build.py --help` lists the options."""

import os
import signal
import sys
from contextlib import suppress

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `main`: an interrupt during the imports

from edo.commands.build import main

if __name__ == "__main__":
    code = main()
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)  # at once: to free a large history piece by piece takes seconds
