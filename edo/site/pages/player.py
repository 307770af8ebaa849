"""The pages of players: curve, years, rivals, peak and the events that matter most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from edo.core import countries, formats
from edo.core.model import Citation, Event, PartialDate, Player, Result
from edo.history.names import other_names
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.inference.answers import Bridge, Influence, PeakYear, RankProbabilities
from edo.rating.network import LOST_ALL, WON_ALL, with_number
from edo.site import markup, metadata, urls
from edo.site.charts.rating_curve import RatingCurve, rating_curve
from edo.site.index import gather
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.pages.annotations import acknowledged
from edo.site.pages.highlights import highlights_of_player
from edo.site.pages.player_results import event_rows, has_totals_only, record_rows
from edo.site.pages.source import SourceRow, source_rows

SCRIPTS = (urls.static("curve.js"), urls.static("save.js"))
"""What a page with a rating curve loads."""

SYSTEMS_SCRIPTS = (urls.static("player_systems.js"),)
"""What a page loads that can show the ratings under all systems."""

LEAST_PEAK = 0.05  # below this a year is not shown as a possible peak
MOST_EVENTS = 6  # how many events are shown for the year of the peak
FEW_EVENTS = 2  # how many for every other year
MOST_LINKS = 2  # of how many events of a year its row has links; more are only counted
SHOWN_AT_ONCE = 12  # of how many events the results are shown without being asked for


@dataclass(frozen=True, slots=True)
class RatedYears:
    """The curve and the table year by year of one identity, `born` when, if that is known.

    `prefix` makes ids unique on a page with two curves. `ranked` is the number of players with a
    rank in each year, `chances` the place of this one in it, as far as known; `second` are the
    years by the second system. `description` is the curve in words, for those who do not see it.
    """

    player: str
    born: PartialDate | None
    prefix: str
    title: str
    description: str
    curve: RatingCurve
    years: tuple[PlayerYear, ...]
    peak: PlayerYear
    ranked: Mapping[int, int]
    chances: Mapping[int, RankProbabilities]
    events: Mapping[int, tuple[Link, ...]]
    second: Mapping[int, PlayerYear]

    def age(self, year: int) -> str:
        """Return the age reached in a year, where the year of birth is known."""
        about = "c. " if self.born is not None and self.born.approximate else ""
        return "" if self.born is None else f"{about}{year - self.born.year}"

    @property
    def has_gaps(self) -> bool:
        """Whether there are years without results."""
        return any(year.is_gap for year in self.years)

    @property
    def has_firsts(self) -> bool:
        """Whether the player may have been the strongest of some year with 1 % or more."""
        return any(one.first >= 0.01 for one in self.chances.values())


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of each player."""
    rated = site.ratings.players
    for player in site.dataset.players.values():
        identities = site.index.identities_of.get(player.id, ())
        has_curve = any(one.id in rated for one in (player, *identities))
        yield Page(
            path=urls.player(player.id),
            template="player.html",
            view=partial(player_view, player, site),
            title=player.shown_name,
            description=_description(player, site.ratings, site.config.game),
            about=metadata.person(player, site.base_url),
            scripts=(
                *(SCRIPTS if has_curve else ()),
                *(SYSTEMS_SCRIPTS if player.id in site.systems.rated_players else ()),
            ),
            picture=urls.picture(player.id) if site.ratings.has_picture(player.id) else None,
        )


def _description(player: Player, ratings: Ratings, game: str) -> str:
    peak = ratings.peak(player.id)
    if peak is None:
        return f"The {game} results of {player.shown_name}, who cannot be rated."
    years = ratings.players[player.id]
    return (
        f"The {game} ratings of {player.shown_name} year by year, "
        f"{formats.years(years[0].year, years[-1].year)}, and every result behind them; "
        f"the peak: {formats.rating(peak.rating)} in {peak.year}."
    )


def player_view(player: Player, site: SiteInput) -> Mapping[str, object]:
    """Return everything that the page of the player shows."""
    dataset = site.dataset
    page = urls.player(player.id)
    is_rated = player.id in site.ratings.players
    return {
        "player": player,
        "other_names": tuple(other_names(player)),
        "person": None
        if player.offhand_of is None
        else link_to(dataset.players[player.offhand_of]),
        "identities": list(_identities(player, site)),
        "rated": rated_years(player, site),
        "second_peak": site.second.peak(player.id),
        "flat_peak": site.answers.flat_peak(player.id),
        "countries": _countries(player, site),
        "reason": _reason(player.id, site),
        "answers": player_answers(player, site),
        "best": highlights_of_player(player.id, site) if is_rated else None,
        "systems": urls.system_ratings(player.id)
        if player.id in site.systems.rated_players
        else None,
        "events": tuple(event_rows(player, site)),
        "shown_at_once": SHOWN_AT_ONCE,
        "record": record_rows(player, site),
        "has_totals_only": has_totals_only(player, site),
        "notes": None if player.notes is None else markup.block(player.notes, page),
        "acknowledged": tuple(acknowledged(player.acknowledged, dataset, page)),
        "sources": _sources(player, site),
    }


def _countries(player: Player, site: SiteInput) -> Mapping[int, str]:
    """Return the states of the time in the years of play, each behind its first year."""
    if not (events := site.index.events_of_player.get(player.id)):
        return {0: countries.named(player.country)}
    return countries.periods(player.country_in, events[0].year, events[-1].year)


def _identities(player: Player, site: SiteInput) -> Iterator[Mapping[str, object]]:
    """Yield the offhand identities of a person, with ratings or the reason for none."""
    for number, identity in enumerate(site.index.identities_of.get(player.id, ()), start=1):
        anchor = "offhand" if number == 1 else f"offhand-{number}"
        yield {
            "player": link_to(identity),
            "anchor": anchor,
            "rated": rated_years(identity, site, prefix=f"{anchor}-"),
            "reason": _reason(identity.id, site),
        }


def _reason(player_id: str, site: SiteInput) -> str | None:
    """Return why a player is not rated, with how many games were all won or all lost."""
    reason = site.ratings.unrated.get(player_id)
    if reason not in (LOST_ALL, WON_ALL):
        return reason
    games = sum(
        pairing.games
        for event in site.index.events_of_player.get(player_id, ())
        for pairing in site.index.rateable_in(event.id)
        if player_id in (pairing.first.player, pairing.second.player)
    )
    return with_number(reason, games)


def _sources(player: Player, site: SiteInput) -> tuple[SourceRow, ...]:
    """Return the sources of the player's record and events, by title."""
    citing = [(Link("this record"), citation) for citation in player.sources]
    for event in site.index.events_of_player.get(player.id, ()):
        results = [seen.result for seen in site.index.results_of(event, player.id)]
        citing += [(link_to(event), citation) for citation in _cited(event, results, player)]
    return source_rows(citing, site.dataset.sources)


def _cited(event: Event, results: Iterable[Result], player: Player) -> Iterator[Citation]:
    """Yield what the event cites for itself, and for the player's results and total in it."""
    yield from event.sources
    for result in results:
        yield from result.sources
    for total in event.totals:
        if total.player == player.id:
            yield from total.sources


def rated_years(player: Player, site: SiteInput, prefix: str = "") -> RatedYears | None:
    """Return the curve and table of a player, None where unrated; `prefix` is that of the ids."""
    years, peak = site.ratings.players.get(player.id), site.ratings.peak(player.id)
    if years is None or peak is None:
        return None
    events: defaultdict[int, list[Event]] = defaultdict(list)
    for event in site.index.events_of_player.get(player.id, ()):
        for counted in site.index.years_of(event, player.id):
            events[counted].append(event)
    second = site.second.players.get(player.id, ())
    chances = {
        year.year: site.answers.rank_probabilities.get((player.id, year.year)) for year in years
    }
    return RatedYears(
        player=player.id,
        born=player.born,
        prefix=prefix,
        title=f"Ratings of {player.shown_name}",
        description=_curve_description(years, peak),
        curve=rating_curve(years, second),
        years=years,
        peak=peak,
        ranked={year.year: site.index.ranked_in[year.year] for year in years},
        chances={year: one for year, one in chances.items() if one is not None},
        events={year: _events_of_year(player, year, held) for year, held in events.items()},
        second={player_year.year: player_year for player_year in second},
    )


def _events_of_year(player: Player, year: int, events: list[Event]) -> tuple[Link, ...]:
    """Return links to the events that count for a year, or one to the player's list of them."""
    if len(events) <= MOST_LINKS or all(event.year != year for event in events):
        return tuple(map(link_to, events))
    words = formats.counted(len(events), "event")
    return (Link(words, f"{urls.player(player.id)}#e{year}"),)


def _curve_description(years: tuple[PlayerYear, ...], peak: PlayerYear) -> str:
    """Return the curve in words, for those who do not see it."""
    shown = formats.rating_with_deviation(peak.rating, peak.deviation)
    if len(years) == 1:
        return f"One rated year, {peak.year}: {shown}."
    first, last = years[0], years[-1]
    return (
        f"From {formats.rating(first.rating)} in {first.year} to {formats.rating(last.rating)} in "
        f"{last.year}; the highest {shown} in {peak.year}. "
        f"Years with results: {sum(not y.is_gap for y in years)} of {len(years)}."
    )


def player_answers(player: Player, site: SiteInput) -> Mapping[str, object]:
    """Return what follows from the joint distribution of all ratings for a player.

    `influences` hold the events that matter to the rating of each year, the largest effects first.
    """
    return {
        "rivals": site.answers.rivals.get(player.id, ()),
        "peaks": tuple(_peaks(player, site)),
        "influences": dict(_influences(player, site)),
        "bridges": _bridges_of(site).get(player.id, ()),
    }


@lru_cache(1)
def _bridges_of(site: SiteInput) -> Mapping[str, tuple[Bridge, ...]]:
    """Return the events without which each player would have no rating."""
    return gather((player, bridge) for bridge in site.answers.bridges for player in bridge.players)


def _peaks(player: Player, site: SiteInput) -> Iterator[PeakYear]:
    """Yield the years that may have been the best, the likeliest first; none of an only year."""
    if len(site.ratings.players.get(player.id, ())) > 1:
        found = site.answers.peaks.get(player.id, ())
        for one in sorted(found, key=lambda one: (-one.probability, one.year)):
            if one.probability >= LEAST_PEAK:
                yield one


def _influences(player: Player, site: SiteInput) -> Iterator[tuple[int, tuple[Influence, ...]]]:
    """Yield each year with results and the events that matter most to its rating, by year.

    Ratings of other years follow from those around them.
    """
    peak = site.ratings.peak(player.id)
    for rated in site.ratings.players.get(player.id, ()):
        influences = site.answers.influences.get((player.id, rated.year), ())
        if peak is not None and influences and not rated.is_gap:
            most = MOST_EVENTS if rated.year == peak.year else FEW_EVENTS
            yield rated.year, tuple(sorted(influences, key=_weight)[:most])


def _weight(one: Influence) -> tuple[bool, float, str]:
    """Return the sort key: events without which there is no rating, then large effects."""
    return one.own is not None, -abs(one.own or 0.0), one.event
