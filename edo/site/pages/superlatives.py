"""The lists of superlatives: performances, upsets, reigns, ages, countries, fields and careers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice

import numpy as np

from edo.core import countries, formats
from edo.core.model import Event
from edo.export.table import summed
from edo.rating.edo import PlayerYear, Ratings, highest_years, number_ones
from edo.rating.games import births
from edo.rating.standings import Standing
from edo.site import urls
from edo.site.charts.ages import AgesChart, ages_chart
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.pages.highlights import (
    LEAST_GAMES,
    basis,
    best_performances,
    field_of,
    is_at_odds,
    upsets,
    wins,
)
from edo.site.pages.tables import (
    Cell,
    Column,
    Content,
    Row,
    Table,
    amount,
    minor,
    name,
    number,
    text,
)

TOP = 10  # [ranks] who is among the first of a year
FEWEST_RANKED = 10  # [players] with a rank, in a year whose number one means something
FEWEST_FOR_TEN = 20  # [players] with a rank, in a year whose first ten are a choice
LEAST_RANKED = 0.75  # the share of a field, or of the opponents, that has to have a rank
OF_COUNTRY = 5  # [players] shown of each country
JUNIOR = 20  # [years] the age up to which a player is a junior, as in FIDE's championships
FEWEST_OF_AGE = 20  # [player-years] of an age whose quantiles are shown
LENGTH = 100  # [rows] of the lists that could go on and on
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)

Cells = Mapping[str, Content]


@dataclass(frozen=True, slots=True)
class Superlative:
    """A list: its address, title and description, what evidence it asks for, columns and rows.

    `length` is how many rows are shown at most.
    """

    name: str
    title: str
    description: str
    rule: str
    columns: tuple[Column, ...]
    rows: Callable[[SiteInput], Iterable[Row]]
    length: int | None = LENGTH

    @property
    def path(self) -> str:
        """Return the path of its page."""
        return urls.listing(self.name)

    def table(self, site: SiteInput) -> Table:
        """Return the rows, numbered where the list has a column of places."""
        rows = list(islice(self.rows(site), self.length))
        if any(column.name == "place" for column in self.columns):
            rows = [
                Row({"place": place, **row.cells}, row.anchor, row.css)
                for place, row in enumerate(rows, start=1)
            ]
        return Table(self.title, self.columns, rows, css="listing")


# Columns that several lists have

PLACE = number("place", "Place", "count", hides=True)
PLAYER = name("player", "Player", asks="contains")
EVENT = text("event", "Event", css="event", asks="contains")
YEAR = number("year", "Year", asks="span")
AGE = number("age", "Age", "count")
RATING = amount("rating", "Rating", "rating")
DEVIATION = number("deviation", "Dev.", "deviation", "Standard error (Edwards’ deviation)")
RANK = number("rank", "Rank", "count", hides=True)
FIRST_YEAR = number("first_year", "From")
LAST_YEAR = number("last_year", "To")
TOP_TEN = minor(
    "p_top10", "Top ten", "chance", "Probability of having been among the ten strongest"
)
GAMES = amount("games", "Games", "amount", "Number of rated games")

# Rules that several lists have

_RANK = "Only years in which the player has enough evidence for a rank count."
_ENOUGH = (
    f"Only years in which at least {FEWEST_RANKED} players have enough evidence for a rank count, "
    "and only these players."
)
_TEN = (
    "Only years with results in which the player has a rank, among at least "
    f"{FEWEST_FOR_TEN} players with one, and players whose year of birth is known."
)
_SOME = "Only players with enough evidence for a rank in some year."
CATEGORIES = " FIDE’s categories date from 1971; here they are applied to the ratings of this site."


# Cells


def _player(site: SiteInput, player: str, year: int) -> Link:
    """Return the link to a player's row of a year."""
    return link_to(site.dataset.players[player], f"#y{year}")


def _event(event: Event) -> Link:
    return link_to(event)


def in_ranking(year: int, player: str) -> Link:
    """Return the link from a year to a player's row in its ranking."""
    return Link(str(year), f"{urls.year(year)}#{player}")


def _of_year(year: PlayerYear, site: SiteInput) -> dict[str, Content]:
    """Return the cells that every list of player-years has."""
    return {
        "player": _player(site, year.player, year.year),
        "rating": year.rating,
        "deviation": year.deviation,
        "year": in_ranking(year.year, year.player),
    }


# Performances


def _performances(site: SiteInput) -> Iterator[Row]:
    standings = (
        (event, standing)
        for event in site.dataset.events.values()
        for standing in site.index.standings_of(event.id).values()
        if _is_solid(event, standing, site)
    )
    for event, standing in best_performances(standings):
        player_year = site.ratings.of(standing.player, event.year)
        if player_year is None or player_year.rank is None:
            continue
        has_all_points = standing.performance is None
        performance = standing.floor if has_all_points else standing.performance
        points, games = summed(standing.rated_points), summed(standing.rated_games)
        yield Row(
            {
                "player": _player(site, standing.player, event.year),
                "performance": Cell(performance, before="≥ " if has_all_points else ""),
                "deviation": standing.deviation,
                "score": formats.points_of_games(points, games),
                "event": _event(event),
                "year": in_ranking(event.year, standing.player),
                "opposition": standing.opposition,
                "rating": player_year.rating,
            }
        )


def _is_solid(event: Event, standing: Standing, site: SiteInput) -> bool:
    """Whether a score in an event rests on played games of opponents with a rank, without odds."""
    pairings = site.index.pairings_of.get((event.id, standing.player), ())
    results = site.index.results_of(event, standing.player)
    if standing.rated_games < LEAST_GAMES or any(seen.result.soft for seen in results):
        return False
    if any(p.basis == "guess" for p in pairings) or is_at_odds(event, standing.player, site):
        return False
    against = sum(
        p.games
        for p in pairings
        for side in (p.first, p.second)
        if side.player != standing.player and _has_rank(side.player, p.year, site.ratings)
    )
    return against >= LEAST_RANKED * standing.rated_games


def _has_rank(player: str, year: int, ratings: Ratings) -> bool:
    player_year = ratings.of(player, year)
    return player_year is not None and player_year.rank is not None


PERFORMANCES = Superlative(
    "performances",
    "Best performances",
    "The best performances in a single event, in the order of what each is worth at least: one "
    "standard error less.",
    f"At least {LEAST_GAMES} rated games in the event, {LEAST_RANKED:.0%} of them against "
    "opponents with enough evidence for a rank; the player has a rank, too. Scores chosen by an "
    "editor or guessed from totals are left out, and so are games at odds.",
    (
        *(PLACE, PLAYER),
        amount(
            "performance",
            "Performance",
            "rating",
            meaning="rating whose expected score equals the score; of all points, of half a point "
            "less.",
        ),
        number(
            "deviation",
            "Dev.",
            "deviation",
            "Standard error",
            "its standard error, the opponents’ ratings taken as exact.",
        ),
        amount("score", "Score", full="Points in the rated games"),
        *(EVENT, YEAR),
        minor("opposition", "Opponents", "rating", "Mean rating of the opponents"),
        RATING,
    ),
    _performances,
)


# Upsets


def _upsets(site: SiteInput) -> Iterator[Row]:
    events = site.dataset.events.values()
    all_wins = (win for e in events for player in e.players for win in wins(e, player, site))
    for win in upsets(one for one in all_wins if not one.is_at_odds):
        if win.own.rank is None or win.other.rank is None or win.expected >= 0.5:
            continue
        year = win.own.year
        yield Row(
            {
                "player": _player(site, win.own.player, year),
                "rating": win.own.rating,
                "other": _player(site, win.other.player, year),
                "other_rating": win.other.rating,
                "expected": win.expected,
                "won": win.won,
                "event": _event(win.event),
                "year": in_ranking(year, win.own.player),
            }
        )


UPSETS = Superlative(
    "upsets",
    "Biggest upsets",
    "Games that the player with the lower rating won, the least expected first.",
    "Both players have enough evidence for a rank in the year. Games at odds and scores chosen by "
    "an editor are left out. The ratings rest on these games, too: without them the result would "
    "be even less expected.",
    (
        *(PLACE, PLAYER, RATING),
        text("other", "Opponent", asks="contains"),
        amount("other_rating", "Rating", "rating", "Rating of the opponent in the year"),
        number("expected", "Expected", "expected", "Expected score in each of the games"),
        minor("won", "Won", "amount", "Games won"),
        *(EVENT, YEAR),
    ),
    _upsets,
)


# Number ones


def _firsts(site: SiteInput) -> list[PlayerYear]:
    """Return the number ones of the years in which enough players have a rank."""
    return [
        first
        for year, first in number_ones(site.ratings).items()
        if len(site.ratings.ranked(year)) >= FEWEST_RANKED
    ]


def _reigns(site: SiteInput) -> Iterator[Row]:
    """Yield the reigns, which a year without enough players with a rank ends."""
    chances = site.answers.rank_probabilities
    firsts = enumerate(_firsts(site))
    # Consecutive years of one player have the same difference of year and place.
    runs = groupby(firsts, lambda item: (item[1].player, item[1].year - item[0]))
    reigns = [(player, [first.year for _, first in run]) for (player, _), run in runs]
    for player, years in sorted(reigns, key=lambda reign: (-len(reign[1]), reign[1][0])):
        known = [chances[player, year].first for year in years if (player, year) in chances]
        is_known = len(known) == len(years)
        yield Row(
            {
                "player": _player(site, player, years[0]),
                "first_year": in_ranking(years[0], player),
                "last_year": in_ranking(years[-1], player),
                "years": len(years),
                "expected_years": formats.fixed(sum(known), 1) if is_known else formats.DASH,
                "p_least": min(known) if is_known else None,
            }
        )


REIGNS = Superlative(
    "reigns",
    "Longest reigns",
    "The runs of years with the same number one, the longest first.",
    f"{_ENOUGH} A year with fewer ends a reign.",
    (
        *(PLACE, PLAYER, FIRST_YEAR, LAST_YEAR),
        amount("years", "Years", "count", "Number of years"),
        amount(
            "expected_years",
            "Expected",
            full="Expected number of years",
            meaning="sum of the number-one probabilities of these years: how many of them the "
            "player is expected to have been the strongest.",
        ),
        minor("p_least", "Least", "chance", "Smallest of these probabilities"),
    ),
    _reigns,
    length=None,
)


def _leads(site: SiteInput) -> Iterator[Row]:
    firsts = [(first, site.ratings.ranked(first.year)[1]) for first in _firsts(site)]
    for first, second in sorted(
        firsts, key=lambda two: (two[1].rating - two[0].rating, two[0].year)
    ):
        chances = site.answers.rank_probabilities.get((first.player, first.year))
        yield Row(
            _of_year(first, site)
            | {
                "lead": first.rating - second.rating,
                "second": _player(site, second.player, second.year),
                "second_rating": second.rating,
                "p_stronger": _superiority(first, second, site),
                "p_first": None if chances is None else chances.first,
            }
        )


def _superiority(first: PlayerYear, second: PlayerYear, site: SiteInput) -> float | None:
    """Return the probability that the one was stronger than the other, if it is known."""
    table = site.answers.superiority.get(first.year)
    if table is None or not {first.player, second.player} <= set(table.players):
        return None
    return table.probability[table.players.index(first.player)][table.players.index(second.player)]


LEADS = Superlative(
    "leads",
    "Largest leads",
    "The lead of the number one of a year over the second, the largest first.",
    _ENOUGH,
    (
        *(PLACE, PLAYER, YEAR),
        amount("lead", "Lead", "rating", "Rating of the number one minus that of the second"),
        text("second", "Second"),
        minor("p_stronger", "Stronger", "chance", "Probability of having been the stronger"),
        minor("p_first", "First", "chance", "Number-one probability"),
        *(replace(RATING, hides=True), replace(DEVIATION, hides=True)),
        minor("second_rating", "Rating", "rating", "Rating of the second"),
    ),
    _leads,
    length=None,
)


# Ages


def _played(site: SiteInput) -> Iterator[PlayerYear]:
    """Yield the player-years with results and with a rank."""
    for years in site.ratings.players.values():
        yield from (year for year in years if year.rank is not None and not year.is_gap)


def _among_first(site: SiteInput, *, is_youngest: bool) -> Iterator[Row]:
    """Yield each player's first or last year among the first ten, by age."""
    born = births(site.dataset)
    enough = {
        year for year in site.ratings.years if len(site.ratings.ranked(year)) >= FEWEST_FOR_TEN
    }
    edge: dict[str, PlayerYear] = {}
    for year in _played(site):
        if year.player in born and year.year in enough and (year.rank or 0) <= TOP:
            edge[year.player] = edge.get(year.player, year) if is_youngest else year
    sign = 1 if is_youngest else -1
    ages = {player: year.year - born[player] for player, year in edge.items()}
    for year in sorted(edge.values(), key=lambda y: (sign * ages[y.player], y.year, y.player)):
        chances = site.answers.rank_probabilities.get((year.player, year.year))
        yield Row(
            _of_year(year, site)
            | {
                "age": ages[year.player],
                "rank": year.rank,
                "p_top10": None if chances is None else chances.top_ten,
            }
        )


YOUNGEST = Superlative(
    "youngest",
    "Youngest in the first ten",
    "The age at which players were first among the first ten of a year, the youngest first.",
    _TEN,
    (PLACE, PLAYER, AGE, YEAR, RANK, RATING, DEVIATION, TOP_TEN),
    partial(_among_first, is_youngest=True),
)

OLDEST = Superlative(
    "oldest",
    "Oldest in the first ten",
    "The age at which players were last among the first ten of a year, the oldest first.",
    _TEN,
    (PLACE, PLAYER, AGE, YEAR, RANK, RATING, DEVIATION, TOP_TEN),
    partial(_among_first, is_youngest=False),
)


def _juniors(site: SiteInput) -> Iterator[Row]:
    born = births(site.dataset)
    young = (
        year
        for year in _played(site)
        if year.player in born and year.year - born[year.player] <= JUNIOR
    )
    for year in highest_years(young):
        age = year.year - born[year.player]
        yield Row(_of_year(year, site) | {"age": age, "rank": year.rank})


JUNIORS = Superlative(
    "juniors",
    "Juniors",
    f"The highest rating of each player in a year with results, up to the age of {JUNIOR}.",
    f"{_RANK} Players whose year of birth is not known are left out.",
    (PLACE, PLAYER, AGE, RATING, DEVIATION, YEAR, RANK),
    _juniors,
)


def rated_ages(site: SiteInput) -> list[tuple[int, PlayerYear]]:
    """Return the player-years with results and a rank whose age is known, by age."""
    born = births(site.dataset)
    known = (year for year in _played(site) if year.player in born)
    return sorted(
        ((year.year - born[year.player], year) for year in known),
        key=lambda item: (item[0], item[1].player),
    )


def quantiles(site: SiteInput) -> Iterator[tuple[int, int, Sequence[float]]]:
    """Yield each age of enough ratings, how many there are, and their quantiles [Elo]."""
    for age, group in groupby(rated_ages(site), lambda item: item[0]):
        ratings = [year.rating for _, year in group]
        if len(ratings) >= FEWEST_OF_AGE:
            yield age, len(ratings), np.quantile(ratings, QUANTILES).tolist()


def _quantile(q: float) -> str:
    return f"q{round(100 * q)}"


def _ages(site: SiteInput) -> Iterator[Row]:
    for age, n_ratings, ratings in quantiles(site):
        of_age = {_quantile(q): rating for q, rating in zip(QUANTILES, ratings, strict=True)}
        yield Row({"age": age, "player_years": n_ratings, **of_age})


AGES = Superlative(
    "ages",
    "Rating by age",
    "The distribution of the ratings of players of the same age.",
    f"{_RANK} Quantiles are given for ages with at least {FEWEST_OF_AGE} ratings in years with "
    "results. They are not of the same players at every age: those on record when very young or "
    "old are mostly exceptional, so that the line is nobody’s career.",
    (
        AGE,
        amount("player_years", "Ratings", "count", "Number of ratings at that age"),
        *(
            amount(
                _quantile(q),
                "Median" if q == 0.5 else f"{q:.0%}",
                "rating",
                f"Rating that {q:.0%} of them do not exceed",
                hides=q != 0.5,
            )
            for q in QUANTILES
        ),
    ),
    _ages,
    length=None,
)


# Women, countries, tournaments


def _women(site: SiteInput) -> Iterator[Row]:
    """Yield all rated women by their peaks, those without a rank last and without a place."""
    players, ratings = site.dataset.players, site.ratings
    peaks = [ratings.peak(player) for player in ratings.players if players[player].woman]
    ordered = sorted(
        (peak for peak in peaks if peak is not None),
        key=lambda peak: (peak.rank is None, -peak.rating, peak.player),
    )
    for place, peak in enumerate(ordered, start=1):
        shortfall = peak.shortfall
        aside = (Link(f"not ranked: {shortfall}"),) if shortfall else ()
        link = _player(site, peak.player, peak.year)
        yield Row(
            _of_year(peak, site)
            | {
                "rank": None if peak.rank is None else place,
                "player": Cell(link.text, link.target, aside=aside),
                "country": countries.named(players[peak.player].country_in(peak.year), peak.year),
                "evidence": peak.evidence,
            },
            css="unranked" if shortfall else "",
        )


WOMEN = Superlative(
    "women",
    "Highest-rated women",
    "The highest rating of each woman in a year with results.",
    "All rated women. Those with too little evidence for a rank stand below, in grey, with what is "
    "too little. Most of their games are against each other; what ties these to the rest of the "
    "field are the few who played in other events as well.",
    (
        number("rank", "Place", "count"),
        *(PLAYER, RATING, DEVIATION, YEAR),
        text("country", "Country", hides=True, asks="choice"),
        minor("evidence", "Evidence", "count", "What her results are worth in the year, in games"),
    ),
    _women,
    length=None,
)


def _countries(site: SiteInput) -> Iterator[Row]:
    """Yield the highest years of players under each country of the time, by the best of each."""
    years: defaultdict[str, list[PlayerYear]] = defaultdict(list)
    for year in _played(site):
        codes = site.dataset.players[year.player].country_in(year.year)
        country = countries.named(codes, year.year)
        if country and ", " not in country:
            years[country].append(year)
    best = {country: highest_years(of_country) for country, of_country in years.items()}
    for country in sorted(best, key=lambda name: (-best[name][0].rating, name)):
        for place, year in enumerate(best[country][:OF_COUNTRY], start=1):
            yield Row(_of_year(year, site) | {"of_country": place, "country": country})


COUNTRIES = Superlative(
    "countries",
    "Best of each country",
    f"The highest ratings under each country of the time, at most {OF_COUNTRY} players; the "
    "countries in the order of the highest.",
    f"{_RANK} Players whose country is not on record are left out, and so are those with several "
    "in the years for which it is not on record where they were.",
    (
        number("of_country", "Place", "count", hides=True),
        PLAYER,
        text("country", "Country", asks="choice"),
        *(RATING, replace(DEVIATION, hides=True), YEAR),
    ),
    _countries,
    length=None,
)


def _tournaments(site: SiteInput) -> Iterator[Row]:
    fields = []
    for event in site.dataset.events.values():
        if event.id not in site.index.pairings_of_event:
            continue  # such as one of rapid games
        years = [site.ratings.of(player, event.year) for player in event.players]
        field = field_of(event, (year for year in years if year is not None))
        ranked = sum(year is not None and year.rank is not None for year in years)
        if field is not None and ranked >= LEAST_RANKED * len(years):
            fields.append((event, field, len(years), ranked))
    for event, field, players, ranked in sorted(fields, key=lambda f: (-f[1].mean, f[0].id)):
        yield Row(
            {
                "event": _event(event),
                "year": Link(str(event.year), urls.year(event.year)),
                "players": players,
                "ranked": ranked,
                "mean": field.mean,
                "category": field.category,
            }
        )


TOURNAMENTS = Superlative(
    "tournaments",
    "Strongest tournaments",
    "All-play-all tournaments by the mean rating of their players in the year.",
    f"At least {LEAST_RANKED:.0%} of the players have enough evidence for a rank in the year. "
    "Knock-outs, matches and events without rated games are left out.",
    (
        *(PLACE, EVENT, YEAR),
        minor("players", "Players", "count"),
        minor("ranked", "Ranked", "count", "Number of them with a rank in the year"),
        amount("mean", "Mean", "rating", "Mean rating of the rated players"),
        minor("category", "Category", "count", "FIDE’s category; none below the first"),
    ),
    _tournaments,
)


# Careers


def _with_rank(site: SiteInput) -> Iterator[tuple[str, Sequence[PlayerYear]]]:
    """Yield the players who have a rank in some year, each with all rated years."""
    for player, years in site.ratings.players.items():
        if any(year.rank is not None for year in years):
            yield player, years


def _career(player: str, years: Sequence[PlayerYear], site: SiteInput) -> dict[str, Content]:
    first, last = years[0].year, years[-1].year
    return {
        "player": _player(site, player, first),
        "first_year": in_ranking(first, player),
        "last_year": in_ranking(last, player),
    }


def _most_games(site: SiteInput) -> Iterator[Row]:
    careers = [(player, years, basis(player, site)) for player, years in _with_rank(site)]
    for player, years, record in sorted(careers, key=lambda c: (-summed(c[2].games), c[0])):
        yield Row(
            _career(player, years, site)
            | {
                "games": summed(record.games),
                "events": record.events,
                "opponents": record.opponents,
            }
        )


MOST_GAMES = Superlative(
    "most-games",
    "Most games",
    "The players with the most rated games on record.",
    _SOME,
    (
        *(PLACE, PLAYER, GAMES),
        minor("events", "Events", "count"),
        minor("opponents", "Opponents", "count"),
        *(FIRST_YEAR, LAST_YEAR),
    ),
    _most_games,
)


def _careers(site: SiteInput) -> Iterator[Row]:
    lengths = [
        (years[-1].year - years[0].year, player, years) for player, years in _with_rank(site)
    ]
    for length, player, years in sorted(lengths, key=lambda career: (-career[0], career[1])):
        yield Row(
            _career(player, years, site)
            | {
                "years": length,
                "active": sum(not year.is_gap for year in years),
                "games": summed(sum(year.games for year in years)),
            }
        )


CAREERS = Superlative(
    "careers",
    "Longest careers",
    "The players with the longest time between the first and the last rated game on record.",
    _SOME,
    (
        *(PLACE, PLAYER),
        amount("years", "Years", "count", "Last year minus first year"),
        *(FIRST_YEAR, LAST_YEAR),
        minor("active", "Active", "count", "Number of years with rated games"),
        GAMES,
    ),
    _careers,
)

SUPERLATIVES = (
    *(PERFORMANCES, UPSETS, REIGNS, LEADS, YOUNGEST, OLDEST, JUNIORS, WOMEN, COUNTRIES),
    *(TOURNAMENTS, MOST_GAMES, CAREERS, AGES),
)
"""All lists, in the order in which the page of the lists names them."""


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of each list."""
    for superlative in SUPERLATIVES:
        yield Page(
            path=superlative.path,
            template="superlative.html",
            view=partial(_view, site, superlative),
            title=superlative.title,
            description=superlative.description,
            scripts=(urls.static("filters.js"),),
        )


def _view(site: SiteInput, superlative: Superlative) -> Mapping[str, object]:
    table, rule = superlative.table(site), superlative.rule
    if superlative is TOURNAMENTS and site.config.is_chess:
        rule += CATEGORIES
    elif superlative is TOURNAMENTS:
        table = table.without({"category"})
    return {
        "rule": rule,
        "table": table,
        "chart": _chart(site) if superlative is AGES else None,
    }


def _chart(site: SiteInput) -> AgesChart | None:
    points = [(age, year.rating) for age, year in rated_ages(site)]
    return ages_chart(points, [(age, tuple(of_age)) for age, _, of_age in quantiles(site)])
