"""The pages of two players who met often, and the list of all such pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from markupsafe import Markup

from edo.core import formats
from edo.core.model import Citation, Player
from edo.rating.edo import PlayerYear
from edo.rating.inference.answers import Answers
from edo.rating.meetings import Meeting, PlayerResult, RatedScore, Tally, rated_score, tally
from edo.site import urls
from edo.site.charts.score_race import Step, score_race
from edo.site.index import MANY, gather
from edo.site.input import Later, Link, Page, SiteInput, link_to
from edo.site.pages.annotations import Annotation, annotate, coverage_mark
from edo.site.pages.crosstable import kinds_of
from edo.site.pages.long_lists import MOST
from edo.site.pages.source import source_rows
from edo.site.pages.tables import Cell, Row, Table, amount, minor, name, number, text

Ids = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PairEvent:
    """The games of two players in an event, as the first sees them.

    `mark` is the kind of mark that says what is not known of the event. `expected` [points] of the
    rated games, None without any. `remarks` are the words about single games, with the kind of
    each.
    """

    meeting: Meeting
    mark: str | None
    tally: Tally
    expected: float | None
    remarks: tuple[tuple[str, Markup], ...]


@dataclass(frozen=True, slots=True)
class PairYear:
    """A year of two players: their rated games and ratings, each None without any.

    `chance` is the probability that the first was the stronger, None where it was not computed.
    """

    year: int
    rated: RatedScore | None
    first: PlayerYear | None
    second: PlayerYear | None
    chance: float | None


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all pairs and the page of each."""
    players = site.dataset.players
    often = site.index.often()
    head_to_heads = cache(site.index.head_to_heads)

    def met(pair: Ids) -> Sequence[Meeting]:
        return head_to_heads(pair[0])[pair[1]]

    summary = (
        f"{formats.counted(len(often), 'pair')} of players who met in {MANY} or more known games."
    )
    yield Page(
        urls.PAIRS, "pairs.html", partial(pairs_view, often, met, site), "Head to head", summary
    )

    @cache  # players of one event may have many pages of pairs
    def annotations(event_id: str) -> Mapping[int, Annotation]:
        return annotate(site.dataset.events[event_id], site.dataset)

    for pair in often:
        title = " – ".join(players[player].shown_name for player in pair)
        description = Later(partial(_description, title, pair, met))
        view = partial(_view, pair, met, annotations, site)
        yield Page(urls.pair(*pair), "pair.html", view, title, description)


def _description(title: str, pair: Ids, met: Callable[[Ids], Sequence[Meeting]]) -> str:
    meetings = met(pair)
    score = _score(steps_of(meetings))
    known = f"{title}: all known games, {formats.counted(_games(meetings), 'game')}"
    return (
        f"{known}, score {formats.result(*score)}." if score else f"{known}, none of them counted."
    )


def _games(met: Iterable[Meeting]) -> float:
    return round(sum(meeting.games for meeting in met), 9)


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


def pairs_view(
    pairs: Sequence[Ids], met: Callable[[Ids], Sequence[Meeting]], site: SiteInput
) -> Mapping[str, object]:
    """Return the list of pairs, those of most games first."""
    ordered = sorted(pairs, key=lambda pair: (-_games(met(pair)), pair))[:MOST]
    rows = [_pair_row(pair, met(pair), site) for pair in ordered]
    table = Table("Pairs of players by number of games", PAIRS, rows, "pairs", "pairs")
    return {"table": table, "all": len(pairs)}


def _pair_row(pair: Ids, met: Sequence[Meeting], site: SiteInput) -> Row:
    """Return two players in the list; the tally is that of the first."""
    first, second = (site.dataset.players[player] for player in pair)
    years = [year for meeting in met for year in meeting.years]
    score = tally(met)
    from_totals = f"and {formats.score(score.from_totals)} from totals"
    return Row(
        {
            "first": link_to(first),
            "second": Cell(second.shown_name, urls.player(second.id), marks=tuple(score.kinds)),
            "games": Cell(_games(met), urls.pair(*pair)),
            "won": score.won,
            "drawn": score.drawn,
            "lost": score.lost,
            "score": Cell(
                formats.points_of_games(score.points, score.games),
                aside=(Link(from_totals),) if score.from_totals else (),
            ),
            "share": score.share,
            "events": len(met),
            "first_year": str(min(years)),
            "last_year": str(max(years)),
        }
    )


def _view(
    pair: Ids,
    meetings_of: Callable[[Ids], Sequence[Meeting]],
    annotations: Callable[[str], Mapping[int, Annotation]],
    site: SiteInput,
) -> Mapping[str, object]:
    """Return the page of two players, everything from the side of the first.

    `score` are the points [points] of both in the games that the files do not set aside, None where
    they set aside all, and `lead` [points] that of the first; `rated` the games that entered the
    fit. `without_games` are events in which both took part and no game of theirs is known;
    `other_identities` the games of the same persons under another identity; `persons` leads from
    offhand identities to the persons.
    """
    first, second = (site.dataset.players[player] for player in pair)
    met = meetings_of(pair)
    results = [result for meeting in met for result in meeting.results]
    steps = steps_of(met)
    years = pair_years(pair, results, site)
    return {
        "ids": pair,
        "first": link_to(first),
        "second": link_to(second),
        "names": _names(first, second),
        "persons": tuple(_persons((first, second), site)),
        "games": sum(meeting.known_games for meeting in met),
        "tally": tally(met),
        "score": _score(steps),
        "lead": round(sum(step.lead for step in steps), 6),
        "rated": rated_score(results, site.ratings),
        "is_compared": set(pair) <= site.ratings.players.keys(),
        "race": score_race(steps),
        "events": [_pair_event(one, annotations(one.event.id), site) for one in met],
        "kinds": sorted(kinds_of(results) | _kinds_of_deduced(met)),
        "years": years,
        "has_chances": any(row.chance is not None for row in years),
        "without_games": tuple(_without_games(pair, met, site)),
        "other_identities": tuple(_other_identities(pair, site)),
        "sources": source_rows(_citing(met), site.dataset.sources),
    }


def _kinds_of_deduced(met: Iterable[Meeting]) -> set[str]:
    by_totals = [meeting.deduced for meeting in met if meeting.deduced is not None]
    is_at_odds = any(part.odds is not None for part in by_totals)
    return {part.kind for part in by_totals} | ({"odds"} if is_at_odds else set())


def steps_of(met: Iterable[Meeting]) -> list[Step]:
    """Return the first player's lead [points] game by game, without what the files set aside.

    Of a score alone it grows evenly.
    """
    steps: list[Step] = []
    for result in (result for meeting in met for result in meeting.results):
        if result.left_out is None and result.marks:
            steps += [Step(result.year, 1.0, 2 * mark.points - 1) for mark in result.marks]
        elif result.left_out is None:
            steps.append(Step(result.year, result.games, 2 * result.points - result.games))
    return steps


def _score(steps: Sequence[Step]) -> tuple[float, float] | None:
    """Return the points [points] of both, None where no game counts."""
    games, lead = sum(one.games for one in steps), sum(one.lead for one in steps)
    return (round((games + lead) / 2, 2), round((games - lead) / 2, 2)) if steps else None


def _names(first: Player, second: Player) -> tuple[str, str]:
    """Return how the two are called on their page: by surname, where that tells them apart."""
    short = first.surname, second.surname
    is_clear = short[0] != short[1] and first.offhand_of is None and second.offhand_of is None
    return short if is_clear else (first.shown_name, second.shown_name)


def _persons(pair: tuple[Player, Player], site: SiteInput) -> Iterator[tuple[Link, Link]]:
    """Yield each of the two that is an offhand identity, with the person."""
    for player in pair:
        if player.offhand_of is not None:
            yield link_to(player), link_to(site.dataset.players[player.offhand_of])


def _other_identities(pair: Ids, site: SiteInput) -> Iterator[Link]:
    """Yield the games of the same two persons under other identities."""
    players, index = site.dataset.players, site.index
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


def _without_games(pair: Ids, met: Iterable[Meeting], site: SiteInput) -> Iterator[Link]:
    known = {meeting.event.id for meeting in met}
    for event in site.index.events_of_player.get(pair[0], ()):
        if pair[1] in event.players and event.id not in known:
            yield link_to(event)


def _citing(met: Iterable[Meeting]) -> Iterator[tuple[Link, Citation]]:
    """Yield the events that cite a source, for themselves or for a result of the two."""
    for meeting in met:
        of_results = [one for seen in meeting.results for one in seen.result.sources]
        for citation in (*meeting.event.sources, *of_results):
            yield link_to(meeting.event), citation


def _pair_event(
    meeting: Meeting, annotations: Mapping[int, Annotation], site: SiteInput
) -> PairEvent:
    rated = rated_score(meeting.results, site.ratings)
    places = sorted(result.place for result in meeting.results)
    return PairEvent(
        meeting,
        coverage_mark(meeting.event, site.dataset.odds),
        tally([meeting]),
        None if rated is None else rated.expected,
        tuple(_remarks(annotations, places)),
    )


def _remarks(
    annotations: Mapping[int, Annotation], places: list[int]
) -> Iterator[tuple[str, Markup]]:
    """Yield the annotations on the results, each once: kind and text of every point."""
    for one in dict.fromkeys(annotations[place] for place in places if place in annotations):
        yield from one.points


def pair_years(pair: Ids, results: Iterable[PlayerResult], site: SiteInput) -> tuple[PairYear, ...]:
    """Return the years with rated games of the two, and those for which a chance is known."""
    by_year = gather((result.year, result) for result in results)
    rated = {year: rated_score(found, site.ratings) for year, found in by_year.items()}
    chances = chances_of(pair, site.answers)
    return tuple(
        PairYear(
            year=year,
            rated=rated.get(year),
            first=site.ratings.of(pair[0], year),
            second=site.ratings.of(pair[1], year),
            chance=chances.get(year),
        )
        for year in sorted({*(year for year in rated if rated[year]), *chances})
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
