"""The operator `expression`: a small pure Python expression over `over` and the inputs, for what no other one says.

Invariant: the text passes `check_expression` before anything is calculated, and where its value depends on the order
in which a tool lists things it is `Ambiguous`. A list made by the blueprint itself (`{"list": [...]}`), known to the
user or literal has its order on purpose. Not covered: syntax (`grammar`), meaning (`evaluator`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoforge.generator.tasks.operators.evaluator import evaluate
from autoforge.generator.tasks.operators.grammar import check_expression, parsed
from autoforge.generator.tasks.operators.operator import Ambiguous, Operator, OperatorFault
from autoforge.generator.tasks.operators.values import same
from autoforge.mcp_envs.task import ListOf, Literally, Reasoning, Source, UserValue

__all__ = ["OPERATORS", "alternatives", "check_expression"]


def _expression(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    sources: dict[str, Source | None] = {"over": node.over, **node.inputs}
    names = {**inputs, **({"over": over} if node.over is not None or over is not None else {})}
    wrong = check_expression(str(node.expression), names)
    if wrong is not None:
        raise OperatorFault(f"the expression is refused: {wrong}")
    tree = parsed(str(node.expression))
    value = evaluate(tree, names)
    turned = {name: _turned(sources.get(name), inner) for name, inner in names.items()}
    if any(turned[name] is not names[name] for name in names) and not _alike(value, evaluate(tree, turned)):
        raise Ambiguous("the value of the expression depends on the order of a list")
    return value


def _turned(source: Source | None, value: Any) -> Any:
    """A list that a tool gave, the other way round."""
    fixed = isinstance(source, ListOf | Literally | UserValue)
    return value[::-1] if isinstance(value, list) and len(value) > 1 and not fixed else value


def _alike(one: Any, other: Any) -> bool:
    """Whether they are the same but for the order of a list."""
    if not (isinstance(one, list) and isinstance(other, list)) or len(one) != len(other):
        return same(one, other)
    rest = list(other)
    for item in one:
        place = next((i for i, candidate in enumerate(rest) if same(item, candidate)), None)
        if place is None:
            return False
        rest.pop(place)
    return True


OPERATORS = (Operator("expression", "any", "any", ("expression",), _expression),)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """For a number one more and one less, for a boolean the other one."""
    value = _expression(node, over, inputs)
    if isinstance(value, bool):
        return [not value]
    return [value + 1, value - 1] if isinstance(value, int) else []
