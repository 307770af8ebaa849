"""A page and where its errors are reported in, the link that reports one out."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from edo import urls

SUBJECT = "Error on the page “{title}”"
BODY = """\
Page: {page}
Data {fingerprint}, program {version}

What is wrong (the number or name, and what it should be):


The source that says so, with the page:

"""


def report_link(
    report_to: str | None, title: str, page: str, fingerprint: str, version: str
) -> str:
    """Return the link, filled in with the page and what made it.

    `report_to` is a mail address, the https address of a form that takes `title` and `body`, or
    None: then the link is a path from the root of this site. `page` is the page's address, or its
    path from the root.
    """
    if report_to is None:
        said = {"page": page, "data": fingerprint, "version": version}
        return f"{urls.REPORT}?{urlencode(said)}"
    subject = SUBJECT.format(title=title)
    body = BODY.format(page=page, fingerprint=fingerprint, version=version)
    if report_to.startswith("https:"):
        return _filled(report_to, {"title": subject, "body": body})
    lines = body.replace("\n", "\r\n")  # as mail has them: RFC 6068, section 5
    return _filled(f"mailto:{quote(report_to, safe='@+')}", {"subject": subject, "body": lines})


def _filled(address: str, fields: dict[str, str]) -> str:
    joint = "?" if "?" not in address else "" if address[-1] in "?&" else "&"
    return f"{address}{joint}{urlencode(fields, quote_via=quote, safe='')}"
