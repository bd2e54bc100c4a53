"""Names of entities, tables and columns: legal in SQL, readable, unique ignoring case, near to those of the data.

Invariant: the data's own names come first, made-up ones step aside. Not covered: what a key column without a name
means (`links`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from autoforge.generator.data.drafts import Column, Draft
from autoforge.generator.rules.words import column_name, plural, singular, snake, split_words
from autoforge.generator.vocabulary import word_set
from autoforge.mcp_envs.errors import BadInput

__all__ = ["free_name", "name_columns", "name_drafts", "noun_of", "owner_name"]

_CONTAINERS = word_set(
    "list queue map mapping table history records data db database store collection lookup index log dict array rows"
)
_PLAIN = word_set("id key code name value position number title slug uuid symbol label")
_SYMBOLS = {
    "%": " percent ",
    "#": " number ",
    "$": " dollar ",
    "€": " euro ",
    "£": " pound ",
    "&": " and ",
    "+": " plus ",
}


def noun_of(draft: Draft) -> str:
    """Singular, snake_case: `ticket_queue` → ticket, `users` → user. A list of scalars and a singleton keep their
    name."""
    words = list(split_words(draft.source)) or ["item"]
    if draft.kind == "single" or (draft.scalar and draft.kind == "list"):
        return snake(words)
    while len(words) > 1 and words[-1] in _CONTAINERS:
        words.pop()
    return snake([*words[:-1], singular(words[-1])])


def name_drafts(drafts: Iterable[Draft]) -> None:
    """Give each draft its entity and table name; what stands at the top of a document is named first.

    Raises BadInput where two files hold a table of the same name.
    """
    entities: dict[str, Draft] = {}
    tables: dict[str, Draft] = {}
    for draft in sorted(drafts, key=lambda d: len(d.ancestors())):
        table = _spoken(draft.source)
        other = tables.get(table.casefold())
        if other is not None and other.document != draft.document and draft.parent is None and draft.kind != "single":
            raise BadInput(
                f"{other.document} and {draft.document} both hold a table {draft.source!r}: "
                "rename it in one of them, or give one file."
            )
        draft.entity = free_name(_entity_names(draft), entities.__contains__)
        entities[draft.entity.casefold()] = draft
        draft.table = free_name(_table_names(draft, table), tables.__contains__)
        tables[draft.table.casefold()] = draft


def _entity_names(draft: Draft) -> Iterator[str]:
    noun = noun_of(draft)
    if draft.parent is None or _names_itself(draft, noun):
        yield noun
    if draft.parent is not None:
        yield snake(f"{draft.parent.entity}_{noun.removeprefix(draft.parent.entity + '_')}")
    yield snake(draft.source)
    yield snake(f"{draft.document.rpartition('.')[0]}_{draft.source}")


def _table_names(draft: Draft, table: str) -> Iterator[str]:
    if draft.parent is None:
        yield table
    words = draft.entity.split("_")
    yield draft.entity if draft.kind == "single" or draft.scalar else "_".join([*words[:-1], plural(words[-1])])


def _names_itself(draft: Draft, noun: str) -> bool:
    """Whether the rows have a key of their own that says what they are: `order_id` of an order."""
    return (
        len(draft.key) == 1
        and draft.key[0].role == "data"
        and column_name(draft.key[0].path[-1]) in ("id", f"{noun}_id")
    )


def free_name(wanted: Iterable[str], taken: Callable[[str], bool]) -> str:
    """The first name wanted that is not taken (asked in lower case), else the last with a number."""
    name = ""
    for name in wanted:
        if not taken(name.casefold()) and not name.startswith(("sqlite_", "autoforge_")):
            return name
    number = 2
    while taken(f"{name}_{number}".casefold()):
        number += 1
    return f"{name}_{number}"


def name_columns(draft: Draft) -> None:
    """Name the columns that have no name yet, those of the data first."""
    taken = {c.name.casefold() for c in draft.columns if c.name}
    for column in sorted(draft.columns, key=lambda c: c.role != "data"):
        if not column.name:
            column.name = free_name(
                [_spoken(" ".join(column.path)) if column.path else column.role], taken.__contains__
            )
            taken.add(column.name.casefold())


def owner_name(draft: Draft, parent_key: Column) -> Iterator[str]:
    """Names for the column of a child table that holds the key of its parent's row."""
    assert draft.parent is not None
    if parent_key.name not in _PLAIN and not parent_key.generated:
        yield parent_key.name
    yield snake(f"{draft.parent.entity}_{parent_key.name}")
    yield snake(f"owner_{parent_key.name}")


def _spoken(name: str) -> str:
    """`MA(5)` → ma_5, `% change` → percent_change, `#` → number."""
    for symbol, word in _SYMBOLS.items():
        name = name.replace(symbol, word)
    return column_name(name)
