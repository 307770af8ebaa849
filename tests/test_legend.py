from __future__ import annotations

from pathlib import Path

import jinja2
import pytest
from conftest import ROOT

from edo.core import formats
from edo.site.legend import MARKS, Legend, word


def test_a_page_explains_the_marks_that_it_has_once_and_in_order() -> None:
    legend = Legend()
    for kind in ("gap", "soft", "gap"):
        legend.mark(kind)
    assert [meaning.kind for meaning in legend] == ["soft", "gap"]
    assert [meaning.kind for meaning in Legend()] == []


def test_a_mark_has_a_word_and_an_unknown_one_is_no_mark() -> None:
    assert (word("soft"), word("totals"), word("gap")) == (
        "soft",
        "from totals",
        "no rated results",
    )
    with pytest.raises(KeyError):
        Legend().mark("sofft")


def test_meanings_are_sentences_and_kinds_unique() -> None:
    assert len({meaning.kind for meaning in MARKS}) == len(MARKS)
    for meaning in MARKS:
        assert meaning.text[0].isupper() and meaning.text.endswith("."), meaning.kind


def test_the_macro_draws_a_mark_that_opens_its_meaning() -> None:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(ROOT) / "templates"), autoescape=True
    )
    environment.filters.update(formats.FILTERS)
    legend = Legend()
    source = '{% import "macros.html" as m with context %}{{ m.mark("unrated", "partly unrated") }}'
    html = environment.from_string(source).render(legend=legend, link=str)
    button = (
        '<button class="mark mark-unrated" popovertarget="mark-unrated">partly unrated</button>'
    )
    assert html.strip() == button
    assert [meaning.anchor for meaning in legend] == ["mark-unrated"]
