"""The pages: each path once, all known before one is drawn; head, navigation and links of each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import jinja2
import numpy as np
import pytest
import sample_history

from edo.core.model import Player
from edo.core.problems import EdoError
from edo.history.content_files import Change
from edo.history.project import SiteConfig
from edo.history.settings import DEFAULT
from edo.rating.edo import adjust
from edo.site import render, urls
from edo.site.input import Later, Link, Page, SiteInput, no_view, read_texts
from edo.site.pages import about, data, home, method

ROOT = Path(__file__).parent.parent
ANCHOR = Player("zukertort-johannes", "Zukertort, Johannes")
DATASET = replace(
    sample_history.DATASET, players={**sample_history.DATASET.players, ANCHOR.id: ANCHOR}
)
CONTENT = read_texts(ROOT / "content")


def site(base_url: str | None = None, **content: str) -> SiteInput:
    return SiteInput(
        DATASET,
        sample_history.RATINGS,
        content=CONTENT | content,
        base_url=base_url,
        fingerprint="0123456789ab",
        version="1.2.3",
    )


def not_found(path: str = urls.NOT_FOUND, title: str = "Lost & found") -> Page:
    return Page(path, "404.html", no_view, title, 'A "quoted" sentence.')


def drawn(page: Page, base_url: str | None = None) -> str:
    ((path, content),) = render.render([page], site(base_url))
    assert path == page.path
    return content.decode()


def test_two_pages_with_one_path_are_refused() -> None:
    def twice(_site: SiteInput) -> Iterator[Page]:
        yield not_found("players/a.html", "One")
        yield not_found("players/a.html", "Another")

    with pytest.raises(EdoError, match=r"players/a\.html is both 'One' and 'Another'"):
        render.all_pages(site(), [twice])


def test_every_page_is_known_before_one_is_drawn() -> None:
    def view(_site: SiteInput) -> Iterator[Page]:
        yield Page("players/a.html", "no such template.html", object, "A", "A.")
        yield not_found()

    laid_out = render.all_pages(site(), [view])
    assert [page.path for page in laid_out] == ["players/a.html", "404.html"]
    with pytest.raises(jinja2.TemplateNotFound):
        list(render.render(laid_out, site()))


def test_a_hostile_title_and_description_are_escaped() -> None:
    html = drawn(not_found("players/a.html"))
    assert "<title>Lost &amp; found · Historical Ratings</title>" in html
    assert '<meta name="description" content="A &#34;quoted&#34; sentence.">' in html
    assert "(n.d.). “Lost &amp; found”. Undated edition, program 1.2.3." in html
    assert "0123456789ab" not in html, "every edit of the data would change every page"
    addressed = drawn(not_found("players/a.html"), "https://example.org/edo")
    assert "page=https%3A//example.org/edo/players/a.html" in addressed


def test_a_description_is_made_when_it_is_printed() -> None:
    made: list[str] = []

    def describe() -> str:
        made.append("once")
        return 'A "late" sentence.'

    page = replace(not_found("players/a.html"), description=Later(describe))
    render.all_pages(site(), [lambda _site: iter([page])])
    assert not made
    assert '<meta name="description" content="A &#34;late&#34; sentence.">' in drawn(page)


def test_the_feed_is_named_where_there_is_one() -> None:
    feed = '<link rel="alternate" type="application/atom+xml"'
    assert feed not in drawn(not_found())  # nothing has been announced
    news = Change("a", date(2026, 11, 22), "A", "Text.")
    pages = [not_found(urls.HOME), not_found("players/a.html")]
    front, other = render.render(pages, replace(site(), changes=(news,)))
    assert feed in front[1].decode()
    assert feed not in other[1].decode(), "the front page and that of the changes name it"


def test_what_a_page_is_about_is_said_once_for_machines() -> None:
    page = replace(not_found("players/a.html", "</script>"), about={"@type": "Person"})
    block = re.compile(r'<script type="application/ld\+json">(.*?)</script>')
    assert block.findall(drawn(page)) == [], "without an address nobody can share or find it"
    (text,) = block.findall(drawn(page, "https://example.org/"))
    person, way = json.loads(text)["@graph"]
    assert person == {"@type": "Person"}
    assert [step["name"] for step in way["itemListElement"]] == ["Home", "Players", "</script>"]
    assert way["itemListElement"][2]["item"] == "https://example.org/players/a.html"
    assert block.findall(drawn(not_found())) == []


def about_page(path: str, history: SiteInput) -> Page:
    return next(page for page in about.pages(history) if page.path == path)


def test_what_changed_leads_to_what_it_touches() -> None:
    change = Change(
        "first", date(2026, 11, 21), "The first", "See [it](/data/index.html).", ("none-such",),
        ("zukertort-johannes",),
    )  # fmt: skip
    html = drawn(about_page(urls.CHANGES, replace(site(), changes=(change,))))
    assert '<h2 id="first">The first' in html
    assert '<time datetime="2026-11-21">21 November 2026</time>' in html
    assert '<p>See <a href="data/index.html">it</a>.</p>' in html
    assert "Affected: <a href=players/zukertort-johannes.html>Zukertort, Johannes</a></p>" in html


def test_the_page_on_reports_says_whether_anybody_takes_them() -> None:
    assert "gives no address for reports" in drawn(about_page(urls.REPORT, site()))
    taken = replace(site(), config=SiteConfig(report_to="e@example.org"))
    html = drawn(about_page(urls.REPORT, taken))
    assert "gives no address" not in html
    assert '<a href="mailto:e@example.org?subject=' in html


def test_an_anchor_escapes_what_it_holds_and_leads_nowhere_without_a_target() -> None:
    link = partial(urls.relative, "players/able.html")
    assert render.anchor(link, Link("A < B", "years/1850.html#able")) == (
        "<a href=../years/1850.html#able>A &lt; B</a>"
    )
    assert render.anchor(lambda _: '"><b>', Link("A", "x")) == '<a href="&#34;&gt;&lt;b&gt;">A</a>'
    assert render.anchor(link, Link("A & B")) == "A &amp; B"


def test_with_an_address_pages_say_where_they_stand() -> None:
    address = "https://example.org/edo/"
    assert '<link rel="canonical" href="https://example.org/edo/players/a.html">' in drawn(
        not_found("players/a.html"), address
    )
    assert '<link rel="canonical" href="https://example.org/edo/">' in drawn(
        not_found(urls.HOME), address
    )


def test_the_page_for_missing_ones_is_right_at_any_depth() -> None:
    html = drawn(not_found(), "https://example.org/edo")
    assert '<a href="https://example.org/edo/players/index.html">' in html
    assert "href=https://example.org/edo/static/style.css>" in html
    assert "canonical" not in html


@pytest.fixture(scope="module")
def house() -> dict[str, str]:
    """The pages of home, method and data, of a few invented players."""
    laid_out = render.all_pages(site(), [home.pages, method.pages, data.pages])
    return {path: content.decode() for path, content in render.render(laid_out, site())}


def test_every_text_has_its_page(house: dict[str, str]) -> None:
    assert {urls.method(slug) for slug in (*method.ORDER, *method.FOR_EDITORS)} < house.keys()
    shown = {slug for slug in CONTENT if not slug.startswith("system-")}
    assert shown == {"home", "contest", "record", *method.ORDER, *method.FOR_EDITORS}


def test_printed_examples_are_those_of_the_method(house: dict[str, str]) -> None:
    """Source: Edwards' own examples; deviations of a link of 30 games and of 39 of them."""
    deviations = house[urls.method("deviations")]
    assert "a deviation of 44.85" in deviations
    assert "it is 280.1." in deviations
    rating, deviation = adjust(np.array([2628.0]), np.array([293.0]), DEFAULT)
    assert (round(float(rating[0])), round(float(deviation[0]))) == (2077, 210)
    row = r'<td class="num">2628</td>\s*<td class="num">293</td>\s*<td class="num">2077</td>'
    assert re.search(row, house[urls.method("adjustment")])
    scores = house[urls.method("expected-scores")]
    assert "expected to score 3.28" in scores  # 4 * 0.64006 + 2 * 0.35994
    printed = re.search(r"a performance of (\d{4})\.", scores)
    assert printed is not None
    points = sum(
        games / (1 + 10 ** ((opponent - int(printed[1])) / 400))
        for opponent, games in ((2400, 4), (2600, 2))
    )
    assert points == pytest.approx(4.0, abs=0.004)  # half a rating point is 0.004 points


def test_the_text_on_the_joint_distribution_names_its_rules(house: dict[str, str]) -> None:
    joint = house[urls.method("joint")]
    assert "10,000 complete lists are drawn" in joint
    assert "at most about 0.50 percentage points" in joint  # half of 1 in the root of 10,000
    assert "about one score in 370 would" in joint  # beyond three deviations on either side
    assert "within 1 standard error of the expected score" in joint
    assert 'id="what-is-suspicious"' in joint
    assert 'id="why-this-rating"' in joint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("No title.\n", "begin with `# Title`"),
        ("# Title\n\nLead.\n\nFIGURE none-such: Caption.\n", "no figure 'none-such'"),
        ("# Title\n\nLead {{ none_such }}.\n\nText.\n", "'none_such' is undefined"),
    ],
)
def test_a_faulty_text_is_named(text: str, message: str) -> None:
    with pytest.raises(EdoError, match=rf"^content/odds\.md: .*{message}"):
        for page in method.pages(site(odds=text)):
            page.view()
