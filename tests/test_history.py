"""The history itself: events whose results, totals and annotations are known for certain."""

from __future__ import annotations

import re

import pytest

from edo.checks.run import CHECKS, settle
from edo.history import dataset
from edo.history.unknown_games import by_default
from edo.rating.games import pairings_of
from edo.site.pages.event import winner


@pytest.fixture(scope="module")
def history(real_dataset: dataset.Dataset) -> dataset.Dataset:
    return real_dataset


def points(history: dataset.Dataset, event: str, player: str) -> tuple[float, float]:
    """Return the rated points and games of a player in an event."""
    of_event = history.events[event]
    rated = [r for r in of_event.results if not (of_event.unrated or r.unrated or r.default)]
    own = sum(r.points_first for r in rated if r.first == player)
    own += sum(r.points_second for r in rated if r.second == player)
    return own, sum(r.games for r in rated if player in (r.first, r.second))


def test_there_is_as_much_as_the_tables_hold(history: dataset.Dataset) -> None:
    assert len(history.events) >= 2_400
    assert len(history.players) >= 5_500
    assert {event.year for event in history.events.values() if event.results} <= set(
        range(1809, 2024)
    )


@pytest.mark.parametrize(
    ("event", "player", "total"),
    [
        ("london-1883", "zukertort-johannes", 22.0),
        ("hastings-1895", "pillsbury-harry", 16.5),
        ("vienna-1882", "steinitz-william", 24.0),
        ("vienna-1898", "tarrasch-siegbert", 28.5),
        ("monte-carlo-1902", "maroczy-geza", 17.5),
        ("semmering-1926", "spielmann-rudolf", 13.0),
        ("karlsbad-1907", "rubinstein-akiba", 15.0),
        ("frankfurt-1887", "mackenzie-george", 15.0),
        ("leipzig-1894", "tarrasch-siegbert", 13.5),
        ("warsaw-1884", "zabinski-jozef", 19.5),
    ],
)
def test_published_totals(history: dataset.Dataset, event: str, player: str, total: float) -> None:
    totals = {t.player: t.points for t in history.events[event].totals}
    assert totals[player] == total


@pytest.mark.parametrize(
    ("event", "player", "score"),
    [
        ("morphy-anderssen-paris-1858", "morphy-paul", (8.0, 11.0)),
        ("hastings-1895", "pillsbury-harry", (16.5, 21.0)),
        ("london-1851", "anderssen-adolf", (15.0, 21.0)),
        ("suhle-anderssen-berlin-1864", "suhle-berthold", (4.0, 8.0)),
        ("steinitz-blackburne-london-1876", "steinitz-william", (7.0, 7.0)),
        ("hirschfeld-anderssen-berlin-1860", "hirschfeld-philipp", (12.5, 29.0)),
        ("staunton-harrwitz-london-1846", "staunton-howard", (7.0, 7.0)),
        ("staunton-loewenthal-london-1853", "staunton-howard", (13.5, 20.0)),
        ("deschapelles-de-la-bourdonnais-1836", "deschapelles-alexandre", (0.0, 0.0)),
        ("new-york-1880", "grundy-james", (12.5, 17.0)),
        ("st-petersburg-1909", "lasker-emanuel", (14.5, 18.0)),
        ("st-petersburg-1909", "rubinstein-akiba", (14.5, 18.0)),
        ("prague-1943", "alekhine-alexander", (18.0, 20.0)),  # a win was annulled
        ("candidates-1953-zurich", "smyslov-vasily", (18.0, 28.0)),
        ("interzonal-1970-palma", "fischer-robert", (17.5, 22.0)),  # one game has no moves
        ("world-championship-1972", "fischer-robert", (12.5, 20.0)),
        ("wijk-aan-zee-1999", "kasparov-garry", (10.0, 13.0)),
        ("world-championship-2016", "carlsen-magnus", (6.0, 12.0)),
        ("stavanger-2013-blitz", "karjakin-sergey", (0.0, 0.0)),
    ],
)
def test_rated_scores(
    history: dataset.Dataset, event: str, player: str, score: tuple[float, float]
) -> None:
    assert points(history, event, player) == score


def test_soft_scores_reproduce_the_differences_they_rest_on(history: dataset.Dataset) -> None:
    even, odds = history.events["dubois-wyvill-1846"].results
    assert (even.points_first, even.games, odds.points_second, odds.games) == (55, 81, 30, 69)
    assert even.soft is not None and odds.soft is not None
    assert odds.odds is not None and odds.odds.giver == "dubois-serafino"


def test_forfeits_and_doubtful_games_stand_apart(history: dataset.Dataset) -> None:
    vienna = history.events["vienna-1922"].results
    assert sorted(r.first for r in vienna if r.default) == [
        "alekhine-alexander", "maroczy-geza"
    ]  # fmt: skip
    vienna = history.events["vienna-1898"].results
    walbrodt = [r for r in vienna if r.default and "walbrodt-carl" in (r.first, r.second)]
    assert [(r.first, r.points_first, r.number) for r in walbrodt] == [
        ("janowski-david", 1.0, 2), ("alapin-simon", 1.0, 1)
    ]  # fmt: skip
    results = [result for event in history.events.values() for result in event.results]
    reason = "The source has the result without moves: either"
    stubs = [result for result in results if (result.unrated or "").startswith(reason)]
    assert sum(r.games for r in stubs) == 24


def whole_points(history: dataset.Dataset, event: str) -> dict[str, float]:
    """Return everybody's points that the totals count: known ones, solved ones and defaults."""
    of_event = history.events[event]
    points = dict(by_default(of_event))
    for result in of_event.results:
        if result.uncounted is None:
            points[result.first] = points.get(result.first, 0.0) + result.points_first
            points[result.second] = points.get(result.second, 0.0) + result.points_second
    for pairing in pairings_of(of_event, history.odds):
        if pairing.basis != "results":
            first, second = pairing.first.player, pairing.second.player
            points[first] = points.get(first, 0.0) + pairing.score
            points[second] = points.get(second, 0.0) + pairing.games - pairing.score
    return points


@pytest.mark.parametrize(
    ("event", "known", "solved"),
    [
        ("paris-1867", 122, 14),  # of 136 games really played
        ("london-1883", 255, 0),
        ("monte-carlo-1902", 216, 11),
        ("semmering-1926", 153, 0),
        ("pasadena-1932", 28, 38),
        ("trade-unions-1938", 45, 186),
    ],
)
def test_tables_made_whole_add_up_to_the_published_totals(
    history: dataset.Dataset, event: str, known: int, solved: int
) -> None:
    of_event = history.events[event]
    totals = {total.player: total.points for total in of_event.totals}
    assert whole_points(history, event) == pytest.approx(totals, abs=1e-9)
    rest = [p.games for p in pairings_of(of_event, history.odds) if p.basis != "results"]
    assert sum(result.games for result in of_event.results) == known
    assert sum(rest) == pytest.approx(solved, abs=1e-9)


def test_games_of_who_withdrew_are_shared_out(history: dataset.Dataset) -> None:
    """It is not known which games Fox played: each of the others has a point by default."""
    christchurch = history.events["new-zealand-championship-1914-15-christchurch"]
    assert christchurch.withdrew == ("fox-b-g",)
    given = by_default(christchurch)
    assert len(given) == 12
    assert list(given.values()) == pytest.approx([1.0] * 12)


def test_a_score_divided_over_two_years(history: dataset.Dataset) -> None:
    pairings = pairings_of(history.events["morphy-rousseau-1850"], history.odds)
    assert [(p.year, p.score, p.games) for p in pairings] == [(1849, 22.5, 25), (1850, 22.5, 25)]


def test_pairs_are_called_not_played_only_with_a_reason(history: dataset.Dataset) -> None:
    """Only unknown is what no table shows; who did not meet at all, the file has to say why."""
    reason = re.compile(
        r"not (play|meet)|unfinished|withdr|left (early|after)|forfeited|replaced|broken off"
        r"|played only|did not finish|knock-out|scheveningen",
        re.IGNORECASE,
    )
    without_reason = [
        event.id for event in history.events.values()
        if event.not_played
        and not reason.search(f"{event.name} {event.format} {event.missing} {event.notes}"
                              f" {event.disputed}")
    ]  # fmt: skip
    assert without_reason == []
    assert frozenset({"goering-carl", "schallopp-emil"}) in history.events[
        "cologne-1877"
    ].unknown_games  # fmt: skip


def test_the_six_matches_of_1834_add_up_to_the_printed_sum(history: dataset.Dataset) -> None:
    """Of 85 games De la Bourdonnais won 45 and lost 27, as the sixth match says in its notes."""
    matches = [
        event for event in history.events.values()
        if set(event.players) == {"de-la-bourdonnais-louis", "mcdonnell-alexander"}
    ]  # fmt: skip
    scores = [points(history, event.id, "de-la-bourdonnais-louis") for event in matches]
    assert sum(score for score, _ in scores) == 45 + 13 / 2
    assert sum(games for _, games in scores) == 45 + 27 + 13
    assert sorted(scores) == [(4, 9), (4, 9), (6.5, 12), (7.5, 12), (11.5, 18), (18, 25)]


def test_a_varsity_match_has_its_boards(history: dataset.Dataset) -> None:
    """Oxford, named first on every board, won 10-3 on seven boards in 1873."""
    boards = history.events["varsity-match-1873-oxford-cambridge"].results
    assert len(boards) == 7
    assert (boards[0].first, boards[0].second) == ("parratt-walter", "de-soyres-john")
    assert sum(one.points_first for one in boards) == 10
    assert sum(one.points_second for one in boards) == 3


def test_a_handicap_has_the_odds_of_its_matches(history: dataset.Dataset) -> None:
    handicap = history.events["british-chess-association-handicap-tournament-london-1866"].results
    odds = {
        (one.first, one.second): (one.odds.giver, one.odds.kind) if one.odds else None
        for one in handicap
    }
    assert len(odds) == 15
    assert odds["steinitz-william", "green-s-j"] == ("steinitz-william", "pawn-and-two-moves")
    assert odds["green-s-j", "minchin-james"] == ("minchin-james", "the-move")
    assert [pair for pair, given in odds.items() if given is None] == [
        ("steinitz-william", "macdonnell-george"),
        ("steinitz-william", "de-vere-cecil"),
        ("mocatta-abraham", "chinnery-walter"),
    ]


def test_nothing_contradicts_itself_and_every_name_is_tidy(history: dataset.Dataset) -> None:
    said = [check for check in CHECKS if check.says in ("error", "name", "warning")]
    raised = [problem for check in said for problem in check.run(history)]
    assert [str(problem) for problem in settle(raised, history, whole=False)[0]] == []


def test_the_world_championship_has_every_title_event_and_no_other(
    history: dataset.Dataset,
) -> None:
    """As in any history of the championship: year, winner, and points of both."""
    matches = {
        "1886": ("Steinitz", 12.5, 7.5),
        "1889": ("Steinitz", 10.5, 6.5),
        "1890-91": ("Steinitz", 10.5, 8.5),
        "1892": ("Steinitz", 12.5, 10.5),
        "1894": ("Lasker", 12.0, 7.0),
        "1896-97": ("Lasker", 12.5, 4.5),
        "1907": ("Lasker", 11.5, 3.5),
        "1908": ("Lasker", 10.5, 5.5),
        "1910": (None, 5.0, 5.0),
        "1910-b": ("Lasker", 9.5, 1.5),
        "1921": ("Capablanca", 9.0, 5.0),
        "1927": ("Alekhine", 18.5, 15.5),
        "1929": ("Alekhine", 15.5, 9.5),
        "1934": ("Alekhine", 15.5, 10.5),
        "1935": ("Euwe", 15.5, 14.5),
        "1937": ("Alekhine", 15.5, 9.5),
        "1948": ("Botvinnik", 14.0),
        "1951": (None, 12.0, 12.0),
        "1954": (None, 12.0, 12.0),
        "1957": ("Smyslov", 12.5, 9.5),
        "1958": ("Botvinnik", 12.5, 10.5),
        "1960": ("Tal", 12.5, 8.5),
        "1961": ("Botvinnik", 13.0, 8.0),
        "1963": ("Petrosian", 12.5, 9.5),
        "1966": ("Petrosian", 12.5, 11.5),
        "1969": ("Spassky", 12.5, 10.5),
        "1972": ("Fischer", 12.5, 8.5),
        "1978": ("Karpov", 16.5, 15.5),
        "1981": ("Karpov", 11.0, 7.0),
        "1984": ("Karpov", 25.0, 23.0),
        "1985": ("Kasparov", 13.0, 11.0),
        "1986": ("Kasparov", 12.5, 11.5),
        "1987": (None, 12.0, 12.0),
        "1990": ("Kasparov", 12.5, 11.5),
        "1993-fide": ("Karpov", 12.5, 8.5),
        "1993-pca": ("Kasparov", 12.5, 7.5),
        "1995-pca": ("Kasparov", 10.5, 7.5),
        "1996-fide": ("Karpov", 10.5, 7.5),
        "2000": ("Kramnik", 8.5, 6.5),
        "2004": (None, 7.0, 7.0),
        "2005-fide": ("Topalov", 10.0),
        "2006": ("Kramnik", 8.5, 7.5),
        "2007": ("Anand", 9.0),
        "2008": ("Anand", 6.5, 4.5),
        "2010": ("Anand", 6.5, 5.5),
        "2012": ("Anand", 8.5, 7.5),
        "2013": ("Carlsen", 6.5, 3.5),
        "2014": ("Carlsen", 6.5, 4.5),
        "2016": ("Carlsen", 9.0, 7.0),
        "2018": ("Carlsen", 9.0, 6.0),
        "2021": ("Carlsen", 7.5, 3.5),
    }
    knockouts = {
        "1997-98": "Karpov",
        "1999": "Khalifman",
        "2000": "Anand",
        "2001-02": "Ponomariov",
        "2004": "Kasimdzhanov",
    }
    series = {
        e.id: e
        for e in history.events.values()
        if e.series in ("world-championship", "fide-world-championship")
    }
    assert set(series) == {f"world-championship-{year}" for year in matches} | {
        f"fide-world-championship-{year}" for year in knockouts
    }
    for year, name in knockouts.items():
        found = winner(series[f"fide-world-championship-{year}"], history)
        assert found is None or [p.text.partition(",")[0] for p in found.players] == [name]
    for year, (name, *score) in matches.items():
        event = series[f"world-championship-{year}"]
        found = winner(event, history)
        if found is None:  # only while some of the games are not known
            assert event.completeness == "incomplete"
            continue
        assert [one.text.partition(",")[0] for one in found.players] == ([name] if name else [])
        assert list(found.score) in (score, [])
