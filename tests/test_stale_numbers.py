"""The texts have no literal numbers that are results of a computation on the data.

Such numbers must be placeholders (`{{ n_rated | count }}`), or they go out of date. Years, small
whole numbers and the constants listed here may be written out.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT, TEXTS

ALL = sorted(
    path
    for path in (*(ROOT / "content").glob("*.md"), *TEXTS.glob("*.md"))
    if path.stem not in {"fields", "editing", "publishing"}  # guides with invented examples
)
SMALL = 20  # whole numbers up to here are counted by hand
SCALE = {"400", "100", "200", "300"}
"""Of the logistic formula and round leads in points."""

ALLOWED: dict[str, set[str]] = {
    # an example of Edwards' links: the number of steps
    # and shares of the normal distribution
    "deviations": {"39", "68.3%", "95%", "95.0%", "1.96"},
    "expected-scores": {"100%", "2400", "2600", "2500", "140", "70", "2251", "2275", "25"},
    "consistency": {"2200"},
    "age": {"95%"},
    # ln 2; shares of the normal distribution; Edwards' upper limit; the shape of simulated careers
    "choosing": {"0.6931", "68.3", "68.3%", "95", "95.0%", "1.96", "60", "56", "156", "68%", "30"},
    "reading": {"90%", "100%"},  # the range of ranks, and scores without a performance
    "contest": {"0.6931", "68.3%", "95%", "95.0%", "1.96"},
    # two validations with their date (November 2026)
    "joint": {"1.4", "0.9997", "1.3%", "700,000", "99", "230,000", "630,000"},
    # constants of the systems and published examples, with the sources named in the texts
    "system-edo": {"30", "1500"},
    # the last age of its curve; a prior; form in simulated histories (November 2026)
    "system-edo-integrated": {"74", "52", "60", "0.5"},
    "system-bradley-terry": {"311", "241"},
    "system-whr": {"43", "45", "4000"},
    "system-elo-fide": {
        *("92%", "64%", "2600", "2500", "12.8", "12.5", "40", "30", "2400", "700", "2200"),
    },
    "system-elo-uscf": {
        *("2.5", "2.87", "0.37", "32", "24", "2100", "2400", "1613", "1609", "1477", "1388"),
        *("1586", "1720", "1601", "1500", "1511", "1550", "1400", "1650", "2200"),
    },
    # the share of draws from which the parameter was set
    "system-elo-davidson": {"30.5%", "0.88", "35", "24", "2200", "65"},
    "system-elostat": {"100%", "1.96", "600", "709", "109", "218", "96"},
    # Coulom's own values
    "system-bayeselo": {
        *("83", "337", "33", "97", "29,610"),
    },
    # a contest with its date (November 2026); constants of the systems
    "examples": {
        *("0.0008", "0.0002", "0.0014", "0.0011", "0.0006", "0.0017", "0.0010", "0.0001", "0.0019"),
        "95%",
        *("30", "1500"),
        *("13", "31", "63", "6", "27"),
        # another measurement with its date, and an earlier rule
        *("2.0", "1.3", "1.1", "1.8", "90", "250"),
    },
    "system-sonas": {
        *("266,000", "35", "24", "0.541767", "0.001164", "390", "460", "54%", "50%", "61.6%"),
        *("64%", "83%", "29%", "2200", "0.81"),
    },
    "system-spinrad": {"100%", "1500"},
    "system-chessmetrics": {
        *("85", "48", "0.5", "850", "2300", "43", "2600", "0.5%", "99.5%"),
    },
    "system-glicko": {"350", "1500", "30", "63.2", "50"},
    "system-glicko-2": {
        *("350", "1500", "173.72", "0.5", "0.3", "1.2", "0.06", "0.12", "21", "0.6"),
    },
    "system-trueskill": {
        *(
            "480",
            "60",
            "1200",
            "8.333",
            "25",
            "29.396",
            "7.171",
            "30.3%",
            "264",
            "0.379",
            "151",
            "3.5",
        ),
    },
    "system-ttt": {
        *("480", "60", "1200", "0.05", "30.3%", "264", "0.379", "151", "241", "310"),
    },
    "system-ttt-d": {"480", "60", "1200", "264", "120", "40", "30.3%", "0.379"},
}
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?%?")


def literal_numbers(text: str) -> list[str]:
    """Return the numbers of a text outside placeholders, links, code and formulas."""
    for markup in (r"\{\{.*?\}\}", r"\{%.*?%\}", r"<math.*?</math>", r"`[^`]*`", r"\]\([^)]*\)"):
        text = re.sub(markup, " ", text, flags=re.DOTALL)
    found = [number.rstrip(",") for number in NUMBER.findall(text)]
    return [number for number in found if not is_plain(number)]


def is_plain(number: str) -> bool:
    """Return whether a number is a year or a small whole number."""
    if number in SCALE:
        return True
    digits = number.removesuffix("%")
    is_year = number.isdigit() and len(number) == 4 and 1600 <= int(number) <= 2040
    return is_year or (digits.isdigit() and int(digits) <= SMALL)


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_computed_numbers_are_placeholders(path: Path) -> None:
    found = set(literal_numbers(path.read_text()))
    allowed = {number for number in ALLOWED.get(path.stem, set()) if not is_plain(number)}
    assert found - allowed == set(), "make it a placeholder, or list the constant here"
    assert allowed - found == set(), "no longer in the text"


def test_a_stale_number_is_noticed() -> None:
    text = "Of {{ n }} players 82% never reach 30 games in `1234` ([more](/a-99.html)) by 1941."
    assert literal_numbers(text) == ["82%", "30"]
    assert literal_numbers("a log loss of 0.6208 (3,607 games)") == ["0.6208", "3,607"]


def test_events_said_to_be_missing_are_missing() -> None:
    limits = (ROOT / "content" / "limits.md").read_text()
    named = re.search(r"such as ([^;]+), are missing entirely", limits)
    assert named is not None
    events = {path.stem for path in (ROOT / "events").rglob("*.yaml")}
    for name in re.split(r", | and ", named[1]):
        assert name.lower().replace(" ", "-") not in events, name
