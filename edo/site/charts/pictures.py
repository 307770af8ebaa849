"""Ratings in, a picture of each rated player and one of the site out, as PNG.

They stand for a page where its address is shared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from edo.core import formats, urls
from edo.core.cache import NO_SECTION, Section
from edo.core.model import Dataset, Player
from edo.history.site_config import SiteConfig
from edo.rating.edo import PlayerYear, Ratings
from edo.site.charts import sheet
from edo.site.charts.leaders import leading_players
from edo.site.charts.sheet import FRAME, INK, MARGIN, SOFT, WIDTH, Lettering, Lines, Point, Sheet

LEAST_YEARS, LEAST_ELO = 6, 300  # what the frame of a curve shows at least
LEADERS = 12  # players whose curves stand out in the picture of the site

SITE_NAME, SITE_MOTTO = Lettering(66, INK, "", "mm"), Lettering(34, SOFT, "Italic", "mm")
HEAD, NAME, BENEATH = Lettering(26, SOFT, "Italic"), Lettering(62, INK), Lettering(34, SOFT)
RATING, YEAR = Lettering(24, SOFT, "", "rm"), Lettering(24, SOFT, "", "mm")


@dataclass(frozen=True, slots=True)
class Scale:
    """Where years and ratings [Elo] lie in the frame."""

    first: float
    last: float
    lowest: float
    highest: float

    def at(self, year: float, rating: float) -> Point:
        """Return the place [px] on the picture."""
        left, top, right, bottom = FRAME
        x = left + (year - self.first) / (self.last - self.first) * (right - left)
        y = bottom - (rating - self.lowest) / (self.highest - self.lowest) * (bottom - top)
        return x, y


class PlotYear(NamedTuple):
    """A year of a curve: its rating and deviation [Elo], and whether it is one without results."""

    year: int
    rating: float
    deviation: float
    is_gap: bool


def curve(years: Iterable[PlayerYear]) -> tuple[PlotYear, ...]:
    """Return of a player's years what is drawn of them."""
    return tuple(PlotYear(y.year, y.rating, y.deviation, y.is_gap) for y in years)


def files(
    dataset: Dataset, ratings: Ratings, config: SiteConfig, section: Section = NO_SECTION
) -> Iterator[tuple[str, bytes]]:
    """Yield path and PNG of the site and of each rated player; same input, same bytes."""
    curves = {player: curve(years) for player, years in ratings.players.items()}
    leaders = leading_players(ratings, LEADERS)
    yield urls.SITE_PICTURE, section.call(_site, config.name, config.motto, curves, leaders)
    for player, years in curves.items():
        record, peak = dataset.players[player], ratings.peak(player)
        words = config.name, record.shown_name, _beneath(record, peak)
        yield urls.picture(player), section.call(_player, *words, years)


def _player(head: str, name: str, beneath: str, years: Sequence[PlotYear]) -> bytes:
    """Return name, life and peak of a player over the curve of his consecutive years."""
    page = Sheet()
    scale = scale_of(years)
    page.text((MARGIN, 58), head, HEAD)
    page.text((MARGIN, 112), name, NAME)
    page.text((MARGIN, 182), beneath, BENEATH)
    _axes(page, scale)
    lines = Lines()
    for before, after in pairwise(years):
        _link(lines, scale, before, after)
    for k, year in enumerate(years):
        if not year.is_gap:
            beside = (*years[max(0, k - 1) : k], *years[k + 1 : k + 2])
            if all(other.is_gap for other in beside):
                _whisker(lines, scale, year)
            lines.dot(scale.at(year.year, year.rating), 6)
    page.join(lines, sheet.CURVE)
    return page.png()


def _site(
    name: str, motto: str, curves: Mapping[str, Sequence[PlotYear]], leaders: Collection[str]
) -> bytes:
    """Return name and motto of the site over the curves of everybody, the leading ones darker."""
    page = Sheet()
    page.text((WIDTH / 2, 112), name, SITE_NAME)
    page.text((WIDTH / 2, 178), motto, SITE_MOTTO)
    if leaders:
        scale = scale_of([year for player in leaders for year in curves[player]])
        others = [player for player in curves if player not in leaders]
        _axes(page, scale)
        for players, ink, width in ((others, sheet.GRID, 1.2), (leaders, sheet.CURVE, 3.0)):
            lines = Lines()
            for player in players:
                _career(lines, scale, curves[player], width)
            page.join(lines, ink)
    return page.png()


def scale_of(years: Sequence[PlotYear]) -> Scale:
    """Return a scale that holds the band of all these years, and a little more."""
    first, last = min(y.year for y in years), max(y.year for y in years)
    low = min(y.rating - y.deviation for y in years)
    high = max(y.rating + y.deviation for y in years)
    more = max(0.0, LEAST_YEARS - (last - first)) / 2
    spare = max(20.0, (LEAST_ELO - (high - low)) / 2)
    return Scale(first - more, last + more, low - spare, high + spare)


def _beneath(player: Player, peak: PlayerYear | None) -> str:
    """Return what stands beneath the name."""
    is_dated = player.born is not None or player.died is not None
    words = [formats.life(player.born, player.died)] if is_dated else []
    if peak is not None:
        words.append(f"peak {formats.rating(peak.rating)} in {peak.year}")
    return "  ·  ".join(words)


def _axes(page: Sheet, scale: Scale) -> None:
    """Draw the grid of ratings with its labels, and the years below."""
    left, _, right, bottom = FRAME
    step = next(s for s in (100, 200, 500, 1000) if (scale.highest - scale.lowest) / s <= 6)
    for rating in range(int(-(-scale.lowest // step)) * step, int(scale.highest) + 1, step):
        y = scale.at(0, rating)[1]
        page.bar((left, round(y), right, round(y)), sheet.GRID)
        page.text((left - 14, y), str(rating), RATING)
    span = scale.last - scale.first
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 1000) if span / s <= 9)
    page.bar((left, bottom, right, bottom + 1), SOFT + 2)
    for year in range(int(-(-scale.first // step)) * step, int(scale.last) + 1, step):
        x = scale.at(year, 0)[0]
        page.bar((round(x), bottom, round(x) + 1, bottom + 8), SOFT + 2)
        page.text((x, bottom + 28), str(year), YEAR)


def _link(lines: Lines, scale: Scale, before: PlotYear, after: PlotYear) -> None:
    """Draw what leads from one year to the next: whole, or broken where it is a gap."""
    is_gap = before.is_gap or after.is_gap
    outline = [scale.at(y.year, y.rating + y.deviation) for y in (before, after)]
    outline += [scale.at(y.year, y.rating - y.deviation) for y in (after, before)]
    lines.fill(outline, sheet.GAP if is_gap else sheet.WHOLE)
    start, end = (scale.at(y.year, y.rating) for y in (before, after))
    if is_gap:
        lines.dotted(start, end)
    else:
        lines.line([start, end], 4)


def _whisker(lines: Lines, scale: Scale, year: PlotYear) -> None:
    """Draw the doubt of a year that has no neighbours with results."""
    x, top = scale.at(year.year, year.rating + year.deviation)
    bottom = scale.at(year.year, year.rating - year.deviation)[1]
    lines.fill([(x - 7, top), (x + 7, top), (x + 7, bottom), (x - 7, bottom)], sheet.WHOLE)


def _career(lines: Lines, scale: Scale, years: Sequence[PlotYear], width: float) -> None:
    """Draw what of a curve lies in the frame; below it, its lower edge."""
    shown = [year for year in years if scale.first <= year.year <= scale.last]
    if shown:
        heights = [max(year.rating, scale.lowest) for year in shown]
        places = [scale.at(y.year, height) for y, height in zip(shown, heights, strict=True)]
        lines.line(places, width)
