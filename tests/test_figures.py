"""The figures: the same bytes every time, colours for both themes, nothing from elsewhere."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from sample_careers import players_in_order

from edo.core import urls
from edo.rating.edo import Ratings
from edo.site.charts import figures
from edo.site.charts.figures import INKS, themed


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return {path: svg.decode() for path, svg in figures.files(players_in_order()[1])}


def test_every_figure_is_drawn_wide_and_narrow(drawn: dict[str, str]) -> None:
    for name in figures.FIGURES:
        drawing = figures.drawing(name)
        assert drawing.target == urls.figure(name)
        for path, width in (
            (drawing.target, drawing.width),
            (drawing.narrow, drawing.narrow_width),
        ):
            root = ElementTree.fromstring(drawn[path])
            assert root.get("width") == f"{width}pt"
    assert len(drawn) == 2 * len(figures.FIGURES)


def test_reasons_are_counted(drawn: dict[str, str]) -> None:
    assert ">Lost every game</text>" in drawn["figures/unrated.svg"]
    assert ">1</text>" in drawn["figures/unrated.svg"]


def test_colours_are_variables_for_both_themes(drawn: dict[str, str]) -> None:
    for svg in drawn.values():
        assert "prefers-color-scheme:dark" in svg
        assert "var(--soft)" in svg or "var(--ink)" in svg
        assert not any(stand_in in svg for stand_in in INKS)


def test_no_date_and_nothing_from_elsewhere(drawn: dict[str, str]) -> None:
    for svg in drawn.values():
        assert "dc:date" not in svg
        assert 'href="http' not in svg
        assert "url(http" not in svg


def test_the_same_bytes_again_whatever_the_settings(drawn: dict[str, str]) -> None:
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        assert {path: svg.decode() for path, svg in figures.files(players_in_order()[1])} == drawn


@pytest.mark.slow
def test_the_same_bytes_in_another_process(drawn: dict[str, str]) -> None:
    code = (
        "import hashlib, sys; sys.path.insert(0, 'tests'); import test_figures as t; "
        "from edo.site.charts import figures; h = hashlib.sha256(); "
        "[h.update(svg) for _, svg in figures.files(t.players_in_order()[1])]; print(h.hexdigest())"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(hashes) == 1
    assert len(hashes.pop().strip()) == 64


def test_few_players_are_enough() -> None:
    _, ratings = players_in_order(2)
    nobody_unrated = Ratings(ratings.players, ratings.years, {}, ())
    assert len(list(figures.files(nobody_unrated))) == 2 * len(figures.FIGURES)


def test_theming_rounds_paths_and_nothing_else() -> None:
    svg = themed(
        '<svg a="1"><path d="M 1.23456 2.999" style="stroke: #010101; width: 1.2345"/></svg>'
    )
    assert 'd="M 1.23 2.99"' in svg
    assert "stroke: var(--ink); width: 1.2345" in svg
    assert svg.startswith('<svg a="1"><style>:root{--ink:#211c15')
