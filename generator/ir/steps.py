"""What an operation does, one thing after another: find, select, write, refuse, return.

Invariant: every access to the state is a step with the entity that it touches. Not covered: what the steps come to
(`effects`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from autoforge.generator.ir.expressions import Constant, Expression
from autoforge.generator.ir.node import Node

__all__ = [
    "Assign",
    "Comparison",
    "Delete",
    "Each",
    "Filter",
    "Find",
    "Insert",
    "Log",
    "Order",
    "Reason",
    "Refuse",
    "Return",
    "Select",
    "Step",
    "Update",
    "When",
    "walk_steps",
]


Comparison = Literal[
    "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "contains", "starts_with", "in", "has",
    "has_any", "is_null", "equal_text",
]  # fmt: skip
"""`contains`/`starts_with`/`equal_text` ignore case; `in`: column is one of a list; `has`/`has_any`: a JSON list column
holds it.
"""


Reason = Literal[
    "missing", "status", "owner", "duplicate", "balance", "stock", "dates", "range", "session", "limit", "empty",
    "other",
]  # fmt: skip
"""Why a step refuses; the prover reaches each kind in its own way."""


class Filter(Node):
    column: str
    comparison: Comparison = "equal"
    value: Expression
    optional: bool = False
    """Applied only when the value is not None (and not an empty list)."""
    through: tuple[tuple[str, str], ...] = ()
    """Foreign keys to follow from the selected table, as (column, entity) pairs; `column` above is of the last one."""


class Order(Node):
    column: str | None = None
    """None: the column is named at run time by `by` (one of `allowed`, a map from the accepted value to a column)."""
    by: Expression | None = None
    allowed: tuple[tuple[str, str], ...] = ()
    descending: Expression = Constant(value=False)
    """Truthy means descending; a text is descending when it begins with `desc`, ignoring case, or `-`."""


class Find(Node):
    """Bind the one row that matches, or refuse with `missing` (a sentence; `{parameter}` is replaced), or bind None
    where `missing` is None.
    """

    step: Literal["find"] = "find"
    row: str
    entity: str
    where: tuple[Filter, ...]
    missing: str | None = None


class Select(Node):
    """Bind a list of rows. The order is total: the key is always the last criterion."""

    step: Literal["select"] = "select"
    rows: str
    entity: str
    where: tuple[Filter, ...] = ()
    search: tuple[tuple[str, ...], Expression] | None = None
    """Columns of which any holds the text (ignoring case; every word must occur somewhere); skipped when the text is
    None or empty.
    """
    order: tuple[Order, ...] = ()
    limit: Expression | None = None
    offset: Expression | None = None


class Insert(Node):
    """Insert a row (columns not named take their defaults) and bind it as stored, with its id."""

    step: Literal["insert"] = "insert"
    row: str
    entity: str
    values: tuple[tuple[str, Expression], ...]


class Update(Node):
    """Change the bound row, which is bound again as stored. Columns in `when_given` are left alone where their value is
    None.
    """

    step: Literal["update"] = "update"
    row: str
    entity: str
    values: tuple[tuple[str, Expression], ...]
    when_given: tuple[str, ...] = ()


class Delete(Node):
    """Delete the rows that match, and by foreign key (`ON DELETE`) what hangs on them; binds the number of rows
    deleted.
    """

    step: Literal["delete"] = "delete"
    entity: str
    where: tuple[Filter, ...]
    count: str | None = None


class Refuse(Node):
    """Raise ToolError when the condition holds. In the sentence, `{parameter}` and `{row.column}` are replaced by their
    values.
    """

    step: Literal["refuse"] = "refuse"
    when: Expression
    message: str
    reason: Reason = "other"
    evidence: str = ""
    """The words of the documentation or policy that ask for it."""


class Assign(Node):
    step: Literal["assign"] = "assign"
    name: str
    value: Expression


class Each(Node):
    """Run the steps for each item of a list; rows bound inside are local. `collect` appends the value of `result` to a
    list of that name.
    """

    step: Literal["each"] = "each"
    over: Expression
    item: str
    steps: tuple[Step, ...]
    collect: str | None = None
    result: Expression | None = None


class When(Node):
    step: Literal["when"] = "when"
    condition: Expression
    steps: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()


class Log(Node):
    """Record the call in the log table; for tools whose meaning is not known."""

    step: Literal["log"] = "log"


class Return(Node):
    step: Literal["return"] = "return"
    value: Expression


Step = Annotated[
    Find | Select | Insert | Update | Delete | Refuse | Assign | Each | When | Log | Return, Field(discriminator="step")
]


def walk_steps(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Every step, also those inside Each and When, in order."""
    for step in steps:
        yield step
        if isinstance(step, Each):
            yield from walk_steps(step.steps)
        elif isinstance(step, When):
            yield from walk_steps(step.steps)
            yield from walk_steps(step.otherwise)


for _model in (Each, When):
    _model.model_rebuild()
