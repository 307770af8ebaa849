"""Dataset and ratings in, what all pages of players are made of, and the cells they share, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from edo.core import formats, urls
from edo.core.model import Dataset, Event, Player
from edo.rating.edo import Ratings
from edo.rating.inference.answers import Answers, Bridge
from edo.site.input import Link, SiteInput
from edo.site.pages.deduced import Deduced, deduced
from edo.site.pages.index import Index, gather
from edo.site.pages.sides import Encounter, encounters
from edo.site.pages.standings import Standing, standings
from edo.systems.alongside import Alongside

NOTHING = formats.DASH


@dataclass(frozen=True, slots=True)
class Material:
    """What the pages of all players are made of, worked out once."""

    dataset: Dataset
    ratings: Ratings
    index: Index
    standings: Mapping[str, Mapping[str, Standing]]
    """By event and player."""
    deduced: Mapping[str, Mapping[tuple[str, str], Deduced]]
    """By event, then by player and opponent; only events where results are missing."""
    answers: Answers
    bridges_of: Mapping[str, tuple[Bridge, ...]]
    """The bridges on which a player hangs."""
    short_names: Mapping[str, str]
    """Surnames, and the whole name of those who share theirs."""
    systems: Alongside

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        ratings: Ratings,
        answers: Answers | None = None,
        systems: Alongside | None = None,
    ) -> Material:
        """Return the material of a dataset, the ratings made from it and what these answer."""
        index = Index.of(dataset, ratings)
        by_event = {
            event.id: standings(event, index.pairings_of_event.get(event.id, ()), ratings)
            for event in dataset.events.values()
        }
        parts = {event.id: deduced(event, dataset.odds) for event in dataset.events.values()}
        parts = {event_id: found for event_id, found in parts.items() if found}
        answers = answers or Answers()
        bridges = gather((player, one) for one in answers.bridges for player in one.players)
        names = _short_names(dataset.players.values())
        systems = systems or Alongside()
        return cls(dataset, ratings, index, by_event, parts, answers, bridges, names, systems)

    def encounters(self, event: Event, player: str) -> Iterator[Encounter]:
        """Yield the results of the event in which the player took part, from his side."""
        return encounters(self.index.results_of.get((event.id, player), ()), player)

    def deduced_of(self, event: Event, player: str) -> dict[str, Deduced]:
        """Return what the player is taken to have made in games without known results.

        By opponent, in the order of the event's players.
        """
        parts = self.deduced.get(event.id, {})
        return {p: parts[player, p] for p in event.players if (player, p) in parts}


@lru_cache(maxsize=1)
def material_of(site: SiteInput) -> Material:
    """Return the material of the site, made once for all kinds of pages that need it."""
    return Material.of(site.dataset, site.ratings, site.answers, site.systems)


def _short_names(players: Iterable[Player]) -> dict[str, str]:
    bearers = gather((_surname(player), player) for player in players)
    return {
        player.id: surname if len(own) == 1 else player.shown_name
        for surname, own in bearers.items()
        for player in own
    }


def _surname(player: Player) -> str:
    return player.name.partition(",")[0]


def shown_score(points: float, games: float) -> str:
    """Return points of games, `10½/13`; a dash where no game is known."""
    return f"{formats.score(points)}/{formats.score(games)}" if games else NOTHING


def shown_rating(ratings: Ratings, player: str, year: int) -> str | None:
    """Return a rating with its deviation in a year, `2763 (31)`; None where there is none."""
    found = ratings.of(player, year)
    if found is None:
        return None
    return formats.rating_with_deviation(found.rating, found.deviation)


def player_link(player: Player, fragment: str = "") -> Link:
    """Return the link to a player's page, or to a place on it (`#y1883`)."""
    return Link(player.shown_name, urls.player(player.id) + fragment)
