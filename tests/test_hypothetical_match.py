"""The score of a match that was never played: closed forms, laws, and the script of the page."""

from __future__ import annotations

import json
import shutil
import subprocess
from math import comb

import numpy as np
import pytest
from conftest import ROOT

from edo.core.scale import difference_from_score, expected_score
from edo.rating.hypothetical_match import (
    DrawShares,
    _share,
    match_score,
    outcome_probabilities,
)
from edo.site.charts.match_score import match_chart

SCRIPTS = ROOT / "templates" / "static"
CASES = [(0.0, 40.0, 0.0, 1), (-184.2, 63.0, 0.2, 20), (51.0, 85.0, 0.634, 24), (300, 5, 0.4, 60)]


def test_without_draws_and_errors_the_score_is_binomial():
    found = match_score(difference_from_score(0.6), 0.0, 0.0, 10).probability
    assert found[1::2] == pytest.approx([0.0] * 10, abs=1e-15)
    assert found[::2] == pytest.approx([comb(10, k) * 0.6**k * 0.4 ** (10 - k) for k in range(11)])


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
def test_outcomes_give_elos_score_and_equals_draw_the_share(share: float):
    expected = np.array([0.02, 0.3, 0.5, 0.9])
    win, draw, loss = outcome_probabilities(expected, share)
    assert win + draw + loss == pytest.approx(np.ones(4))
    assert win + draw / 2 == pytest.approx(expected)
    assert draw[2] == pytest.approx(share)
    assert draw[2] == draw.max()


@pytest.mark.parametrize(("lead", "deviation", "share", "games"), CASES)
def test_a_match_seen_from_the_other_side_is_its_mirror(lead, deviation, share, games):
    one, other = (match_score(sign * lead, deviation, share, games) for sign in (1, -1))
    assert one.probability == pytest.approx(other.probability[::-1])
    assert sum(one.probability) == pytest.approx(1.0)
    assert one.chances == pytest.approx(other.chances[::-1])


def test_an_uncertain_lead_spreads_the_score():
    sure, unsure = (match_score(100.0, deviation, 0.3, 20) for deviation in (0.0, 100.0))
    assert sure.expected == pytest.approx(20 * expected_score(100.0))
    assert unsure.expected < sure.expected
    assert unsure.chances[2] > 2 * sure.chances[2]
    assert unsure.range[0] < sure.range[0]
    assert unsure.range[1] >= sure.range[1]


def test_the_share_of_draws_is_found_again():
    expected, games = np.array([0.5, 0.6, 0.8]), np.array([1000.0, 500.0, 800.0])
    draws = games * outcome_probabilities(expected, 0.37)[1]
    assert _share(expected, games, draws) == pytest.approx(0.37, abs=1e-4)


def test_shares_are_looked_up_by_decade_and_strength():
    shares = DrawShares(1850, ((0.1, 0.2, 0.3, 0.4), (0.5, 0.6, 0.7, 0.8)))
    assert shares.of(1859, 2199.9) == 0.1
    assert shares.of(1860, 2200.0) == 0.6
    assert shares.of(1747, 2900.0) == 0.4  # the nearest decade
    assert shares.of(2023, 2599.0) == 0.7


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize(("lead", "deviation", "share", "games"), CASES)
def test_the_script_of_the_page_agrees(lead, deviation, share, games):
    program = """
    const drawn = (name, attributes) => ({ name, ...attributes });
    global.window = { edoDom: { drawn } };
    for (const file of ["compare_numbers", "match_score"]) require(`${process.argv[1]}/${file}.js`);
    const [lead, deviation, share, games] = JSON.parse(process.argv[2]);
    const compare = window.edoCompare;
    const score = compare.matchScore(lead, deviation, share, games);
    const svg = { setAttribute() {}, replaceChildren(...all) { this.all = all; } };
    compare.drawMatch(svg, score, ["", ""], "");
    const shares = { first: 1850, shares: [[0.1, 0.2, 0.3, 0.4]], edges: [2200, 2400, 2600] };
    const share_of = compare.drawShare(shares, 1912, 2400);
    console.log(JSON.stringify({ ...score, all: svg.all, share_of }));
    """
    arguments = json.dumps([lead, deviation, share, games])
    done = subprocess.run(
        ["node", "-e", program, str(SCRIPTS), arguments], capture_output=True, text=True, check=True
    )
    found, expected = json.loads(done.stdout), match_score(lead, deviation, share, games)
    assert found["probability"] == pytest.approx(expected.probability, abs=1e-12)
    assert found["chances"] == pytest.approx(expected.chances, abs=1e-12)
    assert found["range"] == list(expected.range)
    assert found["expected"] == pytest.approx(expected.expected)
    assert found["share_of"] == 0.3
    chart = match_chart(expected)
    bars = {one["class"]: one["d"] for one in found["all"] if "d" in one}
    assert (bars["lost"], bars["drawn"], bars["won"]) == (
        chart.lost,
        chart.drawn,
        chart.won,
    )
    ticks = [(one["x"], one["class"]) for one in found["all"] if one.get("class") == "year-tick"]
    assert [float(x) for x, _ in ticks] == [tick.at for tick in chart.ticks]
