"""Names of chess federations by the country codes of the event files."""

from __future__ import annotations

from typing import Final

NAMES: Final = {
    "ARG": "Argentina",
    "ARM": "Armenia",
    "AUS": "Australia",
    "AUT": "Austria",
    "BEL": "Belgium",
    "BRA": "Brazil",
    "BUL": "Bulgaria",
    "CAN": "Canada",
    "CHI": "Chile",
    "CSR": "Czechoslovakia",
    "CUB": "Cuba",
    "CZE": "Czechia",
    "DEN": "Denmark",
    "ECU": "Ecuador",
    "ENG": "England",
    "ESP": "Spain",
    "EST": "Estonia",
    "FIN": "Finland",
    "FRA": "France",
    "GBR": "Great Britain",
    "GER": "Germany",
    "GRE": "Greece",
    "HKG": "Hong Kong",
    "HUN": "Hungary",
    "IND": "India",
    "IRL": "Ireland",
    "ISL": "Iceland",
    "ISR": "Israel",
    "ITA": "Italy",
    "LAT": "Latvia",
    "LTU": "Lithuania",
    "MEX": "Mexico",
    "MNC": "Monaco",
    "NED": "Netherlands",
    "NOR": "Norway",
    "NZL": "New Zealand",
    "PER": "Peru",
    "POL": "Poland",
    "PUR": "Puerto Rico",
    "ROU": "Romania",
    "RSA": "South Africa",
    "RUS": "Russia",
    "SCO": "Scotland",
    "SLO": "Slovenia",
    "SUI": "Switzerland",
    "SWE": "Sweden",
    "UKR": "Ukraine",
    "URS": "Soviet Union",
    "URU": "Uruguay",
    "USA": "United States",
    "YUG": "Yugoslavia",
}
"""The codes of chess federations that occur in the data, by custom those of the FIDE."""


def named(codes: str | None) -> str:
    """Return the names of one or several codes, `ROU/AUT`; a code not listed stays as it is."""
    return ", ".join(NAMES.get(code, code) for code in codes.split("/")) if codes else ""
