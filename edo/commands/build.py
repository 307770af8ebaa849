"""What is to be built, and what was made before, in; the steps of a build one after the other."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from edo.commands import folder
from edo.commands.progress import Progress
from edo.core import cache, parallel
from edo.core import files as published
from edo.core import files as writer
from edo.core.cache import Store, pickled
from edo.core.files import Stamp
from edo.core.model import Dataset
from edo.history.readings import Readings
from edo.rating import edo
from edo.rating.edo import Pass
from edo.rating.inference import questions
from edo.rating.inference.answers import Answers
from edo.rating.inference.joint import births
from edo.rating.pairings import Pairing, all_pairings
from edo.site import assets, links, metadata, render
from edo.site import content as contentfolder
from edo.site import render as pages
from edo.site.input import Page, SiteInput
from edo.systems.alongside import Alongside, Raters
from edo.systems.games import games_of


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be built: the folders of the input, where to, and the site's address if known."""

    events: Path
    content: Path
    out: Path
    base_url: str | None = None


def build(order: Order, store: Store, progress: Progress) -> dict[str, Stamp]:
    """Do one step after the other, saying what is done; return the stamps of the files."""
    texts = contentfolder.read_folder(order.content)
    dataset = _read(order, store, progress)

    with progress.step("rating") as say:
        pairings = all_pairings(dataset)
        done = edo.run(pairings)
        ratings = edo.publish(dataset, done)
        years = sum(map(len, ratings.players.values()))
        say(f"{years} player-years of {len(ratings.players)} players rated")

    with progress.step("asking and comparing") as say:
        answers, systems = _asked(pairings, done, dataset, store)
        say(f"{len(answers.chances)} chances, {len(answers.suspects)} results hard to believe")
        made = store.shelf("systems").made
        say(f"{len(systems.columns)} other systems, {made} of them now")
        for refused in (one for one in systems.columns if one.refused is not None):
            say(f"{refused.system.name} rates nothing: {refused.refused}")

    with progress.step("laying out the pages") as say:
        site = replace(
            texts.site(order.events, dataset, ratings),
            base_url=order.base_url,
            answers=answers,
            systems=systems,
        )
        laid_out = pages.all_pages(site)
        say(f"{len(laid_out)} pages")
    return _write(site, laid_out, order.out, store, progress)


def _read(order: Order, store: Store, progress: Progress) -> Dataset:
    with progress.step("reading the events") as say:
        readings = Readings(store.shelf("events"))
        dataset, _ = folder.read(order.events, readings)
        say(f"{len(dataset.events)} events of {len(dataset.players)} players")
        say(f"{readings.shelf.made} of {readings.files} files read")
        say("no errors; `make check` tells what is doubtful")
    return dataset


def _asked(
    pairings: Sequence[Pairing], done: Pass, dataset: Dataset, store: Store
) -> tuple[Answers, Alongside]:
    """Return the answers and what other systems make of the games, all worked out side by side.

    The answers follow from the pairings, the settings and the years of birth.
    """
    born, shelf = births(dataset), store.shelf("answers")
    raters = Raters(games_of(dataset), shelf=store.shelf("systems"))
    key = cache.of_values(pairings, done.settings, born)
    kept = shelf.get(key)
    tasks = [*(questions.tasks(done, born) if kept is None else ()), *raters.tasks()]
    made = parallel.side_by_side("rating", tasks, raters.is_much)
    if kept is not None:
        answers: Answers = pickle.loads(kept)
    else:
        answers = questions.answers(next(made), next(made))
        shelf.put(key, pickled(answers))
    return answers, raters.alongside(made)


def _write(
    site: SiteInput,
    laid_out: list[Page],
    out: Path,
    store: Store,
    progress: Progress,
) -> dict[str, Stamp]:
    """Draw all pages and put them in place, with all files beside them."""
    with progress.step("drawing and writing") as say:
        drawn = render.drawn(laid_out, site, store, assets.makings(site, store))
        counted = progress.counted(drawn, len(laid_out), "page", _is_page)
        listed = metadata.sitemap_files(
            (page.path for page in laid_out if page.moved_to is None), site.base_url
        )
        files = links.checked(chain(counted, listed))
        _, before = published.recall(store.shelf("published"))
        stamps = writer.republish(files, out, before)
        if site.base_url is None:
            say("no --base-url: without sitemap, robots.txt and canonical addresses")
        pictures = store.shelf("pictures").made + store.shelf("figures").made
        say(f"{store.shelf('pages').made} of {len(laid_out)} pages and {pictures} pictures drawn")
        say(f"{len(stamps)} files; open {out / 'index.html'}")
    return stamps


def _is_page(file: tuple[str, bytes]) -> bool:
    return file[0].endswith(".html")
