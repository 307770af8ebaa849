"""The page of matches that never were: examples, and any others by a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial

from edo.core import formats
from edo.history.project import MOST_GAMES, MatchAsked
from edo.rating.edo import PlayerYear
from edo.rating.hypothetical_match import EDGES, DrawShares, MatchScore, draw_shares, match_score
from edo.rating.inference.answers import AcrossYears
from edo.site import urls
from edo.site.charts.match_score import MatchChart, match_chart
from edo.site.input import Page, SiteInput
from edo.site.pages.tables import Cell, Row, Table, amount, name, number, text

SCRIPTS = (
    urls.static("numbers.js"),
    *(urls.static(f"compare_{part}.js") for part in ("numbers", "state", "choice")),
    urls.static("match_score.js"),
    urls.static("match.js"),
    urls.static("save.js"),
    urls.COMPARED,  # last: it starts the others
)
COLUMNS = (
    name("first", "First"),
    text("second", "Second"),
    amount("games", "Games"),
    number("lead", "Lead", "signed", "Rating of the first minus that of the second"),
    number("deviation", "Error", "deviation", "Standard error of the lead, in Elo points"),
    amount("expected", "Expected", full="Expected score of the first"),
    amount("won", "Wins", "chance", "Probability that the first wins the match"),
    amount("drawn", "Drawn", "chance", "Probability that the match is drawn"),
    amount("lost", "Loses", "chance", "Probability that the first loses the match"),
    text("range", "Nine in ten", full="The range of the scores of nine matches in ten"),
)


@dataclass(frozen=True, slots=True)
class Example:
    """A match of the configuration, with what is known of it."""

    match: MatchAsked
    years: tuple[PlayerYear, PlayerYear]
    names: tuple[str, str]
    answer: AcrossYears
    score: MatchScore
    chart: MatchChart
    address: str

    @property
    def title(self) -> str:
        """Return both players with their years."""
        years = self.match.first[1], self.match.second[1]
        sides = zip(self.names, years, strict=True)
        return " – ".join(f"{surname} {year}" for surname, year in sides)


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page."""
    yield Page(
        path=urls.MATCH,
        template="match.html",
        view=partial(match_view, site),
        title="The match that never was",
        description="Any two players, each in a year of choice: how a match between them would "
        "have ended, as a distribution of its score.",
        scripts=SCRIPTS,
    )


def match_view(site: SiteInput) -> Mapping[str, object]:
    """Return the examples, and what the script needs: the shares of draws, and the first match."""
    shares = draw_shares(site.dataset, site.ratings)
    examples = list(_examples(site, shares))
    rows = [_row(example, site) for example in examples]
    return {
        "examples": examples,
        "table": Table("Matches that never were", COLUMNS, rows),
        "draws": {**asdict(shares), "edges": EDGES},
        "example": examples[0].address.partition("?")[2] if examples else "",
        "most_games": MOST_GAMES,
    }


def _examples(site: SiteInput, shares: DrawShares) -> Iterator[Example]:
    """Yield the matches of the configuration of which both player-years are rated."""
    for match, answer in zip(site.config.matches, site.answers.matches, strict=False):
        first, second = (site.ratings.of(*one) for one in (match.first, match.second))
        if answer is None or first is None or second is None:
            continue
        share = (shares.of(first.year, first.rating) + shares.of(second.year, second.rating)) / 2
        score = match_score(answer.difference, answer.deviation, share, match.games)
        address = urls.match(match.first, match.second, match.games)
        names = _names(site, first.player, second.player)
        yield Example(match, (first, second), names, answer, score, match_chart(score), address)


def _names(site: SiteInput, first: str, second: str) -> tuple[str, str]:
    """Return the surnames, or the whole names of two of the same surname."""
    whole = [site.dataset.players[player].shown_name for player in (first, second)]
    surnames = [one.partition(",")[0] for one in whole]
    one, other = surnames if surnames[0] != surnames[1] else whole
    return one, other


def _row(example: Example, site: SiteInput) -> Row:
    score, games = example.score, example.match.games
    won, drawn, lost = score.chances
    first, second = (
        Cell(f"{site.dataset.players[one.player].shown_name} {one.year}", urls.player(one.player))
        for one in example.years
    )
    return Row(
        {
            "first": first,
            "second": second,
            "games": Cell(str(games), example.address),
            "lead": example.answer.difference,
            "deviation": example.answer.deviation,
            "expected": f"{score.expected:.1f}–{games - score.expected:.1f}",
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "range": " to ".join(f"{formats.score(p)}–{formats.score(games - p)}"
                                 for p in score.range),
        }
    )  # fmt: skip
