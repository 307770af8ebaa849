"""Configuration of the site: its name and the address for error reports (content/site.yaml)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from edo.core import yaml
from edo.core.problems import InputError
from edo.history.field_types import TEXT, Field, Group, Scalar
from edo.history.reading import Known, ProblemLog, plain_fields, read_group
from edo.history.values import InvalidValue, shown

NAME = "site.yaml"
LICENCE = "GPL-3.0-or-later"  # of program and data, by its name in the SPDX list

_MAIL = re.compile(r"[^\s@<>\"?&]+@[^\s@<>\"?&]+\.[^\s@<>\"?&]+")
_FORM = re.compile(r"https://[^\s<>\"#]+")


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """Name and motto of the site; `report_to` is a mail address, an https address, or None."""

    name: str = "Historical Chess Ratings"
    motto: str = "Year-by-year ratings by the Edo method"
    report_to: str | None = None


def read_site_config(folder: Path) -> SiteConfig:
    """Return the configuration of the site; raises InputError with all errors in the file."""
    path = folder / NAME
    node, problems = yaml.read(path, str(path))
    log = ProblemLog(str(path), Known({}), problems)
    entry = None if node is None else read_group(log, _SITE, node)
    if log.problems or entry is None:
        raise InputError(log.problems)
    return SiteConfig(**plain_fields(entry, _SITE))


def _address(text: str) -> str:
    if not any(pattern.fullmatch(text) for pattern in (_MAIL, _FORM)):
        hint = "give a mail address or an https address"
        raise InvalidValue(f"{shown(text)} is no address", hint)
    return text


_SITE = Group(
    "site",
    (
        Field("name", TEXT, "The name of the site.", "Chess Ratings"),
        Field("motto", TEXT, "The line below the name.", "The strength of players past"),
        Field("report_to", Scalar("address", _address), "Where readers report errors.", "a@b.org"),
    ),
)
