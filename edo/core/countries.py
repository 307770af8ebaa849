"""Names of countries by the codes of the event files: of federations, and of states of the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

NAMES: Final = {
    "ALB": "Albania", "ALG": "Algeria", "AND": "Andorra", "ARG": "Argentina", "ARM": "Armenia",
    "AUS": "Australia", "AUT": "Austria", "AZE": "Azerbaijan", "BAN": "Bangladesh",
    "BAR": "Barbados", "BEL": "Belgium", "BIH": "Bosnia and Herzegovina", "BLR": "Belarus",
    "BOL": "Bolivia", "BRA": "Brazil", "BUL": "Bulgaria", "CAN": "Canada", "CHI": "Chile",
    "CHN": "China", "COL": "Colombia", "CRC": "Costa Rica", "CRO": "Croatia",
    "CSR": "Czechoslovakia", "CUB": "Cuba", "CYP": "Cyprus", "CZE": "Czechia", "DEN": "Denmark",
    "ECU": "Ecuador", "EGY": "Egypt", "ENG": "England", "ESP": "Spain", "EST": "Estonia",
    "FIN": "Finland", "FRA": "France", "FRG": "West Germany", "GBR": "Great Britain",
    "GDR": "East Germany", "GEO": "Georgia", "GER": "Germany", "GRE": "Greece", "GUA": "Guatemala",
    "HKG": "Hong Kong", "HUN": "Hungary", "INA": "Indonesia", "IND": "India", "IRI": "Iran",
    "IRL": "Ireland", "ISL": "Iceland", "ISR": "Israel", "ITA": "Italy", "KAZ": "Kazakhstan",
    "KGZ": "Kyrgyzstan", "KOR": "South Korea", "LAT": "Latvia", "LBA": "Libya", "LIB": "Lebanon",
    "LTU": "Lithuania", "LUX": "Luxembourg", "MAD": "Madagascar", "MAR": "Morocco",
    "MAS": "Malaysia", "MDA": "Moldova",
    "MEX": "Mexico", "MGL": "Mongolia", "MKD": "North Macedonia", "MNC": "Monaco",
    "MNE": "Montenegro", "NED": "Netherlands", "NGR": "Nigeria", "NOR": "Norway",
    "NZL": "New Zealand", "PAR": "Paraguay", "PER": "Peru", "PHI": "Philippines", "POL": "Poland",
    "POR": "Portugal", "PUR": "Puerto Rico", "QAT": "Qatar", "ROU": "Romania",
    "RSA": "South Africa", "RUS": "Russia", "SCO": "Scotland", "SGP": "Singapore",
    "SCG": "Serbia and Montenegro", "SLO": "Slovenia", "SRB": "Serbia", "SUI": "Switzerland",
    "SVK": "Slovakia", "SWE": "Sweden",
    "TKM": "Turkmenistan", "TTO": "Trinidad and Tobago", "TUN": "Tunisia", "TUR": "Turkey",
    "UAE": "United Arab Emirates", "UKR": "Ukraine", "URS": "Soviet Union", "URU": "Uruguay",
    "USA": "United States", "UZB": "Uzbekistan", "VEN": "Venezuela", "VIE": "Vietnam",
    "WLS": "Wales", "YEM": "Yemen", "YUG": "Yugoslavia", "ZAM": "Zambia", "ZIM": "Zimbabwe",
}  # fmt: skip
"""The codes of chess federations, by custom those of the FIDE, past ones included."""


_AUSTRIAN: Final = ((1804, 1866, "Austrian Empire"), (1867, 1918, "Austria-Hungary"))
_BALTIC: Final = ((1795, 1917, "Russian Empire"), (1941, 1941, "Soviet Union"))
_SOVIET: Final = ((1829, 1917, "Russian Empire"), (1923, 1991, "Soviet Union"))
_CENTRAL_ASIAN: Final = (
    (1868, 1917, "Russian Empire"),
    (1918, 1922, "Soviet Russia"),
    (1923, 1991, "Soviet Union"),
)
_YUGOSLAV: Final = ((1919, 1991, "Yugoslavia"),)
_YUGOSLAV_TO_THE_END: Final = ((1919, 2002, "Yugoslavia"), (2003, 2005, "Serbia and Montenegro"))

STATES: Final = {
    "ARM": _SOVIET,
    "AUT": (*_AUSTRIAN, (1938, 1944, "Germany")),
    "AZE": _SOVIET,
    "BAN": ((1858, 1947, "British India"), (1948, 1971, "Pakistan")),
    "BIH": ((1879, 1918, "Austria-Hungary"), *_YUGOSLAV),
    "BLR": _SOVIET,
    "CRO": (*_AUSTRIAN, (1919, 1940, "Yugoslavia"), (1945, 1991, "Yugoslavia")),
    "CSR": (*_AUSTRIAN, (1939, 1944, None), (1993, None, None)),
    "CUB": ((None, 1898, "Spanish Cuba"),),
    "CZE": (
        *_AUSTRIAN,
        (1919, 1938, "Czechoslovakia"),
        (1939, 1944, "Bohemia and Moravia"),
        (1945, 1992, "Czechoslovakia"),
    ),
    "EGY": ((1958, 1971, "United Arab Republic"),),
    "EST": (*_BALTIC, (1942, 1944, "German-occupied Estonia"), (1945, 1991, "Soviet Union")),
    "FIN": ((1809, 1917, "Grand Duchy of Finland"),),
    "FRG": ((None, 1870, "German states"), (1871, 1948, "Germany"), (1991, None, "Germany")),
    "GDR": ((None, 1870, "German states"), (1871, 1949, "Germany"), (1991, None, "Germany")),
    "GEO": _SOVIET,
    "GER": ((None, 1870, "German states"), (1950, 1990, None)),
    "IND": ((1858, 1947, "British India"),),
    "ISR": ((None, 1919, None), (1920, 1947, "Palestine (British mandate)")),
    "ITA": ((None, 1860, "Italian states"),),
    "KAZ": _CENTRAL_ASIAN,
    "KGZ": _CENTRAL_ASIAN,
    "LAT": (*_BALTIC, (1942, 1944, "German-occupied Latvia"), (1945, 1991, "Soviet Union")),
    "LTU": (*_BALTIC, (1942, 1944, "German-occupied Lithuania"), (1945, 1991, "Soviet Union")),
    "MDA": ((1813, 1917, "Russian Empire"), (1918, 1943, "Romania"), (1944, 1991, "Soviet Union")),
    "MKD": _YUGOSLAV,
    "MNE": _YUGOSLAV_TO_THE_END,
    "POL": ((1796, 1918, "Partitioned Poland"),),
    "RUS": (
        (1721, 1916, "Russian Empire"),
        (1918, 1922, "Soviet Russia"),
        (1923, 1991, "Soviet Union"),
    ),
    "SLO": (*_AUSTRIAN, *_YUGOSLAV),
    "SRB": _YUGOSLAV_TO_THE_END,
    "SVK": (
        (None, 1918, "Hungary"),
        (1919, 1938, "Czechoslovakia"),
        (1945, 1992, "Czechoslovakia"),
    ),
    "TKM": _CENTRAL_ASIAN,
    "TUR": ((None, 1922, "Ottoman Empire"),),
    "UKR": _SOVIET,
    "URS": (
        (1721, 1916, "Russian Empire"),
        (1917, 1917, "Russia"),
        (1918, 1922, "Soviet Russia"),
        (1992, None, None),
    ),
    "UZB": _CENTRAL_ASIAN,
    "YUG": ((None, 1918, None), (2003, None, None)),
}
"""The state to which all of a country belonged: first year, last year and name.

None as a first or last year is the beginning or end of all records; None as a name, that there was
no such state: its parts belonged to several, as those of Germany from 1950 to 1990, for which there
are `FRG` and `GDR`. A country without a line here, and a year that no line has, keep their name.
The year of a change counts for the state that had the greater part of it. Hungary, a kingdom with
citizens of its own, the countries of the United Kingdom, and colonies keep theirs. The dates, as
encyclopaedias have them: the Austrian Empire from 11 August 1804, Austria-Hungary from 8 February
1867, Czechoslovakia from 28 October 1918 to 31 December 1992, the annexations of 13 March 1938 and
of 15 March 1939, Slovakia from 14 March 1939; the last partition of Poland on 24 October 1795, its
republic on 11 November 1918; the Russian Empire from 2 November 1721 to 15 March 1917, with Finland
since 1809 and Armenia since 1828, the Soviet republic from 7 November 1917, the union from 30
December 1922 to 26 December 1991, with Estonia, Latvia and Lithuania, independent from 1918, since
August 1940, which were occupied from the summer of 1941 to the autumn of 1944; the German Empire
from 18 January 1871, the Federal Republic from 23 May 1949, the Democratic Republic from 7 October
1949 to 3 October 1990; the Kingdom of Italy from 17 March 1861; the mandate for Palestine from
1920; Cuba under Spain to 1898; Yugoslavia from 1 December 1918, without Slovenia, Croatia,
Macedonia and Bosnia from 1991-92, as Serbia and Montenegro from 4 February 2003 to 3 June 2006.
"""


def state(code: str, year: int) -> str | None:
    """Return the state that a country was, or was part of, in a year; None if there was none."""
    for first, last, name in STATES.get(code, ()):
        if (first is None or first <= year) and (last is None or year <= last):
            return name
    return NAMES.get(code, code)


def named(codes: str | None, year: int | None = None) -> str:
    """Return the names of one or several codes, `ROU/AUT`, as of today or as of a year.

    A code that is not listed stays as it is. As of a year, countries that did not exist are left
    out where another one did, or said to be later or former ones; several with one name are named
    once.
    """
    listed = codes.split("/") if codes else []
    if year is None:
        return ", ".join(NAMES.get(code, code) for code in listed)
    names = [name for code in listed if (name := state(code, year)) is not None]
    return ", ".join(dict.fromkeys(names or [_without_state(code, year) for code in listed]))


def _without_state(code: str, year: int) -> str:
    """Return the name of a country of which there was no state, and when there was."""
    name = NAMES[code]
    for first, last, _ in STATES[code]:
        if first is None and last is not None and year <= last:
            return f"later {name}"
        if last is None and first is not None and first <= year:
            return f"formerly {name}"
    return name


def periods(country_in: Callable[[int], str | None], first: int, last: int) -> dict[int, str]:
    """Return what is shown of the countries of years, behind the first year of each name."""
    shown: dict[int, str] = {}
    for year in range(first, last + 1):
        name = named(country_in(year), year)
        if not shown or name != next(reversed(shown.values())):
            shown[year] = name
    return shown
