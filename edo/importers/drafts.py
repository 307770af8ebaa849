"""Drafts of event files with the registry entries they need and the report about them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping

from edo.core.model import Dataset
from edo.core.yaml import Plain, dump
from edo.history.field_types import REGISTRIES
from edo.history.reading import Known
from edo.importers.compose import NewEvent, compose
from edo.importers.known import KnownEvents, site_key
from edo.importers.names import Roster, free_id
from edo.importers.report import Report


class Drafts:
    """The files of one import.

    `entries` are proposed records by registry and id, `ids` those of the events drafted so far.
    """

    def __init__(self, dataset: Dataset, people: Roster, report: Report) -> None:
        self.dataset, self.people, self.report = dataset, people, report
        self.events = KnownEvents(dataset)
        self.places = {site_key(one.name): one.id for one in dataset.places.values()}
        self.entries: dict[str, dict[str, Mapping[str, Plain]]] = {
            "players": {one.id: one.entry() for one in people.new}, "places": {}, "sources": {},
        }  # fmt: skip
        former = (old for event in dataset.events.values() for old in event.former_ids)
        self._taken = {
            "events": dict.fromkeys((*dataset.events, *former), 1),
            "places": dict.fromkeys(dataset.places, 1),
            "sources": dict.fromkeys(dataset.sources, 1),
        }
        self._known = Known({
            name: ChainMap(self.entries.get(name, {}), getattr(dataset, name))
            for name in REGISTRIES
        })  # fmt: skip
        self._texts: dict[str, str] = {}
        self._players: set[str] = set()
        self.ids: set[str] = set()

    def __len__(self) -> int:
        return len(self._texts)

    def free_id(self, registry: str, text: str, otherwise: str) -> str:
        """Return an id made from the text that nothing has or had, and mark it as used."""
        return free_id(text, otherwise, self._taken[registry])

    def add(self, event: NewEvent, size: str, place: str, warnings: Iterable[str]) -> None:
        """Write the draft of an event and note its warnings; `place` is that of its first row."""
        text, problems = compose(event, self._known)
        name = event.fields["name"]
        if text is None:
            self.report.note("refused", place, f"{name}: {'; '.join(problems)}")
            return
        self._texts[event.path] = text
        self._players |= event.players
        self.ids.add(event.id)
        self.report.note("drafted", event.path, f"{name}: {size}", event=event.id, first=place)
        for warning in dict.fromkeys((*warnings, *problems)):
            self.report.note("unsure", event.path, f"{name}: {warning} ({place})")

    def files(
        self, title: str, inputs: Mapping[str, Plain], counts: Mapping[str, Plain]
    ) -> tuple[dict[str, bytes], dict[str, Plain]]:
        """Return all files by their paths, and all counts; `inputs` are as in `Report.files`."""
        new = [player.id for player in self.people.new if player.id in self._players]
        self.report.note_names(self.people, new)
        texts = dict(self._texts)
        for name, entries in self.entries.items():
            used = self._players if name == "players" else entries
            chosen = {id_: entries[id_] for id_ in sorted(entries) if id_ in used}
            if chosen and self._texts:
                texts[f"{name}.yaml"] = dump(chosen)
        number = self.report.number
        counted: dict[str, Plain] = {
            **counts,
            "events drafted": number("drafted"),
            "events not drafted": number("refused"),
            "events already in the history": number("already"),
            "events perhaps already in the history": number("perhaps"),
            "events set apart": number("apart"),
            "known players": self.people.known,
            "spellings taken for known players": len(self.people.mapped),
            "proposed new players": len(new),
            "warnings": number("unsure"),
        }
        texts |= self.report.files(title, inputs, counted)
        return {path: texts[path].encode() for path in sorted(texts)}, counted
