"""The lists of performances, upsets, number ones, ages, countries, fields and careers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby, islice

import numpy as np

from edo.core import countries, urls
from edo.core.model import Event
from edo.export import lists
from edo.export.files import csv_bytes, with_names
from edo.export.table import History, Row, Table, summed
from edo.rating.edo import PlayerYear, Ratings, highest_years, number_ones
from edo.rating.inference.joint import births
from edo.site.charts.ages import AgesChart, ages_chart
from edo.site.input import Page, SiteInput
from edo.site.pages.highlights import LEAST_GAMES, basis, best_performances, field_of, upsets, wins
from edo.site.pages.lookups import Lookups, lookups_of, shown_names
from edo.site.pages.standings import Standing


def _numbered(rows: Iterable[Row], length: int | None = lists.LENGTH) -> Iterator[Row]:
    """Yield the first rows with their places before them."""
    for place, row in enumerate(islice(rows, length), start=1):
        yield place, *row


def _performances(lookups: Lookups) -> Iterator[Row]:
    found = (
        (event, standing)
        for event in lookups.dataset.events.values()
        for standing in lookups.standings[event.id].values()
        if _is_solid(event, standing, lookups)
    )
    for event, one in best_performances(found):
        own = lookups.ratings.of(one.player, event.year)
        shown = one.floor if one.performance is None else one.performance
        score = summed(one.rated_points), summed(one.rated_games)
        if own is not None and own.rank is not None:
            numbers = (shown, one.deviation, one.performance is None or None)
            yield one.player, *numbers, *score, event.id, event.year, one.opposition, own.rating


def _is_solid(event: Event, one: Standing, lookups: Lookups) -> bool:
    """Whether a score in an event rests on played games of opponents with a rank, without odds."""
    pairings = lookups.index.pairings_of.get((event.id, one.player), ())
    results = lookups.index.results_of.get((event.id, one.player), ())
    if one.rated_games < LEAST_GAMES or any(result.soft is not None for result in results):
        return False
    if any(p.basis == "guess" or p.first.odds or p.second.odds for p in pairings):
        return False
    against = sum(
        p.games
        for p in pairings
        for side in (p.first, p.second)
        if side.player != one.player and _has_rank(side.player, p.year, lookups.ratings)
    )
    return against >= lists.LEAST_RANKED * one.rated_games


def _has_rank(player: str, year: int, ratings: Ratings) -> bool:
    own = ratings.of(player, year)
    return own is not None and own.rank is not None


def _upsets(lookups: Lookups) -> Iterator[Row]:
    events = lookups.dataset.events.values()
    found = (win for e in events for player in e.players for win in wins(e, player, lookups))
    for win in upsets(one for one in found if not one.is_at_odds):
        if win.own.rank is None or win.other.rank is None or win.expected >= 0.5:
            continue
        own, other = (win.own.player, win.own.rating), (win.other.player, win.other.rating)
        yield *own, *other, win.expected, win.won, win.event.id, win.own.year


def _firsts(lookups: Lookups) -> list[PlayerYear]:
    """Return the number ones of the years in which enough players have a rank."""
    return [
        first
        for year, first in number_ones(lookups.ratings).items()
        if len(lookups.ratings.ranked(year)) >= lists.FEWEST_RANKED
    ]


def _reigns(lookups: Lookups) -> Iterator[Row]:
    """Yield the reigns, which a year without enough players with a rank ends."""
    chances = lookups.answers.rank_probabilities
    firsts = enumerate(_firsts(lookups))
    found = []
    for (player, _), run in groupby(firsts, lambda item: (item[1].player, item[1].year - item[0])):
        years = [first.year for _, first in run]
        own = [chances[player, year].first for year in years if (player, year) in chances]
        sums = (sum(own), min(own)) if len(own) == len(years) else (None, None)
        found.append((player, years[0], years[-1], len(years), *sums))
    yield from sorted(found, key=lambda row: (-row[3], row[1]))


def _leads(lookups: Lookups) -> Iterator[Row]:
    found = []
    for first in _firsts(lookups):
        second = lookups.ratings.ranked(first.year)[1]
        chance = lookups.answers.rank_probabilities.get((first.player, first.year))
        likely = _superiority(first, second, lookups), None if chance is None else chance.first
        numbers = first.rating, first.deviation, second.rating
        lead = first.rating - second.rating
        found.append((first.player, first.year, lead, second.player, *likely, *numbers))
    yield from sorted(found, key=lambda row: (-row[2], row[1]))


def _superiority(first: PlayerYear, second: PlayerYear, lookups: Lookups) -> float | None:
    """Return the probability that the one was stronger than the other, if it is known."""
    table = lookups.answers.superiority.get(first.year)
    if table is None or not {first.player, second.player} <= set(table.players):
        return None
    return table.probability[table.players.index(first.player)][table.players.index(second.player)]


def _played(lookups: Lookups) -> Iterator[PlayerYear]:
    """Yield the player-years with results and with a rank."""
    for years in lookups.ratings.players.values():
        yield from (one for one in years if one.rank is not None and not one.is_gap)


def _among_first(lookups: Lookups, *, is_youngest: bool) -> Iterator[Row]:
    """Yield each player's first or last year among the first ten, by age."""
    born = births(lookups.dataset)
    is_choice = {
        year for year in lookups.ratings.years
        if len(lookups.ratings.ranked(year)) >= lists.FEWEST_FOR_TEN
    }  # fmt: skip
    edge: dict[str, PlayerYear] = {}
    for one in _played(lookups):
        if one.player in born and one.year in is_choice and (one.rank or 0) <= lists.TOP:
            edge[one.player] = edge.get(one.player, one) if is_youngest else one
    sign = 1 if is_youngest else -1
    ages = {player: one.year - born[player] for player, one in edge.items()}
    for one in sorted(edge.values(), key=lambda y: (sign * ages[y.player], y.year, y.player)):
        chance = lookups.answers.rank_probabilities.get((one.player, one.year))
        likely = None if chance is None else chance.top_ten
        numbers = one.year, one.rank, one.rating, one.deviation
        yield one.player, ages[one.player], *numbers, likely


def _juniors(lookups: Lookups) -> Iterator[Row]:
    born = births(lookups.dataset)
    young = (
        one for one in _played(lookups)
        if one.player in born and one.year - born[one.player] <= lists.JUNIOR
    )  # fmt: skip
    for one in highest_years(young):
        age = one.year - born[one.player]
        yield one.player, age, one.rating, one.deviation, one.year, one.rank


def _women(lookups: Lookups) -> Iterator[Row]:
    """Yield all rated women by their peaks, those without a rank last and without a place."""
    players, ratings = lookups.dataset.players, lookups.ratings
    peaks = [ratings.peak(player) for player in ratings.players if players[player].woman]
    found = sorted(
        (one for one in peaks if one is not None),
        key=lambda one: (one.rank is None, -one.rating, one.player),
    )
    for place, one in enumerate(found, start=1):
        number = None if one.rank is None else place
        shown = one.player, one.rating, one.deviation, one.year, players[one.player].country
        yield number, *shown, summed(one.near_games), one.shortfall(ratings.settings) or None


def _countries(lookups: Lookups) -> Iterator[Row]:
    """Yield the highest years of players under each country of the time, by the best of each."""
    years: defaultdict[str, list[PlayerYear]] = defaultdict(list)
    for one in _played(lookups):
        names = countries.named(lookups.dataset.players[one.player].country_in(one.year), one.year)
        for name in filter(None, names.split(", ")):
            years[name].append(one)
    best = {name: highest_years(of_country) for name, of_country in years.items()}
    for country in sorted(best, key=lambda name: (-best[name][0].rating, name)):
        for place, one in enumerate(best[country][: lists.OF_COUNTRY], start=1):
            yield place, one.player, country, one.rating, one.deviation, one.year


def _tournaments(lookups: Lookups) -> Iterator[Row]:
    found = []
    for event in lookups.dataset.events.values():
        years = [lookups.ratings.of(player, event.year) for player in event.players]
        field = field_of(event, (year for year in years if year is not None))
        ranked = sum(year is not None and year.rank is not None for year in years)
        if field is not None and ranked >= lists.LEAST_RANKED * len(years):
            shown = event.id, event.year, len(years), ranked
            found.append((*shown, field.mean, field.category))
    yield from sorted(found, key=lambda row: (-row[4], row[0]))


def _most_games(lookups: Lookups) -> Iterator[Row]:
    found = []
    for player, years in _with_rank(lookups):
        rests_on = basis(player, lookups)
        counts = summed(rests_on.games), rests_on.events, rests_on.opponents
        found.append((player, *counts, years[0].year, years[-1].year))
    yield from sorted(found, key=lambda row: (-row[1], row[0]))


def _careers(lookups: Lookups) -> Iterator[Row]:
    found = []
    for player, years in _with_rank(lookups):
        first, last = years[0].year, years[-1].year
        games = summed(sum(one.games for one in years))
        active = sum(not one.is_gap for one in years)
        found.append((player, last - first, first, last, active, games))
    yield from sorted(found, key=lambda row: (-row[1], row[0]))


def _with_rank(lookups: Lookups) -> Iterator[tuple[str, Sequence[PlayerYear]]]:
    """Yield the players who have a rank in some year, each with all rated years."""
    for player, years in lookups.ratings.players.items():
        if any(one.rank is not None for one in years):
            yield player, years


def rated_ages(lookups: Lookups) -> list[tuple[int, PlayerYear]]:
    """Return the player-years with results and a rank whose age is known, by age."""
    born = births(lookups.dataset)
    known = (one for one in _played(lookups) if one.player in born)
    return sorted(
        ((one.year - born[one.player], one) for one in known),
        key=lambda item: (item[0], item[1].player),
    )


def _ages(lookups: Lookups) -> Iterator[tuple[int, int, *tuple[float, ...]]]:
    for age, group in groupby(rated_ages(lookups), lambda item: item[0]):
        ratings = [one.rating for _, one in group]
        if len(ratings) >= lists.FEWEST_OF_AGE:
            yield age, len(ratings), *np.quantile(ratings, lists.QUANTILES).tolist()


def _meanings(table: Table, columns: Sequence[Shown]) -> Iterator[tuple[str, str]]:
    """Yield what the columns say whose heads alone do not tell."""
    told = {column.name: column.description for column in table.columns}
    heads = Counter(one.head for one in columns)
    for one in columns:
        if one.name not in PLAIN:
            meaning, _, _ = told[one.name].partition(" [")
            yield one.head if heads[one.head] == 1 else one.full or one.head, f"{meaning}."


def _chart(site: SiteInput) -> AgesChart | None:
    lookups = lookups_of(site)
    points = [(age, one.rating) for age, one in rated_ages(lookups)]
    return ages_chart(points, [(row[0], row[2:]) for row in _ages(lookups)])


ROWS: Mapping[str, Callable[[Lookups], Iterable[Row]]] = {
    lists.PERFORMANCES.name: lambda lookups: _numbered(_performances(lookups)),
    lists.UPSETS.name: lambda lookups: _numbered(_upsets(lookups)),
    lists.REIGNS.name: lambda lookups: _numbered(_reigns(lookups), None),
    lists.LEADS.name: lambda lookups: _numbered(_leads(lookups), None),
    lists.YOUNGEST.name: lambda lookups: _numbered(_among_first(lookups, is_youngest=True)),
    lists.OLDEST.name: lambda lookups: _numbered(_among_first(lookups, is_youngest=False)),
    lists.JUNIORS.name: lambda lookups: _numbered(_juniors(lookups)),
    lists.WOMEN.name: _women,
    lists.COUNTRIES.name: _countries,
    lists.TOURNAMENTS.name: lambda lookups: _numbered(_tournaments(lookups)),
    lists.MOST_GAMES.name: lambda lookups: _numbered(_most_games(lookups)),
    lists.CAREERS.name: lambda lookups: _numbered(_careers(lookups)),
    lists.AGES.name: _ages,
}
"""What makes the rows of each list, by its name."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How a page shows a column: its head, the head in full, and the look of its cells.

    `look` is one of the template's; `is_less` columns are left out on a phone; `filter` is what may
    be asked of the column (`static/filters.js`).
    """

    name: str
    head: str
    look: str
    full: str = ""
    is_less: bool = False
    is_largest_first: bool = False
    filter: str | None = None

    @property
    def is_number(self) -> bool:
        """Whether the cells are aligned as numbers."""
        return self.look not in ("player", "event", "country", "plain")

    @property
    def is_row_head(self) -> bool:
        """Whether its cells name the rows."""
        return self.name == "player"

    @property
    def attributes(self) -> Mapping[str, str]:
        """Return the attributes of the column's head."""
        looks = ("num" if self.is_number else "name" if self.is_row_head else "", "less")
        classes = " ".join(looks[: 1 + self.is_less]).strip()
        found = {
            "class": classes,
            "data-first": "descending" if self.is_largest_first else "",
            "data-filter": self.filter or "",
            "data-key": self.name.replace("_", "-") if self.filter else "",
            "data-label": FILTER_WORDS.get(self.filter or "", "").format(self.head),
        }
        return {name: value for name, value in found.items() if value}


FILTER_WORDS = {"contains": "{} contains", "span": "{} from", "least": "{} at least"}

_ALL = (
    Shown("place", "Place", "count"),
    Shown("of_country", "Place", "count"),
    Shown("country", "Country", "country", filter="choice"),
    Shown("age", "Age", "count"),
    Shown("player", "Player", "player", filter="contains"),
    Shown("performance", "Performance", "performance", is_largest_first=True),
    Shown("rating", "Rating", "rating", is_largest_first=True),
    Shown("deviation", "Dev.", "deviation", "Standard error"),
    Shown("score", "Score", "score", is_largest_first=True),
    Shown("opposition", "Opponents", "rating", "Mean rating of the opponents", True, True),
    Shown("other", "Opponent", "player", filter="contains"),
    Shown("other_rating", "Rating", "rating", "Rating of the opponent", is_largest_first=True),
    Shown("expected", "Expected", "expected"),
    Shown("won", "Won", "count", "Games won", True, True),
    Shown("second", "Second", "player"),
    Shown("second_rating", "Rating", "rating", "Rating of the second", True, True),
    Shown("lead", "Lead", "rating", is_largest_first=True),
    Shown("p_stronger", "Stronger", "chance", "Probability", is_largest_first=True),
    Shown("p_first", "First", "chance", "Number-one probability", True, True),
    Shown("years", "Years", "count", is_largest_first=True),
    Shown("expected_years", "Expected", "decimal", "Expected number of years", False, True),
    Shown("p_least", "Least", "chance", "Smallest number-one probability", True, True),
    Shown("rank", "Rank", "count"),
    Shown("p_top10", "Top ten", "chance", "Probability", True, True),
    Shown("near_games", "Games", "count", "Rated games near the year", True, True),
    Shown("event", "Event", "event", filter="contains"),
    Shown("players", "Players", "count", "", True, True),
    Shown("ranked", "Ranked", "count", "Players with a rank", True, True),
    Shown("mean", "Mean", "rating", "Mean rating", is_largest_first=True),
    Shown("category", "Category", "count", is_largest_first=True),
    Shown("games", "Games", "count", is_largest_first=True),
    Shown("events", "Events", "count", "", True, True),
    Shown("opponents", "Opponents", "count", "", True, True),
    Shown("active", "Active", "count", "Years with rated games", True, True),
    Shown("first_year", "From", "year"),
    Shown("last_year", "To", "year"),
    Shown("year", "Year", "year", filter="span"),
    Shown("player_years", "Ratings", "count", "Number of ratings", is_largest_first=True),
    Shown("q50", "Median", "rating", is_largest_first=True),
    *(Shown(f"q{n}", f"{n}%", "rating", "", False, True) for n in (10, 25, 75, 90)),
)
PLAIN = (
    *("place", "of_country", "country", "player", "other", "second", "event", "year"),
    *("first_year", "last_year", "age", "rank", "players", "events", "opponents", "won"),
)
"""Columns whose heads say it all."""
SHOWN = {one.name: one for one in _ALL}
"""How the columns of the lists are shown, in all of them."""

_RANK = "Only years in which the player has enough evidence for a rank count."
_ENOUGH = (
    f"Only years in which at least {lists.FEWEST_RANKED} players have enough evidence for a rank "
    "count, and only these players."
)
_TEN = (
    "Only years with results in which the player has a rank, among at least "
    f"{lists.FEWEST_FOR_TEN} players with one, and players whose year of birth is known."
)
_SOME = "Only players with enough evidence for a rank in some year."
RULES: Mapping[str, str] = {
    lists.PERFORMANCES.name: (
        f"At least {LEAST_GAMES} rated games in the event, {lists.LEAST_RANKED:.0%} of them "
        "against opponents with enough evidence for a rank; the player has a rank, too. Scores "
        "chosen by an editor or guessed from totals are left out, and so are games at odds."
    ),
    lists.UPSETS.name: (
        "Both players have enough evidence for a rank in the year. Games at odds and scores chosen "
        "by an editor are left out. The ratings rest on these games, too: without them the result "
        "would be even less expected."
    ),
    lists.REIGNS.name: f"{_ENOUGH} A year with fewer ends a reign.",
    lists.LEADS.name: _ENOUGH,
    lists.YOUNGEST.name: _TEN,
    lists.OLDEST.name: _TEN,
    lists.JUNIORS.name: f"{_RANK} Players whose year of birth is not known are left out.",
    lists.WOMEN.name: (
        "All rated women. Those with too little evidence for a rank stand below, in grey, with "
        "what is too little. Most of their games are against each other; what ties these to the "
        "rest of the field are the few who played in other events as well."
    ),
    lists.COUNTRIES.name: (
        f"{_RANK} Players whose country is not on record are left out; those with several "
        "countries stand under each."
    ),
    lists.TOURNAMENTS.name: (
        f"At least {lists.LEAST_RANKED:.0%} of the players have enough evidence for a rank in the "
        "year. Knock-outs and matches are left out."
    ),
    lists.MOST_GAMES.name: _SOME,
    lists.CAREERS.name: _SOME,
    lists.AGES.name: (
        f"{_RANK} Quantiles are given for ages with at least {lists.FEWEST_OF_AGE} ratings in "
        "years with results. They are not of the same players at every age: those on record when "
        "very young or old are mostly exceptional, so that the line is nobody’s career."
    ),
}
"""What evidence each list asks for, by its name."""


CATEGORIES = " FIDE’s categories date from 1971; here they are applied to the ratings of this site."


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of each list."""
    for table in lists.LISTS:
        path = urls.listing(table.name)
        yield Page(
            path=path,
            template="listing.html",
            view=partial(_view, site, table),
            title=table.title,
            description=table.description,
            scripts=(urls.static("filters.js"),),
            table=urls.table(path),
        )


def files(site: SiteInput) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of the CSV file of each list, with the names of the players."""
    for table in lists.LISTS:
        names = {"other": "other_name", "second": "second_name", "player": "name"}
        given = {name: column for column, name in names.items() if column in table.header}
        named = with_names(table, **given)
        content = csv_bytes(named, named.rows(_history(site, table)))
        yield urls.table(urls.listing(table.name)), content


@lru_cache(maxsize=len(lists.LISTS))
def _history(site: SiteInput, table: Table) -> History:
    """Return the history with the rows of one list."""
    rows = {table.name: tuple(ROWS[table.name](lookups_of(site)))}
    return History(site.dataset, site.ratings, site.answers, lists=rows)


def _view(site: SiteInput, table: Table) -> Mapping[str, object]:
    """Return the rows of a list, each by the names of its columns, as published."""
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows(_history(site, table))]
    # A score is shown with its games.
    hidden = {"games"} if "score" in table.header else set()
    hidden |= set() if site.config.is_chess else {"category"}
    columns = [SHOWN[name] for name in table.header if name in SHOWN and name not in hidden]
    events = {str(row["event"]) for row in rows if "event" in row}
    players = (
        str(row[name]) for row in rows for name in ("player", "other", "second") if name in row
    )
    return {
        "title": table.title,
        "description": table.description,
        "rule": RULES[table.name] + (CATEGORIES if SHOWN.get("category") in columns else ""),
        "columns": columns,
        "rows": rows,
        "names": shown_names(players, site.dataset),
        "events": {id_: site.dataset.events[id_].name for id_ in sorted(events)},
        "meanings": list(_meanings(table, columns)),
        "chart": _chart(site) if table is lists.AGES else None,
    }
