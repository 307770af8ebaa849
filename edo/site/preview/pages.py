"""A page and the edition it is of in, the page with what only the preview adds to it out."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from edo.core.problems import Problem
from edo.site.preview.edition import Edition

FOLDER = "preview_only"  # no id has the underscore
"""The folder of what only the preview serves."""

_POLICY = b"default-src 'none';"
_HEAD_ENDS, _BODY_BEGINS = b"</head>", b'<header class="masthead'

_LOADED = Markup(
    '<link rel="stylesheet" href="/{folder}/preview.css">\n'
    '<script defer src="/{folder}/reload.js" data-version="{version}"></script>\n'
)
_ERRORS = Markup(
    '<section class="preview preview-errors" role="alert">\n<h2>{heading}</h2>\n{list}</section>\n'
)
_ERROR = Markup("<li><b>{path}:{line}</b> {place}{finding}<br>{remedy}</li>\n")
_WAIT = Markup('<p class="preview preview-wait" role="status">{words}</p>\n')
_BARE = Markup(
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; "
    "style-src 'self'; connect-src 'self'\">\n"
    "<title>Preview</title>\n{loaded}</head>\n<body>\n{told}</body>\n</html>\n"
)

ANEW = "Chances and influences are still those before your change; being computed…"
SYSTEMS = "The ratings by other systems are those before your change, if any; being computed…"
FIRST = "Chances and influences are not there yet; being computed…"


def with_preview(html: bytes, edition: Edition) -> bytes:
    """Return a page of the site that loads itself anew, with what there is to tell above it."""
    html = html.replace(_POLICY, _POLICY + b" connect-src 'self';", 1)
    html = html.replace(_HEAD_ENDS, _loaded(edition).encode() + _HEAD_ENDS, 1)
    return html.replace(_BODY_BEGINS, Markup("").join(_told(edition)).encode() + _BODY_BEGINS, 1)


def bare_page(edition: Edition, failed: str | None = None) -> bytes:
    """Return a page of nothing but what there is to tell, and of what `failed` on the page."""
    told = [*_told(edition), *([] if failed is None else [_error("This page failed", failed)])]
    return _BARE.format(loaded=_loaded(edition), told=Markup("").join(told)).encode()


def _loaded(edition: Edition) -> Markup:
    return _LOADED.format(folder=FOLDER, version=edition.version)


def _told(edition: Edition) -> Iterator[Markup]:
    """Yield what stands above the page."""
    shown = "nothing can be shown yet" if edition.site is None else "below is the site without it"
    if edition.problems:
        yield _problems(edition.problems, shown)
    if edition.other is not None:
        yield _error(f"The input has an error; {shown}", edition.other)
    if edition.is_asking:
        waiting = ANEW if edition.has_answers else FIRST
        yield _WAIT.format(words=SYSTEMS if edition.is_answered else waiting)


def _problems(problems: tuple[Problem, ...], shown: str) -> Markup:
    number = sum(one.severity == "error" for one in problems)
    errors = "1 error" if number == 1 else f"{number} errors"
    heading = f"{errors} in the event files; {shown}"
    listed = Markup("").join(_problem(one) for one in problems if one.severity == "error")
    return _ERRORS.format(heading=heading, list=Markup("<ol>\n{}</ol>\n").format(listed))


def _problem(one: Problem) -> Markup:
    place = f"{one.place}: " if one.place else ""
    return _ERROR.format(
        path=one.path, line=one.line, place=place, finding=one.finding, remedy=one.remedy
    )


def _error(heading: str, words: str) -> Markup:
    return _ERRORS.format(heading=heading, list=Markup("<pre>{}</pre>\n").format(words))
