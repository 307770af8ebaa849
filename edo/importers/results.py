"""Lists of results, as pasted from the web or typed, as rows of results to import.

A list has a line for each result, `Morphy - Paulsen 5-1` or `Morphy beat Löwenthal +9 -3 =2`, or
for a total, `Lasker 7½/11` or `Lasker 7½`; `Round 1`, `Week 1`, `Matchday 1` or `Last 16` on its
own line begins a round. Ranks, countries, titles and ratings next to a name are ignored.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from edo.core.text import fold
from edo.history import values
from edo.history.notation import number_text, parse_score
from edo.history.reading import Known, ProblemLog
from edo.history.values import InvalidValue, number, shown
from edo.importers.from_table import Tables
from edo.importers.grid import HEADS, MAX_TOTAL, bare_name, plain
from edo.importers.people import nobody
from edo.importers.table import EventRow, ResultRow

_NUMBER = values.NUMBER_PATTERN.replace("(", "(?:")
_COUNTS = r"[+-] ?\d{1,4}(?: ?,? ?[-+=] ?\d{1,4}){0,2}"
_ROUND = re.compile(
    r"(?:round|runde|ronde) (?P<name>\w[\w ]{0,40}?):?"
    r"|(?P<whole>(?:week|matchday|spieltag|last) \d{1,3}):?", re.I
)  # fmt: skip
_SCORED = re.compile(rf"(.+?)[ .:,]+((?:{_NUMBER}) ?[-:] ?(?:{_NUMBER})|{_COUNTS})")
_TOTAL = re.compile(rf"(.+?)[ .:,]+({_NUMBER})(?: ?(?:/|of|out of) ?({_NUMBER}))?")
_VERBS = {"beat": 1, "bt": 1, "defeated": 1, "drew with": 0, "drew": 0, "lost to": -1}
_BETWEEN = re.compile(rf" (?:-|vs?\.?|({'|'.join(_VERBS)})) ", re.I)


def read_results(text: str, path: Path, event: EventRow) -> Tables:
    """Return the results and totals of a list as rows. Raises InputError with all bad lines."""
    log, round_ = ProblemLog(path.as_posix(), Known({})), ""
    rows: list[ResultRow] = []
    for number_, raw in enumerate(text.splitlines(), 1):
        spaced = re.sub(r"(?<=[^\W\d])[–—](?=[^\W\d])", " - ", raw[: values.MAX_LINE])
        line = plain(spaced)
        if not line or line.startswith("#"):
            continue
        if begun := _ROUND.fullmatch(line):
            round_ = begun["name"] or begun["whole"]
            continue
        try:
            row = _result(number_, event.key, line)
        except InvalidValue as bad:
            log.error(number_, "", bad.message, bad.hint)
        else:
            rows.append(replace(row, round=round_, rank=len(rows)))
    if not rows and not log.problems:
        log.error(1, "", "no results are found", "write them like `Morphy - Paulsen 5-1`")
    log.refuse()
    return Tables(path, {event.key: rows}, {event.key: event})


def _result(number_: int, event: str, line: str) -> ResultRow:
    """Return the two names and the score of a line, or one name and the total."""
    pair = _SCORED.fullmatch(line)
    if pair and (between := [*_BETWEEN.finditer(pair[1])]):
        if len(between) > 1:
            raise InvalidValue("more than two names", "write one result a line")
        first, second = _person(pair[1][: between[0].start()]), _person(pair[1][between[0].end() :])
        if first == second:
            raise InvalidValue(f"{shown(first)} plays against himself", "correct one of the names")
        score = parse_score(re.sub(r"[, ]+", " ", pair[2].replace(":", "-")).replace("- ", "-"))
        verb = (between[0][1] or "").lower()
        if verb and (score.first > score.second) - (score.first < score.second) != _VERBS[verb]:
            text = f"{shown(verb)}, but {number_text(score.first)}-{number_text(score.second)}"
            hint = "correct the word or the score, the first-named's points first"
            raise InvalidValue(text, hint)
        draws = None if score.draws is None else int(score.draws)
        return ResultRow(number_, event, first, second, score.first, score.second, draws=draws)
    total = _TOTAL.fullmatch(line)
    if total is None or _BETWEEN.search(total[1]):
        hint = "write `Morphy - Paulsen 5-1`, `Morphy beat Paulsen +5 -1 =2` or `Lasker 7½/11`"
        raise InvalidValue(f"{shown(line)} is no result", hint)
    name = _person(total[1])
    points, games = number(total[2]), number(total[3]) if total[3] else None
    if points > MAX_TOTAL:
        hint = "leave a date or a rating out, or write `Round 1` above its results"
        raise InvalidValue(f"{shown(line)} is no total", hint)
    if games is not None and points > games:
        message = f"{number_text(points)} points of {number_text(games)} games"
        raise InvalidValue(message, "correct the total or the games")
    return ResultRow(number_, event, name, "", points, games=games)


def _person(text: str) -> str:
    """Return the name in a line of a list; raises InvalidValue where it is not that of one."""
    if re.search(r"[^\W\d]\W* \W*\d", re.sub(r"\([^()]*\)", "", text)):
        raise InvalidValue(f"{shown(text)} has a number", "write one score or total a line")
    name = bare_name(text)
    if nobody(name) or not any(map(str.isalpha, name)) or fold(name) in HEADS:
        raise InvalidValue(f"{shown(name)} is not one person", "write one name, or leave it out")
    return name
