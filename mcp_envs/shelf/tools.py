"""Tools of Shelf: one function per tool over the SQLite state.

A function gets the database and the documented parameters, returns what the tool answers and raises ToolError
for a refusal. It runs in a transaction that is rolled back when it raises.
"""

import json


class ToolError(Exception):
    """A refusal that the caller is told, in a sentence."""


def find_book(db, *, title):
    """Find a book by its title."""
    books = [
        candidate
        for candidate in db.all('SELECT * FROM "books" ORDER BY "book_id"')
        if _contains_text(candidate["title"], title)
    ]
    first_row = _at(books, 0)
    if first_row is None:
        raise ToolError("No book matches.")
    return {
        "book_id": _item(first_row, "book_id"),
        "title": _item(first_row, "title"),
        "shelf": _item(first_row, "shelf"),
        "status": _item(first_row, "status"),
    }


def lend_book(db, *, book_id):
    """Lend a book: its status becomes lent."""
    book = db.one('SELECT * FROM "books" WHERE "book_id" = ?', book_id)
    if book is None:
        raise ToolError(f"No book with book id {book_id} was found.")
    db.run('UPDATE "books" SET "status" = ? WHERE "book_id" = ?', "lent", book["book_id"])
    book = db.one('SELECT * FROM "books" WHERE "book_id" = ?', book["book_id"])
    return _book_view(book)


def lose_book(db, *, book_id):
    """Mark a book as lost: its status becomes lost."""
    book = db.one('SELECT * FROM "books" WHERE "book_id" = ?', book_id)
    if book is None:
        raise ToolError(f"No book with book id {book_id} was found.")
    if book["status"] == "lost":
        raise ToolError("Book is already lost.")
    db.run('UPDATE "books" SET "status" = ? WHERE "book_id" = ?', "lost", book["book_id"])
    book = db.one('SELECT * FROM "books" WHERE "book_id" = ?', book["book_id"])
    return _book_view(book)


def move_book(db, *, book_id, shelf):
    """Move a book to another shelf."""
    book = db.one('SELECT * FROM "books" WHERE "book_id" = ?', book_id)
    if book is None:
        raise ToolError(f"No book with book id {book_id} was found.")
    db.run('UPDATE "books" SET "shelf" = ? WHERE "book_id" = ?', shelf, book["book_id"])
    book = db.one('SELECT * FROM "books" WHERE "book_id" = ?', book["book_id"])
    return _book_view(book)


def _book_view(book):
    """The book as tools show it."""
    return {
        "book_id": book["book_id"],
        "title": book["title"],
        "shelf": book["shelf"],
        "status": book["status"],
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
