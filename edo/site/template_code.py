"""Faster code for the templates than Jinja's own: most of the time of a build goes into them.

What our templates do not use is left out: functions that ask for the context, and variables that
undo the escaping. The pages are the same, byte for byte (tests/test_drawing.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Macro, markup_join
from jinja2.utils import missing
from markupsafe import Markup, escape

_TEXTS = 1 << 16  # texts remembered in a process: most names and numbers stand on many pages
escaped = lru_cache(_TEXTS)(escape)


def shown(value: Any) -> str:
    """Return a value as it stands on a page, escaped unless it is markup."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return escaped(value)
    return str(value) if kind is int or kind is float else escape(value)


def joined(parts: Sequence[Any]) -> str:
    """Return the texts of some values as one, markup where one of them is."""
    return markup_join(parts) if Markup in map(type, parts) else "".join(map(str, parts))


class FastMacro(Macro):
    """A macro that is mostly given what it takes in order, which Jinja sorts at every call."""

    def __call__(self, *given: Any, **named: Any) -> str:
        """Return what the macro writes."""
        left = self._argument_count - len(given)
        if named or left < 0 or self.caller or self.catch_kwargs or self.catch_varargs:
            return super().__call__(*given, **named)
        return str.__new__(Markup, self._func(*given, *[missing] * left))


class FastGenerator(CodeGenerator):
    """Writes the code of a template, with a shorter way to print a value and to call a function."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        """Write a whole template, which finds the names of this module among its own."""
        super().visit_Template(node, frame)
        names = "escaped, shown, joined as markup_join, FastMacro as Macro"
        self.writeline(f"from {__name__} import {names}")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("(escaped(_s) if type(_s := ")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write(") is str else shown(_s))")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """Write an attribute, which Jinja looks up by a function of its own: half the time."""
        self.write("(_v if (_v := getattr((_o := ")
        self.visit(node.node, frame)
        name = repr(node.attr)
        self.write(f"), {name}, missing)) is not missing else environment.getattr(_o, {name}))")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """Write a call, which Jinja would pass through a function of its own."""
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")
