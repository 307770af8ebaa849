"""A pairing of which only a score or a proportion is known comes in; its results go out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from edo.core.model import Mark, Result
from edo.history.notation import TOLERANCE, Proportion, Score, number_text
from edo.history.reading import Desk, Entry
from edo.history.remarks import Said


def words(said: Said) -> dict[str, Any]:
    """Return what is said as fields of a Result, but for the default, which the marks decide."""
    return {
        "odds": said.odds,
        "soft": said.soft,
        "unrated": said.unrated,
        "note": said.note,
        "sources": said.sources,
        "uncounted": said.uncounted,
    }


def by_score(desk: Desk, entry: Entry, said: Said, empty: Result) -> Result | None:
    """Return the games of a `score`, or None where it cannot be one."""
    score: Score = entry.get("score")
    if score.first + score.second == 0 and said.default is not None:
        nobody = replace(empty, games=1.0, marks=(Mark("-"),))
        return replace(nobody, default=said.default, **words(said))
    if message := _impossible(score, said):
        desk.error(entry.line_of("score"), entry.place, *message)
        return None
    return replace(
        empty,
        points_first=score.first,
        points_second=score.second,
        games=score.first + score.second,
        draws=score.draws,
        default=said.default,
        **words(said),
    )


def _impossible(score: Score, said: Said) -> tuple[str, str] | None:
    games = score.first + score.second
    made = f"{number_text(score.first)} + {number_text(score.second)} points"
    if games == 0:
        return f"{made} are no games", "write the score, or `default` and why nobody played"
    if said.soft is not None:
        return None
    if abs(games - round(games)) > TOLERANCE:
        return (f"{made} do not make a whole number of games", "correct a score or mark it soft")
    if (2 * score.first) % 1 != 0:
        return f"{made} are not in halves", "correct a score or mark it soft"
    return None


def by_proportion(desk: Desk, entry: Entry, said: Said, empty: Result) -> Result | None:
    """Return the few games that stand for a proportion, or None where they are not all stated."""
    stated: Proportion = entry.get("proportion")
    taken: int | None = entry.get("games_taken")
    line = entry.line_of("proportion")
    if said.default is not None:
        desk.error(line, entry.place, "a proportion of games by default", "keep one of the two")
    if "soft" not in entry.lines:
        hint = "say under `soft` what it rests on"
        desk.error(line, entry.place, "a proportion that is not marked soft", hint)
    if "games_taken" not in entry.lines:
        hint = "add `games_taken`, a few games that it is rated as"
        desk.error(line, entry.place, "a proportion without a number of games", hint)
    if taken is None or said.default is not None:
        return None
    points = taken * stated.share
    return replace(
        empty,
        points_first=points,
        points_second=taken - points,
        games=float(taken),
        proportion=stated.text,
        **words(said),
    )


def check_taken(desk: Desk, entry: Entry) -> None:
    """Note an error where `games_taken` stands without the proportion that it belongs to."""
    if "games_taken" in entry.lines and "proportion" not in entry.lines:
        desk.error(
            entry.line_of("games_taken"),
            entry.place,
            "`games_taken` without a proportion",
            "write the `proportion` or delete it",
        )


def by_years(
    desk: Desk, entry: Entry, results: list[Result], event_year: int | None
) -> list[Result]:
    """Return the results divided over the years of `split`, pro rata; [] where that cannot be."""
    years: dict[int, int] | None = entry.get("split")
    if years is None:
        return [] if "split" in entry.lines else results
    if message := _undivided(years, results, event_year):
        desk.error(entry.line_of("split"), entry.place, *message)
        return []
    games = sum(years.values())
    return [
        _share(result, year, years[year], games) for year in sorted(years) for result in results
    ]


def _undivided(
    years: dict[int, int], results: list[Result], event_year: int | None
) -> tuple[str, str] | None:
    games, split = sum([result.games for result in results]), sum(years.values())
    if abs(games - split) > TOLERANCE:
        return (
            f"{split} games in the years, {number_text(games)} in all",
            "correct the score or the games of a year",
        )
    if len(years) > 1 and any(result.marks for result in results):
        return (
            "single games divided over several years",
            "make a pairing for each year, with a `split` of that year alone",
        )
    if event_year is not None and max(years) > event_year:
        return (
            f"games of {max(years)} in an event that finished in {event_year}",
            "correct a year",
        )
    return None


def _share(result: Result, year: int, part: int, games: int) -> Result:
    """Return what falls to a year; how many of its games were drawn is not known."""
    if part == games:
        return replace(result, year=year)
    return replace(
        result,
        points_first=result.points_first * part / games,
        points_second=result.points_second * part / games,
        games=result.games * part / games,
        draws=None,
        year=year,
    )
