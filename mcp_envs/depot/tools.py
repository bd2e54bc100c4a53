"""Tools of Depot: one function per tool over the SQLite state.

A function gets the database and the documented parameters, returns what the tool answers and raises ToolError
for a refusal. It runs in a transaction that is rolled back when it raises.
"""

import json


class ToolError(Exception):
    """A refusal that the caller is told, in a sentence."""


def find_parcel(db, *, code):
    """Find a parcel by its tracking code."""
    parcels = [
        candidate
        for candidate in db.all('SELECT * FROM "parcels" ORDER BY "parcel_id"')
        if _equal_text(candidate["code"], code)
    ]
    first_row = _at(parcels, 0)
    if first_row is None:
        raise ToolError("No parcel matches.")
    return {
        "parcel_id": _item(first_row, "parcel_id"),
        "code": _item(first_row, "code"),
        "city": _item(first_row, "city"),
        "status": _item(first_row, "status"),
    }


def dispatch_parcel(db, *, parcel_id):
    """Set the status of a parcel to dispatched."""
    parcel = db.one('SELECT * FROM "parcels" WHERE "parcel_id" = ?', parcel_id)
    if parcel is None:
        raise ToolError(f"No parcel with parcel id {parcel_id} was found.")
    if parcel["status"] == "dispatched":
        raise ToolError("Parcel is already dispatched.")
    db.run('UPDATE "parcels" SET "status" = ? WHERE "parcel_id" = ?', "dispatched", parcel["parcel_id"])
    parcel = db.one('SELECT * FROM "parcels" WHERE "parcel_id" = ?', parcel["parcel_id"])
    return _parcel_view(parcel)


def cancel_parcel(db, *, parcel_id):
    """Set the status of a parcel to cancelled."""
    parcel = db.one('SELECT * FROM "parcels" WHERE "parcel_id" = ?', parcel_id)
    if parcel is None:
        raise ToolError(f"No parcel with parcel id {parcel_id} was found.")
    if parcel["status"] not in ("stored", "dispatched"):
        raise ToolError(f"Parcel cannot become cancelled: its status is {parcel['status']}.")
    db.run('UPDATE "parcels" SET "status" = ? WHERE "parcel_id" = ?', "cancelled", parcel["parcel_id"])
    parcel = db.one('SELECT * FROM "parcels" WHERE "parcel_id" = ?', parcel["parcel_id"])
    return _parcel_view(parcel)


def redirect_parcel(db, *, parcel_id, city):
    """Change the city of a parcel."""
    parcel = db.one('SELECT * FROM "parcels" WHERE "parcel_id" = ?', parcel_id)
    if parcel is None:
        raise ToolError(f"No parcel with parcel id {parcel_id} was found.")
    db.run('UPDATE "parcels" SET "city" = ? WHERE "parcel_id" = ?', city, parcel["parcel_id"])
    parcel = db.one('SELECT * FROM "parcels" WHERE "parcel_id" = ?', parcel["parcel_id"])
    return _parcel_view(parcel)


def _parcel_view(parcel):
    """The parcel as tools show it."""
    return {
        "parcel_id": parcel["parcel_id"],
        "code": parcel["code"],
        "city": parcel["city"],
        "status": parcel["status"],
    }


def _is_number(value):
    """Whether a value is a number that the state can hold; True and False are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= 1e300


def _text(value):
    """The value as a person writes it; None stays None."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (bool, list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _equal_text(left, right):
    """Whether two texts are the same, ignoring case; False for None."""
    return left is not None and right is not None and _text(left).casefold() == _text(right).casefold()


def _at(values, index):
    """The member of a list or text at a position, negative from the end; None when there is none."""
    if not isinstance(values, (list, str)) or not _is_number(index):
        return None
    position = int(index)
    return values[position] if -len(values) <= position < len(values) else None


def _item(container, key):
    """The property of an object or the member of a list; None when there is none."""
    if isinstance(container, dict):
        return container.get(key) if isinstance(key, str) else None
    return _at(container, key) if isinstance(container, list) else None
