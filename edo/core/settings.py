"""Settings of the Edo rating pass and of the ranking, each with its unit and source."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the rating pass; the defaults are Edwards' own values, where he gives any."""

    self_games: float = 30.0
    """Hypothetical games between neighbouring years of one player [games] (Edwards)."""

    self_score: float = 0.5
    """Share of the points of a self-pairing that the later year takes, 0 to 1 (Edwards)."""

    ghost_games: float = 100.0
    """Hypothetical games between a player and his ghost who gives odds [games] (Edwards)."""

    background_mean: float = 1500.0
    """Mean of the ratings of chess players in general [Elo] (Edwards, after Glickman)."""

    background_deviation: float = 300.0
    """Standard deviation of that distribution [Elo] (Edwards, after Glickman)."""

    variance_factor: float = 0.5
    """Variances are halved: a game, which may be drawn, has twice the information of a
    win-or-lose comparison (Edwards)."""

    anchor_player: str = "zukertort-johannes"
    """The player whose raw rating sets the offset of the scale (Edwards)."""

    anchor_year: int = 1882
    """The year of that rating (Edwards)."""

    anchor_rating: float = 2665.0
    """That raw rating [Elo] (Edwards)."""

    ranked_deviation: float = 90.0
    """The largest standard error of a player-year that takes a rank [Elo] (method page
    "Evidence before rank", like the next three)."""

    ranked_games: float = 10.0
    """The fewest rated games near the year of a player who takes a rank [games]."""

    ranked_opponents: int = 3
    """The fewest opponents in these games."""

    ranked_years: int = 2
    """How many years before and after the year are near it."""


DEFAULT = Settings()
