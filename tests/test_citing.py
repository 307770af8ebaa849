from __future__ import annotations

import json
import re

from edo.export.citation import Edition, how_to_cite, in_tex

EDITION = Edition("Ratings & Results", "0123456789ab", "1.2.3")
ADDRESS = "https://example.org/edo/players/loewenthal-johann.html"


def test_the_plain_form_says_what_made_the_page_and_leaves_the_date_to_the_reader() -> None:
    cite = how_to_cite(EDITION, "Löwenthal, Johann", "players/loewenthal-johann.html", ADDRESS)
    assert cite.plain == (
        "“Löwenthal, Johann”. Ratings & Results. Data 0123456789ab, program 1.2.3. "
        "https://example.org/edo/players/loewenthal-johann.html (accessed …)"
    )


def test_without_an_address_none_is_given() -> None:
    cite = how_to_cite(EDITION, "1883", "years/1883.html", None)
    assert cite.plain == (
        "“Chess players of 1883, rated”. Ratings & Results. "
        "Data 0123456789ab, program 1.2.3. (accessed …)"
    )
    assert "url" not in cite.bibtex
    assert "URL" not in json.loads(cite.csl)[0]


def test_bibtex() -> None:
    cite = how_to_cite(EDITION, "Löwenthal, Johann", "players/loewenthal-johann.html", ADDRESS)
    assert cite.bibtex == (
        "@misc{edo-players-loewenthal-johann,\n"
        "  title = {{Löwenthal, Johann}},\n"
        "  howpublished = {Ratings \\& Results},\n"
        "  note = {Data 0123456789ab, program 1.2.3},\n"
        "  url = {https://example.org/edo/players/loewenthal-johann.html}\n"
        "}"
    )


def test_all_that_tex_would_read_as_a_command_is_written_out() -> None:
    assert in_tex("a & b 50% $1 #2 x_y") == r"a \& b 50\% \$1 \#2 x\_y"
    assert in_tex("{~^\\}") == (
        r"\textbraceleft{}\textasciitilde{}\textasciicircum{}\textbackslash{}\textbraceright{}"
    )
    assert in_tex("Łódź – Šiška") == "Łódź – Šiška"


def test_braces_balance_whatever_the_title() -> None:
    """BibTeX counts braces without looking for a backslash before them."""
    for title in ("a } b", "{{", "\\}", "}{"):
        cite = how_to_cite(EDITION, title, "a.html", "https://example.org/{x}")
        depth = 0
        for sign in re.findall(r"[{}]", cite.bibtex):
            depth += 1 if sign == "{" else -1
            assert depth >= 0, title
        assert depth == 0, title


def test_csl_json() -> None:
    cite = how_to_cite(EDITION, 'The "Book"', "events/london-1883.html", ADDRESS)
    assert json.loads(cite.csl) == [
        {
            "id": "edo-events-london-1883",
            "type": "webpage",
            "title": 'The "Book"',
            "container-title": "Ratings & Results",
            "note": "Data 0123456789ab, program 1.2.3",
            "URL": ADDRESS,
        }
    ]
