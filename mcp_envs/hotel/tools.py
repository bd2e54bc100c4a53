"""Tools of Harbour House Hotel API: one function per tool over the SQLite state.

A function gets the database and the documented parameters, returns what the tool answers and raises ToolError
for a refusal. It runs in a transaction that is rolled back when it raises.
"""

import json
import re
from datetime import datetime


class ToolError(Exception):
    """A refusal that the caller is told, in a sentence."""


def list_guests(
    db,
    *,
    email=None,
    last_name=None,
    loyalty_tier=None,
    sort_by="lastName",
    sort_order="asc",
    page=1,
    page_size=20,
):
    """List guests"""
    sort_columns = {"lastName": "last_name", "email": "email", "loyaltyPoints": "loyalty_points"}
    all_guests = [
        candidate
        for candidate in db.all(
            'SELECT * FROM "guests" WHERE (? IS NULL OR "loyalty_tier" = ?) ORDER BY "guest_id"',
            loyalty_tier,
            loyalty_tier,
        )
        if (email is None or _equal_text(candidate["email"], email))
        and (last_name is None or _contains_text(candidate["last_name"], last_name))
    ]
    all_guests = _sort_rows(all_guests, sort_columns.get(sort_by), sort_order)
    total = len(all_guests)
    guests = _page(all_guests, page_size, _multiply(page - 1, page_size))
    return {
        "page": page,
        "pageSize": page_size,
        "total": total,
        "guests": [
            _omit_null(
                {
                    "firstName": "-" if _length(_item(row, "first_name")) < 1 else _item(row, "first_name"),
                    "lastName": "-" if _length(_item(row, "last_name")) < 1 else _item(row, "last_name"),
                    "email": _item(row, "email"),
                    "phone": _item(row, "phone"),
                    "country": "--" if _length(_item(row, "country")) > 2 else _item(row, "country"),
                    "guestId": _item(row, "guest_id"),
                    "loyaltyTier": _item(row, "loyalty_tier"),
                    "loyaltyPoints": _item(row, "loyalty_points"),
                },
                ["phone", "country"],
            )
            for row in _as_list(guests)
        ],
    }


def create_guest(db, *, first_name, last_name, email, phone=None, country=None):
    """Register a guest"""
    if db.one('SELECT 1 FROM "guests" WHERE "email" = ?', email) is not None:
        raise ToolError(f"There is already a guest with email {email}.")
    new_guest_id = _new_guest_id(db)
    db.run(
        'INSERT INTO "guests" ("loyalty_tier", "loyalty_points", "first_name", "last_name", "email", '
        '"phone", "country", "guest_id")'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        "none",
        0,
        first_name,
        last_name,
        email,
        phone,
        country,
        new_guest_id,
    )
    new_guest = db.one('SELECT * FROM "guests" WHERE "guest_id" = ?', new_guest_id)
    return _guest_view(new_guest)


def get_guest(db, *, guest_id):
    """Get a guest"""
    guest = db.one('SELECT * FROM "guests" WHERE "guest_id" = ?', guest_id)
    if guest is None:
        raise ToolError(f"No guest with guest id {guest_id} was found.")
    return _guest_view(guest)


def delete_guest(db, *, guest_id):
    """Delete a guest"""
    guest = db.one('SELECT * FROM "guests" WHERE "guest_id" = ?', guest_id)
    if guest is None:
        raise ToolError(f"No guest with guest id {guest_id} was found.")
    held_reservations = db.all(
        'SELECT * FROM "reservations"'
        ' WHERE "guest_id" = ?'
        ' AND "status" IN (\'pending\', \'confirmed\', \'checked_in\')'
        ' ORDER BY "reservation_id"',
        guest["guest_id"],
    )
    if len(held_reservations) >= 1:
        raise ToolError(
            "A guest who has reservations in status pending, confirmed or checked_in cannot be deleted."
        )
    db.run('DELETE FROM "guests" WHERE "guest_id" = ?', guest["guest_id"])
    return {"guestId": guest["guest_id"], "deleted": True}


def update_guest(db, *, guest_id, email=None, phone=None, country=None):
    """Update a guest's contact data"""
    guest = db.one('SELECT * FROM "guests" WHERE "guest_id" = ?', guest_id)
    if guest is None:
        raise ToolError(f"No guest with guest id {guest_id} was found.")
    if email is None and phone is None and country is None:
        raise ToolError("Nothing to change was given.")
    if (
        email is not None
        and db.one(
            'SELECT 1 FROM "guests" WHERE "email" = ? AND NOT ("guest_id" = ?)',
            email,
            guest["guest_id"],
        ) is not None
    ):
        raise ToolError(f"There is already a guest with email {email}.")
    db.run(
        'UPDATE "guests"'
        ' SET "email" = COALESCE(?, "email"), "phone" = COALESCE(?, "phone"), "country" = COALESCE(?, '
        '"country")'
        ' WHERE "guest_id" = ?',
        email,
        phone,
        country,
        guest["guest_id"],
    )
    guest = db.one('SELECT * FROM "guests" WHERE "guest_id" = ?', guest["guest_id"])
    return _guest_view(guest)


def list_rooms(
    db,
    *,
    room_type=None,
    floor=None,
    status=None,
    max_rate=None,
    sort_by="roomNumber",
    sort_order="asc",
    page=1,
    page_size=20,
):
    """List rooms"""
    sort_columns = {"roomNumber": "room_number", "nightlyRate": "nightly_rate", "capacity": "capacity"}
    all_rooms = db.all(
        'SELECT * FROM "rooms"'
        ' WHERE (? IS NULL OR "room_type" = ?)'
        ' AND (? IS NULL OR "floor" = ?)'
        ' AND (? IS NULL OR "status" = ?)'
        ' AND (? IS NULL OR "nightly_rate" <= ?)'
        ' ORDER BY "room_id"',
        room_type,
        room_type,
        floor,
        floor,
        status,
        status,
        max_rate,
        max_rate,
    )
    all_rooms = _sort_rows(all_rooms, sort_columns.get(sort_by), sort_order)
    total = len(all_rooms)
    rooms = _page(all_rooms, page_size, _multiply(page - 1, page_size))
    return {
        "rooms": [
            _omit_null(
                {
                    "roomId": _item(row, "room_id"),
                    "roomNumber": _item(row, "room_number"),
                    "roomType": _item(row, "room_type"),
                    "floor": _item(row, "floor"),
                    "capacity": _item(row, "capacity"),
                    "nightlyRate": _item(row, "nightly_rate"),
                    "seaView": _item(row, "sea_view"),
                    "status": _item(row, "status"),
                },
                ["seaView"],
            )
            for row in _as_list(rooms)
        ],
        "total": total,
    }


def get_room(db, *, room_id):
    """Get a room"""
    room = db.one('SELECT * FROM "rooms" WHERE "room_id" = ?', room_id)
    if room is None:
        raise ToolError(f"No room with room id {room_id} was found.")
    return _omit_null(
        {
            "roomId": room["room_id"],
            "roomNumber": room["room_number"],
            "roomType": room["room_type"],
            "floor": room["floor"],
            "capacity": room["capacity"],
            "nightlyRate": room["nightly_rate"],
            "seaView": room["sea_view"],
            "status": room["status"],
        },
        ["seaView"],
    )


def search_availability(
    db,
    *,
    check_in_date,
    check_out_date,
    guest_count=2,
    room_type=None,
    sort_by="nightlyRate",
    sort_order="asc",
):
    """Search for free rooms"""
    if check_in_date is not None and check_out_date is not None and check_in_date >= check_out_date:
        raise ToolError("checkOutDate must be after checkInDate.")
    sort_columns = {"nightlyRate": "nightly_rate", "capacity": "capacity", "roomNumber": "room_number"}
    rooms = db.all(
        'SELECT * FROM "rooms"'
        ' WHERE "capacity" >= ?'
        ' AND (? IS NULL OR "room_type" = ?)'
        ' AND "status" IN (\'available\', \'occupied\', \'cleaning\')'
        ' ORDER BY "room_id"',
        guest_count,
        room_type,
        room_type,
    )
    rooms = _sort_rows(rooms, sort_columns.get(sort_by), sort_order)
    overlapping_reservations = db.all(
        'SELECT * FROM "reservations"'
        ' WHERE "check_in_date" < ?'
        ' AND "check_out_date" > ?'
        ' AND "status" IN (\'pending\', \'confirmed\', \'checked_in\')'
        ' ORDER BY "reservation_id"',
        check_out_date,
        check_in_date,
    )
    taken_keys = [booked["room_id"] for booked in overlapping_reservations]
    free_rooms = [candidate for candidate in rooms if candidate["room_id"] not in taken_keys]
    return {
        "rooms": [
            _omit_null(
                {
                    "roomId": _item(row, "room_id"),
                    "roomNumber": _item(row, "room_number"),
                    "roomType": _item(row, "room_type"),
                    "floor": _item(row, "floor"),
                    "capacity": _item(row, "capacity"),
                    "nightlyRate": _item(row, "nightly_rate"),
                    "seaView": _item(row, "sea_view"),
                    "status": _item(row, "status"),
                },
                ["seaView"],
            )
            for row in free_rooms
        ],
        "total": len(free_rooms),
    }


def quote_stay(db, *, room_id, check_in_date, check_out_date, guest_count, breakfast=False):
    """Quote the price of a stay"""
    room = db.one('SELECT * FROM "rooms" WHERE "room_id" = ?', room_id)
    if room is None:
        raise ToolError(f"No room with room id {room_id} was found.")
    if check_in_date is not None and check_out_date is not None and check_in_date >= check_out_date:
        raise ToolError(
            "checkOutDate must be after checkInDate, and guestCount must not exceed the capacity of the "
            "room."
        )
    if guest_count is not None and room["capacity"] is not None and guest_count > room["capacity"]:
        raise ToolError(
            "checkOutDate must be after checkInDate, and guestCount must not exceed the capacity of the "
            "room."
        )
    if check_in_date >= check_out_date:
        raise ToolError("checkOutDate must be after checkInDate.")
    units = _days_between(check_in_date, check_out_date)
    subtotal = _round(_multiply(room["nightly_rate"], _days_between(check_in_date, check_out_date)), 2)
    surcharge = _round(_add(0, _multiply(units, _multiply(guest_count, 12.5)) if breakfast else 0), 2)
    total = _round(_add(subtotal, surcharge), 2)
    if total is None:
        raise ToolError("The amount is out of range.")
    return {
        "roomId": room_id,
        "nights": _integer(units),
        "roomCharge": subtotal,
        "breakfastCharge": surcharge,
        "total": total,
    }


def list_reservations(
    db,
    *,
    guest_id=None,
    room_id=None,
    status=None,
    arrival_from=None,
    arrival_to=None,
    sort_by="checkInDate",
    sort_order="asc",
    page=1,
    page_size=20,
):
    """List reservations"""
    sort_columns = {"checkInDate": "check_in_date", "totalPrice": "total_price", "createdAt": "created_at"}
    all_reservations = db.all(
        'SELECT * FROM "reservations"'
        ' WHERE (? IS NULL OR "guest_id" = ?)'
        ' AND (? IS NULL OR "room_id" = ?)'
        ' AND (? IS NULL OR "status" = ?)'
        ' AND (? IS NULL OR "check_in_date" >= ?)'
        ' AND (? IS NULL OR "check_in_date" <= ?)'
        ' ORDER BY "reservation_id"',
        guest_id,
        guest_id,
        room_id,
        room_id,
        status,
        status,
        arrival_from,
        arrival_from,
        arrival_to,
        arrival_to,
    )
    all_reservations = _sort_rows(all_reservations, sort_columns.get(sort_by), sort_order)
    total = len(all_reservations)
    reservations = _page(all_reservations, page_size, _multiply(page - 1, page_size))
    return {
        "page": page,
        "pageSize": page_size,
        "total": total,
        "reservations": [
            _omit_null(
                {
                    "roomId": _item(row, "room_id"),
                    "checkInDate": _item(row, "check_in_date"),
                    "checkOutDate": _item(row, "check_out_date"),
                    "guestCount": _item(row, "guest_count"),
                    "breakfast": _item(row, "breakfast"),
                    "reservationId": _item(row, "reservation_id"),
                    "guestId": _item(row, "guest_id"),
                    "status": _item(row, "status"),
                    "specialRequests": (
                        ""
                        if _length(_item(row, "special_requests")) > 500
                        else _item(row, "special_requests")
                    ),
                    "cancellationReason": _item(row, "cancellation_reason"),
                    "totalPrice": _item(row, "total_price"),
                    "amountPaid": _item(row, "amount_paid"),
                    "createdAt": _item(row, "created_at"),
                },
                ["breakfast", "specialRequests", "cancellationReason"],
            )
            for row in _as_list(reservations)
        ],
    }


def create_reservation(
    db,
    *,
    room_id,
    check_in_date,
    check_out_date,
    guest_count,
    breakfast=False,
    guest_id,
    special_requests=None,
):
    """Book a room"""
    room = db.one('SELECT * FROM "rooms" WHERE "room_id" = ?', room_id)
    if room is None:
        raise ToolError(f"No room with room id {room_id} was found.")
    guest = db.one('SELECT * FROM "guests" WHERE "guest_id" = ?', guest_id)
    if guest is None:
        raise ToolError(f"No guest with guest id {guest_id} was found.")
    if check_in_date is not None and check_out_date is not None and check_in_date >= check_out_date:
        raise ToolError("checkOutDate must be after checkInDate.")
    if guest_count is not None and room["capacity"] is not None and guest_count > room["capacity"]:
        raise ToolError("guestCount must not exceed the capacity of the room.")
    if room["status"] == "out_of_service":
        raise ToolError(f"The room is out_of_service. The status is {room['status']}.")
    held_reservations = db.all(
        'SELECT * FROM "reservations"'
        ' WHERE "guest_id" = ?'
        ' AND "status" IN (\'pending\', \'confirmed\')'
        ' ORDER BY "reservation_id"',
        guest_id,
    )
    if len(held_reservations) >= 4:
        raise ToolError("A guest can have at most 4 reservations in status pending or confirmed.")
    overlapping_reservations = db.all(
        'SELECT * FROM "reservations"'
        ' WHERE "check_in_date" < ?'
        ' AND "check_out_date" > ?'
        ' AND "status" IN (\'pending\', \'confirmed\', \'checked_in\')'
        ' AND "room_id" = ?'
        ' ORDER BY "reservation_id"',
        check_out_date,
        check_in_date,
        room["room_id"],
    )
    if len(overlapping_reservations) > 0:
        raise ToolError("The room is not free in this period.")
    if db.one('SELECT 1 FROM "rooms" WHERE "room_id" = ?', room["room_id"]) is None:
        raise ToolError(f"There is no room with room id {room['room_id']}.")
    if db.one('SELECT 1 FROM "guests" WHERE "guest_id" = ?', guest["guest_id"]) is None:
        raise ToolError(f"There is no guest with guest id {guest['guest_id']}.")
    new_reservation_id = _new_reservation_id(db)
    new_total_price = _coalesce(
        _round(
            _add(
                _multiply(room["nightly_rate"], _days_between(check_in_date, check_out_date)),
                _add(
                    0,
                    _multiply(_days_between(check_in_date, check_out_date), _multiply(guest_count, 12.5))
                    if breakfast
                    else 0,
                ),
            ),
            2,
        ),
        0.0,
    )
    if new_total_price < 0:
        raise ToolError(f"The total price must be at least 0; it cannot be {new_total_price}.")
    db.run(
        'INSERT INTO "reservations" ("amount_paid", "room_id", "guest_id", "check_in_date", '
        '"check_out_date", "guest_count", "breakfast", "special_requests", "status", "reservation_id", '
        '"created_at", "total_price")'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        0.0,
        room["room_id"],
        guest["guest_id"],
        check_in_date,
        check_out_date,
        guest_count,
        breakfast,
        special_requests,
        "pending",
        new_reservation_id,
        db.now(),
        new_total_price,
    )
    new_reservation = db.one('SELECT * FROM "reservations" WHERE "reservation_id" = ?', new_reservation_id)
    return _reservation_view(new_reservation)


def get_reservation(db, *, reservation_id):
    """Get a reservation"""
    reservation = db.one('SELECT * FROM "reservations" WHERE "reservation_id" = ?', reservation_id)
    if reservation is None:
        raise ToolError(f"No reservation with reservation id {reservation_id} was found.")
    return _reservation_view(reservation)


def update_reservation(db, *, reservation_id, guest_count=None, breakfast=None, special_requests=None):
    """Change a reservation"""
    reservation = db.one('SELECT * FROM "reservations" WHERE "reservation_id" = ?', reservation_id)
    if reservation is None:
        raise ToolError(f"No reservation with reservation id {reservation_id} was found.")
    if guest_count is None and breakfast is None and special_requests is None:
        raise ToolError("Nothing to change was given.")
    if reservation["status"] not in ("confirmed", "pending"):
        raise ToolError(
            "Only reservations in status pending or confirmed can be changed. The status is "
            f"{reservation['status']}."
        )
    room = db.one('SELECT * FROM "rooms" WHERE "room_id" = ?', reservation["room_id"])
    if (
        (guest_count if guest_count is not None else reservation["guest_count"]) is not None
        and (room["capacity"] if room else None) is not None
        and (
            (guest_count if guest_count is not None else reservation["guest_count"])
            > (room["capacity"] if room else None)
        )
    ):
        raise ToolError("The new guestCount must not exceed the capacity of the room.")
    db.run(
        'UPDATE "reservations"'
        ' SET "guest_count" = COALESCE(?, "guest_count"), "breakfast" = COALESCE(?, "breakfast"), '
        '"special_requests" = COALESCE(?, "special_requests")'
        ' WHERE "reservation_id" = ?',
        guest_count,
        breakfast,
        special_requests,
        reservation["reservation_id"],
    )
    reservation = db.one(
        'SELECT * FROM "reservations" WHERE "reservation_id" = ?',
        reservation["reservation_id"],
    )
    return _reservation_view(reservation)


def cancel_reservation(db, *, reservation_id, reason):
    """Cancel a reservation"""
    reservation = db.one('SELECT * FROM "reservations" WHERE "reservation_id" = ?', reservation_id)
    if reservation is None:
        raise ToolError(f"No reservation with reservation id {reservation_id} was found.")
    if reservation["status"] not in ("pending", "confirmed"):
        raise ToolError(f"Reservation cannot become cancelled: its status is {reservation['status']}.")
    db.run(
        'UPDATE "reservations" SET "cancellation_reason" = ?, "status" = ? WHERE "reservation_id" = ?',
        reason,
        "cancelled",
        reservation["reservation_id"],
    )
    reservation = db.one(
        'SELECT * FROM "reservations" WHERE "reservation_id" = ?',
        reservation["reservation_id"],
    )
    return _reservation_view(reservation)


def check_in_reservation(db, *, reservation_id):
    """Check a guest in"""
    reservation = db.one('SELECT * FROM "reservations" WHERE "reservation_id" = ?', reservation_id)
    if reservation is None:
        raise ToolError(f"No reservation with reservation id {reservation_id} was found.")
    if reservation["status"] != "confirmed":
        raise ToolError(f"Reservation cannot become checked_in: its status is {reservation['status']}.")
    room = db.one('SELECT * FROM "rooms" WHERE "room_id" = ?', reservation["room_id"])
    if (room["status"] if room else None) != "available":
        raise ToolError(
            "The reservation must be confirmed, and the room must be available. The status is "
            f"{_text(room['status'] if room else None)}."
        )
    db.run(
        'UPDATE "reservations" SET "status" = ? WHERE "reservation_id" = ?',
        "checked_in",
        reservation["reservation_id"],
    )
    reservation = db.one(
        'SELECT * FROM "reservations" WHERE "reservation_id" = ?',
        reservation["reservation_id"],
    )
    if room is not None:
        db.run('UPDATE "rooms" SET "status" = ? WHERE "room_id" = ?', "occupied", room["room_id"])
    return _reservation_view(reservation)


def check_out_reservation(db, *, reservation_id):
    """Check a guest out"""
    reservation = db.one('SELECT * FROM "reservations" WHERE "reservation_id" = ?', reservation_id)
    if reservation is None:
        raise ToolError(f"No reservation with reservation id {reservation_id} was found.")
    if reservation["status"] != "checked_in":
        raise ToolError(f"Reservation cannot become checked_out: its status is {reservation['status']}.")
    if (
        reservation["total_price"] is not None
        and reservation["amount_paid"] is not None
        and reservation["total_price"] > reservation["amount_paid"]
    ):
        raise ToolError("amountPaid must be at least totalPrice.")
    db.run(
        'UPDATE "reservations" SET "status" = ? WHERE "reservation_id" = ?',
        "checked_out",
        reservation["reservation_id"],
    )
    reservation = db.one(
        'SELECT * FROM "reservations" WHERE "reservation_id" = ?',
        reservation["reservation_id"],
    )
    room = db.one('SELECT * FROM "rooms" WHERE "room_id" = ?', reservation["room_id"])
    if room is not None:
        db.run('UPDATE "rooms" SET "status" = ? WHERE "room_id" = ?', "cleaning", room["room_id"])
    return _reservation_view(reservation)


def list_payments(db, *, reservation_id, status=None):
    """List the payments of a reservation"""
    reservation = db.one('SELECT * FROM "reservations" WHERE "reservation_id" = ?', reservation_id)
    if reservation is None:
        raise ToolError(f"No reservation with reservation id {reservation_id} was found.")
    payments = db.all(
        'SELECT * FROM "payments"'
        ' WHERE "reservation_id" = ?'
        ' AND (? IS NULL OR "status" = ?)'
        ' ORDER BY "payment_id"',
        reservation["reservation_id"],
        status,
        status,
    )
    return {"payments": [_payment_view(row) for row in payments]}


def create_payment(db, *, reservation_id, amount, method):
    """Take a payment"""
    reservation = db.one('SELECT * FROM "reservations" WHERE "reservation_id" = ?', reservation_id)
    if reservation is None:
        raise ToolError(f"No reservation with reservation id {reservation_id} was found.")
    if reservation["status"] in ("cancelled", "checked_out"):
        raise ToolError(
            "Payments are not accepted for reservations in status cancelled or checked_out. The status is "
            f"{reservation['status']}."
        )
    if (
        amount is not None
        and _subtract(reservation["total_price"], reservation["amount_paid"]) is not None
        and amount > _subtract(reservation["total_price"], reservation["amount_paid"])
    ):
        raise ToolError("The amount must not exceed the open balance, which is totalPrice minus amountPaid.")
    if db.one(
        'SELECT 1 FROM "reservations" WHERE "reservation_id" = ?',
        reservation["reservation_id"],
    ) is None:
        raise ToolError(f"There is no reservation with reservation id {reservation['reservation_id']}.")
    if amount < 5e-324:
        raise ToolError(f"The amount must be at least 5e-324; it cannot be {amount}.")
    new_payment_id = _new_payment_id(db)
    db.run(
        'INSERT INTO "payments" ("paid_at", "reservation_id", "amount", "method", "payment_id", "status")'
        " VALUES (?, ?, ?, ?, ?, ?)",
        db.now(),
        reservation["reservation_id"],
        amount,
        method,
        new_payment_id,
        "completed",
    )
    new_payment = db.one('SELECT * FROM "payments" WHERE "payment_id" = ?', new_payment_id)
    new_amount_paid = _round(_add(reservation["amount_paid"], amount), 2)
    if new_amount_paid is None:
        raise ToolError("The amount paid of the reservation must be given.")
    if new_amount_paid is not None and new_amount_paid < 0:
        raise ToolError(f"The amount paid must be at least 0; it cannot be {new_amount_paid}.")
    db.run(
        'UPDATE "reservations" SET "amount_paid" = ? WHERE "reservation_id" = ?',
        new_amount_paid,
        reservation["reservation_id"],
    )
    reservation = db.one(
        'SELECT * FROM "reservations" WHERE "reservation_id" = ?',
        reservation["reservation_id"],
    )
    if reservation["status"] == "pending":
        db.run(
            'UPDATE "reservations" SET "status" = ? WHERE "reservation_id" = ?',
            "confirmed",
            reservation["reservation_id"],
        )
    return _payment_view(new_payment)


def refund_payment(db, *, payment_id):
    """Refund a payment"""
    payment = db.one('SELECT * FROM "payments" WHERE "payment_id" = ?', payment_id)
    if payment is None:
        raise ToolError(f"No payment with payment id {payment_id} was found.")
    if payment["status"] != "completed":
        raise ToolError(f"Payment cannot become refunded: its status is {payment['status']}.")
    db.run('UPDATE "payments" SET "status" = ? WHERE "payment_id" = ?', "refunded", payment["payment_id"])
    payment = db.one('SELECT * FROM "payments" WHERE "payment_id" = ?', payment["payment_id"])
    reservation = db.one('SELECT * FROM "reservations" WHERE "reservation_id" = ?', payment["reservation_id"])
    if _less(
        _round(
            _subtract(_coalesce(reservation["amount_paid"] if reservation else None, 0), payment["amount"]),
            2,
        ),
        0,
    ):
        raise ToolError(
            f"The amount paid is {_text(reservation['amount_paid'] if reservation else None)}, which is not "
            "enough."
        )
    if reservation is not None:
        new_amount_paid = _round(_subtract(reservation["amount_paid"], payment["amount"]), 2)
        if new_amount_paid is None:
            raise ToolError("The amount paid of the reservation must be given.")
        if new_amount_paid is not None and new_amount_paid < 0:
            raise ToolError(f"The amount paid must be at least 0; it cannot be {new_amount_paid}.")
        db.run(
            'UPDATE "reservations" SET "amount_paid" = ? WHERE "reservation_id" = ?',
            new_amount_paid,
            reservation["reservation_id"],
        )
    return _payment_view(payment)


def list_housekeeping_tasks(db, *, room_id=None, status=None, priority=None, page=1, page_size=20):
    """List housekeeping tasks"""
    all_housekeeping_tasks = db.all(
        'SELECT * FROM "housekeeping_tasks"'
        ' WHERE (? IS NULL OR "room_id" = ?)'
        ' AND (? IS NULL OR "status" = ?)'
        ' AND (? IS NULL OR "priority" = ?)'
        ' ORDER BY "due_date", "task_id"',
        room_id,
        room_id,
        status,
        status,
        priority,
        priority,
    )
    total = len(all_housekeeping_tasks)
    housekeeping_tasks = _page(all_housekeeping_tasks, page_size, _multiply(page - 1, page_size))
    return {
        "page": page,
        "pageSize": page_size,
        "total": total,
        "tasks": [
            _omit_null(
                {
                    "roomId": _item(row, "room_id"),
                    "kind": _item(row, "kind"),
                    "priority": _item(row, "priority"),
                    "dueDate": _item(row, "due_date"),
                    "note": "" if _length(_item(row, "note")) > 300 else _item(row, "note"),
                    "taskId": _item(row, "task_id"),
                    "status": _item(row, "status"),
                },
                ["priority", "note"],
            )
            for row in _as_list(housekeeping_tasks)
        ],
    }


def create_housekeeping_task(db, *, room_id, kind, priority="normal", due_date, note=None):
    """Create a housekeeping task"""
    room = db.one('SELECT * FROM "rooms" WHERE "room_id" = ?', room_id)
    if room is None:
        raise ToolError(f"No room with room id {room_id} was found.")
    held_housekeeping_tasks = db.all(
        'SELECT * FROM "housekeeping_tasks"'
        ' WHERE "room_id" = ?'
        ' AND "status" = \'open\''
        ' AND "kind" = ?'
        ' ORDER BY "task_id"',
        room["room_id"],
        kind,
    )
    if len(held_housekeeping_tasks) >= 1:
        raise ToolError("The room already has an open task of the same kind.")
    if db.one('SELECT 1 FROM "rooms" WHERE "room_id" = ?', room["room_id"]) is None:
        raise ToolError(f"There is no room with room id {room['room_id']}.")
    new_task_id = _new_housekeeping_task_id(db)
    db.run(
        'INSERT INTO "housekeeping_tasks" ("room_id", "kind", "priority", "due_date", "note", "status", '
        '"task_id")'
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        room["room_id"],
        kind,
        priority,
        due_date,
        note,
        "open",
        new_task_id,
    )
    new_housekeeping_task = db.one('SELECT * FROM "housekeeping_tasks" WHERE "task_id" = ?', new_task_id)
    return _housekeeping_task_view(new_housekeeping_task)


def complete_housekeeping_task(db, *, task_id):
    """Complete a housekeeping task"""
    housekeeping_task = db.one('SELECT * FROM "housekeeping_tasks" WHERE "task_id" = ?', task_id)
    if housekeeping_task is None:
        raise ToolError(f"No housekeeping task with task id {task_id} was found.")
    if housekeeping_task["status"] != "open":
        raise ToolError(f"Housekeeping task cannot become done: its status is {housekeeping_task['status']}.")
    db.run(
        'UPDATE "housekeeping_tasks" SET "status" = ? WHERE "task_id" = ?',
        "done",
        housekeeping_task["task_id"],
    )
    housekeeping_task = db.one(
        'SELECT * FROM "housekeeping_tasks" WHERE "task_id" = ?',
        housekeeping_task["task_id"],
    )
    return _housekeeping_task_view(housekeeping_task)


def _guest_view(guest):
    """The guest as tools show it."""
    return _omit_null(
        {
            "firstName": "-" if len(guest["first_name"]) < 1 else guest["first_name"],
            "lastName": "-" if len(guest["last_name"]) < 1 else guest["last_name"],
            "email": guest["email"],
            "phone": guest["phone"],
            "country": "--" if _length(guest["country"]) > 2 else guest["country"],
            "guestId": guest["guest_id"],
            "loyaltyTier": guest["loyalty_tier"],
            "loyaltyPoints": guest["loyalty_points"],
        },
        ["phone", "country"],
    )


def _reservation_view(reservation):
    """The reservation as tools show it."""
    return _omit_null(
        {
            "roomId": reservation["room_id"],
            "checkInDate": reservation["check_in_date"],
            "checkOutDate": reservation["check_out_date"],
            "guestCount": reservation["guest_count"],
            "breakfast": reservation["breakfast"],
            "reservationId": reservation["reservation_id"],
            "guestId": reservation["guest_id"],
            "status": reservation["status"],
            "specialRequests": (
                ""
                if _length(reservation["special_requests"]) > 500
                else reservation["special_requests"]
            ),
            "cancellationReason": reservation["cancellation_reason"],
            "totalPrice": reservation["total_price"],
            "amountPaid": reservation["amount_paid"],
            "createdAt": reservation["created_at"],
        },
        ["breakfast", "specialRequests", "cancellationReason"],
    )


def _payment_view(payment):
    """The payment as tools show it."""
    return {
        "paymentId": payment["payment_id"],
        "reservationId": payment["reservation_id"],
        "amount": payment["amount"],
        "method": payment["method"],
        "status": payment["status"],
        "paidAt": payment["paid_at"],
    }


def _housekeeping_task_view(housekeeping_task):
    """The housekeeping task as tools show it."""
    return _omit_null(
        {
            "roomId": housekeeping_task["room_id"],
            "kind": housekeeping_task["kind"],
            "priority": housekeeping_task["priority"],
            "dueDate": housekeeping_task["due_date"],
            "note": "" if _length(housekeeping_task["note"]) > 300 else housekeeping_task["note"],
            "taskId": housekeeping_task["task_id"],
            "status": housekeeping_task["status"],
        },
        ["priority", "note"],
    )


def _new_guest_id(db):
    """A fresh id for a new guest; ids that exist are passed over."""
    number = db.next_id("guests")
    fresh = f"gst_{number:04d}"
    while db.one('SELECT 1 FROM "guests" WHERE "guest_id" = ?', fresh) is not None:
        number = db.next_id("guests")
        fresh = f"gst_{number:04d}"
    return fresh


def _new_reservation_id(db):
    """A fresh id for a new reservation; ids that exist are passed over."""
    number = db.next_id("reservations")
    fresh = f"res_{number:04d}"
    while db.one('SELECT 1 FROM "reservations" WHERE "reservation_id" = ?', fresh) is not None:
        number = db.next_id("reservations")
        fresh = f"res_{number:04d}"
    return fresh


def _new_payment_id(db):
    """A fresh id for a new payment; ids that exist are passed over."""
    number = db.next_id("payments")
    fresh = f"pay_{number:04d}"
    while db.one('SELECT 1 FROM "payments" WHERE "payment_id" = ?', fresh) is not None:
        number = db.next_id("payments")
        fresh = f"pay_{number:04d}"
    return fresh


def _new_housekeeping_task_id(db):
    """A fresh id for a new housekeeping task; ids that exist are passed over."""
    number = db.next_id("housekeeping_tasks")
    fresh = f"hsk_{number:03d}"
    while db.one('SELECT 1 FROM "housekeeping_tasks" WHERE "task_id" = ?', fresh) is not None:
        number = db.next_id("housekeeping_tasks")
        fresh = f"hsk_{number:03d}"
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


def _coalesce(*values):
    """The first value that is not None; None when all are."""
    for value in values:
        if value is not None:
            return value
    return None


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


def _length(value):
    """The number of members, properties or characters; 0 for None."""
    return len(value if isinstance(value, (str, list, dict)) else _text(value) or "")


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


def _moment(value):
    """A date or time in ISO 8601 as a datetime, its zone left out; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.removesuffix("Z")).replace(tzinfo=None)
    except ValueError:
        return None


def _days_between(start, end):
    """The days from one date to another, negative when it is earlier; None when either is no date."""
    first, last = _moment(start), _moment(end)
    return None if first is None or last is None else (last.date() - first.date()).days
