"""The list of lists, players A to Z, highest peaks, number ones, unlikely results, connections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby
from typing import TypeVar

from edo.core import countries, formats
from edo.core.model import Dataset, Event, Player
from edo.core.text import index_key
from edo.rating.edo import PlayerYear, Ratings, highest_years, whole_share
from edo.rating.inference.answers import LONG, SURE, Answers, Bridge, RankProbabilities
from edo.rating.inference.posterior import FEWEST
from edo.site import urls
from edo.site.charts.ridgeline import ridgeline
from edo.site.index import gather
from edo.site.input import Link, Page, SiteInput, link_to, no_view
from edo.site.pages import long_lists, throne
from edo.site.pages.long_lists import Group
from edo.site.pages.superlatives import SUPERLATIVES, in_ranking
from edo.site.pages.tables import Cell, Content, Row, Table, amount, minor, name, number, text

PEAKS = 100  # how long the list of the highest peaks is
LEAST_OTHER = 0.05  # from which probability of having been the strongest others are named

FILTERS = (urls.static("filters.js"),)
ERROR = "Standard error of the rating, in Elo points (Edwards’ deviation)"

T = TypeVar("T")


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of lists, and the lists of players, years and results."""
    yield Page(
        path=urls.LISTS,
        template="lists.html",
        view=lambda: {
            "peaks": PEAKS,
            "whole_share": whole_share(chain.from_iterable(site.ratings.players.values())),
            "has_throne": throne.is_shown(site),
            "superlatives": [(one.title, one.path, one.description) for one in SUPERLATIVES],
        },
        title="Lists",
        description=(
            "Peaks, number ones, performances, upsets, ages, countries, tournaments and careers; "
            "all players and all years."
        ),
    )
    yield from players_pages(site)
    yield Page(
        path=urls.PEAKS,
        template="peaks.html",
        view=partial(peaks_view, site),
        title="Highest peaks",
        description="The players with the highest ratings that anyone reached in a year.",
        scripts=FILTERS,
    )
    yield Page(
        path=urls.NUMBER_ONES,
        template="number_ones.html",
        view=partial(number_ones_view, site),
        title="Number ones through time",
        description="Who had the highest rating in each year, and how far ahead of the second.",
    )
    yield Page(
        path=urls.BRIDGES,
        template="bridges.html",
        view=partial(bridges_view, site),
        title="Rated only through one event",
        description="Events without which players could not be compared with the rest or rated.",
    )
    yield Page(
        path=urls.SUSPECTS,
        template="suspects.html",
        view=partial(suspects_view, site),
        title="Unlikely results",
        description="Scores far from the prediction of the ratings without the event, for editors.",
    )


# Players from A to Z


def players_pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all players, by letter where it is long."""
    whole = Page(
        path=urls.PLAYERS,
        template="players.html",
        view=no_view,
        title="Players",
        description="All players from A to Z, with their dates, peaks and years of play.",
        scripts=FILTERS,
    )
    view = partial(players_view, site)
    yield from long_lists.pages(whole, letters(site.dataset), view)


PLAYERS = (
    name("player", "Player", asks="contains", key="name", label="Name contains"),
    text("life", "Life", css="fixed"),
    text(
        "country",
        "Country",
        meaning="the states of the time in the years of play, in their order.",
        hides=True,
        asks="choice",
    ),
    text(
        "woman", "W.", full="Women are marked w", hides=True,
        asks="some", key="women", label="Women only",
    ),
    text(
        "active", "Active", full="First and last year with an event", css="fixed", hides=True,
        asks="span",
    ),
    minor("events", "Events", "count"),
    minor("games", "Games", "amount", "Games that were rated"),
    amount(
        "peak", "Peak", "rating", "Highest rating in a year with results",
        asks="some", key="rated", label="Rated only",
    ),
    number(
        "deviation", "Dev.", "deviation", "Standard error of the peak rating (Edwards’ deviation)",
        asks="most", key="dev", label="Deviation at most",
    ),
    number("year", "In", full="The year of the peak", hides=True),
)  # fmt: skip


def players_view(site: SiteInput, groups: Sequence[Group]) -> Mapping[str, object]:
    """Return the players under some letters in the order of the alphabet."""
    players = site.dataset.players
    rows = [
        _player_row(players[id_], None if place else group.anchor, site)
        for group in groups
        for place, id_ in enumerate(group.ids)
    ]
    return {
        "all": len(players),
        "rated": len(site.ratings.players),
        "table": Table("Players", PLAYERS, rows, noun="players"),
    }


def _player_row(player: Player, anchor: str | None, site: SiteInput) -> Row:
    """Return one line; its anchor is that of its letter, where the player is the first of it."""
    peak, events = site.ratings.peak(player.id), site.index.events_of_player.get(player.id, ())
    aside = [] if peak is not None else [Link("unrated")]
    if player.offhand_of is not None:
        aside += [Link("offhand games of"), link_to(site.dataset.players[player.offhand_of])]
    years = site.ratings.players.get(player.id)
    is_born_unknown = player.born is None and player.died is not None
    return Row(
        {
            "player": Cell(player.shown_name, urls.player(player.id), aside=tuple(aside)),
            "life": Cell(formats.life_of(player), sort="" if is_born_unknown else None),
            "country": _countries(player, events),
            "woman": "w" if player.woman else "",
            "active": formats.years(events[0].year, events[-1].year) if events else formats.DASH,
            "events": len(events),
            "games": None if years is None else sum(year.games for year in years),
            "peak": None if peak is None else peak.rating,
            "deviation": None if peak is None else peak.deviation,
            "year": "" if peak is None else in_ranking(peak.year, player.id),
        },
        anchor,
        "apart" if peak is None else "",
    )


def _countries(player: Player, events: Sequence[Event]) -> str:
    """Return the states of the time in the years of play, each once."""
    if not events:
        return countries.named(player.country)
    shown = countries.periods(player.country_in, events[0].year, events[-1].year).values()
    return ", ".join(dict.fromkeys(name for names in shown for name in names.split(", ")))


def letters(dataset: Dataset) -> list[Group]:
    """Return the ids of the players under each letter."""
    return [
        Group(letter, "other" if letter == "#" else letter.lower(), [one.id for one in players])
        for letter, players in by_letter(dataset.players.values(), lambda player: player.name)
    ]


def letter_links(dataset: Dataset) -> tuple[Link, ...]:
    """Return a link to each letter of the list of players."""
    return long_lists.links(urls.PLAYERS, letters(dataset))


def by_letter(items: Iterable[T], name_of: Callable[[T], str]) -> list[tuple[str, list[T]]]:
    """Return the items under their letters, both in the order of the alphabet."""
    ordered = sorted(items, key=lambda item: index_key(name_of(item)))
    return [
        (key, list(group)) for key, group in groupby(ordered, lambda item: letter(name_of(item)))
    ]


def letter(name: str) -> str:
    """Return the capital under which the name stands, `#` where it begins with no letter."""
    first = index_key(name)[0][:1].upper()
    return first if first.isascii() and first.isalpha() else "#"


# Peaks

PEAK_COLUMNS = (
    number("place", "Place", "rank", asks="some", key="ranked", label="With a rank"),
    name("player", "Player", asks="contains", key="name", label="Name contains"),
    text("country", "Country", hides=True, asks="choice"),
    amount("rating", "Rating", "rating"),
    number(
        "deviation", "Dev.", "deviation", ERROR, asks="most", key="dev", label="Deviation at most"
    ),
    number("year", "Year", asks="span", label="Peak from"),
    text(
        "flat",
        "No clear peak",
        hides=True,
        meaning=f"years among which the best one cannot be told: the shortest span of more than "
        f"{LONG} years that had it with {SURE:.0%}.",
    ),
)


def peaks_view(site: SiteInput) -> Mapping[str, object]:
    """Return the highest peaks in years with results; the order is that of the exact ratings.

    Below them, `apart` players whose highest rating is among these, but has too little evidence
    for a rank.
    """
    ratings = site.ratings
    peaks = highest_peaks(ratings, PEAKS)
    apart = _unranked_peaks(ratings, peaks[-1].rating) if peaks else ()
    rows = [_peak_row(place, peak, "", site) for place, peak in enumerate(peaks, start=1)]
    rows += [_peak_row(None, peak, f"not ranked: {peak.shortfall}", site) for peak in apart]
    return {
        "apart": len(apart),
        "table": Table("Highest peaks", PEAK_COLUMNS, rows, noun="players"),
        "against": site.answers.highest,
    }


def _peak_row(place: int | None, peak: PlayerYear, aside: str, site: SiteInput) -> Row:
    player, flat = site.dataset.players[peak.player], site.answers.flat_peak(peak.player)
    return Row(
        {
            "place": place,
            "player": Cell(
                player.shown_name, urls.player(player.id), aside=(Link(aside),) if aside else ()
            ),
            "country": countries.named(player.country_in(peak.year), peak.year),
            "rating": peak.rating,
            "deviation": peak.deviation,
            "year": in_ranking(peak.year, peak.player),
            "flat": "" if flat is None else formats.years(*flat),
        },
        css="unranked" if place is None else "",
    )


def _unranked_peaks(ratings: Ratings, least: float) -> tuple[PlayerYear, ...]:
    """Return the highest year without a rank, of at least this rating [Elo], of each player."""
    without = highest_years(
        year
        for year in chain.from_iterable(ratings.players.values())
        if year.rank is None and not year.is_gap and year.rating >= least
    )
    peaks = ((year, ratings.peak(year.player)) for year in without)
    return tuple(
        year
        for year, peak in peaks
        if peak is None or peak.rank is None or year.rating > peak.rating
    )


def highest_peaks(ratings: Ratings, n: int) -> tuple[PlayerYear, ...]:
    """Return the peaks of the n players with the highest ones, the highest first.

    Only years with enough evidence for a rank count.
    """
    years = chain.from_iterable(ratings.players.values())
    return tuple(highest_years(y for y in years if y.rank is not None and not y.is_gap)[:n])


# Number ones

REIGNS = (
    text("years", "Years", css="fixed"),
    name("player", "Number one"),
    amount("length", "Length"),
)
NUMBER_ONES = (
    name("year", "Year"),
    amount("ranked", "Ranked", "count", "How many players have a rank in the year"),
    text("first", "Number one", css="fixed"),
    amount("rating", "Rating", "rating"),
    number("deviation", "Dev.", "deviation", ERROR),
    amount(
        "chance",
        "First",
        "chance_from_1",
        "Number-one probability: of having been the strongest",
        "the number-one probability: that the player with the highest rating was indeed the "
        "strongest of those with a rank in the year. Everyone else with 5% or more has it behind "
        "the name, as the second or in the last column. One of them may have a higher probability "
        "than the number one, if a lower rating is less certain.",
    ),
    text("second", "Second"),
    amount("second_rating", "Rating", full="Rating of the second, with its standard error"),
    amount("margin", "Margin", "rating", "Lead of the first over the second, in Elo points"),
    text("others", "Other candidates"),
)


def number_ones_view(site: SiteInput) -> Mapping[str, object]:
    """Return the first two of each year, and the reigns: runs of years with the same first.

    Where probabilities are known, they and the other candidates stand in place of the second's
    rating.
    """
    dataset, ratings, answers = site.dataset, site.ratings, site.answers
    plot = ridgeline(answers.rank_probabilities.values(), dataset)
    likely = (one for one in answers.rank_probabilities.values() if one.first >= LEAST_OTHER)
    candidates = gather((one.year, one) for one in likely)
    rankings = [ranked for year in sorted(ratings.years) if (ranked := ratings.ranked(year))]
    firsts = [ranking[0] for ranking in rankings]
    before = [None, *(first.player for first in firsts)][: len(firsts)]
    rows = [
        _number_one_row(ranking, previous, candidates.get(ranking[0].year, ()), dataset, answers)
        for ranking, previous in zip(rankings, before, strict=True)
    ]
    table = Table("Number ones year by year", NUMBER_ONES, rows, id="years")
    return {
        "has_throne": throne.is_shown(site),
        "reigns": Table(
            "Reigns",
            REIGNS,
            list(_reigns(firsts, dataset)),
            id="reigns",
            caption="Consecutive years with the same number one",
        ),
        "table": table.without(("chance", "others") if plot is None else ("second_rating",)),
        "plot": plot,
        "fewest": FEWEST,
        "unranked": [year for year in sorted(ratings.years) if not ratings.ranked(year)],
    }


def _number_one_row(
    ranking: Sequence[PlayerYear],
    previous: str | None,
    candidates: Sequence[RankProbabilities],
    dataset: Dataset,
    answers: Answers,
) -> Row:
    """Return the first two of a year; `previous` was the number one of the year before."""
    first, year = ranking[0], ranking[0].year
    second = ranking[1] if len(ranking) > 1 else None
    chances = answers.rank_probabilities.get((first.player, year))
    told = {one.player: _candidate(one, dataset) for one in candidates}
    others = sorted(
        (one for one in candidates if one.player not in {y.player for y in ranking[:2]}),
        key=lambda one: (-one.first, one.player),
    )
    link = link_to(dataset.players[first.player], f"#y{year}")
    return Row(
        {
            "year": Link(str(year), urls.year(year)),
            "ranked": len(ranking),
            "first": Cell(link.text, link.target, css="gap" if first.is_gap else ""),
            "rating": first.rating,
            "deviation": first.deviation,
            "chance": None if chances is None else chances.first,
            "second": (
                ""
                if second is None
                else told.get(second.player) or link_to(dataset.players[second.player], f"#y{year}")
            ),
            "second_rating": (
                formats.DASH
                if second is None
                else formats.rating_with_deviation(second.rating, second.deviation)
            ),
            "margin": None if second is None else first.rating - second.rating,
            "others": [told[one.player] for one in others],
        },
        f"y{year}",
        "new-reign" if first.player != previous else "",
    )


def _candidate(chances: RankProbabilities, dataset: Dataset) -> Cell:
    link = link_to(dataset.players[chances.player], f"#y{chances.year}")
    return Cell(link.text, link.target, aside=(Link(formats.chance(chances.first)),))


def _reigns(firsts: Sequence[PlayerYear], dataset: Dataset) -> Iterator[Row]:
    """Yield the runs of years with the same number one."""
    for player, run in groupby(firsts, lambda first: first.player):
        years = [first.year for first in run]
        yield Row(
            {
                "years": formats.years(years[0], years[-1]),
                "player": link_to(dataset.players[player], f"#y{years[0]}"),
                "length": formats.counted(years[-1] - years[0] + 1, "year"),
            }
        )


# What editors should check

SUSPECTS = (
    name("event", "Event"),
    number("year", "Year", hides=True),
    text("player", "Player"),
    number("score", "Score", full="Points and games that were rated"),
    number("expected", "Expected", "expected", "Score expected by the ratings without this event"),
    number(
        "deviation",
        "Dev.",
        "expected",
        "Standard error of the expected score, in points",
        "its standard error, from the randomness of the games and the uncertainty of the ratings "
        "together.",
        hides=True,
    ),
    number(
        "surprise",
        "Surprise",
        meaning="how many standard errors the score is above (+) or below (−) the expected one.",
        hides=True,
    ),
    text(
        "causes",
        "Possible causes",
        meaning="what could explain such a score, judging by its size, its sign and what else is "
        "known of the player; empty if no rule applies. None of it is established.",
        hides=True,
    ),
)


def suspects_view(site: SiteInput) -> Mapping[str, object]:
    """Return the results that the ratings without their event did not expect."""
    dataset, ratings, answers = site.dataset, site.ratings, site.answers
    rows = [
        Row(
            {
                "event": link_to(dataset.events[one.event]),
                "year": str(one.year),
                "player": link_to(
                    dataset.players[one.player],
                    "" if ratings.of(one.player, one.year) is None else f"#y{one.year}",
                ),
                "score": formats.points_of_games(one.score, one.games),
                "expected": one.expected,
                "deviation": one.deviation,
                "surprise": formats.signed(one.surprise, 1),
                "causes": ", ".join(one.causes),
            }
        )
        for one in answers.outliers[: long_lists.MOST]
    ]
    return {"table": Table("Unlikely results", SUSPECTS, rows), "all": len(answers.outliers)}


NAMED = 10  # players of a group who are named; the data have all

LINKED = (
    name("event", "Event"),
    number("year", "Year", hides=True),
    minor("players", "Players", "count"),
    text("linked", "Rated through it", css="held"),
)


def bridges_view(site: SiteInput) -> Mapping[str, object]:
    """Return the events without which players would have no rating, the largest groups first."""
    dataset, answers = site.dataset, site.answers
    bridges = sorted(
        answers.bridges,
        key=lambda one: (-len(one.players), dataset.events[one.event].year, one.event),
    )
    groups = [bridge for bridge in bridges if len(bridge.players) > 1]
    single = [bridge for bridge in bridges if len(bridge.players) == 1]

    def table(label: str, shown: Sequence[Bridge], id_: str) -> Table:
        return Table(label, LINKED, [_bridge_row(bridge, dataset) for bridge in shown], id=id_)

    return {
        "groups": table("Groups rated only through one event", groups, "groups"),
        "single": table(
            "Players rated only through one event", single[: long_lists.MOST], "single"
        ),
        "all": len(single),
    }


def _bridge_row(bridge: Bridge, dataset: Dataset) -> Row:
    event = dataset.events[bridge.event]
    linked: list[Content] = [link_to(dataset.players[id_]) for id_ in bridge.players[:NAMED]]
    if len(bridge.players) > NAMED:
        linked.append(f"and {len(bridge.players) - NAMED} more")
    return Row(
        {
            "event": link_to(event),
            "year": str(event.year),
            "players": len(bridge.players),
            "linked": linked,
        },
        bridge.event,
    )
