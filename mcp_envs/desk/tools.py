"""Tools of Desk: one function per tool over the SQLite state.

A function gets the database and the documented parameters, returns what the tool answers and raises ToolError
for a refusal. It runs in a transaction that is rolled back when it raises.
"""

import json


class ToolError(Exception):
    """A refusal that the caller is told, in a sentence."""


def find_ticket(db, *, title):
    """Find a ticket by its exact title."""
    tickets = [
        candidate
        for candidate in db.all('SELECT * FROM "tickets" ORDER BY "ticket_id"')
        if _contains_text(candidate["title"], title)
    ]
    first_row = _at(tickets, 0)
    if first_row is None:
        raise ToolError("No ticket matches.")
    return {
        "ticket_id": _item(first_row, "ticket_id"),
        "title": _item(first_row, "title"),
        "status": _item(first_row, "status"),
        "priority": _item(first_row, "priority"),
    }


def close_ticket(db, *, ticket_id):
    """Close a ticket."""
    ticket = db.one('SELECT * FROM "tickets" WHERE "ticket_id" = ?', ticket_id)
    if ticket is None:
        raise ToolError(f"No ticket with ticket id {ticket_id} was found.")
    if ticket["status"] not in ("open", "waiting"):
        raise ToolError(f"Ticket cannot become closed: its status is {ticket['status']}.")
    db.run('UPDATE "tickets" SET "status" = ? WHERE "ticket_id" = ?', "closed", ticket["ticket_id"])
    ticket = db.one('SELECT * FROM "tickets" WHERE "ticket_id" = ?', ticket["ticket_id"])
    return _ticket_view(ticket)


def set_priority(db, *, ticket_id, priority):
    """Set the priority of a ticket."""
    ticket = db.one('SELECT * FROM "tickets" WHERE "ticket_id" = ?', ticket_id)
    if ticket is None:
        raise ToolError(f"No ticket with ticket id {ticket_id} was found.")
    db.run('UPDATE "tickets" SET "priority" = ? WHERE "ticket_id" = ?', priority, ticket["ticket_id"])
    ticket = db.one('SELECT * FROM "tickets" WHERE "ticket_id" = ?', ticket["ticket_id"])
    return _ticket_view(ticket)


def hold_ticket(db, *, ticket_id):
    """Set the status of a ticket to waiting."""
    ticket = db.one('SELECT * FROM "tickets" WHERE "ticket_id" = ?', ticket_id)
    if ticket is None:
        raise ToolError(f"No ticket with ticket id {ticket_id} was found.")
    if ticket["status"] == "waiting":
        raise ToolError("Ticket is already waiting.")
    db.run('UPDATE "tickets" SET "status" = ? WHERE "ticket_id" = ?', "waiting", ticket["ticket_id"])
    ticket = db.one('SELECT * FROM "tickets" WHERE "ticket_id" = ?', ticket["ticket_id"])
    return _ticket_view(ticket)


def _ticket_view(ticket):
    """The ticket as tools show it."""
    return {
        "ticket_id": ticket["ticket_id"],
        "title": ticket["title"],
        "status": ticket["status"],
        "priority": ticket["priority"],
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


def _contains_text(value, part):
    """Whether a text, or any member of a list or object, contains the part, ignoring case; False for None."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(_contains_text(member, part) for member in value)
    return value is not None and part is not None and _text(part).casefold() in _text(value).casefold()


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
