"""The guide to all fields, in Markdown: templates/texts/fields.md, made from the list of fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from edo.core import yaml
from edo.history import fields
from edo.history.crosstable import aligned
from edo.history.fields import BLOCKS, RECORDS, Field, Group, Keyed, Scalar, Several
from edo.history.project import TEMPLATES

PATH = TEMPLATES / "texts" / "fields.md"
"""Its file among the texts of the program."""


@dataclass(frozen=True, slots=True)
class Section:
    """The fields of one kind of mapping: the word in their anchors, and an introduction.

    `also` names a field of the smallest example besides the required ones; `entry` is an example of
    the key of an entry of a registry.
    """

    word: str
    title: str
    about: str
    group: Group
    also: str | None = None
    entry: str | None = None


# fmt: off
SECTIONS = (
    Section("", "Events",
            "An event is a file of its own, `events/<year>/<id>.yaml`. The id is its name in "
            "lower-case letters, digits and single hyphens.", fields.EVENT, also="pairings"),
    Section("pairing", "Pairings", "The fields of each of the `pairings` of an event or a round.",
            fields.PAIRING, also="score"),
    Section("round", "Rounds", "The fields of each of the `rounds` of an event.", fields.ROUND),
    Section("team", "Teams", "The fields of each of the `teams` of an event.", fields.TEAM),
    Section("class", "Classes", "The fields of each of the `classes` of an event.", fields.CLASS,
            also="players"),
    Section("published-total", "Published totals",
            "The fields of each of the `published_totals` of an event.", fields.PUBLISHED_TOTAL),
    Section("remark", "Remarks",
            "The fields of each of the `remarks` of an event. It says at least one thing.",
            fields.REMARK, also="note"),
    Section("odds-given", "Odds of a game", "The fields of `odds` in a pairing or a remark.",
            fields.ODDS_GIVEN),
    Section("acknowledged", "Acknowledged warnings",
            "The fields of each of `acknowledged` of an event or a player.",
            fields.ACKNOWLEDGEMENT),
    Section("citation", "Citations", "The fields of each of the `sources` of a record.",
            fields.CITATION),
    Section("player", "Players",
            "`events/players/` has a file for each letter of the alphabet, with the players whose "
            "ids begin with it, in the order of their ids. An entry stands indented below its id.",
            RECORDS["players"], entry="castle-hugo"),
    Section("place", "Places", "`events/places.yaml` has the places, each indented below its id.",
            RECORDS["places"], entry="springfield"),
    Section("coordinates", "Coordinates", "The fields of `coordinates` of a place.",
            fields.COORDINATES),
    Section("source", "Sources",
            "`events/sources.yaml` has the sources, each indented below its id.",
            RECORDS["sources"], entry="gazette-1852"),
    Section("series", "Series", "`events/series.yaml` has the series, each indented below its id.",
            RECORDS["series"], entry="world-championship"),
    Section("odds", "Kinds of odds",
            "`events/odds.yaml` has the kinds of odds, each indented below its id.",
            RECORDS["odds"], also="points", entry="pawn-and-two-moves"),
)
# fmt: on

_HEAD = """\
# Every field, with an example

Every field of the files, in order: what it takes, when it must be there, what it means, and an \
example.

The program reads the files by one list of fields, `edo/history/fields.py`, and \
`python -m edo schema` \
makes this page from it, so that it is complete and up to date. For whole records, each kind with \
its example, see the [guide for editors](/method/editing.html). Leave out what is \
not known. The order of the fields does not matter; `python -m edo fmt` makes it that of this page.
"""

_FORMS = """\
## How values are written

The files are YAML: a field is its name, a colon, a blank and its value. Lists stand in brackets, \
`[castle-hugo, byrd-lucy]`, or line by line behind `- `; fields within a field in braces, \
`{source: book}`, or indented line by line. Indent with blanks, never with tabs, and save the file \
as UTF-8.
"""


def guide() -> str:
    """Return the page."""
    forms = [f'<h3 id="{_form_anchor(s)}">{s.name}</h3>\n\n{s.how}\n' for s in _scalars()]
    return "\n".join([_HEAD, *map(_section, SECTIONS), _FORMS, *forms])


def anchor(section: Section, field: Field) -> str:
    """Return the anchor of a field on the page, like `field-dates` or `field-player-born`."""
    return "-".join(filter(None, ("field", section.word, field.name.replace("_", "-"))))


def sample(field: Field) -> str:
    """Return the example of a field as it stands in a file, in canonical form."""
    if field.type in BLOCKS:
        return f"{field.name}: |\n{_indented(aligned(field.example).rstrip(), 2)}"
    node, _ = yaml.parse(f"{field.name}: {field.example}", PATH.name)
    written = yaml.node_data(node) if node is not None else {}
    return yaml.dump(written).rstrip() if isinstance(written, dict) else ""


def smallest(section: Section) -> str:
    """Return the smallest mapping of this kind that a file can hold."""
    group = section.group
    text = "\n".join(sample(f) for f in group.fields if f.required or f.name == section.also)
    return f"{section.entry}:\n{_indented(text, 2)}" if section.entry else text


def _section(section: Section) -> str:
    here = [f"[{f.name}](#{anchor(section, f)})" for f in section.group.fields]
    parts = [
        f"## {section.title}\n",
        f"{section.about} {_choices(section.group)}".strip() + "\n",
        "The smallest one:\n",
        f"{_indented(smallest(section), 4)}\n",
        f"The fields: {', '.join(here)}.\n",
    ]
    return "\n".join([*parts, *(_field(section, field) for field in section.group.fields)])


def _choices(group: Group) -> str:
    """Return which of the fields of a group exclude each other."""
    if names := group.exactly_one or group.at_most_one:
        return f"{'Exactly' if group.exactly_one else 'At most'} one of {_listed(names)} is there."
    return ""


def _field(section: Section, field: Field) -> str:
    need = "always needed" if field.required else "can be left out"
    if field.default:
        need += f", which means `{field.default}`"
    if field.name in section.group.exactly_one:
        need = f"one of {_listed(section.group.exactly_one)} is needed"
    says = f"{field.doc} {field.when}".strip()
    return (
        f'<h3 id="{anchor(section, field)}"><code>{field.name}</code></h3>\n\n'
        f"{says}\n\n"
        f"Takes {_taken(field.type)}; {need}.\n\n"
        f"{_indented(sample(field), 4)}\n"
    )


def _taken(type_: Scalar | Several | Keyed | Group) -> str:
    """Return what a field takes, with a link to how it is written."""
    if isinstance(type_, Several):
        number = "" if type_.length is None else f" of {type_.length}"
        return f"a list{number}: {_one(type_.item)}"
    if isinstance(type_, Keyed):
        return f"keys and values: {_one(type_.key)}, {_one(type_.value)}"
    choices = type_.choices if isinstance(type_, Scalar) else ()
    return f"{_listed(choices)} ({_one(type_)})" if choices else _one(type_)


def _one(type_: Scalar | Group) -> str:
    if isinstance(type_, Scalar):
        return f"[{type_.name}](#{_form_anchor(type_)})"
    title = next(section.title for section in SECTIONS if section.group is type_)
    return f"[the fields of {title[0].lower()}{title[1:]}](#{_slug(title)})"


def _scalars() -> Iterator[Scalar]:
    """Yield each type of value once, in the order in which the fields first name it."""
    found: dict[str, Scalar] = {}
    for section in SECTIONS:
        for field in section.group.fields:
            type_ = field.type.item if isinstance(field.type, Several) else field.type
            inner = (type_.key, type_.value) if isinstance(type_, Keyed) else (type_,)
            for one in inner:
                if isinstance(one, Scalar):
                    found.setdefault(one.name, one)
    yield from found.values()


def _form_anchor(type_: Scalar) -> str:
    return f"form-{_slug(type_.name)}"


def _slug(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", words.lower())


def _listed(names: tuple[str, ...]) -> str:
    *before, last = (f"`{name}`" for name in names)
    return f"{', '.join(before)} or {last}"


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in text.split("\n"))
