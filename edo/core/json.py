"""JSON files of computed results, read and written as dataclasses; JSON within scripts and pages.

The files may have been edited or truncated, so every value is checked when they are read. This is
done by hand, as the standard library checks no types and a message must name file and place.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from edo.core import files
from edo.core.problems import EdoError

T = TypeVar("T")

DECIMALS = 6  # of every number, so that files do not depend on rounding errors of the machine


def dump(record: Any) -> bytes:
    """Return the JSON file of a dataclass of numbers, texts, tuples and other such dataclasses."""
    text = json.dumps(rounded(asdict(record)), indent=1, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode()


def load(path: Path, kind: type[T], hint: str) -> T:
    """Read a file that `dump` wrote. Raises EdoError with file, message and hint if invalid."""
    try:
        data = json.loads(files.read_text(path), parse_constant=_refuse_constant)
        record: T = _read(kind, data, "the file")
    # RecursionError: nested too deep; OverflowError: a number too large for a float
    except (ValueError, RecursionError, OverflowError) as error:
        raise EdoError(f"{path}: {error}; {hint}") from error
    return record


def rounded(value: Any, decimals: int = DECIMALS) -> Any:
    """Return nested dicts and lists with every float rounded, and no negative zero."""
    if isinstance(value, dict):
        return {key: rounded(part, decimals) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part, decimals) for part in value]
    return round(value, decimals) + 0.0 if isinstance(value, float) else value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _read(kind: Any, data: object, place: str) -> Any:
    """Return `data` as a value of type `kind`; raises ValueError with the place if it is none."""
    if is_dataclass(kind):
        return _read_record(kind, data, place)
    if get_origin(kind) is tuple:
        if not isinstance(data, list):
            raise ValueError(f"{place} is not a list")
        kinds = get_args(kind)
        if kinds[-1] is Ellipsis:
            kinds = kinds[:1] * len(data)
        elif len(kinds) != len(data):
            raise ValueError(f"{place} has {len(data)} parts, not {len(kinds)}")
        parts = enumerate(zip(kinds, data, strict=True))
        return tuple(_read(inner, part, f"{place}[{n}]") for n, (inner, part) in parts)
    if get_origin(kind) is UnionType:  # a value or None
        return None if data is None else _read(get_args(kind)[0], data, place)
    if kind is float and isinstance(data, int | float) and not isinstance(data, bool):
        if math.isfinite(data):
            return float(data)
    elif isinstance(data, kind) and isinstance(data, bool) == (kind is bool):
        return data
    raise ValueError(f"{place} is not {_TYPE_NAMES[kind]}")


_TYPE_NAMES = {float: "a number", int: "a whole number", str: "a text", bool: "true or false"}


def _read_record(kind: Any, data: object, place: str) -> Any:
    if not isinstance(data, Mapping):
        raise ValueError(f"{place} is not an object")
    names = [field.name for field in fields(kind)]
    for name in names:
        if name not in data:
            raise ValueError(f"{place} has no {name!r}")
    for name in data:
        if name not in names:
            raise ValueError(f"{place} has an unknown {name!r}")
    hints = _type_hints(kind)
    return kind(**{name: _read(hints[name], data[name], name) for name in names})


_type_hints = cache(get_type_hints)  # a file has hundreds of records of a kind


# Line separators, which end a line of JavaScript within a string, and unpaired surrogates.
_UNSAFE = re.compile("[\u2028\u2029\ud800-\udfff]")
_HTML = re.compile("[<>&]")


def in_script(value: object) -> str:
    """Return the value as JSON that is safe in a JavaScript file."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", r"<\/")
    return text if text.isascii() else _UNSAFE.sub(_escaped, text)


def in_page(value: object) -> str:
    """Return the value as JSON that is safe in an HTML element, as nothing in it closes that."""
    return _HTML.sub(_escaped, in_script(value))


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
