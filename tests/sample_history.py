"""A small made-up history with ratings set by hand, for tests of pages."""

from __future__ import annotations

from edo.core.model import (
    Citation,
    Dataset,
    DateSpan,
    Event,
    Mark,
    Odds,
    OddsKind,
    PartialDate,
    Place,
    Player,
    Result,
    Source,
    Total,
)
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.games import games_of, pairings
from edo.rating.inference.answers import (
    Answers,
    Bridge,
    Comparison,
    Influence,
    Outlier,
    PeakYear,
    RankProbabilities,
    Superiority,
)

ALDER, BIRCH, CEDAR, YEW = "alder-anna", "birch-bo", "cedar-cy", "yew-una"
OFFHAND = "alder-anna-offhand"
HANDBOOK = (Citation("handbook", "p. 7"),)

PLAYERS = {
    ALDER: Player(
        ALDER,
        "Alder, Anna",
        born=PartialDate(1820, 3, 4),
        died=PartialDate(1890),
        country="ENG",
        woman=True,
        spellings=("Adler, A.",),
        notes="Of *wood*.",
        sources=(Citation("letters"),),
    ),
    OFFHAND: Player(OFFHAND, "Alder, Anna (offhand)", woman=True, offhand_of=ALDER),
    BIRCH: Player(BIRCH, "Birch, Bo", country="GER"),
    CEDAR: Player(CEDAR, "Čedar, Cy"),
    YEW: Player(YEW, "Yew, Una"),
}


def marks(text: str) -> tuple[Mark, ...]:
    return tuple(Mark(value) for value in text)  # type: ignore[arg-type]


def games(first: str, second: str, text: str, **more: object) -> Result:
    """Return a result with the score of each game."""
    played = marks(text)
    points = sum(mark.points for mark in played)
    return Result(first, second, points, len(played) - points, len(played), played, **more)  # type: ignore[arg-type]


def event(event_id: str, kind: str, year: int, players: tuple[str, ...], **more: object) -> Event:
    return Event(
        event_id,
        event_id.replace("-", " ").capitalize(),
        kind,  # type: ignore[arg-type]
        year,
        f"events/{year}/{event_id}.yaml",
        players=players,
        sources=HANDBOOK,
        **more,  # type: ignore[arg-type]
    )


EVENTS = (
    event("alder-birch-1850", "match", 1850, (ALDER, BIRCH), results=(games(ALDER, BIRCH, "1=0"),)),
    event(
        "oakham-1851",
        "tournament",
        1851,
        (ALDER, BIRCH, CEDAR, YEW),
        place="oakham",
        dates=DateSpan(PartialDate(1851, 5), PartialDate(1851, 6)),
        has_crosstable=True,
        results=(
            games(ALDER, BIRCH, "1"),
            games(ALDER, CEDAR, "="),
            games(ALDER, YEW, "1"),
            games(BIRCH, CEDAR, "+", default="Cedar fell ill."),
            games(BIRCH, YEW, "1"),
            games(CEDAR, YEW, "1"),
        ),
    ),
    event(
        "alder-birch-1853",
        "match",
        1853,
        (ALDER, BIRCH),
        completeness="unverified",
        results=(
            Result(
                ALDER,
                BIRCH,
                2.5,
                1.5,
                4.0,
                odds=Odds(ALDER, "pawn-and-move"),
                soft="“rather more than half”",
                note="Played by *candlelight*.",
            ),
            games(ALDER, BIRCH, "1", odds=Odds(ALDER, "game-of-pawns")),
        ),
    ),
    event(
        "totals-1853",
        "tournament",
        1853,
        (BIRCH, ALDER, CEDAR),
        games_per_pair=2.0,
        totals=(Total(BIRCH, 2.5), Total(ALDER, 2.0), Total(CEDAR, 1.5)),
    ),
    event(
        "offhand-1851",
        "match",
        1851,
        (OFFHAND, BIRCH),
        results=(games(OFFHAND, BIRCH, "10"),),
    ),
    event("silent-1852", "tournament", 1852, (ALDER, YEW), unrated="No result is known."),
)

DATASET = Dataset(
    events={one.id: one for one in sorted(EVENTS, key=lambda e: (e.year, e.id))},
    players=PLAYERS,
    places={"oakham": Place("oakham", "Oakham")},
    sources={
        "handbook": Source("handbook", "Handbook of Trees"),
        "letters": Source("letters", "Collected Letters"),
    },
    odds={
        "pawn-and-move": OddsKind("pawn-and-move", "pawn and move", 163.0),
        "game-of-pawns": OddsKind("game-of-pawns", "the game of pawns", unrated="Not chess."),
    },
)

NUMBERS: dict[str, list[tuple[int, float, float, int, float, float]]] = {
    # year, rating, deviation, rank, score, games; worked out from the events by hand
    ALDER: [
        (1850, 2000.4, 100.0, 1, 1.5, 3.0),
        (1851, 2100.0, 80.0, 1, 1.5, 2.0),
        (1852, 2131.5, 90.0, 1, 0.0, 0.0),
        (1853, 2163.0, 95.0, 1, 4.5, 8.0),
    ],
    BIRCH: [
        (1850, 2000.0, 110.0, 2, 1.5, 3.0),
        (1851, 2000.0, 90.0, 3, 1.0, 3.0),
        (1852, 2000.0, 95.0, 2, 0.0, 0.0),
        (1853, 2000.0, 98.0, 2, 4.0, 8.0),
    ],
    CEDAR: [
        (1851, 1700.0, 120.0, 4, 0.5, 1.0),
        (1852, 1731.5, 130.0, 3, 0.0, 0.0),
        (1853, 1763.0, 125.0, 3, 1.5, 4.0),
    ],
    OFFHAND: [(1851, 2050.0, 140.0, 2, 1.0, 2.0)],
}


def _ratings() -> Ratings:
    players = {
        player: tuple(
            PlayerYear(player, year, rating, dev, rating + 50.0, dev + 10.0, rank, score, played)
            for year, rating, dev, rank, score, played in rows
        )
        for player, rows in NUMBERS.items()
    }
    everybody = [one for rows in players.values() for one in rows]
    return Ratings(
        players=players,
        years={
            year: tuple(sorted((o for o in everybody if o.year == year), key=lambda o: o.rank))
            for year in (1850, 1851, 1852, 1853)
        },
        unrated={YEW: "Lost every rated game."},
        pairings=tuple(
            pairing
            for pairing in pairings(games_of(DATASET))
            if YEW not in (pairing.first.player, pairing.second.player)
        ),
    )


RATINGS = _ratings()

CHANCES = (
    # player, year, first, top ten, rank_low, rank_high; set by hand, not drawn
    RankProbabilities(ALDER, 1850, 0.52, 1.0, 1, 2),
    RankProbabilities(BIRCH, 1850, 0.48, 1.0, 1, 2),
    RankProbabilities(ALDER, 1851, 0.6, 1.0, 1, 2),
    RankProbabilities(OFFHAND, 1851, 0.3, 1.0, 1, 3),
    RankProbabilities(BIRCH, 1851, 0.096, 1.0, 2, 3),
    RankProbabilities(CEDAR, 1851, 0.004, 1.0, 4, 4),
    RankProbabilities(ALDER, 1852, 0.995, 1.0, 1, 1),
    RankProbabilities(BIRCH, 1852, 0.005, 1.0, 2, 3),
)

ANSWERS = Answers(
    rank_probabilities={(one.player, one.year): one for one in CHANCES},
    superiority={
        1851: Superiority(
            1851,
            (ALDER, OFFHAND, BIRCH),
            ((0.5, 0.62, 0.947), (0.38, 0.5, 0.75), (0.053, 0.25, 0.5)),
        ),
    },
    rivals={
        ALDER: (
            Comparison(BIRCH, 1853, 163.0, 40.0, 0.98),
            Comparison(CEDAR, 1851, -3.4, 31.6, 0.457),
        ),
    },
    peaks={
        ALDER: (
            PeakYear(1850, 0.04, 162.6, 90.4),
            PeakYear(1851, 0.35, 63.0, 51.5),
            PeakYear(1853, 0.61, 0.0, 0.0),
        ),
        OFFHAND: (PeakYear(1851, 1.0, 0.0, 0.0),),
    },
    influences={
        (ALDER, 1853): (
            Influence(ALDER, 1853, "totals-1853", 12.4),
            Influence(ALDER, 1853, "alder-birch-1853", -30.6),
            Influence(ALDER, 1853, "oakham-1851", 1.6),
        ),
        (ALDER, 1850): (
            Influence(ALDER, 1850, "alder-birch-1850", None),
            Influence(ALDER, 1850, "oakham-1851", -200.0),
        ),
        (ALDER, 1851): (Influence(ALDER, 1851, "alder-birch-1850", -1.2),),
    },
    bridges=(
        Bridge("offhand-1851", (OFFHAND,)),
        Bridge("alder-birch-1850", (ALDER, CEDAR)),
    ),
    outliers=(
        Outlier(
            "oakham-1851", 1851, YEW, 0.0, 3.0, 2.5, 0.8, -3.125, ("wrong score", "odds not stated")
        ),
        Outlier("alder-birch-1850", 1850, ALDER, 1.5, 3.0, 0.456, 0.7, 1.49, ("namesake",)),
    ),
)
"""Made-up answers, one for each way in which a page can show them."""
