from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from edo.site.metadata import report_link

PAGE = "https://example.org/players/loewenthal-johann.html"


def link(report_to: str | None) -> str:
    return report_link(report_to, "Löwenthal & Co.", PAGE, "0123456789ab", "1.2.3")


def test_a_mail_has_its_subject_and_the_lines_of_the_report() -> None:
    address = link("chess+errors@example.org")
    assert address.startswith("mailto:chess+errors@example.org?subject=")
    assert " " not in address and "+" not in address.partition("?")[2]  # mail knows no + for blank
    fields = parse_qs(urlsplit(address).query, strict_parsing=True)
    assert fields["subject"] == ["Error on the page “Löwenthal & Co.”"]
    (body,) = fields["body"]
    lines = body.split("\r\n")
    assert lines[:2] == [f"Page: {PAGE}", "Data 0123456789ab, program 1.2.3"]
    assert "\n" not in "".join(lines)
    assert "0123456789ab" in address  # the fingerprint stands in it as it is


@pytest.mark.parametrize(
    ("form", "joint"),
    [
        ("https://example.org/issues/new", "?"),
        ("https://example.org/issues/new?labels=error", "&"),
        ("https://example.org/issues/new?", ""),
    ],
)
def test_a_form_takes_title_and_body_beside_what_it_has(form: str, joint: str) -> None:
    address = link(form)
    assert address.startswith(f"{form}{joint}title=Error%20on")
    fields = parse_qs(urlsplit(address).query, strict_parsing=True)
    assert fields["title"] == ["Error on the page “Löwenthal & Co.”"]
    assert fields["body"][0].startswith(f"Page: {PAGE}\nData 0123456789ab, program 1.2.3\n")
    assert fields.get("labels") == (["error"] if "labels" in form else None)


def test_without_an_address_our_own_page_says_what_to_write() -> None:
    path, _, query = link(None).partition("?")
    assert path == "report.html"
    assert parse_qs(query) == {"page": [PAGE], "data": ["0123456789ab"], "version": ["1.2.3"]}
