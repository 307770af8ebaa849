"""Let `python -m edo` run the command line."""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `main`: an interrupt during the imports

from edo.commands.cli import main

raise SystemExit(main())
