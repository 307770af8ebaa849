"""A project: the folders of one history, and what its `site.yaml` says of site and rating."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from edo.core import yaml
from edo.core.problems import InputError, Problem
from edo.history.fields import FLAG, TEXT, YEAR, Field, Group, Scalar, Several
from edo.history.reading import Entry, Known, ProblemLog, plain_fields, read_group
from edo.history.settings import DEFAULT, LEADING, Settings
from edo.history.values import InvalidValue, identifier, matched, shown

CONFIG_FILE = "site.yaml"
TEMPLATES = Path(__file__).parents[2] / "templates"
"""The program's own templates and texts."""
EXAMPLE = TEMPLATES / "project"
"""The project that `init` makes."""
LICENCE = "GPL-3.0-or-later"  # of the program, by its name in the SPDX list

MOST_GAMES = 60
"""Of a match that was never played; longer ones take a browser too long."""

_MAIL = re.compile(r"[^\s@<>\"?&]+@[^\s@<>\"?&]+\.[^\s@<>\"?&]+")
_FORM = re.compile(r"https://[^\s<>\"#]+")
_HOST = r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*"
_PORT = r"(:[1-9][0-9]{0,4})?"
_FOLDER = r"/(?!\.{1,2}(/|$))([A-Za-z0-9._~@+-]|%[0-9A-Fa-f]{2})+"
_WEB_ADDRESS = re.compile(f"https?://{_HOST}{_PORT}({_FOLDER})*/?")
_LANGUAGE = r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"
_COLOUR = r"#[0-9a-fA-F]{6}"
_LOGO = r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.(svg|png|jpg|webp)"

PAPER = "#faf6ec"  # the background of pages, as in style.css
LEAST_CONTRAST = 4.5  # of letters to it (https://www.w3.org/TR/WCAG22/#contrast-minimum)


@dataclass(frozen=True, slots=True)
class Project:
    """The folders of one history; `root` has its `site.yaml`, `templates/` and `static/`."""

    root: Path
    events: Path
    content: Path

    @property
    def config_file(self) -> Path:
        """Return the path of `site.yaml`."""
        return self.root / CONFIG_FILE

    @property
    def overrides(self) -> tuple[Path, ...]:
        """Return the folder of templates that take the place of the program's own, if any."""
        folder = self.root / "templates"
        is_own = folder.is_dir() and not folder.is_symlink() and not folder.samefile(TEMPLATES)
        return (folder,) if is_own else ()

    @property
    def static(self) -> Path:
        """Return the folder of files that are copied into the site as they are."""
        return self.root / "static"

    @property
    def inputs(self) -> tuple[Path, ...]:
        """Return all folders and files that the site depends on."""
        return self.events, self.content, self.config_file, self.static, self.root / "templates"


def is_of_program(project: Project) -> bool:
    """Whether a project is the folder of the program itself, with its workflows and tests."""
    return project.root.is_dir() and project.root.samefile(TEMPLATES.parent)


@dataclass(frozen=True, slots=True)
class MatchAsked:
    """A match that was never played, of two players, each in a year, over so many games."""

    first: tuple[str, int]
    second: tuple[str, int]
    games: int = 20


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """What `site.yaml` says; `report_to` is a mail address, an https address, or None.

    `author` is who answers for the ratings, `publisher` who publishes them, `contact` a mail or
    https address by which to reach them, `address` where they live, as in an imprint.
    `game` is the name of the game or sport as within a sentence; `colours` are what `w` and `b`
    stand for in tables, the first with the first move; without `draws` no game can be drawn; with
    `seasons` the year 2022 is shown as the season 2021/22; `lang` is the language of the pages and
    `data_licence` the licence of the data, by their names in BCP 47 and in the SPDX list;
    `accent` is the colour of links and curves, `logo` a picture in `static/`;
    `base_url` is the address of the site where no other is given; `question` are the two players,
    each with a year, whom the front page compares, or nobody; `matches` are those that the page of
    matches that never were shows; `scale_line`, `question_line` and `matches_line` are lines of
    the file, for messages.
    """

    name: str = "Historical Ratings"
    motto: str = "Year-by-year ratings by the Edo method"
    report_to: str | None = None
    data_licence: str = LICENCE
    game: str = "chess"
    lang: str = "en"
    colours: tuple[str, str] = ("White", "Black")
    draws: bool = True
    seasons: bool = False
    accent: str | None = None
    logo: str | None = None
    base_url: str | None = None
    author: str | None = None
    publisher: str | None = None
    contact: str | None = None
    address: str | None = None
    settings: Settings = DEFAULT
    question: tuple[tuple[str, int], ...] = ()
    matches: tuple[MatchAsked, ...] = ()
    scale_line: int = field(default=1, compare=False)
    question_line: int = field(default=1, compare=False)
    matches_line: int = field(default=1, compare=False)

    @property
    def errors_to(self) -> str | None:
        """Return where readers report errors: `report_to`, or the mail address of `contact`."""
        mail = self.contact if self.contact and _MAIL.fullmatch(self.contact) else None
        return self.report_to or mail

    @property
    def is_chess(self) -> bool:
        """Return whether FIDE's categories of tournaments mean anything here."""
        return self.game.lower() == "chess"

    def year_label(self, year: int) -> str:
        """Return a year as its pages call it, `2022` or `2021/22`."""
        return season(year) if self.seasons else str(year)

    @property
    def asked_pairs(self) -> list[tuple[tuple[str, int], tuple[str, int]]]:
        """Return the player-years of the matches."""
        return [(match.first, match.second) for match in self.matches]

    @property
    def game_title(self) -> str:
        """Return the name of the game as at the beginning of a sentence."""
        return self.game[:1].upper() + self.game[1:]


def season(year: int) -> str:
    """Return the name of the season that ends in a year, `2021/22`."""
    return f"{year - 1}/{year % 100:02}"


def read_site_config(path: Path) -> SiteConfig:
    """Return what a `site.yaml` says; raises InputError with all errors in the file."""
    if not path.exists():
        hint = "make a project by `python -m edo init DIR`, or name its folder by --project"
        raise InputError([Problem(str(path), 1, "", "there is no such file", hint)])
    node, problems = yaml.read(path, str(path))
    log = ProblemLog(str(path), Known({}), problems)
    entry = None if node is None else read_group(log, SITE, node)
    settings = DEFAULT if entry is None else _settings(log, entry)
    if entry is not None:
        _check_two(log, entry)
    if log.problems or entry is None:
        raise InputError(log.problems)
    words = plain_fields(entry, SITE)
    words.pop("system", None)  # it is among the settings
    if settings.system != DEFAULT.system:
        words.setdefault("motto", f"Year-by-year ratings by {settings.method}")
    if "colours" in words:
        words["colours"] = tuple(words["colours"])
    if "question" in words:
        words["question"] = tuple(words["question"])
    words["matches"] = tuple(
        MatchAsked(**plain_fields(match, _MATCH)) for match in entry.all("matches")
    )
    words |= {f"{name}_line": entry.line_of(name) for name in ("scale", "question", "matches")}
    return SiteConfig(**words, settings=settings)


def _settings(log: ProblemLog, entry: Entry) -> Settings:
    """Return the settings of the pass, with the defaults for what is absent or wrong."""
    scale: Entry | None = entry.get("scale")
    method: Entry | None = entry.get("method")
    values = {} if method is None else plain_fields(method, _METHOD)
    if entry.get("draws") is False:  # a game is one win-or-lose comparison
        values.setdefault("variance_factor", 1.0)
    if entry.get("system") is not None:
        values["system"] = entry.get("system")
    if scale is not None:
        _check_scale(log, scale)
        values |= {
            "anchor_player": scale.get("player"),
            "anchor_year": scale.get("year"),
            "anchor_first": scale.get("first"),
            "anchor_rating": scale.values.get("rating", scale.get("mean")),
        }
        if scale.lines.keys() == {"mean"}:  # all ratings have the mean of players in general
            values.setdefault("background_mean", scale.get("mean"))
    return replace(DEFAULT, **values)


def _check_scale(log: ProblemLog, scale: Entry) -> None:
    """Add an error where the fields of the scale do not belong together."""
    given = {name for name in ("player", "year", "rating", "first", "mean") if name in scale.lines}
    kinds = "`{player, year, rating}`, `{first, mean}`, `{first, year, mean}` or `{mean}`"
    known = ({"player", "year", "rating"}, {"first", "mean"}, {"first", "year", "mean"}, {"mean"})
    if given not in known:
        message = f"it cannot be set by {', '.join(sorted(given)) or 'nothing'}"
        log.error(scale.line, "scale", message, f"write {kinds}")


def _check_two(log: ProblemLog, entry: Entry) -> None:
    """Add an error where a match or the question is not about two."""
    if len({*(entry.get("question") or (0, 1))}) == 1:
        hint = "name another player or another year"
        log.error(entry.line_of("question"), "question", "the two are the same", hint)
    for match in entry.all("matches"):
        first, second = match.get("first"), match.get("second")
        if first and second and first[0] == second[0]:
            log.error(match.line, "match", f"{first[0]} has himself to play", "name two players")


def _address(text: str) -> str:
    if not any(pattern.fullmatch(text) for pattern in (_MAIL, _FORM)):
        hint = "give a mail address or an https address"
        raise InvalidValue(f"{shown(text)} is no address", hint)
    return text


def web_address(text: str) -> str:
    """Return the address of a site; raises InvalidValue for anything else."""
    # No query and no fragment: the paths of pages are appended to it.
    if _WEB_ADDRESS.fullmatch(text) is None:
        raise InvalidValue(f"{shown(text)} is not a web address", "write it like https://host/path")
    return text


def _licence(text: str) -> str:
    hint = "write its short name in the SPDX list, like `GPL-3.0-or-later`"
    return matched(r"[A-Za-z0-9][A-Za-z0-9.+-]*", text, "the name of a licence", hint)


def _language(text: str) -> str:
    code = matched(_LANGUAGE, text, "a language", "write its code, like `en`, `en-GB`")
    if code.partition("-")[0] != "en":
        hint = "write `en`, or leave it out: the words of the program's own pages are English"
        raise InvalidValue(f"{shown(code)} is not the language of the pages", hint)
    return code


def _accent(text: str) -> str:
    hint = "write red, green and blue in hexadecimal, in quotes, like `'#1f5f8b'`"
    colour = matched(_COLOUR, text, "a colour", hint)
    contrast = (_luminance(PAPER) + 0.05) / (_luminance(colour) + 0.05)
    if contrast < LEAST_CONTRAST:
        message = f"{shown(text)} is too light to read: its contrast to the page is {contrast:.1f}"
        raise InvalidValue(message, f"give a darker colour, with {LEAST_CONTRAST} or more")
    return colour


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour (https://www.w3.org/TR/WCAG22/), 0 to 1."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _logo(text: str) -> str:
    hint = "name a picture in `static/`, like `logo.svg`, or .png, .jpg, .webp"
    return matched(_LOGO, text, "a picture", hint)


def _player_year(text: str) -> tuple[str, int]:
    hint = "write the id of a player and a year, like `dunn-george 1990`"
    player, _, year = text.partition(" ")
    return identifier(player), int(matched(r"[0-9]{3,4}", year, "a player and a year", hint))


def _system(text: str) -> str:
    if text not in LEADING:
        raise InvalidValue(f"{shown(text)} cannot lead a site", f"write {' or '.join(LEADING)}")
    return text


def _number(least: float, most: float, whole: bool = False) -> Scalar:
    """Return the type of numbers from `least` to `most`."""
    kind, convert = ("whole number", int) if whole else ("number", float)

    def within(text: str) -> Any:
        hint = f"write a {kind} from {least:,g} to {most:,g}".replace(",", " ")
        pattern = r"-?[0-9]{1,7}" if whole else r"-?[0-9]{1,7}(\.[0-9]{1,6})?"
        value = convert(matched(pattern, text, f"a {kind}", hint))
        if not least <= value <= most:
            raise InvalidValue(f"{shown(text)} is out of range", hint)
        return value

    return Scalar(kind, within)


_RATING = _number(-10_000, 10_000)
_SCALE = Group("scale", (
    Field("player", Scalar("player id", identifier), "Whose raw rating is given.", "dunn-george"),
    Field("year", YEAR, "The year of that rating, or of the first ones.", "1990"),
    Field("rating", _RATING, "That raw rating [Elo].", "2000"),
    Field("first", _number(1, 1000, whole=True),
          "Of how many with a rank and the highest raw ratings the mean is given.", "10"),
    Field("mean", _RATING, "The mean of these raw ratings, or of all [Elo].", "1500"),
))  # fmt: skip
_LIMITS: Mapping[str, Scalar] = MappingProxyType({
    "self_games": _number(0.1, 10_000),
    "self_score": _number(0.001, 0.999),
    "ghost_games": _number(0.1, 10_000),
    "background_mean": _RATING,
    "background_deviation": _number(1, 10_000),
    "variance_factor": _number(0.05, 1),
    "ranked_games": _number(0, 10_000),
    "ranked_events": _number(0, 1000, whole=True),
})  # fmt: skip
"""What may stand under `method`: settings of the pass, which `Settings` explains."""
_METHOD = Group("method", tuple(
    Field(name, type_, "A setting of the method.", f"{getattr(DEFAULT, name):g}")
    for name, type_ in _LIMITS.items()
))  # fmt: skip
_PLAYER_YEAR = Scalar("player and year", _player_year)
_MATCH = Group("match", (
    Field("first", _PLAYER_YEAR, "A player and a year.", "dunn-george 1990", required=True),
    Field("second", _PLAYER_YEAR, "The other player, and a year.", "eames-walter 2010",
          required=True),
    Field("games", _number(1, MOST_GAMES, whole=True), "Over how many games.", "20"),
))  # fmt: skip
SITE = Group(
    "site",
    (
        Field("name", TEXT, "The name of the site.", "Ratings of Riga"),
        Field("motto", TEXT, "The line below the name.", "The strength of players past"),
        Field("game", TEXT, "The game or sport, as within a sentence.", "Go"),
        Field("lang", Scalar("language", _language), "The language of the pages.", "en"),
        Field("colours", Several(TEXT, 2), "What `w` and `b` stand for.", "[White, Black]"),
        Field("draws", FLAG, "Whether a game can be drawn.", "true"),
        Field("seasons", FLAG, "Whether the year 2022 is the season 2021/22.", "false"),
        Field("accent", Scalar("colour", _accent), "The colour of links and curves.",
              "'#7c1d1d'"),
        Field("logo", Scalar("picture", _logo), "A picture in `static/`.", "logo.svg"),
        Field("base_url", Scalar("web address", web_address), "Where the site is published.",
              "https://example.org/ratings"),
        Field("author", TEXT, "Who answers for the ratings.", "Dunn, George"),
        Field("publisher", TEXT, "Who publishes the site.", "Springfield Chess Society"),
        Field("contact", Scalar("address", _address), "How to reach them.", "a@b.org"),
        Field("address", TEXT, "The publisher's postal address.", "1 Main Street, Springfield"),
        Field("report_to", Scalar("address", _address), "Where readers report errors.", "a@b.org"),
        Field("data_licence", Scalar("licence", _licence), "The licence of the data.", LICENCE),
        Field("system", Scalar("system", _system), "The system that the site leads with.", "edo"),
        Field("question", Several(_PLAYER_YEAR, 2),
              "Two players, each in a year, whom the front page compares.",
              "[dunn-george 1990, eames-walter 2010]"),
        Field("matches", Several(_MATCH), "Matches that were never played, to be shown.",
              "[{first: dunn-george 1990, second: eames-walter 2010, games: 20}]"),
        Field("scale", _SCALE, "What sets the offset of the scale.", "{mean: 1500}"),
        Field("method", _METHOD, "Settings of the method.", "{self_games: 30}"),
    ),
)  # fmt: skip
