"""The structure of the code: the layers, and what each outside library is used by."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

from conftest import ROOT

LAYERS = (
    ("core",),
    ("history",),
    ("rating", "importers"),
    ("systems", "checks"),
    ("export",),
    ("site",),
    ("diff",),
    ("commands",),
)
"""The packages of `edo/`; each may import from those above it in this list, and from itself."""

GATEWAYS = {
    "yaml": {"edo.core.yaml"},
    "cvxopt": {"edo.rating.fit.cholesky"},
    "matplotlib": {"edo.site.charts.drawing"},
    "sqlite3": {"edo.export.sqlite", "edo.core.digest"},  # a digest asks for its version
    "jinja2": {"edo.site.render", "edo.site.placeholders"},
    "markdown": {"edo.site.markup"},
    "nh3": {"edo.site.markup"},
    "PIL": {"edo.site.charts.share_image"},
}
"""The only modules that import these libraries."""

WRITERS = {"edo.core.files"}
WRITING = {"write_text", "write_bytes", "mkdir", "unlink", "rmdir", "rename", "replace", "touch"}

LAYER_OF = {package: number for number, packages in enumerate(LAYERS) for package in packages}
PATHS = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "edo").rglob("*.py"))
}
TREES = {name: ast.parse(path.read_text()) for name, path in PATHS.items()}


def imports(name: str) -> Iterator[str]:
    """Yield the modules, and the names in modules, that a module imports."""
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: write imports from the root"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


IMPORTS = {name: frozenset(imports(name)) for name in TREES}


def package(name: str) -> str | None:
    """Return the package of `edo/` that a module is in, None for `edo` and `edo.__main__`."""
    parts = name.split(".")
    return parts[1] if parts[0] == "edo" and len(parts) > 1 and parts[1] in LAYER_OF else None


def test_every_package_is_in_one_layer():
    entries = {path.name for path in (ROOT / "edo").iterdir()} - {"__pycache__"}
    assert entries == {*LAYER_OF, "__init__.py", "__main__.py"}


def test_packages_import_only_from_layers_above():
    wrong = [
        f"{name} imports {other}"
        for name, imported in IMPORTS.items()
        for other in sorted(imported)
        if (here := package(name)) and (there := package(other)) and here != there
        if LAYER_OF[there] >= LAYER_OF[here]
    ]
    assert not wrong


def test_no_imports_run_in_a_circle():
    TopologicalSorter({name: IMPORTS[name] & set(TREES) for name in TREES}).prepare()


def test_each_outside_library_is_used_in_one_place():
    wrong = [
        f"{name} imports {other}"
        for name, imported in IMPORTS.items()
        for other in sorted(imported)
        if name not in GATEWAYS.get(other.partition(".")[0], {name})
    ]
    assert not wrong


def test_only_one_module_writes_files():
    wrong = []
    for name in set(TREES) - WRITERS:
        for node in ast.walk(TREES[name]):
            match node:
                case ast.Call(func=ast.Attribute(attr=called), args=arguments):
                    # str.replace takes two arguments, Path.replace one
                    writes = called in WRITING and (called != "replace" or len(arguments) == 1)
                case ast.Call(func=ast.Name(id=called)):
                    writes = called == "open"
                case _:
                    writes = False
            if writes:
                wrong.append(f"{name}:{node.lineno} writes")
    assert not wrong


def test_no_input_is_checked_by_assert_and_no_error_is_swallowed():
    wrong = [
        f"{name}:{node.lineno}"
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert) or (isinstance(node, ast.ExceptHandler) and not node.type)
    ]
    assert not wrong


def test_every_module_says_in_a_sentence_what_it_is_for():
    wrong = []
    for name, tree in TREES.items():
        first = (ast.get_docstring(tree) or "").split("\n")[0]
        if not first.endswith((".", ":")) or first.endswith((" in.", " out.")):
            wrong.append(f"{name}: {first}")
    assert not wrong


def test_names_say_something():
    parts = {part for name in TREES for part in name.split(".")}
    assert not {"utils", "helpers", "manager", "common", "misc"} & parts


def test_the_top_level_is_as_described():
    described = {"build.py", "content", "edo", "events", "templates", "tests", "pyproject.toml"}
    assert described <= {path.name for path in Path(ROOT).iterdir()}
