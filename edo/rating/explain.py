"""What an event contributes to the ratings, as aligned text: the command `explain`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from edo.core import formats
from edo.core.model import Dataset, Event, Result
from edo.core.problems import EdoError
from edo.core.scale import expected_score
from edo.history.names import nearest
from edo.history.settings import DEFAULT, Settings
from edo.history.unknown_games import by_default
from edo.history.values import shown
from edo.rating.coverage import event_unrated, left_out
from edo.rating.games import Games, Pairing, Side, games_of, pairings_of
from edo.rating.network import NO_RESULT, unratable

Cells = Sequence[str]

_FROM = {"results": "results", "totals": "totals", "guess": "best guess"}
_PAIRINGS = ("year", "first", "score", "games", "second", "from")
_SUMS = ("player", "results", "left out", "from totals", "rated", "total")


def explain(dataset: Dataset, id_: str, settings: Settings = DEFAULT) -> str:
    """Return the event's pairings, ghosts, what is left out and why, and sums, with a last newline.

    Raises EdoError where there is no such event.
    """
    event = dataset.events.get(id_)
    if event is None:
        hint = nearest(id_, dataset.events, "the ids are the names of the files")
        raise EdoError(f"there is no event {shown(id_)}; {hint}")
    is_edo = settings.system == DEFAULT.system  # the other system rates everybody, without ghosts
    games = games_of(dataset)
    reasons = unratable(games) if is_edo else {}
    sections = [
        _head(event),
        *_pairings(event, dataset, reasons),
        _ghosts(event, dataset, settings) if is_edo else [],
        _left_out(event, dataset),
        _given(event),
        _uncounted(event),
        _unknown(event),
        _players(event, games, reasons),
        _sums(event, dataset),
    ]
    return "\n".join("".join(f"{line}\n" for line in section) for section in sections if section)


def _head(event: Event) -> list[str]:
    lines = [f"{event.name} ({event.path})"]
    if event.completeness != "complete":
        lines.append(f"{event.completeness}: {event.missing}")
    if (reason := event_unrated(event)) is not None:
        lines.append(f"nothing of it is rated: {reason}")
    return lines


def _pairings(
    event: Event, dataset: Dataset, reasons: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    entering: list[Cells] = []
    apart: list[Cells] = []
    for pairing in pairings_of(event, dataset.odds):
        rated = pairing.first.player not in reasons and pairing.second.player not in reasons
        (entering if rated else apart).append(_row(pairing))
    return (
        _table("Pairings in the fit (score of the first of games)", _PAIRINGS, entering, "llrrll"),
        _table("Pairings with a player who cannot be rated", _PAIRINGS, apart, "llrrll"),
    )


def _row(pairing: Pairing) -> Cells:
    first, second = _side(pairing.first), _side(pairing.second)
    score, games = _number(pairing.score), _number(pairing.games)
    return str(pairing.year), first, score, games, second, _FROM[pairing.basis]


def _side(side: Side) -> str:
    return side.player if side.odds is None else f"{side.player} giving {side.odds}"


def _ghosts(event: Event, dataset: Dataset, settings: Settings) -> list[str]:
    """List how each giver of odds is tied to his ghost, who has the results at odds."""
    n = settings.ghost_games
    rows: dict[Cells, None] = {}
    for pairing in pairings_of(event, dataset.odds):
        for side in (pairing.first, pairing.second):
            if pairing.basis != "results":
                continue  # their odds are a fixed difference
            if side.odds is not None and side.odds_points is not None:
                won = n * expected_score(side.odds_points)
                tie = f"{won:.1f} - {n - won:.1f}"
                points = _number(side.odds_points)
                rows[side.player, str(pairing.year), side.odds, points, tie] = None
    header = ("giver", "year", "odds", "Elo", f"against the ghost in {_number(n)} games")
    return _table("Ghosts", header, list(rows), "lllrl")


def _left_out(event: Event, dataset: Dataset) -> list[str]:
    rows = [
        (*_cells(result), reason)
        for result, reason in zip(event.results, left_out(event, dataset.odds), strict=True)
        if reason is not None
    ]
    return _table("Left out", ("line", "players", "score", "reason"), rows, "rlll")


def _given(event: Event) -> list[str]:
    """List the points that the totals count for the games of players who withdrew."""
    if not event.withdrew:
        return []
    points = by_default(event)
    rows = [(player, _number(points[player])) for player in event.players if points.get(player)]
    return _table("Left out of the totals as won by default", ("player", "points"), rows, "lr")


def _uncounted(event: Event) -> list[str]:
    rows = [(*_cells(r), r.uncounted) for r in event.results if r.uncounted is not None]
    header = ("line", "players", "score", "reason")
    return _table("Outside the event's totals", header, rows, "rlll")


def _cells(result: Result) -> tuple[str, str, str]:
    number = "" if result.number is None else f", game {result.number}"
    score = f"{_number(result.points_first)} - {_number(result.points_second)}"
    return str(result.line), f"{result.first} - {result.second}{number}", score


def _unknown(event: Event) -> list[str]:
    """List the pairs with unknown games where the totals are not used for them."""
    if event.rest is not None or not event.unknown_games:
        return []
    pairs = sorted(" - ".join(sorted(pair)) for pair in event.unknown_games)
    return _table("Unknown games", ("players",), [(pair,) for pair in pairs], "l")


def _players(event: Event, games: Games, reasons: Mapping[str, str]) -> list[str]:
    """List the players without a rating, also those without any rateable result."""
    rated = set(games.players) - reasons.keys()
    rows = [
        (player, reasons.get(player, NO_RESULT)) for player in event.players if player not in rated
    ]
    return _table("Players who cannot be rated", ("player", "reason"), rows, "ll")


def _sums(event: Event, dataset: Dataset) -> list[str]:
    results = _of_results(event.results)
    reasons = left_out(event, dataset.odds)
    unrated = _of_results(
        result for result, reason in zip(event.results, reasons, strict=True) if reason is not None
    )
    pairings = pairings_of(event, dataset.odds)
    from_totals = _of_pairings([pairing for pairing in pairings if pairing.basis != "results"])
    rated = _of_pairings(pairings)
    totals = {total.player: _number(total.points) for total in event.totals}
    columns = (results, unrated, from_totals, rated)
    rows = [
        (player, *(_share(*column[player]) for column in columns), totals.get(player, ""))
        for player in event.players
    ]
    return _table("Sums (points/games)", _SUMS, rows, "lrrrrr")


_Sums = Mapping[str, tuple[float, float]]


def _of_results(results: Iterable[Result]) -> _Sums:
    return _add(
        row
        for r in results
        for row in ((r.first, r.points_first, r.games), (r.second, r.points_second, r.games))
    )


def _of_pairings(pairings: Sequence[Pairing]) -> _Sums:
    first = [(p.first.player, p.score, p.games) for p in pairings]
    second = [(p.second.player, p.games - p.score, p.games) for p in pairings]
    return _add(first + second)


def _add(rows: Iterable[tuple[str, float, float]]) -> _Sums:
    sums: defaultdict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for player, points, games in rows:
        so_far = sums[player]
        sums[player] = so_far[0] + points, so_far[1] + games
    return sums


def _share(points: float, games: float) -> str:
    return f"{_number(points)}/{_number(games)}" if games else formats.DASH


def _number(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _table(title: str, header: Cells, rows: Sequence[Cells], sides: str) -> list[str]:
    """Return a title and aligned rows; `sides` has `l` or `r` for each column; [] without rows."""
    if not rows:
        return []
    return [title, *(f"  {line}".rstrip() for line in formats.aligned([header, *rows], sides))]
