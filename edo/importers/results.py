"""Lists of results, as pasted from the web or typed, as rows of results to import.

A list has a line for each result, `Morphy - Paulsen 5-1`, `Morphy 5-1 Paulsen` or `Morphy beat
Löwenthal +9 -3 =2`, or for a total, `Lasker 7½/11` or `Lasker 7½`. Won without play is `Morphy -
Paulsen +:-`, `Morphy beat Paulsen w/o` or `1-0 (forfeit)`. A heading on its own line, such as
`Round 1`, `Matchday 1`, `Last 16`, `Quarter-finals`, `Group 2` or a date, begins a round or names
its day. Ranks, countries, titles and ratings next to a name are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from edo.core.text import fold
from edo.history import values
from edo.history.notation import Score, number_text, parse_score
from edo.history.reading import Known, ProblemLog
from edo.history.values import InvalidValue, number, shown
from edo.importers.from_table import Tables
from edo.importers.grid import HEADS, MAX_TOTAL, bare_name, plain
from edo.importers.known import span_of
from edo.importers.people import is_same, nobody
from edo.importers.points import as_games, without_totals
from edo.importers.table import EventRow, ResultRow, Status, date_in, no_text

SETS_FROM = 11  # [points] with which a set is won; nobody wins so many games in several matches

_NUMBER = values.NUMBER_PATTERN.replace("(", "(?:")
# With dots as leaders; one behind a word is of the name. Each run of dots can be read in one way
# only, or a line of dots takes for ever.
_GAP = r"(?:\.{2,}|[ :,]\.*)(?:[ :,]\.*)*"
_COUNTS = r"[+-] ?\d{1,4}(?: ?,? ?[-+=] ?\d{1,4}){1,2}|\+ ?\d{1,4}|- ?\d{1,4}"
_POINTS = rf"(?:{_NUMBER}) ?[-:] ?(?:{_NUMBER})"
_SCORES = rf"{_POINTS}(?:(?:[,;] ?| ){_POINTS})*"
_FORFEIT = r"[+-] ?[-:/] ?[+-]|\+-|-\+"
_WALKOVER = (
    r"w/?o|w\.o\.|walk-?over|ff|forfeit(?:ed)?|(?:by )?default(?:ed)?|def\.?|kampflos|unplayed"
)
_BEHIND = rf"(?: ?[,(]? ?(?P<walkover>{_WALKOVER})\)?)?(?: ?\((?P<sets>[\d :;,.-]+)\))?"
_SCORED = re.compile(
    rf"(?P<names>.+?){_GAP}(?P<score>{_SCORES}|{_FORFEIT}|{_COUNTS}){_BEHIND}", re.I
)
_BETWEEN_NAMES = re.compile(
    rf"(?P<first>.+?) (?P<score>{_POINTS}|{_FORFEIT}) (?P<second>.*?[^\W\d]{{2}}.*?){_BEHIND}", re.I
)
_UNSCORED = re.compile(rf"(?P<names>.+?)[ ,(]+(?P<walkover>{_WALKOVER})\)?", re.I)
_TOTAL = re.compile(rf"(.+?){_GAP}({_NUMBER})(?: ?(?:/|of|out of) ?({_NUMBER}))?")
_VERBS = {"beat": 1, "bt": 1, "defeated": 1, "drew with": 0, "drew": 0, "lost to": -1,
          "w/o": 1}  # fmt: skip
_BETWEEN = re.compile(rf" (?:-|vs?\.?|({'|'.join(_VERBS)})) ", re.I)

_ORDINAL = (
    r"(?:\d{1,3}(?:st|nd|rd|th|\.)?|first|second|third|fourth|fifth|sixth|seventh|last|final)"
)
_WITHIN = re.compile(r"(?:board|table|game|match) (?:\d{1,3}|[A-Z])", re.I)  # within a round
_ROUND = re.compile(r"(?:round|runde|ronde|ronda|tour|rd\.?) (?P<name>\w[\w ]{0,40}?)", re.I)
_WITH_NUMBER = re.compile(
    r"(?:week|match ?day|match ?week|game ?week|day|spieltag|last|best|group|gruppe|pool|division"
    r"|section|class|stage|leg|session|poule|league) (?:\d{1,3}|[A-Z]|[IVX]+)",
    re.I,
)
_IN_WORDS = re.compile(
    rf"{_ORDINAL} (?:round|runde|match ?day|spieltag|place(?: (?:match|play-?off|final))?|leg"
    r"|stage)|(?:(?:quarter|semi|eighth|small|big|grand|consolation)[- ]?)?finals?"
    r"|(?:halb|viertel|achtel)?finale|1/\d ?finals?|round of \w+|play-?offs?"
    r"|preliminar(?:y|ies)(?: round)?|qualif\w+|tie-?breaks?(?:ers?)?|replays?"
    r"|match for (?:the )?\w+ place",
    re.I,
)
_NO_STAGE = re.compile(r"\d{1,2}[:.]\d\d(?: ?[ap]m)?|\d{4}", re.I)  # a time, a year


def read_results(text: str, path: Path, event: EventRow) -> Tables:
    """Return the results and totals of a list as rows. Raises InputError with all bad lines."""
    log, round_ = ProblemLog(path.as_posix(), Known({})), ""
    rows: list[ResultRow] = []
    days: dict[str, int] = {}
    numbered: list[tuple[int, str]] = []
    lands: dict[str, tuple[str, int]] = {}
    for number_, raw in enumerate(text.splitlines(), 1):
        spaced = re.sub(r"(?<=[^\W\d])[–—](?=[^\W\d])", " - ", raw[: values.MAX_LINE])
        line = plain(spaced)
        if not line or line.startswith("#"):
            continue
        if (heading := _heading(line)) is not None:
            stage, day = heading
            round_ = stage or ("" if day else round_)
            if day:
                days.setdefault(day, number_)
            if _WITH_NUMBER.fullmatch(line) and line[-1].isdigit():
                numbered.append((number_, line))
            continue
        within = round_
        prefix, _, rest = line.partition(": ")
        if rest and (heading := _heading(prefix)) is not None:
            within, line = heading[0] or round_, rest
        try:
            results = _results(number_, event.key, line)
        except InvalidValue as bad:
            log.error(number_, "", bad.message, bad.hint)
        else:
            rows += [replace(row, round=within, rank=len(rows)) for row in results]
            _check_lands(log, number_, line, results, lands)
    if not rows and not log.problems:
        log.error(1, "", "no results are found", "write them like `Morphy - Paulsen 5-1`")
    _check_totals(log, rows, numbered)
    event = _on_days(log, event, days)
    games = as_games(log, event, rows, ask=True)
    log.refuse()
    warnings = {event.key: without_totals(rows, games)}
    return Tables(path, {event.key: games}, {event.key: event}, warnings=warnings)


def _heading(line: str) -> tuple[str, str] | None:
    """Return the round and the day of a heading, each `` without one; None where it is none."""
    if (day := date_in(line)) is not None:
        return "", day
    stage = day = ""
    found = False
    for part in filter(None, re.split(r"\s*[,:()|]\s*|\s+(?:-|on|am)\s+", line.rstrip(":. "))):
        date = date_in(part)
        bare = re.sub(r" (?:1[4-9]|20)\d\d$", "", part)
        begun = _ROUND.fullmatch(bare)
        if date is not None:
            day = date or day
        elif begun or _WITH_NUMBER.fullmatch(bare) or _IN_WORDS.fullmatch(bare):
            stage, found = " ".join(filter(None, (stage, begun["name"] if begun else bare))), True
        elif _WITHIN.fullmatch(bare):
            found = True
        elif not _NO_STAGE.fullmatch(part):
            return None
    return (stage, day) if found or day else None


def _on_days(log: ProblemLog, event: EventRow, days: dict[str, int]) -> EventRow:
    """Return the event with the days that headings name, unless its dates are stated."""
    if event.dates or not days:
        return event
    last = max(days)
    if int(last[:4]) != event.year:
        hint = "correct it, or write the `--year` in which the event ended"
        log.error(days[last], "", f"{last} is not in {event.year}", hint)
    return replace(event, dates=span_of([*days], event.year))


def _check_lands(
    log: ProblemLog,
    number_: int,
    line: str,
    rows: Sequence[ResultRow],
    lands: dict[str, tuple[str, int]],
) -> None:
    """Report a name whose country is another than on a line before: it may be two people."""
    for name in {name for row in rows for name in row.players if name}:
        code = re.search(re.escape(name) + r" ?[(\[]([A-Z]{3})[)\]]", line)
        if code is None:
            continue
        land, first = lands.setdefault(name, (code[1], number_))
        if land != code[1]:
            message = f"{shown(name)} is of {code[1]} here, of {land} on line {first}"
            hint = "number two people like `Lasker (2)`, or correct the country"
            log.error(number_, "", message, hint)


def _check_totals(
    log: ProblemLog, rows: Sequence[ResultRow], headings: Sequence[tuple[int, str]]
) -> None:
    """Report totals that may be headings, and headings that may be totals."""
    playing = {name for row in rows if row.opponent for name in row.players}
    first: dict[str, int] = {}
    for row in rows:
        if not row.opponent and first.setdefault(row.player, row.line) != row.line:
            message = f"{shown(row.player)} has a total on line {first[row.player]} already"
            log.error(row.line, "", message, "tell the two apart, or leave one out")
    totals = {row.player: row for row in rows if not row.opponent}
    if playing and playing - totals.keys():
        for name in totals.keys() - playing:
            row = totals[name]
            hint = (
                "write a heading like `Round 1`; leave a total out, or write those of all players"
            )
            total = f"{name} {number_text(row.points)}"
            log.error(row.line, "", f"{shown(total)} has no result", hint)
    for line, heading in headings if totals and not playing else ():
        hint = "write a first name to a player's total, or leave the heading out"
        log.error(line, "", f"{shown(heading)} is a heading without results", hint)


def _results(number_: int, event: str, line: str) -> list[ResultRow]:
    """Return the two names and the scores of a line, or one name and the total."""
    line = re.sub(r"(?<=\d),(?=[05](?: |:|$|-\d,[05]))", ".", line)  # decimal commas
    if (pair := _SCORED.fullmatch(line)) and (names := _two_names(pair["names"])):
        return _played(number_, event, names, pair)
    if pair := _BETWEEN_NAMES.fullmatch(line):
        if any(map(_BETWEEN.search, (pair["first"], pair["second"]))):
            raise InvalidValue("more than two names", "write one result a line")
        return _played(number_, event, (pair["first"], "", pair["second"]), pair)
    if (pair := _UNSCORED.fullmatch(line)) and (names := _two_names(pair["names"])):
        first, verb, second = names
        score = Score(0.0, 1.0) if _VERBS.get(verb) == -1 else Score(1.0, 0.0)
        return [_row(number_, event, (first, second), score, is_default=True)]
    if (parts := [*_BETWEEN.finditer(line)]) and (parts[0][1] or "").lower() == "w/o":
        first, second = line[: parts[0].start()], line[parts[0].end() :]
        return [_row(number_, event, (first, second), Score(1.0, 0.0), is_default=True)]
    total = _TOTAL.fullmatch(line)
    if total is None or _BETWEEN.search(total[1]):
        hint = "write `Morphy - Paulsen 5-1`, `Morphy beat Paulsen +5 -1 =2` or `Lasker 7½/11`"
        raise InvalidValue(f"{shown(line)} is no result", hint)
    points, games = number(total[2]), number(total[3]) if total[3] else None
    if points > MAX_TOTAL:
        hint = "leave a date or a rating out, or write `Round 1` above its results"
        raise InvalidValue(f"{shown(line)} is no total", hint)
    if games is not None and points > games:
        message = f"{number_text(points)} points of {number_text(games)} games"
        raise InvalidValue(message, "correct the total or the games")
    return [ResultRow(number_, event, _person(total[1]), "", points, games=games)]


def _two_names(text: str) -> tuple[str, str, str] | None:
    """Return the first name, the verb between and the second; None where there is one name.

    A hyphen without blanks stands between two names where it is the only one.
    """
    between = [*_BETWEEN.finditer(text)]
    if len(between) > 1:
        raise InvalidValue("more than two names", "write one result a line")
    if between:
        verb = (between[0][1] or "").lower()
        return text[: between[0].start()], verb, text[between[0].end() :]
    parts = re.split(r"(?<=[^\W\d])[-/](?=[^\W\d])|(?<=[.)])-(?=[^\W\d])", text)
    return (parts[0], "", parts[1]) if len(parts) == 2 else None


def _played(
    number_: int, event: str, names: tuple[str, str, str], pair: re.Match[str]
) -> list[ResultRow]:
    """Return the rows of a line with two names and scores, or signs of a win without play."""
    first, verb, second = names
    text = pair["score"]
    if re.fullmatch(_FORFEIT, text):
        if text[0] == text[-1]:
            raise InvalidValue(f"neither won, by {shown(text)}", "leave the line out")
        won = float(text[0] == "+")
        scores = [Score(won, 1 - won)]
    elif text[0] in "+-":
        scores = [parse_score(re.sub("[, ]+", " ", text).replace("- ", "-"))]
    else:
        scores = [parse_score(each.replace(":", "-")) for each in re.findall(_POINTS, text)]
    if len(scores) > 1 and any(max(each.first, each.second) >= SETS_FROM for each in scores):
        message = f"{shown(text)} looks like the points of sets"
        raise InvalidValue(message, "write the sets that each won, like `3-1`")
    first_points, second_points = (sum(each) for each in zip(
        *((score.first, score.second) for score in scores), strict=True))  # fmt: skip
    if not first_points + second_points:
        raise InvalidValue(f"{shown(text)} is no game", "leave the line out")
    wins = (first_points > second_points) - (first_points < second_points)
    if verb and wins != _VERBS[verb]:
        text = f"{shown(verb)}, but {number_text(first_points)}-{number_text(second_points)}"
        hint = "correct the word or the score, the first-named's points first"
        raise InvalidValue(text, hint)
    is_default = bool(pair["walkover"]) or re.fullmatch(_FORFEIT, text) is not None
    rows = [_row(number_, event, (first, second), each, is_default=is_default) for each in scores]
    if sets := pair["sets"]:
        text_of_row = no_text()
        text_of_row["note"] = f"Sets: {sets.strip()}"
        rows = [replace(row, text=text_of_row) for row in rows]
    return rows


def _row(
    number_: int, event: str, printed: tuple[str, str], score: Score, *, is_default: bool
) -> ResultRow:
    names = _person(printed[0]), _person(printed[1])
    if is_same(*names):
        raise InvalidValue(f"{shown(names[0])} plays against himself", "correct one of the names")
    draws = None if score.draws is None else int(score.draws)
    status = Status("default" if is_default else "formal")
    return ResultRow(number_, event, *names, score.first, score.second, draws=draws, status=status)


def _person(text: str) -> str:
    """Return the name in a line of a list; raises InvalidValue where it is not that of one."""
    text = re.sub(r"(?<=[^\d ] )[12]\d{3}(?= |$)", "", text)  # a rating
    if re.search(r"[^\W\d]\W* \W*\d", re.sub(r"\([^()]*\)", "", text)):
        raise InvalidValue(f"{shown(text)} has a number", "write one score or total a line")
    name = bare_name(text)
    if nobody(name) or not any(map(str.isalpha, name)) or fold(name) in HEADS:
        raise InvalidValue(f"{shown(name)} is not one person", "write one name, or leave it out")
    return name
