"""The signals that ask a program to stop, how it hears of them, and what processes it began do."""

from __future__ import annotations

import signal

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """A signal asked the program to stop."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def leave_to_the_first() -> None:
    """Forget what the process that began this one does when it is asked to stop.

    A terminal's interrupt reaches both: the first clears up, and ends this one.
    """
    for each in STOPPING:
        signal.signal(each, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
