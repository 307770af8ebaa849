from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT

from edo.commands import cli
from edo.core.problems import EdoError, InputError
from edo.history.project import SiteConfig, read_site_config


def read(folder: Path, text: str) -> SiteConfig:
    (folder / "site.yaml").write_text(text, encoding="utf-8")
    return read_site_config(folder / "site.yaml")


def test_what_is_not_given_is_as_on_our_own_site(tmp_path: Path):
    assert read(tmp_path, "name: Ratings of Riga\n") == SiteConfig(
        "Ratings of Riga", "Year-by-year ratings by the Edo method", None
    )


@pytest.mark.parametrize(
    "address", ["editor@chess.example.org", "https://example.org/new?labels=error"]
)
def test_errors_go_to_a_mail_box_or_a_form(tmp_path: Path, address: str):
    assert read(tmp_path, f"report_to: {address}\n").report_to == address


def test_reports_go_to_the_contact_where_nothing_else_is_named(tmp_path: Path):
    assert read(tmp_path, "contact: a@b.org\n").errors_to == "a@b.org"
    assert read(tmp_path, "contact: a@b.org\nreport_to: c@d.org\n").errors_to == "c@d.org"
    assert read(tmp_path, "contact: https://b.org/us\n").errors_to is None, "no form"


def test_what_a_published_site_should_name_is_a_note_that_does_not_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert cli.main(["init", str(tmp_path / "a")]) == cli.OK
    file = tmp_path / "a" / "site.yaml"
    check = ["check", "--strict", "--project", str(tmp_path / "a")]
    capsys.readouterr()
    assert cli.main(check) == cli.OK
    lacks = "`author`, `publisher`, `contact`, `address`, `base_url`"
    said = f"note     before the site is published, it should name {lacks}"
    assert said in capsys.readouterr().out
    who = "author: Dunn, George\npublisher: A\ncontact: a@b.org\naddress: 1 Main Street\n"
    file.write_text(file.read_text() + who + "base_url: https://example.org\n")
    assert cli.main(check) == cli.OK
    assert "before the site is published" not in capsys.readouterr().out


def test_the_licence_of_the_data(tmp_path: Path):
    assert read(tmp_path, "data_licence: CC-BY-4.0\n").data_licence == "CC-BY-4.0"
    with pytest.raises(EdoError, match=r"data_licence: `all mine` is not the name of a licence"):
        read(tmp_path, "data_licence: all mine\n")
    assert read_site_config(ROOT / "site.yaml").data_licence == "CC-BY-4.0"  # as README.md says


def test_everything_wrong_is_said_at_once(tmp_path: Path):
    with pytest.raises(EdoError) as refused:
        read(tmp_path, "nam: Riga\nmotto: [a]\nreport_to: javascript:alert(1)\n")
    path = tmp_path / "site.yaml"
    assert str(refused.value).splitlines() == [
        f"{path}:1: unknown key `nam`; did you mean `name`?",
        f"{path}:2: motto: a list or mapping where one value is expected; "
        "write it in quotes as one value (text)",
        f"{path}:3: report_to: `javascript:alert(1)` is no address; "
        "give a mail address or an https address",
    ]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (r"a\u0001b", "the text holds the invisible character U+0001"),
        (r"a\u202Eb", "the text holds the invisible character U+202E"),
        (r"a\nb", "several lines of text where one is expected"),
        ("a " * 250 + "b", "501 characters of text, more than 500"),
        (" ", "nothing stands here"),
    ],
)
def test_a_name_is_one_line_of_letters_that_can_be_shown(
    tmp_path: Path, written: str, message: str
):
    with pytest.raises(EdoError) as refused:
        read(tmp_path, f'motto: fine\nname: "{written}"\n')
    assert f"site.yaml:2: name: {message}; " in str(refused.value)


def test_a_site_needs_its_file(tmp_path: Path):
    with pytest.raises(EdoError, match=r"site\.yaml"):
        read_site_config(tmp_path / "site.yaml")


def test_a_question_names_two_players_each_in_a_year(tmp_path: Path):
    found = read(tmp_path, "name: A\nquestion: [dunn-george 1990, eames-walter 2010]\n")
    assert found.question == (("dunn-george", 1990), ("eames-walter", 2010))
    assert found.question_line == 2
    for wrong, said in (
        ("[dunn-george 1990]", "question"),
        ("[dunn-george, eames-walter 2010]", "is not a player and a year; write the id"),
        ("[Dunn 1990, eames-walter 2010]", "is not an id"),
        ("[dunn-george 1990, dunn-george 1990]", "question: the two are the same; name another"),
    ):
        with pytest.raises(EdoError, match=said):
            read(tmp_path, f"question: {wrong}\n")


def test_matches_that_never_were_name_two_players_each_in_a_year(tmp_path: Path):
    text = "matches:\n- {first: dunn-george 1990, second: eames-walter 2010, games: 24}\n"
    (match,) = read(tmp_path, text).matches
    assert (match.first, match.second) == (("dunn-george", 1990), ("eames-walter", 2010))
    assert match.games == 24
    for wrong in ("games: 0", "games: 61", "games: 2.5"):
        with pytest.raises(InputError, match="games"):
            read(tmp_path, text.replace("games: 24", wrong))
    with pytest.raises(InputError, match="second"):
        read(tmp_path, "matches: [{first: dunn-george 1990}]\n")
    with pytest.raises(InputError, match="match: dunn-george has himself to play; name two"):
        read(tmp_path, text.replace("eames-walter", "dunn-george"))
