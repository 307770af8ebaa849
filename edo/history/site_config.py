"""Configuration of the site: its name and the address for error reports (content/site.yaml)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from edo.core import yaml
from edo.core.problems import EdoError, Problem
from edo.core.yaml import Fields, Text
from edo.history import values

NAME = "site.yaml"
LICENCE = "GPL-3.0-or-later"  # of program and data, by its name in the SPDX list
FIELDS = ("name", "motto", "report_to")

_MAIL = re.compile(r"[^\s@<>\"?&]+@[^\s@<>\"?&]+\.[^\s@<>\"?&]+")
_FORM = re.compile(r"https://[^\s<>\"#]+")


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """Name and motto of the site; `report_to` is a mail address, an https address, or None."""

    name: str = "Historical Chess Ratings"
    motto: str = "Year-by-year ratings by the Edo method"
    report_to: str | None = None


def read_site_config(folder: Path) -> SiteConfig:
    """Return the configuration of the site; raises EdoError with all errors in the file."""
    path = folder / NAME
    node, problems = yaml.read(path, str(path))
    if node is not None:
        problems += _problems(node, str(path))
    if problems or node is None:
        raise EdoError("\n".join(str(problem) for problem in problems))
    return SiteConfig(
        **{k: values.text(v.value) for k, v in node.values.items() if type(v) is Text}
    )


def _problems(node: Fields, path: str) -> Iterator[Problem]:
    for key, value in node.values.items():
        line = node.lines[key]
        if key not in FIELDS:
            hint = f"write one of {', '.join(FIELDS)}"
            yield Problem(path, line, key, "there is no such field", hint)
        elif not isinstance(value, Text):
            yield Problem(path, line, key, "is not a text", "write a text on one line")
        elif (refused := _refused(value.value)) is not None:
            yield Problem(path, line, key, refused.message, refused.hint)
        elif key == "report_to" and not _can_be_written_to(value.value):
            hint = "give a mail address or an https address"
            yield Problem(path, line, key, f"{value.value!r} is no address", hint)


def _refused(text: str) -> values.InvalidValue | None:
    try:
        values.text(text)
    except values.InvalidValue as refused:
        return refused
    return None


def _can_be_written_to(address: str) -> bool:
    return any(pattern.fullmatch(address) for pattern in (_MAIL, _FORM))
