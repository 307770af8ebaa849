"""JSON Schemas of event files and registries, for completion and checks in editors' tools.

They describe single fields; contradictions between fields are found by the reader only. Other YAML
tools see numbers and booleans where this program sees text, so the types allow them.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

from edo.history.fields import EVENT, RECORDS, Field, Group, Keyed, Registry, Scalar, Several
from edo.history.values import ID_PATTERN, MAX_ID

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]


def event_schema() -> Schema:
    """Return the schema of an event file."""
    return {"$schema": DIALECT, "title": "Event file", **_group(EVENT)}


def registry_schema(kind: Registry) -> Schema:
    """Return the schema of a registry file: records by id."""
    return {
        "$schema": DIALECT,
        "title": f"Registry of {kind}",
        "type": "object",
        "propertyNames": {"pattern": f"^({ID_PATTERN})$", "maxLength": MAX_ID},
        "additionalProperties": _group(RECORDS[kind]),
    }


def schemas() -> dict[str, str]:
    """Return the text of every schema, by the name of its file."""
    made = {"event": event_schema()} | {kind: registry_schema(kind) for kind in RECORDS}
    return {
        f"{name}.schema.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in made.items()
    }


def _group(group: Group) -> Schema:
    schema: Schema = {
        "type": "object",
        "properties": {field.name: _field(field) for field in group.fields},
        "required": [field.name for field in group.fields if field.required],
        "additionalProperties": False,
    }
    if group.exactly_one:
        schema["oneOf"] = [{"required": [name]} for name in group.exactly_one]
    if group.at_most_one:
        pairs = combinations(group.at_most_one, 2)
        schema["allOf"] = [{"not": {"required": list(pair)}} for pair in pairs]
    return schema


def _field(field: Field) -> Schema:
    description = f"{field.doc} {field.when}".strip()
    default = {"default": field.default} if field.default else {}
    return {**_type(field.type), "description": description, **default, "examples": [field.example]}


def _type(type_: Scalar | Several | Keyed | Group) -> Schema:
    if isinstance(type_, Group):
        return _group(type_)
    if isinstance(type_, Keyed):
        pattern = type_.key.pattern
        keys = {} if pattern is None else {"propertyNames": {"pattern": f"^({pattern})$"}}
        values = {"additionalProperties": _scalar(type_.value), "minProperties": 1}
        return {"type": "object", **keys, **values}
    if isinstance(type_, Several):
        schema: Schema = {"type": "array", "items": _type(type_.item), "minItems": 1}
        if type_.length is not None:
            schema |= {"minItems": type_.length, "maxItems": type_.length}
        return schema
    return _scalar(type_)


def _scalar(type_: Scalar) -> Schema:
    if type_.choices:
        return {"enum": list(type_.choices)}
    types = type_.json_types
    pattern = {"pattern": f"^({type_.pattern})$"} if type_.pattern is not None else {}
    minimum = {"minimum": type_.minimum} if type_.minimum is not None else {}
    return {"type": types[0] if len(types) == 1 else list(types), **pattern, **minimum}
