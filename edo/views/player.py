"""The whole input of the site in, a page for every player out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from edo import formats, markup, urls
from edo.rating import Ratings
from edo.records import Citation, Event, Player
from edo.views.career import EventRow, event_rows
from edo.views.material import Material, player_link
from edo.views.opponents import mark_words
from edo.views.player_answers import PlayerAnswers, player_answers
from edo.views.rated_years import RatedYears, peak_of, rated_years
from edo.views.record import RecordRow, has_totals_only, record_rows
from edo.views.site import Link, Page, SiteInput

LEGEND = {
    "soft": "a representative score made up by the editor, because the source only describes the "
    "outcome; rated like any score, with the few games the editor chose.",
    "odds": "one of the two gave odds; expected scores and performances take them into account.",
    "proportion": "the source gives a share of the games, not their number; rated as the few games "
    "that the editor chose.",
    "split": "games of one event that count for several years, each with the ratings of its year.",
    "default": "decided without play; shown, never rated.",
    "unrated": "games not rated, for the reason given.",
    "uncounted": "rated, but not counted in the event’s own totals.",
    "totals": "games without known results; their scores are solved from the final totals of all "
    "players, known games first, and rated.",
    "guess": "games without known results; how they were played and ended is a guess that keeps "
    "the final totals; rated.",
    "classes": "a handicap by classes; only games within a class are rated.",
    "incomplete": "some results of the event are missing.",
    "unverified": "the source does not say whether these are all the results.",
}
"""The marks that may stand beside a result, in the order of the page's foot."""


WHY_UNRATED = Link("Who can be rated, and why not everyone", urls.method("unrated"))
FOLDED_FROM = 4  # citations of one source, beyond which they are folded


@dataclass(frozen=True, slots=True)
class Identity:
    """The offhand identity of a person, rated apart; `below` leads to it on the person's page."""

    player: Link
    anchor: str
    below: Link
    rated: RatedYears | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source, and where the events that it is cited for cite it; a long list is folded."""

    source: Link
    summary: str
    is_long: bool
    places: tuple[tuple[Link, str | None], ...]


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's page, every number ready to show; `legend` explains its marks."""

    life: str | None
    born: str | None
    died: str | None
    country: str | None
    spellings: tuple[str, ...]
    person: Link | None
    identities: tuple[Identity, ...]
    rated: RatedYears | None
    reason: str | None
    why: Link
    answers: PlayerAnswers
    events: tuple[EventRow, ...]
    record: tuple[RecordRow, ...]
    has_totals_only: bool
    notes: Markup | None
    sources: tuple[SourceRow, ...]
    legend: tuple[tuple[str, str, str], ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of each player."""
    material = Material.of(site.dataset, site.ratings, site.answers)
    for player in site.dataset.players.values():
        yield Page(
            path=urls.player(player.id),
            template="player.html",
            view=player_view(player, material),
            title=player.shown_name,
            description=_description(player, material.ratings),
        )


def player_view(player: Player, material: Material) -> PlayerView:
    """Return everything that the page of the player shows."""
    dataset, ratings = material.dataset, material.ratings
    person = None if player.offhand_of is None else dataset.players[player.offhand_of]
    identities = material.index.identities_of.get(player.id, ())
    events = tuple(event_rows(player, material))
    return PlayerView(
        life=formats.life(player.born, player.died) if player.born or player.died else None,
        born=None if player.born is None else formats.date(player.born),
        died=None if player.died is None else formats.date(player.died),
        country=player.country,
        spellings=player.spellings,
        person=None if person is None else player_link(person),
        identities=tuple(
            _identity(identity, number, player, material)
            for number, identity in enumerate(identities, start=1)
        ),
        rated=rated_years(player, material),
        reason=ratings.unrated.get(player.id),
        why=WHY_UNRATED,
        answers=player_answers(player, material),
        events=events,
        record=record_rows(player, material),
        has_totals_only=has_totals_only(player, material),
        notes=None if player.notes is None else markup.block(player.notes, urls.player(player.id)),
        sources=_sources(player, material),
        legend=_legend(events),
    )


def _identity(identity: Player, number: int, person: Player, material: Material) -> Identity:
    anchor = "offhand" if number == 1 else f"offhand-{number}"
    return Identity(
        player=player_link(identity),
        anchor=anchor,
        below=Link("ratings below", f"{urls.player(person.id)}#{anchor}"),
        rated=rated_years(identity, material, prefix=f"{anchor}-"),
        reason=material.ratings.unrated.get(identity.id),
    )


def _sources(player: Player, material: Material) -> tuple[SourceRow, ...]:
    """Return the sources of the player's record and of all his events, by title."""
    places: defaultdict[str, dict[tuple[Link, str | None], None]] = defaultdict(dict)
    for citation in player.sources:
        places[citation.source][Link("this record"), citation.where] = None
    for event in material.index.events_of_player.get(player.id, ()):
        for citation in _cited(event, player):
            place = Link(event.name, urls.event(event.id)), citation.where
            places[citation.source][place] = None
    titles = material.dataset.sources
    return tuple(
        SourceRow(
            source=Link(titles[source].title, urls.source(source)),
            summary=formats.counted(len(places[source]), "citation"),
            is_long=len(places[source]) > FOLDED_FROM,
            places=tuple(places[source]),
        )
        for source in sorted(places, key=lambda source: (titles[source].title, source))
    )


def _cited(event: Event, player: Player) -> Iterator[Citation]:
    """Yield what the event cites for itself, and for what the player did in it."""
    yield from event.sources
    for result in event.results:
        if player.id in (result.first, result.second):
            yield from result.sources
    for total in event.totals:
        if total.player == player.id:
            yield from total.sources


def _legend(events: Iterable[EventRow]) -> tuple[tuple[str, str, str], ...]:
    """Return the kind of each mark on the page, the words on it, and what it means."""
    used = {kind for event in events for kind, _ in event.marks}
    return tuple(
        (kind, mark_words(kind), meaning) for kind, meaning in LEGEND.items() if kind in used
    )


def _description(player: Player, ratings: Ratings) -> str:
    years = ratings.players.get(player.id)
    if years is None:
        return f"The chess results of {player.shown_name}, who cannot be rated."
    peak = peak_of(years)
    return (
        f"The chess ratings of {player.shown_name} year by year, "
        f"{formats.years(years[0].year, years[-1].year)}, and every result behind them; "
        f"the peak: {formats.rating(peak.rating)} in {peak.year}."
    )
