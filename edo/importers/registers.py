"""What an import adds to the registries in, their files with it out; present entries stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from edo.core.model import Place, Series, Source
from edo.core.problems import InputError
from edo.core.yaml import Plain, dump, read
from edo.history.draft import with_entry
from edo.importers.table import PlayerRow

Registry = Mapping[str, Plain]


def player_entry(player: PlayerRow, source: str | None) -> dict[str, Plain]:
    """Return a player's record; `source` is where dates and countries come from."""
    known = player.born or player.died or player.country
    return {
        "name": player.name,
        "born": player.born or None,
        "died": player.died or None,
        "country": player.country or None,
        "spellings": list(player.spellings) or None,
        "sources": [{"source": source}] if source and known else None,
    }


def place_entry(place: Place) -> dict[str, Plain]:
    """Return a place's record."""
    return {"name": place.name, "country": place.country, "notes": place.notes}


def series_entry(series: Series) -> dict[str, Plain]:
    """Return a series' record."""
    return {"name": series.name, "notes": series.notes}


def source_entry(source: Source) -> dict[str, Plain]:
    """Return a source's record."""
    return {
        "title": source.title,
        "author": source.author,
        "published": source.published,
        "url": source.url,
        "notes": source.notes,
    }


def merged(path: Path, entries: Registry) -> str:
    """Return the text of a registry file with new entries, sorted by id.

    What stands in the file already is kept as it is, comments too. Raises InputError where the file
    cannot be read.
    """
    if not path.exists():
        return dump({key: entries[key] for key in sorted(entries)})
    fields, problems = read(path, path.as_posix())
    if fields is None or problems:
        raise InputError(problems)
    text = path.read_text("utf-8-sig")
    for key in sorted(set(entries) - set(fields.values)):
        text = with_entry(text, key, entries[key])
    return text


def player_files(players: Iterable[tuple[str, Plain]], folder: Path) -> dict[Path, str]:
    """Return the text of each file of the registry of players that gets an entry."""
    by_initial: dict[str, dict[str, Plain]] = {}
    for player, entry in players:
        by_initial.setdefault(player[0], {})[player] = entry
    paths = {folder / f"{initial}.yaml": entries for initial, entries in by_initial.items()}
    return {path: merged(path, entries) for path, entries in sorted(paths.items())}
