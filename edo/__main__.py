"""Let `python -m edo` run the command line."""

import gc
import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `main`: an interrupt during the imports

from edo.commands.cli import main

code = main()
gc.freeze()  # or the end would look through all that was read, which takes a quarter of a second
raise SystemExit(code)
