"""The lists, found again in the published data and in closed form."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import PurePosixPath
from statistics import quantiles

import pytest
from conftest import real_settings
from rendered import rendered
from sample_history import ALDER, ANSWERS, CEDAR, DATASET, RATINGS

from edo.core import formats
from edo.core.model import Dataset
from edo.export.files import TABLES, csv_bytes
from edo.export.table import History
from edo.history.project import SiteConfig
from edo.rating.edo import rate
from edo.rating.inference.answers import Answers, RankProbabilities, Superiority
from edo.site import urls
from edo.site.charts.ages import ages_chart
from edo.site.input import SiteInput
from edo.site.pages import lists, superlatives
from edo.site.pages.superlatives import (
    CAREERS,
    COUNTRIES,
    LEADS,
    REIGNS,
    SUPERLATIVES,
    WOMEN,
    Superlative,
)
from edo.site.pages.tables import Row, Table, number, text

Rows = list[dict[str, str]]


def listed(superlative: Superlative, site: SiteInput) -> list[dict[str, object]]:
    """Return the rows of a list: of what has a page the id, of other cells the exact value."""
    rows = superlative.table(site).rows
    return [{name: value(row, name) for name in row.cells} for row in rows]


def value(row: Row, name: str) -> object:
    (cell,) = row[name]
    if cell.target is None:
        return cell.value
    path = PurePosixPath(cell.target.partition("#")[0])
    return cell.value if path.parent.name == "years" else path.stem


class Published:
    """The tables of the real history as they are published, and its lists as they are shown.

    The probabilities are invented: they only have to be those of the right players and years.
    """

    def __init__(self, dataset: Dataset) -> None:
        ratings = rate(dataset, real_settings())
        chances = {
            (one.player, year): RankProbabilities(one.player, year, 1 / (1 + k), 1 / k, 1, 2)
            for year in ratings.years
            for k, one in enumerate(ratings.ranked(year), start=1)
        }
        superiority = {
            year: Superiority(
                year,
                tuple(one.player for one in ratings.ranked(year)[:2]),
                ((0.5, 0.7), (0.3, 0.5)),
            )
            for year in ratings.years
            if len(ratings.ranked(year)) > 1
        }
        answers = replace(Answers(), rank_probabilities=chances, superiority=superiority)
        self._history = History(dataset, ratings, answers)
        self._site = SiteInput(dataset, ratings, {}, None, "0", "0", answers)
        self.table = cache(self._table)
        self.listed = cache(self._listed)
        self.year = {(row["player"], int(row["year"])): row for row in self.table("ratings")}
        self.pairings: defaultdict[tuple[str, str], Rows] = defaultdict(list)
        for row in self.table("pairings"):
            self.pairings[row["event"], row["player_a"]].append(row)
            self.pairings[row["event"], row["player_b"]].append(row)
        self.born = {
            row["id"]: int(row["born"][:4]) for row in self.table("players") if row["born"]
        }
        for row in self.table("players"):
            if row["offhand_of"] in self.born and not row["born"]:
                self.born[row["id"]] = self.born[row["offhand_of"]]
        self.ranked = Counter(int(row["year"]) for row in self.year.values() if row["ranked"])

    def _table(self, name: str) -> Rows:
        table = next(table for table in TABLES if table.name == name)
        content = csv_bytes(table, table.rows(self._history)).decode()
        return list(csv.DictReader(io.StringIO(content, newline="")))

    def _listed(self, name: str) -> Rows:
        superlative = next(one for one in SUPERLATIVES if one.name == name)
        rows = listed(superlative, self._site)
        return [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]

    def played(self) -> Rows:
        """Return the player-years with a rank and with results."""
        return [row for row in self.year.values() if row["ranked"] and float(row["games"])]

    def rating(self, player: str, year: str) -> float:
        return float(self.year[player, int(year)]["rating"])

    def age(self, row: dict[str, str]) -> int:
        return int(row["year"]) - self.born[row["player"]]


@pytest.fixture(scope="module")
def published(real_dataset: Dataset) -> Published:
    return Published(real_dataset)


def chance(lead: float) -> float:
    return 1 / (1 + 10 ** (-lead / 400))


def sums_at(rating: float, field: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the expected score and the information of games against opponents."""
    chances = [(chance(rating - opponent), games) for opponent, games in field]
    return sum(p * n for p, n in chances), sum(p * (1 - p) * n for p, n in chances)


def performance_of(score: float, field: list[tuple[float, float]]) -> tuple[float, float]:
    """Return a performance and its standard error, by halving an interval."""
    low, high = 0.0, 5000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sums_at(middle, field)[0] < score else (low, middle)
    return low, 400 / math.log(10) / math.sqrt(sums_at(low, field)[1])


def test_best_performances(published: Published) -> None:
    listed = published.listed("performances")
    least = [float(row["performance"]) - float(row["deviation"]) for row in listed]
    assert least == sorted(least, reverse=True) and len(listed) == 100
    assert [row["place"] for row in listed] == [str(n) for n in range(1, 101)]
    soft = {
        (row["event"], player)
        for row in published.table("results")
        for player in (row["player_a"], row["player_b"])
        if row["soft"]
    }
    found = {}
    for (event_id, player), rows in published.pairings.items():
        guessed = any(row["basis"] == "guess" or row["odds_a"] or row["odds_b"] for row in rows)
        games = sum(float(row["games"]) for row in rows)
        if guessed or games < 6 or (event_id, player) in soft:
            continue
        sides = [("b", row) if row["player_a"] == player else ("a", row) for row in rows]
        years = [published.year[row[f"player_{side}"], int(row["year"])] for side, row in sides]
        field = [(float(y["rating"]), float(r["games"])) for y, r in zip(years, rows, strict=True)]
        ranked = sum(n for (_, n), y in zip(field, years, strict=True) if y["ranked"])
        own = published.year.get((player, int(rows[0]["year"])))
        if ranked < 0.75 * games or own is None or not own["ranked"]:
            continue
        scores = [
            float(row["games"]) - float(row["score_a"]) if side == "a" else float(row["score_a"])
            for side, row in sides
        ]
        score = sum(scores) - 0.5 * (sum(scores) == games)
        if sums_at(least[-1], field)[0] < score:  # else the performance itself is lower
            performance, error = performance_of(score, field)
            if performance - error >= least[-1] - 1e-3:
                found[event_id, player] = (performance, error, sum(scores), games)
    assert found.keys() == {(row["event"], row["player"]) for row in listed}
    for row in listed:
        performance, error, score, games = found[row["event"], row["player"]]
        assert float(row["performance"]) == pytest.approx(performance, abs=0.02)
        assert float(row["deviation"]) == pytest.approx(error, abs=0.02)
        assert row["score"] == formats.points_of_games(score, games)


def test_biggest_upsets(published: Published) -> None:
    listed = published.listed("upsets")
    expected = [float(row["expected"]) for row in listed]
    assert expected == sorted(expected) and expected[-1] < 0.5
    for row in listed:
        lead = float(row["rating"]) - float(row["other_rating"])
        assert chance(lead) == pytest.approx(float(row["expected"]), abs=1e-4)
        for player, rating in ((row["player"], "rating"), (row["other"], "other_rating")):
            own = published.year[player, int(row["year"])]
            assert own["ranked"] and float(own["rating"]) == pytest.approx(
                float(row[rating]), abs=6e-4
            )
    wins: Counter[tuple[str, str, str]] = Counter()
    for row in published.table("results"):
        if row["entered"] and not row["soft"] and not row["odds"] and row["won_a"]:
            wins[row["event"], row["player_a"], row["player_b"]] += float(row["won_a"])
            wins[row["event"], row["player_b"], row["player_a"]] += float(row["won_b"])
    years = {row["id"]: row["year"] for row in published.table("events")}
    found = set()
    for (event_id, one, other), won in wins.items():
        ends = [published.year.get((player, int(years[event_id]))) for player in (one, other)]
        if won and all(own is not None and own["ranked"] for own in ends):
            lead = published.rating(one, years[event_id]) - published.rating(other, years[event_id])
            if chance(lead) < expected[-1] - 1e-4:
                found.add((event_id, one, other, won))
    assert found <= {
        (row["event"], row["player"], row["other"], float(row["won"])) for row in listed
    }
    assert len(found) > 90


def test_reigns_and_leads(published: Published) -> None:
    firsts = {}
    for year in sorted(published.ranked):
        if published.ranked[year] >= 10:
            ranked = [row for (_, y), row in published.year.items() if y == year and row["ranked"]]
            firsts[year] = sorted(ranked, key=lambda row: -float(row["rating"]))[:2]
    leads = published.listed("leads")
    assert {int(row["year"]) for row in leads} == firsts.keys()
    numbers = [float(row["lead"]) for row in leads]
    assert numbers == sorted(numbers, reverse=True)
    likely = {(row["player"], row["year"]): row for row in published.table("number_one")}
    stronger = {
        (row["player"], row["other"], row["year"]): row["probability"]
        for row in published.table("superiority")
    }
    for row in leads:
        first, second = firsts[int(row["year"])]
        assert (row["player"], row["second"]) == (first["player"], second["player"])
        assert float(row["lead"]) == pytest.approx(
            float(first["rating"]) - float(second["rating"]), abs=0.002
        )
        chance_of = float(likely[row["player"], row["year"]]["p_first"])
        assert float(row["p_first"]) == pytest.approx(chance_of, abs=6e-5)
        assert row["p_stronger"] == "0.7"
        assert (row["player"], row["second"], row["year"]) in stronger
    covered = []
    for row in published.listed("reigns"):
        years = range(int(row["first_year"]), int(row["last_year"]) + 1)
        assert len(years) == int(row["years"])
        assert all(firsts[year][0]["player"] == row["player"] for year in years)
        chances = [float(likely[row["player"], str(year)]["p_first"]) for year in years]
        assert row["expected_years"] == formats.fixed(sum(chances), 1)
        assert min(chances) == pytest.approx(float(row["p_least"]), abs=1e-4)
        for year in (years[0] - 1, years[-1] + 1):  # no reign can be longer
            assert year not in firsts or firsts[year][0]["player"] != row["player"]
        covered += years
    assert sorted(covered) == sorted(firsts)


@pytest.mark.parametrize(("name", "best", "sign"), [("youngest", min, 1), ("oldest", max, -1)])
def test_ages_of_the_first_ten(
    published: Published, name: str, best: Callable[..., int], sign: int
) -> None:
    ages: defaultdict[str, list[int]] = defaultdict(list)
    for row in published.played():
        is_choice = published.ranked[int(row["year"])] >= 20
        if row["player"] in published.born and int(row["rank"]) <= 10 and is_choice:
            ages[row["player"]].append(published.age(row))
    expected = sorted((sign * best(found), player) for player, found in ages.items())[:100]
    listed = published.listed(name)
    assert [sign * int(row["age"]) for row in listed] == [age for age, _ in expected]
    last = expected[-1][0] if len(expected) == 100 else math.inf  # who of that age is cut off
    assert {
        row["player"]: sign * int(row["age"]) for row in listed if sign * int(row["age"]) < last
    } == {player: age for age, player in expected if age < last}
    assert all(int(row["rank"]) <= 10 and row["p_top10"] for row in listed)


def highest(rows: Rows) -> list[tuple[float, str]]:
    best: dict[str, float] = {}
    for row in rows:
        best[row["player"]] = max(best.get(row["player"], 0.0), float(row["rating"]))
    return sorted(((rating, player) for player, rating in best.items()), reverse=True)


def numbers_of(rows: Rows) -> list[tuple[float, str]]:
    return [(round(float(row["rating"]), 3), row["player"]) for row in rows]


def test_juniors_women_and_countries(published: Published) -> None:
    known = [row for row in published.played() if row["player"] in published.born]
    young = [row for row in known if published.age(row) <= 20]
    assert numbers_of(published.listed("juniors")) == highest(young)[:100]
    people = {row["id"]: row for row in published.table("players")}
    women = [row for row in published.played() if people[row["player"]]["woman"]]
    placed = [row for row in published.listed("women") if row["rank"]]
    assert numbers_of(placed) == highest(women)
    apart = [row for row in published.listed("women") if not row["rank"]]
    assert {row["player"] for row in [*placed, *apart]} == {
        player for player, row in people.items() if row["woman"] and row["peak_year"]
    }
    countries: defaultdict[str, Rows] = defaultdict(list)
    for row in published.played():
        if row["country"] and ", " not in row["country"]:
            countries[row["country"]].append(row)
    listed: defaultdict[str, Rows] = defaultdict(list)
    for row in published.listed("countries"):
        listed[row["country"]].append(row)
    best = {code: highest(rows)[:5] for code, rows in countries.items()}
    assert {code: numbers_of(rows) for code, rows in listed.items()} == best
    firsts = [best[code][0][0] for code in listed]
    assert firsts == sorted(firsts, reverse=True)


def test_strongest_tournaments(published: Published) -> None:
    fields: defaultdict[str, list[str]] = defaultdict(list)
    for row in published.table("participants"):
        fields[row["event"]].append(row["player"])
    rounds = {row["event"] for row in published.table("rounds")}
    found = []
    for held in published.table("events"):
        years = [published.year.get((player, int(held["year"]))) for player in fields[held["id"]]]
        rated = [own for own in years if own is not None]
        ranked = sum(bool(own["ranked"]) for own in rated)
        if held["kind"] != "tournament" or held["id"] in rounds or len(rated) < 4:
            continue
        if held["unrated_reason"]:
            continue
        if ranked >= 0.75 * len(years):
            mean = math.fsum(float(own["rating"]) for own in rated) / len(rated)
            found.append((mean, held["id"], len(years), ranked))
    found.sort(key=lambda one: (-one[0], one[1]))
    for row, (mean, event_id, players, ranked) in zip(
        published.listed("tournaments"), found, strict=False
    ):
        assert (row["event"], row["players"]) == (event_id, str(players))
        assert row["ranked"] == str(ranked)
        assert float(row["mean"]) == pytest.approx(mean, abs=0.002)
        above = [k for k in range(1, 40) if 2225 + 25 * k < math.floor(mean + 0.5)]
        assert row["category"] == str(max(above, default=""))
    assert len(published.listed("tournaments")) == min(100, len(found))


def test_most_games_and_longest_careers(published: Published) -> None:
    games: Counter[str] = Counter()
    events, opponents, years = (defaultdict(set) for _ in range(3))
    for row in published.table("pairings"):
        pair = row["player_a"], row["player_b"]
        for player, other in (pair, pair[::-1]):
            games[player] += float(row["games"])
            events[player].add(row["event"])
            opponents[player].add(other)
            years[player].add(int(row["year"]))
    ranked = {row["player"] for row in published.year.values() if row["ranked"]}
    most = sorted((-round(games[player], 6), player) for player in ranked)[:100]
    listed = published.listed("most-games")
    assert [row["player"] for row in listed] == [player for _, player in most]
    for row in listed:
        player = row["player"]
        assert float(row["games"]) == pytest.approx(games[player])
        assert int(row["events"]) == len(events[player])
        assert int(row["opponents"]) == len(opponents[player])
    spans = sorted((min(years[p]) - max(years[p]), p) for p in ranked)[:100]
    careers = published.listed("careers")
    assert [(-int(row["years"]), row["player"]) for row in careers] == spans
    for row in careers:
        own = years[row["player"]]
        assert (int(row["first_year"]), int(row["last_year"])) == (min(own), max(own))
        assert int(row["active"]) == len(own)


def test_quantiles_of_the_ages(published: Published) -> None:
    at: defaultdict[int, list[float]] = defaultdict(list)
    for row in published.played():
        if row["player"] in published.born:
            at[published.age(row)].append(float(row["rating"]))
    listed = published.listed("ages")
    assert [int(row["age"]) for row in listed] == sorted(
        a for a, own in at.items() if len(own) >= 20
    )
    for row in listed:
        own = at[int(row["age"])]
        cuts = quantiles(own, n=20, method="inclusive")
        found = [float(row[f"q{n}"]) for n in (10, 25, 50, 75, 90)]
        assert found == pytest.approx([cuts[k] for k in (1, 4, 9, 14, 17)], abs=0.002)
        assert int(row["player_years"]) == len(own)


def test_games_from_whole_events(published: Published) -> None:
    held = {row["id"]: row for row in published.table("events")}
    whole: Counter[tuple[str, int]] = Counter()
    for row in published.table("pairings"):
        if held[row["event"]]["coverage"] != "part":
            for player in (row["player_a"], row["player_b"]):
                whole[player, int(row["year"])] += float(row["games"])
    for key, row in published.year.items():
        assert float(row["whole_games"]) == pytest.approx(whole[key]), key
    known: Counter[str] = Counter()
    for row in published.table("results"):
        known[row["event"]] += 0.0 if row["soft"] else float(row["games"])
    for id_, row in held.items():
        assert float(row["known_games"]) == pytest.approx(known[id_]), id_
        if row["completeness"] == "complete":
            assert row["missing_games"] == "0"
        if row["completeness"] == "unverified":
            assert row["missing_games"] == ""


def test_lists_of_few_years_say_that_nothing_is_listed() -> None:
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0", ANSWERS)
    assert ALDER in {row["player"] for row in listed(WOMEN, site)}
    first = listed(COUNTRIES, site)[0]
    assert (first["of_country"], first["player"], first["country"]) == (1, ALDER, "England")
    assert listed(REIGNS, site) == listed(LEADS, site) == []
    assert CEDAR in {row["player"] for row in listed(CAREERS, site)}
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0", ANSWERS)
    page = rendered(superlatives.pages, site, urls.listing("leads"))
    assert "Nothing on record meets these conditions." in page.html


def test_every_list_has_a_page_and_the_index_leads_there() -> None:
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0")
    html = rendered(lists.pages, site, urls.LISTS).html
    for page in superlatives.pages(site):
        assert f"<a href={urls.relative(urls.LISTS, page.path)}>{page.title}</a>" in html


def test_a_cell_without_a_column_is_refused() -> None:
    columns = (text("player", "Player"), number("rating", "Rating", "rating"))
    with pytest.raises(ValueError, match="Peaks: not both a column and a cell: deviation"):
        Table("Peaks", columns, [Row({"player": "a", "rating": 1.0, "deviation": 2.0})])
    with pytest.raises(ValueError, match="not both a column and a cell: rating"):
        Table("Peaks", columns, [Row({"player": "a"})])
    assert Table("Peaks", columns, [Row({"player": "a", "rating": 1.0})]).without(
        {"rating"}
    ).rows == [Row({"player": "a"})]
    with pytest.raises(ValueError, match="Peaks: no column raiting to leave out"):
        Table("Peaks", columns, []).without(["raiting"])
    with pytest.raises(TypeError, match="column player: 7 is no text; give the column a filter"):
        columns[0].printed(7)


def test_a_column_with_an_unknown_filter_is_refused() -> None:
    with pytest.raises(
        ValueError, match="Peaks: column rating: no filter `ratng`; did you mean `rating`"
    ):
        Table("Peaks", (number("rating", "Rating", "ratng"),), [])


def test_only_chess_has_categories() -> None:
    config = SiteConfig(game="Go")
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0", config=config)
    html = rendered(superlatives.pages, site, urls.listing("tournaments")).html
    assert "FIDE" not in html


def test_a_chart_of_ages_has_a_dot_for_each_place() -> None:
    points = [(20, 2400.0), (20, 2500.0), (20, 2500.0), (21, 2450.0)]
    chart = ages_chart(points, [(20, (2400.0, 2450.0, 2500.0)), (21, (2450.0, 2450.0, 2450.0))])
    assert chart is not None and chart.cloud.count("h0") == 3
    assert len(chart.bands) == 1 and chart.median == "M270.7 197l218.6 0"
    assert [tick.label for tick in chart.age_ticks] == ["20"]
    assert ages_chart([], []) is None
