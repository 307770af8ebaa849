"""Descriptions of what editors changed between two snapshots, field by field."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from edo.core import formats
from edo.diff.snapshot import TABLES, Row, Snapshot, differences, renamed_ids

State = Literal["added", "removed", "changed"]

KINDS: Mapping[str, tuple[str, str]] = {
    "events": ("event", "events"),
    "players": ("player", "players"),
    "places": ("place", "places"),
    "sources": ("source", "sources"),
    "odds": ("kind of odds", "kinds of odds"),
    "series": ("series", "series"),
}
"""The tables of records that editors write, with their singular and plural in sentences."""

COMPUTED: Mapping[str, frozenset[str]] = {
    "events": frozenset(
        {
            *("players", "rated_games", "unrated_reason", "file", "coverage"),
            *("known_games", "games_by_totals", "estimated_games", "missing_games"),
        }
    ),
    "players": frozenset(
        {"first_rated_year", "last_rated_year", "peak_year", "peak_rating", "peak_deviation"}
        | {"unrated_reason"}
    ),
}
"""Columns that are computed. All others are compared, including those of later versions."""

ANNOTATIONS = ("odds", "soft", "proportion", "by_default", "unrated", "uncounted", "note")
MARKS = {
    "won": "1",
    "drawn": "=",
    "lost": "0",
    "won by default": "+",
    "lost by default": "-",
}
REVERSED = str.maketrans("10+-wb", "01-+bw")
"""Marks and colours of games as seen by the other player."""

Names = Mapping[str, str]
Details = Iterator[tuple[str, str, str]]
"""Contents of events: event id, subject (a player, a pair, a round), and a description of it."""


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """A change in a record; empty text means that there was, or is, nothing."""

    what: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A record that was added, removed or changed; `kind` is the name of its table.

    `former` is the old id of a record that has a new one.
    """

    kind: str
    id: str
    name: str
    state: State
    fields: tuple[FieldEdit, ...] = ()
    former: str | None = None


def edits(old: Snapshot, new: Snapshot, original: Snapshot | None = None) -> tuple[Edit, ...]:
    """Return all edited records, events first, each kind in order of ids.

    `old` has the ids of `new` (`snapshot.with_new_ids`); `original` is the same with its own ids.
    Tables and columns that only one of the two has are not compared.
    """
    found: list[Edit] = []
    for kind in KINDS:
        if old.has(kind) and new.has(kind):
            renamed = {} if original is None else renamed_ids(original, new, kind)
            former = {new_id: old_id for old_id, new_id in renamed.items()}
            found += _record_edits(kind, old, new, former)
    return tuple(found)


def names(kind: str, *snapshots: Snapshot) -> dict[str, str]:
    """Return the names of the records of a kind by id; later snapshots take precedence."""
    return {
        id_: row.get("name") or row.get("title") or id_
        for snapshot in snapshots
        for id_, row in snapshot.by_id(kind).items()
    }


def has_results(old: Snapshot, new: Snapshot) -> bool:
    """Whether both snapshots have the results as entered, not only the rated pairings."""
    return all(one.has("results", "participants") for one in (old, new))


def _record_edits(kind: str, old: Snapshot, new: Snapshot, former: Names) -> Iterator[Edit]:
    before, after = old.by_id(kind), new.by_id(kind)
    called = names(kind, old, new)
    compare_fields = _field_comparison(old, new, kind)
    details: Mapping[str, Iterable[FieldEdit]] = {}
    if kind == "events":
        details = _event_details(old, new)
    elif kind == "players":
        details = {p: found for (event, p), found in _citation_edits(old, new).items() if not event}
    for id_ in sorted(before.keys() | after.keys()):
        was, now = before.get(id_), after.get(id_)
        if was is None or now is None:
            yield Edit(kind, id_, called[id_], "added" if was is None else "removed")
            continue
        fields = (*compare_fields(was, now), *details.get(id_, ()))
        if fields or id_ in former:
            yield Edit(kind, id_, called[id_], "changed", fields, former.get(id_))


def _field_comparison(
    old: Snapshot, new: Snapshot, kind: str
) -> Callable[[Row, Row], Iterator[FieldEdit]]:
    """Return a function that compares two rows of a kind, with names in place of ids."""
    both = set(next(iter(old.rows(kind)), {})) & set(next(iter(new.rows(kind)), {}))
    both -= COMPUTED.get(kind, frozenset()) | {"id"}
    if old.has("citations") and new.has("citations"):
        both -= {"sources"}
    header = TABLES[kind].header
    columns = [name for name in (*header, *sorted(both - set(header))) if name in both]
    names_of = {
        column: names(reference.table, old, new)
        for reference in TABLES[kind].references
        for column in reference.columns
    }

    def compare(was: Row, now: Row) -> Iterator[FieldEdit]:
        for column in columns:
            if was[column] != now[column]:
                called = names_of.get(column, {})
                before, after = (called.get(row[column], row[column]) for row in (was, now))
                yield FieldEdit(column.replace("_", " "), before, after)

    return compare


def _event_details(old: Snapshot, new: Snapshot) -> dict[str, list[FieldEdit]]:
    """Return by event the changes of players, results, rounds, open pairs and sources."""
    players = names("players", old, new)
    found: defaultdict[str, list[FieldEdit]] = defaultdict(list)
    shared = old.by_id("events").keys() & new.by_id("events").keys()
    describers = [
        describe for tables, describe in _DESCRIBERS if old.has(*tables) and new.has(*tables)
    ]
    if not (old.has("results") and new.has("results")):
        describers.append(_rated)
    for describe in describers:
        before, after = (_by_subject(describe(side, players)) for side in (old, new))
        for (event, what), was, now in differences(before, after):
            if event in shared:
                found[event].append(FieldEdit(what, was or "", now or ""))
    for (event, _), fields in _citation_edits(old, new).items():
        if event in shared:
            found[event] += fields
    return found


def _by_subject(details: Details) -> dict[tuple[str, str], str]:
    texts: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for event, subject, text in details:
        texts[event, subject].append(text)
    return {key: "; ".join(found) for key, found in texts.items()}


def _participants(snapshot: Snapshot, players: Names) -> Details:
    """Describe the participants; their order is ignored, since many files have none."""
    for row in snapshot.rows("participants"):
        name = players.get(row["player"], row["player"])
        points = (row.get(column) for column in ("total", "total_games"))
        texts = {
            "class": row.get("class"),
            "withdrew": row.get("withdrew"),
            "total": " of ".join(formats.score(float(text)) for text in points if text),
            "note on the total": row.get("total_note"),
        }
        yield row["event"], f"player {name}", "takes part"
        for what, text in texts.items():
            if text:
                yield row["event"], f"{what} of {name}", text


def _rounds(snapshot: Snapshot, players: Names) -> Details:
    rounds = snapshot.by_id("rounds")
    for row in rounds.values():
        teams = " – ".join(filter(None, (row.get("team_a"), row.get("team_b"))))
        parts = filter(None, (row["name"], teams, row.get("note")))
        yield row["event"], f"round {row['number']}", ", ".join(parts)


def _open_pairs(snapshot: Snapshot, players: Names) -> Details:
    for row in snapshot.rows("open_pairs"):
        pair = _pair(row["player_a"], row["player_b"], players)
        yield row["event"], f"{pair}, games without a result", row["state"]


def _results(snapshot: Snapshot, players: Names) -> Details:
    """Describe the results of each pair, as seen by the player whose id comes first."""
    rounds = {row["id"]: row.get("name", "") for row in snapshot.rows("rounds")}
    years = {id_: row.get("year", "") for id_, row in snapshot.by_id("events").items()}
    games: defaultdict[str, list[str]] = defaultdict(list)
    for row in snapshot.rows("games"):
        mark = MARKS.get(row.get("outcome_a", ""), "?")
        games[row["result"]].append(mark + row.get("colour_a", "")[:1])
    for row in snapshot.rows("results"):
        a, b = row["player_a"], row["player_b"]
        points = float(row["points_a"]), float(row["points_b"])
        sequence = " ".join(games.get(row.get("id", ""), ()))
        if b < a:
            points, sequence = points[::-1], sequence.translate(REVERSED)
        texts = [formats.result(*points)]
        if sequence:
            texts.append(f"({sequence})")
        texts += _annotations(row, players)
        if row.get("year") not in (None, years.get(row["event"])):
            texts.append(f"in {row['year']}")
        if row.get("round"):
            texts.append(f"in {rounds.get(row['round'], row['round'])}")
        yield row["event"], _pair(a, b, players), " ".join(texts)


def _rated(snapshot: Snapshot, players: Names) -> Details:
    """Describe the rated score of each pair, for snapshots without the results as entered."""
    for one in snapshot.rated_pairings():
        first, second = one.first.player, one.second.player
        score = one.score if first < second else one.games - one.score
        text = f"{formats.fixed(score, 2)} of {formats.counted(one.games, 'game')}"
        yield one.event, f"{_pair(first, second, players)}, as rated", text


def _pair(first: str, second: str, players: Names) -> str:
    return " – ".join(players.get(player, player) for player in sorted((first, second)))


def _annotations(row: Row, players: Names) -> Iterator[str]:
    for column in ANNOTATIONS:
        if text := row.get(column):
            if column == "odds":
                giver = row.get("odds_giver", "")
                text = f"{text} given by {players.get(giver, giver)}"
            yield f"[{column.replace('_', ' ')}: {text}]"


def _citation_edits(old: Snapshot, new: Snapshot) -> dict[tuple[str, str], list[FieldEdit]]:
    """Return changed sources by event and player, one of them empty."""
    found: dict[tuple[str, str], list[FieldEdit]] = {}
    if not (old.has("citations") and new.has("citations")):
        return found
    for key, was, now in differences(_citations(old), _citations(new)):
        before, after = was or Counter(), now or Counter()
        found[key] = [
            *(FieldEdit("source", text, "") for text in sorted((before - after).elements())),
            *(FieldEdit("source", "", text) for text in sorted((after - before).elements())),
        ]
    return found


def _citations(snapshot: Snapshot) -> defaultdict[tuple[str, str], Counter[str]]:
    titles = {id_: row.get("title", id_) for id_, row in snapshot.by_id("sources").items()}
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in snapshot.rows("citations"):
        event = row.get("event", "")
        parts = filter(None, (titles.get(row["source"], row["source"]), row.get("locator")))
        found[event, "" if event else row.get("player", "")][", ".join(parts)] += 1
    return found


_DESCRIBERS: tuple[tuple[tuple[str, ...], Callable[[Snapshot, Names], Details]], ...] = (
    (("participants",), _participants),
    (("rounds",), _rounds),
    (("open_pairs",), _open_pairs),
    (("results", "games", "rounds"), _results),
)
"""What is compared inside events, with the tables that both snapshots need for it."""
