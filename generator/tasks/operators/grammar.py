"""What an expression may be written with: an allow-list of the nodes of Python's syntax tree.

Invariant: nothing is compiled or run here, and what passes holds no attribute, no call but of the named functions, no
names but those given, and is small. Not covered: how long an expression works on its values (`evaluator`).
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from autoforge.generator.tasks.operators.numeric import LARGEST

__all__ = ["FUNCTIONS", "Refused", "check_expression", "parsed"]

FUNCTIONS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("len", "sum", "round", "abs", "any", "all", "str", "int", "float", "bool", "list", "set", "range",
                     "zip"), frozenset()),
    "sorted": frozenset({"reverse"}), "min": frozenset({"default"}), "max": frozenset({"default"}),
}  # fmt: skip
"""The functions that may be called, and the keywords that each takes."""

_LENGTH = 1000
_DEPTH = 24
_NODES = 300
_LOOPS = 3
"""Comprehensions inside one another, each `for` counted."""
_NODE_TYPES: tuple[type[ast.AST], ...] = (
    ast.Expression, ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.List,
    ast.Tuple, ast.Set, ast.Dict, ast.Subscript, ast.Slice, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
    ast.comprehension, ast.Call, ast.keyword, ast.Load, ast.Store,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.BitOr, ast.BitAnd,
    ast.UAdd, ast.USub, ast.Not, ast.And, ast.Or,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot,
)  # fmt: skip
_Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Refused(Exception):
    """An expression is not allowed; says what is wrong."""


def check_expression(text: str, names: Collection[str]) -> str | None:
    """What is wrong with an expression over these names (`over` and the inputs); None where nothing is."""
    try:
        tree = parsed(text)
        _check_names(tree, names)
    except Refused as refusal:
        return str(refusal)
    return None


@lru_cache(maxsize=1024)
def parsed(text: str) -> ast.Expression:
    """The tree of an expression whose every node is allowed; its names are not looked at. Raises Refused."""
    if len(text) > _LENGTH:
        raise Refused(f"the expression is longer than {_LENGTH} characters")
    if "\\" in text:
        raise Refused("backslashes are not allowed")
    tree = _tree(text.strip())
    _check_size(tree)
    for node in ast.walk(tree):
        _check_node(node)
    return tree


def _tree(text: str) -> ast.Expression:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError, Warning) as error:
        raise Refused(f"it is no Python expression: {str(error) or type(error).__name__}") from None


def _check_size(tree: ast.AST) -> None:
    """Level by level, so that no depth can exhaust the stack."""
    level, depth, count = [(tree, 0)], 0, 0
    while level:
        depth, count = depth + 1, count + len(level)
        if depth > _DEPTH or count > _NODES or any(loops > _LOOPS for _, loops in level):
            raise Refused("the expression is nested too deeply or has too many parts")
        level = [(child, loops + _loops(node)) for node, loops in level for child in ast.iter_child_nodes(node)]


def _loops(node: ast.AST) -> int:
    """Every `for` of a comprehension multiplies the work of its element."""
    return len(node.generators) if isinstance(node, _Comprehension) else 0


def _check_node(node: ast.AST) -> None:
    if not isinstance(node, _NODE_TYPES):
        raise Refused(f"{type(node).__name__} is not allowed")
    match node:
        case ast.Constant():
            _check_constant(node.value)
        case ast.Call():
            _check_call(node)
        case ast.comprehension():
            _check_comprehension(node)
        case ast.Dict() if None in node.keys:
            raise Refused("** is not allowed")
        case ast.Compare():
            _check_identity(node)


def _check_constant(value: object) -> None:
    if isinstance(value, int | float) and not (math.isfinite(value) and abs(value) < LARGEST):
        raise Refused("a number is too large")
    if value is not None and not isinstance(value, str | bool | int | float):
        raise Refused(f"{type(value).__name__} constants are not allowed")


def _check_call(node: ast.Call) -> None:
    if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
        raise Refused(f"{ast.unparse(node.func):.60} may not be called")
    unknown = [word.arg for word in node.keywords if word.arg not in FUNCTIONS[node.func.id]]
    if unknown:
        raise Refused(f"{node.func.id} takes no {unknown[0] or '**'} here")


def _check_comprehension(node: ast.comprehension) -> None:
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    if node.is_async or not all(isinstance(target, ast.Name) for target in targets):
        raise Refused("a loop needs a name, or some names with commas")


def _check_identity(node: ast.Compare) -> None:
    for operator, right in zip(node.ops, node.comparators, strict=True):
        if isinstance(operator, ast.Is | ast.IsNot) and not (isinstance(right, ast.Constant) and right.value is None):
            raise Refused("`is` is for None only")


def _check_names(tree: ast.Expression, names: Collection[str]) -> None:
    clash = sorted(set(names) & FUNCTIONS.keys())
    if clash:
        raise Refused(f"{clash[0]} is the name of a function, and cannot be an input")
    read = set(_read(tree.body, frozenset(names)))
    if not read & set(names):
        raise Refused("it reads none of " + ", ".join(sorted(names)) + ", so nothing is derived")


def _read(node: ast.AST, known: frozenset[str]) -> Iterator[str]:
    """The names that are read; all must be known where they are."""
    if isinstance(node, ast.Name):
        if node.id not in known or node.id.startswith("_"):
            raise Refused(f"the name {node.id} is not known; there are {', '.join(sorted(known))}")
        yield node.id
    elif isinstance(node, _Comprehension):
        yield from _read_loops(node, known)
    else:
        skipped = node.func if isinstance(node, ast.Call) else None
        for child in ast.iter_child_nodes(node):
            if child is not skipped:
                yield from _read(child, known)


def _read_loops(
    node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, known: frozenset[str]
) -> Iterator[str]:
    for loop in node.generators:
        yield from _read(loop.iter, known)
        targets = {child.id for child in ast.walk(loop.target) if isinstance(child, ast.Name)}
        taken = sorted(targets & (known | FUNCTIONS.keys()))
        if taken or any(name.startswith("_") for name in targets):
            raise Refused(f"a loop may not use the name {(taken or sorted(targets))[0]}")
        known |= targets
        for condition in loop.ifs:
            yield from _read(condition, known)
    parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
    for part in parts:
        yield from _read(part, known)
