"""What an editor says of a doubt comes in; the frozen record of it goes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import get_args

from edo.errors import Doubt

DOUBTS: tuple[Doubt, ...] = get_args(Doubt)


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A doubt of the check that an editor looked at, and why the record stands as it is.

    `about` is the other player or event of the doubt, empty where it has none.
    """

    doubt: Doubt
    why: str
    about: str = ""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        """Return the doubt, whom or what it is about, and why the record stands."""
        return f"{self.doubt} {self.about}".rstrip() + f": {self.why}"
