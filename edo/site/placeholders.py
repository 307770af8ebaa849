"""Placeholders of the texts in `content/`, `{{ n_rated | count }}`: filling them in, and checks.

Also checks of templates that a project has of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import jinja2
from jinja2 import nodes
from jinja2.meta import find_referenced_templates
from jinja2.runtime import LoopContext
from jinja2.sandbox import SandboxedEnvironment

from edo.core import formats
from edo.core.files import is_scratch
from edo.core.problems import EdoError, Problem
from edo.history.names import nearest

_ALLOWED = (
    *(nodes.Output, nodes.TemplateData, nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Const),
    *(nodes.For, nodes.If, nodes.Not, nodes.And, nodes.Filter, nodes.Keyword),
)
_FILTERS = ("join", "map")  # of Jinja's own; with those of `formats`
_ERRORS = (jinja2.TemplateError, RecursionError, SyntaxError, TypeError, ValueError)
_LISTED = 12  # names that a hint lists

Types = Mapping[str, Any]


def _mistake(line: int, message: str, hint: str = "correct the placeholder") -> Problem:
    return Problem("", line, "", message, hint)


def filled(text: str, values: Mapping[str, object], name: str) -> str:
    """Return a text with its placeholders filled in, `{{ n_rated | count }}`.

    Only values with filters, conditions on them and simple loops over them are allowed.
    Raises EdoError, naming the text, where a placeholder has no value or is badly written.
    """
    environment = _sandbox()
    try:
        parsed = environment.parse(text)
        for one in _programs(parsed):
            raise ValueError(f"line {one.line}: {one.message}")
        return environment.from_string(parsed).render(values)
    except _ERRORS as error:
        raise EdoError(f"content/{name}.md: {error}; name only values that the view has") from error


def mistakes(text: str, values: Types, absent: Iterable[str] = ()) -> list[Problem]:
    """Return what is wrong with the placeholders of a text, without path; `values` are types.

    `absent` are the names of values that are None in this project; a text has a condition on them.
    """
    environment = _sandbox()
    try:
        parsed = environment.parse(text)
        found = [*_programs(parsed)]
        if not found:
            tests = [one.test for one in parsed.find_all(nodes.If)]
            named = (node for test in tests for node in (test, *test.find_all(nodes.Name)))
            lookup = _Lookup({*absent} - {*map(_written, named)})
            lookup.visit(parsed, values)
            found = sorted(lookup.found)
        if not found:
            environment.compile(parsed)
    except _ERRORS as error:
        return [_mistake(getattr(error, "lineno", None) or 1, str(error))]
    return found


def template_mistakes(environment: jinja2.Environment, name: str) -> list[Problem]:
    """Return what is wrong with a template, but for the names of its values."""
    try:
        source = environment.loader.get_source(environment, name)[0] if environment.loader else ""
        environment.compile(parsed := environment.parse(source))
        for other in sorted(filter(None, find_referenced_templates(parsed))):
            environment.get_template(other)
    except jinja2.TemplateNotFound as missing:
        hint = "the program's own are called `program/<name>`"
        if is_scratch((missing.name or "").rpartition("/")[2]):
            hint = "rename it: text editors leave files of such names"
        return [_mistake(1, f"there is no template `{missing.name}`", hint)]
    except UnicodeDecodeError:
        return [_mistake(1, "the text is not UTF-8", "save the file as UTF-8")]
    except jinja2.TemplateSyntaxError as error:
        return [_mistake(error.lineno, str(error.message), "correct the template")]
    return []


def _programs(template: nodes.Template) -> Iterator[Problem]:
    """Yield what is more than a value, a condition or a simple loop."""
    for node in template.find_all(nodes.Node):
        if not isinstance(node, _ALLOWED):
            yield _mistake(node.lineno, "more than a value stands in a placeholder")
        if isinstance(node, nodes.For) and node.find(nodes.For) is not None:
            yield _mistake(node.lineno, "a loop stands in a loop")


@cache
def _sandbox() -> SandboxedEnvironment:
    environment = SandboxedEnvironment(
        undefined=jinja2.StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals.clear()
    environment.filters = {name: environment.filters[name] for name in _FILTERS}
    environment.filters.update(formats.FILTERS)
    return environment


class _Lookup:
    """Looks up all that a text names in the types of its values, and keeps what is not there.

    `absent` are values that are None in this project.
    """

    def __init__(self, absent: set[str]) -> None:
        self.found: set[Problem] = set()
        self._absent = absent

    def visit(self, node: nodes.Node, scope: Types) -> Any:
        """Return the type of what a node names, Any where it is not known."""
        match node:
            case nodes.Name(name=name):
                return self._type_of(name, "value", node, scope)
            case (
                nodes.Getattr(node=inner, attr=name)
                | nodes.Getitem(node=inner, arg=nodes.Const(value=name))
            ):
                return self._member(inner, name, scope)
            case nodes.Filter(name=name):
                self._type_of(name, "filter", node, _sandbox().filters)
            case nodes.For(iter=inner, target=nodes.Name(name=name)):
                item = _item(_given(self.visit(inner, scope)), 0)
                scope = {**scope, name: item, "loop": LoopContext}
        for inner in node.iter_child_nodes(exclude=("target", "iter")):
            self.visit(inner, scope)
        return Any

    def _member(self, inner: nodes.Expr, name: Any, scope: Types) -> Any:
        """Return the type of a part of a value."""
        kind = _given(self.visit(inner, scope))
        whole = _written(inner)
        if whole in self._absent:
            message = f"there is nothing in `{whole}`: it was not measured"
            hint = f"measure it, or put this between `{{% if {whole} %}}` and `{{% endif %}}`"
            self.found.add(_mistake(inner.lineno, message, hint))
        hints = _hints(kind)
        if kind is Any or get_origin(kind) is not None or isinstance(name, int):
            return _item(kind, name)
        if name not in hints and hasattr(kind, name):
            return Any
        return self._type_of(name, f"value in `{whole}`", inner, hints)

    def _type_of(self, name: str, what: str, node: nodes.Node, known: Types) -> Any:
        if name not in known:
            message = f"there is no {what} with the name `{name}`"
            listed = f"there are {', '.join(sorted(known))}" if known else "delete it"
            hint = nearest(name, known, listed if len(known) <= _LISTED else "correct its name")
            self.found.add(_mistake(node.lineno, message, hint))
        return known.get(name, Any)


def _written(node: nodes.Node) -> str:
    """Return what a node names as it is written, `tuning.kinds[0]`."""
    match node:
        case nodes.Name(name=name):
            return str(name)
        case nodes.Getattr(node=inner, attr=name):
            return f"{_written(inner)}.{name}"
        case nodes.Getitem(node=inner, arg=nodes.Const(value=name)):
            return f"{_written(inner)}[{name!r}]"
    return "..."


def _given(kind: Any) -> Any:
    """Return a type without None."""
    options = get_args(kind)
    return next(one for one in options if one is not NoneType) if NoneType in options else kind


def _item(kind: Any, at: Any) -> Any:
    """Return the type of an item of a list or mapping, Any of what is neither."""
    options = [one for one in get_args(kind) if one is not Ellipsis]
    if len(options) < 2 or get_origin(kind) is not tuple:
        return options[-1] if options else Any
    return options[at] if isinstance(at, int) and at < len(options) else Any


@cache
def _hints(kind: Any) -> Types:
    return get_type_hints(kind) if isinstance(kind, type) else {}
