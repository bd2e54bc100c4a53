"""Documents that nobody would write on purpose: whatever the names, schemas and texts are, the world compiles and runs.

What is drawn is legal MCP documentation with hostile words: SQL, Python keywords, other scripts, one name in many
spellings, schemas nested and contradictory. Each tool is then called with arguments of its schema: it answers within
its output schema or refuses.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import ValidationError

from autoforge.generator.ir import Argument, OperationKind, expressions_of
from tests.generator.rules.conftest import Desk, Schema

NAMES = st.sampled_from(
    [
        "get_user",
        "getUser",
        "create_order",
        "delete",
        "list",
        "update_order_status",
        "select",
        "order",
        "group_by",
        "class",
        "def_",
        "import",
        "table",
        "index",
        "values",
        "create_table",
        "drop_table",
        "search",
        "transfer_money",
        "login",
        "logout",
        "cancel_order",
        "add_item_to_cart",
        "toggle",
        "get_items",
        "convert",
        "calculate_total",
        "预订房间",
        "buscar_libro",
        "löschen",
        "a",
        "x1",
        "__init__",
        "db",
        "session",
        "row",
        "json",
        "id",
        "get_id",
        "list_ids",
        "set_status",
        "mark_as_read",
        "get",
        "move_file",
        "copy",
        "autoforge_log",
        "sqlite_master",
        "run",
        "print",
        "count_users",
        "book",
        "book_book",
        "status_status",
        "user_user_id",
        "bulk_create_users",
        "get_current_time",
        "checkout",
        "ship_order",
    ]
)
WORDS = st.sampled_from(
    [
        "id",
        "user_id",
        "userId",
        "USER_ID",
        "order_id",
        "ids",
        "name",
        "status",
        "limit",
        "offset",
        "page",
        "sort_by",
        "order",
        "query",
        "amount",
        "from_account_id",
        "to_account_id",
        "quantity",
        "price",
        "items",
        "tags",
        "start_date",
        "end_date",
        "min_price",
        "db",
        "self",
        "class",
        "select",
        "from",
        "where",
        "values",
        "row",
        "rows",
        "item",
        "fields",
        "include_items",
        "password",
        "username",
        "created_at",
        "type",
        "data",
        "body",
        "参数",
        "größe",
        "key",
        "value",
        "code",
        "total",
        "message",
        "success",
        "result",
        "count",
        "text",
        "lambda",
        "None",
        "path",
        "content",
        "user",
        "order_ids",
        "parent_id",
        "email",
        "title",
        "date",
        "time",
        "enabled",
        "is_active",
        "balance",
        "stock",
        "reason",
        "new_status",
        "a-b",
        "a b",
        "a.b",
        "1st",
    ]
)
TEXTS = st.sampled_from(
    [
        "",
        "Gets a user.",
        "Creates an order. The order must be pending.",
        "Cancels an order; delivered orders cannot be cancelled.",
        "'; DROP TABLE users; --",
        'A "quoted" \\ text {with} braces %s $1',
        "Returns the user's name, email and id.",
        "Only the owner can delete it.",
        "One of: a, b, c",
        "e.g. USR-001",
        "Must be between 1 and 10.",
        "Fails if the user already has 2 active orders.",
        "Busca libros por autor.",
        "取消订单",
        "{user_id} {row.column}",
        "\n\n\t",
        "Date in YYYY-MM-DD.",
        "The amount is added to the balance.",
        "Defaults to 5.",
        "Logs a user in.",
        "Move money. Insufficient balance is refused.",
        "\x00\u202e\u2028odd",
        "🛒" * 50,
        "word " * 300,
    ]
)
SCALARS: st.SearchStrategy[Schema] = st.one_of(
    st.sampled_from(
        [
            {"type": "string"},
            {"type": "integer"},
            {"type": "number"},
            {"type": "boolean"},
            {"type": "string", "format": "date"},
            {"type": "string", "format": "date-time"},
            {"type": "string", "format": "email"},
            {},
            {"type": "string", "enum": ["a", "b"]},
            {"type": "string", "enum": ["pending", "active", "cancelled"]},
            {"type": "integer", "minimum": 1, "maximum": 5},
            {"type": "number", "exclusiveMinimum": 0},
            {"type": "string", "default": "all"},
            {"type": "integer", "default": 10},
            {"type": "boolean", "default": True},
            {"enum": [1, "x", None]},
            {"const": "k"},
            {"type": ["string", "null"]},
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            {"type": "string", "minLength": 3, "maxLength": 5},
            {"type": "string", "pattern": "^[A-Z]{3}$"},
            {"type": "null"},
            {"type": "object"},
            {"type": "array"},
            {"type": "string", "enum": ["'", '"', "\\", "{x}"]},
        ]
    ),
    TEXTS.map(lambda text: {"type": "string", "description": text}),
)


def _objects(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    properties = st.dictionaries(WORDS, inner, max_size=5)
    return st.builds(
        lambda props, needed: {
            "type": "object",
            "properties": props,
            "required": [n for i, n in enumerate(props) if needed >> i & 1],
        },
        properties,
        st.integers(0, 31),
    )


SCHEMAS = st.recursive(
    SCALARS, lambda inner: st.one_of(_objects(inner), inner.map(lambda s: {"type": "array", "items": s})), max_leaves=6
)
TOOLS = st.builds(
    lambda name, text, given, answer: {
        "name": name,
        "description": text,
        "inputSchema": given,
        **({"outputSchema": answer} if answer else {}),
    },
    NAMES,
    TEXTS,
    _objects(SCHEMAS),
    st.one_of(st.none(), _objects(SCHEMAS)),
)
DOCUMENTS = st.lists(TOOLS, min_size=1, max_size=5, unique_by=lambda tool: tool["name"])
KINDS: dict[str, Schema] = {
    **{
        n: {"type": "string"}
        for n in (
            "id",
            "user_id",
            "order_id",
            "name",
            "title",
            "query",
            "email",
            "from",
            "select",
            "class",
            "größe",
            "self",
        )
    },
    **{n: {"type": "string", "enum": ["pending", "active", "cancelled"]} for n in ("status", "new_status")},
    **{
        n: {"type": "integer"} for n in ("limit", "offset", "page", "quantity", "stock", "count", "total", "db", "rows")
    },
    **{n: {"type": "number"} for n in ("price", "amount", "balance", "min_price")},
    **{n: {"type": "boolean"} for n in ("success", "enabled", "is_active", "include_items")},
    **{n: {"type": "string", "format": "date"} for n in ("start_date", "end_date", "date")},
    **{n: {"type": "array", "items": {"type": "string"}} for n in ("tags", "fields", "order_ids")},
}
"""What each name means in a consistent document."""


def _agreed() -> st.SearchStrategy[Schema]:
    names = st.lists(st.sampled_from(sorted(KINDS)), max_size=5, unique=True)
    return names.map(
        lambda ns: {"type": "object", "properties": {n: KINDS[n] for n in ns}, "required": ns[: len(ns) // 2]}
    )


AGREED = st.one_of(
    _agreed(),
    _agreed().map(
        lambda s: {"type": "object", "properties": {"data": {"type": "array", "items": s}}, "required": ["data"]}
    ),
)
CONSISTENT = st.lists(
    st.builds(
        lambda name, text, given, answer: {
            "name": name,
            "description": text,
            "inputSchema": given,
            "outputSchema": answer,
        },
        NAMES,
        TEXTS,
        _agreed(),
        AGREED,
    ),
    min_size=1,
    max_size=5,
    unique_by=lambda tool: tool["name"],
)
QUIET = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""Without shrinking: a document compiles in a tenth of a second, and the one that fails is small already."""


def example(schema: Schema, depth: int = 0) -> Any:
    """Some value that a schema admits, as plain as can be."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    for union in ("anyOf", "oneOf"):
        if schema.get(union):
            return example(schema[union][0], depth)
    kind = schema.get("type", "string")
    if kind == "object":
        return {n: example(s, depth + 1) for n, s in schema.get("properties", {}).items() if depth < 4}
    if kind == "array":
        return [example(schema.get("items", {}), depth + 1)]
    plain: dict[str, Any] = {"integer": schema.get("minimum", 2), "number": 2.5, "boolean": True, "null": None}
    text = {"date": "2031-01-01", "date-time": "2031-01-01T10:00:00"}.get(str(schema.get("format")), "ABC")
    return plain.get(kind, text)


def calls(schema: Schema) -> list[dict[str, Any]]:
    """Arguments for a tool: all of them, and only the required ones."""
    whole = {n: example(s) for n, s in schema["properties"].items()}
    return [whole, {n: v for n, v in whole.items() if n in schema["required"]}]


@QUIET
@given(DOCUMENTS)
def test_any_document_compiles_to_a_world_that_loads(document: list[dict[str, Any]]) -> None:
    desk = Desk(document, rows=3)
    try:
        assert len(desk.world.operations) == len(document)
        assert all(len(desk.rows(e.table)) == 1 for e in desk.world.entities if e.singleton and not e.system)
    finally:
        desk.close()


@QUIET
@given(DOCUMENTS)
def test_any_tool_answers_or_refuses(document: list[dict[str, Any]]) -> None:
    desk = Desk(document, rows=3)
    try:
        for one in desk.documentation.tools:
            for arguments in calls(one.input_schema):
                try:
                    desk.call(one.name, **arguments)
                except ValidationError:  # two tools of these documents may contradict each other in what a name means
                    continue
    finally:
        desk.close()


@QUIET
@given(CONSISTENT)
def test_tools_that_agree_on_what_names_mean_keep_their_output_schemas(document: list[dict[str, Any]]) -> None:
    desk = Desk(document, rows=3)
    try:
        for one in desk.documentation.tools:
            for arguments in calls(one.input_schema):
                desk.call(one.name, **arguments)
    finally:
        desk.close()


@QUIET
@given(DOCUMENTS)
def test_any_parameter_is_read_where_rows_are_read_or_written(document: list[dict[str, Any]]) -> None:
    desk = Desk(document, rows=3)
    try:
        for operation in desk.world.operations:
            read = {e.name for step in operation.steps for e in expressions_of(step) if isinstance(e, Argument)}
            computes = operation.weak or operation.kind in (OperationKind.COMPUTE, OperationKind.SESSION)
            assert computes or read == {p.name for p in operation.parameters}, operation.tool
    finally:
        desk.close()
