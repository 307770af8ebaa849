"""Sample ratings of many players over ten years, for tests of charts."""

from __future__ import annotations

from edo.core.model import Dataset, Player
from edo.rating.edo import PlayerYear, Ratings

UNRATED = "Lost every game, so that any rating would be too high."


def years(player: str, first: int, ratings: list[float], rank: int) -> tuple[PlayerYear, ...]:
    """Return player-years; every third, from the second on, has no games."""
    played = [5.0 * (k % 3 != 1) for k in range(len(ratings))]
    return tuple(
        PlayerYear(player, first + k, value, 60.0, value, 61.0, rank, games / 2, games)
        for k, (value, games) in enumerate(zip(ratings, played, strict=True))
    )


def players_in_order(n: int = 12) -> tuple[Dataset, Ratings]:
    """Return n players who hold the same ranks for ten years, and one who is not rated."""
    ids = [f"player-{chr(97 + k)}" for k in range(n)]
    careers = {
        player: years(player, 1850, [2700.0 - 20 * k + t for t in range(10)], k + 1)
        for k, player in enumerate(ids)
    }
    lists = {1850 + t: tuple(careers[player][t] for player in ids) for t in range(10)}
    players = {player: Player(player, f"{player[-1].upper()}lder, Ann") for player in ids}
    dataset = Dataset({}, players | {"nobody": Player("nobody", "Nobody")}, {}, {}, {})
    return dataset, Ratings(careers, lists, {"nobody": UNRATED}, ())
