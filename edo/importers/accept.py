"""Acceptance of drafts: the files that change where chosen events are moved into the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from edo.core import yaml
from edo.core.model import Dataset
from edo.core.problems import EdoError
from edo.core.yaml import ListNode, MappingNode, Node, ScalarNode, YamlValue
from edo.history.dataset import WatchedIds
from edo.history.draft import Lookup, registry_texts
from edo.history.events import event_of
from edo.history.fields import REGISTRIES, Registry
from edo.history.reading import Known


class NotAccepted(EdoError):
    """A draft cannot be moved as requested; nothing was written."""


def accepted(
    ids: Sequence[str], drafts: Path, events: Path, dataset: Dataset
) -> dict[Path, str | None]:
    """Return the texts of the files that change, None for those that are removed.

    They are the events, the registries with the entries that the events name, and the drafts.
    Raises NotAccepted with all reasons where a draft is not there, is in the history already, or
    has an error.
    """
    lookup = Lookup(dataset)
    proposed = {registry: _entries(drafts / f"{registry}.yaml") for registry in REGISTRIES}
    changed: dict[Path, str | None] = {}
    wrong: list[str] = []
    for id_ in dict.fromkeys(ids):
        paths = sorted(drafts.glob(f"[0-9]*/{id_}.yaml")) if "/" not in id_ else []
        if len(paths) != 1:
            wrong.append(
                f"{id_}: {'several drafts' if paths else 'no draft'} of this id in {drafts}"
            )
            continue
        (path,) = paths
        if id_ in lookup.event_ids():
            wrong.append(f"{id_}: the history has or had such an event; compare the two by hand")
            continue
        text, problems = yaml.read_text(path, path.as_posix())
        if text is not None:
            watched = {
                name: WatchedIds({*lookup.ids(name), *proposed[name]}) for name in REGISTRIES
            }
            known = Known(watched, {one.id: one.unrated for one in dataset.odds.values()
                                    if one.unrated})  # fmt: skip
            _, problems = event_of(yaml.parse(text, path.as_posix()), path, path.as_posix(), known)
            _add(lookup, proposed, watched)
        wrong += [str(one) for one in problems if one.severity == "error"]
        changed[events / path.parent.name / path.name] = text
        changed[path] = None
    if wrong:
        raise NotAccepted("\n".join(wrong))
    return {**registry_texts(lookup, events), **changed}


def _add(
    lookup: Lookup,
    proposed: Mapping[Registry, Mapping[str, dict[str, YamlValue]]],
    watched: Mapping[Registry, WatchedIds],
) -> None:
    """Add the proposed entries that an event names to those of the lookup."""
    for registry, ids in watched.items():
        for id_ in sorted(ids.named & proposed[registry].keys() - lookup.ids(registry)):
            lookup.added.setdefault(registry, {})[id_] = dict(proposed[registry][id_])


def _entries(path: Path) -> dict[str, dict[str, YamlValue]]:
    """Return the records of a file of drafts, none where it is not there."""
    if not path.exists():
        return {}
    node, problems = yaml.read(path, path.as_posix())
    if node is None or problems:
        raise NotAccepted("\n".join(map(str, problems)))
    return {
        id_: plain for id_, value in node.values.items() if isinstance(plain := _plain(value), dict)
    }


def _plain(node: Node) -> YamlValue:
    match node:
        case ScalarNode():
            return node.value
        case ListNode():
            return [_plain(value) for value in node.values]
        case MappingNode():
            return {key: _plain(value) for key, value in node.values.items()}
