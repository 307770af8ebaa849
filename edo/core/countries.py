"""Names of countries by the codes of the event files: of federations, and of states of the time."""

from __future__ import annotations

from typing import Final

NAMES: Final = {
    "ALB": "Albania", "ALG": "Algeria", "AND": "Andorra", "ARG": "Argentina", "ARM": "Armenia",
    "AUS": "Australia", "AUT": "Austria", "AZE": "Azerbaijan", "BAN": "Bangladesh",
    "BAR": "Barbados", "BEL": "Belgium", "BIH": "Bosnia and Herzegovina", "BLR": "Belarus",
    "BOL": "Bolivia", "BRA": "Brazil", "BUL": "Bulgaria", "CAN": "Canada", "CHI": "Chile",
    "CHN": "China", "COL": "Colombia", "CRO": "Croatia", "CSR": "Czechoslovakia", "CUB": "Cuba",
    "CZE": "Czechia", "DEN": "Denmark", "ECU": "Ecuador", "EGY": "Egypt", "ENG": "England",
    "ESP": "Spain", "EST": "Estonia", "FIN": "Finland", "FRA": "France", "GBR": "Great Britain",
    "GEO": "Georgia", "GER": "Germany", "GRE": "Greece", "GUA": "Guatemala", "HKG": "Hong Kong",
    "HUN": "Hungary", "INA": "Indonesia", "IND": "India", "IRI": "Iran", "IRL": "Ireland",
    "ISL": "Iceland", "ISR": "Israel", "ITA": "Italy", "KAZ": "Kazakhstan", "KOR": "South Korea",
    "LAT": "Latvia", "LBA": "Libya", "LTU": "Lithuania", "MAD": "Madagascar", "MAR": "Morocco",
    "MAS": "Malaysia", "MDA": "Moldova", "MEX": "Mexico", "MGL": "Mongolia",
    "MKD": "North Macedonia", "MNC": "Monaco", "NED": "Netherlands", "NGR": "Nigeria",
    "NOR": "Norway", "NZL": "New Zealand", "PAR": "Paraguay", "PER": "Peru", "PHI": "Philippines",
    "POL": "Poland", "POR": "Portugal", "PUR": "Puerto Rico", "QAT": "Qatar", "ROU": "Romania",
    "RSA": "South Africa", "RUS": "Russia", "SCO": "Scotland", "SGP": "Singapore",
    "SLO": "Slovenia", "SRB": "Serbia", "SUI": "Switzerland", "SVK": "Slovakia", "SWE": "Sweden",
    "SYR": "Syria", "TKM": "Turkmenistan", "TTO": "Trinidad and Tobago", "TUN": "Tunisia",
    "TUR": "Turkey", "UAE": "United Arab Emirates", "UKR": "Ukraine", "URS": "Soviet Union",
    "URU": "Uruguay", "USA": "United States", "UZB": "Uzbekistan", "VEN": "Venezuela",
    "VIE": "Vietnam", "WLS": "Wales", "YEM": "Yemen", "YUG": "Yugoslavia", "ZAM": "Zambia",
    "ZIM": "Zimbabwe",
}  # fmt: skip
"""The codes of chess federations that occur in the data, by custom those of the FIDE."""


STATES: Final = {
    "ARM": ((None, 1990, None),),
    "AUT": (
        (1804, 1866, "Austrian Empire"),
        (1867, 1918, "Austria-Hungary"),
        (1938, 1944, "Germany"),
    ),
    "CSR": ((1804, 1866, "Austrian Empire"), (1867, 1918, "Austria-Hungary")),
    "CUB": ((None, 1898, "Spanish Cuba"),),
    "CZE": (
        (1804, 1866, "Austrian Empire"),
        (1867, 1918, "Austria-Hungary"),
        (1919, 1938, "Czechoslovakia"),
        (1939, 1944, "Bohemia and Moravia"),
        (1945, 1992, "Czechoslovakia"),
    ),
    "EST": ((1721, 1917, "Russian Empire"),),
    "FIN": ((1809, 1917, "Grand Duchy of Finland"),),
    "GER": ((None, 1870, "German states"),),
    "IND": ((1858, 1947, "British India"),),
    "ISR": ((None, 1919, None), (1920, 1947, "Palestine (British mandate)")),
    "ITA": ((None, 1860, "Italian states"),),
    "LAT": ((1795, 1917, "Russian Empire"),),
    "LTU": ((1795, 1917, "Russian Empire"),),
    "POL": ((1796, 1918, "Partitioned Poland"),),
    "RUS": (
        (1721, 1916, "Russian Empire"),
        (1918, 1922, "Soviet Russia"),
        (1923, 1991, "Soviet Union"),
    ),
    "SLO": ((1804, 1866, "Austrian Empire"), (1867, 1918, "Austria-Hungary")),
    "UKR": ((None, 1990, None),),
    "URS": ((1721, 1916, "Russian Empire"), (1917, 1917, "Russia"), (1918, 1922, "Soviet Russia")),
    "YUG": ((None, 1918, None),),
}
"""The state to which all of a federation's country belonged: first year, last year and name.

None as a first year is the beginning of all records; None as a name, that there was no such country
and that its parts belonged to several. A federation without a line here, and a year that no line
has, keep their name. The year of a change counts for the state that had the greater part of it.
Hungary, a kingdom with citizens of its own, and the countries of the United Kingdom keep theirs.
The dates, as encyclopaedias have them: the Austrian Empire from 11 August 1804, Austria-Hungary
from 8 February 1867, Czechoslovakia from 28 October 1918, the annexations of 13 March 1938 and of
15 March 1939; the last partition of Poland on 24 October 1795, its republic on 11 November 1918;
the Russian Empire from 2 November 1721 to 15 March 1917, with Finland since 1809, the Soviet
republic from 7 November 1917, the union from 30 December 1922 to 26 December 1991; the German
Empire from 18 January 1871; the Kingdom of Italy from 17 March 1861; the mandate for Palestine from
1920; Cuba under Spain to 1898.
"""


def named(codes: str | None, year: int | None = None) -> str:
    """Return the names of one or several codes, `ROU/AUT`, as of today or as of a year.

    A code that is not listed stays as it is. As of a year, countries that did not exist are left
    out where another one did, or said to be later ones; several with one name are named once.
    """
    listed = codes.split("/") if codes else []
    if year is None:
        return ", ".join(NAMES.get(code, code) for code in listed)
    states = [_state(code, year) for code in listed]
    names = [name for name in states if name is not None]
    names = names or [f"later {named(code)}" for code in listed]
    return ", ".join(dict.fromkeys(names))


def _state(code: str, year: int) -> str | None:
    for first, last, name in STATES.get(code, ()):
        if (first is None or first <= year) and year <= last:
            return name
    return NAMES.get(code, code)
