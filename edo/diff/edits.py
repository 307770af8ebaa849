"""Two editions in; what editors changed between them, field by field in words, out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from edo.core import formats
from edo.diff.snapshot import TABLES, Edition, Row, moved_ids

State = Literal["added", "removed", "changed"]

KINDS: Mapping[str, str] = {
    "events": "event",
    "players": "player",
    "places": "place",
    "sources": "source",
    "odds": "kind of odds",
    "series": "series",
}
"""The tables of records that editors write, and what one of them is called."""

COMPUTED: Mapping[str, frozenset[str]] = {
    "events": frozenset({"players", "rated_games", "unrated_reason", "file"}),
    "players": frozenset(
        {"first_rated_year", "last_rated_year", "peak_year", "peak_rating", "peak_deviation"}
        | {"unrated_reason"}
    ),
}
"""Columns that no editor wrote; all others are compared, those of later versions too."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A record that came, went or changed; `kind` is the name of its table.

    `fields` says what changed in it; `former` is the id that it had before, if another.
    """

    kind: str
    id: str
    name: str
    state: State
    fields: tuple[FieldEdit, ...] = ()
    former: str | None = None


def edits(old: Edition, new: Edition, original: Edition | None = None) -> tuple[Edit, ...]:
    """Return every record that changed, events first, each kind by id.

    `old` bears the ids of `new` (`editions.with_new_ids`); `original` is it with its own.
    Tables and columns that one of the two does not have are not compared.
    """
    found: list[Edit] = []
    for kind in KINDS:
        if old.has(kind) and new.has(kind):
            former = {} if original is None else _inverse(moved_ids(original, new, kind))
            found += _of_kind(kind, old, new, former)
    return tuple(found)


def names(edition: Edition, kind: str) -> dict[str, str]:
    """Return by id what each record of a kind is called."""
    return {
        id_: row.get("name") or row.get("title") or id_ for id_, row in edition.by_id(kind).items()
    }


def knows_results(old: Edition, new: Edition) -> bool:
    """Whether both tell what editors wrote of results, and not only what was rated of it."""
    return all(one.has(table) for one in (old, new) for table in ("results", "participants"))


def _inverse(moved: Mapping[str, str]) -> dict[str, str]:
    return {new: old for old, new in moved.items()}


def _of_kind(kind: str, old: Edition, new: Edition, former: Mapping[str, str]) -> Iterator[Edit]:
    before, after = old.by_id(kind), new.by_id(kind)
    called = {**names(old, kind), **names(new, kind)}
    shown = _Shown(old, new, kind)
    inside = all_edits(old, new) if kind == "events" else {}
    cited = citations(old, new) if kind == "players" else {}
    for id_ in sorted(before.keys() | after.keys()):
        was, now = before.get(id_), after.get(id_)
        if was is None or now is None:
            yield Edit(kind, id_, called[id_], "added" if was is None else "removed")
            continue
        fields = (
            *shown.fields(was, now),
            *inside.get(id_, ()),
            *cited.get(("", id_), ()),
        )
        if fields or id_ in former:
            yield Edit(kind, id_, called[id_], "changed", fields, former.get(id_))


class _Shown:
    """The fields of the records of a kind; other records are called by their names."""

    def __init__(self, old: Edition, new: Edition, kind: str) -> None:
        both = _columns(old.rows(kind)) & _columns(new.rows(kind))
        left_out = COMPUTED.get(kind, frozenset()) | {"id"}
        if old.has("citations") and new.has("citations"):
            left_out |= {"sources"}
        order = [*TABLES[kind].header, *sorted(both - set(TABLES[kind].header))]
        self._columns = [name for name in order if name in both and name not in left_out]
        self._names = {
            column: {**names(old, reference.table), **names(new, reference.table)}
            for reference in TABLES[kind].references
            for column in reference.columns
        }

    def fields(self, was: Row, now: Row) -> Iterator[FieldEdit]:
        """Yield each field that is not what it was."""
        for column in self._columns:
            if was[column] != now[column]:
                named = self._names.get(column, {})
                before, after = (named.get(row[column], row[column]) for row in (was, now))
                yield FieldEdit(column.replace("_", " "), before, after)


def _columns(rows: Iterable[Row]) -> set[str]:
    return set(next(iter(rows), {}))


Words = dict[tuple[str, ...], list[str]]
"""What is said of something in an event, by the event's id and by what it is said of."""

MARKS = {
    "won": "1",
    "drawn": "=",
    "lost": "0",
    "won by default": "+",
    "lost by default": "-",
}
TURNED = str.maketrans("10+-", "01-+")
SAID = ("odds", "soft", "proportion", "by_default", "unrated", "uncounted", "note")


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """Something of a record that changed, in words; the empty text stands for nothing there."""

    what: str
    old: str
    new: str


def all_edits(old: Edition, new: Edition) -> dict[str, tuple[FieldEdit, ...]]:
    """Return by event what changed of players, results, rounds, open pairs and sources."""
    called = _called(old, new)
    found: defaultdict[str, list[FieldEdit]] = defaultdict(list)
    shared = old.by_id("events").keys() & new.by_id("events").keys()
    for tables, tell in _PARTS:
        if all(one.has(table) for one in (old, new) for table in tables):
            before, after = tell(old, called), tell(new, called)
            _compare(before, after, shared, found)
    if not (old.has("results") and new.has("results")):
        _compare(_rated(old, called), _rated(new, called), shared, found)
    for (event, _), fields in citations(old, new).items():
        if event in shared:
            found[event] += fields
    return {event: tuple(fields) for event, fields in found.items()}


def citations(old: Edition, new: Edition) -> dict[tuple[str, str], list[FieldEdit]]:
    """Return what changed of the sources of each event and, under an empty event, player."""
    if not (old.has("citations") and new.has("citations")):
        return {}
    before, after = _cited(old), _cited(new)
    found: dict[tuple[str, str], list[FieldEdit]] = {}
    for key in sorted(before.keys() | after.keys()):
        gone, come = before[key] - after[key], after[key] - before[key]
        fields = [FieldEdit("source", text, "") for text in sorted(gone.elements())]
        fields += [FieldEdit("source", "", text) for text in sorted(come.elements())]
        if fields:
            found[key] = fields
    return found


def _compare(
    before: Words, after: Words, shared: Iterable[str], found: dict[str, list[FieldEdit]]
) -> None:
    keys = sorted(before.keys() | after.keys())
    events = set(shared)
    for key in keys:
        was, now = "; ".join(before.get(key, [])), "; ".join(after.get(key, []))
        if key[0] in events and was != now:
            found[key[0]].append(FieldEdit(key[1], was, now))


def _called(old: Edition, new: Edition) -> dict[str, str]:
    rows = {**old.by_id("players"), **new.by_id("players")}
    return {id_: row.get("name") or id_ for id_, row in rows.items()}


def _participants(edition: Edition, called: Mapping[str, str]) -> Words:
    """Return who took part; of the order nothing is said, since many files have none."""
    words: Words = {}
    for row in edition.rows("participants"):
        name = called.get(row["player"], row["player"])
        words[row["event"], f"player {name}"] = ["takes part"]
        said = {
            "class": row.get("class", ""),
            "withdrew": row.get("withdrew", ""),
            "total": " of ".join(
                filter(None, (_points(row, "total"), _points(row, "total_games")))
            ),
            "note on the total": row.get("total_note", ""),
        }
        for what, text in said.items():
            if text:
                words[row["event"], f"{what} of {name}"] = [text]
    return words


def _points(row: Row, column: str) -> str:
    text = row.get(column, "")
    return formats.score(float(text)) if text else ""


def _rounds(edition: Edition, called: Mapping[str, str]) -> Words:
    words: Words = {}
    for row in edition.rows("rounds"):
        teams = " – ".join(filter(None, (row.get("team_a"), row.get("team_b"))))
        parts = [part for part in (row["name"], teams, row.get("note")) if part]
        words[row["event"], f"round {row['number']}"] = [", ".join(parts)]
    events = {row["id"]: row for row in edition.rows("rounds")}
    for row in edition.rows("byes"):
        if row["round"] in events:
            event, number = events[row["round"]]["event"], events[row["round"]]["number"]
            name = called.get(row["player"], row["player"])
            words.setdefault((event, f"byes in round {number}"), []).append(name)
    return words


def _open_pairs(edition: Edition, called: Mapping[str, str]) -> Words:
    words: Words = {}
    for row in edition.rows("open_pairs"):
        pair = sorted((row["player_a"], row["player_b"]))
        what = f"{_pair(pair, called)}, games without a result"
        words.setdefault((row["event"], what), []).append(row["state"])
    return words


def _pair(pair: Iterable[str], called: Mapping[str, str]) -> str:
    return " – ".join(called.get(player, player) for player in pair)


def _results(edition: Edition, called: Mapping[str, str]) -> Words:
    """Return what is said of each pair, from the side of the one whose id comes first."""
    rounds = {row["id"]: row.get("name", "") for row in edition.rows("rounds")}
    years = {id_: row.get("year", "") for id_, row in edition.by_id("events").items()}
    sequences = _sequences(edition)
    words: Words = {}
    for row in edition.rows("results"):
        pair = sorted((row["player_a"], row["player_b"]))
        turned = pair[0] != row["player_a"]
        points = [float(row[name]) for name in ("points_a", "points_b")]
        said = [formats.result(*(points[::-1] if turned else points))]
        if row.get("id") in sequences:
            said.append(f"({_sequence(sequences[row['id']], turned)})")
        said += _said(row, called)
        if row.get("year") not in (None, years.get(row["event"])):
            said.append(f"in {row['year']}")
        if row.get("round"):
            said.append(f"in {rounds.get(row['round'], row['round'])}")
        words.setdefault((row["event"], _pair(pair, called)), []).append(" ".join(said))
    return words


def _said(row: Row, called: Mapping[str, str]) -> Iterator[str]:
    for column in SAID:
        if row.get(column):
            text = row[column]
            if column == "odds":
                giver = row.get("odds_giver", "")
                text = f"{text} given by {called.get(giver, giver)}"
            yield f"[{column.replace('_', ' ')}: {text}]"


def _sequences(edition: Edition) -> dict[str, list[tuple[str, str]]]:
    """Return the games of each result in order: mark and colour of the first player."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in edition.rows("games"):
        mark = MARKS.get(row.get("outcome_a", ""), "?")
        found[row["result"]].append((mark, row.get("colour_a", "")[:1]))
    return found


def _sequence(games: Iterable[tuple[str, str]], turned: bool) -> str:
    if not turned:
        return " ".join(mark + colour for mark, colour in games)
    other = {"w": "b", "b": "w", "": ""}
    return " ".join(mark.translate(TURNED) + other.get(colour, "") for mark, colour in games)


def _rated(edition: Edition, called: Mapping[str, str]) -> Words:
    """Return what of each pair was rated, for editions that do not tell what was written."""
    words: Words = {}
    for one in edition.rated_pairings():
        first, second = one.first.player, one.second.player
        score = one.score if first < second else one.games - one.score
        key = (one.event, f"{_pair(sorted((first, second)), called)}, as rated")
        text = f"{formats.fixed(score, 2)} of {formats.counted(one.games, 'game')}"
        words.setdefault(key, []).append(text)
    return words


def _cited(edition: Edition) -> defaultdict[tuple[str, str], Counter[str]]:
    titles = {id_: row.get("title", id_) for id_, row in edition.by_id("sources").items()}
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in edition.rows("citations"):
        event = row.get("event", "")
        text = titles.get(row["source"], row["source"])
        where = row.get("locator", "")
        key = (event, "" if event else row.get("player", ""))
        found[key][f"{text}, {where}" if where else text] += 1
    return found


_PARTS: tuple[tuple[tuple[str, ...], Callable[[Edition, Mapping[str, str]], Words]], ...] = (
    (("participants",), _participants),
    (("rounds",), _rounds),
    (("open_pairs",), _open_pairs),
    (("results", "games", "rounds"), _results),
)
"""What is compared inside of events, each with the tables that both editions must have for it."""
