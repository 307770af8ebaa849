"""What a build would refuse in texts, templates and files of a project, found without a build."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

from edo.core import files
from edo.core.files import LINKED, PUT_HERE, Unreadable, is_scratch, ordinary
from edo.core.model import Result
from edo.core.problems import EdoError, Problem
from edo.history.content_files import CHANGES_FILE, read_throne
from edo.history.names import nearest
from edo.history.project import EXAMPLE, TEMPLATES
from edo.rating.record import read_record
from edo.rating.wanted import read_wanted
from edo.site import markup, placeholders, urls
from edo.site.addresses import Addresses, as_problem, check_links, without_errors
from edo.site.charts import evaluation_figures, figures
from edo.site.input import EXAMPLES, PLACE, TEXTS, SiteInput, examples_in, read_texts
from edo.site.pages import contest, method
from edo.site.pages.content_values import ContentValues, SystemValues, Words, content_values
from edo.site.pages.contest import ContestValues
from edo.site.pages.method import MethodValues
from edo.site.render import template_environment
from edo.systems.evaluation.contest import FILE as CONTEST
from edo.systems.evaluation.tuning import FILE as TUNING


def check_files(addresses: Addresses) -> Iterator[Problem]:
    """Yield what a build would refuse in texts, templates and files to be copied."""
    project = addresses.project
    within = (path for path in files.input_files(project.content) if path.is_dir())
    folders = (project.content, *within, project.static, project.root / "templates")
    for folder in dict.fromkeys(folders):
        if folder.is_symlink():
            yield Problem(folder.as_posix(), 1, "", LINKED, PUT_HERE)
    if project.content.exists() or project.config_file.exists():
        yield from check_content(addresses)
    yield from _check_question(addresses)
    yield from _check_draws(addresses)
    yield from _check_years(addresses)
    yield from _check_background(addresses)
    yield from _check_example(addresses)
    if (logo := addresses.site.config.logo) and not (project.static / logo).is_file():
        message = f"there is no {project.static / logo}"
        hint = "put the picture there, or take `logo` away"
        yield Problem(project.config_file.as_posix(), 1, "logo", message, hint)
    for folder in project.overrides:
        yield from _check_templates(folder)
    yield from _check_static(addresses)


def _check_question(addresses: Addresses) -> Iterator[Problem]:
    """Yield a warning for each player-year of the question or a match that is not rated."""
    site, path = addresses.site, addresses.project.config_file.as_posix()
    if not site.ratings.players:
        return  # they are not known
    hint = "name an id of a rated player, and a year from the first to the last of his results"
    config = site.config
    asked = [("question", "the front page does not ask it", config.question_line, one)
             for one in config.question]  # fmt: skip
    asked += [("matches", "the match is not shown", config.matches_line, one)
              for match in config.matches for one in (match.first, match.second)]  # fmt: skip
    for key, then, line, (player, year) in asked:
        years = site.ratings.players.get(player)
        if years is None:
            message = f"{player} is not rated, so {then}"
            near = nearest(player, site.ratings.players, hint)
        elif site.ratings.of(player, year) is None:
            message = f"{player} is not rated in {year}, so {then}"
            near = f"name a year from {years[0].year} to {years[-1].year}"
        else:
            continue
        yield Problem(path, line, key, message, near, "warning")


ENOUGH = 50  # games [games] of which some would be drawn where a game can be drawn


def _check_draws(addresses: Addresses) -> Iterator[Problem]:
    """Yield a warning where `draws` of `site.yaml` is not what the results say."""
    path, may_draw = addresses.project.config_file, addresses.site.config.draws
    events = addresses.dataset.events.values()
    drawn = next(
        ((event, one) for event in events for one in event.results if _is_drawn(one)), None
    )
    if drawn is not None and not may_draw:
        event, result = drawn
        message = "a game is drawn, and `site.yaml` says `draws: false`"
        hint = "correct the score, or take `draws: false` away"
        path = addresses.project.events / event.path.removeprefix("events/")
        yield Problem(path.as_posix(), result.line or 1, "", message, hint, "warning")
    elif drawn is None and may_draw and path.exists():
        games = sum(result.games for event in events for result in event.results)
        if games >= ENOUGH:
            message = f"none of {games:,.0f} games is drawn, and standard errors count with draws"
            hint = "if no game can be drawn, write `draws: false`"
            yield Problem(path.as_posix(), 1, "", message, hint, "warning")


def _is_drawn(result: Result) -> bool:
    """Whether some of the games are drawn, as far as it is known."""
    if result.soft is not None or result.proportion is not None:
        return False
    tally = result.tally
    return tally[1] > 0 if tally is not None else not result.points_first.is_integer()


def _check_years(addresses: Addresses) -> Iterator[Problem]:
    """Yield an error for each event of the year after its end, unless years are seasons."""
    if addresses.site.config.seasons:
        return
    hint = "write the year in which the event finished, or `seasons: true` in `site.yaml`"
    for event in addresses.dataset.events.values():
        if event.dates is not None and event.dates.end.year != event.year:
            path = addresses.project.events / event.path.removeprefix("events/")
            message = f"{event.year}, but the dates end in {event.dates.end.year}"
            yield Problem(path.as_posix(), event.lines["year"], "year", message, hint)


def _check_background(addresses: Addresses) -> Iterator[Problem]:
    """Yield a warning where the ratings lie apart from players in general.

    Not for chess, of which those on record were far above them.
    """
    site, config = addresses.site, addresses.site.config
    if config.is_chess or not site.ratings.years:
        return
    raw = [one.raw_rating for of_year in site.ratings.years.values() for one in of_year]
    mean, settings = sum(raw) / len(raw), config.settings
    if abs(mean - settings.background_mean) > settings.background_deviation:
        message = (
            f"the mean of all raw ratings is {mean:.0f}, that of players in general "
            f"{settings.background_mean:g}, towards which who is little known is drawn"
        )
        hint = f"write `background_mean: {mean:.0f}` under `method`, or another mean that you know"
        path = addresses.project.config_file.as_posix()
        yield Problem(path, config.scale_line, "method", message, hint, "warning")


def _check_example(addresses: Addresses) -> Iterator[Problem]:
    """Yield a warning for each text of the example that `init` made, where its events are gone."""
    events = {path.stem for path in EXAMPLE.glob("events/*/*.yaml")}
    if not addresses.dataset.events or events & addresses.dataset.events.keys():
        return
    for example in sorted(EXAMPLE.glob("content/*")):
        path = addresses.project.content / example.name
        if path.is_file() and path.read_bytes() == example.read_bytes():
            message = "this is still the text of the example, the events of which are gone"
            hint = "write your own, or delete it" if path.suffix == ".yaml" else "write your own"
            yield Problem(path.as_posix(), 1, "", message, hint, "warning")


def _check_templates(folder: Path) -> Iterator[Problem]:
    environment = template_environment((folder, TEMPLATES))
    for path in sorted(files.input_files(folder)):
        name = path.relative_to(folder)
        try:
            ordinary(path)
            if name.parts[0] == "static":
                urls.static(*name.parts[1:])
            elif path.suffix == ".html":
                found = placeholders.template_mistakes(environment, name.as_posix())
                yield from (replace(one, path=path.as_posix()) for one in found)
        except EdoError as refused:
            yield as_problem(refused, path.as_posix())
        except ValueError as refused:
            hint = "use lower-case letters, digits, `-`, `_` and `.`"
            yield Problem(path.as_posix(), 1, "", str(refused), hint)


def _check_static(addresses: Addresses) -> Iterator[Problem]:
    static = addresses.project.static
    if static.is_symlink():
        return
    for path in sorted(files.input_files(static)):
        name = path.relative_to(static).as_posix()
        try:
            files.check_path(name)
            ordinary(path)
        except EdoError as refused:
            yield as_problem(refused, path.as_posix())
        if own := addresses.made_instead_of(name.casefold()):
            hint = "rename it"
            yield Problem(path.as_posix(), 1, "", f"the site has its own {own}", hint)


def check_content(addresses: Addresses) -> Iterator[Problem]:
    """Yield the errors of the texts and other files of `content/`, and what their links lack."""
    folder = addresses.project.content
    found = [*addresses.problems]
    for read in (read_record, read_wanted, read_throne):
        without_errors(read, folder, found)
    for name, measurement in ((TUNING, addresses.site.tuning), (CONTEST, addresses.site.contest)):
        if measurement is not None:
            found += evaluation_figures.check(folder, name, measurement)
    file = folder / CHANGES_FILE
    for change in addresses.site.changes:
        place = (file.as_posix(), 1, change.id)
        found += check_links(markup.links(change.text), addresses, file, place)
    unreadable = []
    for path in sorted(one for one in folder.glob("*.md") if not is_scratch(one.name)):
        try:
            found += _check_text(path, files.read_text(path), addresses)
        except Unreadable as refused:
            unreadable.append(
                Problem(path.as_posix(), refused.line, "", refused.message, refused.hint)
            )
    if not unreadable:
        without_errors(read_texts, folder, found)
    yield from (*found, *unreadable)


def _check_text(file: Path, text: str, addresses: Addresses) -> Iterator[Problem]:
    slug, path = file.stem, file.as_posix()
    if slug == EXAMPLES:
        of_name = {name: own.stem for own in TEXTS.glob("*.md") for name in _places(own)}
        for name, line, part in examples_in(text):
            for one in _mistakes(of_name[name], part, addresses) if name in of_name else ():
                yield replace(one, path=path, line=line + one.line - 1)
    elif not (TEXTS / file.name).is_file():
        hint = nearest(slug, [one.stem for one in TEXTS.glob("*.md")], "rename it, or take it away")
        yield Problem(path, 1, "", "no page is made of this text", hint, "warning")
        return
    else:
        yield from (replace(one, path=path) for one in _mistakes(slug, text, addresses))
        if slug != "home":
            try:
                markup.split(text, slug)
            except EdoError as refused:
                yield as_problem(refused, path)
    links = markup.links(text, whole=True)
    yield from check_links(links, addresses, file, (path, 1, ""))


def _places(text: Path) -> list[str]:
    return PLACE.findall(files.read_text(text))


def _mistakes(slug: str, text: str, addresses: Addresses) -> Iterator[Problem]:
    """Yield what is wrong with the placeholders and figures of a text, or of a part of it."""
    values, shown = _values_and_figures(slug, addresses.site)
    files = {"tuning": TUNING, "contest": CONTEST}
    folder = addresses.project.content
    absent = [name for name, file in files.items() if not (folder / file).is_file()]
    yield from placeholders.mistakes(text, values, absent)
    if slug.startswith("system-") and text.startswith("# "):
        head = "\n\n".join(text.split("\n\n", 2)[:2])  # is also in the list of systems
        yield from placeholders.mistakes(head, get_type_hints(Words))
    for name in method.figures_in(text) if shown else ():
        if name not in shown:
            line = text.partition(f"FIGURE {name}:")[0].count("\n") + 1
            hint = nearest(name, shown, f"there are {', '.join(sorted(shown))}")
            yield Problem("", line, "", f"there is no figure `{name}`", hint)


def _values_and_figures(slug: str, site: SiteInput) -> tuple[Mapping[str, Any], Collection[str]]:
    """Return the types of the values that a text may name, and the figures that it may show.

    Where it takes minutes to compute values, their types are those declared.
    """
    if slug == contest.SLUG:
        return get_type_hints(ContestValues), figures.FIGURES
    if slug.startswith("system-"):
        return get_type_hints(SystemValues), ()
    declared = get_type_hints(ContentValues)
    values = {name: declared.get(name, type(of)) for name, of in content_values(site).items()}
    if slug in ("home", method.RECORD):
        return values, ()
    return values | get_type_hints(MethodValues), figures.FIGURES
