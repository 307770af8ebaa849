"""What the pages say of effects that players share: intervals, what is left out, and figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sample_history import DATASET, RATINGS
from sample_systems import SYSTEMS

from edo.export import ratings as tables
from edo.export.files import csv_bytes
from edo.export.table import History
from edo.site.charts import figures
from edo.site.input import SiteInput
from edo.site.pages.measurements import effect_values
from edo.systems.all_ratings import AllRatings, SystemRatings
from edo.systems.base import Effect

COUNTRIES = (
    Effect("country", "GER", -10.0, 5.0, 20),
    Effect("country", "HUN", 30.0, 10.0, 25),
    Effect("country", "AUT", 0.5, 20.0, 19),
)
EFFECTS = (
    *COUNTRIES,
    Effect("age", "26", -12.0, 4.0, 0),
    Effect("age", "30", 0.0, 0.0, 3),
    Effect("age", "34", 5.0, 2.0, 1),
)


def site_of(*effects: Effect) -> SiteInput:
    column = SystemRatings(SYSTEMS[0], np.zeros(0), np.zeros(0), effects=effects)
    site = SiteInput(DATASET, RATINGS, {}, None, "0" * 12, "1.0")
    return replace(site, systems=AllRatings(columns=(column,)))


def test_without_effects_there_is_nothing_to_say() -> None:
    assert effect_values(site_of()) is None
    assert figures.drawing("countries", site_of()) is None


def test_countries_with_enough_players_are_listed_the_highest_first() -> None:
    values = effect_values(site_of(*EFFECTS))
    assert values is not None
    rows = values["countries"]
    assert [(one.name, one.players) for one in rows] == [("Hungary", 25), ("Germany", 20)]
    assert (rows[0].low, rows[0].high) == pytest.approx((30 - 19.6, 30 + 19.6))
    assert (values["n_countries"], values["n_of_countries"]) == (3, 64)


def test_ages_that_nobody_had_are_left_out() -> None:
    values = effect_values(site_of(*EFFECTS))
    assert values is not None
    assert [(one.name, one.effect) for one in values["ages"]] == [("30", 0.0), ("34", 5.0)]
    assert values["n_ages"] == 4


def test_only_figures_of_what_there_is_are_drawn() -> None:
    drawn = dict(figures.files(site_of(*COUNTRIES)))
    drawing = figures.drawing("countries", site_of(*COUNTRIES))
    assert drawing is not None and {drawing.target, drawing.narrow} <= drawn.keys()
    assert "figures/age.svg" not in drawn
    assert b"Hungary" in drawn[drawing.target]()
    assert b"Austria" not in drawn[drawing.target]()


def test_all_effects_are_published() -> None:
    history = History(DATASET, RATINGS, systems=site_of(*EFFECTS).systems)
    lines = csv_bytes(tables.EFFECTS, tables.EFFECTS.rows(history)).decode()
    assert "edo,country,AUT,0.5,20,19" in lines.replace(".00", "").replace("0.50", "0.5")
    assert len(lines.splitlines()) == 1 + len(EFFECTS)
