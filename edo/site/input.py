"""The input of the whole site, and the pages and links that are made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from edo import __version__
from edo.core import files
from edo.core.files import Unreadable, is_scratch
from edo.core.model import Dataset, Event, Place, Player, Series, Source
from edo.core.problems import EdoError
from edo.export.files import Edition
from edo.history.content_files import Change, Throne, read_changes, read_throne
from edo.history.dataset import fingerprint
from edo.history.project import TEMPLATES, Project, SiteConfig
from edo.rating.edo import NOBODY, Ratings
from edo.rating.inference.answers import Answers
from edo.rating.record import Record, read_record
from edo.rating.wanted import Wanted, read_wanted
from edo.site import urls
from edo.site.index import Index
from edo.systems.all_ratings import AllRatings
from edo.systems.evaluation.contest import Contest, read_contest
from edo.systems.evaluation.tuning import Tuning, read_tuning

_NOTHING = Index(Dataset({}, {}, {}, {}, {}), NOBODY)


@dataclass(frozen=True, slots=True, eq=False)
class SiteInput:
    """Everything that the site shows. Compared by identity, so that results can be cached by it.

    `content` has the Markdown texts by slug (`content/<slug>.md`); `base_url` is the site's
    address, None where it is not known; `fingerprint` is the hash of the data; `tuning` is
    what `edo tune` measured, `contest` what `edo contest` did; `systems` are the ratings by other
    systems, with no columns until they are computed, and `second` those by the
    second of the two that can lead; `throne` and `wanted` are the files of these names in
    `content/`; `record_before` is the record of the edition to compare with.
    `project` is where all of it was read, None for invented input. `index` is what pages look up
    in the dataset and its ratings; it is that of these, whatever is given.
    """

    dataset: Dataset
    ratings: Ratings
    content: Mapping[str, str]
    base_url: str | None
    fingerprint: str
    version: str
    answers: Answers = field(default_factory=Answers)
    tuning: Tuning | None = None
    config: SiteConfig = field(default_factory=SiteConfig)
    changes: tuple[Change, ...] = ()
    throne: Throne = field(default_factory=Throne)
    wanted: tuple[Wanted, ...] = ()
    systems: AllRatings = field(default_factory=AllRatings)
    second: Ratings = NOBODY
    contest: Contest | None = None
    record_before: Record | None = None
    project: Project | None = None
    index: Index = _NOTHING

    def __post_init__(self) -> None:
        if not self.index.is_of(self.dataset, self.ratings):
            object.__setattr__(self, "index", Index(self.dataset, self.ratings))

    @property
    def templates(self) -> tuple[Path, ...]:
        """Return the folders of templates; a file in the first takes the place of others."""
        return (*(() if self.project is None else self.project.overrides), TEMPLATES)

    @property
    def edition(self) -> Edition:
        """Return what the data and the program are called in citations and data files."""
        newest = max((change.date for change in self.changes), default=None)
        config = self.config
        licence, game = config.data_licence, config.game
        method = config.settings.method
        return Edition(
            *(config.name, self.fingerprint, self.version, licence, newest, game, method),
            *(config.author, config.publisher, config.address),
        )


TEXTS = TEMPLATES / "texts"
"""The program's own texts; those of a project take their places."""
EXAMPLES = "examples"
PLACE = re.compile(r"\[\[([a-z-]+)\]\]")


def no_view() -> None:
    """Stand for the view of a page that shows nothing but what every page shows."""


@dataclass(frozen=True, slots=True)
class Later:
    """A text that is made where it is printed; `check` lists the pages and prints none."""

    make: Callable[[], str]

    def __str__(self) -> str:
        return self.make()


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its address, its template, and the function that returns what the template shows.

    `view` is called when the page is rendered: most of the work is in the views, and a preview
    renders few pages. `path`, like all paths, is from the root of the site (`edo.site.urls`);
    `title` is without the site's name; `description` is a sentence of plain text for search
    engines, made `Later` where it sums many games; `scripts` are those that only this kind of page
    needs; `about` is JSON-LD without its context; `picture` is the image shown where the page is
    shared; `moved_to` is the page's present address, where `path` is a former one.
    """

    path: str
    template: str
    view: Callable[[], object]
    title: str
    description: str | Later
    scripts: tuple[str, ...] = ()
    about: Mapping[str, object] | None = None
    picture: str | None = None
    moved_to: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A text with a link to `target` (a path, with `#fragment` for a place on the page), if any."""

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


def read_site_input(
    project: Project, config: SiteConfig, dataset: Dataset, ratings: Ratings
) -> SiteInput:
    """Return the input of a site: a project, its configuration, and its history that was rated.

    Raises EdoError where a file in the folder `content` has errors.
    """
    folder = project.content
    return SiteInput(
        dataset,
        ratings,
        content=read_texts(folder),
        base_url=None,
        fingerprint=fingerprint(project.events, config.settings),
        version=__version__,
        config=config,
        changes=read_changes(folder),
        throne=read_throne(folder),
        wanted=read_wanted(folder),
        tuning=read_tuning(folder),
        contest=read_contest(folder),
        record_before=read_record(folder),
        project=project,
    )


def read_texts(folder: Path) -> dict[str, str]:
    """Return the program's texts by slug, those of the same name in a folder in their place.

    Examples in the folder's `examples.md`, each below a line `[[name]]`, stand in the program's
    texts where they have the same. Raises EdoError where a text cannot be read, and
    where no text calls for an example.
    """
    if not folder.is_dir():
        raise EdoError(f"{folder}: there is no such folder; make it, or name another")
    own, texts = _texts_in(folder), _texts_in(TEXTS)
    examples = {name: part.strip() for name, _, part in examples_in(own.pop(EXAMPLES, ""))}
    known = {name for text in texts.values() for name in PLACE.findall(text)}
    if unknown := sorted(examples.keys() - known):
        raise EdoError(
            f"{folder / EXAMPLES}.md: no text has a place for {', '.join(unknown)}; the names are "
            f"{', '.join(sorted(known))}"
        )
    return {slug: own.get(slug, _with_examples(text, examples)) for slug, text in texts.items()}


def examples_in(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield the name of each example, the line of its name, and its text from there on."""
    parts = re.split(rf"^{PLACE.pattern}$", text, flags=re.MULTILINE)
    line = 1
    for before, name, part in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
        line += before.count("\n")
        yield name, line, part


def _texts_in(folder: Path) -> dict[str, str]:
    texts = {}
    for path in sorted(p for p in folder.glob("*.md") if not is_scratch(p.name)):
        try:
            texts[path.stem] = files.read_text(path)
        except Unreadable as refused:
            raise EdoError(f"{path}:{refused.line}: {refused}") from refused
    return texts


def _with_examples(text: str, examples: Mapping[str, str]) -> str:
    """Return a text with its examples; without one, also without the blank or line before it."""
    text = re.sub(
        rf"^{PLACE.pattern}\n",
        lambda found: f"{examples[found[1]]}\n" if found[1] in examples else "",
        text,
        flags=re.MULTILINE,
    )
    return re.sub(
        rf"( ?){PLACE.pattern}",
        lambda found: found[1] + examples[found[2]] if found[2] in examples else "",
        text,
    )
