"""Which parameter is the key of a tool, once all of its parameters have roles.

Invariant: a tool about one row has at most one key that is no list. Not covered: the key columns of entities
(`keys`).
"""

from __future__ import annotations

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import id_stem
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import ascii_word, column_name, snake, split_words

__all__ = ["settle_keys"]


def settle_keys(reading: Reading, draft: EntityDraft | None, roles: list[Role]) -> None:
    """A tool that reads or changes one row needs a key: where no id is given, the one required scalar that could name a
    row is it.
    """
    if draft is not None and sum(r.role == "key" for r in roles) > 1:
        _one_key(reading, draft, roles)
    if draft is None or any(r.role in ("key", "batch") for r in roles):
        return
    old = next((r for r in roles if r.role == "old" and r.column), None)
    if old is not None and not old.shape.many:
        old.role, old.entity = "key", draft.name
        return
    one_row = reading.verb.kind in (
        VerbClass.GET,
        VerbClass.DELETE,
        VerbClass.STATE,
        VerbClass.TOGGLE,
        VerbClass.UPDATE,
        VerbClass.SET,
        VerbClass.MOVE,
        VerbClass.CHECK,
        VerbClass.RUN,
        VerbClass.ADD,
        VerbClass.REMOVE,
    )
    if not one_row or (reading.plural and reading.verb.kind is VerbClass.GET):
        return
    loose = reading.verb.kind in (VerbClass.STATE, VerbClass.DELETE, VerbClass.TOGGLE, VerbClass.MOVE) and not any(
        r.required for r in roles
    )
    candidates = [
        r
        for r in roles
        if split_words(r.name)[0] not in ("new", "nuevo", "neue", "updated")
        and (r.required or loose)
        and r.role in ("value", "filter")
        and r.column
        and (
            r.shape.type in (ColumnType.TEXT, ColumnType.INTEGER)
            or (r.shape.type is ColumnType.REAL and snake(r.name).rsplit("_", 1)[-1] in ("index", "number"))
        )
        and not r.shape.schema.get("enum")
    ]
    named = [r for r in candidates if _names_row(r, draft)]
    adds = reading.verb.kind is VerbClass.ADD and not any(r.role == "element" for r in roles)
    if named and not adds:
        named[0].role, named[0].entity = "key", draft.name


def _one_key(reading: Reading, draft: EntityDraft, roles: list[Role]) -> None:
    """Of several ids of the same entity one is the key: the path's, else the bare `id`, else the first. The others
    refer, or must agree.
    """
    keys = [r for r in roles if r.role == "key"]
    http = reading.tool.http
    first = next((r for r in keys if http is not None and r.name in http.path_parameters), None) or next(
        (r for r in keys if id_stem(r.name) == ()), keys[0]
    )
    for role in keys:
        if role is first:
            continue
        if id_stem(role.name) == () or role.column is not None:
            role.role, role.column = "same", role.column
        else:
            role.role, role.column = "reference", column_name(role.name)
            if reading.verb.kind is VerbClass.TRANSFER:
                continue  # the other side of a transfer is no property of this one
            draft.column(
                role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}"
            ).references = draft.name


def _names_row(role: Role, draft: EntityDraft) -> bool:
    word = ascii_word(snake(role.name))
    last = word.removesuffix("_str").removesuffix("_string").rsplit("_", 1)[-1]
    if {"directory", "folder", "dir"} & set(word.split("_")) and draft.name not in ("directory", "folder"):
        return False
    return (
        last
        in (
            "name",
            "username",
            "symbol",
            "path",
            "code",
            "number",
            "slug",
            "key",
            "index",
            "email",
            "isbn",
            "sku",
            "url",
            "title",
            "handle",
            "ticker",
            "nombre",
            "codigo",
            "numero",
            "month",
            "nummer",
            "uri",
            "hash",
            "alias",
            "identifier",
            "phone",
            "serial",
            "vin",
            "iban",
        )
        or word == draft.name
    )
