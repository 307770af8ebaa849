import pytest

from edo.core.problems import EdoError
from edo.site.links import checked, targets

STYLE = ("static/style.css", b"a {}")


def check(*files: tuple[str, bytes]):
    return list(checked((*file, targets(*file)) for file in files))


def test_links_that_resolve_pass_unchanged():
    files = [
        ("index.html", b'<link href="static/style.css"><a href="a/b.html#x">b</a>'),
        (
            "a/b.html",
            b'<a href="../index.html">home</a> <a href="#x">x</a> <a href="https://e.org">',
        ),
        STYLE,
    ]
    assert check(*files) == files


def test_a_link_to_nowhere_is_named_with_its_page():
    files = [("a/b.html", b'<a href="nobody.html">x</a> <a href=../a/b.html>b</a>'), STYLE]
    with pytest.raises(EdoError, match=r"1 links lead nowhere.*\n  a/b.html: a/nobody.html"):
        check(*files)


def test_the_narrow_picture_must_be_there_too():
    files = [("a.html", b'<source srcset="figures/narrow.svg"><img src="b.svg">'), ("b.svg", b"")]
    with pytest.raises(EdoError, match=r"1 links lead nowhere.*\n  a.html: figures/narrow.svg"):
        check(*files)
