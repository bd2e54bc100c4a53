"""The intermediate representation between tool documentation and code.

A `Blueprint of the world`: entities with typed attributes, and one operation per documented tool, written as a short
list of typed steps over those entities. Both synthesizers produce it, the code emitter, the seed, the graph and the
checks read it.

Invariant: an operation's effects are *derived* from its steps (`effects_of`), never declared beside them, so they
cannot disagree with the code. Not covered: how it is inferred (`rules`), how it becomes SQL and Python (`emit`).
"""

from autoforge.generator.ir.effects import (
    Effects,
    effects_of,
    expressions_of,
)
from autoforge.generator.ir.entities import (
    Attribute,
    ColumnKind,
    ColumnType,
    Entity,
    Transition,
)
from autoforge.generator.ir.expressions import (
    Apply,
    Argument,
    Choose,
    Constant,
    Expression,
    Function,
    Item,
    Listing,
    NextId,
    Now,
    Record,
    RowField,
    Today,
    Variable,
)
from autoforge.generator.ir.operations import (
    Operation,
    OperationKind,
    Parameter,
    World,
)
from autoforge.generator.ir.steps import (
    Assign,
    Comparison,
    Delete,
    Each,
    Filter,
    Find,
    Insert,
    Log,
    Order,
    Reason,
    Refuse,
    Return,
    Select,
    Step,
    Update,
    When,
    walk_steps,
)

__all__ = [
    "Apply", "Argument", "Assign", "Attribute", "Choose", "ColumnKind", "ColumnType", "Comparison", "Constant",
    "Delete", "Each", "Effects", "Entity", "Expression", "Filter", "Find", "Function", "Insert", "Item", "Listing",
    "Log", "NextId", "Now", "Operation", "OperationKind", "Order", "Parameter", "Reason", "Record", "Refuse",
    "Return", "RowField", "Select", "Step", "Today", "Transition", "Update", "Variable", "When", "World",
    "effects_of", "expressions_of", "walk_steps",
]  # fmt: skip
