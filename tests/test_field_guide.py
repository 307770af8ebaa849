"""The page of every field: it is the list, and each example on it is read by what reads files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml
from conftest import TEXTS

from edo.commands.check import check
from edo.core import yaml as yamlfile
from edo.core.model import Dataset
from edo.core.problems import InputError
from edo.history import field_guide
from edo.history import fields as declared
from edo.history.dataset import load
from edo.history.field_guide import SECTIONS, Section
from edo.history.fields import CITATION, EVENT, RECORDS, Field, Group, Scalar, Several

PAGE = (TEXTS / "fields.md").read_text()


def test_the_page_is_that_of_the_list():
    assert field_guide.guide() == PAGE, "run `python -m edo schema`"


def groups(group: Group) -> Iterator[Group]:
    yield group
    for field in group.fields:
        inner = field.type.item if isinstance(field.type, Several) else field.type
        if isinstance(inner, Group):
            yield from groups(inner)


def test_every_group_of_the_list_has_its_section_and_no_other():
    listed = {id(g) for top in (EVENT, *RECORDS.values()) for g in groups(top)}
    assert {id(section.group) for section in SECTIONS} == listed
    assert len(SECTIONS) == len(listed)


def parts() -> dict[str, list[tuple[str, str]]]:
    """Return the fields of each section as the page shows them: heading and example."""
    one = re.compile(r"<h3 id=\"[\w-]+\"><code>(\w+)</code></h3>.*?\n\n((?:    [^\n]+\n)+)", re.S)
    sections = re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", PAGE, re.M)
    return {title: one.findall(text) for title, text in sections}


SHOWN = parts()


def test_every_field_has_its_heading_and_nothing_else_has():
    for section in SECTIONS:
        shown = [name for name, _ in SHOWN[section.title]]
        assert shown == [field.name for field in section.group.fields]
    assert set(SHOWN) - {section.title for section in SECTIONS} == {"How values are written"}


def test_all_anchors_differ_and_all_links_lead_to_one():
    anchors = re.findall(r'<h3 id="([^"]+)"', PAGE)
    anchors += [re.sub(r"\W+", "-", title.lower()) for title in SHOWN]
    assert len(set(anchors)) == len(anchors)
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= set(anchors)
    assert {"field-dates", "field-player-born", "field-pairing-games-taken"} <= set(anchors)


# What an example needs beside the smallest record, where it cannot be read in that alone; a dash
# takes a field away.
BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("", "completeness"): {"missing": "a round"},
    ("", "missing"): {"completeness": "unverified"},
    ("", "players"): {"pairings": [{"players": ["castle-hugo", "dunn-george"],
                                    "score": "4-3"}]},
    ("", "teams"): {"kind": "team match"},
    ("", "crosstable"): {"pairings": "-"},
    ("", "rounds"): {"pairings": "-"},
    ("", "totals"): {"pairings": "-", "games_per_pair": "11"},
    ("", "decided_by"): {"winner": "castle-hugo"},
    ("", "rest"): {"pairings": "-", "completeness": "incomplete", "missing": "a cell",
                   "games_per_pair": "1",
                   "crosstable": "castle-hugo . 1 ? | 1\nbird-henry 0 . ? | 1\n"
                                 "owen-john ? ? . | 1"},
    ("", "withdrew"): {"pairings": "-", "completeness": "incomplete", "missing": "whom he met",
                       "games_per_pair": "1", "rest": "best guess",
                       "totals": "bird-henry 2/2\nowen-john 1/2\nskipworth-arthur 0/0"},
    ("", "players_in_all"): {"pairings": "-", "completeness": "incomplete", "missing": "totals",
                             "games_per_pair": "1", "totals": "bird-henry 9\nowen-john 7½"},
    ("", "classes"): {"pairings": [{"players": ["bird-henry", "owen-john"], "score": "1-0"}]},
    ("", "class_odds"): {"pairings": [{"players": ["bird-henry", "owen-john"], "score": "1-0"},
                                      {"players": ["ware-preston", "owen-john"], "score": "1-0"}],
                         "classes": [{"name": "First class", "players": ["bird-henry"]},
                                     {"name": "Second class", "players": ["owen-john"]},
                                     {"name": "Third class", "players": ["ware-preston"]}]},
    ("", "published_totals"): {"pairings": [{"players": ["bird-henry", "owen-john"],
                                             "score": "8-3"}]},
    ("", "remarks"): {"pairings": [{"players": ["ware-preston", "grundy-james"], "games": "10"}]},
    ("pairing", "games"): {"score": "-"},
    ("pairing", "proportion"): {"score": "-", "games_taken": "6", "soft": "a newspaper"},
    ("pairing", "games_taken"): {"score": "-", "proportion": "400/600", "soft": "a newspaper"},
    ("pairing", "split"): {"score": "30-20"},
    ("pairing", "players"): {},
    ("remark", "odds"): {"players": ["byrd-lucy", "owen-john"]},
    ("remark", "default"): {"games": "1-"},
    ("odds", "unrated"): {"points": "-"},
}  # fmt: skip
PLAIN = yaml.BaseLoader


def fields(text: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(dedent(text), PLAIN)
    return found


def smallest(title: str) -> dict[str, Any]:
    """Return the first example of a section."""
    found = re.search(
        rf"^## {title}\n.*?The smallest one:\n\n((?:    [^\n]+\n)+)", PAGE, re.M | re.S
    )
    assert found
    return fields(found[1])


def with_beside(record: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in {**record, **more}.items() if value != "-"}


def in_event(section: Section, record: dict[str, Any]) -> dict[str, Any]:
    """Return an event file that holds the record where its section says."""
    event = {**smallest("Events"), "year": "1892"}
    games = {"players": ["bird-henry", "owen-john"], "score": "1-0"}
    if section.word == "":
        return {**event, "year": record.get("year", "1851")}
    if section.word == "pairing":
        return event | {"pairings": [record]}
    if section.word == "round":
        return event | {"rounds": [record], "kind": "team match", "pairings": "-"}
    if section.word == "team":
        other = {"name": "Shelbyville", "players": ["byrd-lucy"]}
        results = [{"players": [player, "byrd-lucy"], "score": "2½-1½"}
                   for player in ("castle-hugo", "dunn-george", "eames-walter")]  # fmt: skip
        return event | {"kind": "team match", "teams": [record, other], "pairings": results}
    if section.word == "class":
        return event | {"classes": [record], "pairings": [games]}
    if section.word == "published-total":
        return event | {"published_totals": [record], "pairings": [games]}
    if section.word == "remark":
        marks = record.pop("games", "10")
        return event | {"remarks": [record],
                        "pairings": [{"players": record["players"], "games": marks}]}  # fmt: skip
    if section.word == "odds-given":
        return event | {"pairings": [{"players": ["byrd-lucy", "owen-john"],
                                      "score": "3-1", "odds": record}]}  # fmt: skip
    if section.word == "acknowledged":
        return event | {"acknowledged": [record]}
    assert section.group is CITATION
    return event | {"sources": [record]}


IDS = {
    "players": ["castle-hugo", "bird-henry", "grundy-james", "byrd-lucy",
                "eames-walter", "owen-john", "skipworth-arthur", "byrd-lucy",
                "ware-preston", "dunn-george"],
    "places": ["springfield"], "series": ["springfield-congress"], "odds": [],
    "sources": ["field-1883", "gaige-1987", "gazette-1852"],
}  # fmt: skip
NAMED = {"sources": "title"}


def registries() -> dict[str, dict[str, Any]]:
    made = {kind: {id_: {NAMED.get(kind, "name"): id_} for id_ in ids} for kind, ids in IDS.items()}
    odds = {"pawn-and-two-moves": "219", "pawn-and-move": "163"}
    return made | {"odds": {id_: {"name": id_, "points": worth} for id_, worth in odds.items()}}


def read(folder: Path, event: dict[str, Any], ids: dict[str, dict[str, Any]]) -> Dataset:
    """Write a history of one event and read it as builds do."""
    (folder / "players").mkdir(parents=True)
    for kind in ("places", "series", "sources", "odds"):
        (folder / f"{kind}.yaml").write_text(yamlfile.dump(ids[kind]))
    for letter in {id_[0] for id_ in ids["players"]}:
        of_letter = {id_: entry for id_, entry in ids["players"].items() if id_[0] == letter}
        (folder / f"players/{letter}.yaml").write_text(yamlfile.dump(of_letter))
    (folder / event["year"]).mkdir()
    (folder / event["year"] / "the-sample.yaml").write_text(yamlfile.dump(with_beside(event, {})))
    return load(folder)


def history(section: Section, record: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Return event and registries that hold the record where its section says."""
    if section.word == "coordinates":
        place = {"springfield": {"name": "London", "coordinates": record}}
        return smallest("Events"), registries() | {"places": place}
    if section.entry is None:
        event = record if section.word == "" else in_event(section, record)
        return event, registries()
    kind = next(kind for kind, group in RECORDS.items() if group is section.group)
    ids = registries()
    ids[kind] = {**ids[kind], section.entry: record}
    if record.get("offhand_of") == section.entry:  # the page shows it for an identity of its own
        ids[kind] = {**registries()[kind], f"{section.entry}-offhand": record}
    return smallest("Events"), ids


CASES = [
    (section, field, example)
    for section in SECTIONS
    for field, (_, example) in zip(section.group.fields, SHOWN[section.title], strict=True)
]


def names(value: Any) -> str:
    return value.word if isinstance(value, Section) else getattr(value, "name", "")


@pytest.mark.parametrize(("section", "field", "example"), CASES, ids=names)
def test_every_example_is_read_in_a_whole_history(
    section: Section, field: Field, example: str, tmp_path: Path
):
    base = smallest(section.title)
    record = base[section.entry] if section.entry else base
    more = BESIDE.get((section.word, field.name), {})
    record = with_beside(record, {**more, **fields(example)})
    if section.word == "" and field.name == "dates":
        assert record["year"] == "1851"
    read(tmp_path / "events", *history(section, record))


@pytest.mark.parametrize(("section", "field", "example"), CASES, ids=names)
def test_a_field_that_needs_others_says_so(
    section: Section, field: Field, example: str, tmp_path: Path
):
    """Without what stands beside it an example is refused: then the page names what it needs."""
    base = smallest(section.title)
    record = with_beside(base[section.entry] if section.entry else base, fields(example))
    try:
        read(tmp_path / "events", *history(section, record))
    except InputError:
        group = section.group
        excludes = field.name in (*group.exactly_one, *group.at_most_one)
        about_others = field.name in ("remarks", "published_totals")  # of results that are here
        assert field.when or excludes or about_others
    else:
        assert (section.word, field.name) not in BESIDE or BESIDE[section.word, field.name] == {}


@pytest.mark.parametrize("section", SECTIONS, ids=names)
def test_the_smallest_is_read_and_is_the_smallest(section: Section, tmp_path: Path):
    base = smallest(section.title)
    record = base[section.entry] if section.entry else base
    read(tmp_path / "whole", *history(section, dict(record)))
    for name in record:
        less = {key: value for key, value in record.items() if key != name}
        with pytest.raises((InputError, KeyError)):
            read(tmp_path / name, *history(section, less))


TYPES = [
    one
    for one in vars(declared).values()
    if isinstance(one, Scalar) and one.convert.__module__.endswith((".dates", ".notation"))
]


@pytest.mark.parametrize("type_", TYPES, ids=names)
def test_what_is_said_of_dates_and_scores_is_taken(type_: Scalar):
    """Every form that the page shows of dates, scores, games and proportions is one."""
    shown = [form for form in re.findall(r"`([^`]+)`", type_.how) if form not in "~/wb"]
    assert shown
    for form in shown:
        type_.convert(form)


def test_the_check_names_the_page_once_where_something_is_wrong(tmp_path: Path, capsys):
    whole = tmp_path / "whole"
    read(whole, smallest("Events"), registries())
    assert check(whole) == 0
    assert "templates/texts/fields.md" not in capsys.readouterr().out
    (whole / "1851/the-sample.yaml").write_text("name: Springfield 1851\n")
    assert check(whole) == 1
    told = capsys.readouterr().out
    assert told.count("templates/texts/fields.md") == 1
    assert told.endswith("What each field takes, with an example: templates/texts/fields.md\n")
    assert (TEXTS / "fields.md").exists()
