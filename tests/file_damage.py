"""Random damage to event files, for the fuzz test: by slips, by tools, by vandals."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

ATTACK = "<script>alert(1)</script>"
"""Must never appear on a page unescaped."""

NASTY: tuple[str, ...] = (
    *("", "~", "null", "NO", "true", "-1", "0", "-0", "½", "0½", "1e308", "nan", ".inf", "1_000"),
    *("9" * 40, "999999", "99999-99999", "+99999 -99999 =99999", "0-0", "1-", "8-3-1", "٣", "１"),
    *("0000", "2999", "99999999", "1851-02-30", "1851/1850", "1851-13", "1000~", "1851-05-27~/~"),
    *("index", "con", "../x", "/etc/passwd", "a/b", ".", "..", "x ", "а-б", "X-Y", "a" * 200),
    *(ATTACK, "<svg onload=alert(1)>", "[x](javascript:alert(1))", "![x](data:text/html,x)"),
    *("[a](/players/nobody.html)", "`" * 50, "*" * 80, "> " * 60, "[" * 90, "- " * 40, "&lt;b&gt;"),
    *("\u202eabc", "\u200b", "a\u0301\u0301\u0301", "\ufeff", "\U0001f600", "\\ud800", "\x85"),
    *('"', "'", "'unclosed", "{", "}", "[", "]", "{a: {b: c}}", "[[], []]", "&a", "*a", "!!x", "|"),
    *(">", "---", "...", "? x", ": ", "- -", "%YAML 9", "@", "\t", "#", "<<: *a", "!", "x: y: z"),
    *("?", "_", ".", "=", "+", "1w0b", "??", "1?", "1w1w1w1w1w", "| 3", "=" * 300, "1w" * 300),
    *("from totals", "best guess", "complete", "incomplete", "match", "tournament", "team match"),
)

Mutation = Callable[[random.Random, bytes, bytes], bytes]
"""Damages the bytes of a file; the last argument is another file of the same history."""

_TEXT = re.compile(
    rb"(?:name|notes?|where|title|format|author|missing|soft|published): ([^{}\n|]*)$", re.MULTILINE
)
_SCORE = re.compile(rb"score: ([^\n,}]*)")
_WORD = re.compile(rb"[^\s\[\]{},:]+")


def _lines(rng: random.Random, data: bytes) -> tuple[list[bytes], int]:
    lines = data.splitlines(keepends=True) or [b"\n"]
    return lines, rng.randrange(len(lines))


def flip_bytes(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    spoilt = bytearray(data or b"x")
    for _ in range(rng.randint(1, 4)):
        spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
    return bytes(spoilt)


def insert_bytes(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice([b"\0", b"\xff\xfe", b"\r", b"\t", b"\xc3", b"\n"]) + data[at:]


def truncate(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def drop_lines(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines, at = _lines(rng, data)
    del lines[at : at + rng.randint(1, 3)]
    return b"".join(lines)


def repeat_lines(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines, at = _lines(rng, data)
    many = lines[at : at + rng.randint(1, 3)]
    return b"".join(lines[:at] + many * rng.choice([1, 1, 2, 50]) + lines[at:])


def swap_lines(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines, one = _lines(rng, data)
    other = rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def swap_words(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    words = list(_WORD.finditer(data))
    if len(words) < 2:
        return data
    first, second = sorted(rng.sample(words, 2), key=lambda word: word.start())
    parts = data[: first.start()], second[0], data[first.end() : second.start()], first[0]
    return b"".join(parts) + data[second.end() :]


def change_word(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    words = list(_WORD.finditer(data))
    if not words:
        return data
    word = rng.choice(words)
    return data[: word.start()] + rng.choice(NASTY).encode() + data[word.end() :]


def change_value(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines, at = _lines(rng, data)
    key, colon, _ = lines[at].partition(b": ")
    nasty = rng.choice(NASTY)
    value = "'" + nasty.replace("'", "''") + "'" if rng.random() < 0.5 else nasty
    lines[at] = (key + colon if colon else b"- ") + value.encode() + b"\n"
    return b"".join(lines)


def change_digit(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    digits = [m.start() for m in re.finditer(rb"[0-9=+?_]", data)]
    if not digits:
        return data
    at = rng.choice(digits)
    return data[:at] + rng.choice([b"0", b"1", b"9", b"=", b"?", b"_", b"55"]) + data[at + 1 :]


def change_text(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    texts = list(_TEXT.finditer(data))
    if not texts:
        return data
    text = rng.choice(texts)
    words = " ".join(rng.choice(NASTY) for _ in range(rng.randint(1, 3)))
    value = "'" + words.replace("'", "''") + "'"
    return data[: text.start(1)] + value.encode() + data[text.end(1) :]


def change_score(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    scores = list(_SCORE.finditer(data))
    if not scores:
        return data
    score = rng.choice(scores)
    new = rng.choice(["8-3", "0-1", "½-½", "999999-0", "+1 -1", "=99999", "12½-0½", "1-0"]).encode()
    return data[: score.start(1)] + new + data[score.end(1) :]


def rename_key(rng: random.Random, data: bytes, other: bytes) -> bytes:
    keys = list(re.finditer(rb"^(\s*(?:- )?)([a-z_-]+):", data, re.MULTILINE))
    names = re.findall(rb"^\s*(?:- )?([a-z_-]+):", data + b"\n" + other, re.MULTILINE)
    if not keys:
        return data
    key = rng.choice(keys)
    return data[: key.start(2)] + rng.choice(names) + data[key.end(2) :]


def indent(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    lines, at = _lines(rng, data)
    for n in range(at, min(at + rng.randint(1, 4), len(lines))):
        lines[n] = b"  " + lines[n] if rng.random() < 0.5 else lines[n].removeprefix(b"  ")
    return b"".join(lines)


def splice(rng: random.Random, data: bytes, other: bytes) -> bytes:
    lines, at = _lines(rng, data)
    others, start = _lines(rng, other)
    return b"".join(lines[:at] + others[start : start + rng.randint(1, 12)] + lines[at:])


MILD: tuple[Mutation, ...] = (change_text, change_text, change_score, change_digit, drop_lines)
"""Damage that often leaves a readable file."""

MUTATIONS: tuple[Mutation, ...] = (
    *(flip_bytes, insert_bytes, truncate, drop_lines, repeat_lines, swap_lines, swap_words),
    *(change_word, change_value, change_digit, change_digit, rename_key, indent, splice),
)


def spoil(rng: random.Random, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the damaged files: one mildly, or up to three, each up to three times."""
    if rng.random() < 0.4:
        name = rng.choice(sorted(files))
        return {name: rng.choice(MILD)(rng, files[name], b"")}
    spoilt = {}
    for name in rng.sample(sorted(files), min(rng.choice([1, 1, 1, 2, 3]), len(files))):
        data = files[name]
        for _ in range(rng.choice([1, 1, 2, 3])):
            data = rng.choice(MUTATIONS)(rng, data, files[rng.choice(sorted(files))])
        spoilt[name] = data
    return spoilt
