"""The steps of a build, from event files to the finished site."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from edo.commands import folder
from edo.commands.progress import Progress
from edo.core import cache, files, parallel
from edo.core.cache import Cache, pickled
from edo.core.files import FileState
from edo.core.model import Dataset
from edo.core.problems import InputError
from edo.history.dataset import EventCache
from edo.history.project import Project, SiteConfig
from edo.rating import edo
from edo.rating.edo import RatedNetwork
from edo.rating.inference import posterior
from edo.rating.inference.answers import Answers
from edo.rating.inference.joint import births
from edo.rating.pairings import Pairing, all_pairings
from edo.site import assets, checks, links, metadata, render
from edo.site.input import SiteInput, read_site_input
from edo.site.pages.lookups import lookups_of_events
from edo.site.pages.rounding import rounded_ratings
from edo.systems import leading
from edo.systems.all_ratings import AllRatings, RatingTasks, systems_with
from edo.systems.games import Games, games_of


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The project and its configuration, the output folder, and the site's address if known."""

    project: Project
    config: SiteConfig
    out: Path
    base_url: str | None = None


def build(options: BuildOptions, store: Cache, progress: Progress) -> dict[str, FileState]:
    """Run all steps and publish the site; return the states of its files."""
    gc.disable()  # until pages are drawn, all that is made stays: collecting takes a third
    try:
        return _publish(_rated(options, store, progress), options.out, store, progress)
    finally:
        gc.unfreeze()
        gc.enable()


def _rated(options: BuildOptions, store: Cache, progress: Progress) -> SiteInput:
    """Return the input of the site, with all ratings."""
    project, config = options.project, options.config
    dataset = _read(options, store, progress)

    with progress.step("rating") as note:
        pairings, games = all_pairings(dataset), games_of(dataset)
        done = leading.run(pairings, games, config.settings, store.section("answers"))
        note(f"{len(done.rating)} player-years of {len(done.network.players)} players rated")

    with (
        progress.step("joint distribution, systems") as note,
        _inference(pairings, games, done, dataset, store) as results,
    ):
        ratings = edo.publish(dataset, done)
        site = read_site_input(project, config, dataset, ratings)
        site = replace(site, base_url=options.base_url or config.base_url)
        lookups_of_events(site.dataset, ratings)  # kept for the pages
        rounded_ratings(ratings)
        answers, systems = results()
        ranks = len(answers.rank_probabilities)
        note(f"{ranks} rank distributions, {len(answers.outliers)} outliers")
        computed = store.section("systems").misses
        note(f"{len(systems.columns)} other systems, {computed} of them computed")
        for refused in (one for one in systems.columns if one.refused is not None):
            note(f"{refused.system.name} rates nothing: {refused.refused}")
    other = leading.other_ratings(dataset, pairings, systems, config.settings)
    return replace(site, answers=answers, systems=systems, other=other).with_store(store)


def _read(options: BuildOptions, store: Cache, progress: Progress) -> Dataset:
    project, config = options.project, options.config
    config = replace(config, base_url=options.base_url or config.base_url)
    with progress.step("reading the events") as note:
        readings = EventCache(store.section("events"))
        dataset, _ = folder.read(project.events, readings)
        addresses = links.Addresses(dataset, project, config)
        records = links.check_records(dataset, addresses)
        found = [folder.as_opened(one, project.events) for one in records]
        found += checks.check_files(addresses)
        if errors := [one for one in found if one.severity == "error"]:
            raise InputError(errors)
        note(f"{len(dataset.events)} events of {len(dataset.players)} players")
        note(f"{readings.section.misses} of {readings.files} files read")
        note("no errors; `check` lists warnings")
    return dataset


@contextmanager
def _inference(
    pairings: Sequence[Pairing], games: Games, done: RatedNetwork, dataset: Dataset, store: Cache
) -> Iterator[Callable[[], tuple[Answers, AllRatings]]]:
    """Start on the joint distribution and the other systems; give what waits for both.

    The answers depend on the pairings, the settings and the years of birth.
    """
    born, section = births(dataset), store.section("answers")
    systems, known = systems_with(done.settings), leading.columns_of(done, games)
    raters = RatingTasks(games, systems, store.section("systems"), known)
    key = cache.digest(pairings, done.settings, born)
    kept = section.get(key)
    asked, of_systems = posterior.tasks(done, born) if kept is None else [], raters.tasks()
    # The longest first. What the distribution returns takes memory, so the slow fit goes before.
    tasks = [*asked[1:], *of_systems[:1], *asked[:1], *of_systems[1:]]
    with closing(parallel.run_parallel("rating", tasks, raters.is_much)) as made:

        def results() -> tuple[Answers, AllRatings]:
            found = dict(zip(tasks, made, strict=True))
            if kept is not None:
                answers: Answers = pickle.loads(kept)
            else:
                answers = posterior.combine(*map(found.__getitem__, asked))
                section.put(key, pickled(answers))
            return answers, raters.combined(map(found.__getitem__, of_systems))

        yield results


def _publish(site: SiteInput, out: Path, store: Cache, progress: Progress) -> dict[str, FileState]:
    """Render all pages and put them in place, with all other files."""
    with progress.step("rendering and writing") as note:
        pages = render.all_pages(site)
        gc.freeze()  # all of it stays to the end: the next collection need not look through it
        gc.enable()
        listed = (page.path for page in pages if page.moved_to is None)
        sitemap = metadata.sitemap(listed, site.base_url)
        _, before = cache.load_manifest(store.section("published"))
        copies, jobs = assets.copies(site), assets.asset_jobs(site, store)
        write = files.writer(out, before)

        def finish(file: render.File) -> tuple[str, FileState, set[str]]:
            return file[0], write(*file), links.targets(*file)

        def written() -> Iterator[tuple[str, bytes | FileState]]:
            with closing(render.render_site(pages, site, jobs, finish=finish)) as rendered:
                counted = progress.counted(
                    rendered, len(pages), "page", lambda file: file[0].endswith(".html")
                )
                built = links.checked(chain(counted, map(finish, sitemap)), copies)
                copied = ((path, file.read_bytes()) for path, file in copies.items())
                yield from chain(built, copied)

        states = files.publish(written(), out, before)
        if site.base_url is None:
            note("no base_url: without sitemap, robots.txt and canonical addresses")
        drawn = store.section("pictures").misses + store.section("figures").misses
        note(f"{store.section('pages').misses} of {len(pages)} pages and {drawn} pictures drawn")
        note(f"{len(states)} files; open {out / 'index.html'}")
    return states
