"""What every view starts from and what it gives: the whole input of the site, pages and links."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from edo.core import urls
from edo.core.model import Dataset, Event, Place, Player, Series, Source
from edo.history.change_list import Change
from edo.history.site_config import Imprint
from edo.rating.edo import Ratings
from edo.rating.inference.answers import Answers
from edo.systems.alongside import Alongside
from edo.systems.evaluation.contest import Contest
from edo.systems.evaluation.tuning import Tuning


@dataclass(frozen=True, slots=True, eq=False)
class SiteInput:
    """All that the site is made of; one is like no other, so that what is made of it can be kept.

    `content` holds Markdown texts by slug (`content/<slug>.md`); `base_url` is where the site will
    stand, None where that is not known; `fingerprint` is the hash of all inputs;
    `tuning` is what was measured of other numbers of self-games, if it was; `systems` are the
    ratings of the other systems, without columns as long as there are none;
    `contest` is how well all foretold results, if that was measured.
    """

    dataset: Dataset
    ratings: Ratings
    content: Mapping[str, str]
    base_url: str | None
    fingerprint: str
    version: str
    answers: Answers = field(default_factory=Answers)
    tuning: Tuning | None = None
    imprint: Imprint = field(default_factory=Imprint)
    changes: tuple[Change, ...] = ()
    systems: Alongside = field(default_factory=Alongside)
    contest: Contest | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page: where it stands, the template that draws it and what makes the view that it draws.

    `view` is asked only when the page is drawn: most of the work on a site is in the views, and a
    preview draws few of its pages.
    `path` is from the root of the site (`edo.core.urls`); `title` is the page's own name, without
    the site's; `description` is one sentence of plain text for search engines. `scripts` are those
    that only this kind of page needs; `about` says for machines what the page is about, as JSON-LD
    without its context; `picture` shows it where the page is shared; `table` holds its numbers.
    `moved_to` is the page of today, where this is a former address of it. All are paths from the
    root of the site.
    """

    path: str
    template: str
    view: Callable[[], object]
    title: str
    description: str
    scripts: tuple[str, ...] = ()
    about: Mapping[str, object] | None = None
    picture: str | None = None
    table: str | None = None
    moved_to: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads to a page of this site, or nowhere where `target` is None.

    `target` is a path from the root of the site, with `#fragment` where it means a place on it.
    """

    text: str
    target: str | None = None


def link_to(record: Player | Event | Place | Source | Series, fragment: str = "") -> Link:
    """Return the link to the page of a record, or to a place on it (`#y1883`)."""
    match record:
        case Player():
            return Link(record.shown_name, urls.player(record.id) + fragment)
        case Event():
            return Link(record.name, urls.event(record.id) + fragment)
        case Place():
            return Link(record.name, urls.place(record.id) + fragment)
        case Series():
            return Link(record.name, urls.series(record.id) + fragment)
        case Source():
            return Link(record.title, urls.source(record.id) + fragment)


def neighbours(links: Sequence[Link]) -> Iterator[tuple[Link | None, Link | None]]:
    """Yield the links before and after each, None where there is none."""
    around = [None, *links, None]
    return zip(around, around[2:], strict=False)  # as many as there are links, also none
