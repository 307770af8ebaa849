"""Values in, JSON as a script or a page can hold it out: the one place that escapes it."""

from __future__ import annotations

import json
import re

# Ends of lines within a text, and halves of letters.
_UNSAFE = re.compile("[\u2028\u2029\ud800-\udfff]")
_HTML = re.compile("[<>&]")


def in_script(value: object) -> str:
    """Return the value as a file of JavaScript may hold it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", r"<\/")
    return _UNSAFE.sub(_escaped, text)


def in_page(value: object) -> str:
    """Return the value as an element of a page may hold it: nothing in it ends the element."""
    return _HTML.sub(_escaped, in_script(value))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
