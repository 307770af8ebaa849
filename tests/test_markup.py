"""Markdown: what comes out is safe, bounded, and its links are right for the page it stands on."""

from __future__ import annotations

import pytest

from edo.core.problems import EdoError
from edo.site.markup import article, block, inline, links, plain
from edo.site.placeholders import filled

PAGE = "events/london-1883.html"


def test_paragraphs_and_emphasis() -> None:
    assert block("Won by *default*.\n\nNot played.", PAGE) == (
        "<p>Won by <em>default</em>.</p>\n<p>Not played.</p>"
    )


def test_inline_has_no_paragraph() -> None:
    assert inline("Score from the **Era**", PAGE) == "Score from the <strong>Era</strong>"


def test_text_that_looks_like_html_is_shown() -> None:
    assert inline("a < b & c", PAGE) == "a &lt; b &amp; c"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<style>p{}</style>",
        '<svg onload="alert(1)"></svg>',
        "<math><mi><script>alert(1)</script></mi></math>",
        '<p onclick="alert(1)" style="color:red">x</p>',
        "<iframe src='https://example.org'></iframe>",
        "<form action='https://example.org'><input></form>",
    ],
)
def test_active_content_is_removed(text: str) -> None:
    for html in (block(text, PAGE), inline(text, PAGE), article(text, PAGE)):
        for word in ("script", "onerror", "onload", "onclick", "style", "src", "<form", "<input"):
            assert word not in html


def test_links_to_the_site_are_relative_to_the_page() -> None:
    text = "[a](/players/morphy-paul.html#y1858) [b](/index.html) [c](/events/a.html)"
    assert inline(text, PAGE) == (
        '<a href="../players/morphy-paul.html#y1858">a</a> '
        '<a href="../index.html">b</a> <a href="a.html">c</a>'
    )
    assert inline("[a](/index.html)", "index.html") == '<a href="index.html">a</a>'


def test_links_to_the_web_and_on_the_page_stay() -> None:
    text = "[a](https://example.org/x?y=1) [b](#note)"
    assert inline(text, PAGE) == ('<a href="https://example.org/x?y=1">a</a> <a href="#note">b</a>')


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "//example.org/x",
        "/\\example.org",
        "\\\\example.org",
        "/../../etc/passwd",
        "players/a.html",
        "mailto:a@example.org?cc=b@example.org",
        "/\t/example.org",
    ],
)
def test_doubtful_links_are_dropped(target: str) -> None:
    assert inline(f'<a href="{target}">x</a>', PAGE) == "<a>x</a>"


def test_tables_align_by_class() -> None:
    html = block("| Odds | Points |\n|---|--:|\n| Knight | 373 |", PAGE)
    assert '<th class="num">Points</th>' in html
    assert '<td class="num">373</td>' in html
    assert "style" not in html


def test_tables_can_be_scrolled() -> None:
    table = "| a |\n|---|\n| b |"
    assert block(table, PAGE).startswith('<div class="scroll"><table>')
    html = article(f"{table}\n\nand\n\n{table}", PAGE)
    assert 'tabindex="0" aria-label="Table 1"><table>' in html
    assert 'tabindex="0" aria-label="Table 2"><table>' in html
    assert html.count("</table></div>") == 2


def test_notes_bring_no_ids() -> None:
    assert block('<h3 id="content">x</h3>', PAGE) == "<h3>x</h3>"


def test_articles_have_anchors_and_footnotes() -> None:
    html = article("x[^1]\n\n## The scale\n\n[^1]: F.", "method/scale.html")
    assert '<h2 id="the-scale">The scale</h2>' in html
    assert 'href="#fn:1"' in html
    assert 'id="fn:1"' in html


def test_pictures_of_the_site_are_shown_and_no_others() -> None:
    assert article("![Our club](/club.png)", PAGE) == (
        '<p><img alt="Our club" src="../club.png"></p>'
    )
    for other in ("https://example.org/a.png", "//a.b/c.png", "/players/a.html", "a.png"):
        assert "img" not in article(f'x <img src="{other}" alt="">', PAGE)
        assert links(f"![x]({other})")[0].is_dropped
    assert [one[:2] for one in links("![x](/club.png)")] == [("/club.png", "club.png")]
    assert plain("An ![x](/club.png) emblem") == "An emblem"


def test_a_mail_address_can_be_a_link() -> None:
    assert inline("[x](mailto:a@b.org)", PAGE) == '<a href="mailto:a@b.org">x</a>'
    assert not links("[x](mailto:a@b.org)")[0].is_dropped


def test_code_in_fences_is_a_block() -> None:
    html = article("```yaml\na: 1\n```", PAGE)
    assert html == '<pre tabindex="0"><code>a: 1\n</code></pre>'


def test_a_first_paragraph_is_plain_in_descriptions() -> None:
    assert plain("See [Ann](/players/a.html), **our** first & 'x'.") == "See Ann, our first & 'x'."


def test_formulas_survive() -> None:
    text = "<math><mfrac><mi>a</mi><msup><mi>s</mi><mn>2</mn></msup></mfrac></math>"
    assert inline(f"So {text}.", PAGE) == f"So {text}."


def test_one_text_knows_nothing_of_the_one_before() -> None:
    first = article("x[^1]\n\n## Same\n\n[^1]: F.", PAGE)
    assert article("x[^1]\n\n## Same\n\n[^1]: F.", PAGE) == first


def test_placeholders_are_filled_and_escaped() -> None:
    text = "{{ n }} players{% for x in rows %} {{ x }}{% endfor %}"
    assert filled(text, {"n": 3, "rows": ["<a>", "b"]}, "about") == "3 players &lt;a&gt; b"


@pytest.mark.parametrize("text", ["{{ missing }}", "{{ unclosed", "{% for %}"])
def test_a_placeholder_without_value_is_named(text: str) -> None:
    with pytest.raises(EdoError, match=r"^content/about\.md: .*; name only values"):
        filled(text, {}, "about")


@pytest.mark.parametrize(
    "entity",
    [
        "&#1;",
        "&#x202e;",
        "&#8203;",
        "&lrm;",
        "&#x2066;",
        "&#xfffe;",
        "&#xFEFF;",
        "&#127;",
        "&zwnj;",
    ],
)
def test_entities_make_no_hidden_characters(entity: str) -> None:
    for html in (block(f"a{entity}b", PAGE), inline(f"a{entity}b", PAGE), article(entity, PAGE)):
        assert "\ufffd" in html
        assert all(c.isprintable() or c == "\n" for c in html)


def test_entities_make_letters_and_blanks() -> None:
    assert inline("&Lstrok;&oacute;d&#378;&nbsp;1&frac12;", PAGE) == "Łódź&nbsp;1½"
