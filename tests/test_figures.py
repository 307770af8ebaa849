"""The figures: the same bytes every time, colours for both themes, nothing from elsewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from conftest import ROOT
from sample_careers import players_in_order

from edo.rating.edo import Ratings
from edo.site import urls
from edo.site.charts import evaluation_figures, figures
from edo.site.charts.drawing import INKS, stamp_of, themed
from edo.site.charts.history_figures import OF_RATINGS
from edo.site.input import SiteInput
from edo.systems.evaluation.contest import FILE as CONTEST
from edo.systems.evaluation.contest import read_contest
from edo.systems.evaluation.tuning import FILE as TUNING
from edo.systems.evaluation.tuning import read_tuning

CONTENT = ROOT / "content"


def site() -> SiteInput:
    dataset, ratings = players_in_order()
    return SiteInput(dataset, ratings, {}, None, "0" * 12, "1.0")


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return {path: draw().decode() for path, draw in figures.files(site())}


def test_every_figure_with_data_is_drawn_wide_and_narrow(drawn: Mapping[str, str]) -> None:
    shown = [drawing for name in figures.FIGURES if (drawing := figures.drawing(name, site()))]
    assert [drawing.target for drawing in shown] == [
        *(urls.figure(figure.name) for figure in OF_RATINGS), urls.figure("record")
    ]  # fmt: skip
    assert set(drawn) == {path for drawing in shown for path in (drawing.target, drawing.narrow)}
    for drawing in shown:
        for path, width in (
            (drawing.target, drawing.width),
            (drawing.narrow, drawing.narrow_width),
        ):
            assert ElementTree.fromstring(drawn[path]).get("width") == f"{width}pt"
    assert figures.drawing("none-such", site()) is None


def test_reasons_are_counted(drawn: Mapping[str, str]) -> None:
    assert ">Lost every game</text>" in drawn["figures/unrated.svg"]
    assert ">1</text>" in drawn["figures/unrated.svg"]


def test_colours_are_variables_and_nothing_comes_from_elsewhere(drawn: Mapping[str, str]) -> None:
    for svg in drawn.values():
        assert "prefers-color-scheme:dark" in svg
        assert "var(--soft)" in svg or "var(--ink)" in svg
        assert not any(stand_in in svg for stand_in in INKS)
        assert not re.search(r'dc:date|href="http|url\(http', svg)


def test_inks_are_those_of_the_style_sheet() -> None:
    style = (ROOT / "templates" / "static" / "style.css").read_text(encoding="utf-8")
    inks = {name: colours for name, *colours in INKS.values()}
    variables = {name: rf"\.line-{name} {{ --line" for name in "abcdef"}
    for name, variable in (variables | {"ink": "--ink", "soft": "--ink-soft"}).items():
        assert re.findall(rf"{variable}: (#[0-9a-f]{{6}});", style)[:2] == inks[name]


def test_the_same_bytes_again_whatever_the_settings(drawn: Mapping[str, str]) -> None:
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        assert {path: draw().decode() for path, draw in figures.files(site())} == drawn


@pytest.mark.slow
def test_the_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib, sys; sys.path.insert(0, 'tests'); import test_figures as t; "
        "h = hashlib.sha256(); [h.update(draw()) for _, draw in t.figures.files(t.site())]; "
        "print(h.hexdigest())"
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
    dataset, ratings = players_in_order(2)
    nobody_unrated = Ratings(ratings.players, ratings.years, {}, ())
    few = replace(site(), dataset=dataset, ratings=nobody_unrated)
    assert len(list(figures.files(few))) == 2 * len(OF_RATINGS) + 2


def test_theming_rounds_paths_and_nothing_else() -> None:
    svg = themed(
        '<svg a="1"><path d="M 1.23456 2.999" style="stroke: #010101; width: 1.2345"/></svg>',
        stamp="<!-- a stamp -->",
    )
    assert 'd="M 1.23 2.99"' in svg
    assert "stroke: var(--ink); width: 1.2345" in svg
    assert svg.startswith('<svg a="1"><!-- a stamp --><style>:root{--ink:#211c15')


MEASUREMENTS = ((TUNING, read_tuning), (CONTEST, read_contest))


@pytest.mark.parametrize(("file", "read"), MEASUREMENTS)
def test_the_stored_figures_are_of_the_measurement(file: str, read, tmp_path: Path) -> None:
    measurement = read(CONTENT)
    assert list(evaluation_figures.check(CONTENT, file, measurement)) == []
    drawn = dict(evaluation_figures.drawn(file, measurement))
    assert [*drawn] == [path for path, _ in evaluation_figures.stored(CONTENT, file)]
    assert all(stamp_of(measurement).encode() in svg for svg in drawn.values())

    shutil.copytree(CONTENT / "figures", tmp_path / "figures")
    (missing, of_another), command = list(drawn)[:2], {TUNING: "tune", CONTEST: "contest"}[file]
    (tmp_path / missing).unlink()
    (tmp_path / of_another).write_text("<svg><!-- of the measurement 0123456789ab --></svg>")
    said = [(Path(p.path).relative_to(tmp_path).as_posix(), p.message, p.hint)
            for p in evaluation_figures.check(tmp_path, file, measurement)]  # fmt: skip
    remedy = f"run `python -m edo {command} --draw`"
    assert said == [
        (missing, f"the figure of {file} is missing", remedy),
        (of_another, f"the figure was drawn from another measurement than {file}", remedy),
    ]
