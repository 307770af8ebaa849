"""All events in; for each, what came before and after in its year, place, series and pair, out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from edo.core import formats, urls
from edo.core.model import Dataset, Event
from edo.site.input import Link
from edo.site.pages.index import Index, gather


@dataclass(frozen=True, slots=True)
class Thread:
    """A row of events to which an event belongs: what they share, and its neighbours in it.

    `whole` leads to the page of all of them, or only says what they share.
    """

    name: str
    whole: Link
    before: Link | None
    after: Link | None


@dataclass(frozen=True, slots=True)
class Threads:
    """The rows of events by place and by series, each in the order in which they were played."""

    dataset: Dataset
    index: Index
    of_place: Mapping[str, tuple[Event, ...]]
    of_series: Mapping[str, tuple[Event, ...]]

    @classmethod
    def of(cls, dataset: Dataset, index: Index) -> Threads:
        """Return the rows of all events of a dataset."""
        events = [event for held in index.events_of_year.values() for event in held]
        return cls(
            dataset,
            index,
            gather((event.place, event) for event in events if event.place is not None),
            gather((event.series, event) for event in events if event.series is not None),
        )

    def of_event(self, event: Event) -> Iterator[Thread]:
        """Yield the rows in which an event stands."""
        year = Link(str(event.year), urls.year(event.year))
        yield _thread("Same year", year, event, self.index.events_of_year[event.year])
        if event.place is not None:
            place = Link(self.dataset.places[event.place].name, urls.place(event.place))
            yield _thread("Same place", place, event, self.of_place[event.place])
        if event.series is not None:
            series = Link(self.dataset.series[event.series].name, urls.series(event.series))
            yield _thread("Same series", series, event, self.of_series[event.series])
        if event.kind == "match":
            yield self._of_pair(event)

    def _of_pair(self, event: Event) -> Thread:
        """Return the events in which the two of a match met."""
        one, other = event.players
        met = [
            held
            for held in self.index.events_of_player[one]
            if held is event or any({r.first, r.second} == {one, other} for r in held.results)
        ]
        names = " – ".join(self.dataset.players[p].shown_name for p in sorted(event.players))
        page = self.index.page_of_pair(one, other)
        words = names if page else f"{names}, {formats.counted(len(met), 'event')}"
        return _thread("Same opponents", Link(words, page), event, met)


def _thread(name: str, whole: Link, event: Event, events: Sequence[Event]) -> Thread:
    place = next(i for i, held in enumerate(events) if held is event)
    before = events[place - 1] if place > 0 else None
    after = events[place + 1] if place + 1 < len(events) else None
    return Thread(name, whole, event_link(before), event_link(after))


def event_link(event: Event | None) -> Link | None:
    """Return the link to an event, None for none."""
    return None if event is None else Link(event.name, urls.event(event.id))
