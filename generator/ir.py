"""The intermediate representation between tool documentation and code.

A `Blueprint of the world`: entities with typed attributes, and one operation per documented tool, written as a short
list of typed steps over those entities. Both synthesizers produce it, the code emitter, the seed, the graph and the
checks read it.

Invariant: an operation's effects are *derived* from its steps (`effects_of`), never declared beside them, so they
cannot disagree with the code. Not covered: how it is inferred (`rules`), how it becomes SQL and Python (`emit`).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from autoforge.mcp_envs.manifest import ColumnKind

__all__ = [
    "Apply", "Argument", "Assign", "Attribute", "Choose", "ColumnKind", "ColumnType", "Comparison", "Constant",
    "Delete", "Each", "Effects", "Entity", "Expression", "Filter", "Find", "Function", "Insert", "Item", "Listing",
    "Log", "NextId", "Now", "Operation", "OperationKind", "Order", "Parameter", "Reason", "Record", "Refuse",
    "Return", "RowField", "Select", "Step", "Today", "Transition", "Update", "Variable", "When", "World",
    "effects_of", "expressions_of", "walk_steps",
]  # fmt: skip

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


class _Node(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ColumnType(StrEnum):
    """How a value is stored; also its declared SQL type in upper case."""

    TEXT = "text"
    INTEGER = "integer"
    REAL = "real"
    BOOLEAN = "boolean"
    DATE = "date"
    """ISO 8601 text, `YYYY-MM-DD`."""
    DATETIME = "datetime"
    """ISO 8601 text, `YYYY-MM-DDTHH:MM:SS`, no zone: all times of an environment share one."""
    TIME = "time"
    """`HH:MM`."""
    JSON = "json"
    """A list or object, as JSON text."""


class Attribute(_Node):
    name: str
    """The column, a legal SQL name; outputs map it to the documented property name."""
    type: ColumnType = ColumnType.TEXT
    kind: ColumnKind = ColumnKind.VALUE
    description: str = ""
    enum: tuple[JsonValue, ...] = ()
    nullable: bool = True
    default: JsonValue = None
    unique: bool = False
    references: str | None = None
    """The entity whose key this column holds."""
    minimum: float | None = None
    maximum: float | None = None
    pattern: str | None = None
    """Regular expression that a documented parameter asks of the text."""
    meaning: str = ""
    """What a seed value should look like: a word of `autoforge.generator.rules.meaning` (email, person_name, city,
    price, …).
    """
    item_schema: dict[str, JsonValue] | None = None
    """JSON Schema of the value where `type` is json."""
    examples: tuple[JsonValue, ...] = ()
    """Values that the documentation itself shows."""
    evidence: tuple[str, ...] = ()
    """Where it was found: `tool.parameter`, `tool -> output path`."""


class Transition(_Node):
    """A move of a status machine that some tool makes."""

    tool: str
    before: tuple[str, ...]
    """States it is legal from; empty means any state but `after`."""
    after: str


class Entity(_Node):
    name: str
    """Singular, snake_case."""
    table: str
    title: str = ""
    attributes: tuple[Attribute, ...]
    key: tuple[str, ...]
    """Columns of the primary key."""
    id_template: str | None = None
    """How a generated id reads, e.g. `ORD-{:04d}`; `{}` for integers; None where tools do not create ids of this
    entity.
    """
    singleton: bool = False
    """Exactly one row: a session, an account, settings, a working directory."""
    label: str | None = None
    """The column by which people name a row."""
    owner: str | None = None
    """The column that says whose row it is, where the documentation has users that own rows."""
    status: str | None = None
    transitions: tuple[Transition, ...] = ()
    seed_rows: int | None = None
    """Rows wanted in the seed; None means the general setting."""
    system: bool = False
    """A table of the machinery (log), not of the domain."""
    evidence: tuple[str, ...] = ()

    def attribute(self, name: str) -> Attribute | None:
        return next((a for a in self.attributes if a.name == name), None)


# --- expressions
# -----------------------------------------------------------------------------------------------------------------


class Argument(_Node):
    """A parameter of the tool; None when it was not given and has no default."""

    kind: Literal["argument"] = "argument"
    name: str
    """The documented parameter name."""


class RowField(_Node):
    """A column of a row bound by Find or Insert, or of the item of a Listing or Each over rows."""

    kind: Literal["field"] = "field"
    row: str
    column: str


class Constant(_Node):
    kind: Literal["constant"] = "constant"
    value: JsonValue


class Variable(_Node):
    """A name bound by Assign, Select (a list of rows), Listing or Each."""

    kind: Literal["variable"] = "variable"
    name: str


class Item(_Node):
    """A member of an object or list: `container.get(key)`; None where absent."""

    kind: Literal["item"] = "item"
    container: Expression
    key: Expression


class Now(_Node):
    """The state's clock, `YYYY-MM-DDTHH:MM:SS`."""

    kind: Literal["now"] = "now"


class Today(_Node):
    kind: Literal["today"] = "today"


class NextId(_Node):
    """A fresh id of an entity, by its `id_template`."""

    kind: Literal["next_id"] = "next_id"
    entity: str


class Apply(_Node):
    """A call of a pure function."""

    kind: Literal["apply"] = "apply"
    function: Function
    arguments: tuple[Expression, ...]


class Choose(_Node):
    kind: Literal["choose"] = "choose"
    condition: Expression
    then: Expression
    otherwise: Expression = Constant(value=None)


class Record(_Node):
    """An object; with `omit_null`, properties whose value is None are left out."""

    kind: Literal["record"] = "record"
    fields: tuple[tuple[str, Expression], ...]
    omit_null: tuple[str, ...] = ()
    """Properties to leave out when None (optional outputs whose schema admits no null)."""


class Listing(_Node):
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


# --- steps ------------------------------------------------------------------------------------------------------------


class Filter(_Node):
    column: str
    comparison: Comparison = "equal"
    value: Expression
    optional: bool = False
    """Applied only when the value is not None (and not an empty list)."""
    through: tuple[tuple[str, str], ...] = ()
    """Foreign keys to follow from the selected table, as (column, entity) pairs; `column` above is of the last one."""


class Order(_Node):
    column: str | None = None
    """None: the column is named at run time by `by` (one of `allowed`, a map from the accepted value to a column)."""
    by: Expression | None = None
    allowed: tuple[tuple[str, str], ...] = ()
    descending: Expression = Constant(value=False)
    """Truthy means descending; a text is descending when it begins with `desc`, ignoring case, or `-`."""


class Find(_Node):
    """Bind the one row that matches, or refuse with `missing` (a sentence; `{parameter}` is replaced), or bind None
    where `missing` is None.
    """

    step: Literal["find"] = "find"
    row: str
    entity: str
    where: tuple[Filter, ...]
    missing: str | None = None


class Select(_Node):
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


class Insert(_Node):
    """Insert a row (columns not named take their defaults) and bind it as stored, with its id."""

    step: Literal["insert"] = "insert"
    row: str
    entity: str
    values: tuple[tuple[str, Expression], ...]


class Update(_Node):
    """Change the bound row, which is bound again as stored. Columns in `when_given` are left alone where their value is
    None.
    """

    step: Literal["update"] = "update"
    row: str
    entity: str
    values: tuple[tuple[str, Expression], ...]
    when_given: tuple[str, ...] = ()


class Delete(_Node):
    """Delete the rows that match, and by foreign key (`ON DELETE`) what hangs on them; binds the number of rows
    deleted.
    """

    step: Literal["delete"] = "delete"
    entity: str
    where: tuple[Filter, ...]
    count: str | None = None


class Refuse(_Node):
    """Raise ToolError when the condition holds. In the sentence, `{parameter}` and `{row.column}` are replaced by their
    values.
    """

    step: Literal["refuse"] = "refuse"
    when: Expression
    message: str
    reason: Reason = "other"
    evidence: str = ""
    """The words of the documentation or policy that ask for it."""


class Assign(_Node):
    step: Literal["assign"] = "assign"
    name: str
    value: Expression


class Each(_Node):
    """Run the steps for each item of a list; rows bound inside are local. `collect` appends the value of `result` to a
    list of that name.
    """

    step: Literal["each"] = "each"
    over: Expression
    item: str
    steps: tuple[Step, ...]
    collect: str | None = None
    result: Expression | None = None


class When(_Node):
    step: Literal["when"] = "when"
    condition: Expression
    steps: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()


class Log(_Node):
    """Record the call in the log table; for tools whose meaning is not known."""

    step: Literal["log"] = "log"


class Return(_Node):
    step: Literal["return"] = "return"
    value: Expression


Step = Annotated[
    Find | Select | Insert | Update | Delete | Refuse | Assign | Each | When | Log | Return, Field(discriminator="step")
]


class OperationKind(StrEnum):
    GET = "get"
    LIST = "list"
    SEARCH = "search"
    COUNT = "count"
    CREATE = "create"
    UPDATE = "update"
    SET_STATUS = "set_status"
    DELETE = "delete"
    LINK = "link"
    UNLINK = "unlink"
    MOVE = "move"
    TRANSFER = "transfer"
    SESSION = "session"
    COMPUTE = "compute"
    WEAK = "weak"


class Parameter(_Node):
    name: str
    """As documented."""
    identifier: str
    """Its name in the Python function."""
    json_schema: dict[str, JsonValue]
    required: bool = False
    default: JsonValue = None
    role: str = ""
    """What the compiler took it for: key, value, filter, search, sort, page, projection, actor, …"""


class Operation(_Node):
    tool: str
    function: str
    """Name of the Python function, unique in the environment."""
    kind: OperationKind
    summary: str = ""
    side: Literal["agent", "user"] = "agent"
    entity: str | None = None
    parameters: tuple[Parameter, ...] = ()
    steps: tuple[Step, ...] = ()
    code: str | None = None
    """Python source of the function where a model wrote it; `steps` then hold only what the model declared, for the
    effects.
    """
    output_schema: dict[str, JsonValue] | None = None
    evidence: tuple[str, ...] = ()
    """Why it was read this way, one phrase each; shown in the report."""
    guesses: tuple[str, ...] = ()
    """What the documentation left open and was assumed."""

    @property
    def weak(self) -> bool:
        """Touches no entity and computes nothing from its inputs (issue: not a matter of opinion)."""
        return self.kind is OperationKind.WEAK


class World(_Node):
    """All that is known of one environment before its code is written."""

    name: str
    title: str = ""
    description: str = ""
    entities: tuple[Entity, ...]
    operations: tuple[Operation, ...]
    policy: tuple[str, ...] = ()
    """Sentences of domain rules, for policy.md."""
    clock: str = "2026-03-02T09:00:00"
    """The state's clock at the start."""
    notes: tuple[str, ...] = ()

    def entity(self, name: str) -> Entity:
        return next(e for e in self.entities if e.name == name)


class Effects(NamedTuple):
    """What an operation does to tables, by entity name."""

    reads: frozenset[str]
    creates: frozenset[str]
    updates: frozenset[tuple[str, str]]
    """(entity, column) pairs."""
    deletes: frozenset[str]

    @property
    def read_only(self) -> bool:
        return not (self.creates or self.updates or self.deletes)


def walk_steps(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Every step, also those inside Each and When, in order."""
    for step in steps:
        yield step
        if isinstance(step, Each):
            yield from walk_steps(step.steps)
        elif isinstance(step, When):
            yield from walk_steps(step.steps)
            yield from walk_steps(step.otherwise)


def expressions_of(node: BaseModel) -> Iterator[BaseModel]:
    """Every expression below a step or expression, the node itself included when it is one."""
    if getattr(node, "kind", None) is not None and not isinstance(node, Operation):
        yield node
    for value in node.__dict__.values():
        yield from _inside(value)


def _inside(value: Any) -> Iterator[BaseModel]:
    if isinstance(value, BaseModel):
        yield from expressions_of(value)
    elif isinstance(value, tuple):
        for part in value:
            yield from _inside(part)


def effects_of(operation: Operation) -> Effects:
    reads: set[str] = set()
    creates: set[str] = set()
    updates: set[tuple[str, str]] = set()
    deletes: set[str] = set()
    for step in walk_steps(operation.steps):
        if isinstance(step, Find | Select):
            reads.add(step.entity)
            reads.update(entity for f in step.where for _, entity in f.through)
        elif isinstance(step, Insert):
            creates.add(step.entity)
        elif isinstance(step, Update):
            updates.update((step.entity, column) for column, _ in step.values)
        elif isinstance(step, Delete):
            deletes.add(step.entity)
    return Effects(frozenset(reads), frozenset(creates), frozenset(updates), frozenset(deletes))


for _model in (
    Item,
    Apply,
    Choose,
    Record,
    Listing,
    Filter,
    Order,
    Find,
    Select,
    Insert,
    Update,
    Delete,
    Refuse,
    Assign,
    Each,
    When,
    Return,
    Operation,
    World,
):
    _model.model_rebuild()
