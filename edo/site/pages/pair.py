"""The pages of two players who met often, and the list of all such pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from markupsafe import Markup

from edo.core import formats
from edo.core.model import Citation, DateSpan, OddsKind, Player
from edo.rating.coverage import left_out
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.games import Pairing
from edo.rating.inference.answers import Answers
from edo.site import urls
from edo.site.charts.score_race import Step, score_race
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.pages.annotations import Annotation, coverage_mark
from edo.site.pages.crosstable import Deduced, Encounter, EventData, kinds_of
from edo.site.pages.long_lists import MOST
from edo.site.pages.lookups import MANY, Lookups, gather, lookups_of
from edo.site.pages.results import Met, Tally, all_met, tally, year_of
from edo.site.pages.source import source_rows
from edo.site.pages.standings import expected_of
from edo.site.pages.tables import Cell, Row, Table, amount, minor, name, number, text

Ids = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Rated:
    """Games of two players that entered the fit: the first one's points [points] of `games`.

    `expected` [points] are those that the ratings of each year lead to expect.
    """

    points: float
    games: float
    expected: float


@dataclass(frozen=True, slots=True)
class PairEvent:
    """The games of two players in an event, as the first sees them.

    `mark` is the kind of mark that says what is not known of the event. `expected` [points] of the
    rated games, None without any. `remarks` are the words about single games, with the kind of
    each; `kinds` those of all marks.
    """

    event: Link
    mark: str | None
    year: int
    dates: DateSpan | None
    tally: Tally
    expected: float | None
    games: tuple[Encounter, ...]
    deduced: tuple[Deduced, ...]
    remarks: tuple[tuple[str, Markup], ...]
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class PairYear:
    """A year of two players: their rated games and ratings, each None without any.

    `chance` is the probability that the first was the stronger, None where it was not computed.
    """

    year: int
    rated: Rated | None
    first: PlayerYear | None
    second: PlayerYear | None
    chance: float | None


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all pairs and the page of each."""
    lookups = lookups_of(site)
    players = site.dataset.players
    often = lookups.index.often()
    met_by = {first: all_met(players[first], lookups) for first in {pair[0] for pair in often}}
    met = {pair: met_by[pair[0]][pair[1]] for pair in often}
    summary = (
        f"{formats.counted(len(often), 'pair')} of players who met in {MANY} or more known games."
    )
    yield Page(urls.PAIRS, "pairs.html", partial(pairs_view, met, lookups), "Head to head", summary)

    @cache  # players of one event may have many pages of pairs
    def event_data(event_id: str) -> EventData:
        return EventData.of(site.dataset.events[event_id], site.dataset, site.ratings)

    for pair, both in met.items():
        title = " – ".join(players[one].shown_name for one in pair)
        score = _score(steps_of(both, site.dataset.odds))
        description = f"{title}: all known games, {formats.counted(round(both.games, 9), 'game')}"
        description += f", score {formats.result(*score)}." if score else ", none of them counted."
        view = partial(_view, pair, both, event_data, lookups)
        yield Page(urls.pair(*pair), "pair.html", view, title, description)


PAIRS = (
    name("first", "First"),
    text("second", "Second"),
    amount(
        "games",
        "Games",
        "amount",
        meaning="all known games of the two, including those decided by default and those left "
        "unrated.",
    ),
    minor("won", "+", "score", "Won by the first"),
    minor("drawn", "=", "score", "Drawn"),
    minor("lost", "−", "score", "Lost by the first"),
    amount(
        "score",
        "Score",
        meaning="points and games, without games decided by default and those left unrated; dashes "
        "where only the total score of some games is known.",
    ),
    minor("share", "%", "percentage", "The share of these points"),
    minor("events", "Events", "count"),
    number("first_year", "From", hides=True),
    number("last_year", "To", hides=True),
)


def pairs_view(met: Mapping[Ids, Met], lookups: Lookups) -> Mapping[str, object]:
    """Return the list of pairs, those of most games first."""
    ordered = sorted(met, key=lambda pair: (-round(met[pair].games, 9), pair))[:MOST]
    rows = [_pair_row(pair, met[pair], lookups) for pair in ordered]
    table = Table("Pairs of players by number of games", PAIRS, rows, "pairs", "pairs")
    return {"table": table, "all": len(met)}


def _pair_row(pair: Ids, met: Met, lookups: Lookups) -> Row:
    """Return two players in the list; the tally is that of the first."""
    first, second = (lookups.dataset.players[player] for player in pair)
    years = [year_of(event, one.result) for event, one in met.known]
    years += [event.year for event, _ in met.deduced]
    score = tally(met, lookups.dataset.odds)
    from_totals = f"and {formats.score(score.from_totals)} from totals"
    return Row(
        {
            "first": link_to(first),
            "second": Cell(second.shown_name, urls.player(second.id), marks=tuple(score.kinds)),
            "games": Cell(round(met.games, 9), urls.pair(*pair)),
            "won": score.won,
            "drawn": score.drawn,
            "lost": score.lost,
            "score": Cell(
                formats.points_of_games(score.points, score.games),
                aside=(Link(from_totals),) if score.from_totals else (),
            ),
            "share": score.share,
            "events": len(met.events),
            "first_year": str(min(years)),
            "last_year": str(max(years)),
        }
    )


def _view(
    pair: Ids, met: Met, event_data: Callable[[str], EventData], lookups: Lookups
) -> Mapping[str, object]:
    """Return the page of two players, everything from the side of the first.

    `score` are the points [points] of both in the games that the files do not set aside, None where
    they set aside all, and `lead` [points] that of the first; `rated` the games that entered the
    fit. `without_games` are events in which both took part and no game of theirs is known;
    `other_identities` the games of the same persons under another identity; `persons` leads from
    offhand identities to the persons.
    """
    first, second = (lookups.dataset.players[one] for one in pair)
    pairings = _pairings(pair, lookups)
    steps = steps_of(met, lookups.dataset.odds)
    events = [
        _pair_event(event_data(event.id), pair, met.at(event), lookups) for event in met.events
    ]
    years = pair_years(pair, pairings, lookups)
    return {
        "ids": pair,
        "first": link_to(first),
        "second": link_to(second),
        "names": _names(first, second),
        "persons": tuple(_persons((first, second), lookups)),
        "games": sum(one.games for _, one in met.known),
        "tally": tally(met, lookups.dataset.odds),
        "score": _score(steps),
        "lead": round(sum(one.lead for one in steps), 6),
        "rated": _rated(pair[0], pairings, lookups.ratings),
        "is_compared": set(pair) <= lookups.ratings.players.keys(),
        "race": score_race(steps),
        "events": events,
        "kinds": sorted({kind for event in events for kind in event.kinds}),
        "years": years,
        "has_chances": any(row.chance is not None for row in years),
        "without_games": tuple(_without_games(pair, met, lookups)),
        "other_identities": tuple(_other_identities(pair, lookups)),
        "sources": source_rows(_citing(met), lookups.dataset.sources),
    }


def _pairings(pair: Ids, lookups: Lookups) -> tuple[Pairing, ...]:
    """Return what of the two players' games entered the fit."""
    return tuple(
        one
        for event in lookups.index.events_of_player.get(pair[0], ())
        for one in _pairings_in(event.id, pair, lookups)
        if one.basis == "results"
    )


def _pairings_in(event_id: str, pair: Ids, lookups: Lookups) -> Iterator[Pairing]:
    for one in lookups.index.pairings_of.get((event_id, pair[0]), ()):
        if {one.first.player, one.second.player} == set(pair):
            yield one


def _rated(first: str, pairings: Sequence[Pairing], ratings: Ratings) -> Rated | None:
    expected = expected_of(first, tuple(pairings), ratings)
    if expected is None:
        return None
    points = sum(p.score if p.first.player == first else p.games - p.score for p in pairings)
    return Rated(round(points, 9), round(sum(p.games for p in pairings), 9), expected)


def steps_of(met: Met, odds: Mapping[str, OddsKind]) -> list[Step]:
    """Return the first player's lead [points] game by game, without what the files set aside.

    Of a score alone it grows evenly.
    """
    found: list[Step] = []
    for event in met.events:
        here = met.at(event)
        for _, one in here.known:
            if left_out(event, one.result, odds) is not None:
                continue
            year = year_of(event, one.result)
            if one.marks:
                found += [Step(year, 1.0, 2 * mark.points - 1) for mark in one.marks]
            else:
                found.append(Step(year, one.games, 2 * one.points - one.games))
    return found


def _score(steps: Sequence[Step]) -> tuple[float, float] | None:
    """Return the points [points] of both, None where no game counts."""
    games, lead = sum(one.games for one in steps), sum(one.lead for one in steps)
    return (round((games + lead) / 2, 2), round((games - lead) / 2, 2)) if steps else None


def _names(first: Player, second: Player) -> tuple[str, str]:
    """Return how the two are called on their page: by surname, where that tells them apart."""
    short = first.name.partition(",")[0], second.name.partition(",")[0]
    is_clear = short[0] != short[1] and first.offhand_of is None and second.offhand_of is None
    return short if is_clear else (first.shown_name, second.shown_name)


def _persons(pair: tuple[Player, Player], lookups: Lookups) -> Iterator[tuple[Link, Link]]:
    """Yield each of the two that is an offhand identity, with the person."""
    for player in pair:
        if player.offhand_of is not None:
            yield link_to(player), link_to(lookups.dataset.players[player.offhand_of])


def _other_identities(pair: Ids, lookups: Lookups) -> Iterator[Link]:
    """Yield the games of the same two persons under other identities."""
    players, index = lookups.dataset.players, lookups.index
    persons = [players[one].offhand_of or one for one in pair]
    own, other = (
        (person, *(identity.id for identity in index.identities_of.get(person, ())))
        for person in persons
    )
    for one in own:
        for two in other:
            number = index.games_of(one, two)
            if number and {one, two} != set(pair):
                words = f"{players[one].shown_name} – {players[two].shown_name}"
                target = index.page_of_pair(one, two) or f"{urls.player(one)}#record"
                yield Link(f"{words}: {formats.counted(number, 'game')}", target)


def _without_games(pair: Ids, met: Met, lookups: Lookups) -> Iterator[Link]:
    known = {event.id for event in met.events}
    for event in lookups.index.events_of_player.get(pair[0], ()):
        if pair[1] in event.players and event.id not in known:
            yield link_to(event)


def _citing(met: Met) -> Iterator[tuple[Link, Citation]]:
    """Yield the events that cite a source, for themselves or for a result of the two."""
    of_results: defaultdict[str, list[Citation]] = defaultdict(list)
    for event, one in met.known:
        of_results[event.id] += one.result.sources
    for event in met.events:
        for citation in (*event.sources, *of_results[event.id]):
            yield link_to(event), citation


def _pair_event(data: EventData, pair: Ids, met: Met, lookups: Lookups) -> PairEvent:
    """Return the line of an event; `met` are the games of the two in it."""
    event = data.event
    places = [i for i, r in enumerate(event.results) if {r.first, r.second} == set(pair)]
    games = data.seen_by(pair[0], places)
    parts = tuple(part for _, part in met.deduced)
    pairings = [p for p in _pairings_in(event.id, pair, lookups) if p.basis == "results"]
    return PairEvent(
        event=link_to(event),
        mark=coverage_mark(event, lookups.dataset.odds),
        year=event.year,
        dates=event.dates,
        tally=tally(met, lookups.dataset.odds),
        expected=expected_of(pair[0], pairings, lookups.ratings),
        games=tuple(one._replace(annotation=None) for one in games),
        deduced=parts,
        remarks=tuple(_remarks(data.annotations, places)),
        kinds=kinds_of(games)
        | {part.kind for part in parts}
        | {"odds" for part in parts if part.odds is not None},
    )


def _remarks(
    annotations: Mapping[int, Annotation], places: list[int]
) -> Iterator[tuple[str, Markup]]:
    """Yield the annotations on the results, each once: kind and text of every point."""
    for one in dict.fromkeys(annotations[place] for place in places if place in annotations):
        yield from one.points


def pair_years(pair: Ids, pairings: Iterable[Pairing], lookups: Lookups) -> tuple[PairYear, ...]:
    """Return the years with rated games of the two, and those for which a chance is known."""
    of_year = gather((one.year, one) for one in pairings)
    chances = chances_of(pair, lookups.answers)
    return tuple(
        PairYear(
            year=year,
            rated=_rated(pair[0], of_year.get(year, ()), lookups.ratings),
            first=lookups.ratings.of(pair[0], year),
            second=lookups.ratings.of(pair[1], year),
            chance=chances.get(year),
        )
        for year in sorted({*of_year, *chances})
    )


def chances_of(pair: Ids, answers: Answers) -> Mapping[int, float]:
    """Return in which years the first was stronger with which probability, as far as answered."""
    first, second = pair
    found: dict[int, float] = {}
    for year, table in answers.superiority.items():
        if first in table.players and second in table.players:
            place, other = table.players.index(first), table.players.index(second)
            found[year] = table.probability[place][other]
    for one in answers.rivals.get(second, ()):
        if one.rival == first:
            found[one.year] = 1.0 - one.probability
    for one in answers.rivals.get(first, ()):
        if one.rival == second:
            found[one.year] = one.probability
    return found
