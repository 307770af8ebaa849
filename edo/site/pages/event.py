"""The page of each event, and who won it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, permutations

from edo.core import formats
from edo.core.model import Dataset, Event, Odds
from edo.history.unknown_games import is_totals_only
from edo.rating.coverage import compares_all, coverage, games_on_record
from edo.rating.edo import why_unrated
from edo.rating.finish import finish
from edo.rating.games import Pairing
from edo.rating.meetings import PlayerResult, meetings
from edo.rating.standings import Standing, entered, standings
from edo.site import markup, metadata, urls
from edo.site.charts.expected_scores import ExpectedScores, Scored, expected_scores
from edo.site.input import Later, Link, Page, SiteInput, link_to
from edo.site.pages.annotations import (
    annotate,
    common_of,
    coverage_mark,
    kind_text,
    odds_text,
)
from edo.site.pages.bracket import bracket
from edo.site.pages.crosstable import crosstable, kinds_of, split_names
from edo.site.pages.highlights import field_of, highlights_of_event
from edo.site.pages.results import Score, pairing_groups, round_tables
from edo.site.pages.score_table import ScoreTable, score_table
from edo.site.pages.teams import by_team, team_table, team_winner

MAX_CROSSTABLE = 30
"""The most players [players] whose pairings are still laid out as a crosstable."""


@dataclass(frozen=True, slots=True)
class MatchPart:
    """Games of a match that belong together, all of even play or at the same odds.

    `title` is None where they are all there is; `score` names the giver of odds first. `games` are
    both players' results, by player. They `have_games` where the single games are known; these
    are numbered only where none can be missing.
    """

    title: str | None
    score: Score
    is_soft: bool
    table: ScoreTable
    games: tuple[tuple[PlayerResult, ...], ...]
    has_games: bool
    is_numbered: bool


@dataclass(frozen=True, slots=True)
class Match:
    """The parts of a match, and the table of all of them together where there are several."""

    parts: tuple[MatchPart, ...]
    whole: ScoreTable | None
    score: Score


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The events before and after one in a sequence: those of its year, place, series or players.

    `whole` leads to the page of all of them, or only says what they have in common.
    """

    name: str
    whole: Link
    before: Link | None
    after: Link | None


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all events and the page of each."""
    for events in site.index.events_of_year.values():
        for event in events:
            yield _page(event, site)


def _page(event: Event, site: SiteInput) -> Page:
    pairings = site.index.pairings_of_event.get(event.id, ())
    year = site.config.year_label(event.year)
    is_in_name = year in event.name or str(event.year) in event.name
    title = event.name if is_in_name else f"{event.name} ({year})"
    counts = cache(partial(_counts, event, pairings))
    players = formats.counted(len(event.players), "player")
    path = urls.event(event.id)
    place = None if event.place is None else site.dataset.places[event.place]
    return Page(
        path,
        "event.html",
        partial(_view, event, site, counts),
        title,
        Later(lambda: f"{title}: {event.kind}, {players}; {', '.join(counts())}."),
        about=metadata.sports_event(
            event, place, site.dataset.players, site.base_url, site.config.game_title
        ),
    )


def _view(
    event: Event, site: SiteInput, counts: Callable[[], tuple[str, str]]
) -> Mapping[str, object]:
    """Return what the page of an event shows.

    At most one of `crosstable`, `match`, `rounds` and `pairings` has something to show. `changes`
    are by player. `kinds` are all the kinds of marks and cells that occur, for the legend;
    `footnotes` are the annotations that are marked at results, by place.
    """
    dataset, ratings, index, page = site.dataset, site.ratings, site.index, urls.event(event.id)
    met, shape = index.meetings_in(event), _shape(event)
    by_player = by_team(event, index.standings_of(event.id))
    scores = score_table(event, by_player, met)
    annotations = annotate(event, dataset)
    common = common_of(annotations.values())
    table = crosstable(event, met, dataset.players) if shape == "crosstable" else None
    results = [one for row in met.values() for meeting in row.values() for one in meeting.results]
    is_rated = event.id in index.pairings_of_event
    why = None if is_rated else why_unrated(event, dataset, ratings)
    rated = filter(None, (ratings.of(player, event.year) for player in event.players))
    places = dict(enumerate(event.results)) if shape == "pairings" else {}
    return {
        "event": event,
        "counts": counts(),
        "field": field_of(event, rated),
        "coverage": coverage(event, dataset.odds),
        "mark": coverage_mark(event, dataset.odds),
        "class_odds": tuple(_class_odds(event, dataset)),
        "compares_classes": compares_all(event, dataset.odds),
        "knows_all_odds": _knows_all_odds(event, dataset),
        "missing": None if event.missing is None else markup.inline(event.missing, page),
        "why_unrated": None if why is None else markup.inline(why, page),
        "order": _order(event),
        "winner": winner(event, dataset),
        "has_results": bool(event.results) or is_totals_only(event) or is_rated,
        "table": scores,
        "crosstable": table,
        "match": _match(event, scores, site) if shape == "match" else None,
        "rounds": round_tables(event, met, ratings) if shape == "rounds" else (),
        "bracket": bracket(event) if shape == "rounds" else None,
        "teams": team_table(event),
        "pairings": pairing_groups(event, places, met, ratings),
        "kinds": sorted(kinds_of(results) | (table.kinds if table is not None else frozenset())),
        "common": common,
        "footnotes": {
            place: annotation
            for place, annotation in annotations.items()
            if annotation not in common.values()
        },
        "changes": {
            player: influence
            for player in event.players
            for influence in site.answers.influences.get((player, event.year), ())
            if influence.event == event.id
        },
        "chart": _chart(by_player.values(), dataset),
        "highlights": None if event.kind == "match" else highlights_of_event(event, site),
        "annotations": tuple(dict.fromkeys(annotations.values())),
        "disputed": None if event.disputed is None else markup.block(event.disputed, page),
        "notes": None if event.notes is None else markup.block(event.notes, page),
        "neighbours": tuple(neighbours_of(event, site)),
    }


def _chart(standings: Iterable[Standing], dataset: Dataset) -> ExpectedScores | None:
    """Return the chart of expected and actual scores, of the players with rated games."""
    rated = [one for one in standings if one.expected is not None]
    names = split_names([dataset.players[one.player].shown_name for one in rated])
    return expected_scores(
        [
            Scored(name, one.rated_points, one.expected or 0.0, one.rated_games)
            for (name, _), one in zip(names, rated, strict=True)
        ]
    )


def _class_odds(event: Event, dataset: Dataset) -> Iterator[tuple[str, int]]:
    """Yield the odds between classes in words, each with the difference of the classes."""
    for below in sorted(event.class_odds):
        yield kind_text(dataset.odds[event.class_odds[below]]), below


def _knows_all_odds(event: Event, dataset: Dataset) -> bool:
    """Whether any two players of the event met at even play or at odds of known worth."""
    order = {name: place for place, name in enumerate(event.class_names)}
    places = {order.get(name, 0) for name in event.classes.values()}
    kinds = (event.class_odds.get(abs(a - b)) for a, b in combinations(places, 2))
    return all(kind is not None and dataset.odds[kind].points is not None for kind in kinds)


def _shape(event: Event) -> str | None:
    """Return what the page's main table is, None where no pair's games are known."""
    if not event.results:
        return None
    if event.kind == "match":
        return "match"
    if event.rounds:
        return "rounds"
    is_small = event.kind == "tournament" and len(event.players) <= MAX_CROSSTABLE
    return "crosstable" if event.has_crosstable or is_small else "pairings"


MORE = "there may have been more"


def _counts(event: Event, pairings: Sequence[Pairing]) -> tuple[str, str]:
    """Return how many of the games played are known, and in what way, and how many are rated."""
    found = games_on_record(event)
    rated = round(sum(pairing.games for pairing in pairings), 9)
    words = []
    if found.known:
        is_all = found.played in (None, found.known)
        of = "" if is_all else f" of {formats.amount(found.played or 0.0)}"
        noun = "game" if is_all and found.known <= 1 else "games"
        met = found.pairs if found.played is None else None
        pairs = "" if met is None else f" ({met[0]} of the {formats.counted(met[1], 'pair')})"
        words.append(f"{formats.amount(found.known)}{of} {noun} known{pairs}")
    if found.by_totals:
        words.append(f"{formats.counted(found.by_totals, 'game')} from totals")
    if found.estimated:
        soft = any(result.soft is not None for result in event.results)
        how = "with soft scores" if soft else "guessed"
        words.append(f"{formats.counted(found.estimated, 'game')} {how}")
    if found.missing and (found.by_totals or found.estimated or not found.known):
        words.append(f"{formats.counted(found.missing, 'game')} missing")
    elif found.missing is None and words:
        words.append(MORE if event.completeness == "unverified" else "others missing")
    is_all = abs(found.known + found.by_totals + found.estimated - rated) < 1e-9
    how_many = "all" if is_all else formats.score(rated)
    return ", ".join(words) or "no result known", f"{how_many if rated else 'none'} rated"


def _order(event: Event) -> str:
    """Return how the players are ordered, as far as the file says."""
    has_order = event.has_crosstable or "players" in event.lines or is_totals_only(event)
    if has_order and event.ranked_by is not None:
        return f"In the order of the final table, by {event.ranked_by}."
    if has_order and event.completeness == "complete":
        return "In finishing order."
    points = {total.player: total.points for total in event.totals}
    ranking = [points[player] for player in event.players if player in points]
    if len(ranking) == len(event.players) and ranking == sorted(ranking, reverse=True):
        return "In the order of the published totals."
    if len(ranking) > 1 and ranking == sorted(ranking, reverse=True):
        return "In the order of the published totals, as far as they are known."
    return "Order of finish not known."


def _match(event: Event, scores: ScoreTable, site: SiteInput) -> Match:
    """Return the tables of an event of two players."""
    first, second = event.players
    meeting = site.index.meetings_in(event)[first][second]
    grouped: dict[tuple[int | None, Odds | None], list[int]] = {}
    for place, result in enumerate(event.results):
        line = None if event.has_crosstable else result.line  # that of the pairing in the file
        grouped.setdefault((line, result.odds), []).append(place)
    are_several = len(grouped) > 1
    return Match(
        tuple(
            _part_of_match(event, places, None if are_several else scores, site)
            for places in grouped.values()
        ),
        scores if are_several else None,
        meeting.score,
    )


def _part_of_match(
    event: Event, places: Sequence[int], scores: ScoreTable | None, site: SiteInput
) -> MatchPart:
    """Return a part of a match; `scores` are those of the match if it has no other part."""
    part = event
    if scores is None:
        results = tuple(event.results[place] for place in places)
        part = replace(event, results=results, totals=())
        scores = _scores(part, site)
    odds = part.results[0].odds
    even_play = "Even play" if len(part.results) < len(event.results) else None
    table = site.index.meetings_in(event)
    first, second = (table[p][q].part(places) for p, q in permutations(event.players))
    return MatchPart(
        title=even_play if odds is None else odds_text(part.results[0], site.dataset),
        score=(second if odds is not None and odds.giver == second.player else first).score,
        is_soft=any(result.soft is not None for result in part.results),
        table=scores,
        games=(first.results, second.results),
        has_games=all(result.marks for result in part.results),
        is_numbered=part.completeness == "complete" and not part.unknown_games,
    )


def _scores(part: Event, site: SiteInput) -> ScoreTable:
    dataset, ratings = site.dataset, site.ratings
    rated = entered(part, dataset, ratings)
    return score_table(part, standings(part, rated, ratings), meetings(part, dataset.odds))


def neighbours_of(event: Event, site: SiteInput) -> Iterator[Neighbours]:
    """Yield the events around one in its year, its place, its series and those of its players."""
    dataset, index = site.dataset, site.index
    year = Link(str(event.year), urls.year(event.year))
    yield _neighbours("Same year", year, event, index.events_of_year[event.year])
    if event.place is not None:
        place = link_to(dataset.places[event.place])
        yield _neighbours("Same place", place, event, index.events_of_place[event.place])
    if event.series is not None:
        series = link_to(dataset.series[event.series])
        yield _neighbours("Same series", series, event, index.events_of_series[event.series])
    if event.kind == "match":
        yield _of_pair(event, site)


def _of_pair(event: Event, site: SiteInput) -> Neighbours:
    """Return the neighbours of a match among the events in which its two players met."""
    one, other = event.players
    met = [
        held
        for held in site.index.events_of_player[one]
        if held.id == event.id or site.index.have_met(one, other, held)
    ]
    names = " – ".join(site.dataset.players[p].shown_name for p in sorted(event.players))
    page = site.index.page_of_pair(one, other)
    words = names if page else f"{names}, {formats.counted(len(met), 'event')}"
    return _neighbours("Same opponents", Link(words, page), event, met)


def _neighbours(name: str, whole: Link, event: Event, events: Sequence[Event]) -> Neighbours:
    place = next(i for i, held in enumerate(events) if held.id == event.id)
    before = link_to(events[place - 1]) if place > 0 else None
    after = link_to(events[place + 1]) if place + 1 < len(events) else None
    return Neighbours(name, whole, before, after)


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won: nobody where a match was drawn, several where the first place was shared.

    `score` is that of a match, both sides, or the points of the first place, or empty; `by` is what
    decided a tie, if an editor says so. A team that won stands for its players and has no page.
    """

    players: tuple[Link, ...]
    score: tuple[float, ...]
    by: str | None = None


def place_link(event: Event, dataset: Dataset) -> Link | None:
    """Return the link to the place of an event, None where it is not known."""
    return None if event.place is None else link_to(dataset.places[event.place])


def winner(event: Event, dataset: Dataset) -> Winner | None:
    """Return who won an event, or None where what is known does not decide it."""
    if event.teams:
        won = team_winner(event)
        return None if won is None else Winner(*won)
    found = finish(event, dataset.odds)
    if found is None:
        return None
    players = tuple(link_to(dataset.players[player]) for player in found.winners)
    return Winner(players, found.score, event.decided_by)
