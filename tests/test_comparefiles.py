"""The scripts of the page of comparisons: every pair stands in one of them, exactly enough."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any

import html5lib
import numpy as np
import pytest
from sample_history import ALDER, BIRCH, CEDAR, DATASET, OFFHAND, RATINGS
from test_posterior import history

from edo.core import formats
from edo.rating.inference import posterior
from edo.rating.inference.answers import Answers, Comparison, CorrelationMatrix
from edo.rating.inference.joint import condense
from edo.site import compare_data, index
from edo.site.compare_data import DIGITS, PLACES, compare_files, encoded, rows_of
from edo.site.input import SiteInput
from edo.site.search_data import made_id

PHI = NormalDist().cdf
FINEST = 1 / (90**PLACES - 1)  # half a step between two correlations
HALF = DIGITS[67] + DIGITS[44]
FIRST_OF_TWO = f"0 2 {HALF}"


def decoded(digits: str) -> float:
    value = 0
    for digit in digits:
        value = value * 90 + DIGITS.index(digit)
    return 2 * value / (90**PLACES - 1) - 1


def called(script: bytes) -> list[tuple[str, Any]]:
    """Return what a script hands over, call by call."""
    calls = [
        re.fullmatch(r"edoCompare\.(\w+)\((.*)\);", line) for line in script.decode().splitlines()
    ]
    return [(call[1], json.loads(call[2])) for call in calls if call]


def index_of(scripts: Mapping[str, bytes]) -> dict[str, list[Any]]:
    """Return the rows of the index by the players' ids."""
    ((name, index),) = called(scripts["compare/rated_players.js"])
    assert name == "index" and index["together"] == compare_data.TOGETHER
    return {row[0] or made_id("player", row[1]): row for row in index["rows"]}


def records_of(scripts: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """Return the records of all players, each from the script where the page looks for it."""
    records = {}
    for place, player in enumerate(index_of(scripts)):
        script = scripts[f"compare/players_{place // compare_data.TOGETHER + 1}.js"]
        (records[player],) = [
            record for name, record in called(script) if name == "player" and record["id"] == player
        ]
    return records


def correlation(rows: dict[str, str], one: str, other: str) -> float:
    """Find a pair as the page does: round the table, in the row of the one or of the other."""
    (i, k, own), (j, _, next_) = (rows[player].split(" ") for player in (one, other))
    ahead = (int(j) - int(i)) % int(k)
    digits, step = (own, ahead) if ahead <= int(k) // 2 else (next_, int(k) - ahead)
    return decoded(digits[PLACES * (step - 1) : PLACES * step])


def test_digits_are_ninety_that_a_script_may_hold():
    assert len(DIGITS) == 90 and len(set(DIGITS)) == 90
    assert json.dumps(DIGITS) == f'"{DIGITS}"'
    assert not set(DIGITS) & set("\"'<\\ ")


def test_the_ends_the_middle_and_everything_between():
    assert encoded(np.array([-1.0, 1.0], np.float32)) == "!!~~"
    # (0.5 + 1) / 2 of 8,099 steps are 6,074.25
    assert 6_074 == 67 * 90 + 44
    assert encoded(np.array([0.5], np.float32)) == HALF
    assert encoded(np.array([1.0000001, -1.0000001], np.float32)) == "~~!!"
    rho = np.random.default_rng(3).uniform(-1, 1, 1000).astype(np.float32)
    text = encoded(rho)
    read = [decoded(text[k : k + PLACES]) for k in range(0, len(text), PLACES)]
    np.testing.assert_allclose(read, rho, atol=1.001 * FINEST, rtol=0)


@pytest.mark.parametrize("k", [1, 2, 3, 6, 7])
def test_every_pair_stands_in_one_of_two_rows(k: int):
    players = [f"p{n}" for n in range(k)]
    rho = np.random.default_rng(k).uniform(-1, 1, (k, k))
    rho = ((rho + rho.T) / 2).astype(np.float32)
    rows = rows_of(CorrelationMatrix(tuple(players), rho))
    assert {len(row.rpartition(" ")[2]) for row in rows.values()} == {PLACES * (k // 2)}
    for i, one in enumerate(players):
        for j, other in enumerate(players):
            if i != j:
                found = correlation(rows, one, other)
                assert found == pytest.approx(rho[i, j], abs=1.001 * FINEST)


@pytest.fixture(scope="module")
def scripts() -> dict[str, bytes]:
    both = np.array([[1, 0.5], [0.5, 1]], np.float32)
    answers = Answers(
        rivals={ALDER: (Comparison(BIRCH, 1853, 163.0, 40.0, 0.98),)},
        correlations={1850: CorrelationMatrix((ALDER, BIRCH), both)},
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(index, "MANY", 9)  # so that Alder and Birch have a page
        return dict(compare_files(SiteInput(DATASET, RATINGS, {}, None, "0", "0", answers)))


def test_the_index_names_all_who_are_rated(scripts: dict[str, bytes]):
    rows = index_of(scripts)
    assert list(rows.values()) == [
        ["", "Alder, Anna", 1850, 1853, 1820, 0],
        [OFFHAND, "Alder, Anna (offhand)", 1851, 1851, 1820, 0],
        ["", "Birch, Bo", 1850, 1853, None, 0],
        ["", "Čedar, Cy", 1851, 1853, None, 0],
    ]
    players = [ALDER, OFFHAND, BIRCH, CEDAR]
    assert list(rows) == list(records_of(scripts)) == players
    assert set(scripts) == {"compare/rated_players.js", "compare/players_1.js"}


def test_few_players_share_a_script(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compare_data, "TOGETHER", 3)
    scripts = dict(compare_files(SiteInput(DATASET, RATINGS, {}, None, "0", "0")))
    assert [len(called(scripts[f"compare/players_{n}.js"])) for n in (1, 2)] == [3, 1]
    assert records_of(scripts).keys() == RATINGS.players.keys()


def test_a_player_has_years_and_the_correlations_of_each(scripts: dict[str, bytes]):
    assert records_of(scripts)[ALDER] == {
        "id": ALDER,
        "rivals": [BIRCH],
        "years": [
            [2000.4, 100.0, 1, 1.5, 3.0],
            [2100.0, 80.0, 1, 1.5, 2.0],
            [2131.5, 90.0, 1, 0.0, 0.0],
            [2163.0, 95.0, 1, 4.5, 8.0],
        ],
        "byYear": [FIRST_OF_TWO, "", "", ""],
        "met": games_by_hand(ALDER),
    }


def games_by_hand(first: str) -> dict[str, object]:
    """Add up a player's games against those of a later id, by the formula of the method's page."""
    found: dict[str, list[float]] = {}
    for one in RATINGS.pairings:
        sides = [one.first, one.second]
        if one.basis != "results" or min(side.player for side in sides) != first:
            continue
        own, other = sorted(sides, key=lambda side: side.player)
        points = one.score if own is one.first else one.games - one.score
        strength = [
            next(y.rating for y in RATINGS.players[side.player] if y.year == one.year)
            - (side.odds_points or 0.0)
            for side in (own, other)
        ]
        expected = one.games / (1 + 10 ** ((strength[1] - strength[0]) / 400))
        sums = found.setdefault(other.player, [0.0, 0.0, 0.0])
        found[other.player] = [
            a + b for a, b in zip(sums, (points, one.games, expected), strict=True)
        ]
    pages = {(ALDER, BIRCH): 1}
    return {
        other: pytest.approx([*sums, pages.get((first, other), 0)], abs=1e-6)
        for other, sums in found.items()
    }


def test_games_stand_with_the_first_of_two_by_id(scripts: dict[str, bytes]):
    assert games_by_hand(ALDER).keys() == {BIRCH, CEDAR}
    for player in RATINGS.players:
        assert records_of(scripts)[player]["met"] == games_by_hand(player)


def test_probabilities_from_the_rows_are_those_of_the_joint_distribution():
    done = history()
    answers = posterior.from_distribution(done, condense(done))
    for year, table in answers.superiority.items():
        found = answers.correlations[year]
        rows = rows_of(found)
        for i, a in enumerate(table.players):
            for j, b in enumerate(table.players):
                if i != j:
                    one, other = (done.node(player, year) for player in (a, b))
                    s, t = done.deviation[one], done.deviation[other]
                    rho = correlation(rows, a, b)
                    deviation = math.sqrt(s * s + t * t - 2 * rho * s * t)
                    p = PHI((done.rating[one] - done.rating[other]) / deviation)
                    assert p == pytest.approx(table.probability[i][j], abs=2e-5)


class Site:
    """What a page of comparisons knows: the scripts of a built site."""

    def __init__(self, root: Path) -> None:
        paths = (root / "compare").glob("*.js")
        scripts = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
        self.span = {player: (row[2], row[3]) for player, row in index_of(scripts).items()}
        self.records = records_of(scripts)

    def row(self, player: str, year: int, part: str = "years") -> object:
        return self.records[player][part][year - self.span[player][0]]

    def compared(self, a: str, b: str, year: int) -> tuple[str, str, str] | None:
        """Return lead, deviation of the lead and probability as the pages show them.

        None where the correlation of the two is not kept: one of them has no rank.
        """
        rows = {player: self.row(player, year, "byYear") for player in (a, b)}
        if not all(rows.values()):
            assert None in [self.row(player, year)[2] for player in (a, b)]  # type: ignore[index]
            return None
        rho = correlation(rows, a, b)  # type: ignore[arg-type]
        (ra, sa, *_), (rb, sb, *_) = (self.row(player, year) for player in (a, b))  # type: ignore[misc]
        deviation = math.sqrt(sa * sa + sb * sb - 2 * rho * sa * sb)
        chance = formats.chance(PHI((ra - rb) / deviation))
        return formats.signed(ra - rb), formats.deviation(deviation), chance


def is_near(texts: Sequence[str], others: Sequence[str]) -> bool:
    """Whether lead, deviation and probability are the same, the last two within a point."""
    numbers = [[int(text.strip("<>%")) for text in both[1:]] for both in (texts, others)]
    return texts[0] == others[0] and all(abs(a - b) <= 1 for a, b in zip(*numbers, strict=True))


def rival_rows(page: Path) -> list[tuple[str, int, list[str]]]:
    """Return rival, year and the numbers of each row of the table of a player's rivals."""
    text = page.read_text()
    head = text.find("<tr><th>Rival")
    if head < 0:
        return []
    table = text[text.rindex("<table", 0, head) : text.index("</table>", head)]
    tree = html5lib.parseFragment(table, namespaceHTMLElements=False)
    found = []
    for row in tree.find("table/tbody").iter("tr"):
        rival, year, *numbers = list(row)
        link = rival.find("a").get("href")
        texts = ["".join(cell.itertext()).strip() for cell in numbers[:3]]
        found.append((Path(link.partition("#")[0]).stem, int("".join(year.itertext())), texts))
    return found


@pytest.mark.slow
def test_the_page_agrees_with_the_rivals_of_all_players(site: Path):
    knows = Site(site)
    wrong, seen, turned = [], 0, 0
    for player in knows.span:
        for rival, year, texts in rival_rows(site / f"players/{player}.html"):
            found = knows.compared(player, rival, year)
            if found is None:
                continue
            seen += 1
            turned += found != tuple(texts)
            if not is_near(found, texts):
                wrong.append((player, rival, year, found, texts))
    # a correlation of two digits turns few of the numbers
    assert seen > 2500 and not wrong and turned < seen / 100


def test_the_scripts_are_small(site: Path):
    sizes = {path.name: path.stat().st_size for path in (site / "compare").glob("*.js")}
    # The index grows with the rated players, 4000 of them; the correlations with the square of how
    # many have a rank in one year.
    assert len(sizes) < 300 and sum(sizes.values()) < 10_000_000
    assert sizes.pop("rated_players.js") < 200_000
    assert max(sizes.values()) < 400_000
