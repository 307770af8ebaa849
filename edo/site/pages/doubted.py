"""Doubts that an editor looked at in; what a page says of each, and why the record stands, out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from edo.core import urls
from edo.core.model import Dataset
from edo.core.problems import Acknowledgement, WarningKind
from edo.site import markup
from edo.site.input import Link

_SAID: Mapping[WarningKind, str] = {
    "lifetime": "games before the birth or after the death of",
    "age": "the age of",
    "same dates": "born and dead on the same days as",
    "same spelling": "a name written like that of",
    "lone series": "the only event of its series",
    "close name": "a name close to that of",
    "two places": "players who were elsewhere within a week, in",
    "entered twice": "perhaps the same event as",
    "no page": "no source says where in it this stands",
    "score": "a score far from what the ratings expect of",
}


@dataclass(frozen=True, slots=True)
class Doubted:
    """A doubt in words, whom or which event it is about, and why the record stands."""

    doubt: str
    about: Link | None
    why: Markup


def doubted(
    acknowledged: tuple[Acknowledgement, ...], dataset: Dataset, page: str
) -> Iterator[Doubted]:
    """Yield what the page of a record says of the doubts looked at."""
    for one in acknowledged:
        yield Doubted(_SAID[one.warning], _about(one.about, dataset), markup.inline(one.why, page))


def _about(id_: str, dataset: Dataset) -> Link | None:
    """Return a link to the player or event; of one that is not there any more, the id alone."""
    if id_ in dataset.players:
        return Link(dataset.players[id_].shown_name, urls.player(id_))
    if id_ in dataset.events:
        return Link(dataset.events[id_].name, urls.event(id_))
    return Link(id_) if id_ else None
