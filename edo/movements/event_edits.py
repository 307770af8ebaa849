"""Two editions in; what changed inside of events that both have, in words, out by event.

Of results editors think pair by pair, so that is how they are told: the score and whatever is said
of it, from the side of the player whose id comes first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from edo import formats
from edo.movements.editions import Edition, Row

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
