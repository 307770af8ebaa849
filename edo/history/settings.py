"""Settings of the Edo rating pass and of the ranking, each with its unit and source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LEADING: Mapping[str, str] = {"edo": "Edo", "edo-integrated": "Edo integrated"}
"""The systems that a site can lead with: slugs and names. The second one is shown next to it."""


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
    """Mean of the ratings of players in general [Elo] (Edwards, after Glickman)."""

    background_deviation: float = 300.0
    """Standard deviation of that distribution [Elo] (Edwards, after Glickman)."""

    variance_factor: float = 0.5
    """Variances are halved: a game, which may be drawn, has twice the information of a
    win-or-lose comparison (Edwards)."""

    anchor_player: str | None = None
    """The player whose raw rating of `anchor_year` sets the offset of the scale; without one the
    mean of several raw ratings does (Edwards: Zukertort in 1882)."""

    anchor_year: int | None = None
    """The year of that rating, or of the ratings of `anchor_first`; None for all years."""

    anchor_first: int | None = None
    """Of how many of each year, those with a rank and the highest raw ratings, the mean is taken;
    None for all player-years."""

    anchor_rating: float = 1500.0
    """That raw rating, or the mean of these [Elo]; the default is the mean of the background."""

    ranked_games: float = 8.0
    """What the results of a player with a rank are worth in the year at least, those of other years
    counted as far as the self-pairings carry them [games] (method page "Who is ranked")."""

    ranked_events: int = 2
    """Of how many events these results are at least (the same page)."""

    system: str = field(default="edo", repr=False)
    """The system of `LEADING` that the site leads with; not part of `repr`, with which measurements
    of Edo are stamped."""

    @property
    def system_name(self) -> str:
        """Return the name of the system that the site leads with."""
        return LEADING[self.system]

    @property
    def method(self) -> str:
        """Return the name of that system with its author, as within a sentence."""
        return "Rod Edwards’ Edo method" if self.system == "edo" else self.system_name

    @property
    def second_system(self) -> str:
        """Return the system whose ratings are shown next to those of the leading one."""
        return next(slug for slug in LEADING if slug != self.system)

    @property
    def second_name(self) -> str:
        """Return its name."""
        return LEADING[self.second_system]

    @property
    def second_head(self) -> str:
        """Return the last word of its name, as the head of a column."""
        return self.second_name.rpartition(" ")[2].capitalize()


DEFAULT = Settings()
