"""The descriptor against what Data Package 2.0 and Table Schema ask, and against its own files."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import re
from typing import Any

import jsonschema
import minisite_data
import pytest

from edo.core.model import Source
from edo.export.files import Edition, File, descriptor
from edo.export.table import Table, flag, identifier, number, text

NAME = r"^[a-z0-9._-]+$"
SHAPE = {
    "type": "object",
    "required": ["$schema", "name", "title", "version", "licenses", "sources", "resources"],
    "properties": {
        "$schema": {"const": "https://datapackage.org/profiles/2.0/datapackage.json"},
        "name": {"pattern": NAME},
        "version": {"pattern": r"^\d+\.\d+\.\d+\+[0-9a-f]{12}$"},
        "homepage": {"pattern": "^https?://"},
        "licenses": {"type": "array", "minItems": 1, "items": {"required": ["name"]}},
        "sources": {"type": "array", "items": {"required": ["title"]}},
        "resources": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/resource"}},
    },
    "$defs": {
        "resource": {
            "required": ["name", "path", "format", "mediatype", "bytes", "hash"],
            "properties": {
                "name": {"pattern": NAME},
                "path": {"pattern": r"^[a-z0-9_]+\.(csv|sqlite)(\.gz)?$"},
                "compression": {"const": "gz"},
                "bytes": {"type": "integer", "minimum": 1},
                "hash": {"pattern": "^sha256:[0-9a-f]{64}$"},
                "schema": {"$ref": "#/$defs/schema"},
            },
            "if": {"properties": {"format": {"const": "csv"}}},
            "then": {"required": ["schema"], "properties": {"type": {"const": "table"}}},
        },
        "schema": {
            "required": ["fields", "missingValues"],
            "additionalProperties": False,
            "properties": {
                "fields": {"type": "array", "items": {"$ref": "#/$defs/field"}},
                "missingValues": {"const": [""]},
                "primaryKey": {"type": "array", "minItems": 1},
                "foreignKeys": {"type": "array", "minItems": 1},
            },
        },
        "field": {
            "required": ["name", "type", "description"],
            "properties": {"type": {"enum": ["string", "integer", "number", "boolean"]}},
        },
    },
}


@pytest.fixture(scope="module")
def package() -> dict[str, Any]:
    return json.loads(minisite_data.files()["datapackage.json"])


def test_descriptor_has_the_shape_of_the_standard(package: dict[str, Any]):
    jsonschema.validate(package, SHAPE)
    names = [resource["name"] for resource in package["resources"]]
    assert len(set(names)) == len(names)
    assert package["homepage"] == "https://example.org/chess/data/index.html"
    assert "created" not in package


def test_every_file_is_described_with_its_own_hash(package: dict[str, Any]):
    files = dict(minisite_data.files())
    del files["datapackage.json"]
    for resource in package["resources"]:
        content = files.pop(resource["path"])
        assert resource["bytes"] == len(content)
        assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    assert files == {}


def test_csv_files_obey_their_schemas(package: dict[str, Any]):
    tables = {r["name"]: r for r in package["resources"] if r["format"] == "csv"}
    rows = {name: cells(resource) for name, resource in tables.items()}
    for name, resource in tables.items():
        schema = resource["schema"]
        for field in schema["fields"]:
            for row in rows[name]:
                check(field, row[field["name"]])
        for key in [schema["primaryKey"]] if "primaryKey" in schema else []:
            assert len({tuple(row[k] for k in key) for row in rows[name]}) == len(rows[name])
        for key in schema.get("foreignKeys", []):
            to = key["reference"]
            known = {tuple(row[k] for k in to["fields"]) for row in rows[to["resource"] or name]}
            asked = {tuple(row[k] for k in key["fields"]) for row in rows[name]}
            assert {one for one in asked if any(one)} <= known, (name, key)


def cells(resource: dict[str, Any]) -> list[dict[str, str]]:
    packed = minisite_data.files()[resource["path"]]
    assert ("compression" in resource) is resource["path"].endswith(".gz")
    content = (gzip.decompress(packed) if "compression" in resource else packed).decode()
    rows = list(csv.DictReader(io.StringIO(content)))
    header = content.split("\n", 1)[0].split(",")
    assert header == [field["name"] for field in resource["schema"]["fields"]]
    return rows


def check(field: dict[str, Any], cell: str) -> None:
    limits = field.get("constraints", {})
    if cell == "":
        assert not limits.get("required"), field
        return
    if field["type"] == "boolean":
        assert cell in field["trueValues"]
    elif field["type"] == "integer":
        assert re.fullmatch(r"-?\d+", cell)
    elif field["type"] == "number":
        assert re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell)
    if "minimum" in limits:
        assert float(cell) >= limits["minimum"]
    if "maximum" in limits:
        assert float(cell) <= limits["maximum"]
    assert cell in limits.get("enum", [cell])
    assert "pattern" not in limits or re.fullmatch(limits["pattern"], cell)


PATTERN = {"pattern": "[a-z0-9]+(-[a-z0-9]+)*"}
FIELDS = [
    (identifier("id", "the id", required=True), "string",
     {"constraints": {"required": True, **PATTERN}}),
    (text("colour", "his colour", values=("white", "black")), "string",
     {"constraints": {"enum": ["white", "black"]}}),
    (number("value", "his value [points]", 1, least=0), "number", {"constraints": {"minimum": 0}}),
    (flag("mated", "yes, or empty"), "boolean", {"trueValues": ["yes"], "falseValues": ["no"]}),
    (identifier("heir", "the next", to="kings"), "string", {"constraints": PATTERN}),
]  # fmt: skip


def test_a_small_package_word_for_word():
    columns = tuple(column for column, _, _ in FIELDS)
    table = Table("kings", "Kings", "Every king.", columns, lambda _: (), key=("id",))
    file = File("kings.csv", b"id,colour,value,mated,heir\n", table)
    book = Source("book", "The Book", "Author, A.", "Ghent 1851", "https://example.org/book")
    package = json.loads(descriptor(Edition("Chess", "0" * 12, "1.0.0"), [book], [file], None))
    assert "homepage" not in package
    assert package["version"] == "1.0.0+000000000000"
    assert package["sources"] == [
        {"title": "Author, A.: The Book, Ghent 1851", "path": "https://example.org/book"}
    ]
    (resource,) = package["resources"]
    assert resource["name"] == "kings" and resource["bytes"] == 27
    assert resource["schema"] == {
        "fields": [
            {"name": column.name, "type": kind, "description": column.description, **more}
            for column, kind, more in FIELDS
        ],
        "missingValues": [""],
        "primaryKey": ["id"],
        "foreignKeys": [{"fields": ["heir"], "reference": {"resource": "", "fields": ["id"]}}],
    }
