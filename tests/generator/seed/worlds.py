"""Worlds for the tests of the seed: a shop, a hotel, a bank, a helpdesk, a Spanish shop, and any world at all."""

from __future__ import annotations

import sqlite3
from typing import Any

from hypothesis import strategies as st

from autoforge.generator.emit.schema import schema_sql
from autoforge.generator.ir import Attribute, ColumnType, Entity, World
from autoforge.generator.seed import seed_rows, seed_sql

TEXT, INTEGER, REAL, BOOLEAN = ColumnType.TEXT, ColumnType.INTEGER, ColumnType.REAL, ColumnType.BOOLEAN
DATE, DATETIME, TIME, JSON = ColumnType.DATE, ColumnType.DATETIME, ColumnType.TIME, ColumnType.JSON


def column(name: str, type: ColumnType = TEXT, **more: Any) -> Attribute:
    return Attribute(name=name, type=type, **more)


def key(name: str, type: ColumnType = TEXT, **more: Any) -> Attribute:
    return Attribute(name=name, type=type, nullable=False, **more)


def entity(name: str, *attributes: Attribute, **more: Any) -> Entity:
    return Entity(name=name, table=f"{name}s", attributes=attributes, **{"key": (attributes[0].name,), **more})


def world(name: str, *entities: Entity, **more: Any) -> World:
    return World(name=name, entities=entities, operations=(), **more)


def seeded(world: World, *, seed: int, rows: int = 12) -> dict[str, list[dict[str, Any]]]:
    """`seed_rows`, for comparing values of known types."""
    return seed_rows(world, seed=seed, rows=rows)


def loaded(world: World, rows: dict[str, list[dict[str, Any]]]) -> sqlite3.Connection:
    """A database with schema and seed. Raises sqlite3.IntegrityError where a row breaks the schema."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.executescript("PRAGMA foreign_keys=ON;" + schema_sql(world))
        connection.executescript(seed_sql(world, rows))
    except BaseException:
        connection.close()
        raise
    return connection


def shop() -> World:
    customer = entity(
        "customer",
        key("customer_id"),
        column("name", nullable=False),
        column("email", unique=True),
        column("phone"),
        column("city"),
        column("state"),
        column("country"),
        column("postcode"),
        column("created_at", DATETIME),
        id_template="CUS-{:04d}",
    )
    product = entity(
        "product",
        key("product_id"),
        column("name"),
        column("category"),
        column("price", REAL, minimum=0),
        column("stock", INTEGER, minimum=0),
        column("currency"),
        id_template="PRD-{:04d}",
    )
    order = entity(
        "order",
        key("order_id", examples=("ORD-5001",)),
        column("customer_id", references="customer", nullable=False),
        column("customer_email"),
        column("status", enum=("pending", "paid", "shipped", "delivered", "cancelled"), nullable=False),
        column("total", REAL),
        column("item_count", INTEGER),
        column("created_at", DATETIME),
        column("updated_at", DATETIME),
        column("shipped_at", DATETIME),
        column("tracking_number"),
        column("cancellation_reason"),
        id_template="ORD-{:04d}",
        owner="customer_id",
        status="status",
    )
    item = entity(
        "order_item",
        key("order_id", references="order"),
        key("product_id", references="product"),
        column("quantity", INTEGER, minimum=1),
        column("unit_price", REAL),
        column("line_total", REAL),
        column("product_name"),
        key=("order_id", "product_id"),
    )
    return world("shop", customer, product, order, item, title="Web shop")


def hotel() -> World:
    guest = entity(
        "guest",
        key("guest_id"),
        column("first_name"),
        column("last_name"),
        column("email"),
        column("date_of_birth", DATE),
        column("age", INTEGER),
        column("loyalty_tier", enum=("none", "silver", "gold")),
        id_template="G{:04d}",
    )
    room = entity(
        "room",
        key("room_number"),
        column("nightly_rate", REAL),
        column("sea_view", BOOLEAN),
        column("min_nights", INTEGER),
        column("max_nights", INTEGER),
    )
    reservation = entity(
        "reservation",
        key("reservation_id"),
        column("guest_id", references="guest", nullable=False),
        column("room_number", references="room"),
        column("check_in_date", DATE),
        column("check_out_date", DATE),
        column("nights", INTEGER),
        column("nightly_rate", REAL),
        column("total_price", REAL),
        column("status", enum=("confirmed", "checked_in", "checked_out", "cancelled")),
        column("created_at", DATETIME),
        column("breakfast", BOOLEAN, default=False),
        id_template="RES-{:04d}",
        status="status",
    )
    payment = entity(
        "payment",
        key("payment_id", INTEGER),
        column("reservation_id", references="reservation", nullable=False),
        column("guest_id", references="guest"),
        column("amount", REAL, minimum=0),
        id_template="{}",
    )
    return world("hotel", guest, room, reservation, payment, description="Guests book rooms and pay in EUR.")


def bank() -> World:
    user = entity("user", key("username"), column("full_name"), column("email"), column("manager", references="user"))
    account = entity(
        "account",
        key("account_id", examples=("ACC-00012",)),
        column("owner", references="user", nullable=False),
        column("iban", unique=True),
        column("balance", REAL, minimum=0),
        column("currency"),
        id_template="ACC-{:05d}",
        owner="owner",
    )
    transfer = entity(
        "transfer",
        key("transfer_id", INTEGER),
        column("from_account", references="account", nullable=False),
        column("to_account", references="account", nullable=False),
        column("amount", REAL, minimum=0.01, maximum=5000),
        id_template="{}",
    )
    session = entity(
        "session",
        key("id", INTEGER),
        column("username", references="user"),
        column("logged_in", BOOLEAN),
        singleton=True,
    )
    wallet = entity("wallet", key("id", INTEGER), column("balance", REAL), singleton=True)
    return world("bank", user, account, transfer, session, wallet)


def helpdesk() -> World:
    agent = entity(
        "agent", key("id", INTEGER), column("name", examples=("Maria Lopez",)), column("email"), id_template="{}"
    )
    history = {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"agent_id": {"type": "integer"}, "agent_name": {"type": "string"}},
            "required": ["agent_id", "agent_name"],
        },
    }
    ticket = entity(
        "ticket",
        key("id", INTEGER),
        column("title"),
        column("status", enum=("open", "in_progress", "resolved", "closed")),
        column("priority", INTEGER, minimum=1, maximum=5),
        column("assignee_id", INTEGER, references="agent"),
        column("due_date", DATE),
        column("created_at", DATETIME),
        column("resolved_at", DATETIME),
        column("resolution"),
        column("duplicate_of", INTEGER, references="ticket"),
        column("history", JSON, item_schema=history),
        id_template="{}",
        status="status",
    )
    comment = entity(
        "comment",
        key("id", INTEGER),
        column("ticket_id", INTEGER, references="ticket", nullable=False),
        column("author"),
        column("created_at", DATETIME),
    )
    return world("helpdesk", agent, ticket, comment)


def tienda() -> World:
    cliente = entity(
        "cliente",
        key("id_cliente"),
        column("nombre"),
        column("correo"),
        column("ciudad"),
        column("codigo_postal"),
        column("fecha_nacimiento", DATE),
        id_template="CLI-{:03d}",
    )
    producto = entity(
        "producto", key("id", INTEGER), column("nombre"), column("precio", REAL), column("categoria"), id_template="{}"
    )
    pedido = entity(
        "pedido",
        key("id", INTEGER),
        column("id_cliente", references="cliente", nullable=False),
        column("id_producto", INTEGER, references="producto", nullable=False),
        column("cantidad", INTEGER, minimum=1),
        column("precio_unitario", REAL),
        column("importe", REAL),
        column("fecha_pedido", DATE),
        id_template="{}",
    )
    return world(
        "tienda",
        cliente,
        producto,
        pedido,
        title="Tienda en línea",
        description="Gestión de los pedidos de una tienda con clientes y productos.",
    )


# --- any world at all ---

_NAMES = st.sampled_from(
    [
        "name",
        "title",
        "email",
        "status",
        "city",
        "price",
        "total",
        "created_at",
        "due_date",
        "start_date",
        "end_date",
        "owner",
        "note",
        "tags",
        "quantity",
        "unit_price",
        "rating",
        "path",
        "username",
        "phone",
        "min_value",
        "max_value",
        "is_active",
        "deleted_at",
        "colour",
        "select",
        "order_number",
        "straße",
        "价格",
        "customer_name",
    ]
)
_WORDS = st.text(alphabet="abcdef ghi'\"-é中", min_size=1, max_size=8)


@st.composite
def json_schemas(draw: st.DrawFn, depth: int = 2) -> dict[str, Any]:
    kind = draw(
        st.sampled_from(
            [
                "string",
                "integer",
                "number",
                "boolean",
                "format",
                "enum",
                *(["object", "array", "anyOf", "nullable"] if depth else []),
            ]
        )
    )
    if kind == "format":
        return {
            "type": "string",
            "format": draw(st.sampled_from(["email", "date", "date-time", "time", "uuid", "uri", "ipv4"])),
        }
    if kind == "enum":
        return {"enum": draw(st.lists(st.sampled_from(["a", "b", 1, None, True]), min_size=1, unique_by=repr))}
    if kind == "string":
        return {"type": "string", "minLength": draw(st.integers(0, 4)), "maxLength": draw(st.integers(4, 30))}
    if kind in ("integer", "number"):
        low = draw(st.integers(-20, 20))
        return {"type": kind, "minimum": low, "maximum": low + draw(st.integers(0, 50))}
    if kind == "object":
        properties = draw(st.dictionaries(_NAMES, json_schemas(depth=depth - 1), max_size=4))
        return {
            "type": "object",
            "properties": properties,
            "required": sorted(properties)[:2],
            "additionalProperties": draw(st.booleans()),
        }
    if kind == "array":
        return {
            "type": "array",
            "items": draw(json_schemas(depth=depth - 1)),
            "minItems": draw(st.integers(0, 2)),
            "maxItems": draw(st.integers(2, 4)),
        }
    if kind == "anyOf":
        return {"anyOf": draw(st.lists(json_schemas(depth=depth - 1), min_size=1, max_size=3))}
    return {"type": ["string", "null"]} if kind == "nullable" else {"type": kind}


@st.composite
def _plain(draw: st.DrawFn, name: str) -> Attribute:
    type = draw(st.sampled_from(list(ColumnType)))
    more: dict[str, Any] = {"nullable": draw(st.booleans()), "unique": draw(st.booleans()) and type is not JSON}
    shape = draw(st.sampled_from(["free", "enum", "limits", "default", "examples"]))
    if type is JSON:
        more["item_schema"] = draw(json_schemas())
    elif shape == "enum" and type is TEXT:
        more["enum"] = tuple(draw(st.lists(_WORDS, min_size=1, max_size=5, unique=True)))
    elif shape == "limits" and type in (INTEGER, REAL):
        low = draw(st.one_of(st.none(), st.integers(-50, 50)))
        more.update(minimum=low, maximum=draw(st.one_of(st.none(), st.integers(low or 0, (low or 0) + 60))))
    elif shape == "default":
        more["default"] = draw(
            {TEXT: _WORDS, INTEGER: st.integers(-5, 99), REAL: st.floats(0, 99), BOOLEAN: st.booleans()}.get(
                type, st.none()
            )
        )
    elif shape == "examples" and type in (TEXT, INTEGER):
        more["examples"] = tuple(draw(st.lists(_WORDS if type is TEXT else st.integers(0, 900), max_size=3)))
    return Attribute(name=name, type=type, **more)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Up to five entities with any columns and references: in cycles, to themselves, in keys, unique, required."""
    count = draw(st.integers(1, 5))
    kinds = [
        draw(st.sampled_from(["integer", "text", "template", "reference", "composite", "limited", "enum"]))
        for _ in range(count)
    ]
    types = [INTEGER if k in ("integer", "reference", "limited") else TEXT for k in kinds]
    single = [i for i, k in enumerate(kinds) if k != "composite"]

    def reference(name: str, among: list[int], **more: Any) -> Attribute:
        target = draw(st.sampled_from(among))
        return Attribute(name=name, type=types[target], references=f"thing_{target}", **more)

    entities = []
    for i, kind in enumerate(kinds):
        names = draw(st.lists(_NAMES, max_size=6, unique=True))
        attributes = [draw(_plain(name)) for name in names]
        for j in range(draw(st.integers(0, 3)) if single else 0):
            attributes.append(reference(f"ref_{j}", single, nullable=draw(st.booleans()), unique=draw(st.booleans())))
        numbers = [s for s in single if types[s] is INTEGER]
        if kind == "reference" and numbers:
            keys = [reference("key", numbers, nullable=False)]
        elif kind == "limited":
            keys = [Attribute(name="key", type=INTEGER, nullable=False, minimum=3, maximum=3 + draw(st.integers(0, 9)))]
        elif kind == "enum":
            keys = [
                Attribute(
                    name="key", nullable=False, enum=tuple(draw(st.lists(_WORDS, min_size=1, max_size=6, unique=True)))
                )
            ]
        elif kind == "composite":
            first = (
                reference("key", single, nullable=False)
                if bool(single) and draw(st.booleans())
                else draw(_plain("key"))
            )
            keys = [a.model_copy(update={"nullable": False, "unique": False}) for a in (first, draw(_plain("key_2")))]
            keys = [a.model_copy(update={"type": TEXT, "item_schema": None}) if a.type is JSON else a for a in keys]
        else:
            keys = [Attribute(name="key", type=types[i], nullable=False)]
        entities.append(
            Entity(
                name=f"thing_{i}",
                table=f"things {i}",
                attributes=(*keys, *attributes),
                key=tuple(k.name for k in keys),
                id_template="T-{:03d}" if kind == "template" else None,
                singleton=kind not in ("composite", "limited") and draw(st.integers(0, 9)) == 0,
                seed_rows=draw(st.one_of(st.none(), st.integers(0, 9))),
            )
        )
    return World(name="any", entities=tuple(entities), operations=())
