"""All figures that texts show, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from edo.site.charts.drawing import Drawing, Figure
from edo.site.charts.evaluation_figures import CONTEST, TUNING
from edo.site.charts.history_figures import HISTORY
from edo.site.input import SiteInput

FIGURES: Mapping[str, Figure[Any]] = {
    figure.name: figure for figure in (*HISTORY, *TUNING, *CONTEST)
}


def files(site: SiteInput) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield path and what draws the SVG of the figures of the history itself."""
    for figure in HISTORY:
        if (data := figure.data(site)) is not None:
            yield from figure.files(data)


def drawing(name: str, site: SiteInput) -> Drawing | None:
    """Return what a page needs to show a figure; None where there is none, or nothing to show."""
    figure = FIGURES.get(name)
    data = None if figure is None else figure.data(site)
    return None if figure is None or data is None else figure.drawing(data)
