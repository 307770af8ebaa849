"""The whole input of the site in, the page that explains the data files out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from edo import answerfiles, datafiles, formats, influence, urls
from edo.answers import Answers
from edo.views.site import Link, Page, SiteInput

_WORDS: Mapping[str, str] = {
    "id": "the id, which is also the name of the page",
    "name": "as the pages show it",
    "born": "date as exactly as known; ~ marks about",
    "died": "likewise",
    "country": "three letters; a slash for a change of federation",
    "woman": "yes, or empty",
    "offhand_of": "the person, where this is a separate offhand identity",
    "spellings": "other spellings, separated by |",
    "first_rated_year": "the first year with a rating",
    "last_rated_year": "the last year with a rating",
    "peak_year": "the year of the highest rating among those with results",
    "peak_rating": "that rating [Elo]",
    "peak_deviation": "its deviation [Elo]",
    "unrated_reason": "why there is no rating, where there is none",
    "kind": "tournament, match or team match",
    "place": "id of the place",
    "dates": "as exactly as known; a slash between first and last day",
    "year": "the calendar year; of an event, the one in which it finished",
    "format": "in words",
    "completeness": "complete, incomplete or unverified",
    "missing": "what is missing",
    "players": "how many took part as far as known",
    "rated_games": "how many games entered the ratings",
    "sources": "ids of the sources, separated by |",
    "event": "id of the event",
    "player_a": "id of the first player",
    "odds_a": "the odds that the first player gave; empty for even play",
    "odds_points_a": "what these are worth [Elo]",
    "player_b": "id of the second player",
    "odds_b": "the odds that the second player gave; empty for even play",
    "odds_points_b": "what these are worth [Elo]",
    "score_a": "points of the first player",
    "games": "number of games; 0 in the years of a gap",
    "player": "id of the player",
    "rating": "adjusted rating, as the pages show it [Elo]",
    "deviation": "its deviation [Elo]",
    "raw_rating": "rating as it was fitted [Elo]",
    "raw_deviation": "its deviation [Elo]",
    "rank": "place in that year's list, the years of gaps included",
    "score": "points in the games that entered the ratings",
    "p_first": "probability of having been the strongest of the year",
    "p_top10": "probability of having been among the ten strongest",
    "rated": "how many players are rated",
    "top5": "mean rating of the first five of the list [Elo]; empty where there are fewer",
    "top10": "likewise of the first ten",
    "top20": "likewise of the first twenty",
    "share_below_2200": "share of the rated players whose rating is below 2200, 0 to 1",
    "rank_low": "the best rank of the range that holds the true one in nine cases of ten",
    "rank_high": "the worst rank of that range",
    "shift": "rating without the event less rating with it [Elo]; empty: no rating without it",
    "of_all": "the median of the shifts of all ratings: what the event does to the whole scale",
    "expected": "points that the ratings made without the event lead to expect",
    "surprise": "score less expected points, in deviations",
    "causes": "what could lie behind it, separated by |; none of it is established",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a data file and what it says."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class DataFile:
    """A data file, what is in it and how many rows it has; `anchor` is its id on the page."""

    anchor: str
    target: Link
    words: str
    rows: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class DataView:
    """The page of the data files."""

    files: tuple[DataFile, ...]
    settings: Link


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of the data files."""
    yield Page(
        path=urls.DATA,
        template="data.html",
        view=data_view(site),
        title="Data",
        description=(
            "All players, events, pairings and ratings, and what is answered from them, as CSV "
            "files for anyone to check."
        ),
    )


def data_view(site: SiteInput) -> DataView:
    """Return the page of the data files."""
    dataset, ratings = site.dataset, site.ratings
    years = sum(len(years) for years in ratings.players.values())
    return DataView(
        files=(
            _file("ratings", "Every year of every rated player.", datafiles.RATINGS, years),
            _file(
                "pairings",
                "Every weighted pairing that entered the ratings.",
                datafiles.PAIRINGS,
                len(ratings.pairings),
            ),
            *_answer_files(site.answers),
            _file(
                "consistency",
                "The level of each year, from the adjusted ratings of all who are rated in it.",
                datafiles.CONSISTENCY,
                len(ratings.years),
            ),
            _file("players", "Everybody.", datafiles.PLAYERS, len(dataset.players)),
            _file("events", "Every event.", datafiles.EVENTS, len(dataset.events)),
        ),
        settings=Link("How the ratings are made", urls.method("ratings")),
    )


def _answer_files(answers: Answers) -> Iterator[DataFile]:
    """Yield the files of what the joint distribution answers."""
    least = answerfiles.WORTH_TELLING
    yield _file(
        "number_one",
        "Who may have been the strongest of a year, or among the ten strongest: everyone with a "
        "probability of 1% or more.",
        answerfiles.NUMBER_ONE,
        sum(max(one.first, one.top_ten) >= least for one in answers.chances.values()),
    )
    yield _file(
        "influence",
        "By how much a rating would move without an event: for every year of every player the "
        f"events that move it by {formats.counted(influence.SMALLEST, 'point')} or more, the "
        f"{influence.MOST} that matter most.",
        answerfiles.INFLUENCE,
        sum(map(len, answers.influences.values())),
    )
    yield _file(
        "suspects",
        "The scores that are hard to believe, judged by the ratings without the event.",
        answerfiles.SUSPECTS,
        len(answers.suspects),
        {"deviation": "deviation of the expected points, doubt about the ratings included"},
    )


def _file(
    name: str,
    words: str,
    columns: tuple[str, ...],
    rows: int,
    own: Mapping[str, str] = MappingProxyType({}),
) -> DataFile:
    """Return a file; `own` says what its columns mean where that is not what it is elsewhere."""
    meaning = {**_WORDS, **own}
    return DataFile(
        anchor=name,
        target=Link(f"{name}.csv", urls.data(f"{name}.csv")),
        words=words,
        rows=formats.counted(rows, "row"),
        columns=tuple(Column(column, meaning[column]) for column in columns),
    )
