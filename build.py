"""Build the site; `python build.py --help` lists the options."""

import signal
import sys

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `main`: an interrupt during the imports

from edo.commands.build import main

if __name__ == "__main__":
    sys.exit(main())
