"""Tools of Bank: one function per tool over the SQLite state.

A function gets the database and the documented parameters, returns what the tool answers and raises ToolError
for a refusal. It runs in a transaction that is rolled back when it raises.
"""

import json
import re


class ToolError(Exception):
    """A refusal that the caller is told, in a sentence."""


def login(db, *, username, pin):
    """Log a user in and start a session."""
    person = db.one('SELECT * FROM "users" WHERE "username" = ?', username)
    if person is None:
        raise ToolError("The name or password is wrong.")
    if person["pin"] != pin:
        raise ToolError("The name or password is wrong.")
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    db.run(
        'UPDATE "session" SET "logged_in" = ?, "user_id" = ? WHERE "id" = ?',
        True,
        person["username"],
        session["id"],
    )
    session = db.one('SELECT * FROM "session" WHERE "id" = ?', session["id"])
    return {"username": person["username"], "logged_in": session["logged_in"]}


def logout(db):
    """End the session."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in.")
    db.run('UPDATE "session" SET "logged_in" = ?, "user_id" = ? WHERE "id" = ?', False, None, session["id"])
    session = db.one('SELECT * FROM "session" WHERE "id" = ?', session["id"])
    return {"logged_in": session["logged_in"]}


def get_login_status(db):
    """Tell whether a user is logged in, and who."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    user = db.one('SELECT * FROM "users" WHERE "username" = ?', session["user_id"])
    if user is None:
        raise ToolError("Nobody is logged in.")
    return {"logged_in": session["logged_in"], "username": user["username"]}


def list_accounts(db, *, account_type=None, status="open", sort_by="account_id", sort_order="asc"):
    """List the accounts of the user who is logged in."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    sort_columns = {"account_id": "account_id", "balance": "balance"}
    accounts = db.all(
        'SELECT * FROM "accounts"'
        ' WHERE (? IS NULL OR "account_type" = ?)'
        ' AND "status" = ?'
        ' AND "owner" = ?'
        ' ORDER BY "account_id"',
        account_type,
        account_type,
        status,
        session["user_id"],
    )
    accounts = _sort_rows(accounts, sort_columns.get(sort_by), sort_order)
    return {"accounts": [_account_view(row) for row in accounts]}


def get_account(db, *, account_id):
    """Get one account with its balance and its limits."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', account_id)
    if account is None:
        raise ToolError(f"No account with account id {account_id} was found.")
    if account["owner"] != session["user_id"]:
        raise ToolError("The account does not belong to the user.")
    return _account_view(account)


def open_account(db, *, account_type):
    """Open an account for the user who is logged in."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    held_accounts = db.all(
        'SELECT * FROM "accounts" WHERE "owner" = ? AND "status" = \'open\' ORDER BY "account_id"',
        session["user_id"],
    )
    if len(held_accounts) >= 4:
        raise ToolError("A user can have at most 4 open accounts.")
    new_account_id = _new_account_id(db)
    db.run(
        'INSERT INTO "accounts" ("account_type", "balance", "daily_limit", "account_id", "owner", "status")'
        " VALUES (?, ?, ?, ?, ?, ?)",
        account_type,
        0,
        2000,
        new_account_id,
        session["user_id"],
        "open",
    )
    new_account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', new_account_id)
    return _account_view(new_account)


def close_account(db, *, account_id):
    """Close an account."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', account_id)
    if account is None:
        raise ToolError(f"No account with account id {account_id} was found.")
    if account["status"] != "open":
        raise ToolError(f"Account cannot become closed: its status is {account['status']}.")
    if account["owner"] != session["user_id"]:
        raise ToolError("The account does not belong to the user.")
    if account["balance"] != 0:
        raise ToolError("The account must be open and its balance must be 0.")
    held_standing_orders = db.all(
        'SELECT * FROM "standing_orders"'
        ' WHERE "from_account_id" = ?'
        ' AND "status" = \'active\''
        ' ORDER BY "standing_order_id"',
        account["account_id"],
    )
    if len(held_standing_orders) >= 1:
        raise ToolError("An account with active standing orders cannot be closed.")
    if account["balance"] != 0:
        raise ToolError(
            "An account can be closed only when its balance is 0 and it has no active standing orders."
        )
    db.run('UPDATE "accounts" SET "status" = ? WHERE "account_id" = ?', "closed", account["account_id"])
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', account["account_id"])
    return _account_view(account)


def set_daily_limit(db, *, account_id, daily_limit):
    """Change how much may be transferred from an account in one day."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', account_id)
    if account is None:
        raise ToolError(f"No account with account id {account_id} was found.")
    if account["owner"] != session["user_id"]:
        raise ToolError("The account does not belong to the user.")
    if account["status"] != "open":
        raise ToolError(f"The account must be open. The status is {account['status']}.")
    db.run(
        'UPDATE "accounts" SET "daily_limit" = ? WHERE "account_id" = ?',
        daily_limit,
        account["account_id"],
    )
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', account["account_id"])
    return _account_view(account)


def find_recipient(db, *, name):
    """Find the accounts of other customers that can receive money, by the name of their owner."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    recipients = [
        candidate
        for candidate in db.all('SELECT * FROM "recipients" ORDER BY "id"')
        if _contains_text(candidate["name"], name)
    ]
    return {
        "recipients": [
            _omit_null(
                {"account_id": row["account_id"], "owner_name": row["owner_name"]},
                ["account_id", "owner_name"],
            )
            for row in recipients
        ],
    }


def quote_transfer(db, *, amount, speed="standard"):
    """Compute what a transfer costs, without doing it."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    units = 1
    subtotal = _round(amount, 2)
    surcharge = _round(_add(_add(0, 0.0 if speed == "standard" else 0), 1.5 if speed == "instant" else 0), 2)
    total = _round(_add(subtotal, surcharge), 2)
    if total is None:
        raise ToolError("The amount is out of range.")
    return {"amount": amount, "fee": surcharge, "total": total}


def transfer_money(db, *, from_account_id, to_account_id, amount, speed="standard", reference=""):
    """Transfer money from an account of the user to another account."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    if amount <= 0:
        raise ToolError("The amount must be more than 0.")
    if from_account_id == to_account_id:
        raise ToolError("Both sides of the transfer are the same.")
    source_account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', from_account_id)
    if source_account is None:
        raise ToolError(f"No account with account id {from_account_id} was found.")
    target_account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', to_account_id)
    if target_account is None:
        raise ToolError(f"No account with account id {to_account_id} was found.")
    if source_account["status"] == "closed":
        raise ToolError(f"One of the accounts is closed. The status is {source_account['status']}.")
    if target_account["status"] == "closed":
        raise ToolError(f"One of the accounts is closed. The status is {target_account['status']}.")
    if source_account["owner"] != session["user_id"]:
        raise ToolError("from_account_id does not belong to the user.")
    if _less(source_account["balance"], amount):
        raise ToolError(f"The balance is {_text(source_account['balance'])}, which is less than the amount.")
    db.run(
        'UPDATE "accounts" SET "balance" = ? WHERE "account_id" = ?',
        _round(_subtract(source_account["balance"], amount), 2),
        source_account["account_id"],
    )
    source_account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', source_account["account_id"])
    db.run(
        'UPDATE "accounts" SET "balance" = ? WHERE "account_id" = ?',
        _round(_add(target_account["balance"], amount), 2),
        target_account["account_id"],
    )
    new_transaction_id = _new_transaction_id(db)
    db.run(
        'INSERT INTO "transactions" ("from_account_id", "to_account_id", "account_id", "speed", '
        '"reference", "balance", "amount", "kind", "transaction_id")'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        from_account_id,
        to_account_id,
        source_account["account_id"],
        speed,
        reference,
        source_account["balance"],
        amount,
        "transfer_out",
        new_transaction_id,
    )
    new_transaction = db.one('SELECT * FROM "transactions" WHERE "transaction_id" = ?', new_transaction_id)
    return _omit_null(
        {
            "transaction_id": new_transaction["transaction_id"],
            "from_account_id": new_transaction["from_account_id"],
            "to_account_id": new_transaction["to_account_id"],
            "amount": new_transaction["amount"],
            "fee": new_transaction["fee"],
            "new_balance": new_transaction["balance"],
        },
        ["from_account_id", "to_account_id", "amount", "fee", "new_balance"],
    )


def list_transactions(
    db,
    *,
    account_id,
    from_date=None,
    to_date=None,
    kind=None,
    min_amount=None,
    sort_by="booked_on",
    sort_order="desc",
    page=1,
    page_size=10,
):
    """List the transactions of an account."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', account_id)
    if account is None:
        raise ToolError(f"No account with account id {account_id} was found.")
    if account["owner"] != session["user_id"]:
        raise ToolError("The account does not belong to the user.")
    if from_date is not None and to_date is not None and from_date > to_date:
        raise ToolError("from_date must not be after to_date.")
    sort_columns = {"booked_on": "booked_on", "amount": "amount"}
    all_transactions = db.all(
        'SELECT * FROM "transactions"'
        ' WHERE "account_id" = ?'
        ' AND (? IS NULL OR "booked_on" >= ?)'
        ' AND (? IS NULL OR "booked_on" <= ?)'
        ' AND (? IS NULL OR "kind" = ?)'
        ' AND (? IS NULL OR "amount" >= ?)'
        ' ORDER BY "transaction_id"',
        account["account_id"],
        from_date,
        from_date,
        to_date,
        to_date,
        kind,
        kind,
        min_amount,
        min_amount,
    )
    all_transactions = _sort_rows(all_transactions, sort_columns.get(sort_by), sort_order)
    total = len(all_transactions)
    transactions = _page(all_transactions, page_size, _multiply(page - 1, page_size))
    return {
        "transactions": [
            _omit_null(
                {
                    "transaction_id": _item(row, "transaction_id"),
                    "account_id": _item(row, "account_id"),
                    "kind": _item(row, "kind"),
                    "amount": _item(row, "amount"),
                    "booked_on": _item(row, "booked_on"),
                    "description": _item(row, "description"),
                },
                ["transaction_id", "account_id", "kind", "amount", "booked_on", "description"],
            )
            for row in _as_list(transactions)
        ],
    }


def get_statement(db, *, account_id, from_date, to_date):
    """Compute the statement of an account for a period: the sum of what came in (transfer_in), the sum of
    what went out (all other kinds), the difference of both, and the number of transactions.
    """
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', account_id)
    if account is None:
        raise ToolError(f"No account with account id {account_id} was found.")
    if account["owner"] != session["user_id"]:
        raise ToolError("The account does not belong to the user.")
    if from_date is not None and to_date is not None and from_date > to_date:
        raise ToolError("from_date must not be after to_date.")
    statements = db.all(
        'SELECT * FROM "statements" WHERE "account_id" = ? AND "date" >= ? AND "date" <= ? ORDER BY "id"',
        account["account_id"],
        from_date,
        to_date,
    )
    first_row = _at(statements, 0)
    if first_row is None:
        raise ToolError("No statement matches.")
    return _omit_null(
        {
            "account_id": _item(first_row, "account_id"),
            "total_in": _item(first_row, "total_in"),
            "total_out": _item(first_row, "total_out"),
            "net": _item(first_row, "net"),
            "transaction_count": _item(first_row, "transaction_count"),
        },
        ["account_id", "total_in", "total_out", "net", "transaction_count"],
    )


def list_cards(db, *, account_id=None, status=None):
    """List the cards of the user who is logged in."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    cards = db.all(
        'SELECT * FROM "cards"'
        ' WHERE (? IS NULL OR "account_id" = ?)'
        ' AND (? IS NULL OR "status" = ?)'
        ' AND "account_id" IN (SELECT "account_id" FROM "accounts" WHERE "owner" = ?)'
        ' ORDER BY "card_id"',
        account_id,
        account_id,
        status,
        status,
        session["user_id"],
    )
    return {"cards": [_card_view(row) for row in cards]}


def freeze_card(db, *, card_id, reason="temporary"):
    """Freeze a card, so that it cannot pay for a while."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    card = db.one('SELECT * FROM "cards" WHERE "card_id" = ?', card_id)
    if card is None:
        raise ToolError(f"No card with card id {card_id} was found.")
    if card["status"] != "active":
        raise ToolError(f"Card cannot become frozen: its status is {card['status']}.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', card["account_id"])
    if (account["owner"] if account else None) != session["user_id"]:
        raise ToolError("The card does not belong to the user.")
    db.run(
        'UPDATE "cards" SET "freeze_reason" = ?, "status" = ? WHERE "card_id" = ?',
        reason,
        "frozen",
        card["card_id"],
    )
    card = db.one('SELECT * FROM "cards" WHERE "card_id" = ?', card["card_id"])
    return _card_view(card)


def unfreeze_card(db, *, card_id):
    """Make a frozen card active again."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    card = db.one('SELECT * FROM "cards" WHERE "card_id" = ?', card_id)
    if card is None:
        raise ToolError(f"No card with card id {card_id} was found.")
    if card["status"] != "frozen":
        raise ToolError(f"Card cannot become active: its status is {card['status']}.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', card["account_id"])
    if (account["owner"] if account else None) != session["user_id"]:
        raise ToolError("The card does not belong to the user.")
    db.run('UPDATE "cards" SET "status" = ? WHERE "card_id" = ?', "active", card["card_id"])
    card = db.one('SELECT * FROM "cards" WHERE "card_id" = ?', card["card_id"])
    return _card_view(card)


def pay_by_card(db, *, card_id, merchant, amount):
    """Pay a merchant by card."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    if amount <= 0:
        raise ToolError("The amount must be more than 0.")
    card = db.one('SELECT * FROM "cards" WHERE "card_id" = ?', card_id)
    if card is None:
        raise ToolError(f"No card with card id {card_id} was found.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', card["account_id"])
    if (account["owner"] if account else None) != session["user_id"]:
        raise ToolError("The card does not belong to the user.")
    if card["status"] != "active":
        raise ToolError(f"The card must be active. The status is {card['status']}.")
    if card["status"] in ("blocked", "frozen"):
        raise ToolError(f"A frozen or blocked card cannot pay. The status is {card['status']}.")
    if amount is not None and card["spending_limit"] is not None and amount > card["spending_limit"]:
        raise ToolError("The amount must not exceed the spending_limit of the card.")
    account_2 = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', card["account_id"])
    if account_2 is None:
        raise ToolError("There is no account.")
    if card["status"] != "active":
        raise ToolError(f"The card must be active. The status is {card['status']}.")
    if amount is not None and card["spending_limit"] is not None and amount > card["spending_limit"]:
        raise ToolError("The amount must not exceed the spending_limit of the card.")
    if _less(account_2["balance"], amount):
        raise ToolError(f"The balance is {_text(account_2['balance'])}, which is less than the amount.")
    db.run(
        'UPDATE "accounts" SET "balance" = ? WHERE "account_id" = ?',
        _round(_subtract(account_2["balance"], amount), 2),
        account_2["account_id"],
    )
    account_2 = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', account_2["account_id"])
    new_transaction_id = _new_transaction_id(db)
    db.run(
        'INSERT INTO "transactions" ("from_account_id", "to_account_id", "account_id", "card_id", '
        '"merchant", "balance", "amount", "kind", "transaction_id")'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        account_2["account_id"],
        account_2["account_id"],
        account_2["account_id"],
        card_id,
        merchant,
        account_2["balance"],
        amount,
        "card_payment",
        new_transaction_id,
    )
    new_transaction = db.one('SELECT * FROM "transactions" WHERE "transaction_id" = ?', new_transaction_id)
    return _omit_null(
        {
            "transaction_id": new_transaction["transaction_id"],
            "card_id": new_transaction["card_id"],
            "amount": new_transaction["amount"],
            "new_balance": new_transaction["balance"],
        },
        ["card_id", "amount", "new_balance"],
    )


def list_standing_orders(db, *, from_account_id=None, status=None, frequency=None):
    """List the standing orders that are paid from the accounts of the user."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    standing_orders = db.all(
        'SELECT * FROM "standing_orders"'
        ' WHERE (? IS NULL OR "from_account_id" = ?)'
        ' AND (? IS NULL OR "status" = ?)'
        ' AND (? IS NULL OR "frequency" = ?)'
        ' ORDER BY "standing_order_id"',
        from_account_id,
        from_account_id,
        status,
        status,
        frequency,
        frequency,
    )
    return {"standing_orders": [_standing_order_view(row) for row in standing_orders]}


def create_standing_order(
    db,
    *,
    from_account_id,
    to_account_id,
    amount,
    frequency="monthly",
    start_date,
    end_date=None,
):
    """Create a standing order."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    from_account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', from_account_id)
    if from_account is None:
        raise ToolError(f"No account with account id {from_account_id} was found.")
    to_account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', to_account_id)
    if to_account is None:
        raise ToolError(f"No account with account id {to_account_id} was found.")
    if from_account["status"] == "closed":
        raise ToolError(f"One of the accounts is closed. The status is {from_account['status']}.")
    if from_account["owner"] != session["user_id"]:
        raise ToolError("from_account_id does not belong to the user.")
    if from_account_id == to_account_id:
        raise ToolError("The two accounts must differ.")
    if start_date is not None and end_date is not None and start_date >= end_date:
        raise ToolError("end_date must be after start_date.")
    held_standing_orders = db.all(
        'SELECT * FROM "standing_orders"'
        ' WHERE "from_account_id" = ?'
        ' AND "status" = \'active\''
        ' AND "from_account_id" = ?'
        ' AND "to_account_id" = ?'
        ' ORDER BY "standing_order_id"',
        from_account_id,
        from_account_id,
        to_account_id,
    )
    if len(held_standing_orders) >= 1:
        raise ToolError("There is already another active standing order between the same two accounts.")
    held_standing_orders_2 = db.all(
        'SELECT * FROM "standing_orders"'
        ' WHERE "from_account_id" = ?'
        ' AND "status" = \'active\''
        ' ORDER BY "standing_order_id"',
        from_account_id,
    )
    if len(held_standing_orders_2) >= 10:
        raise ToolError("An account can have at most 10 active standing orders.")
    new_standing_order_id = _new_standing_order_id(db)
    db.run(
        'INSERT INTO "standing_orders" ("from_account_id", "to_account_id", "amount", "frequency", '
        '"start_date", "end_date", "standing_order_id", "status")'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        from_account["account_id"],
        to_account["account_id"],
        amount,
        frequency,
        start_date,
        end_date,
        new_standing_order_id,
        "active",
    )
    new_standing_order = db.one(
        'SELECT * FROM "standing_orders" WHERE "standing_order_id" = ?',
        new_standing_order_id,
    )
    return _standing_order_view(new_standing_order)


def update_standing_order(db, *, standing_order_id, amount=None, frequency=None):
    """Change the amount or the frequency of a standing order."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    standing_order = db.one(
        'SELECT * FROM "standing_orders" WHERE "standing_order_id" = ?',
        standing_order_id,
    )
    if standing_order is None:
        raise ToolError(f"No standing order with standing order id {standing_order_id} was found.")
    if amount is None and frequency is None:
        raise ToolError("Nothing to change was given.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', standing_order["from_account_id"])
    if (account["owner"] if account else None) != session["user_id"]:
        raise ToolError("The standing order does not belong to the user.")
    if standing_order["status"] != "active":
        raise ToolError(
            f"Only active standing orders can be changed. The status is {standing_order['status']}."
        )
    db.run(
        'UPDATE "standing_orders"'
        ' SET "amount" = COALESCE(?, "amount"), "frequency" = COALESCE(?, "frequency")'
        ' WHERE "standing_order_id" = ?',
        amount,
        frequency,
        standing_order["standing_order_id"],
    )
    standing_order = db.one(
        'SELECT * FROM "standing_orders" WHERE "standing_order_id" = ?',
        standing_order["standing_order_id"],
    )
    return _standing_order_view(standing_order)


def cancel_standing_order(db, *, standing_order_id):
    """Cancel a standing order and set its status to cancelled."""
    session = db.one('SELECT * FROM "session"')
    if session is None:
        raise ToolError("There is no session.")
    if not session["logged_in"]:
        raise ToolError("Nobody is logged in; log in first.")
    standing_order = db.one(
        'SELECT * FROM "standing_orders" WHERE "standing_order_id" = ?',
        standing_order_id,
    )
    if standing_order is None:
        raise ToolError(f"No standing order with standing order id {standing_order_id} was found.")
    if standing_order["status"] != "active":
        raise ToolError(f"Standing order cannot become cancelled: its status is {standing_order['status']}.")
    account = db.one('SELECT * FROM "accounts" WHERE "account_id" = ?', standing_order["from_account_id"])
    if (account["owner"] if account else None) != session["user_id"]:
        raise ToolError("The standing order does not belong to the user.")
    db.run(
        'UPDATE "standing_orders" SET "status" = ? WHERE "standing_order_id" = ?',
        "cancelled",
        standing_order["standing_order_id"],
    )
    standing_order = db.one(
        'SELECT * FROM "standing_orders" WHERE "standing_order_id" = ?',
        standing_order["standing_order_id"],
    )
    return _standing_order_view(standing_order)


def _account_view(account):
    """The account as tools show it."""
    return _omit_null(
        {
            "account_id": account["account_id"],
            "owner": account["owner"],
            "account_type": account["account_type"],
            "balance": account["balance"],
            "daily_limit": account["daily_limit"],
            "transferred_today": account["transferred_today"],
            "status": account["status"],
        },
        ["owner", "balance", "daily_limit", "transferred_today"],
    )


def _card_view(card):
    """The card as tools show it."""
    return _omit_null(
        {
            "card_id": card["card_id"],
            "account_id": card["account_id"],
            "card_type": card["card_type"],
            "status": card["status"],
            "spending_limit": card["spending_limit"],
            "freeze_reason": card["freeze_reason"],
        },
        ["account_id", "card_type", "spending_limit", "freeze_reason"],
    )


def _standing_order_view(standing_order):
    """The standing order as tools show it."""
    return _omit_null(
        {
            "standing_order_id": standing_order["standing_order_id"],
            "from_account_id": standing_order["from_account_id"],
            "to_account_id": standing_order["to_account_id"],
            "amount": standing_order["amount"],
            "frequency": standing_order["frequency"],
            "start_date": standing_order["start_date"],
            "end_date": standing_order["end_date"],
            "status": standing_order["status"],
        },
        ["from_account_id", "to_account_id", "frequency", "end_date"],
    )


def _new_account_id(db):
    """A fresh id for a new account; ids that exist are passed over."""
    number = db.next_id("accounts")
    fresh = number
    while db.one('SELECT 1 FROM "accounts" WHERE "account_id" = ?', fresh) is not None:
        number = db.next_id("accounts")
        fresh = number
    return fresh


def _new_transaction_id(db):
    """A fresh id for a new transaction; ids that exist are passed over."""
    number = db.next_id("transactions")
    fresh = number
    while db.one('SELECT 1 FROM "transactions" WHERE "transaction_id" = ?', fresh) is not None:
        number = db.next_id("transactions")
        fresh = number
    return fresh


def _new_standing_order_id(db):
    """A fresh id for a new standing order; ids that exist are passed over."""
    number = db.next_id("standing_orders")
    fresh = number
    while db.one('SELECT 1 FROM "standing_orders" WHERE "standing_order_id" = ?', fresh) is not None:
        number = db.next_id("standing_orders")
        fresh = number
    return fresh


def _is_number(value):
    """Whether a value is a number that the state can hold; True and False are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= 1e300


def _finite(number):
    """A result without the noise of binary fractions; None when it is out of range."""
    if isinstance(number, int):
        return number if abs(number) < 2**63 else None
    return round(number, 10) if abs(number) <= 1e300 else None


def _add(left, right):
    """The sum; None when either is not a number."""
    return _finite(left + right) if _is_number(left) and _is_number(right) else None


def _subtract(left, right):
    """The difference; None when either is not a number."""
    return _finite(left - right) if _is_number(left) and _is_number(right) else None


def _multiply(left, right):
    """The product; None when either is not a number."""
    return _finite(left * right) if _is_number(left) and _is_number(right) else None


def _round(value, digits=0):
    """The number rounded to so many decimals, a whole number for none; None when it is not a number."""
    if not _is_number(value):
        return None
    places = max(-15, min(15, _integer(digits) or 0))
    return _finite(round(value, places) if places else round(value))


def _sort_key(value):
    """A total order over all values: None, then numbers, then texts, then lists and objects."""
    if value is None:
        return (0, 0, "")
    if isinstance(value, (int, float)):
        return (1, value, "")
    if isinstance(value, str):
        return (2, 0, value)
    return (3, 0, json.dumps(value, sort_keys=True))


def _comparable(left, right):
    """Whether both are numbers or both are texts."""
    both_texts = isinstance(left, str) and isinstance(right, str)
    return both_texts or (isinstance(left, (int, float)) and isinstance(right, (int, float)))


def _less(left, right):
    """Whether left comes before right; False when either is unknown or they are of different kinds."""
    return _comparable(left, right) and left < right


def _number(value):
    """The number that a value is or a text spells; None when there is none."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        spelled = value.strip().replace(",", "")
        try:
            value = int(spelled) if re.fullmatch(r"[+-]?\d{1,18}", spelled) else float(spelled)
        except ValueError:
            return None
    return value if _is_number(value) else None


def _integer(value):
    """The whole number that a value is, or its whole part; None when it is no number."""
    number = _number(value)
    return None if number is None else int(number)


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


def _as_list(value):
    """A list as it is, a single value as a list of it, None as an empty list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _at(values, index):
    """The member of a list or text at a position, negative from the end; None when there is none."""
    if not isinstance(values, (list, str)) or not _is_number(index):
        return None
    position = int(index)
    return values[position] if -len(values) <= position < len(values) else None


def _is_descending(order):
    """Whether a sort direction means descending: `desc...`, `-...` or True."""
    return order.lower().startswith(("desc", "-")) if isinstance(order, str) else bool(order)


def _sort_rows(rows, column, order):
    """The rows ordered by a column; rows that are equal in it keep their order, and no column changes nothing."""
    if column is None:
        return rows
    return sorted(rows, key=lambda row: _sort_key(row[column]), reverse=_is_descending(order))


def _page(rows, limit, offset=None):
    """At most so many rows after leaving out so many; all of them when no limit is known; None stays None."""
    if not isinstance(rows, (list, str)):
        return rows
    start = max(0, _integer(offset) or 0)
    size = _integer(limit)
    return rows[start:] if size is None else rows[start : start + max(0, size)]


def _item(container, key):
    """The property of an object or the member of a list; None when there is none."""
    if isinstance(container, dict):
        return container.get(key) if isinstance(key, str) else None
    return _at(container, key) if isinstance(container, list) else None


def _omit_null(record, names):
    """The record without those of the named properties that are None."""
    return {name: value for name, value in record.items() if value is not None or name not in names}
