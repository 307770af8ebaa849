"""Drafts of event files with the registry entries that they need: report, and acceptance."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

from edo.core import yaml
from edo.core.files import Replacement
from edo.core.formats import counted
from edo.core.model import Dataset, Event
from edo.core.problems import EdoError
from edo.core.text import fold, kebab
from edo.core.yaml import YamlValue, dump, node_data
from edo.history import values
from edo.history.draft import Lookup, registry_texts
from edo.history.events import event_of
from edo.history.fields import EVENT, REGISTRIES, Registry
from edo.history.names import KnownNames, free_id
from edo.history.reading import Known
from edo.importers.compose import NewEvent, compose
from edo.importers.known import Already, KnownEvents, site_key, town
from edo.importers.people import Mention, Roster, garbled, roster

SHOWN = 200  # findings of one kind in the Markdown; the JSON has all

SECTIONS = {
    "drafted": (
        "Events drafted",
        "Compare each with a source; `import --accept ID` then moves it into `events/`, with the "
        "players, places and sources that it names.",
    ),
    "unsure": ("Drafts with warnings", "Look at each before it is moved."),
    "refused": ("Events not drafted", "Correct the table, or enter the event by hand."),
    "already": (
        "Events already in the history",
        "Compare the differences with the sources and correct the file where it is wrong; where "
        "the event went on, `import --replace --accept ID` puts the new results there.",
    ),
    "perhaps": (
        "Events perhaps already in the history",
        "If it is another event, enter it as a new one; otherwise compare the two.",
    ),
    "apart": (
        "Events set apart",
        "Not drafted, because their results say little about strength. Nothing needs to be done.",
    ),
    "exact": ("Names of known players", "Nothing needs to be done."),
    "mapped": (
        "Spellings taken for known players",
        "If one is wrong, correct the id in the drafts; if right, add it to the player's "
        "`spellings`.",
    ),
    "new": (
        "Proposed new players",
        "They are in `players.yaml`. If one is a candidate after all, put the candidate's id into "
        "the drafts instead.",
    ),
    "alike": (
        "Names of one event that look alike",
        "If two are one person, write the name in one way and import again.",
    ),
    "left out": (
        "Games and rows left out",
        "Correct the collection where a result or a name is known.",
    ),
    "twice": ("Duplicate games", "One of each is kept."),
    "conflicts": (
        "Games that contradict each other",
        "Neither is kept. Look up the result and add it to the draft.",
    ),
    "dates": ("Impossible dates", "The part that is possible is kept."),
    "bare": (
        "Games without moves",
        "They are drafted as won by default, which may be wrong: look up whether they were played, "
        "and correct the mark and the remark.",
    ),
    "letters": (
        "Names with damaged letters",
        "Correct them in the collection, or the names and ids in the drafts.",
    ),
}
"""Each kind of finding, with its title and what to do about it."""

PROPOSED: tuple[Registry, ...] = ("players", "places", "sources")
"""The registries for which an import drafts new entries."""


Data = dict[str, YamlValue]


class Import(NamedTuple):
    """The files of an import by their paths in the folder of drafts, its inputs and its counts."""

    files: Mapping[str, bytes]
    inputs: Sequence[str]
    counts: Mapping[str, YamlValue]


class Drafts:
    """The files of one import, and the findings for the editor.

    `names` are those of players by id, `ids` those of the events drafted so far.
    """

    people: Roster

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.events = KnownEvents(dataset)
        self._places = {site_key(place.name): place.id for place in dataset.places.values()}
        self.names = {player.id: player.name for player in dataset.players.values()}
        self._sources = {fold(source.title): source.id for source in dataset.sources.values()}
        self._sources |= {
            source.url: source.id for source in dataset.sources.values() if source.url
        }
        self._lookup = Lookup(dataset, {registry: {} for registry in PROPOSED})
        self._known = self._lookup.known()
        self._event_ids = self._lookup.event_ids()
        self._findings: dict[str, list[dict[str, YamlValue]]] = {name: [] for name in SECTIONS}
        self._texts: dict[str, str] = {}
        self._players: set[str] = set()
        self.ids: set[str] = set()

    def note(self, section: str, place: str, text: str, **more: YamlValue) -> None:
        """Add a finding to the report; `more` goes into the JSON only."""
        self._findings[section].append({"place": place, "text": text, **more})

    def number(self, section: str) -> int:
        """Return how many findings of the kind there are."""
        return len(self._findings[section])

    def recognize(
        self, mentions: Iterable[Mention], settled: Mapping[str, str] | None = None
    ) -> Roster:
        """Find out who the players are; `settled` are names whose ids an editor has decided."""
        mentions = list(mentions)
        self.check_letters((each.name, each.place) for each in mentions)
        taken = {*self.dataset.players, *(settled or {}).values()}
        self.people = roster(mentions, KnownNames(self.dataset), taken, settled)
        for first, second, place in self.people.alike:
            self.note("alike", place, f"`{first}` and `{second}` are taken for two people")
        self.names |= {new.id: new.name for new in self.people.new}
        self._lookup.added["players"] |= {new.id: new.entry for new in self.people.new}
        return self.people

    def check_letters(self, texts: Iterable[tuple[str, str]]) -> None:
        """Note the names whose letters are damaged, each with its first place."""
        first: dict[str, str] = {}
        for text, place in texts:
            if first.setdefault(text, place) is place and (wrong := garbled(text)):
                self.note("letters", place, f"`{text}`: {wrong}")

    def new_event_id(self, name: str, year: int) -> str:
        """Return an id made from the name that no event has or had, and mark it as used."""
        id_ = free_id(kebab(name) or f"event-{year}", self._event_ids)
        self._event_ids.add(id_)
        return id_

    def propose(
        self, registry: Registry, text: str, entry: Mapping[str, YamlValue], id_: str = ""
    ) -> str:
        """Draft an entry of a registry; return its id, which is made from the text by default."""
        otherwise = registry.removesuffix("s")
        id_ = id_ or free_id(kebab(text) or otherwise, self._lookup.ids(registry))
        self._lookup.added[registry][id_] = dict(entry)
        return id_

    def place(self, texts: Sequence[str]) -> tuple[str | None, list[str]]:
        """Return the id of the one place with these names, proposing it if it is new; warnings."""
        if len(texts) == 1 and texts[0] in self.dataset.places:
            return texts[0], []
        towns = {site_key(text): text for text in texts if site_key(text)}
        if len(towns) != 1:
            named = ", ".join(sorted(towns.values() or filter(None, texts)))
            return None, [f"not one town: {named}; write `place`"] if named else []
        ((key, text),) = towns.items()
        if key in self._places:
            return self._places[key], []
        self._places[key] = self.propose("places", town(text), {"name": town(text)})
        return self._places[key], [f"the place `{text}` is new; it is in places.yaml of the drafts"]

    def source(self, text: str, base: str = "", **more: YamlValue) -> str:
        """Return the source of this id, title or address, proposing an entry if it is new.

        The id of a new source is made from `base` or its title; `more` goes into its entry.
        """
        if text in self.dataset.sources:
            return text
        id_ = self._sources.get(text) or self._sources.get(fold(text))
        if id_ is None:
            title = re.sub(r"^https?://(www\.)?", "", text)
            short = " ".join(word[: values.MAX_WORD] for word in title.split())
            entry = {"title": short, "url": _url(text), **more}
            id_ = self._sources[fold(text)] = self.propose("sources", base or title, entry)
        return id_

    def add(self, event: NewEvent, size: str, place: str, warnings: Iterable[str]) -> None:
        """Write the draft of an event and note its warnings; `place` is that of its first row."""
        text, problems = compose(event, self._known)
        name = event.fields["name"]
        if text is None:
            self.note("refused", place, f"{name}: {'; '.join(problems)}")
            return
        self._texts[event.path] = text
        self._players |= event.players
        self.ids.add(event.id)
        date = str(event.fields.get("dates") or event.fields["year"])
        self.note("drafted", event.path, f"{name}: {size}", event=event.id, first=place, date=date)
        for warning in dict.fromkeys((*warnings, *problems)):
            self.note("unsure", event.path, f"{name}: {warning} ({place})", date=date)

    def note_known(self, place: str, called: str, known: Already, remark: str = "") -> None:
        """Note that the history has an event, and how its file differs."""
        text = "; ".join(known.differences) or "nothing differs"
        self.note("already" if known.sure else "perhaps", place,
                  f"{called}: {known.event.path}; {text}{remark}", file=known.event.path,
                  event=known.event.id, differences=list(known.differences))  # fmt: skip

    def _note_names(self) -> None:
        """Note which players were recognized by a new spelling, and which new ones are drafted."""
        mapped = [each for each in self.people.known if each.match.reason]
        for each in sorted(mapped, key=lambda each: (each.text, each.match.player or "")):
            when = f"{each.when}, {counted(each.count, 'game')}"
            text = f"`{each.text}` ({when}) is {each.match.player}"
            self.note("mapped", each.place, f"{text}: {each.match.reason}",
                      player=each.match.player)  # fmt: skip
        for player in (new for new in self.people.new if new.id in self._players):
            spelled = ", ".join(f"`{each.text}` ({each.when})" for each in player.spellings)
            listed = "; ".join(f"{id_}: {why}" for id_, why in player.candidates.items())
            text = f"{player.id}: {spelled}" + (f"; perhaps {listed}" if listed else "")
            self.note("new", player.spellings[0].place, text, player=player.id,
                      candidates=player.candidates)  # fmt: skip

    def files(self, title: str, inputs: Sequence[str], counts: Mapping[str, YamlValue]) -> Import:
        """Return all files and counts; `inputs` are lines about what was read."""
        self._note_names()
        for section in ("drafted", "unsure"):
            self._findings[section].sort(key=lambda each: (str(each["date"]), str(each["place"])))
        texts = dict(self._texts)
        for registry in PROPOSED:
            entries = self._lookup.added[registry]
            used = entries.keys() & self._players if registry == "players" else entries
            if used and self._texts:
                texts[f"{registry}.yaml"] = dump({id_: entries[id_] for id_ in sorted(used)})
        known = len({each.match.player for each in self.people.known})
        counted = {**counts, "known players": known}
        counted |= {
            heading.lower(): self.number(name)
            for name, (heading, _) in SECTIONS.items()
            if self.number(name) or name == "drafted"
        }
        sections: YamlValue = {
            name: {"title": heading, "number": self.number(name), "findings": self._findings[name]}
            for name, (heading, _) in SECTIONS.items()
        }
        data = {"inputs": list(inputs), "counts": counted, "sections": sections}
        texts["report.json"] = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        lines = [f"# {title}", "", *(f"- {line}" for line in inputs), ""]
        lines += [f"- {name}: {value}" for name, value in counted.items()]
        for name, findings in self._findings.items():
            lines += _as_markdown(*SECTIONS[name], findings) if findings else []
        texts["REPORT.md"] = "\n".join(lines) + "\n"
        return Import({path: texts[path].encode() for path in sorted(texts)}, inputs, counted)


def _as_markdown(title: str, advice: str, findings: list[dict[str, YamlValue]]) -> list[str]:
    lines = ["", f"## {title} ({len(findings)})", "", advice, ""]
    lines += [f"- {_escaped(each['place'])}: {_escaped(each['text'])}" for each in findings[:SHOWN]]
    if len(findings) > SHOWN:
        lines.append(f"- and {len(findings) - SHOWN} more, in `report.json`")
    return lines


def _escaped(text: YamlValue) -> str:
    """Return text of others with its Markdown and HTML made harmless."""
    return re.sub(r"[\\<>\[\]*_#|]", r"\\\g<0>", str(text))


def _url(text: str) -> str | None:
    try:
        return values.url(text)
    except values.InvalidValue:
        return None


class NotAccepted(EdoError):
    """A draft cannot be moved as requested; nothing was written."""


def accepted(
    wanted: Sequence[str], drafts: Path, events: Path, dataset: Dataset, *, replaces: bool = False
) -> dict[Path, Replacement]:
    """Return the files that change, nothing after for those that are removed.

    They are the events, the registries with the entries that the events name, and the drafts.
    `replaces`: the results of a draft take the place of those of an event of the same id.
    Raises NotAccepted with all reasons where a draft is not there, is in the history already, or
    has an error.
    """
    lookup = Lookup(dataset)
    proposed = {registry: _entries(drafts / f"{registry}.yaml") for registry in PROPOSED}
    ids = {registry: lookup.ids(registry) for registry in REGISTRIES}
    unrated_odds = {kind.id: kind.unrated for kind in dataset.odds.values() if kind.unrated}
    known = Known({name: {*ids[name], *proposed.get(name, ())} for name in ids}, unrated_odds)
    changed: dict[Path, Replacement] = {}
    wrong: list[str] = []
    for id_ in dict.fromkeys(wanted):
        paths = sorted(path for path in drafts.glob("[0-9]*/*.yaml") if path.stem == id_)
        if len(paths) != 1:
            number = "several drafts" if paths else "no draft"
            wrong.append(f"{id_}: {number} of this id in {drafts}")
            continue
        (path,) = paths
        before = dataset.events.get(id_)
        if id_ in lookup.event_ids() and not (replaces and before):
            hint = "compare the two, or take the draft's results by `--replace --accept`"
            wrong.append(f"{id_}: the history has or had such an event; {hint}")
            continue
        drafted, problems = yaml.read_text(path, path.as_posix())
        text, target = drafted, events / path.parent.name / path.name
        changed[target] = Replacement(None, text)
        changed[path] = Replacement(drafted, None)
        if before and drafted is not None:
            old = events / Path(before.path).parent.name / path.name
            earlier, _ = yaml.read_text(old, old.as_posix())
            text, flaws = _replaced(old, earlier or "", drafted, path)
            wrong += [f"{id_}: {flaw}" for flaw in flaws]
            changed[old] = Replacement(earlier, None)
            changed[target] = Replacement(earlier if target == old else None, text)
        if text is not None:
            parsed = yaml.parse(text, path.as_posix())
            event, problems = event_of(parsed, path, path.as_posix(), known)
            for registry, named in _named(event).items() if event else ():
                for new in sorted(named & proposed[registry].keys() - ids[registry]):
                    lookup.added.setdefault(registry, {})[new] = dict(proposed[registry][new])
        wrong += [str(problem) for problem in problems if problem.severity == "error"]
    if wrong:
        raise NotAccepted("\n".join(wrong))
    return {**registry_texts(lookup, events), **changed}


_OF_RESULTS = frozenset(
    ("players", "crosstable", "pairings", "rounds", "teams", "totals", "published_totals",
     "games_per_pair", "rest", "players_in_all", "remarks", "completeness", "missing")
)  # fmt: skip
"""The fields of an event that follow from its results."""


def _replaced(old: Path, text: str, draft: str, path: Path) -> tuple[str, list[str]]:
    """Return the text of an event with the results of a draft, and what of it would be lost."""
    nodes = [yaml.parse(text, str(old))[0], yaml.parse(draft, str(path))[0]]
    before, after = ({} if node is None else cast(Data, node_data(node)) for node in nodes)
    flaws = []
    if re.search(r"(?m)^\s*#", text):
        flaws.append(f"{old} has comments, which would be lost; move them into `notes`")
    said = _said_of_pairs(after)
    for key, said_before in _said_of_pairs(before).items():
        if lost := said_before - said.get(key, set()):
            flaws.append(
                f"the draft lacks {', '.join(sorted(lost))} of {' - '.join(key)}, which {old} has; "
                "write it into the draft"
            )
    kept = {name: value for name, value in before.items() if name not in _OF_RESULTS}
    merged = {**after, **kept}
    if "dates" in after:
        merged["dates"] = after["dates"]
    return dump({field.name: merged.get(field.name) for field in EVENT.fields}), flaws


def _said_of_pairs(event: YamlValue) -> dict[tuple[str, ...], set[str]]:
    """Return which fields besides the results an event has of each pair of players."""
    found: dict[tuple[str, ...], set[str]] = {}
    if isinstance(event, dict):
        if isinstance(pair := event.get("players"), list) and "kind" not in event:
            said = {*event} - {"players", "games", "score", "game"}
            found[tuple(sorted(map(str, pair)))] = said
        else:
            event = [event[name] for name in ("pairings", "rounds", "remarks") if event.get(name)]
    for part in event if isinstance(event, list) else ():
        for key, said in _said_of_pairs(part).items():
            found.setdefault(key, set()).update(said)
    return found


def _named(event: Event) -> dict[Registry, set[str]]:
    """Return the ids that an event names, of the registries that drafts may add to."""
    cited = [event.sources]
    cited += [result.sources for result in event.results]
    cited += [total.sources for total in event.totals]
    return {
        "players": set(event.players),
        "places": {event.place} if event.place else set(),
        "sources": {citation.source for citations in cited for citation in citations},
    }


def _entries(path: Path) -> dict[str, dict[str, YamlValue]]:
    """Return the records of a file of drafts, none where it is not there."""
    if not path.exists():
        return {}
    node, problems = yaml.read(path, path.as_posix())
    if node is None or problems:
        raise NotAccepted("\n".join(map(str, problems)))
    entries = ((id_, node_data(value)) for id_, value in node.values.items())
    return {id_: dict(entry) for id_, entry in entries if isinstance(entry, dict)}
