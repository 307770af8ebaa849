"""What the preview adds to pages: errors, notices and a script that reloads the page."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from edo.core.problems import Problem
from edo.site.preview.edition import Edition

FOLDER = "preview_only"  # no id has an underscore
"""The folder of the files that only the preview serves."""

_POLICY = b"default-src 'none';"
_HEAD_ENDS, _BODY_BEGINS = b"</head>", b'<header class="masthead'

_LOADED = Markup(
    '<link rel="stylesheet" href="/{folder}/preview.css">\n'
    '<script defer src="/{folder}/reload.js" data-version="{version}"></script>\n'
)
_ERRORS = Markup(
    '<section class="preview preview-errors" role="alert">\n<h2>{heading}</h2>\n{list}</section>\n'
)
_ERROR = Markup("<li><b>{path}:{line}</b> {place}{message}<br>{hint}</li>\n")
_WAIT = Markup('<p class="preview preview-wait" role="status">{words}</p>\n')
_EMPTY_PAGE = Markup(
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; "
    "style-src 'self'; connect-src 'self'\">\n"
    "<title>Preview</title>\n{loaded}</head>\n<body>\n{messages}</body>\n</html>\n"
)

OUTDATED = (
    "Probabilities and influences are still those before your change; new ones are being computed …"
)
SYSTEMS = "The ratings by other systems are those before your change; being computed …"
FIRST = "Probabilities and influences are being computed …"


def with_preview(html: bytes, edition: Edition) -> bytes:
    """Return a page of the site that reloads itself, with messages above it."""
    html = html.replace(_POLICY, _POLICY + b" connect-src 'self';", 1)
    html = html.replace(_HEAD_ENDS, _loaded(edition).encode() + _HEAD_ENDS, 1)
    return html.replace(
        _BODY_BEGINS, Markup("").join(_messages(edition)).encode() + _BODY_BEGINS, 1
    )


def message_page(edition: Edition, failed: str | None = None) -> bytes:
    """Return a page with only the messages, and with the error of a page that `failed`."""
    messages = [
        *_messages(edition),
        *([] if failed is None else [_error("This page failed", failed)]),
    ]
    return _EMPTY_PAGE.format(loaded=_loaded(edition), messages=Markup("").join(messages)).encode()


def _loaded(edition: Edition) -> Markup:
    return _LOADED.format(folder=FOLDER, version=edition.version)


def _messages(edition: Edition) -> Iterator[Markup]:
    """Yield the messages above the page."""
    shown = (
        "nothing can be shown yet" if edition.site is None else "below is the site before the error"
    )
    if edition.problems:
        yield _problems(edition.problems, shown)
    if edition.other is not None:
        yield _error(f"The input has an error; {shown}", edition.other)
    if edition.is_computing:
        waiting = OUTDATED if edition.has_answers else FIRST
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
        path=one.path, line=one.line, place=place, message=one.message, hint=one.hint
    )


def _error(heading: str, words: str) -> Markup:
    return _ERRORS.format(heading=heading, list=Markup("<pre>{}</pre>\n").format(words))
