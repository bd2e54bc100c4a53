"""Tools of Telecom: one function per tool over the SQLite state.

A function gets the database and the documented parameters, returns what the tool answers and raises ToolError
for a refusal. It runs in a transaction that is rolled back when it raises.
"""

import json
import re


class ToolError(Exception):
    """A refusal that the caller is told, in a sentence."""


def find_customers(db, *, phone_number=None, email=None, full_name=None, limit=10, offset=0):
    """Find customers by phone number, email or name."""
    all_customers = [
        candidate
        for candidate in db.all('SELECT * FROM "customers" ORDER BY "customer_id"')
        if (phone_number is None or _equal_text(candidate["phone_number"], phone_number))
        and (email is None or _equal_text(candidate["email"], email))
        and (full_name is None or _contains_text(candidate["full_name"], full_name))
    ]
    total = len(all_customers)
    customers = _page(all_customers, limit, offset)
    return {
        "customers": [
            {
                "customer_id": _item(row, "customer_id"),
                "full_name": _item(row, "full_name"),
                "email": _item(row, "email"),
                "phone_number": _item(row, "phone_number"),
                "date_of_birth": _item(row, "date_of_birth"),
                "status": _item(row, "status"),
                "payment_method": _item(row, "payment_method"),
            }
            for row in _as_list(customers)
        ],
        "total": total,
    }


def get_customer(db, *, customer_id):
    """Get one customer."""
    customer = db.one('SELECT * FROM "customers" WHERE "customer_id" = ?', customer_id)
    if customer is None:
        raise ToolError(f"No customer with customer id {customer_id} was found.")
    return {
        "customer_id": customer["customer_id"],
        "full_name": customer["full_name"],
        "email": customer["email"],
        "phone_number": customer["phone_number"],
        "date_of_birth": customer["date_of_birth"],
        "status": customer["status"],
        "payment_method": customer["payment_method"],
    }


def list_lines(db, *, customer_id, status=None):
    """List the lines of a customer."""
    customer = db.one('SELECT * FROM "customers" WHERE "customer_id" = ?', customer_id)
    if customer is None:
        raise ToolError(f"No customer with customer id {customer_id} was found.")
    lines = db.all(
        'SELECT * FROM "lines" WHERE "customer_id" = ? AND (? IS NULL OR "status" = ?) ORDER BY "line_id"',
        customer["customer_id"],
        status,
        status,
    )
    return {"lines": [_line_view(row) for row in lines], "total": len(lines)}


def get_line(db, *, line_id):
    """Get one line with its plan, status and data use."""
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line_id)
    if line is None:
        raise ToolError(f"No line with line id {line_id} was found.")
    return _line_view(line)


def list_plans(
    db,
    *,
    max_price=None,
    min_data_gb=None,
    network=None,
    sort_by="monthly_price",
    sort_order="asc",
):
    """List the plans that can be booked."""
    sort_columns = {"monthly_price": "monthly_price", "data_limit_gb": "data_limit_gb", "name": "name"}
    plans = db.all(
        'SELECT * FROM "plans"'
        ' WHERE (? IS NULL OR "monthly_price" <= ?)'
        ' AND (? IS NULL OR "data_gb" >= ?)'
        ' AND (? IS NULL OR "network" = ?)'
        ' ORDER BY "plan_id"',
        max_price,
        max_price,
        min_data_gb,
        min_data_gb,
        network,
        network,
    )
    plans = _sort_rows(plans, sort_columns.get(sort_by), sort_order)
    return {
        "plans": [
            {
                "plan_id": row["plan_id"],
                "name": row["name"],
                "monthly_price": row["monthly_price"],
                "data_limit_gb": row["data_limit_gb"],
                "network": row["network"],
            }
            for row in plans
        ],
        "total": len(plans),
    }


def quote_plan_change(db, *, line_id, plan_id):
    """Compute what moving a line to another plan changes, without doing it."""
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line_id)
    if line is None:
        raise ToolError(f"No line with line id {line_id} was found.")
    plan = db.one('SELECT * FROM "plans" WHERE "plan_id" = ?', plan_id)
    if plan is None:
        raise ToolError(f"No plan with plan id {plan_id} was found.")
    if line["plan_id"] == plan_id:
        raise ToolError("The line already has this plan.")
    units = 1
    subtotal = _round(plan["monthly_price"], 2)
    surcharge = _round(0, 2)
    total = _round(_add(subtotal, surcharge), 2)
    if total is None:
        raise ToolError("The amount is out of range.")
    return {
        "line_id": line_id,
        "current_plan_id": "",
        "plan_id": plan_id,
        "price_difference": subtotal,
        "change_fee": surcharge,
    }


def change_plan(db, *, line_id, plan_id):
    """Move a line to another plan."""
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line_id)
    if line is None:
        raise ToolError(f"No line with line id {line_id} was found.")
    plan = db.one('SELECT * FROM "plans" WHERE "plan_id" = ?', plan_id)
    if plan is None:
        raise ToolError(f"No plan with plan id {plan_id} was found.")
    if line["status"] != "active":
        raise ToolError(f"Only active lines can change their plan. The status is {line['status']}.")
    customer = db.one('SELECT * FROM "customers" WHERE "customer_id" = ?', line["customer_id"])
    held_bills = db.all(
        'SELECT * FROM "bills" WHERE "customer_id" = ? AND "status" = \'overdue\' ORDER BY "bill_id"',
        customer["customer_id"] if customer else None,
    )
    if len(held_bills) >= 1:
        raise ToolError("The customer must not have overdue bills.")
    if line["plan_id"] == plan_id:
        raise ToolError("The line already has this plan.")
    db.run('UPDATE "lines" SET "plan_id" = ? WHERE "line_id" = ?', plan["plan_id"], line["line_id"])
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line["line_id"])
    return _line_view(line)


def set_roaming(db, *, line_id, enabled):
    """Allow or forbid a line to be used abroad."""
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line_id)
    if line is None:
        raise ToolError(f"No line with line id {line_id} was found.")
    if line["status"] != "active":
        raise ToolError(f"The line must be active. The status is {line['status']}.")
    db.run('UPDATE "lines" SET "roaming_enabled" = ? WHERE "line_id" = ?', enabled, line["line_id"])
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line["line_id"])
    return _line_view(line)


def suspend_line(db, *, line_id, reason):
    """Suspend a line, for example because the phone is lost."""
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line_id)
    if line is None:
        raise ToolError(f"No line with line id {line_id} was found.")
    if line["status"] != "active":
        raise ToolError(f"Line cannot become suspended: its status is {line['status']}.")
    db.run(
        'UPDATE "lines" SET "suspension_reason" = ?, "status" = ? WHERE "line_id" = ?',
        reason,
        "suspended",
        line["line_id"],
    )
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line["line_id"])
    return _line_view(line)


def resume_line(db, *, line_id):
    """Make a suspended line active again."""
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line_id)
    if line is None:
        raise ToolError(f"No line with line id {line_id} was found.")
    if line["status"] != "suspended":
        raise ToolError(f"Line cannot become active: its status is {line['status']}.")
    customer = db.one('SELECT * FROM "customers" WHERE "customer_id" = ?', line["customer_id"])
    held_bills = db.all(
        'SELECT * FROM "bills" WHERE "customer_id" = ? AND "status" = \'overdue\' ORDER BY "bill_id"',
        customer["customer_id"] if customer else None,
    )
    if len(held_bills) >= 1:
        raise ToolError("A line of a customer with overdue bills cannot be resumed.")
    db.run('UPDATE "lines" SET "status" = ? WHERE "line_id" = ?', "active", line["line_id"])
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line["line_id"])
    return _line_view(line)


def terminate_line(db, *, line_id):
    """End a line for good: its status becomes terminated and its number is lost."""
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line_id)
    if line is None:
        raise ToolError(f"No line with line id {line_id} was found.")
    if line["status"] not in ("active", "suspended"):
        raise ToolError(f"Line cannot become terminated: its status is {line['status']}.")
    customer = db.one('SELECT * FROM "customers" WHERE "customer_id" = ?', line["customer_id"])
    held_bills = db.all(
        'SELECT * FROM "bills"'
        ' WHERE "customer_id" = ?'
        ' AND "status" IN (\'open\', \'overdue\')'
        ' ORDER BY "bill_id"',
        customer["customer_id"] if customer else None,
    )
    if len(held_bills) >= 1:
        raise ToolError("The customer must not have open or overdue bills.")
    db.run('UPDATE "lines" SET "status" = ? WHERE "line_id" = ?', "terminated", line["line_id"])
    line = db.one('SELECT * FROM "lines" WHERE "line_id" = ?', line["line_id"])
    return _line_view(line)


def list_bills(
    db,
    *,
    customer_id,
    status=None,
    issued_from=None,
    issued_to=None,
    sort_by="due_on",
    sort_order="desc",
    limit=10,
    offset=0,
):
    """List the bills of a customer."""
    customer = db.one('SELECT * FROM "customers" WHERE "customer_id" = ?', customer_id)
    if customer is None:
        raise ToolError(f"No customer with customer id {customer_id} was found.")
    sort_columns = {"due_on": "due_on", "issued_on": "issued_on", "amount_due": "amount_due"}
    all_bills = db.all(
        'SELECT * FROM "bills"'
        ' WHERE "customer_id" = ?'
        ' AND (? IS NULL OR "status" = ?)'
        ' AND (? IS NULL OR "issued_on" >= ?)'
        ' AND (? IS NULL OR "issued_on" <= ?)'
        ' ORDER BY "bill_id"',
        customer["customer_id"],
        status,
        status,
        issued_from,
        issued_from,
        issued_to,
        issued_to,
    )
    all_bills = _sort_rows(all_bills, sort_columns.get(sort_by), sort_order)
    total = len(all_bills)
    bills = _page(all_bills, limit, offset)
    return {
        "bills": [
            {
                "bill_id": _item(row, "bill_id"),
                "customer_id": _item(row, "customer_id"),
                "amount_due": _item(row, "amount_due"),
                "issued_on": _item(row, "issued_on"),
                "due_on": _item(row, "due_on"),
                "status": _item(row, "status"),
            }
            for row in _as_list(bills)
        ],
        "total": total,
    }


def pay_bill(db, *, bill_id, method="credit_card"):
    """Pay a bill in full."""
    bill = db.one('SELECT * FROM "bills" WHERE "bill_id" = ?', bill_id)
    if bill is None:
        raise ToolError(f"No bill with bill id {bill_id} was found.")
    if bill["status"] not in ("open", "overdue"):
        raise ToolError(f"Bill cannot become paid: its status is {bill['status']}.")
    db.run('UPDATE "bills" SET "status" = ? WHERE "bill_id" = ?', "paid", bill["bill_id"])
    bill = db.one('SELECT * FROM "bills" WHERE "bill_id" = ?', bill["bill_id"])
    if db.one('SELECT 1 FROM "bills" WHERE "bill_id" = ?', bill_id) is None:
        raise ToolError(f"There is no bill with bill id {bill_id}.")
    if db.one('SELECT 1 FROM "customers" WHERE "customer_id" = ?', bill["customer_id"]) is None:
        raise ToolError(f"There is no customer with customer id {bill['customer_id']}.")
    new_payment_id = _new_payment_id(db)
    db.run(
        'INSERT INTO "payments" ("paid_at", "bill_id", "method", "customer_id", "amount", "payment_id")'
        " VALUES (?, ?, ?, ?, ?, ?)",
        db.now(),
        bill_id,
        method,
        bill["customer_id"],
        bill["amount_due"],
        new_payment_id,
    )
    payment = db.one('SELECT * FROM "payments" ORDER BY "payment_id" LIMIT 1')
    if payment is None:
        raise ToolError("There is no payment.")
    return {
        "payment_id": payment["payment_id"],
        "bill_id": payment["bill_id"],
        "customer_id": payment["customer_id"],
        "amount": payment["amount"],
        "method": payment["method"],
        "paid_at": payment["paid_at"],
    }


def list_payments(db, *, customer_id, method=None, limit=10, offset=0):
    """List the payments of a customer, newest first."""
    customer = db.one('SELECT * FROM "customers" WHERE "customer_id" = ?', customer_id)
    if customer is None:
        raise ToolError(f"No customer with customer id {customer_id} was found.")
    all_payments = db.all(
        'SELECT * FROM "payments"'
        ' WHERE "customer_id" = ?'
        ' AND (? IS NULL OR "method" = ?)'
        ' ORDER BY "paid_at" DESC, "payment_id"',
        customer["customer_id"],
        method,
        method,
    )
    total = len(all_payments)
    payments = _page(all_payments, limit, offset)
    return {
        "payments": [
            {
                "payment_id": _item(row, "payment_id"),
                "bill_id": _item(row, "bill_id"),
                "customer_id": _item(row, "customer_id"),
                "amount": _item(row, "amount"),
                "method": _item(row, "method"),
                "paid_at": _item(row, "paid_at"),
            }
            for row in _as_list(payments)
        ],
        "total": total,
    }


def check_phone_status(db):
    """Look at the settings of your phone: airplane mode, mobile data, data saver, network mode and battery.
    """
    phone = db.one('SELECT * FROM "phone"')
    if phone is None:
        raise ToolError("There is no phone.")
    return _phone_view(phone)


def check_signal(db):
    """Look at the status bar of your phone."""
    phone = db.one('SELECT * FROM "phone"')
    if phone is None:
        raise ToolError("There is no phone.")
    return {
        "signal": phone["signal"],
        "airplane_mode": phone["airplane_mode"],
        "network_mode": phone["network_mode"],
    }


def check_data_saver(db):
    """See whether the data saver of your phone is on."""
    phone = db.one('SELECT * FROM "phone"')
    if phone is None:
        raise ToolError("There is no phone.")
    return {"data_saver": phone["data_saver"]}


def toggle_data_saver(db):
    """Turn the data saver of your phone on if it is off, and off if it is on."""
    phone = db.one('SELECT * FROM "phone"')
    if phone is None:
        raise ToolError("There is no phone.")
    db.run('UPDATE "phone" SET "data_saver" = ? WHERE "id" = ?', not phone["data_saver"], phone["id"])
    phone = db.one('SELECT * FROM "phone" WHERE "id" = ?', phone["id"])
    return _phone_view(phone)


def toggle_airplane_mode(db):
    """Turn airplane mode of your phone on if it is off, and off if it is on."""
    phone = db.one('SELECT * FROM "phone"')
    if phone is None:
        raise ToolError("There is no phone.")
    db.run('UPDATE "phone" SET "airplane_mode" = ? WHERE "id" = ?', not phone["airplane_mode"], phone["id"])
    phone = db.one('SELECT * FROM "phone" WHERE "id" = ?', phone["id"])
    return _phone_view(phone)


def set_mobile_data(db, *, enabled):
    """Turn mobile data of your phone on or off."""
    phone = db.one('SELECT * FROM "phone"')
    if phone is None:
        raise ToolError("There is no phone.")
    if phone["airplane_mode"] == True:
        raise ToolError("Airplane mode is on.")
    db.run('UPDATE "phone" SET "mobile_data" = ? WHERE "id" = ?', enabled, phone["id"])
    phone = db.one('SELECT * FROM "phone" WHERE "id" = ?', phone["id"])
    return _phone_view(phone)


def set_network_mode(db, *, network_mode):
    """Choose which network your phone prefers."""
    phone = db.one('SELECT * FROM "phone"')
    if phone is None:
        raise ToolError("There is no phone.")
    if phone["airplane_mode"] == True:
        raise ToolError("Airplane mode is on.")
    db.run('UPDATE "phone" SET "network_mode" = ? WHERE "id" = ?', network_mode, phone["id"])
    phone = db.one('SELECT * FROM "phone" WHERE "id" = ?', phone["id"])
    return _phone_view(phone)


def reboot_phone(db):
    """Restart your phone."""
    phone = db.one('SELECT * FROM "phone"')
    if phone is None:
        raise ToolError("There is no phone.")
    if phone["battery_percent"] is not None and phone["battery_percent"] < 5:
        raise ToolError("The battery must be at 5 percent or more.")
    db.run('UPDATE "phone" SET "status" = ? WHERE "id" = ?', "running", phone["id"])
    phone = db.one('SELECT * FROM "phone" WHERE "id" = ?', phone["id"])
    new_reboot_count = phone["reboot_count"] + 1
    if new_reboot_count < 0:
        raise ToolError(f"The reboot count must be at least 0; it cannot be {new_reboot_count}.")
    db.run('UPDATE "phone" SET "reboot_count" = ? WHERE "id" = ?', new_reboot_count, phone["id"])
    phone = db.one('SELECT * FROM "phone" WHERE "id" = ?', phone["id"])
    return _phone_view(phone)


def _line_view(line):
    """The line as tools show it."""
    return {
        "line_id": line["line_id"],
        "customer_id": line["customer_id"],
        "phone_number": line["phone_number"],
        "plan_id": line["plan_id"],
        "status": line["status"],
        "suspension_reason": line["suspension_reason"],
        "roaming_enabled": line["roaming_enabled"],
        "data_used_gb": line["data_used_gb"],
    }


def _phone_view(phone):
    """The phone as tools show it."""
    return {
        "airplane_mode": phone["airplane_mode"],
        "mobile_data": phone["mobile_data"],
        "data_saver": phone["data_saver"],
        "network_mode": phone["network_mode"],
        "battery_percent": phone["battery_percent"],
        "reboot_count": phone["reboot_count"],
    }


def _new_payment_id(db):
    """A fresh id for a new payment; ids that exist are passed over."""
    number = db.next_id("payments")
    fresh = f"PM{number:04d}"
    while db.one('SELECT 1 FROM "payments" WHERE "payment_id" = ?', fresh) is not None:
        number = db.next_id("payments")
        fresh = f"PM{number:04d}"
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


def _equal_text(left, right):
    """Whether two texts are the same, ignoring case; False for None."""
    return left is not None and right is not None and _text(left).casefold() == _text(right).casefold()


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
