"""What an import of collections came to in, the findings of its report and all its files out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edo.core.model import Dataset, Source
from edo.core.yaml import Plain, dump
from edo.importers.pgncast import Cast, NewPlayer
from edo.importers.pgndraft import Draft
from edo.importers.pgnevents import Group
from edo.importers.pgnfile import Reading
from edo.importers.pgnknown import Already
from edo.importers.pgnreport import Ledger
from edo.importers.registers import source_entry


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an import came to; `new` are the proposed players of its drafts."""

    readings: Sequence[Reading]
    games: int
    drafts: Sequence[Draft]
    who: Cast
    new: Sequence[NewPlayer]


@dataclass(frozen=True, slots=True)
class Import:
    """The files of an import by their paths in the folder of drafts, and its counts."""

    files: Mapping[str, bytes]
    counts: Mapping[str, Plain]
    readings: Sequence[str]


def written(
    outcome: Outcome, sources: Mapping[str, Source], dataset: Dataset, ledger: Ledger
) -> Import:
    """Return all files of the import; `sources` are by the file of the collection."""
    _note_names(outcome.who, outcome.new, ledger)
    said = [_reading(each) for each in outcome.readings]
    counts = _counts(outcome, ledger)
    files = {draft.path: draft.text for draft in outcome.drafts}
    if outcome.new:
        ordered = sorted(outcome.new, key=lambda player: player.id)
        files["players.yaml"] = dump({each.id: _entry(each) for each in ordered})
    added = {one.id: source_entry(one) for one in sources.values()
             if one.id not in dataset.sources}  # fmt: skip
    if outcome.drafts and added:
        files["sources.yaml"] = dump({id_: added[id_] for id_ in sorted(added)})
    files["REPORT.md"] = ledger.text(counts, said)
    report = ledger.data(counts, [_about(each) for each in outcome.readings])
    files["report.json"] = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    ordered_files = {path: text.encode() for path, text in sorted(files.items())}
    return Import(ordered_files, counts, said)


def note_already(group: Group, there: Already, ledger: Ledger) -> None:
    """Note that the history has an event, and how its file differs."""
    said = "; ".join(there.differences) or "nothing differs"
    path = there.event.path
    ledger.note("already" if there.sure else "perhaps", group.place,
                f"{group.called}: {path}; {said}", file=path, event=there.event.id,
                differences=list(there.differences))  # fmt: skip


def note_draft(draft: Draft, ledger: Ledger) -> None:
    """Note a draft and each doubt about it."""
    group = draft.group
    size = f"{len(group.players)} players, {len(group.games)} games"
    said = f"{draft.name}: {draft.verdict.shape}, {size}"
    ledger.note("drafted", draft.path, said, event=draft.id, first=group.place)
    for doubt in draft.doubts:
        ledger.note("unsure", draft.path, f"{draft.name}: {doubt} ({group.place})")


def _note_names(who: Cast, new: Sequence[NewPlayer], ledger: Ledger) -> None:
    for each in sorted(who.mapped, key=lambda each: (each.text, each.meant.player or "")):
        said = f"`{each.text}` ({each.when}, {each.games} games) is {each.meant.player}"
        ledger.note("mapped", each.place, f"{said}: {each.meant.reason}", player=each.meant.player)
    for player in sorted(new, key=lambda player: player.id):
        spelled = ", ".join(f"`{each.text}` ({each.when})" for each in player.spellings)
        listed = "; ".join(f"{id_}: {why}" for id_, why in player.candidates.items())
        said = f"{player.id}: {spelled}" + (f"; perhaps {listed}" if listed else "")
        ledger.note("new", player.spellings[0].place, said, player=player.id,
                    candidates=dict(player.candidates))  # fmt: skip


def _counts(outcome: Outcome, ledger: Ledger) -> dict[str, Plain]:
    return {
        "games read": sum(each.games for each in outcome.readings),
        "games used": outcome.games,
        "games left out": ledger.number("left out"),
        "games that stood twice": ledger.number("twice"),
        "contradictions": ledger.number("at odds"),
        "events drafted": len(outcome.drafts),
        "events already in the history": ledger.number("already"),
        "events perhaps already in the history": ledger.number("perhaps"),
        "events set apart": ledger.number("apart"),
        "known players": outcome.who.known,
        "spellings taken for known players": len(outcome.who.mapped),
        "proposed new players": len(outcome.new),
        "doubts": ledger.number("unsure"),
    }


def _entry(player: NewPlayer) -> dict[str, Plain]:
    others = [each.text for each in player.spellings if each.text != player.name]
    return {"name": player.name, "spellings": others or None}


def _reading(reading: Reading) -> str:
    games = "1 game" if reading.games == 1 else f"{reading.games} games"
    return f"{reading.file}: {games} in {reading.size} bytes, {reading.encoding}"


def _about(reading: Reading) -> Plain:
    return {
        "file": reading.file,
        "games": reading.games,
        "bytes": reading.size,
        "lines": reading.lines,
        "encoding": reading.encoding,
    }
