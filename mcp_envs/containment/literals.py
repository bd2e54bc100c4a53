"""Literals that would take the memory or the time of a machine, and defaults that would carry state from call to call.

Invariant: an operation of which both sides are spelled out is small. Not covered: the same operations on values that
are only known at run time; those meet the limits of the worker.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["constant_faults", "default_faults", "operation_faults"]

_MOST_REPEATS = 100_000
_LARGEST_POWER = 64
_LARGEST_DIGITS = 40
_LITERALS = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.expr_context)


def constant_faults(node: ast.Constant) -> Iterator[str]:
    """Numbers that are too long, and kinds that no tool needs."""
    if isinstance(node.value, int) and abs(node.value) >= 10**_LARGEST_DIGITS:
        yield f"a number of more than {_LARGEST_DIGITS} digits"
    if isinstance(node.value, complex) or node.value is Ellipsis:
        yield "a literal that no tool needs"


def operation_faults(node: ast.BinOp) -> Iterator[str]:
    """Powers and shifts by a large literal, texts and lists repeated by one."""
    if isinstance(node.op, ast.Pow | ast.LShift):
        exponent = _number(node.right)
        if _only_literals(node.right) and (exponent is None or abs(exponent) > _LARGEST_POWER):
            yield f"an exponent or shift above {_LARGEST_POWER}"
    elif isinstance(node.op, ast.Mult):
        for repeated, times in ((node.left, node.right), (node.right, node.left)):
            count = _number(times)
            if _text_or_list(repeated) and _only_literals(times) and (count is None or count > _MOST_REPEATS):
                yield f"a literal repeated more than {_MOST_REPEATS} times"


def default_faults(arguments: ast.arguments) -> Iterator[str]:
    """Defaults that are not constant."""
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None and not _only_literals(default):
            yield "a default must be a literal that cannot change"


def _only_literals(node: ast.expr) -> bool:
    return all(isinstance(part, _LITERALS) for part in ast.walk(node))


def _number(node: ast.expr) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int | float) else None


def _text_or_list(node: ast.expr) -> bool:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    return is_text or isinstance(node, ast.List | ast.Tuple)
