from __future__ import annotations

import json

from edo.core.model import DateSpan, Event, PartialDate, Place, Player
from edo.site import metadata

BASE = "https://example.org/edo/"
MORPHY = Player(
    "morphy-paul",
    "Morphy, Paul",
    born=PartialDate(1837, 6, 22),
    died=PartialDate(1884, 7),
    country="USA",
    spellings=("Murphy, P.",),
)
PLACES = Place("london", "London", "ENG")


def event(**more: object) -> Event:
    known = {"id": "london-1883", "name": "London 1883", "kind": "tournament", "year": 1883}
    return Event(**{**known, "path": "", **more})  # type: ignore[arg-type]


def test_a_player_with_dates_as_exactly_as_known() -> None:
    assert metadata.person(MORPHY, BASE) == {
        "@type": "Person",
        "name": "Morphy, Paul",
        "alternateName": ["Murphy, P."],
        "birthDate": "1837-06-22",
        "deathDate": "1884-07",
        "url": "https://example.org/edo/players/morphy-paul.html",
    }


def test_what_is_only_about_or_not_known_is_not_said() -> None:
    petrov = Player("petrov", "Petrov, Alexander", born=PartialDate(1794, approximate=True))
    assert metadata.person(petrov, None) == {"@type": "Person", "name": "Petrov, Alexander"}


def test_an_event() -> None:
    dates = DateSpan(PartialDate(1883, 4, 26), PartialDate(1883, 6, 23))
    found = metadata.sports_event(
        event(dates=dates, place="london", players=("morphy-paul",)),
        PLACES,
        {"morphy-paul": MORPHY},
        BASE,
    )
    assert found == {
        "@type": "SportsEvent",
        "name": "London 1883",
        "sport": "Chess",
        "startDate": "1883-04-26",
        "endDate": "1883-06-23",
        "location": {"@type": "Place", "name": "London"},
        "competitor": [{"@type": "Person", "name": "Morphy, Paul"}],
        "url": "https://example.org/edo/events/london-1883.html",
    }


def test_of_an_event_without_dates_only_the_year_of_its_end_is_known() -> None:
    found = metadata.sports_event(event(), None, {}, None)
    assert found["endDate"] == "1883" and "startDate" not in found
    about = DateSpan(PartialDate(1882, approximate=True), PartialDate(1883))
    found = metadata.sports_event(event(dates=about), None, {}, None)
    assert found["endDate"] == "1883" and "startDate" not in found


def test_all_competitors_are_named_or_none() -> None:
    players = {f"p{n}": Player(f"p{n}", f"Player, {n}") for n in range(7)}
    six = metadata.sports_event(event(players=tuple(players)[:6]), None, players, None)
    assert len(six["competitor"]) == 6  # type: ignore[arg-type]
    assert "competitor" not in metadata.sports_event(
        event(players=tuple(players)), None, players, None
    )


def test_the_data_with_their_licence_and_files() -> None:
    files = [("data/players.csv", "text/csv")]
    found = metadata.dataset("Ratings", "All of them.", "0123456789ab", files, BASE)
    assert found == {
        "@type": "Dataset",
        "name": "Ratings",
        "description": "All of them.",
        "license": "https://spdx.org/licenses/GPL-3.0-or-later.html",
        "version": "0123456789ab",
        "url": "https://example.org/edo/data/index.html",
        "distribution": [
            {
                "@type": "DataDownload",
                "name": "players.csv",
                "encodingFormat": "text/csv",
                "contentUrl": "https://example.org/edo/data/players.csv",
            }
        ],
    }


def test_the_search_needs_an_address() -> None:
    found = metadata.web_site("Ratings", BASE)
    assert found["potentialAction"] == {
        "@type": "SearchAction",
        "target": {
            "@type": "EntryPoint",
            "urlTemplate": "https://example.org/edo/search.html?q={search_term_string}",
        },
        "query-input": "required name=search_term_string",
    }
    assert metadata.web_site("Ratings", None) == {"@type": "WebSite", "name": "Ratings"}


def test_breadcrumbs_need_an_address() -> None:
    way = [("Home", "index.html"), ("Players", "players/index.html")]
    found = metadata.breadcrumbs(way, BASE)
    assert found is not None
    assert found["itemListElement"] == [
        {
            "@type": "ListItem",
            "position": 1,
            "name": "Home",
            "item": "https://example.org/edo/",
        },
        {
            "@type": "ListItem",
            "position": 2,
            "name": "Players",
            "item": "https://example.org/edo/players/index.html",
        },
    ]
    assert metadata.breadcrumbs(way, None) is None
    assert metadata.breadcrumbs([], BASE) is None


def test_nothing_in_the_text_ends_its_block() -> None:
    name = "</script><!-- & \u2028\u2029 ]]>"
    text = metadata.script([{"@type": "Person", "name": name}, None])
    assert text is not None
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == {"@context": "https://schema.org", "@type": "Person", "name": name}


def test_several_things_share_one_block() -> None:
    text = metadata.script([{"@type": "Person"}, {"@type": "BreadcrumbList"}])
    assert json.loads(text or "")["@graph"] == [{"@type": "Person"}, {"@type": "BreadcrumbList"}]
    assert metadata.script([None, None]) is None
