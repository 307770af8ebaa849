"""The check of links and texts: it finds what a build would refuse, at its line, without pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT, TEXTS, real_settings, small_config, small_content

import build
from edo.commands import serve
from edo.commands.check import find
from edo.history.dataset import load
from edo.history.project import Project, SiteConfig
from edo.rating import edo
from edo.rating.edo import NOBODY
from edo.site import checks, placeholders
from edo.site.addresses import Addresses
from edo.site.checks import check_content
from edo.site.input import SiteInput

MATCH = "1884/byrd-dunn-1884.yaml"
NOTE = """\
notes: |
  See [the tournament](/events/springfield-1880.html#results).

  {} {}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(MINISITE / "events", tmp_path / "events")
    shutil.copytree(small_content(), tmp_path / "content")
    small_config(tmp_path)
    return tmp_path


def told(project: Path) -> list[str]:
    """Return what the check says, without the one warning of the small history."""
    found = (str(one) for one in find(project / "events").problems if one.warning != "no page")
    return [one.removeprefix(f"{project}/") for one in found]


def note(project: Path, *links: str) -> None:
    file = project / "events" / MATCH
    lines = file.read_text().splitlines(keepends=True)
    start = next(k for k, line in enumerate(lines) if line.startswith("notes:"))
    lines[start] = NOTE.format(*(f"[link]({link})" for link in links))
    file.write_text("".join(lines))


def test_all_files_of_the_built_site_are_addresses(minisite: Path):
    dataset, config = load(MINISITE / "events"), SiteConfig(settings=real_settings())
    folders = Project(MINISITE, MINISITE / "events", small_content())
    addresses = Addresses(folders, config, dataset, edo.rate(dataset, config.settings))
    built = {
        path.relative_to(minisite).as_posix() for path in minisite.rglob("*") if path.is_file()
    }
    late = {path for path in built if path.startswith(("systems/ratings_", "figures/age"))}
    assert {path for path in built if path not in addresses} == {".edo-site", *late}
    for path in ("years/1700.html", "pairs/byrd-lucy-v-nobody.html", "data/nobody.csv", "a.html"):
        assert path not in addresses


def test_without_ratings_links_to_what_follows_from_them_are_taken_to_be_right(project: Path):
    links = ("/years/1700.html", "/pictures/byrd-lucy.png", "/players/nobody.html")
    note(project, *links[:2])
    with (project / "content/limits.md").open("a") as file:
        file.write(f"\n[x]({links[2]})\n")
    config = project / "site.yaml"
    config.write_text(config.read_text().replace("year: 1882", "year: 1700"))
    messages = [one.partition(": ")[2].partition(";")[0] for one in told(project)]
    assert f"the link `{links[2]}` leads to no page of the site" in messages
    assert not any(link in "".join(messages) for link in links[:2])


def test_links_of_notes_are_told_with_file_and_line(project: Path):
    note(project, "/players/byrd-lucyy.html#y1884", "/years/1700.html")
    assert told(project) == [
        f"events/{MATCH}:11: notes: the link `/players/byrd-lucyy.html#y1884` leads to no page of "
        "the site; did you mean `byrd-lucy`?",
        f"events/{MATCH}:11: notes: the link `/years/1700.html` leads to no page of the site; "
        "correct its address",
    ]


def test_links_that_pages_leave_out_are_warnings(project: Path):
    note(project, "players/byrd-lucy.html", "javascript:alert")
    hint = (
        "link to pages like `/players/a.html`, to other sites by `https://…`, by mail as "
        "`mailto:a@b.org`; pictures lie in `static/`: `/logo.png`"
    )
    assert told(project) == [
        f"events/{MATCH}:11: warning: notes: the link `{link}` is left out of the page; {hint}"
        for link in ("javascript:alert", "players/byrd-lucy.html")
    ]


def test_a_broken_record_makes_no_link_to_it_wrong(project: Path):
    note(project, "/players/byrd-lucy.html", "/method/nowhere.html")
    broken = project / "events/players/b.yaml"
    broken.write_text(broken.read_text().replace("name:", "nmae:", 1))
    assert [one for one in told(project) if "leads to no page" in one] == [
        f"events/{MATCH}:11: notes: the link `/method/nowhere.html` leads to no page of the site; "
        "correct its address"
    ]


def test_links_to_files_are_told(project: Path):
    links = ("/players/byrd-lucyy.csv", "/data/byrd.csv", "/pictures/nobody.png", "/figures/x.svg")
    note(project, *links[:2])
    file = project / "content/limits.md"
    file.write_text(f"{file.read_text()}\n[x]({links[2]}) [x]({links[3]})\n")
    end = file.read_text().count("\n")
    message = "the link `{}` leads to no page of the site; {}"
    guess, other = "did you mean `byrd-lucy`?", "correct its address"
    assert told(project) == [
        f"content/limits.md:{end}: {message.format(links[3], other)}",
        f"content/limits.md:{end}: {message.format(links[2], other)}",
        f"events/{MATCH}:11: notes: {message.format(links[1], other)}",
        f"events/{MATCH}:11: notes: {message.format(links[0], guess)}",
    ]


MISTAKES = [
    (
        "home.md",
        "{{ n_ratedd }}",
        "there is no value with the name `n_ratedd`; did you mean `n_rated`?",
    ),
    ("home.md", "{{ nothing }}", "there is no value with the name `nothing`; correct its name"),
    (
        "home.md",
        "{{ settings.selfgames }}",
        "there is no value in `settings` with the name `selfgames`; did you mean `self_games`?",
    ),
    (
        "home.md",
        "{% for row in levels %}{{ row.top11 | rating }}{% endfor %}",
        "there is no value in `row` with the name `top11`; did you mean `top10`?",
    ),
    (
        "home.md",
        "{{ deviations.most }}",
        "there is no value in `deviations` with the name `most`; there are greatest, least",
    ),
    (
        "home.md",
        "{{ n_rated | counte }}",
        "there is no filter with the name `counte`; did you mean `count` or `counted`?",
    ),
    (
        "limits.md",
        "{{ tuning.at }}",
        "there is nothing in `tuning`: it was not measured; measure it, or put this between "
        "`{% if tuning %}` and `{% endif %}`",
    ),
    ("about.md", "{{ n_rated( }}", "unexpected '}', expected ')'; correct the placeholder"),
    (
        "odds.md",
        "{{ 1 + 1 }}",
        "more than a value stands in a placeholder; correct the placeholder",
    ),
    ("limits.md", "FIGURE top-tenn: x", "there is no figure `top-tenn`; did you mean `top-ten`?"),
    (
        "examples.md",
        "[[ttt-d-fit]]\n{% if here %}{{ here.n_yeers }}{% endif %}",
        "there is no value in `here` with the name `n_yeers`; did you mean `n_years`?",
    ),
]


def test_mistakes_in_texts_are_told_at_their_line(project: Path):
    expected = []
    for name, text, said in MISTAKES:
        file = project / "content" / name
        file.write_text(f"{file.read_text()}\n{text}\n")
        expected.append(f"content/{name}:{file.read_text().count(chr(10))}: {said}")
    assert sorted(told(project)) == sorted(expected)


def test_all_that_a_build_refuses_is_told_at_once(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    note(project, "/players/nobody.csv", "/pictures/nobody.png")
    with (project / "content/limits.md").open("a") as file:
        file.write("\n{{ nothing }} {{ nor_this }}\n\nFIGURE none: x\n")
    found = told(project)
    assert [one.partition(";")[0].partition(": ")[2] for one in found] == [
        "there is no value with the name `nor_this`",
        "there is no value with the name `nothing`",
        "there is no figure `none`",
        "notes: the link `/pictures/nobody.png` leads to no page of the site",
        "notes: the link `/players/nobody.csv` leads to no page of the site",
    ]
    preview = serve._problems(Project(project, project / "events", project / "content"))
    assert [str(one).removeprefix(f"{project}/") for one in preview if not one.warning] == found
    paths = [f"--{name}={project / name}" for name in ("events", "content")]
    assert build.main([*paths, f"--out={project / 'site'}"]) == 1
    step, *said = capsys.readouterr().err.replace(f"{project}/", "").splitlines()
    assert step.startswith("reading the events ")
    assert sorted(said) == sorted([*found, "5 errors: nothing was written"])
    assert not (project / "site").exists()


@pytest.mark.parametrize("slug", sorted(path.stem for path in TEXTS.glob("*.md")))
def test_the_names_of_the_program_s_own_texts_are_known(slug: str):
    site = SiteInput(load(MINISITE / "events"), NOBODY, {}, None, "", "")
    values, _ = checks._values_and_figures(slug, site)
    assert placeholders.mistakes((TEXTS / f"{slug}.md").read_text(), values) == []


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("extra.md", "# X\n\nY.\n\nZ.", "warning: no page is made of this text; rename it, or"),
        ("About.md", "# X\n\nY.", "warning: no page is made of this text; did you mean `about`?"),
        ("about.md", "x", "no title and text; begin with `# Title` and a text"),
        ("examples.md", "\n[[nowhere]]\n\nX.\n", "no text has a place for nowhere; the names are"),
        ("tuning.json", "{", "run `python -m edo tune` to make it anew"),
        ("changes.yaml", "\n- id: x\n", "`title` is missing; add it"),
        (
            "odds.md",
            "\n<<<<<<< HEAD\nX.\n=======\nY.\n>>>>>>> y\n",
            "an unresolved merge conflict;",
        ),
    ],
)
def test_errors_of_the_texts_are_told(name: str, change: str, said: str, project: Path):
    file = project / "content" / name
    before = file.read_text() if file.exists() and name != "about.md" else ""
    file.write_text(before + change)
    found = told(project)
    assert any(one.startswith(f"content/{name}:") and said in one for one in found), found


def test_all_unreadable_texts_are_told(project: Path):
    for name in ("home", "odds"):
        (project / f"content/{name}.md").write_bytes(b"x\n\xff")
    said = "the text is not UTF-8; save the file as UTF-8"
    assert told(project) == [f"content/{name}.md:2: {said}" for name in ("home", "odds")]


FILES: list[tuple[str, str | None, str]] = [
    ("static/Index.html", "", "the site has its own index.html; rename it"),
    ("static/players", "", "the site has its own players; rename it"),
    ("static/index.html/x", "", "the site has its own index.html; rename it"),
    ("static/x", None, "not an ordinary file; put the file itself here"),
    ("static/a\\b", "", "'a\\\\b' is not a path inside the site; write it like players/a.html"),
    ("static/y/index.html", "", ""),
    ("templates/static/x.js", None, "not an ordinary file; put the file itself here"),
    (
        "templates/static/A.js",
        "",
        "'A.js' cannot be the name of a file; use lower-case letters, digits, `-`, `_` and `.`",
    ),
    ("templates/404.html", "{{ 1 | x }}", "No filter named 'x'.; correct the template"),
    (
        "templates/data.html",
        '{% extends "x.html" %}',
        "there is no template `x.html`; the program's own are called `program/<name>`",
    ),
    ("templates/home.html", '{% extends "program/base.html" %}', ""),
]


def test_files_that_cannot_be_published_are_told(project: Path):
    for name, content, _ in FILES:
        file = project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            file.symlink_to("/etc/hostname")
        else:
            file.write_text(content)
    assert sorted(told(project)) == sorted(f"{name}:1: {said}" for name, _, said in FILES if said)


LINKED = ("static", "static/photos", "templates", "templates/static", "templates/parts",
          "events", "events/1884", "content", "content/figures")  # fmt: skip


@pytest.mark.parametrize("name", LINKED)
def test_no_folder_is_a_link_to_what_lies_outside(project: Path, tmp_path: Path, name: str, capsys):
    folder, outside = project / name, tmp_path / "outside"
    if folder.exists():
        folder.rename(outside)
    else:
        outside.mkdir()
        (outside / "id_rsa").write_text("private")
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.symlink_to(outside)
    said = [one for one in told(project) if "warning" not in one]
    what = "not an ordinary file or folder" if name == "events/1884" else "a link to a folder"
    here = "the file itself" if name == "events/1884" else "the folder itself"
    assert f"{name}:1: {what}; put {here} here" in said
    assert build.main(["--project", str(project)]) == 1
    assert f"{name}:1: {what}; " in capsys.readouterr().err
    assert not (project / "site").exists()


def test_a_template_is_none_of_the_files_that_change_unnoticed(project: Path):
    (project / "templates").mkdir()
    (project / "templates" / "part.tmp").write_text("x")
    (project / "templates" / "404.html").write_text('{% include "part.tmp" %}')
    assert told(project) == [
        "templates/404.html:1: there is no template `part.tmp`; "
        "rename it: text editors leave files of such names"
    ]


def test_two_pairs_with_one_page_are_told(project: Path):
    events = project / "events"
    players = events / "players"
    for one, other in (("ab", "cd-v-ef"), ("ab-v-cd", "ef")):
        for id_ in (one, other):
            file = players / f"{id_[0]}.yaml"
            entries = file.read_text() if file.exists() else ""
            file.write_text(f"{entries}{id_}:\n  name: {id_}\n")
        (events / "1884" / f"{one}-1884.yaml").write_text(
            f"name: M\nkind: match\nyear: 1884\npairings:\n- {{players: [{one}, {other}], "
            "score: 9-9}\nsources:\n- {source: book}\n"
        )
    assert [one for one in told(project) if "pairs/" in one] == [
        "events:1: pairs/ab-v-cd-v-ef.html is both 'ab – cd-v-ef' and 'ab-v-cd – ef'; "
        "give one of them another id"
    ]


def test_the_texts_of_this_site_have_no_problems():
    project = Project(ROOT, ROOT / "events", ROOT / "content")
    dataset = load(MINISITE / "events")
    assert (
        list(check_content(Addresses(project, SiteConfig(), dataset, None, is_whole=False))) == []
    )


def test_a_question_about_years_that_are_not_rated_is_a_warning(project: Path):
    file = project / "site.yaml"
    line = file.read_text().splitlines().index("question: [castle-hugo 1881, byrd-lucy 1885]") + 1
    asked = file.read_text().replace("[castle-hugo 1881, byrd-lucy", "[castle-hugh 1881, byrd-lucy")
    file.write_text(asked.replace("lucy 1885", "lucy 1770", 1))
    where = f"site.yaml:{line}: warning: question: "
    assert [one for one in told(project) if ": question: " in one] == [
        f"{where}byrd-lucy is not rated in 1770, so the front page does not ask it; "
        "name a year from 1880 to 1886",
        f"{where}castle-hugh is not rated, so the front page does not ask it; "
        "did you mean `castle-hugo`?",
    ]
