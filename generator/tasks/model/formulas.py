"""Expressions over one row: which fields they read, and how people write them.

Invariant: nothing is evaluated here; what is shown to people says what the expression calculates. Not covered: what may
be written (`operators.grammar`), its value (`operators.expression`).
"""

from __future__ import annotations

import ast

from autoforge.generator.rules.words import split_words

__all__ = ["ROW", "fields_read", "numbers_in", "spoken"]

ROW = "over"
"""The name by which an expression reads the row."""


def fields_read(expression: str) -> tuple[str, ...]:
    """Paths inside the row that a checked expression reads: `over["owner"]["name"]` reads `owner.name`."""
    outer = _Outermost()
    outer.visit(ast.parse(expression.strip(), mode="eval"))
    return tuple(dict.fromkeys(outer.paths))


def numbers_in(expression: str) -> tuple[int | float, ...]:
    """The numbers that are written in an expression."""
    found = [n.value for n in ast.walk(ast.parse(expression.strip(), mode="eval")) if isinstance(n, ast.Constant)]
    return tuple(v for v in found if isinstance(v, int | float) and not isinstance(v, bool))


def spoken(expression: str) -> str:
    """As a person writes it: `over["roomRate"] / over["nights"]` is `room rate / nights`."""
    tree = ast.parse(expression.strip(), mode="eval")
    return ast.unparse(_Names().visit(tree))


def _path(node: ast.expr) -> str | None:
    """The path that a chain of indexes by texts takes into the row; None where it is something else."""
    parts: list[str] = []
    while isinstance(node, ast.Subscript):
        if not isinstance(node.slice, ast.Constant) or not isinstance(node.slice.value, str):
            return None
        parts.append(node.slice.value)
        node = node.value
    return ".".join(reversed(parts)) if isinstance(node, ast.Name) and node.id == ROW else None


class _Outermost(ast.NodeVisitor):
    def __init__(self) -> None:
        self.paths: list[str] = []

    def visit_Subscript(self, node: ast.Subscript) -> None:
        path = _path(node)
        if path is None:
            self.generic_visit(node)
        else:
            self.paths.append(path)


class _Names(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        path = _path(node)
        if path is None:
            return self.generic_visit(node)
        return ast.Name(id=" ".join(split_words(path.rpartition(".")[2])), ctx=ast.Load())
