"""Cut the site's fonts from the whole fonts of npm packages; run by `make fonts`.

Without an argument it prints the packages to install; with the folder that npm installed them
into it writes the fonts to `templates/static/fonts/`. The fonts are renamed, because the licence
reserves the names of some for the originals. The same packages and the same fonttools and brotli
(constraints.txt) give the same bytes.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

TARGET = Path(__file__).parents[2] / "templates" / "static" / "fonts"
SCOPE = "@expo-google-fonts"
"""Whose packages hold whole fonts; those of @fontsource lack small caps and old-style figures."""

PACKAGES = {"source-serif-4": "0.4.1", "playfair-display": "0.4.2", "source-code-pro": "0.4.1"}

ASCII = {chr(code) for code in range(0x20, 0x7F)}
LETTERS = set(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
    "ĀāĂăĄąĆćČčĎďĐđĒēĖėĘęĚěĞğĠġĢģĦħĪīĮįİıĶķĹĺĻļĽľŁłŃńŅņŇňŐőŒœŔŕŖŗŘřŚśŞşŠšŢţŤť"
    "ŪūŮůŰűŲųŴŵŶŷŸŹźŻżŽžȘșȚțẞ"
)
"""The letters of the European languages in Latin script."""

SIGNS = set("\u00a0¡£§©«¬°±²³´·¹»¼½¾¿×÷ʼ–—‘’‚“”„†•…′‹›−")
GREEK = set("αβγδεζηθικλμνξοπρστυφχψωΔΣΦ")
ROMAN_ONLY = set("←↑→↓√≈≤≥") | (GREEK & set("κμπστφΔΣΦ"))
CYRILLIC = {chr(code) for code in range(0x410, 0x450)} | set("Ёё")
"""The Russian letters, of articles that are cited; a page without them does not load their font."""

FIGURES = ("kern", "mark", "ccmp", "locl", "liga", "lnum", "onum", "pnum", "tnum")
SMALL_CAPS = ("smcp", "c2sc")


@dataclass(frozen=True)
class Cut:
    """One file of the site: from which font, with which characters and OpenType features."""

    file: str
    family: str
    style: str
    source: str
    characters: set[str]
    features: tuple[str, ...]


TEXT = ASCII | LETTERS | SIGNS
CUTS = (
    Cut(
        "edo-serif.woff2",
        "Edo Serif",
        "Regular",
        "source-serif-4/400Regular/SourceSerif4_400Regular.ttf",
        TEXT | ROMAN_ONLY,
        FIGURES + SMALL_CAPS,
    ),
    Cut(
        "edo-serif-cyrillic.woff2",
        "Edo Serif",
        "Regular",
        "source-serif-4/400Regular/SourceSerif4_400Regular.ttf",
        CYRILLIC,
        (),
    ),
    Cut(
        "edo-serif-italic.woff2",
        "Edo Serif",
        "Italic",
        "source-serif-4/400Regular_Italic/SourceSerif4_400Regular_Italic.ttf",
        TEXT | GREEK,
        FIGURES,
    ),
    Cut(
        "edo-serif-semibold.woff2",
        "Edo Serif",
        "SemiBold",
        "source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf",
        TEXT,
        FIGURES + SMALL_CAPS,
    ),
    Cut(
        "edo-display.woff2",
        "Edo Display",
        "Regular",
        "playfair-display/400Regular/PlayfairDisplay_400Regular.ttf",
        TEXT,
        FIGURES,
    ),
    Cut(
        "edo-mono.woff2",
        "Edo Mono",
        "Regular",
        "source-code-pro/400Regular/SourceCodePro_400Regular.ttf",
        ASCII | set("éöü½×–’“”…→−"),
        (),
    ),
)
LICENCES = {package: f"{package}-licence.txt" for package in PACKAGES}


def rename(font: TTFont, cut: Cut) -> None:
    """Give the font the site's name; who made it and its licence stay."""
    names = font["name"]
    full = f"{cut.family} {cut.style}"
    kept = {0, 5, 8, 9, 11, 13, 14}  # copyright, version, makers, licence
    names.names = [record for record in names.names if record.nameID in kept]
    new = {1: cut.family, 2: cut.style, 3: full, 4: full, 6: full.replace(" ", "")}
    for number, text in new.items():
        names.setName(text, number, 3, 1, 0x409)


def cut_font(cut: Cut, packages: Path, target: Path = TARGET) -> None:
    """Write one font of the site."""
    options = subset.Options(
        flavor="woff2", hinting=False, layout_features=list(cut.features), name_IDs=["*"]
    )
    options.drop_tables += ["meta"]
    font = subset.load_font(packages / cut.source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=map(ord, cut.characters))
    subsetter.subset(font)
    rename(font, cut)
    target.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, target / cut.file, options)


def main(arguments: list[str]) -> None:
    """Write all fonts and their licences; without a folder, print which packages to install."""
    if not arguments:
        print(*(f"{SCOPE}/{package}@{version}" for package, version in PACKAGES.items()))
        return
    packages = Path(arguments[0]) / "node_modules" / SCOPE
    for cut in CUTS:
        cut_font(cut, packages)
    for package, name in LICENCES.items():
        (TARGET / name).write_bytes((packages / package / "LICENSE_FONT").read_bytes())


if __name__ == "__main__":
    main(sys.argv[1:])
