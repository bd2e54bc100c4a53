"""Values that steps compute: parameters, columns, the clock, and pure functions of them.

Invariant: no expression changes anything; the same state and arguments give the same value. Not covered: their Python
(`emit`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from autoforge.generator.ir.node import Node

__all__ = [
    "Apply",
    "Argument",
    "Choose",
    "Constant",
    "Expression",
    "Function",
    "Item",
    "Listing",
    "NextId",
    "Now",
    "Record",
    "RowField",
    "Today",
    "Variable",
]


Function = Literal[
    "add", "subtract", "multiply", "divide", "modulo", "power", "negate", "absolute", "round", "minimum", "maximum",
    "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "and", "or", "not", "is_null",
    "not_null", "in", "contains_text", "lower", "upper", "concat", "text", "length", "truncate", "split", "join",
    "replace", "reverse", "append", "without", "at", "insert_at", "move_item", "set_item", "merge", "unique",
    "sort", "slice", "page", "count", "sum", "average", "min_of", "max_of", "group_count", "coalesce", "keys",
    "values", "add_days", "add_minutes", "days_between", "date_of", "time_of", "number", "integer", "digest",
    "matches", "logarithm", "root", "factorial", "greatest_common_divisor", "least_common_multiple", "floor",
    "ceiling", "is_prime", "sine", "cosine", "tangent", "arcsine", "arccosine", "arctangent", "to_base",
    "from_base", "evaluate", "product_of", "median", "mode", "variance", "standard_deviation", "convert_unit",
    "great_circle", "add_months", "months_between", "years_between", "minutes_between", "weekday", "capitalize",
    "title_case", "trim", "slug", "occurrences", "find_matches", "hash", "base64_encode", "base64_decode",
    "path_join", "path_parent", "path_name", "path_ancestors", "path_under", "path_relative", "path_tree",
    "matches_glob", "lines", "head_lines", "tail_lines", "sort_lines", "count_words", "byte_size", "readable_size",
    "replace_first", "diff_lines",
]  # fmt: skip
"""Pure functions; `FUNCTIONS` in `emit` gives each its Python."""


class Argument(Node):
    """A parameter of the tool; None when it was not given and has no default."""

    kind: Literal["argument"] = "argument"
    name: str
    """The documented parameter name."""


class RowField(Node):
    """A column of a row bound by Find or Insert, or of the item of a Listing or Each over rows."""

    kind: Literal["field"] = "field"
    row: str
    column: str


class Constant(Node):
    kind: Literal["constant"] = "constant"
    value: JsonValue


class Variable(Node):
    """A name bound by Assign, Select (a list of rows), Listing or Each."""

    kind: Literal["variable"] = "variable"
    name: str


class Item(Node):
    """A member of an object or list: `container.get(key)`; None where absent."""

    kind: Literal["item"] = "item"
    container: Expression
    key: Expression


class Now(Node):
    """The state's clock, `YYYY-MM-DDTHH:MM:SS`."""

    kind: Literal["now"] = "now"


class Today(Node):
    kind: Literal["today"] = "today"


class NextId(Node):
    """A fresh id of an entity, by its `id_template`."""

    kind: Literal["next_id"] = "next_id"
    entity: str


class Apply(Node):
    """A call of a pure function."""

    kind: Literal["apply"] = "apply"
    function: Function
    arguments: tuple[Expression, ...]


class Choose(Node):
    kind: Literal["choose"] = "choose"
    condition: Expression
    then: Expression
    otherwise: Expression = Constant(value=None)


class Record(Node):
    """An object; with `omit_null`, properties whose value is None are left out."""

    kind: Literal["record"] = "record"
    fields: tuple[tuple[str, Expression], ...]
    omit_null: tuple[str, ...] = ()
    """Properties to leave out when None (optional outputs whose schema admits no null)."""


class Listing(Node):
    """`[value for item in over if condition]`."""

    kind: Literal["listing"] = "listing"
    over: Expression
    item: str
    value: Expression
    condition: Expression | None = None


Expression = Annotated[
    Argument | RowField | Constant | Variable | Item | Now | Today | NextId | Apply | Choose | Record | Listing,
    Field(discriminator="kind"),
]


for _model in (Item, Apply, Choose, Record, Listing):
    _model.model_rebuild()
