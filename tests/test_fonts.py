"""The site's own fonts: they have every character that it shows, and they are small."""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from fontTools.ttLib import TTFont

sys.path.insert(0, str(ROOT / "tests" / "fonts"))
import cut_fonts

FOLDER = ROOT / "templates" / "static" / "fonts"
ALL_FONTS = 120_000  # [bytes]
MARKUP = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)

OTHERS = re.compile("&(?!amp;|lt;|gt;|#34;|#39;)")
"""References to characters, but for those that templates make."""

FALL_BACK: set[str] = set()
"""Symbols that are taken from a font of the reader's machine."""


def characters(file: str) -> set[str]:
    return {chr(code) for code in TTFont(FOLDER / file).getBestCmap()}


@pytest.mark.parametrize("cut", cut_fonts.CUTS, ids=lambda cut: cut.file)
def test_each_font_is_as_the_script_cuts_it(cut: cut_fonts.Cut) -> None:
    font = TTFont(FOLDER / cut.file)
    assert characters(cut.file) == cut.characters
    assert font["name"].getDebugName(1) == cut.family
    assert re.search("©|Copyright", font["name"].getDebugName(0))


def test_text_fonts_have_small_caps_and_all_kinds_of_figures() -> None:
    for file in ("edo-serif.woff2", "edo-serif-semibold.woff2"):
        records = TTFont(FOLDER / file)["GSUB"].table.FeatureList.FeatureRecord
        assert {"smcp", "c2sc", "lnum", "onum", "tnum"} <= {one.FeatureTag for one in records}


def test_the_text_font_has_every_character_that_a_page_shows(site: Path) -> None:
    serif = characters("edo-serif.woff2") | characters("edo-serif-cyrillic.woff2")
    there = serif | FALL_BACK | {"\n", "\t"}
    missing: dict[str, str] = {}
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if OTHERS.search(text) or not set(text) <= there:
            shown = set(html.unescape(MARKUP.sub(" ", text)))
            missing |= dict.fromkeys(shown - there, page.name)
    for path in [*site.rglob("*.js"), site / "static" / "style.css"]:
        missing |= dict.fromkeys(set(path.read_text(encoding="utf-8")) - there, path.name)
    assert not missing, f"add them to tests/fonts/cut_fonts.py and run `make fonts`: {missing}"


def test_the_other_fonts_have_the_letters_of_all_names() -> None:
    for file in ("edo-serif-italic.woff2", "edo-serif-semibold.woff2", "edo-display.woff2"):
        assert characters(file) >= cut_fonts.ASCII | cut_fonts.LETTERS | cut_fonts.SIGNS


def test_escapes_in_the_stylesheet_are_in_the_text_font() -> None:
    style = (FOLDER.parent / "style.css").read_text(encoding="utf-8")
    for content in re.findall(r"content: ([^;}]*)", style):
        for code in re.findall(r"\\([0-9A-F]{2,6})", content):
            assert chr(int(code, 16)) in characters("edo-serif.woff2"), content


def test_all_fonts_together_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.woff2")) <= ALL_FONTS


def test_the_stylesheet_names_the_fonts_that_are_there() -> None:
    style = (FOLDER.parent / "style.css").read_text(encoding="utf-8")
    named = re.findall(r'url\("(.*?)"\)', style)
    assert sorted(named) == sorted(f"fonts/{path.name}" for path in FOLDER.glob("*.woff2"))
    faces = re.findall(r"@font-face \{(.*?)\}", style)
    assert len(faces) == len(named) and all("font-display: swap" in face for face in faces)
    families = set(re.findall(r'font-family: "(.*?)"', style))
    assert families == {cut.family for cut in cut_fonts.CUTS}


def test_each_font_has_its_licence_beside_it(site: Path) -> None:
    for folder in (FOLDER, site / "static" / "fonts"):
        for name in cut_fonts.LICENCES.values():
            assert "SIL OPEN FONT LICENSE Version 1.1" in (folder / name).read_text()


@pytest.mark.parametrize("where", ["disk", "server"])
def test_a_browser_loads_and_uses_the_fonts(open_page: Any, served: str, where: str) -> None:
    name = "players/steinitz-william.html"
    page = open_page(f"{served}/{name}" if where == "server" else name)
    page.evaluate("document.fonts.ready.then(() => true)")
    loaded = page.evaluate(
        "[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)"
    )
    assert {"Edo Serif", "Edo Display"} <= {family.strip('"') for family in loaded}
    assert "error" not in page.evaluate("[...document.fonts].map(f => f.status)")
    families = "all => all.map(e => getComputedStyle(e).fontFamily.split(',')[0])"
    used = page.locator("body *").evaluate_all(families)
    assert set(used) <= {'"Edo Serif"', '"Edo Display"', '"Edo Mono"'}


def test_figures_of_a_table_have_one_width(open_page: Any) -> None:
    page = open_page("players/steinitz-william.html")
    cell = page.locator("#ratings ~ * tbody td").first
    widths = cell.evaluate(
        """cell => [..."0123456789"].map((figure) => {
          const span = cell.appendChild(document.createElement("span"));
          span.textContent = figure.repeat(20);
          return span.getBoundingClientRect().width;
        })"""
    )
    assert max(widths) - min(widths) < 0.01 and min(widths) > 20
