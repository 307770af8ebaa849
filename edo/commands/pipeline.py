"""The steps of a build, from event files to the finished site."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from edo.commands import folder
from edo.commands.progress import Progress
from edo.core import files, parallel
from edo.core.files import FileState
from edo.core.problems import InputError
from edo.history.project import Project, SiteConfig
from edo.rating import edo
from edo.rating.edo import RatedNetwork
from edo.rating.games import Games, games_of
from edo.rating.inference import posterior
from edo.rating.inference.answers import Answers
from edo.site import assets, links, metadata, render
from edo.site.input import SiteInput, read_site_input
from edo.systems import leading
from edo.systems.all_ratings import AllRatings, RatingTasks, systems_with


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The project and its configuration, the output folder, and the site's address if known."""

    project: Project
    config: SiteConfig
    out: Path
    base_url: str | None = None


def build(
    options: BuildOptions, before: Mapping[str, FileState], progress: Progress
) -> dict[str, FileState]:
    """Run all steps and publish the site; return the states of its files.

    Files with the same bytes as `before` keep their time.
    """
    gc.disable()  # until pages are drawn, all that is made stays: collecting takes a third
    try:
        return _publish(_rated(options, progress), options.out, before, progress)
    finally:
        gc.unfreeze()
        gc.enable()


def _rated(options: BuildOptions, progress: Progress) -> SiteInput:
    """Return the input of the site, with all ratings."""
    project, config = options.project, options.config
    config = replace(config, base_url=options.base_url or config.base_url)
    with progress.step("reading the events") as note:
        dataset, _ = folder.read(project.events, draws=config.draws)
        note(f"{len(dataset.events)} events of {len(dataset.players)} players")

    with progress.step("rating") as note:
        games = games_of(dataset)
        done = leading.run(games, config.settings)
        ratings = edo.publish(dataset, done)
        note(f"{len(done.rating)} player-years of {len(done.network.players)} players rated")
        problems = folder.site_problems(project, config, dataset, ratings)
        if errors := [one for one in problems if one.severity == "error"]:
            raise InputError(errors)
        note("no errors; `check` lists warnings")

    with (
        progress.step("joint distribution, systems") as note,
        _inference(games, done, config) as results,
    ):
        site = read_site_input(project, config, dataset, ratings)
        site = replace(site, base_url=config.base_url)
        site.index.prepare()
        answers, systems = results()
        ranks = len(answers.rank_probabilities)
        note(f"{ranks} rank distributions, {len(answers.outliers)} outliers")
        note(f"{len(systems.columns)} other systems")
        for refused in (one for one in systems.columns if one.refused is not None):
            note(f"{refused.system.name} rates nothing: {refused.refused}")
    second = leading.second_ratings(dataset, games, systems, ratings)
    return replace(site, answers=answers, systems=systems, second=second)


@contextmanager
def _inference(
    games: Games, done: RatedNetwork, config: SiteConfig
) -> Iterator[Callable[[], tuple[Answers, AllRatings]]]:
    """Start on the joint distribution and the other systems; give what waits for both."""
    systems, known = systems_with(done.settings), leading.columns_of(done, games)
    raters = RatingTasks(games, systems, known)
    of_answers = posterior.tasks(done, config.question, config.asked_pairs)
    of_systems = raters.tasks()
    # The longest first. What the distribution returns takes memory, so the slow fit goes before.
    tasks = [*of_answers[1:], *of_systems[:1], *of_answers[:1], *of_systems[1:]]
    with closing(parallel.run_parallel("rating", tasks, raters.is_much)) as results:

        def wait() -> tuple[Answers, AllRatings]:
            result_of = dict(zip(tasks, results, strict=True))
            answers = posterior.combine(*map(result_of.__getitem__, of_answers))
            return answers, raters.combined(map(result_of.__getitem__, of_systems))

        yield wait


def _publish(
    site: SiteInput, out: Path, before: Mapping[str, FileState], progress: Progress
) -> dict[str, FileState]:
    """Render all pages and put them in place, with all other files."""
    with progress.step("rendering and writing") as note:
        pages = render.all_pages(site)
        gc.freeze()  # all of it stays to the end: the next collection need not look through it
        gc.enable()
        listed = (page.path for page in pages if page.moved_to is None)
        sitemap = metadata.sitemap(listed, site.base_url)
        copies, jobs = assets.copies(site), assets.asset_jobs(site)
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
        note(f"{len(pages)} pages, {len(states)} files; open {out / 'index.html'}")
    return states
