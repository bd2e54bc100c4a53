"""References between tables, by name and by value; and names for keys that have none in the data.

Invariant: every non-NULL value of a reference is a key of its target, so that a foreign key holds; tables never refer
to each other in a circle. Not covered: columns made up for nesting (`keys`), references declared in an SQLite file,
which are kept as they are (`sqlite_file`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from pydantic import JsonValue

from autoforge.generator.data.drafts import Column, Draft
from autoforge.generator.data.naming import noun_of
from autoforge.generator.data.shapes import data_like
from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.words import column_name, singular, split_words
from autoforge.generator.vocabulary import word_list, word_set

__all__ = ["find_references", "name_keys"]

_ID_WORDS = word_set("id ids key code number no name symbol uuid ref")
_SELF = word_set("parent manager supervisor boss reports reply replies previous next root related replaced")
_IDENTIFYING = word_list(
    "symbol ticker code sku email username user_name handle iban isbn iata slug number name title path url key ref"
)
Values = dict[JsonValue, None]
_PROSE = word_list("message text content body comment note description")
_MARKETS = word_set("stock share ticker coin asset security fund quote instrument crypto")


def find_references(drafts: Sequence[Draft], notes: list[str]) -> None:
    """Set `target` of columns that hold one key each, `link` of columns that hold lists of keys."""
    targets = [
        (d, d.key[0])
        for d in drafts
        if len(d.key) == 1 and d.kind != "single" and d.size and d.key[0].codec in ("same", "digits")
    ]
    for draft in sorted(
        drafts, key=lambda d: len(d.columns)
    ):  # of two tables with the same keys, the one that says more is referred to
        for column in draft.columns:
            if column.target is None and not column.generated:
                _find_target(draft, column, targets, notes)


def _find_target(draft: Draft, column: Column, targets: Sequence[tuple[Draft, Column]], notes: list[str]) -> None:
    listed = column.type is ColumnType.JSON
    values = (
        _listed(column) if listed else column.values() if column.type in (ColumnType.TEXT, ColumnType.INTEGER) else {}
    )
    if not values or column.forms or (not listed and column.codec not in ("same", "digits")):
        return
    found: list[tuple[int, str, Draft]] = []
    for target, key in targets:
        if key is column or (target is draft and column.cells == key.cells):
            continue
        named = _name_fits(_words(column), target) and (
            target is not draft or listed or bool(_SELF & set(_words(column)))
        )
        outside = _outside(values, key)
        if (
            outside
            and named
            and not listed
            and target is not draft
            and key.type is column.type
            and outside < len(values)
        ):
            notes.append(
                f"{draft.source}.{'.'.join(column.path)} looks like a reference to {target.source}, "
                f"but {outside} of {len(values)} values are not there."
            )
        if outside:
            continue
        if named:
            found.append((2, "its name and all its values", target))
        elif _tells(values, column, key):
            found.append((1, "all its values", target))
    best = max((f[0] for f in found), default=0)
    found = [f for f in found if f[0] == best]
    found = [f for f in found if f[2].key[0].target not in [other[2] for other in found]]
    if len(found) != 1:
        return
    _, why, target = found[0]
    column.reason = f"{why} are keys of {target.source}"
    if listed:
        column.link = target
    elif not _runs_in_circle(column, draft) if target is draft else not _reaches(target, draft):
        column.target = target
    else:
        where = f"{draft.source}.{'.'.join(column.path)}"
        notes.append(f"{where} holds keys of {target.source}, which refers back to it: it is no foreign key.")


def _listed(column: Column) -> Values:
    """The members of a column of lists of texts or integers; nothing where it holds anything else."""
    members: Values = {}
    for cell in column.cells:
        if cell is None:
            continue
        if not isinstance(cell, list) or not all(type(m) in (str, int) for m in cell):
            return {}
        members.update(dict.fromkeys(cell))
    return members


def _outside(values: Values, key: Column) -> int:
    known = key.values()
    first = next(iter(values))
    if type(first) is not type(next(iter(known))):
        return len(values)
    return sum(v not in known for v in values)


def _words(column: Column) -> tuple[str, ...]:
    return split_words(column.path[-1]) if column.path and column.role == "data" else ()


def _name_fits(words: Sequence[str], target: Draft) -> bool:
    """`user_id`, `current_user`, `user_ids`, `assignedUser` for user; the key's own name where it is no plain `id`."""
    noun = noun_of(target).split("_")
    bare = [*words[:-1]] if len(words) > 1 and words[-1] in _ID_WORDS else list(words)
    if not bare:
        return False
    bare[-1] = singular(bare[-1])
    own = target.key[0]
    own_name = column_name(own.path[-1]) if own.path and own.role == "data" else ""
    exact = "_".join(words) == own_name and own_name not in (
        "id",
        "key",
        "name",
        "code",
        "number",
        "title",
        "position",
        "value",
        "date",
    )
    return exact or bare[-len(noun) :] == noun or (bool(set(words) & _SELF) and words[-1] in (*_ID_WORDS, *_SELF, "to"))


def _tells(values: Values, column: Column, key: Column) -> bool:
    """Whether texts are so peculiar that they are keys whatever the column is called."""
    if not all(isinstance(v, str) and data_like(v) for v in values):
        return False
    return len(key.values()) > 1 and (
        len(values) > 1
        or key.role != "data"
        or column.role != "data"
        or any(c.isdigit() for c in str(next(iter(values))))
    )


def _reaches(start: Draft, goal: Draft) -> bool:
    """Whether references or nesting lead from `start` to `goal`."""
    seen: set[int] = set()
    todo = [start]
    while todo:
        draft = todo.pop()
        if draft is goal:
            return True
        if id(draft) not in seen:
            seen.add(id(draft))
            todo += [c.target for c in draft.columns if c.target is not None] + draft.ancestors()
    return False


def _runs_in_circle(column: Column, draft: Draft) -> bool:
    """Whether rows of a table refer to each other, so that none could be inserted first."""
    following = dict(zip(draft.key[0].cells, column.cells, strict=True))
    done: set[JsonValue] = {None}
    for start in following:
        chain: set[JsonValue] = set()
        here: JsonValue = start
        while here not in done:
            if here in chain:
                return True
            chain.add(here)
            here = None if following[here] == here else following[here]
        done |= chain
    return False


def name_keys(drafts: Sequence[Draft], hints: Collection[str]) -> None:
    """Name the keys of maps and the members of scalar lists, which have no name in the data."""
    known = {column_name(h) for h in hints}
    columns = [c for d in drafts for c in d.columns]
    for draft in sorted(drafts, key=lambda d: any(c.target for c in d.columns if c.role in ("key", "value"))):
        taken = {c.name for c in draft.columns if c.name} | {
            column_name("_".join(c.path)) for c in draft.columns if c.role == "data"
        }
        for column in sorted(draft.columns, key=lambda c: c not in draft.key):
            if column.role in ("key", "value"):
                name = next((n for n in _names(draft, column, known, columns) if n not in taken), "")
                taken.add(name)
                column.name = name


def _names(draft: Draft, column: Column, hints: set[str], columns: Sequence[Column]) -> Iterator[str]:
    noun = noun_of(draft)
    if column.target is not None and column.target.key[0] is not column:
        name = column.target.key[0].name or column_name("_".join(column.target.key[0].path) or "id")
        yield name if name not in ("id", "name", "code", "key", "number") else f"{noun_of(column.target)}_{name}"
    texts = [str(v) for v in column.values()]
    by_id = bool(texts) and all(map(data_like, texts))
    if column.role == "value":
        yield from [f"{noun}_id"] if by_id and draft.kind == "map" and column in draft.key else []
        prose = sum(map(len, texts)) > 15 * len(texts) and any(" " in t for t in texts)
        yield from [n for n in _PROSE if n in hints] if prose else []
        yield "value"
        return
    if column.type is ColumnType.TEXT:
        families = _families(noun, texts, by_id)
    else:
        families = ["time", "start"] if column.type is ColumnType.TIME else ["date", "day", f"{noun}_date"]
    yield from (n for n in families if n in hints)
    yield from (n for n, _ in Counter(_referring(draft, column, columns)).most_common())
    yield from families


def _families(noun: str, texts: Sequence[str], by_id: bool) -> list[str]:
    """Names that would suit keys of this look, the most usual first."""
    if texts and all("@" in t for t in texts):
        return ["email", f"{noun}_email", f"{noun}_id"]
    short = texts and all(t.isascii() and t.isupper() and t.isalpha() and len(t) <= 6 for t in texts)
    if short:
        first = ["symbol", "ticker", "code"] if set(noun.split("_")) & _MARKETS else ["code", "symbol", "ticker"]
        return [*first, f"{noun}_symbol", f"{noun}_code", f"{noun}_id", "currency", "id", "name"]
    named = ["name", f"{noun}_name", "username", "title", "path", "slug", "key", f"{noun}_id", f"{noun}_key", "id"]
    numbered = [f"{noun}_id", f"{noun}_code", f"{noun}_number", "sku", "isbn", "code", "number", "id", f"{noun}_key"]
    return [*numbered, *named] if by_id else [*named, *numbered]


def _referring(draft: Draft, column: Column, columns: Sequence[Column]) -> Iterator[str]:
    """How the columns that refer to this key call it."""
    for other in columns:
        if other.target is draft and draft.key[0] is column and other.path and other.role == "data":
            name = column_name(other.path[-1])
            if name in _IDENTIFYING or name.endswith(("_code", "_number", "_symbol")):
                yield name
