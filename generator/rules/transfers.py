"""Money and stock that move, computations without an entity, and calls whose meaning stays unknown.

Invariant: what leaves one place arrives at the other, and never more than is there. A computation uses every one of its
inputs. Not covered: rates that the documentation does not state: conversions read a table of rates that is part of the
state.
"""

from __future__ import annotations

from autoforge.generator.ir import (
    ColumnType,
    Constant,
    Entity,
    Expression,
    OperationKind,
    RowField,
    Update,
)
from autoforge.generator.rules.inserts import insert_record
from autoforge.generator.rules.output_plans import RowPlan
from autoforge.generator.rules.preconditions import guard
from autoforge.generator.rules.returns import return_row
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, equal
from autoforge.generator.rules.words import snake, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["AMOUNTS", "build_transfer", "money_column", "transfer_shape"]

BALANCES = (
    "balance",
    "current_balance",
    "available_balance",
    "account_balance",
    "saldo",
    "solde",
    "credit",
    "points",
    "wallet_balance",
    "cash",
    "funds",
)


AMOUNTS = (
    "amount",
    "importe",
    "monto",
    "betrag",
    "montant",
    "value",
    "sum",
    "valor",
    "cantidad",
    "quantity",
    "points",
    "price",
    "funds",
)


_TAKES = word_set("withdraw spend debit charge pay retirar abheben retirer prelevare pagar zahlen")


def money_column(entity: Entity) -> str | None:
    return next(
        (
            c
            for c in BALANCES
            if (a := entity.attribute(c)) is not None and a.type in (ColumnType.REAL, ColumnType.INTEGER)
        ),
        None,
    )


def amount_role(scene: Scene) -> Role | None:
    numeric = [r for r in scene.roles if r.shape.type in (ColumnType.REAL, ColumnType.INTEGER)]
    return next((r for r in numeric if snake(r.name) in AMOUNTS or snake(r.name).rsplit("_", 1)[-1] in AMOUNTS), None)


def transfer_shape(scene: Scene) -> tuple[Entity, list[Role]] | None:
    """The entity with a balance and the parameters that name its rows, when there is an amount to move."""
    if amount_role(scene) is None:
        return None
    for entity in [
        e for e in ([scene.entity] if scene.entity else []) + list(scene.entities.values()) if e is not None
    ]:
        if money_column(entity) is None:
            continue
        rows = [r for r in scene.roles_of("key", "reference") if not r.many and (r.entity == entity.name)]
        session = scene.entities.get("session")
        own = session is not None and any(a.references == entity.name for a in session.attributes)
        if rows or entity.singleton or own:
            return entity, rows
        reached = _through(scene, entity)
        if reached is not None:
            return reached
    return None


def _through(scene: Scene, entity: Entity) -> tuple[Entity, list[Role]] | None:
    """A card has no balance but its account has: the row is reached through the key that is given."""
    for role in scene.roles_of("key"):
        holder = scene.entities.get(role.entity or "")
        if (
            holder is not None
            and holder.name != entity.name
            and any(a.references == entity.name for a in holder.attributes)
        ):
            return entity, [role]
    return None


def build_transfer(scene: Scene, entity: Entity, rows: list[Role]) -> None:
    """Move an amount between two rows of an entity with a balance, or in or out of one."""
    scene.kind = OperationKind.TRANSFER
    role, column = amount_role(scene), money_column(entity)
    assert role is not None and column is not None
    amount = scene.argument(role)
    scene.refuse(call("less_equal", amount, Constant(value=0)), "The amount must be more than 0.", "range")
    if len(rows) >= 2:
        rows = sorted(
            rows,
            key=lambda r: any(
                w in split_words(r.name)
                for w in ("to", "target", "destination", "dest", "recipient", "destino", "payee", "beneficiary")
            ),
        )
        scene.refuse(
            equal(scene.argument(rows[0]), scene.argument(rows[1])), "Both sides of the transfer are the same.", "other"
        )
        source = scene.find(entity, scene.argument(rows[0]), row=f"source_{entity.name}", shown=rows[0].path[0])
        target = scene.find(entity, scene.argument(rows[1]), row=f"target_{entity.name}", shown=rows[1].path[0])
        guard(scene, entity, source)
        _take(scene, entity, source, column, amount)
        _put(scene, entity, target, column, amount)
    else:
        row = (
            _row_of(scene, entity, rows[0])
            if rows
            else (None if entity.singleton else scene.own_row(entity)) or scene.find(entity, None)
        )
        guard(scene, entity, row)
        (_take if _takes_out(scene) else _put)(scene, entity, row, column, amount)
        source = row
    record_of_transfer(scene, entity, source, amount)


def _row_of(scene: Scene, entity: Entity, role: Role) -> str:
    """The row with the balance: named by the parameter, or referred to by the row that it names."""
    if role.entity == entity.name:
        return scene.find(entity, scene.argument(role), shown=role.path[0])
    holder = scene.entities[role.entity or ""]
    row = scene.find(holder, scene.argument(role), shown=role.path[0])
    guard(scene, holder, row)
    reference = next(a for a in holder.attributes if a.references == entity.name)
    return scene.find(entity, RowField(row=row, column=reference.name))


def _takes_out(scene: Scene) -> bool:
    return scene.reading.verb.word in _TAKES or any(w in _TAKES for w in split_words(scene.reading.tool.original_name))


def _take(scene: Scene, entity: Entity, row: str, column: str, amount: Expression) -> None:
    balance = RowField(row=row, column=column)
    scene.refuse(
        call("less", balance, amount),
        f"The {column.replace('_', ' ')} is {{{row}.{column}}}, which is less than the amount.",
        "balance",
    )
    scene.add(
        Update(
            row=row,
            entity=entity.name,
            values=((column, call("round", call("subtract", balance, amount), Constant(value=2))),),
        )
    )


def _put(scene: Scene, entity: Entity, row: str, column: str, amount: Expression) -> None:
    balance = RowField(row=row, column=column)
    scene.add(
        Update(
            row=row,
            entity=entity.name,
            values=((column, call("round", call("add", balance, amount), Constant(value=2))),),
        )
    )


def record_of_transfer(scene: Scene, entity: Entity, row: str, amount: Expression) -> None:
    """Keep the movement where the tools can list movements, then return."""
    own = scene.entity
    named = scene.cast.record_of_tool.get(scene.reading.tool.name)
    log = (
        scene.entities[named]
        if named in scene.entities
        else own
        if own is not None
        and own.name != entity.name
        and not own.singleton
        and not any(r.role == "key" and r.entity == own.name for r in scene.roles)
        else next(
            (
                e
                for e in scene.entities.values()
                if any(w in e.name for w in ("transaction", "transfer", "payment", "movimiento", "transferencia"))
                and e.name != entity.name
            ),
            None,
        )
    )
    made = None
    if log is not None:
        kept: dict[str, Expression] = {entity.name: RowField(row=row, column=entity.key[-1])}
        left = money_column(entity)
        made = insert_record(scene, log, kept, amount, RowField(row=row, column=left) if left is not None else None)
    elif scene.unused():
        _keep_rest(scene, entity, row)
    if scene.plan is None or (isinstance(scene.plan, RowPlan) and log is not None and scene.plan.entity == log.name):
        return_row(scene, log if made and log is not None else entity, made or row)
    else:
        return_row(scene, entity, row)


def _keep_rest(scene: Scene, entity: Entity, row: str) -> None:
    values = tuple(
        (r.column, scene.argument(r))
        for r in scene.roles
        if r.column and r.path[0] in scene.unused() and entity.attribute(r.column)
    )
    if values:
        scene.add(Update(row=row, entity=entity.name, values=values, when_given=tuple(c for c, _ in values)))
