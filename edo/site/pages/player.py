"""The whole input of the site in, a page for every player out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import countries, formats, urls
from edo.core.model import Citation, Event, Player, Result
from edo.rating.edo import Ratings
from edo.site import markup, metadata
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.career import EventRow, event_rows
from edo.site.pages.doubted import Doubted, doubted
from edo.site.pages.material import Material, material_of, player_link
from edo.site.pages.player_answers import PlayerAnswers, player_answers
from edo.site.pages.player_systems import PlayerSystems, player_systems
from edo.site.pages.rated_years import SCRIPTS, RatedYears, peak_of, rated_years
from edo.site.pages.record import RecordRow, has_totals_only, record_rows
from edo.site.pages.sourced import SourceRow, source_rows

WHY_UNRATED = Link("Who can be rated, and why not everyone", urls.method("unrated"))


@dataclass(frozen=True, slots=True)
class Identity:
    """The offhand identity of a person, rated apart; `below` leads to it on the person's page."""

    player: Link
    anchor: str
    below: Link
    rated: RatedYears | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's page, every number ready to show."""

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
    systems: PlayerSystems | None
    events: tuple[EventRow, ...]
    record: tuple[RecordRow, ...]
    has_totals_only: bool
    notes: Markup | None
    doubted: tuple[Doubted, ...]
    sources: tuple[SourceRow, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of each player."""
    material = material_of(site)
    rated = material.ratings.players
    for player in site.dataset.players.values():
        identities = material.index.identities_of.get(player.id, ())
        has_curve = any(one.id in rated for one in (player, *identities))
        yield Page(
            path=urls.player(player.id),
            template="player.html",
            view=partial(player_view, player, material),
            title=player.shown_name,
            description=_description(player, material.ratings),
            about=metadata.person(player, site.base_url),
            scripts=SCRIPTS if has_curve else (),
            table=urls.table(urls.player(player.id)) if player.id in rated else None,
            picture=urls.picture(player.id) if player.id in rated else None,
        )


def player_view(player: Player, material: Material) -> PlayerView:
    """Return everything that the page of the player shows."""
    dataset, ratings = material.dataset, material.ratings
    person = None if player.offhand_of is None else dataset.players[player.offhand_of]
    identities = material.index.identities_of.get(player.id, ())
    return PlayerView(
        life=formats.life(player.born, player.died) if player.born or player.died else None,
        born=None if player.born is None else formats.date(player.born),
        died=None if player.died is None else formats.date(player.died),
        country=countries.named(player.country) or None,
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
        systems=player_systems(player, material),
        events=tuple(event_rows(player, material)),
        record=record_rows(player, material),
        has_totals_only=has_totals_only(player, material),
        notes=None if player.notes is None else markup.block(player.notes, urls.player(player.id)),
        doubted=tuple(doubted(player.acknowledged, dataset, urls.player(player.id))),
        sources=_sources(player, material),
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
    citing = [(Link("this record"), citation) for citation in player.sources]
    for event in material.index.events_of_player.get(player.id, ()):
        link = Link(event.name, urls.event(event.id))
        results = material.index.results_of.get((event.id, player.id), ())
        citing += [(link, citation) for citation in _cited(event, results, player)]
    return source_rows(citing, material.dataset.sources)


def _cited(event: Event, results: Iterable[Result], player: Player) -> Iterator[Citation]:
    """Yield what the event cites for itself, and for the player's results and total in it."""
    yield from event.sources
    for result in results:
        yield from result.sources
    for total in event.totals:
        if total.player == player.id:
            yield from total.sources


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
