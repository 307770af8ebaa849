"""The pages of players: curve, years, rivals, peak and the events that matter most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from edo.core import countries, formats
from edo.core.model import Citation, Event, PartialDate, Player, Result, Source
from edo.history.names import other_names
from edo.rating.coverage import event_unrated
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.games import rows_from_totals
from edo.rating.inference.answers import Bridge, Influence, PeakYear, RankProbabilities
from edo.rating.network import LOST_ALL, WON_ALL, with_number
from edo.site import markup, metadata, urls
from edo.site.charts.rating_curve import RatingCurve, rating_curve
from edo.site.index import gather
from edo.site.input import Page, SiteInput, link_to
from edo.site.pages.highlights import highlights_of_player
from edo.site.pages.player_results import event_rows, has_totals_only, record_rows

SCRIPTS = (urls.static("curve.js"), urls.static("save.js"))
"""What a page with a rating curve loads."""

LEAST_PEAK = 0.05  # below this a year is not shown as a possible peak
MOST_EVENTS = 6  # how many events are shown for the year of the peak
FEW_EVENTS = 2  # how many for every other year
LEADING = 50  # the ranks in whose years the events are named that matter to the rating
SHOWN_AT_ONCE = 12  # of how many events the results are shown without being asked for
CURVE_YEARS = 3  # of how many years there is a curve, even where none of them has a rank


@dataclass(frozen=True, slots=True)
class RatedYears:
    """The curve and the table year by year of one identity, `born` when, if that is known.

    `prefix` makes ids unique on a page with two curves. `ranked` is the number of players with a
    rank in each year, `chances` the place of this one in it, as far as known; `second` are the
    years by the second system. `description` is the curve in words, for those who do not see it.
    There is no curve of a player with a year or two and never a rank.
    """

    player: str
    born: PartialDate | None
    prefix: str
    title: str
    description: str
    curve: RatingCurve | None
    years: tuple[PlayerYear, ...]
    peak: PlayerYear
    ranked: Mapping[int, int]
    chances: Mapping[int, RankProbabilities]
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
        has_curve = any(_has_curve(rated.get(one.id, ())) for one in (player, *identities))
        yield Page(
            path=urls.player(player.id),
            template="player.html",
            view=partial(player_view, player, site),
            title=player.shown_name,
            description=_description(player, site.ratings, site.config.game),
            about=metadata.person(player, site.base_url),
            scripts=SCRIPTS if has_curve else (),
            picture=urls.picture(player.id) if site.ratings.has_picture(player.id) else None,
        )


def _is_ranked(years: Sequence[PlayerYear]) -> bool:
    return any(year.rank is not None for year in years)


def _has_curve(years: Sequence[PlayerYear]) -> bool:
    return len(years) >= CURVE_YEARS or _is_ranked(years)


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
    """Return everything that the page of the player shows.

    Who never had a rank has a short page: what follows from a few games says little of him.
    """
    dataset = site.dataset
    page = urls.player(player.id)
    is_full = _is_ranked(site.ratings.players.get(player.id, ()))
    return {
        "player": player,
        "is_full": is_full,
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
        "answers": player_answers(player, site, is_full),
        "best": highlights_of_player(player.id, site) if is_full else None,
        "events": tuple(event_rows(player, site)),
        "shown_at_once": SHOWN_AT_ONCE,
        "record": record_rows(player, site),
        "has_totals_only": has_totals_only(player, site),
        "notes": None if player.notes is None else markup.block(player.notes, page),
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
    events = site.index.events_of_player.get(player_id, ())
    return with_number(reason, sum(_rated_games(event, player_id, site) for event in events))


def _rated_games(event: Event, player: str, site: SiteInput) -> float:
    """Return the games [games] of a player in an event that may be rated."""
    if event_unrated(event) is not None:
        return 0.0
    results = site.index.results_of(event, player)
    by_totals = rows_from_totals(event, site.dataset.odds)
    return sum(one.games for one in results if one.left_out is None) + sum(
        row.games for row in by_totals if player in (row.first.player, row.second.player)
    )


def _sources(player: Player, site: SiteInput) -> list[tuple[Source, str | None]]:
    """Return the sources of the player's record, with the place in each, and of the events."""
    sources = site.dataset.sources
    cited = {(one.source, one.where): None for one in player.sources}
    own = {source for source, _ in cited}
    for event in site.index.events_of_player.get(player.id, ()):
        results = (seen.result for seen in site.index.results_of(event, player.id))
        for one in _cited(event, results, player):
            if one.source not in own:
                cited[one.source, None] = None
    shown = [(sources[source], where) for source, where in cited]
    return sorted(shown, key=lambda one: (one[0].title, one[0].id, one[1] or ""))


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
        curve=rating_curve(years, second) if _has_curve(years) else None,
        years=years,
        peak=peak,
        ranked={year.year: site.index.ranked_in[year.year] for year in years},
        chances={year: one for year, one in chances.items() if one is not None},
        second={player_year.year: player_year for player_year in second},
    )


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


def player_answers(player: Player, site: SiteInput, is_full: bool = True) -> Mapping[str, object]:
    """Return what follows from the joint distribution of all ratings for a player.

    `influences` hold the events that matter to the rating of each year, the largest effects first.
    Unless `is_full`, there are only the events without which there would be no rating.
    """
    return {
        "rivals": site.answers.rivals.get(player.id, ()) if is_full else (),
        "peaks": tuple(_peaks(player, site)) if is_full else (),
        "influences": dict(_influences(player, site)) if is_full else {},
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
    """Yield the year of the peak and those among the first fifty, by year.

    Each with the events that matter most to its rating. There are none of years without results:
    such ratings follow from those around them.
    """
    peak = site.ratings.peak(player.id)
    for rated in site.ratings.players.get(player.id, ()):
        is_peak = peak is not None and rated.year == peak.year
        if rated.is_gap or not (is_peak or (rated.rank is not None and rated.rank <= LEADING)):
            continue
        if influences := site.answers.influences.get((player.id, rated.year)):
            most = MOST_EVENTS if is_peak else FEW_EVENTS
            yield rated.year, tuple(sorted(influences, key=_weight)[:most])


def _weight(one: Influence) -> tuple[bool, float, str]:
    """Return the sort key: events without which there is no rating, then large effects."""
    return one.own is not None, -abs(one.own or 0.0), one.event
