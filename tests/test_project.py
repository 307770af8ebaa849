"""Another history than ours: a new project, its scale, settings, words, templates and files."""

from __future__ import annotations

import html
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
from conftest import MINISITE, TEXTS, make_once, real_settings
from published import csv_rows

from edo.commands import cli
from edo.commands.check import find
from edo.core import digest
from edo.core.model import Player
from edo.core.problems import EdoError, InputError, ScaleNotSet
from edo.history.dataset import load, without_draws
from edo.history.project import SITE, TEMPLATES, SiteConfig, read_site_config
from edo.history.settings import DEFAULT, Settings
from edo.rating import edo
from edo.rating.games import games_of
from edo.site import markup
from edo.site.charts import leading
from edo.site.index import chronological
from edo.site.input import read_texts

GO = """\
name: Ratings of the Old Capital
motto: Results of the city league
game: Go
lang: en-GB
seasons: true
colours: [Schwarz, Weiß]
data_licence: CC-BY-4.0
base_url: https://example.org/go
scale: {first: 3, mean: 2000}
method: {self_games: 20, background_mean: 1800, ranked_games: 6, ranked_events: 1}
"""
NOT_FOUND = """\
{% extends "program/404.html" %}
{% block content %}
<p>The archive has no such page.</p>
{% endblock %}
"""
OWN_STYLE = """\
/* Kept to the letter. */
a::after { content: "x; y { z }  "; background: url("https://example.org/*/a.png"); }
"""
OF_CHESS = (
    *(
        "chess-results",
        "chessmetrics",
        "chess programs",
        "chess tournaments",
        "chess forum",
        "chess servers",
    ),
    *("united states chess federation", "us chess rating system", "rating of chessplayers"),
    *("historical chess ratings", "applied it to chess"),
)
"""What the site of another game may say of chess: where systems and tables come from."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project that `init` makes, with everything set otherwise, and its site."""

    def make(folder: Path) -> None:
        (folder / "go").mkdir()
        assert cli.main(["init", str(folder / "go")]) == cli.OK
        (folder / "go" / "site.yaml").write_text(GO)
        for name, text in {
            "templates/404.html": NOT_FOUND,
            "templates/static/icon.svg": "<svg/>",
            "templates/static/own.css": OWN_STYLE,
            "static/CNAME": "go.example.org\n",
            "static/.well-known/security.txt": "Contact: mailto:a@example.org\n",
        }.items():
            (folder / "go" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "go" / name).write_text(text)
        assert cli.main(["build", "--project", str(folder / "go")]) == cli.OK

    return make_once("project", make, tmp_path_factory) / "go"


def test_no_page_or_file_says_that_it_is_chess(project: Path):
    people = "morphy|zukertort|rubinstein|anderssen|staunton"
    names = re.compile(rf"chess|{people}|\bf-pawn", re.IGNORECASE)
    allowed = re.compile("|".join(OF_CHESS), re.IGNORECASE)
    read, found = 0, []
    for path in sorted((project / "site").rglob("*")):
        if path.suffix in {".html", ".csv", ".json", ".xml", ".svg", ".js", ".txt"}:
            text = allowed.sub("", path.read_text(encoding="utf-8"))
            read += 1
            found += [f"{path.name}: {text[m.start() - 40 : m.end() + 40]}"
                      for m in names.finditer(text)]  # fmt: skip
    assert not found and read > 150


def test_pages_are_in_the_words_of_the_project(project: Path):
    home = (project / "site" / "index.html").read_text()
    assert '<html lang="en-GB">' in home and "Go ratings, 2001–2003" in home
    event = (project / "site" / "events" / "elmsford-2001.html").read_text()
    assert "with Schwarz" in event and "with Weiß" in event and '"sport":"Go"' in event
    assert "category" not in event  # those of FIDE
    for path in sorted((project / "site" / "systems").glob("*.html")):
        named = re.findall(r".{20}\b(?:White|Black)\b", path.read_text())
        assert not named, f"{path.name}: {named}"
    assert "Schwarz's advantage" in html.unescape(
        (project / "site" / "systems" / "edo-integrated.html").read_text()
    )
    assert '<link rel="canonical" href="https://example.org/go/">' in home
    assert (
        "https://spdx.org/licenses/CC-BY-4.0.html" in (project / "site/data/index.html").read_text()
    )
    package = (project / "site" / "data" / "datapackage.json").read_text()
    assert '"historical-go-ratings"' in package and "Historical Go results" in package


def test_the_scale_is_that_of_the_first_three(project: Path):
    """From the published table alone: the three highest raw ratings with a rank of each year."""
    years: dict[str, list[float]] = {}
    for row in csv_rows(project / "site", "ratings.csv"):
        if row["ranked"] == "yes":
            years.setdefault(row["year"], []).append(float(row["raw_rating"]))
    first = [sorted(of_year)[-3:] for of_year in years.values() if len(of_year) >= 3]
    assert len(first) >= 2 and np.mean(first) == pytest.approx(2000.0, abs=0.001)


def test_the_settings_reach_every_page(project: Path):
    method = {path.stem: path.read_text() for path in (project / "site/method").glob("*.html")}
    assert "20 games with a score of 10–10" in method["ratings"]
    assert "the mean fitted rating of the first 3 of each year is 2000" in method["ratings"]
    assert "with mean 1800 and standard deviation 300. Combining" in method["adjustment"]
    assert "worth at least 6 games" in method["evidence"] and "least 1 event." in method["evidence"]
    edo_page = (project / "site" / "systems" / "edo.html").read_text()
    assert "there are 20 games with a score of 10–10" in edo_page
    assert re.search(r"20 games<td.*?site\.yaml", edo_page) is not None


def test_the_system_edo_is_rated_with_the_same_settings(project: Path):
    own = {(one["player"], one["year"]): one for one in csv_rows(project / "site", "ratings.csv")}
    system = [
        one for one in csv_rows(project / "site", "system_ratings.csv.gz") if one["system"] == "edo"
    ]
    assert len(system) == len(own)
    for one in system:
        rating = float(own[one["player"], one["year"]]["rating"])
        assert float(one["rating"]) == pytest.approx(rating, abs=0.051)


def test_templates_and_files_of_the_project_are_used(project: Path):
    assert "<p>The archive has no such page.</p>" in (project / "site" / "404.html").read_text()
    assert (project / "site" / "static" / "icon.svg").read_text() == "<svg/>"
    assert (project / "site" / "static" / "own.css").read_text() == OWN_STYLE
    assert (project / "site" / "CNAME").read_text() == "go.example.org\n"
    assert (project / "site" / ".well-known" / "security.txt").is_file()


def copied(project: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(project, tmp_path / "go"))


def test_each_part_of_the_input_is_followed(project: Path, tmp_path: Path):
    folder = copied(project, tmp_path)
    (folder / "site.yaml").write_text(GO.replace("Old Capital", "New Capital"))
    (folder / "templates" / "404.html").write_text(NOT_FOUND.replace("archive", "library"))
    assert cli.main(["build", "--project", str(folder)]) == cli.OK
    not_found = (folder / "site" / "404.html").read_text()
    assert "Ratings of the New Capital" in not_found and "The library has no" in not_found


def test_a_file_in_the_place_of_a_page_is_refused(project: Path, tmp_path: Path, capsys):
    folder = copied(project, tmp_path)
    (folder / "static" / "Index.html").write_text("mine")
    assert cli.main(["build", "--project", str(folder)]) == cli.FAILED
    said = f"{folder}/static/Index.html:1: the site has its own index.html; rename it"
    assert said in capsys.readouterr().err
    assert (folder / "site" / "CNAME").is_file()  # as it was


def test_the_site_takes_no_place_of_the_input(tmp_path: Path, capsys):
    assert cli.main(["init", str(tmp_path)]) == cli.OK
    folders = [tmp_path / name for name in ("events", "content", "static", "templates")]
    for folder in (*folders, TEMPLATES, digest.PROGRAM):
        out = folder / "made"
        assert cli.main(["build", "--project", str(tmp_path), "--out", str(out)]) == cli.FAILED
        assert f"{out} and the input in {folder} overlap" in capsys.readouterr().err
        assert not out.exists()


def test_a_name_that_a_page_lacks_is_refused_with_its_line(project: Path, tmp_path: Path, capsys):
    folder = copied(project, tmp_path)
    template = folder / "templates" / "404.html"
    template.write_text(NOT_FOUND.replace("archive", "{{ view.archive.name }}"))
    line = template.read_text().split("{{ view.archive")[0].count("\n") + 1
    assert cli.main(["build", "--project", str(folder)]) == cli.FAILED
    said = capsys.readouterr().err
    assert f"error: {template}:{line}: " in said and "name only what 404.html has" in said
    assert "Traceback" not in said
    assert (folder / "site" / "CNAME").is_file()  # as it was


def test_init_writes_nothing_where_anything_is(tmp_path: Path, capsys):
    (tmp_path / "notes.txt").write_text("mine")
    assert cli.main(["init", str(tmp_path)]) == cli.FAILED
    said = f"error: {tmp_path} is there already and not an empty folder; give another name\n"
    assert capsys.readouterr().err == said
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    link = tmp_path / "link"
    link.symlink_to("nowhere")
    assert cli.main(["init", str(link)]) == cli.FAILED
    assert "is there already" in capsys.readouterr().err


def test_the_next_command_can_be_copied(tmp_path: Path, capsys):
    folder = tmp_path / "our club's games"
    assert cli.main(["init", str(folder)]) == cli.OK
    python, *command = shlex.split(capsys.readouterr().out.splitlines()[-1])[1:]
    assert Path(python).samefile(sys.executable)
    assert command == ["-m", "edo", "build", "--project", str(folder)]


def test_a_folder_whose_name_begins_like_an_option_is_named_so_that_it_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["init", "--", "-x"]) == cli.OK
    assert capsys.readouterr().out.endswith(" -m edo build --project ./-x\n")


def test_a_missing_project_is_named_with_both_remedies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["build", "--project", "none"]) == cli.FAILED
    assert capsys.readouterr().err == (
        "none/events:1: there is no folder `none/events`; make it, if this is a project "
        "without events; else name the project by `--project`, or its events by `--events`\n"
        "1 error: nothing was written\n"
    )


def test_the_example_is_without_errors_and_warnings_and_says_every_default(tmp_path: Path):
    assert cli.main(["init", str(tmp_path / "new")]) == cli.OK
    assert find(tmp_path / "new" / "events").problems == ()
    assert (tmp_path / "new" / ".gitignore").is_file()
    file = tmp_path / "new" / "site.yaml"
    assert read_site_config(file).settings == DEFAULT
    text = file.read_text()
    method = re.sub("^# ?", "", text[text.index("# method:") :], flags=re.M)
    file.write_text(method + "scale: {mean: 1500}\n")
    assert read_site_config(file) == SiteConfig()
    said = set(re.findall(r"^  (\w+): ", method, re.M))
    assert said == {
        name for name in Settings.__slots__ if not name.startswith(("anchor_", "system"))
    }


def test_the_commands_read_the_project(project: Path, capsys):
    for command in (["explain", "elmsford-2001"], ["wanted"], ["record"], ["fmt", "--check"]):
        assert cli.main([*command, "--project", str(project)]) == cli.OK, command
    assert "alder-ann" in capsys.readouterr().out


def test_a_scale_without_its_ratings_is_shown_with_its_line(project: Path, tmp_path: Path, capsys):
    folder = copied(project, tmp_path)
    (folder / "site.yaml").write_text("name: A\n\nscale: {first: 30, year: 2001, mean: 2000}\n")
    (problem,) = find(folder / "events").problems
    assert str(problem) == (
        f"{folder}/site.yaml:3: scale: it is set by the mean of the first 30 with a rank in 2001, "
        "but no more than 4 have one; lower `first`, add results, or give the mean of all: "
        "`scale: {mean: 1500}`"
    )
    assert cli.main(["build", "--project", str(folder)]) == cli.FAILED
    assert "site.yaml: scale: it is set by the mean of the first 30" in capsys.readouterr().err


SCALES = "write `{player, year, rating}`, `{first, mean}`, `{first, year, mean}` or `{mean}`"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "scale: {year: 1990, mean: 3}",
            f"scale: it cannot be set by mean, year; {SCALES}",
        ),
        (
            "scale: {player: a, year: 1990}",
            f"scale: it cannot be set by player, year; {SCALES}",
        ),
        (
            "method: {self_games: 0}",
            "method, self_games: `0` is out of range; write a number from 0.1 to 10 000",
        ),
        (
            "method: {ranked_events: 1.5}",
            "method, ranked_events: `1.5` is not a whole number; "
            "write a whole number from 0 to 1 000",
        ),
        ("method: {self_game: 3}", "method: unknown key `self_game`; did you mean `self_games`?"),
        ("lang: English", "lang: `English` is not a language; write its code, like `en`, `en-GB`"),
        (
            "lang: de",
            "lang: `de` is not the language of the pages; write `en`, or leave it out: "
            "the words of the program's own pages are English",
        ),
        (
            "accent: '#ffcc00'",
            "accent: `#ffcc00` is too light to read: its contrast to the page is 1.4; "
            "give a darker colour, with 4.5 or more",
        ),
        (
            "logo: ../logo.svg",
            "logo: `../logo.svg` is not a picture; "
            "name a picture in `static/`, like `logo.svg`, or .png, .jpg, .webp",
        ),
        ("colours: [White]", "colours: 1 in the list where 2 are expected; name 2"),
        (
            "base_url: example.org",
            "base_url: `example.org` is not a web address; write it like https://host/path",
        ),
    ],
)
def test_wrong_settings_are_shown_with_their_line(tmp_path: Path, text: str, message: str):
    file = tmp_path / "site.yaml"
    file.write_text(f"name: A\n{text}\n")
    with pytest.raises(InputError) as refused:
        read_site_config(file)
    assert str(refused.value) == f"{file}:2: {message}"


@pytest.mark.parametrize(
    "settings",
    [
        Settings(anchor_rating=1200.0),
        Settings(anchor_first=2, anchor_year=1882, anchor_rating=1900.0, ranked_games=5.0),
    ],
)
def test_another_scale_moves_all_raw_ratings_alike(settings: Settings):
    pairings = games_of(load(MINISITE / "events"))
    ours, theirs = edo.run(pairings, real_settings()), edo.run(pairings, settings)
    assert np.ptp(theirs.raw - ours.raw) < 1e-9
    chosen = np.ones(len(ours.raw), bool)
    if settings.anchor_first is not None:
        year = (theirs.network.year == 1882) & theirs.evidence.ranked
        chosen = year & (theirs.raw >= np.sort(theirs.raw[year])[-2])
        assert chosen.sum() == 2
    assert theirs.raw[chosen].mean() == pytest.approx(settings.anchor_rating)


def test_too_few_with_a_rank_are_no_scale():
    with pytest.raises(ScaleNotSet, match="first 3 with a rank in 1990, but nobody has one; lower"):
        edo.run(games_of(load(MINISITE / "events")), Settings(anchor_first=3, anchor_year=1990))
    settings = Settings(anchor_first=100)
    with pytest.raises(ScaleNotSet, match="the first 100 with a rank in any year, but no more"):
        edo.run(games_of(load(MINISITE / "events")), settings)


def test_the_guide_shows_a_whole_file(tmp_path: Path):
    sample = re.search(
        r"^(    name: .*\n(?:    .*\n)+)", (TEXTS / "publishing.md").read_text(), re.M
    )
    assert sample is not None
    (tmp_path / "site.yaml").write_text(dedent(sample[1]))
    config = read_site_config(tmp_path / "site.yaml")
    assert config.game == "Go" and config.settings.anchor_first == 10
    assert set(re.findall(r"^    (\w+):", sample[1], re.M)) == {one.name for one in SITE.fields}


def test_examples_stand_where_texts_call_for_them(tmp_path: Path):
    with pytest.raises(EdoError, match="none: there is no such folder; make it, or name another"):
        read_texts(tmp_path / "none")
    for name in ("about", "Our history"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nIn one paragraph.")
    own = read_texts(tmp_path)
    assert markup.split(own["about"], "about") == ("about", "In one paragraph.", "")
    assert "Our history" not in own  # no page is made of it: nothing may lead there
    (tmp_path / "examples.md").write_text("[[whr-links]]\nLike A and B.\n[[edo-draws]]\n, rarely\n")
    texts = read_texts(tmp_path)
    assert "account for links. Like A and B. For most" in texts["system-whr"]
    assert "were drawn, rarely (" in texts["system-edo"]
    assert "[[" not in "".join(text for slug, text in texts.items() if slug.startswith("system-"))
    (tmp_path / "examples.md").write_text("[[whr-link]]\nLike A and B.\n")
    with pytest.raises(EdoError, match="no text has a place for whr-link; "):
        read_texts(tmp_path)


CLUB = """\
name: Ratings of the club
game: table tennis
draws: false
seasons: true
accent: '#1f5f8b'
logo: club.svg
colours: [First, Second]
scale: {mean: 1000}
"""
LEAGUE = """\
name: League 2021/22
kind: tournament
year: 2022
pairings:
- {players: [alder-ann, birch-ben], score: 3-1}
- {players: [alder-ann, dale-dan], score: 3-2}
- {players: [birch-ben, dale-dan], score: 2-3}
sources:
- {source: bulletin}
"""
ABOUT = """\
# About

See [Ann](/players/alder-ann.html), **our** first; ![our club](/club.svg).

Write to [us](mailto:a@b.org).

```
python -m edo check
```
"""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game without draws, in seasons, with colour, picture and texts of its own; and its site."""

    def make(folder: Path) -> None:
        root = folder / "club"
        assert cli.main(["init", str(root), "--workflow", "owner/program"]) == cli.OK
        for year in ("2001", "2002", "2003"):
            shutil.rmtree(root / "events" / year)
        for name, text in {
            "site.yaml": CLUB,
            "events/2022/league-2022.yaml": LEAGUE,
            "static/club.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "content/about.md": ABOUT,
        }.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        assert cli.main(["build", "--project", str(root)]) == cli.OK

    return make_once("club", make, tmp_path_factory) / "club"


def test_without_draws_scores_tell_wins_and_losses(club: Path):
    config = read_site_config(club / "site.yaml")
    assert config.settings.variance_factor == 1 and config.settings.background_mean == 1000
    dataset = load(club / "events")
    (first, *_) = without_draws(dataset).events["league-2022"].results
    assert dataset.events["league-2022"].results[0].tally is None and first.tally == (3, 0, 1)
    ann = (club / "site/players/alder-ann.html").read_text()
    assert "Birch, Ben</a><td>3<td>0<td>1<td>3/4<td>75%<td><a href=#e2022>2021/22</a>" in ann
    games = games_of(without_draws(dataset))
    assert games.draws.tolist() == [0, 0, 0] and games.wins.tolist() == [3, 3, 2]


def test_where_no_game_can_be_drawn_the_method_says_so(club: Path, project: Path):
    deviations = (club / "site/method/deviations.html").read_text()
    assert "Variances are multiplied by 1.00.</strong> The model treats a game" in deviations
    assert "A real game can be drawn" not in deviations
    assert "No game can be drawn; all variances" in (club / "site/systems/edo.html").read_text()
    assert "A real game can be drawn" in (project / "site/method/deviations.html").read_text()


def test_without_a_map_no_script_looks_for_one(club: Path):
    assert "map.js" not in (club / "site/places/index.html").read_text()


def test_a_folder_named_like_the_program_breaks_nothing(tmp_path: Path):
    (tmp_path / "edo").mkdir()
    command = [sys.executable, "-m", "edo", "schema", "--help"]
    run = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=tmp_path, env=run, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "JSON Schemas" in done.stdout, done.stderr


def test_who_share_even_an_initial_are_named_in_full():
    players = [Player(name, name) for name in ("Smith, Joan", "Smith, John", "Jones, Dan")]
    short = {"Smith, Joan": "Smith, Joan", "Smith, John": "Smith, John", "Jones, Dan": "Jones, Dan"}
    assert [*leading.labels(players, short).values()] == ["Smith, Joan", "Smith, John", "Jones, D."]
    assert [*leading.labels(players[:1], short).values()] == ["Smith, J."]


def test_a_year_that_is_a_season_is_named_like_it(club: Path):
    year = (club / "site/years/2022.html").read_text()
    assert "<h1>2021/22</h1>" in year and "<title>2021/22 · " in year
    home = (club / "site/index.html").read_text()
    assert ">2021/22</a>" in home and 'href="years/2022.html"' in home.replace("=years", '="years')
    player = (club / "site/players/alder-ann.html").read_text()
    assert "in <a href=../years/2022.html#alder-ann>2021/22</a>" in player.replace('"', "")


def test_the_curve_of_a_player_names_seasons(project: Path, browser: Any):
    page = browser.new_page()
    page.goto((project / "site/players/alder-ann.html").as_uri())
    page.locator(".readout").first.wait_for()
    assert re.search(r"2002/03: rating \d+", page.locator(".readout").first.inner_text())
    page.close()


def test_an_autumn_counts_in_the_season_that_it_begins(club: Path, tmp_path: Path, capsys):
    folder = Path(shutil.copytree(club, tmp_path / "club"))
    dated = LEAGUE.replace("year:", "dates: 2021-10-04/2021-11-08\nyear:")
    (folder / "events/2022/league-2022.yaml").write_text(dated)
    assert [one for one in find(folder / "events").problems if one.severity == "error"] == []
    dataset = load(folder / "events")
    assert set(games_of(dataset).month) == {12 * 2022}
    assert chronological(dataset.events["league-2022"])[:2] == (2022, -2)
    pasted = tmp_path / "cup.txt"
    pasted.write_text("Alder, Ann - Dale, Dan 3-0\n")
    about = ["--name", "Cup", "--end", "2021-12-01", "--year", "2022", "--source", "bulletin"]
    project = ["--project", str(folder)]
    assert cli.main(["import", "results", str(pasted), *about, *project]) == cli.OK
    assert "year: 2022" in (folder / "drafts/2022/cup-2022.yaml").read_text()
    (folder / "site.yaml").write_text(CLUB.replace("seasons: true", "seasons: false"))
    (found,) = [one for one in find(folder / "events").problems if one.severity == "error"]
    assert (found.line, found.message) == (4, "2022, but the dates end in 2021")
    assert "`seasons: true`" in found.hint
    (folder / "events/2022/league-2022.yaml").write_text(dated.replace("2021-", "2020-"))
    (folder / "site.yaml").write_text(CLUB)
    assert [one.place for one in find(folder / "events").problems if one.severity == "error"] == [
        "year"
    ]


def test_a_season_is_named_where_an_event_and_the_home_page_name_its_year(club: Path):
    event = (club / "site/events/league-2022.html").read_text().replace('"', "")
    assert "Year<dd><a href=../years/2022.html>2021/22</a>" in event
    assert "<h1>League 2021/22</h1>" in event


def test_the_site_has_the_colour_and_the_picture_of_the_project(club: Path, project: Path):
    style = (club / "site/static/style.css").read_text()
    assert ":root { --accent: #1f5f8b;" in style and "color-mix(in srgb, #1f5f8b 35%" in style
    page = (club / "site/players/alder-ann.html").read_text()
    assert '<img src="../club.svg" alt=""> Ratings of the club</a>' in page
    assert '<link rel="icon" href=../club.svg>' in page
    of_game = (project / "site/static/style.css").read_text()
    of_chess = (TEMPLATES / "static/style.css").read_text()
    assert of_game.removeprefix(of_chess).startswith(":root {\n  --chequer: linear-gradient(")


def test_own_texts_have_pictures_mail_code_and_a_first_paragraph(club: Path):
    about = (club / "site/method/about.html").read_text()
    lead = 'See <a href="../players/alder-ann.html">Ann</a>, <strong>our</strong> first; '
    assert f'<p class=lead>{lead}<img alt="our club" src="../club.svg">.' in about
    assert '<meta name="description" content="See Ann, our first; ' in about
    assert '<a href="mailto:a@b.org">us</a>' in about
    assert '<pre tabindex="0"><code>python -m edo check\n</code></pre>' in about
    index = (club / "site/method/index.html").read_text()
    assert lead in index


def test_pages_for_editors_name_only_what_a_project_has(club: Path):
    for name in ("editing", "publishing", "fields"):
        page = (club / f"site/method/{name}.html").read_text()
        page = page.replace("make -C ../program setup", "")
        assert not re.search(r"<code>make(?! setup)|pull-request\.yml|fmt-events", page), name
    published = (club / "site/method/publishing.html").read_text()
    assert "../program/.venv/bin/python -m edo build" in published
    assert (club / ".github/workflows/publish.yml").read_text().count("owner/program") == 1


def test_what_is_left_of_the_example_is_told(club: Path):
    said = {Path(one.path).name: one.hint for one in find(club / "events").problems
            if "text of the example" in one.message}  # fmt: skip
    hints = {"home.md": "write your own", "changes.yaml": "write your own, or delete it"}
    assert said == hints


@pytest.mark.parametrize(
    ("draws", "score", "said"),
    [
        ("false", "3-1", ""),
        ("false", "+3 -1 =2", "league-2022.yaml:5: warning: a game is drawn, and `site.yaml` says "
         "`draws: false`; correct the score, or take `draws: false` away"),
        ("true", "40-21", "site.yaml:1: warning: none of 71 games is drawn, and standard errors "
         "count with draws; if no game can be drawn, write `draws: false`"),
        ("true", "+40 -20 =1", ""),
    ],
)  # fmt: skip
def test_draws_that_are_not_what_the_results_say(club: Path, tmp_path: Path, draws, score, said):
    folder = Path(shutil.copytree(club, tmp_path / "club"))
    (folder / "site.yaml").write_text(CLUB.replace("draws: false", f"draws: {draws}"))
    (folder / "events/2022/league-2022.yaml").write_text(LEAGUE.replace("3-1", score))
    found = [str(one) for one in find(folder / "events").problems if "draw" in one.message]
    assert [one.rpartition("club/")[2].removeprefix("events/2022/") for one in found] == (
        [said] if said else []
    )


def test_ratings_far_from_players_in_general_are_told(club: Path, tmp_path: Path):
    folder = Path(shutil.copytree(club, tmp_path / "club"))
    own = CLUB + "method: {background_mean: 1500}\n"
    (folder / "site.yaml").write_text(own)
    (found,) = [one for one in find(folder / "events").problems if one.place == "method"]
    assert found.severity == "warning" and found.line == 8
    assert found.message.startswith("the mean of all raw ratings is 1000, that of players in gene")
    (folder / "site.yaml").write_text(own.replace("table tennis", "chess"))
    assert "method" not in {one.place for one in find(folder / "events").problems}


def test_a_picture_that_is_not_there_is_told(club: Path, tmp_path: Path):
    folder = Path(shutil.copytree(club, tmp_path / "club"))
    (folder / "static/club.svg").unlink()
    errors = [one for one in find(folder / "events").problems if one.severity == "error"]
    assert [(Path(one.path).name, one.place) for one in errors] == [
        ("about.md", ""), ("site.yaml", "logo")
    ]  # fmt: skip


def test_init_takes_what_the_game_is_by_options(tmp_path: Path, capsys):
    options = ["--name", "Club: ratings", "--game", "Go", "--no-draws", "--scale", "1000"]
    assert cli.main(["init", str(tmp_path / "a"), *options, "--no-first-move"]) == cli.OK
    found = read_site_config(tmp_path / "a" / "site.yaml")
    assert (found.name, found.game, found.draws) == ("Club: ratings", "Go", False)
    assert found.settings == Settings(
        variance_factor=1.0, background_mean=1000.0, anchor_rating=1000.0
    )
    assert found.colours == ("First", "Second")
    assert cli.main(["init", str(tmp_path / "b"), "--colours", "Home, Away"]) == cli.OK
    assert read_site_config(tmp_path / "b" / "site.yaml").colours == ("Home", "Away")
    assert not (tmp_path / "b" / ".github").exists() and not (tmp_path / "b/publish.yml").exists()
    for wrong in (["--colours", "Home"], ["--scale", "high"], ["--workflow", "x"]):
        with pytest.raises(SystemExit):
            cli.main(["init", str(tmp_path / "c"), *wrong])
    (tmp_path / "d").symlink_to(tmp_path / "nowhere")
    assert cli.main(["init", str(tmp_path / "d")]) == cli.FAILED
    assert "is there already and not an empty folder" in capsys.readouterr().err


def test_schemas_of_a_project_are_written_into_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert cli.main(["init", str(tmp_path)]) == cli.OK
    before = (TEMPLATES / "texts/fields.md").stat()
    monkeypatch.chdir(tmp_path)
    assert cli.main(["schema"]) == cli.OK
    assert (tmp_path / "schemas/event.schema.json").is_file() and not (tmp_path / "edo").exists()
    assert (TEMPLATES / "texts/fields.md").stat() == before
    assert cli.main(["check"]) == cli.OK
