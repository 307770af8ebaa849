"""Let `python -m edo` run the command line."""

import sys

from edo.commands.cli import main

sys.exit(main())
