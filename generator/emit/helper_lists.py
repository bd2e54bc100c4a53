"""Source of the helper functions of generated code for lists, objects and rows; `helpers` says what they keep.

Invariant: each source stands by itself, but for the helpers that it calls. Not covered: choosing them (`helpers`).
"""

from __future__ import annotations

__all__ = ["LISTS"]

LISTS = '''
def _in(value, container):
    """Whether a list holds the value, an object the key, or a text the part; False for None."""
    if isinstance(container, list):
        return value in container
    if isinstance(container, (dict, str)):
        return isinstance(value, str) and value in container
    return False


def _as_list(value):
    """A list as it is, a single value as a list of it, None as an empty list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _append(values, value):
    """A new list with the value at its end."""
    return [*_as_list(values), value]


def _without(values, value):
    """A new list without the members that equal the value, or an object without that property."""
    if isinstance(values, dict):
        return {key: member for key, member in values.items() if key != value}
    return [member for member in _as_list(values) if member != value]


def _at(values, index):
    """The member of a list or text at a position, negative from the end; None when there is none."""
    if not isinstance(values, (list, str)) or not _is_number(index):
        return None
    position = int(index)
    return values[position] if -len(values) <= position < len(values) else None


def _insert_at(values, index, value):
    """A new list with the value inserted before a position; at the end when no position is known."""
    members = _as_list(values)
    position = int(index) if _is_number(index) else len(members)
    return [*members[:position], value, *members[position:]]


def _move_item(values, start, end):
    """A new list with the member at position start moved to position end; the same when there is none."""
    members = _as_list(values)
    if not _is_number(start) or not _is_number(end) or not 0 <= start < len(members):
        return members
    position = int(start)
    return _insert_at([*members[:position], *members[position + 1 :]], max(0, int(end)), members[position])


def _set_item(container, key, value):
    """A new object with the property set, or a new list with the member at a position replaced."""
    if isinstance(container, list):
        if not _is_number(key) or not -len(container) <= key < len(container):
            return container
        position = int(key) % len(container)
        return [*container[:position], value, *container[position + 1 :]]
    name = _text(key)
    return container if name is None else {**(container if isinstance(container, dict) else {}), name: value}


def _merge(*values):
    """Objects as one, of which later properties win, or lists one after the other; None counts as nothing."""
    if any(isinstance(value, list) for value in values):
        return [member for value in values for member in _as_list(value)]
    merged = {}
    for value in values:
        if isinstance(value, dict):
            merged.update(value)
    return merged


def _unique(values):
    """A new list with the first of equal members, in the order given."""
    first = {}
    for value in _as_list(values):
        first.setdefault(_sort_key(value), value)
    return list(first.values())


def _is_descending(order):
    """Whether a sort direction means descending: `desc...`, `-...` or True."""
    return order.lower().startswith(("desc", "-")) if isinstance(order, str) else bool(order)


def _sort(values, key=None, order=None):
    """A new list in order, of the members or of one of their properties."""
    ordered = sorted(_as_list(values), key=lambda value: _sort_key(value if key is None else _item(value, key)))
    return ordered[::-1] if _is_descending(order) else ordered


def _sort_rows(rows, column, order):
    """The rows ordered by a column; rows that are equal in it keep their order, and no column changes nothing."""
    if column is None:
        return rows
    return sorted(rows, key=lambda row: _sort_key(row[column]), reverse=_is_descending(order))


def _slice(values, start, end=None):
    """The part of a list or text from one position up to another, or to its end; None stays None."""
    if not isinstance(values, (list, str)):
        return values
    return values[_integer(start) : _integer(end)]


def _page(rows, limit, offset=None):
    """At most so many rows after leaving out so many; all of them when no limit is known; None stays None."""
    if not isinstance(rows, (list, str)):
        return rows
    start = max(0, _integer(offset) or 0)
    size = _integer(limit)
    return rows[start:] if size is None else rows[start : start + max(0, size)]


def _column(values, key):
    """The members of a list, or that property of each, without None."""
    members = _as_list(values) if key is None else [_item(value, key) for value in _as_list(values)]
    return [member for member in members if member is not None]


def _count(values):
    """The number of members; 0 for None."""
    return len(values) if isinstance(values, (list, dict)) else len(_as_list(values))


def _sum(values, key=None):
    """The sum of the numbers in a list, or of a property of its members; whatever is no number is left out."""
    total = 0
    for number in _column(values, key):
        total = _add(total, number) if _is_number(number) and total is not None else total
    return total


def _average(values, key=None):
    """The mean of the numbers in a list, or of a property of its members; None when there are none."""
    numbers = [number for number in _column(values, key) if _is_number(number)]
    return _divide(_sum(numbers), len(numbers))


def _min_of(values, key=None):
    """The least member of a list, or of a property of its members; None when there is none."""
    return _minimum(*_column(values, key))


def _max_of(values, key=None):
    """The greatest member of a list, or of a property of its members; None when there is none."""
    return _maximum(*_column(values, key))


def _group_count(values, key=None):
    """How often each member occurs, or each value of a property, by its text."""
    counts = {}
    for member in _column(values, key):
        counts[_text(member)] = counts.get(_text(member), 0) + 1
    return counts


def _keys(value):
    """The names of an object's properties; an empty list for anything else."""
    return list(value) if isinstance(value, dict) else []


def _values(value):
    """The values of an object's properties; an empty list for anything else."""
    return list(value.values()) if isinstance(value, dict) else []


def _item(container, key):
    """The property of an object or the member of a list; None when there is none."""
    if isinstance(container, dict):
        return container.get(key) if isinstance(key, str) else None
    return _at(container, key) if isinstance(container, list) else None


def _omit_null(record, names):
    """The record without those of the named properties that are None."""
    return {name: value for name, value in record.items() if value is not None or name not in names}
'''
