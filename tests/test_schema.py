"""The JSON Schemas take what the reader takes, however YAML tools see it, and refuse the rest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from edo.history import schema
from edo.history.fields import EVENT, RECORDS, REGISTRIES, Group, Registry, Several
from edo.history.schema import event_schema, registry_schema

TESTS = Path(__file__).parent
REAL = TESTS.parent / "events"
BAD = TESTS / "broken" / "events"


class Core(yaml.SafeLoader):
    """Reads scalars as YAML 1.2 tools do: dates and `10:5` stay text, numbers do not."""


Core.yaml_implicit_resolvers = {}
for _tag, _rule, _first in (
    ("bool", "true|false", "tf"),
    ("int", "[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?[0-9]*\.[0-9]+", "-+.0123456789"),
):
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^({_rule})$"), _first)


def load(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Core)


def test_the_schemas_are_schemas() -> None:
    for made in (event_schema(), *map(registry_schema, REGISTRIES)):
        Draft202012Validator.check_schema(made)


@pytest.mark.parametrize("seen_as", [Core, yaml.BaseLoader], ids=["typed", "text"])
def test_every_example_fits_its_field(seen_as: Any) -> None:
    def check(group: Group) -> None:
        for field in group.fields:
            assert field.doc.endswith(".")
            text = field.example
            value = text if "\n" in text else yaml.load(text, seen_as)
            schema = next(s for s in properties(group) if s[0] == field.name)[1]
            problems = [e.message for e in Draft202012Validator(schema).iter_errors(value)]
            assert problems == [], (group.name, field.name)
            inner = field.type.item if isinstance(field.type, Several) else field.type
            if isinstance(inner, Group):
                check(inner)

    for group in (EVENT, *RECORDS.values()):
        check(group)


def properties(group: Group) -> list[tuple[str, Any]]:
    from edo.history.schema import _group

    return list(_group(group)["properties"].items())


@pytest.mark.parametrize(
    "name",
    [
        "unknown-key",
        "unknown-key-in-pairing",
        "missing-name",
        "missing-sources",
        "empty-sources",
        "source-without-id",
        "unknown-kind",
        "year-in-words",
        "date-in-words",
        "score-with-colon",
        "score-and-games",
        "neither-score-nor-games",
        "games-not-marks",
        "games-as-list",
        "odds-without-giver",
        "odds-as-text",
        "three-players-in-a-pairing",
        "round-without-pairings",
        "games-per-pair-fraction",
        "published-total-without-note",
        "table-and-pairings",
        "list-for-a-name",
        "text-for-a-list",
        "text-for-a-pairing",
        "remark-game-zero",
        "rest-misspelt",
        "proportion-in-words",
        "score-and-proportion",
    ],
)
def test_the_event_schema_refuses(name: str) -> None:
    assert not Draft202012Validator(event_schema()).is_valid(load(BAD / f"{name}.yaml"))


@pytest.mark.parametrize("name", ["mirror-cells-disagree", "row-total-wrong", "unknown-player"])
def test_what_only_the_reader_can_see_fits_the_schema(name: str) -> None:
    assert Draft202012Validator(event_schema()).is_valid(load(BAD / f"{name}.yaml"))


@pytest.mark.parametrize("seen_as", ["typed", "text"])
def test_real_event_files_fit(seen_as: str) -> None:
    validator = Draft202012Validator(event_schema())
    loader = Core if seen_as == "typed" else yaml.BaseLoader
    for path in sorted(REAL.glob("[12]*/*.yaml"))[::25]:
        errors = [e.message for e in validator.iter_errors(yaml.load(path.read_text(), loader))]
        assert errors == [], path


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("places", "places"),
        ("sources", "sources"),
        ("odds", "odds"),
        ("series", "series"),
        ("players", "players/a"),
    ],
)
def test_registries_fit_and_broken_ones_do_not(kind: Registry, name: str) -> None:
    validator = Draft202012Validator(registry_schema(kind))
    assert validator.is_valid(load(TESTS / "broken" / "registries" / f"{name}.yaml"))
    case = "players" if kind == "players" else "odds-places-sources"
    assert not validator.is_valid(load(TESTS / "broken" / "folders" / case / f"{name}.yaml"))


def test_the_written_schemas_are_those_of_the_fields() -> None:
    folder = Path(__file__).parent.parent / "edo" / "history" / "schemas"
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert written == schema.schemas(), "run `python -m edo schema`"
