"""Histories at the edge of what can be rated: all that is linked is there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from conftest import ROOT

from edo import contentfolder, dataset, pages, rating, urls
from edo.scores import all_pairings
from edo.systems.alongside import rate_all
from edo.systems.games import games_of
from edo.views import year_systems
from edo.views.site import SiteInput

REGISTRIES = {
    "sources.yaml": "book:\n  title: Book\n",
    "places.yaml": "riga:\n  name: Riga\n",
    "odds.yaml": "pawn:\n  name: Pawn\n  points: 100\n",
    "series.yaml": "cup:\n  name: Cup\n",
    "players/a.yaml": "ant-ann:\n  name: Ant, Ann\n",
    "players/b.yaml": "bee-bob:\n  name: Bee, Bob\n",
    "players/z.yaml": "zukertort-johannes:\n  name: Zukertort, Johannes\n",
}


def event(year: int, first: str, second: str, score: str) -> dict[str, str]:
    return {
        f"{year}/match-{year}.yaml": f"name: Match\nkind: match\nyear: {year}\n"
        f"pairings:\n- {{players: [{first}, {second}], score: {score}}}\n"
        "sources: [{source: book}]\n"
    }


def site_of(files: dict[str, str], folder: Path) -> SiteInput:
    """Return the input of the site of a history written into the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = dataset.load(folder)
    ratings = rating.publish(found, rating.run(all_pairings(found)))
    texts = contentfolder.read_folder(ROOT / "content")
    site = texts.site(folder, found, ratings)
    return replace(site, systems=rate_all(games_of(found)))


def test_years_that_only_other_systems_rate_link_to_pages_that_are_there(tmp_path: Path):
    """Bee lost all games of 1850: Edo rates nobody until 1882, others rate Ant all the time."""
    files = {
        **REGISTRIES,
        **event(1850, "ant-ann", "bee-bob", "5-0"),
        **event(1882, "zukertort-johannes", "ant-ann", "2-2"),
    }
    site = site_of(files, tmp_path / "events")
    assert sorted(site.ratings.years) == [1882]
    assert year_systems.years_of(site) == list(range(1850, 1883))
    paths = {page.path for page in pages.all_pages(site)}
    to = {y: year_systems.year_systems_view(site, y, None, None).year.target for y in (1850, 1851)}
    assert to == {1850: urls.year(1850), 1851: urls.YEARS}
    links = {year_systems.year_systems_view(site, y, None, None).year for y in range(1850, 1883)}
    assert {link.target for link in links} <= paths
