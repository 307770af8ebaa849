"""Every number of the pass that somebody could want to change, with its unit and its source."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the Edo pass; the defaults are Edwards' own values."""

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
    """A game tells as much as two win-or-lose comparisons, so variances are halved (Edwards)."""

    anchor_player: str = "zukertort-johannes"
    """The player whose raw rating sets the offset of the scale (Edwards)."""

    anchor_year: int = 1882
    """The year in which it does (Edwards)."""

    anchor_rating: float = 2665.0
    """The raw rating that he has in that year [Elo] (Edwards)."""


DEFAULT = Settings()
