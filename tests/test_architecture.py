"""The house itself: who may import whom, who may open which door, how large rooms may grow."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from conftest import ROOT

FLOORS = {
    0: ["signals", "errors", "scale", "settings", "digests"],
    1: ["looked_at", "records", "store", "crew", "textfile", "yamlfile", "layout", "jsonfile",
        "performance", "elo_tables", "apportion", "answers", "letters", "federations"],
    2: ["imprint", "changelist", "eventfiles"],
    3: ["checks", "dataset", "canonical", "ledger", "drafting", "fingerprint"],
    4: ["scores", "derived", "fitting"],
    5: ["network"],
    6: ["rating", "systems", "inference"],
    7: ["urls", "formats", "markup", "scriptdata", "searchfile", "explain", "comparefiles",
        "consistency", "legend", "citing", "reporting", "structured", "sitemap", "feed",
        "graphics", "tables", "evaluation", "proofreading", "movements"],
    8: ["views"],
    9: ["opengraph", "pages", "drawing", "beside", "livesite", "contentfolder", "links",
        "published", "writer"],
    10: ["importers", "revisions"],
    11: ["progress", "steps", "bench", "asking", "verbs", "cli", "__main__", "serving"],
}  # fmt: skip
DOORS = {
    "yaml": {"edo/yamlfile.py", "edo/layout.py"},
    "chess": {"edo/importers/pgnfile.py"},
    "cvxopt": {"edo/fitting/factor.py"},
    "matplotlib": {"edo/graphics/figures.py"},
    "sqlite3": {"edo/tables/sqlitefile.py", "edo/digests.py"},  # which asks for its version only
    "jinja2": {"edo/pages.py", "edo/markup.py"},
    "markdown": {"edo/markup.py"},
    "nh3": {"edo/markup.py"},
    "PIL": {"edo/graphics/sheet.py"},
}
FLOOR_OF = {room: floor for floor, rooms in FLOORS.items() for room in rooms}
MODULES = sorted(p for p in (ROOT / "edo").rglob("*.py") if p.name != "__init__.py")


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports from the root"
            base = node.module or ""
            found |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    return found


def room(path: Path) -> str:
    return path.relative_to(ROOT / "edo").parts[0].removesuffix(".py")


def rooms_imported(path: Path) -> set[str]:
    named = {name.split(".")[1] for name in imports(path) if name.startswith("edo.")}
    return named - {"__version__"}


def test_every_room_stands_on_a_floor():
    assert {room(path) for path in MODULES} == set(FLOOR_OF)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_lead_down(path):
    here = room(path)
    for other in rooms_imported(path) - {here}:
        assert FLOOR_OF[other] <= FLOOR_OF[here], f"{here} must not import {other} from above"


def test_no_imports_lead_in_a_circle():
    names = {".".join(p.relative_to(ROOT).with_suffix("").parts): p for p in MODULES}
    modules = {name: imports(path) & set(names) for name, path in names.items()}
    rooms = {room(path): set[str]() for path in MODULES}
    for path in MODULES:
        rooms[room(path)] |= rooms_imported(path) - {room(path)}
    for graph in (modules, rooms):
        TopologicalSorter(graph).prepare()  # raises CycleError


@pytest.mark.parametrize(
    "path", [*MODULES, ROOT / "build.py"], ids=lambda p: str(p.relative_to(ROOT))
)
def test_each_outside_thing_has_one_door(path):
    name = str(path.relative_to(ROOT))
    for module in imports(path):
        door = DOORS.get(module.split(".")[0])
        assert door is None or name in door, f"{name} imports {module}; only {door} may"


WRITING = {"write_text", "write_bytes", "mkdir", "unlink", "rmdir", "rename", "replace", "touch"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_only_the_writer_writes(path):
    if path.name in {"writer.py", "bench.py"}:  # bench tells the kernel to forget a peak
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called, arguments = node.func.attr, len(node.args)
            # str.replace takes two arguments, Path.replace one
            writes = called in WRITING and not (called == "replace" and arguments != 1)
            assert not writes, f"{path.name}:{node.lineno} writes ({called})"
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "open"
        ):
            raise AssertionError(f"{path.name}:{node.lineno} opens a file")


@pytest.mark.parametrize(
    "path", [*MODULES, ROOT / "build.py"], ids=lambda p: str(p.relative_to(ROOT))
)
def test_rooms_are_small(path):
    tree = ast.parse(path.read_text())
    # the list of fields is one long table, with nothing in it to get lost in
    assert len(path.read_text().splitlines()) <= (500 if path.name == "fields.py" else 300)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= 45, f"{path.name}: {node.name} has {length} lines"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_input_is_checked_by_assert_and_no_error_swallowed(path):
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, ast.Assert), f"{path.name}:{node.lineno} asserts"
        bare = isinstance(node, ast.ExceptHandler) and node.type is None
        assert not bare, f"{path.name} has a bare except"


def test_rooms_have_names_that_say_something():
    assert not {"utils", "helpers", "manager", "common", "misc"} & set(FLOOR_OF)
