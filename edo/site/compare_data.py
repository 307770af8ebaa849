"""Scripts with the data of the page of comparisons: an index, and one for every few rated players.

`compare/rated_players.js` is the index: one row a player, by id, which is left empty where it
follows from the name, as in `static/names.js`. It shows who was rated in a year, so that a player's
record needs only rows of correlations. Each pair of a year is stored once: of k players in a
circle, each keeps his place, k, and the correlations with the next k // 2; of large years only the
players with a rank are in the circle. Who met in rated games stands in the record of the first of
the two by id. What ratings of different years have in common stands in the index, for every tenth
year, and the standard errors of the pairs of different years that other pages show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from edo.core.json import in_script
from edo.core.model import Dataset
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.games import births
from edo.rating.inference.answers import Answers, CorrelationMatrix
from edo.rating.meetings import rated_score
from edo.site import urls
from edo.site.input import SiteInput
from edo.site.search_data import made_id

TOGETHER = 16
"""How many players share a script.

One for each would be a quarter of all files of the site, and those of more players would take
longer to load than the page itself.
"""

DIGITS = "".join(chr(code) for code in range(33, 127) if chr(code) not in "\"'<\\")
"""The 90 digits: what stands in a script as it is, in the order of their codes."""
PLACES = 2
"""Digits of a correlation.

They turn one shown deviation in 360 by a point (2.0 million pairs, November 2026), none by more. A
third digit would turn one in 36,000, and make the scripts a quarter larger.
"""
STEPS = len(DIGITS) ** PLACES - 1
DECIMALS = 6  # of ratings and deviations [Elo]: they turn next to no shown number

Rows = Mapping[str, str]
Met = tuple[float, float, float, int]
"""Points [points] of the first in rated games [games], the expected points, 1 if it has a page."""


def compare_files(site: SiteInput) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of the index, and of the scripts of the players in its order."""
    dataset, ratings, answers = site.dataset, site.ratings, site.answers
    born = births(dataset)
    players = sorted(ratings.players)
    rows = [_index_row(dataset, ratings, player, born.get(player)) for player in players]
    common = answers.common and {
        "years": answers.common.years,
        "covariance": answers.common.covariance.round(1).tolist(),
    }
    index = {"together": TOGETHER, "rows": rows, "common": common, "own": list(_own(answers))}
    yield urls.COMPARED, _call("index", index)
    by_year = {year: rows_of(found) for year, found in answers.correlations.items()}
    records = []
    for player in players:
        years = ratings.players[player]
        record: dict[str, object] = {
            "id": player,
            "rivals": [one.rival for one in answers.rivals.get(player, ())],
            "years": [_numbers(year) for year in years],
            "byYear": [by_year.get(y.year, {}).get(player, "") for y in years],
            "met": dict(_met(player, site)),
        }
        records.append(record)
    for number, first in enumerate(range(0, len(records), TOGETHER), start=1):
        calls = (_call("player", record) for record in records[first : first + TOGETHER])
        yield urls.compared(number), b"".join(calls)


def _own(answers: Answers) -> Iterator[tuple[str, int, str, int, float]]:
    """Yield the pairs of player-years whose own standard error [Elo] other pages show."""
    highest = answers.highest
    for asked in (answers.question, *answers.matches):
        if asked is not None:
            yield (*asked.first, *asked.second, round(asked.deviation, DECIMALS))
    if highest is not None:
        for i, j in combinations(range(len(highest.years)), 2):
            deviation = round(highest.deviation[i][j], DECIMALS)
            yield (*highest.years[i], *highest.years[j], deviation)


def _met(player: str, site: SiteInput) -> Iterator[tuple[str, Met]]:
    """Yield the rated games against each opponent of a later id, as the page of the two does."""
    for opponent, meetings in sorted(site.index.head_to_heads(player).items()):
        results = (result for meeting in meetings for result in meeting.results)
        rated = rated_score(results, site.ratings) if opponent > player else None
        if rated is not None:
            page = int(site.index.page_of_pair(player, opponent) is not None)
            expected = round(rated.expected, DECIMALS)
            yield (
                opponent,
                (round(rated.points, DECIMALS), round(rated.games, DECIMALS), expected, page),
            )


def rows_of(found: CorrelationMatrix) -> dict[str, str]:
    """Return each player's place, k, and correlations with the next k // 2 of k in the circle.

    None where there is nobody else.
    """
    k = len(found.players)
    column = (np.arange(k)[:, None] + np.arange(1, k // 2 + 1)) % k
    digits = encoded(np.take_along_axis(found.rho, column, axis=1))
    width = PLACES * (k // 2)
    return {
        p: f"{i} {k} {digits[i * width : (i + 1) * width]}" if k > 1 else ""
        for i, p in enumerate(found.players)
    }


def encoded(rho: NDArray[np.float32]) -> str:
    """Return correlations as digits, row by row, PLACES of them each: -1 the least, 1 the most."""
    share = (np.clip(rho.astype(np.float64), -1.0, 1.0) + 1.0) / 2.0
    steps = np.rint(share.ravel() * STEPS).astype(np.int64)
    powers = len(DIGITS) ** np.arange(PLACES - 1, -1, -1)
    digits = steps[:, None] // powers % len(DIGITS)
    shown: bytes = np.frombuffer(DIGITS.encode(), np.uint8)[digits].tobytes()
    return shown.decode()


def _index_row(
    dataset: Dataset, ratings: Ratings, player: str, born: int | None
) -> tuple[object, ...]:
    """Return id, name, first and last rated year, year of birth, whether that is only about.

    The id is empty where it follows from the name.
    """
    record = dataset.players[player]
    person = dataset.players.get(record.offhand_of or player, record)
    birth = record.born or person.born
    years = ratings.players[player]
    about = 1 if birth is not None and birth.approximate else 0
    shown = "" if player == made_id("player", record.shown_name) else player
    return shown, record.shown_name, years[0].year, years[-1].year, born, about


def _numbers(year: PlayerYear) -> tuple[float | None, ...]:
    """Return rating, deviation [Elo], rank if any, score [points] and games, 0 in a gap."""
    exact = (round(year.rating, DECIMALS), round(year.deviation, DECIMALS))
    return *exact, year.rank, round(year.score, DECIMALS), round(year.games, DECIMALS)


def _call(name: str, argument: object) -> bytes:
    """Return a script that hands something to the page."""
    return f"edoCompare.{name}({in_script(argument)});\n".encode()
