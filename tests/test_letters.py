"""Letters: the ids that names make, and the escaping of what scripts and pages hold."""

from __future__ import annotations

import pytest

from edo.letters import kebab
from edo.scriptdata import in_page, in_script


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("Łódź", "lodz"),
        ("Móðir – Þór", "modir-thor"),
        ("O’Kelly, A. & 2nd", "okelly-a-2nd"),
        ("北", ""),
    ],
)
def test_an_id_is_made_of_plain_letters(text: str, id_: str):
    assert kebab(text) == id_


def test_nothing_ends_the_script_or_the_page_that_holds_it():
    nasty = ["</script>&\u2028", "\ud800"]
    assert in_script(nasty) == r'["<\/script>&\u2028","\ud800"]'
    assert in_page(nasty) == r'["\u003c\/script\u003e\u0026\u2028","\ud800"]'
