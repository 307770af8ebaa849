"""One event of the tables in, its event file as nested fields in canonical order out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from edo.core.model import Citation
from edo.core.yaml import Plain
from edo.history.crosstable import write
from edo.history.notation import TOLERANCE, number_text
from edo.importers import wording
from edo.importers.games import Game, Pair
from edo.importers.rules import Rules
from edo.importers.shape import Shape, shape
from edo.importers.table import EventRow, Standing

TEAM_KINDS = ("team", "team match")


def compose(
    event: EventRow,
    games: Sequence[Game],
    standings: Sequence[Standing],
    rules: Rules,
    names: Mapping[str, str],
) -> dict[str, Plain]:
    """Return the fields of the event's file; `names` are those of the players, by id."""
    stated = rules.of_event(event.id)
    kind = stated.get("kind") or ("team match" if event.kind in TEAM_KINDS else event.kind)
    made = shape(event, kind, games, standings, stated)
    standings = [replace(s, note=rules.totals_note(s.note)) for s in standings]
    published = _published(made, standings, stated)
    case = wording.Case(event, kind, games, made, stated, {s.player for s in standings}, names)
    completeness, missing = wording.completeness(case)
    place = rules.place(event.place)
    fields: dict[str, Plain] = {
        "name": event.name,
        "kind": kind,
        "series": stated.get("series"),
        "place": place.id if place else None,
        "dates": stated.get("dates") or dates(event),
        "year": event.year,
        "format": stated.get("format") or _format(made),
        "completeness": completeness,
        "missing": missing,
        "crosstable": _block(made, standings, published, stated) if made.cells else None,
        **made.fields,
        "totals": _totals(made, standings, stated),
        "games_per_pair": stated.get("games_per_pair"),
        "rest": stated.get("rest"),
        "withdrew": stated["withdrew"].split() if "withdrew" in stated else None,
        "draws_not_scored": stated.get("draws_not_scored"),
        "published_totals": list(published.values()) or None,
        "remarks": _remarks(made) or None,
        "notes": wording.notes(standings, stated),
        "sources": [
            {"source": citation.source, "where": citation.where}
            for citation in _citations(event, games, standings, rules)
        ],
    }
    return fields


def dates(event: EventRow) -> str | None:
    """Return when the event took place; of a coarse and a finer date of one time the coarse one.

    An event that counts for a later year than its last known game ended in that year.
    """
    start, end = event.start, event.end
    if not start or not end:
        return start or end or None
    if int(end[:4]) < event.year:
        end = str(event.year)
    if start.startswith(end) or end.startswith(start):
        return min(start, end, key=len)
    return f"{start}/{end}"


def _format(made: Shape) -> str | None:
    if made.per_pair is None:
        return None
    words = {1: "Single-round all-play-all", 2: "Double-round all-play-all"}
    return words.get(made.per_pair, f"All-play-all, {made.per_pair} games with each opponent")


def _published(
    made: Shape, standings: Sequence[Standing], stated: Mapping[str, str]
) -> dict[str, dict[str, Plain]]:
    """Return the published totals that cannot stand in the player's row, with the reason.

    The rules may state a reason that holds for all of them, as `totals`.
    """
    if not made.cells or _with_games(stated):
        return {}
    found: dict[str, dict[str, Plain]] = {}
    for standing in standings:
        reason = stated.get("totals") or _difference(made, standing, _worth(stated))
        if reason:
            entry = {"player": standing.player, "total": number_text(float(standing.points))}
            found[standing.player] = {**entry, "note": reason}
    return found


def _worth(stated: Mapping[str, str]) -> float:
    """Return what a drawn game counted in the event's own totals [points]."""
    return 0.0 if stated.get("draws_not_scored") == "true" else 0.5


def _difference(made: Shape, standing: Standing, draw: float) -> str | None:
    """Return how the player's total differs from what is known of his games, if it does."""
    own = [g for pair, games in made.pairs.items() if standing.player in pair for g in games]
    points = [(game, game.points(standing.player)) for game in own]
    scored = [(game, draw if each == 0.5 else each) for game, each in points]
    counted = sum(each for game, each in scored if game.counted)
    total = float(standing.points)
    open_ = any("?" in cell for cell in made.cells[made.players.index(standing.player)])
    if counted <= total + TOLERANCE if open_ else abs(total - counted) <= TOLERANCE:
        return None
    aside = "" if draw else " without the drawn games"
    known = f"the results known here add up to {number_text(counted)}{aside}."
    if abs(total - sum(each for _, each in scored)) <= TOLERANCE:
        return f"Counts the games that are marked as not counted; without them {known}"
    return known[0].upper() + known[1:]


def _with_games(stated: Mapping[str, str]) -> bool:
    """Whether the totals are to stand in a block of their own, with everybody's games."""
    return stated.get("rest") == "best guess"


def _block(
    made: Shape, standings: Sequence[Standing], apart: Collection[str], stated: Mapping[str, str]
) -> str:
    listed = () if _with_games(stated) else standings
    totals = {s.player: float(s.points) for s in listed if s.player not in apart}
    return write(made.players, made.cells, [totals.get(player) for player in made.players])


def _totals(made: Shape, standings: Sequence[Standing], stated: Mapping[str, str]) -> str | None:
    """Return the published totals as a block of their own where no crosstable can hold them."""
    is_listed = "pairings" in made.fields and len(made.players) > 2
    if not standings or not (is_listed or _with_games(stated)):
        return None
    width = max(len(standing.player) for standing in standings)
    lines = [
        f"{s.player.ljust(width)}  {number_text(float(s.points))}"
        + (f"/{s.games}" if s.games else "")
        for s in standings
    ]
    return "\n".join(lines) + "\n"


def _remarks(made: Shape) -> list[Plain]:
    place = {player: number for number, player in enumerate(made.players)}
    sides = sorted((sorted(pair, key=place.__getitem__) for pair in made.pairs),
                   key=lambda side: [place[player] for player in side])  # fmt: skip
    return [remark for side in sides for remark in _pair_remarks(side, made.pairs)]


def _pair_remarks(side: list[str], pairs: Mapping[Pair, Sequence[Game]]) -> list[Plain]:
    said = [game.remark for game in pairs[frozenset(side)]]
    if all(remark == said[0] for remark in said):
        return [{"players": side, **said[0]}] if said[0] else []
    return [
        {"players": side, "game": number, **remark}
        for number, remark in enumerate(said, start=1)
        if remark
    ]


def _citations(
    event: EventRow, games: Sequence[Game], standings: Sequence[Standing], rules: Rules
) -> list[Citation]:
    """Return every source that the event's rows name, those of most rows first."""
    texts = [f"{game.row.source}: {game.row.note}" for game in games if game.has_row]
    count: dict[Citation, int] = {}
    for text in texts + [s.source for s in standings if s.source]:
        for citation in rules.citations(text, event):
            count[citation] = count.get(citation, 0) + 1
    stated = rules.of_event(event.id)
    more = [Citation(stated["source"], stated.get("where"))] if "source" in stated else []
    return sorted(count, key=lambda c: (-count[c], c.source, c.where or "")) + more
