"""Ids made of names, and JSON that is safe in scripts and pages."""

from __future__ import annotations

import pytest

from edo.core.json import in_page, in_script
from edo.core.text import kebab, person_kebab


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("Łódź", "lodz"),
        ("Móðir – Þór", "modir-thor"),
        ("O’Kelly, A. & 2nd", "o-kelly-a-2nd"),
        ("Teplitz–Schönau", "teplitz-schonau"),
        ("北", ""),
    ],
)
def test_ids_consist_of_plain_letters(text: str, id_: str):
    assert kebab(text) == id_


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("Adams, Weaver Warren", "adams-weaver"),
        ("Köhnlein, Friedrich", "koehnlein-friedrich"),
        ("Mu\u0308ller, Hans", "mueller-hans"),
        ("O'Kelly de Galway, Alberic", "o-kelly-de-galway-alberic"),
        ("Brodie", "brodie"),
        ("北", ""),
    ],
)
def test_ids_of_persons_consist_of_surname_and_first_name(name: str, id_: str):
    assert person_kebab(name) == id_


def test_no_text_closes_the_script_that_contains_it():
    nasty = ["</script>&\u2028", "\ud800"]
    assert in_script(nasty) == r'["<\/script>&\u2028","\ud800"]'
    assert in_page(nasty) == r'["\u003c\/script\u003e\u0026\u2028","\ud800"]'
