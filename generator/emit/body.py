"""The lines of a generated function, and the statements that every kind of step needs.

Invariant: what is written is a legal block at every moment. Not covered: what the steps mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from autoforge.generator.emit.expressions import field, fstring, write
from autoforge.generator.emit.functions import Code
from autoforge.generator.emit.layout import Doc, Joined, call, statement
from autoforge.generator.emit.prepare import entity_of
from autoforge.generator.emit.queries import simple
from autoforge.generator.emit.scope import Scope
from autoforge.generator.emit.shapes import Shape
from autoforge.generator.ir import (
    Argument,
    Variable,
)

__all__ = ["Body", "local", "raise_when", "sentence"]

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


class Body:
    """The lines of a function as they are written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._indent = 4

    def add(self, doc: Doc) -> None:
        """One more statement."""
        self.lines += statement(doc, self._indent)

    def assign(self, name: str, doc: Doc) -> None:
        """One more assignment, unless it changes nothing."""
        if doc != name:
            self.add(Joined((f"{name} = ", doc)))

    @contextmanager
    def block(self, head: Doc) -> Iterator[None]:
        """A compound statement; `pass` when nothing is written inside."""
        self.add(head)
        self._indent += 4
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.add("pass")
        self._indent -= 4


def raise_when(body: Body, when: Doc, message: Doc) -> None:
    with body.block(Joined(("if ", when, ":"))):
        body.add(Joined(("raise ", call("ToolError", message))))


def local(body: Body, scope: Scope, code: Code, hint: str, *, textual: bool = False) -> Code:
    """The value under a name, where it is not one already; `textual` values are turned into text."""
    if textual and code.shape.kind != "text":
        code = Code(call(scope.library.helper("_text"), code.doc), shape=Shape("text", code.shape.nullable))
    before: list[Doc] = []
    code = simple(scope, code, hint, before)
    for doc in before:
        body.add(doc)
    return code


def sentence(scope: Scope, text: str) -> Doc:
    """A refusal with the values of `{parameter}` and `{row.column}`; what names neither stays as it stands."""
    parts: list[str | Code] = []
    end = 0
    for match in _PLACEHOLDER.finditer(text):
        code = _placeholder(scope, match.group(1))
        if code is not None:
            parts += [text[end : match.start()], code]
            end = match.end()
    return fstring(scope, [*parts, text[end:]])


def _placeholder(scope: Scope, name: str) -> Code | None:
    if name in scope.parameters:
        return write(scope, Argument(name=name))
    row, dot, column = name.partition(".")
    shape = scope.shapes.get(row)
    if dot and shape is not None and shape.kind == "row":
        known = entity_of(scope.world, shape.entity or "").attribute(column)
        return None if known is None else field(scope, row, column)
    if dot and shape is not None:
        return field(scope, row, column)
    return write(scope, Variable(name=name)) if name in scope.shapes else None
