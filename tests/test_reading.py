"""Event files and registries become the records that they state."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT

from edo.core import yaml
from edo.core.model import (
    Citation,
    Dataset,
    DateSpan,
    Event,
    Mark,
    Odds,
    OddsKind,
    PartialDate,
    Player,
    Result,
    Round,
    Series,
    Team,
    Total,
)
from edo.core.problems import InputError, Problem
from edo.history import dataset
from edo.history.events import event_of
from edo.history.fields import EVENT
from edo.history.reading import Known

REGISTRIES = Path(__file__).parent / "broken" / "registries"
A, B, K, S = "anderssen-adolf", "bird-henry", "kieseritzky-lionel", "staunton-howard"
HEAD = "name: London 1851\nkind: tournament\nyear: 1851\n"
TAIL = "sources: [{source: staunton-1852, where: pp. 1-20}]\n"

Read = Callable[..., Event]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copied = tmp_path / "events"
    shutil.copytree(REGISTRIES, copied)
    (copied / "1851").mkdir()
    return copied


@pytest.fixture
def read(folder: Path) -> Read:
    def reader(body: str, head: str = HEAD) -> Event:
        (folder / "1851" / "london-1851.yaml").write_text(head + body + TAIL, encoding="utf-8")
        return dataset.load(folder).events["london-1851"]

    return reader


def read_event(path: Path, shown_path: str, known: Known) -> tuple[Event | None, list[Problem]]:
    return event_of(yaml.read(path, shown_path), path, shown_path, known)


def scores(event: Event) -> list[tuple[str, str, float, float, float]]:
    return [(r.first, r.second, r.points_first, r.points_second, r.games) for r in event.results]


def test_the_head_of_an_event(read: Read) -> None:
    event = read(
        f"format: Knock-out\ncompleteness: incomplete\nmissing: the third round\nunrated: a trial\n"
        f"players: [{A}, {S}]\nnotes: |\n  First line.\n\n  Second line.\n",
        HEAD + "series: london-congress\nplace: london\ndates: 1850-12/1851-07-21~\n",
    )
    assert event.series == "london-congress"
    assert (event.id, event.path) == ("london-1851", "events/1851/london-1851.yaml")
    assert (event.name, event.kind, event.year, event.place) == (
        "London 1851",
        "tournament",
        1851,
        "london",
    )
    assert event.dates == DateSpan(PartialDate(1850, 12), PartialDate(1851, 7, 21, True))
    assert (event.format, event.unrated) == ("Knock-out", "a trial")
    assert (event.completeness, event.missing) == ("incomplete", "the third round")
    assert event.players == (A, S)
    assert event.results == event.totals == event.rounds == ()
    assert event.notes == "First line.\n\nSecond line."
    assert event.sources == (Citation("staunton-1852", "pp. 1-20"),)
    assert event.lines["players"] == 11


def test_a_crosstable_becomes_results_row_by_row(read: Read) -> None:
    event = read(
        f"crosstable: |\n  {K}  .     1w0b  =  | 1½\n  {A}  0b1w  .     _  | 1\n  {S}  =  _  .\n"
    )
    assert event.has_crosstable
    assert event.players == (K, A, S)
    assert scores(event) == [(K, A, 1, 1, 2), (K, S, 0.5, 0.5, 1)]
    assert event.results[0] == Result(
        K, A, 1.0, 1.0, 2.0, marks=(Mark("1", "w"), Mark("0", "b")), number=1, line=5
    )
    assert event.not_played == {frozenset((A, S))}
    assert event.unknown_games == frozenset()
    assert event.totals == (Total(K, 1.5, line=5), Total(A, 1.0, line=6))


def test_unknown_games(read: Read) -> None:
    event = read(
        f"completeness: incomplete\nmissing: some games\n"
        f"crosstable: |\n  {K}  .  1?  =  | 3\n  {A}  0?  .  ?  | 1\n  {S}  =  ?  .\n"
    )
    assert scores(event) == [(K, A, 1, 0, 1), (K, S, 0.5, 0.5, 1)]
    assert event.unknown_games == {frozenset((A, K)), frozenset((A, S))}
    assert event.not_played == frozenset()


def test_defaults_are_results_of_their_own(read: Read) -> None:
    event = read(f"crosstable: |\n  {K}  .  1+0-  -\n  {A}  0-1+  .  1\n  {S}  -  0  .\n")
    assert scores(event) == [
        (K, A, 1, 0, 1),
        (K, A, 1, 0, 1),
        (K, A, 0, 1, 1),
        (K, A, 0, 1, 1),
        (K, S, 0, 0, 1),
        (A, S, 1, 0, 1),
    ]
    assert [r.number for r in event.results] == [1, 2, 3, 4, 1, 1]
    assert [r.marks[0].value for r in event.results[:4]] == ["1", "+", "0", "-"]
    assert [r.default for r in event.results[:4]] == [None, "won by default"] * 2
    both = event.results[4]
    assert (both.default, both.marks) == ("lost by default by both", (Mark("-"),))


def test_a_remark_splits_off_its_game(read: Read) -> None:
    event = read(
        f"crosstable: |\n  {K}  .  1=0+\n  {A}  0=1-  .\nremarks:\n"
        f"- {{players: [{A}, {K}], game: 3, unrated: fixed, note: See below.}}\n"
        f"- {{players: [{A}, {K}], note: Both., sources: [{{source: staunton-1852}}]}}\n"
        f"- {{players: [{A}, {K}], game: 4, default: ill}}\n"
    )
    assert [(r.number, r.games, r.note, r.unrated, r.default) for r in event.results] == [
        (1, 2.0, "Both.", None, None),
        (3, 1.0, "See below.", "fixed", None),
        (4, 1.0, "Both.", None, "ill"),
    ]
    assert {r.sources for r in event.results} == {(Citation("staunton-1852"),)}


def test_pairings(read: Read) -> None:
    event = read(
        f"pairings:\n- {{players: [{A}, {S}], score: +7 -2 =2, soft: a letter}}\n"
        f"- {{players: [{S}, {A}], games: 1w 0b = +, note: N., default: ill}}\n"
        f"- {{players: [{A}, {B}], score: 67.9-13.1, soft: a ratio}}\n"
        f"- {{players: [{A}, {B}], score: 2-0, default: absent}}\n"
        f"- {{players: [{A}, {B}], score: 0-2, default: absent}}\n"
        f"- {{players: [{A}, {B}], score: 0-0, default: nobody came}}\n"
    )
    assert event.players == (A, S, B)
    assert not event.has_crosstable
    assert scores(event) == [
        (A, S, 8, 3, 11),
        (S, A, 1.5, 1.5, 3),
        (S, A, 1, 0, 1),
        (A, B, 67.9, 13.1, pytest.approx(81)),
        (A, B, 2, 0, 2),
        (A, B, 0, 2, 2),
        (A, B, 0, 0, 1),
    ]
    defaults = [None, None, "ill", None, "absent", "absent", "nobody came"]
    assert [r.default for r in event.results] == defaults
    assert [r.soft for r in event.results] == ["a letter", None, None, "a ratio", *[None] * 3]
    assert [r.note for r in event.results[1:3]] == ["N.", "N."]
    assert [r.number for r in event.results] == [None, 1, 4, *[None] * 4]
    assert [r.line for r in event.results] == [5, 6, 6, 7, 8, 9, 10]


def test_odds_and_odds_that_are_not_rated(read: Read) -> None:
    event = read(
        f"pairings:\n"
        f"- {{players: [{A}, {S}], score: 1-0, odds: {{giver: {S}, kind: pawn-and-two-moves}}}}\n"
        f"- {{players: [{A}, {S}], score: 1-0, odds: {{giver: {S}, kind: game-of-pawns}}}}\n"
        f"- players: [{A}, {S}]\n  score: 1-0\n  unrated: own reason\n"
        f"  odds: {{giver: {S}, kind: game-of-pawns}}\n"
    )
    assert [r.odds for r in event.results] == [
        Odds(S, "pawn-and-two-moves"),
        Odds(S, "game-of-pawns"),
        Odds(S, "game-of-pawns"),
    ]
    assert [r.unrated for r in event.results] == [None, "another game than chess", "own reason"]


def test_teams_and_rounds_of_a_team_match(read: Read) -> None:
    event = read(
        f"teams:\n- {{name: London, players: [{S}], points: 1½}}\n"
        f"- {{name: Paris, players: [{K}]}}\n"
        f"rounds:\n- name: First\n  note: At noon.\n  pairings:\n"
        f"  - {{players: [{S}, {K}], games: 1}}\n- name: Second\n"
        f"  pairings:\n  - {{players: [{K}, {S}], games: 1=}}\n",
        HEAD.replace("tournament", "team match"),
    )
    assert event.teams == (Team("London", (S,), 1.5), Team("Paris", (K,)))
    assert event.rounds == (Round("First", "At noon."), Round("Second"))
    assert [(r.first, r.round, r.points_first) for r in event.results] == [(S, 0, 1.0), (K, 1, 1.5)]


def test_totals_alone(read: Read) -> None:
    event = read(f"games_per_pair: 2\ntotals: |\n  {S}  3½/4\n  {A}  2\n  {K}  ½\n")
    assert event.games_per_pair == 2
    assert event.totals == (
        Total(S, 3.5, 4.0, line=6),
        Total(A, 2.0, line=7),
        Total(K, 0.5, line=8),
    )
    assert event.players == (S, A, K)
    assert event.results == ()


def test_totals_beside_pairings_give_the_order(read: Read) -> None:
    event = read(
        f"completeness: incomplete\nmissing: most games\npairings:\n"
        f"- {{players: [{A}, {S}], score: 1-0}}\n- {{players: [{B}, {A}], score: 1-0}}\n"
        f"totals: |\n  {S}  5/8\n  {A}  4/8\n"
    )
    assert event.players == (S, A, B)
    assert [(t.player, t.points, t.games) for t in event.totals] == [(S, 5.0, 8.0), (A, 4.0, 8.0)]


def test_published_totals_win(read: Read) -> None:
    event = read(
        f"crosstable: |\n  {K}  .  1=  | 1½\n  {A}  0=  .  | ½\npublished_totals:\n"
        f"- player: {K}\n  total: 1\n  note: Draws not counted.\n"
        "  sources: [{source: staunton-1852}]\n"
    )
    assert event.totals == (
        Total(K, 1.0, note="Draws not counted.", sources=(Citation("staunton-1852"),), line=8),
        Total(A, 0.5, line=6),
    )


def test_registries_become_records(folder: Path) -> None:
    (folder / "players" / "m.yaml").write_text(
        "menchik-vera:\n  name: Menchik, Vera\n  born: 1906-02-16\n  died: 1944~\n"
        '  country: RUS/CZE/ENG\n  woman: true\n  spellings: ["Menčík, Věra", "Menchik, V."]\n'
        "  notes: Note.\n  sources: [{source: staunton-1852}]\n",
        encoding="utf-8",
    )
    loaded = dataset.load(folder)
    assert loaded.players["menchik-vera"] == Player(
        "menchik-vera",
        "Menchik, Vera",
        PartialDate(1906, 2, 16),
        PartialDate(1944, approximate=True),
        "RUS/CZE/ENG",
        True,
        ("Menčík, Věra", "Menchik, V."),
        None,
        "Note.",
        (Citation("staunton-1852"),),
        1,
    )
    assert loaded.players["anderssen-adolf-offhand"].offhand_of == A
    assert loaded.odds == {
        "game-of-pawns": OddsKind(
            "game-of-pawns", "The game of pawns", unrated="another game than chess"
        ),
        "pawn-and-two-moves": OddsKind("pawn-and-two-moves", "Pawn and two moves", 219.0),
    }
    assert loaded.places["paris"].country == "FRA"
    assert loaded.sources["staunton-1852"].published == "London 1852"
    assert loaded.series == {
        "london-congress": Series("london-congress", "London Congress", "Of invention.")
    }


def test_scalars_are_what_the_editor_wrote(read: Read) -> None:
    event = read(
        f"format: off\nnotes: 012\nplayers: [{A}]\ncompleteness: unverified\nmissing: 1851-05-27\n"
    )
    assert (event.format, event.notes, event.missing) == ("off", "012", "1851-05-27")


def test_text_is_composed_and_trimmed(read: Read) -> None:
    event = read(
        f"pairings: [{{players: [{A}, {S}], score: 1-0}}]\n",
        HEAD.replace("London 1851", '"  Lo\\u0308ndon "'),
    )
    assert event.name == "Löndon"


def write_two(folder: Path, order: tuple[str, str]) -> Dataset:
    (folder / "1850").mkdir(exist_ok=True)
    text = HEAD + f"pairings: [{{players: [{A}, {S}], score: 1-0}}]\n" + TAIL
    for name in order:
        (folder / "1851" / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "1850" / "z.yaml").write_text(text.replace("year: 1851", "year: 1850"))
    return dataset.load(folder)


def test_the_dataset_is_sorted_whatever_the_order_of_the_files(tmp_path: Path) -> None:
    first, second = tmp_path / "one" / "events", tmp_path / "two" / "other"
    for folder in (first, second):
        shutil.copytree(REGISTRIES, folder)
        (folder / "1851").mkdir()
    one, two = write_two(first, ("a-cup", "b-cup")), write_two(second, ("b-cup", "a-cup"))
    assert one == two
    assert list(one.events) == list(two.events) == ["z", "a-cup", "b-cup"]
    assert list(one.players) == sorted(one.players)
    assert list(one.odds) == sorted(one.odds)


def test_the_order_in_which_the_disk_lists_files_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = write_two(folder, ("a-cup", "b-cup"))
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: sorted(listed(path), reverse=True))
    after = dataset.load(folder)
    assert after == before
    assert list(after.events) == list(before.events)


def test_the_dataset_cannot_be_changed(folder: Path) -> None:
    loaded = write_two(folder, ("a-cup", "b-cup"))
    for mapping in (
        loaded.events,
        loaded.players,
        loaded.places,
        loaded.sources,
        loaded.odds,
        loaded.series,
        loaded.events["z"].lines,
    ):
        with pytest.raises(TypeError):
            mapping["x"] = None  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        loaded.events["z"].year = 1  # type: ignore[misc]


def test_a_folder_that_cannot_be_read_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(InputError, match="the folder cannot be read"):
        dataset.load(folder)


def test_every_field_of_an_event_is_used() -> None:
    """A field in the list that no record takes would be lost in silence."""
    record = set(Event.__dataclass_fields__) | {
        "crosstable",
        "pairings",
        "published_totals",
        "remarks",
    }
    assert {field.name for field in EVENT.fields} <= record


def test_nesting_is_refused_before_it_takes_time(tmp_path: Path) -> None:
    """libyaml would take minutes over the rest of this file."""
    file = tmp_path / "deep.yaml"
    file.write_bytes(b"[" * 1_000_000)
    _, problems = read_event(file, "events/1851/deep.yaml", Known({}))
    assert str(problems[0]) == ("events/1851/deep.yaml:1: nested deeper than 12 levels; flatten it")


def test_every_real_event_file_is_read(real_dataset: Dataset) -> None:
    files = sorted(path.stem for path in (ROOT / "events").glob("[0-9]*/*.yaml"))
    assert sorted(real_dataset.events) == files


def test_files_read_in_parallel_are_those_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    serially = dataset.read_partially(MINISITE / "events")
    monkeypatch.setattr(dataset, "MANY", 1)
    monkeypatch.setattr(dataset, "PART", 3)
    monkeypatch.setattr(dataset.parallel, "worker_count", lambda *_: 2)
    assert dataset.read_partially(MINISITE / "events") == serially


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("1881/castle-byrd-1881.yaml", "+7 -2 =2", "+6 -3 =2"),
        ("places.yaml", "shelbyville:", "shelbytown:"),
        ("1884/byrd-dunn-1884.yaml", "byrd-lucy", "nobody"),
    ],
)
def test_files_that_did_not_change_need_no_second_reading(
    events: Path, monkeypatch: pytest.MonkeyPatch, path: str, old: str, new: str
) -> None:
    """An id that a registry has lost is missed in them nevertheless."""
    readings = dataset.Readings()
    first = dataset.read_partially(events, readings)
    text = (events / path).read_text()
    assert old in text
    (events / path).write_text(text.replace(old, new))
    changed = dataset.read_partially(events, readings)
    assert changed == dataset.read_partially(events) != first
    (events / path).write_text(text)
    assert dataset.read_partially(events, readings) == first
    parsed = []
    monkeypatch.setattr(dataset, "event_of", lambda *file: parsed.append(file))
    assert dataset.read_partially(events, readings) == first and not parsed
