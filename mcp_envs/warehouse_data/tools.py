"""Tools of Warehouse data: one function per tool over the SQLite state.

A function gets the database and the documented parameters, returns what the tool answers and raises ToolError
for a refusal. It runs in a transaction that is rolled back when it raises.
"""

import json
import re


class ToolError(Exception):
    """A refusal that the caller is told, in a sentence."""


def list_products(
    db,
    *,
    category=None,
    supplier_id=None,
    status=None,
    max_price=None,
    sort_by="name",
    sort_order="asc",
    page=1,
    page_size=25,
):
    """List the products of the catalogue that match all given filters."""
    sort_columns = {"name": "name", "unit_price": "unit_price", "reorder_level": "reorder_level"}
    all_products = [
        candidate
        for candidate in db.all(
            'SELECT * FROM "products"'
            ' WHERE (? IS NULL OR "supplier_id" = ?)'
            ' AND (? IS NULL OR "status" = ?)'
            ' AND (? IS NULL OR "unit_price" <= ?)'
            ' ORDER BY "product_id"',
            supplier_id,
            supplier_id,
            status,
            status,
            max_price,
            max_price,
        )
        if category is None or _equal_text(candidate["category"], category)
    ]
    all_products = _sort_rows(all_products, sort_columns.get(sort_by), sort_order)
    total = len(all_products)
    products = _page(all_products, page_size, _multiply(page - 1, page_size))
    return {
        "products": [
            {
                "product_id": _item(row, "product_id"),
                "name": _item(row, "name"),
                "category": _item(row, "category"),
                "unit_price": _item(row, "unit_price"),
                "reorder_level": _item(row, "reorder_level"),
                "supplier_id": _item(row, "supplier_id"),
                "status": _item(row, "status"),
            }
            for row in _as_list(products)
        ],
        "total": total,
    }


def get_product(db, *, product_id):
    """Get one product with its stock at every location."""
    product = db.one('SELECT * FROM "products" WHERE "product_id" = ?', product_id)
    if product is None:
        raise ToolError(f"No product with product id {product_id} was found.")
    return _product_view(product)


def create_product(db, *, name, category, unit_price, supplier_id, reorder_level=10):
    """Add a product to the catalogue."""
    supplier = db.one('SELECT * FROM "suppliers" WHERE "supplier_id" = ?', supplier_id)
    if supplier is None:
        raise ToolError(f"No supplier with supplier id {supplier_id} was found.")
    if db.one('SELECT 1 FROM "products" WHERE "name" = ?', name) is not None:
        raise ToolError(f"There is already a product with name {name}.")
    new_product_id = _new_product_id(db)
    db.run(
        'INSERT INTO "products" ("name", "category", "unit_price", "reorder_level", "status", "product_id")'
        " VALUES (?, ?, ?, ?, ?, ?)",
        name,
        category,
        unit_price,
        reorder_level,
        "active",
        new_product_id,
    )
    new_product = db.one('SELECT * FROM "products" WHERE "product_id" = ?', new_product_id)
    db.run(
        'UPDATE "suppliers" SET "product_ids" = ? WHERE "supplier_id" = ?',
        _append(
            supplier["product_ids"] if supplier["product_ids"] is not None else [],
            new_product["product_id"],
        ),
        supplier["supplier_id"],
    )
    return _product_view(new_product)


def update_product(db, *, product_id, unit_price=None, reorder_level=None, status=None):
    """Change the price or the reorder level of a product, or take it off sale."""
    product = db.one('SELECT * FROM "products" WHERE "product_id" = ?', product_id)
    if product is None:
        raise ToolError(f"No product with product id {product_id} was found.")
    if unit_price is None and reorder_level is None and status is None:
        raise ToolError("Nothing to change was given.")
    if product["status"] == "discontinued":
        raise ToolError(f"Discontinued products cannot be changed. The status is {product['status']}.")
    db.run(
        'UPDATE "products"'
        ' SET "unit_price" = COALESCE(?, "unit_price"), "reorder_level" = COALESCE(?, "reorder_level"), '
        '"status" = COALESCE(?, "status")'
        ' WHERE "product_id" = ?',
        unit_price,
        reorder_level,
        status,
        product["product_id"],
    )
    product = db.one('SELECT * FROM "products" WHERE "product_id" = ?', product["product_id"])
    return _product_view(product)


def list_locations(db, *, kind=None, status=None, city=None):
    """List the locations where stock is kept."""
    locations = [
        candidate
        for candidate in db.all(
            'SELECT * FROM "locations" WHERE (? IS NULL OR "status" = ?) ORDER BY "location_id"',
            status,
            status,
        )
        if (kind is None or _equal_text(candidate["kind"], kind))
        and (city is None or _equal_text(candidate["city"], city))
    ]
    return {
        "locations": [
            {
                "location_id": row["location_id"],
                "name": row["name"],
                "kind": row["kind"],
                "city": row["city"],
                "status": row["status"],
            }
            for row in locations
        ],
    }


def list_stock(
    db,
    *,
    product_id=None,
    location_id=None,
    min_quantity=0,
    sort_by="product_id",
    sort_order="asc",
    page=1,
    page_size=25,
):
    """List stock levels."""
    sort_columns = {"product_id": "product_id", "location_id": "location_id", "quantity": "quantity"}
    all_product_stocks = db.all(
        'SELECT * FROM "product_stocks"'
        ' WHERE (? IS NULL OR "product_id" = ?)'
        ' AND (? IS NULL OR "location_id" = ?)'
        ' AND "quantity" >= ?'
        ' ORDER BY "product_id", "location_id"',
        product_id,
        product_id,
        location_id,
        location_id,
        min_quantity,
    )
    all_product_stocks = _sort_rows(all_product_stocks, sort_columns.get(sort_by), sort_order)
    total = len(all_product_stocks)
    product_stocks = _page(all_product_stocks, page_size, _multiply(page - 1, page_size))
    return {
        "product_stocks": [
            {
                "product_id": _item(row, "product_id"),
                "location_id": _item(row, "location_id"),
                "position": _item(row, "position"),
                "quantity": _item(row, "quantity"),
                "total_quantity": _item(row, "total_quantity"),
                "reorder_level": _item(row, "reorder_level"),
                "missing_quantity": _item(row, "missing_quantity"),
                "from_location_id": _item(row, "from_location_id"),
                "to_location_id": _item(row, "to_location_id"),
                "change": _item(row, "change"),
                "reason": _item(row, "reason"),
                "category": _item(row, "category"),
                "supplier_id": _item(row, "supplier_id"),
            }
            for row in _as_list(product_stocks)
        ],
        "total": total,
    }


def transfer_stock(db, *, product_id, from_location_id, to_location_id, quantity):
    """Move units of a product from one location to another."""
    product = db.one('SELECT * FROM "products" WHERE "product_id" = ?', product_id)
    if product is None:
        raise ToolError(f"No product with product id {product_id} was found.")
    source = db.one('SELECT * FROM "locations" WHERE "location_id" = ?', from_location_id)
    if source is None:
        raise ToolError(f"No location with location id {from_location_id} was found.")
    destination = db.one('SELECT * FROM "locations" WHERE "location_id" = ?', to_location_id)
    if destination is None:
        raise ToolError(f"No location with location id {to_location_id} was found.")
    if from_location_id == to_location_id:
        raise ToolError("The two locations are the same.")
    if destination["status"] == "closed":
        raise ToolError(f"The destination is closed. The status is {destination['status']}.")
    source_stock = db.one(
        'SELECT * FROM "product_stocks" WHERE "product_id" = ? AND "location_id" = ?',
        product_id,
        from_location_id,
    )
    if source_stock is None:
        raise ToolError("There is no stock of it there.")
    if _less(source_stock["quantity"], quantity):
        raise ToolError(f"Only {_text(source_stock['quantity'])} are in stock there.")
    db.run(
        'UPDATE "product_stocks" SET "quantity" = ? WHERE "product_id" = ? AND "location_id" = ?',
        _subtract(source_stock["quantity"], quantity),
        source_stock["product_id"],
        source_stock["location_id"],
    )
    target_stock = db.one(
        'SELECT * FROM "product_stocks" WHERE "product_id" = ? AND "location_id" = ?',
        product_id,
        to_location_id,
    )
    new_quantity = (
        (target_stock["quantity"] if target_stock["quantity"] is not None else 0) + quantity
        if target_stock is not None
        else quantity
    )
    if new_quantity < 0:
        raise ToolError("The stock would fall below 0.")
    if target_stock is not None:
        db.run(
            'UPDATE "product_stocks" SET "quantity" = ? WHERE "product_id" = ? AND "location_id" = ?',
            new_quantity,
            target_stock["product_id"],
            target_stock["location_id"],
        )
        target_stock = db.one(
            'SELECT * FROM "product_stocks" WHERE "product_id" = ? AND "location_id" = ?',
            target_stock["product_id"],
            target_stock["location_id"],
        )
    else:
        if db.one(
            'SELECT 1 FROM "product_stocks" WHERE "product_id" = ? AND "location_id" = ?',
            product_id,
            to_location_id,
        ) is not None:
            raise ToolError(
                f"There is already a product stock with product id {product_id} and location id "
                f"{to_location_id}."
            )
        db.run(
            'INSERT INTO "product_stocks" ("product_id", "quantity", "location_id") VALUES (?, ?, ?)',
            product_id,
            new_quantity,
            to_location_id,
        )
        target_stock = db.one(
            'SELECT * FROM "product_stocks" WHERE "product_id" = ? AND "location_id" = ?',
            product_id,
            to_location_id,
        )
    return _product_stock_view(target_stock)


def adjust_stock(db, *, product_id, location_id, change, reason):
    """Correct the stock of a product at a location after a count, a delivery or damage."""
    product = db.one('SELECT * FROM "products" WHERE "product_id" = ?', product_id)
    if product is None:
        raise ToolError(f"No product with product id {product_id} was found.")
    location = db.one('SELECT * FROM "locations" WHERE "location_id" = ?', location_id)
    if location is None:
        raise ToolError(f"No location with location id {location_id} was found.")
    if change == 0:
        raise ToolError("The change cannot be 0.")
    target_stock = db.one(
        'SELECT * FROM "product_stocks" WHERE "product_id" = ? AND "location_id" = ?',
        product_id,
        location_id,
    )
    new_quantity = (
        (target_stock["quantity"] if target_stock["quantity"] is not None else 0) + change
        if target_stock is not None
        else change
    )
    if new_quantity < 0:
        raise ToolError("The stock would fall below 0.")
    if target_stock is not None:
        db.run(
            'UPDATE "product_stocks"'
            ' SET "quantity" = ?, "reason" = ?'
            ' WHERE "product_id" = ?'
            ' AND "location_id" = ?',
            new_quantity,
            reason,
            target_stock["product_id"],
            target_stock["location_id"],
        )
        target_stock = db.one(
            'SELECT * FROM "product_stocks" WHERE "product_id" = ? AND "location_id" = ?',
            target_stock["product_id"],
            target_stock["location_id"],
        )
    else:
        if db.one(
            'SELECT 1 FROM "product_stocks" WHERE "product_id" = ? AND "location_id" = ?',
            product_id,
            location_id,
        ) is not None:
            raise ToolError(
                f"There is already a product stock with product id {product_id} and location id "
                f"{location_id}."
            )
        db.run(
            'INSERT INTO "product_stocks" ("product_id", "quantity", "reason", "location_id")'
            " VALUES (?, ?, ?, ?)",
            product_id,
            new_quantity,
            reason,
            location_id,
        )
        target_stock = db.one(
            'SELECT * FROM "product_stocks" WHERE "product_id" = ? AND "location_id" = ?',
            product_id,
            location_id,
        )
    return _product_stock_view(target_stock)


def get_low_stock_report(db, *, category=None, supplier_id=None):
    """Compute which active products are running low: all those whose total quantity over all locations is
    below their reorder_level.
    """
    product_stocks = db.all(
        'SELECT * FROM "product_stocks"'
        ' WHERE (? IS NULL OR "category" = ?)'
        ' AND (? IS NULL OR "supplier_id" = ?)'
        ' ORDER BY "product_id", "location_id"',
        category,
        category,
        supplier_id,
        supplier_id,
    )
    return {"product_stocks": [_product_stock_view(row) for row in product_stocks]}


def list_suppliers(db, *, country=None, min_rating=None, sort_by="name", sort_order="asc"):
    """List suppliers."""
    sort_columns = {"name": "name", "lead_time_days": "lead_time_days", "rating": "rating"}
    suppliers = [
        candidate
        for candidate in db.all(
            'SELECT * FROM "suppliers" WHERE (? IS NULL OR "rating" >= ?) ORDER BY "supplier_id"',
            min_rating,
            min_rating,
        )
        if country is None or _equal_text(candidate["country"], country)
    ]
    suppliers = _sort_rows(suppliers, sort_columns.get(sort_by), sort_order)
    return {"suppliers": [_supplier_view(row) for row in suppliers]}


def create_supplier(db, *, name, email, country, lead_time_days=7):
    """Register a supplier."""
    if db.one('SELECT 1 FROM "suppliers" WHERE "email" = ?', email) is not None:
        raise ToolError(f"There is already a supplier with email {email}.")
    new_supplier_id = _new_supplier_id(db)
    db.run(
        'INSERT INTO "suppliers" ("name", "email", "country", "lead_time_days", "supplier_id")'
        " VALUES (?, ?, ?, ?, ?)",
        name,
        email,
        country,
        lead_time_days,
        new_supplier_id,
    )
    new_supplier = db.one('SELECT * FROM "suppliers" WHERE "supplier_id" = ?', new_supplier_id)
    return _supplier_view(new_supplier)


def delete_supplier(db, *, supplier_id):
    """Delete a supplier."""
    supplier = db.one('SELECT * FROM "suppliers" WHERE "supplier_id" = ?', supplier_id)
    if supplier is None:
        raise ToolError(f"No supplier with supplier id {supplier_id} was found.")
    held_products = db.all(
        'SELECT * FROM "products" WHERE "supplier_id" = ? ORDER BY "product_id"',
        supplier["supplier_id"],
    )
    if len(held_products) >= 1:
        raise ToolError("A supplier that still has products cannot be deleted.")
    db.run('DELETE FROM "suppliers" WHERE "supplier_id" = ?', supplier["supplier_id"])
    return {"deleted": True, "supplier_id": supplier["supplier_id"]}


def list_orders(
    db,
    *,
    customer_email=None,
    status=None,
    location_id=None,
    created_from=None,
    created_to=None,
    sort_by="created_on",
    sort_order="asc",
    page=1,
    page_size=25,
):
    """List customer orders that match all given filters."""
    sort_columns = {"created_on": "created_on", "priority": "priority", "status": "status"}
    all_orders = [
        candidate
        for candidate in db.all(
            'SELECT * FROM "orders"'
            ' WHERE (? IS NULL OR "status" = ?)'
            ' AND (? IS NULL OR "location_id" = ?)'
            ' AND (? IS NULL OR "created_on" >= ?)'
            ' AND (? IS NULL OR "created_on" <= ?)'
            ' ORDER BY "order_id"',
            status,
            status,
            location_id,
            location_id,
            created_from,
            created_from,
            created_to,
            created_to,
        )
        if customer_email is None or _equal_text(candidate["customer_email"], customer_email)
    ]
    all_orders = _sort_rows(all_orders, sort_columns.get(sort_by), sort_order)
    total = len(all_orders)
    orders = _page(all_orders, page_size, _multiply(page - 1, page_size))
    return {
        "orders": [
            {
                "order_id": _item(row, "order_id"),
                "customer_name": _item(row, "customer_name"),
                "customer_email": _item(row, "customer_email"),
                "location_id": _item(row, "location_id"),
                "status": _item(row, "status"),
                "priority": _item(row, "priority"),
                "created_on": _item(row, "created_on"),
                "shipment_ids": _item(row, "shipment_ids"),
                "items": _item(row, "items"),
                "reason": _item(row, "reason"),
            }
            for row in _as_list(orders)
        ],
        "total": total,
    }


def get_order(db, *, order_id):
    """Get one order with its customer, location, status, priority, items (product_id, quantity, unit_price)
    and shipment_ids.
    """
    order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', order_id)
    if order is None:
        raise ToolError(f"No order with order id {order_id} was found.")
    return _order_view(order)


def create_order(db, *, customer_name, customer_email, location_id, items, priority="normal"):
    """Create a customer order."""
    location = db.one('SELECT * FROM "locations" WHERE "location_id" = ?', location_id)
    if location is None:
        raise ToolError(f"No location with location id {location_id} was found.")
    if location["status"] == "closed":
        raise ToolError(f"The location is closed. The status is {location['status']}.")
    held_orders = db.all(
        'SELECT * FROM "orders" WHERE "location_id" = ? AND "status" = \'pending\' ORDER BY "order_id"',
        location_id,
    )
    if len(held_orders) >= 5:
        raise ToolError("A customer can have at most 5 pending orders.")
    new_order_id = _new_order_id(db)
    db.run(
        'INSERT INTO "orders" ("location_id", "customer_name", "customer_email", "items", "priority", '
        '"status", "order_id", "created_on")'
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        location["location_id"],
        customer_name,
        customer_email,
        items,
        priority,
        "pending",
        new_order_id,
        db.today(),
    )
    new_order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', new_order_id)
    return _order_view(new_order)


def add_order_item(db, *, order_id, product_id, quantity):
    """Add a product to an order."""
    order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', order_id)
    if order is None:
        raise ToolError(f"No order with order id {order_id} was found.")
    product = db.one('SELECT * FROM "products" WHERE "product_id" = ?', product_id)
    if product is None:
        raise ToolError(f"No product with product id {product_id} was found.")
    if order["status"] != "pending":
        raise ToolError(f"Only pending orders can be changed. The status is {order['status']}.")
    if product["status"] == "discontinued":
        raise ToolError(f"The product is discontinued. The status is {product['status']}.")
    if db.one(
        'SELECT 1 FROM "order_items" WHERE "order_id" = ? AND "product_id" = ?',
        order["order_id"],
        product["product_id"],
    ) is not None:
        raise ToolError(
            f"There is already an order item with order id {order['order_id']} and product id "
            f"{product['product_id']}."
        )
    db.run(
        'INSERT INTO "order_items" ("order_id", "product_id", "quantity", "unit_price") VALUES (?, ?, ?, ?)',
        order["order_id"],
        product["product_id"],
        quantity,
        product["unit_price"],
    )
    new_order_item = db.one(
        'SELECT * FROM "order_items" WHERE "order_id" = ? AND "product_id" = ?',
        order["order_id"],
        product["product_id"],
    )
    return {
        "order_id": new_order_item["order_id"],
        "product_id": new_order_item["product_id"],
        "quantity": new_order_item["quantity"],
        "unit_price": new_order_item["unit_price"],
    }


def calculate_order_total(db, *, order_id, discount_percent=0, shipping_method="standard"):
    """Compute what an order costs, without changing it."""
    order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', order_id)
    if order is None:
        raise ToolError(f"No order with order id {order_id} was found.")
    order_items = db.all(
        'SELECT * FROM "order_items" WHERE "order_id" = ? ORDER BY "order_id", "product_id"',
        order["order_id"],
    )
    units = 1
    subtotal = _round(_sum([_multiply(row["unit_price"], row["quantity"]) for row in order_items]), 2)
    surcharge = _round(
        _add(
            _add(
                _add(
                    _subtract(0, _divide(_multiply(subtotal, discount_percent), 100)),
                    0.0 if shipping_method == "pickup" else 0,
                ),
                6.5 if shipping_method == "standard" else 0,
            ),
            18.0 if shipping_method == "express" else 0,
        ),
        2,
    )
    total = _round(_add(subtotal, surcharge), 2)
    if total is None:
        raise ToolError("The amount is out of range.")
    return {
        "order_id": order["order_id"],
        "discount_percent": discount_percent,
        "shipping_method": shipping_method,
        "units": units,
        "subtotal": subtotal,
        "surcharge": surcharge,
        "total": total,
    }


def confirm_order(db, *, order_id):
    """Confirm an order: its status becomes confirmed and the ordered quantities are taken from the stock of
    its location.
    """
    order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', order_id)
    if order is None:
        raise ToolError(f"No order with order id {order_id} was found.")
    if order["status"] != "pending":
        raise ToolError(f"Order cannot become confirmed: its status is {order['status']}.")
    db.run('UPDATE "orders" SET "status" = ? WHERE "order_id" = ?', "confirmed", order["order_id"])
    order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', order["order_id"])
    location = db.one('SELECT * FROM "locations" WHERE "location_id" = ?', order["location_id"])
    return _order_view(order)


def cancel_order(db, *, order_id, reason):
    """Cancel an order and set its status to cancelled."""
    order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', order_id)
    if order is None:
        raise ToolError(f"No order with order id {order_id} was found.")
    if order["status"] != "pending":
        raise ToolError(f"Order cannot become cancelled: its status is {order['status']}.")
    db.run(
        'UPDATE "orders" SET "reason" = ?, "status" = ? WHERE "order_id" = ?',
        reason,
        "cancelled",
        order["order_id"],
    )
    order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', order["order_id"])
    return _order_view(order)


def create_shipment(db, *, order_id, carrier, shipping_method="standard", expected_on):
    """Hand a confirmed order to a carrier."""
    order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', order_id)
    if order is None:
        raise ToolError(f"No order with order id {order_id} was found.")
    if order["status"] != "confirmed":
        raise ToolError(f"The order must be confirmed. The status is {order['status']}.")
    new_shipment_id = _new_shipment_id(db)
    db.run(
        'INSERT INTO "shipments" ("carrier", "shipping_method", "expected_on", "status", "shipment_id")'
        " VALUES (?, ?, ?, ?, ?)",
        carrier,
        shipping_method,
        expected_on,
        "in_transit",
        new_shipment_id,
    )
    new_shipment = db.one('SELECT * FROM "shipments" WHERE "shipment_id" = ?', new_shipment_id)
    db.run(
        'UPDATE "orders" SET "shipment_ids" = ? WHERE "order_id" = ?',
        _append(
            order["shipment_ids"] if order["shipment_ids"] is not None else [],
            new_shipment["shipment_id"],
        ),
        order["order_id"],
    )
    return _shipment_view(new_shipment)


def list_shipments(
    db,
    *,
    order_id=None,
    carrier=None,
    status=None,
    expected_to=None,
    sort_by="expected_on",
    sort_order="asc",
):
    """List shipments."""
    sort_columns = {"expected_on": "expected_on", "carrier": "carrier"}
    shipments = [
        candidate
        for candidate in db.all(
            'SELECT * FROM "shipments"'
            ' WHERE (? IS NULL OR "order_id" = ?)'
            ' AND (? IS NULL OR "status" = ?)'
            ' AND (? IS NULL OR "expected_on" <= ?)'
            ' ORDER BY "shipment_id"',
            order_id,
            order_id,
            status,
            status,
            expected_to,
            expected_to,
        )
        if carrier is None or _equal_text(candidate["carrier"], carrier)
    ]
    shipments = _sort_rows(shipments, sort_columns.get(sort_by), sort_order)
    return {"shipments": [_shipment_view(row) for row in shipments]}


def mark_shipment_delivered(db, *, shipment_id, received_by=None):
    """Record that a shipment has arrived: its status becomes delivered, and the status of its order becomes
    delivered too.
    """
    shipment = db.one('SELECT * FROM "shipments" WHERE "shipment_id" = ?', shipment_id)
    if shipment is None:
        raise ToolError(f"No shipment with shipment id {shipment_id} was found.")
    if shipment["status"] != "in_transit":
        raise ToolError(f"Shipment cannot become delivered: its status is {shipment['status']}.")
    db.run(
        'UPDATE "shipments"'
        ' SET "received_by" = COALESCE(?, "received_by"), "status" = ?'
        ' WHERE "shipment_id" = ?',
        received_by,
        "delivered",
        shipment["shipment_id"],
    )
    shipment = db.one('SELECT * FROM "shipments" WHERE "shipment_id" = ?', shipment["shipment_id"])
    order = db.one('SELECT * FROM "orders" WHERE "order_id" = ?', shipment["order_id"])
    if order is not None:
        db.run('UPDATE "orders" SET "status" = ? WHERE "order_id" = ?', "delivered", order["order_id"])
    return _shipment_view(shipment)


def _product_view(product):
    """The product as tools show it."""
    return {
        "product_id": product["product_id"],
        "name": product["name"],
        "category": product["category"],
        "unit_price": product["unit_price"],
        "reorder_level": product["reorder_level"],
        "supplier_id": product["supplier_id"],
        "status": product["status"],
    }


def _product_stock_view(product_stock):
    """The product stock as tools show it."""
    return {
        "product_id": product_stock["product_id"],
        "location_id": product_stock["location_id"],
        "position": product_stock["position"],
        "quantity": product_stock["quantity"],
        "total_quantity": product_stock["total_quantity"],
        "reorder_level": product_stock["reorder_level"],
        "missing_quantity": product_stock["missing_quantity"],
        "from_location_id": product_stock["from_location_id"],
        "to_location_id": product_stock["to_location_id"],
        "change": product_stock["change"],
        "reason": product_stock["reason"],
        "category": product_stock["category"],
        "supplier_id": product_stock["supplier_id"],
    }


def _supplier_view(supplier):
    """The supplier as tools show it."""
    return {
        "supplier_id": supplier["supplier_id"],
        "name": supplier["name"],
        "email": supplier["email"],
        "country": supplier["country"],
        "lead_time_days": supplier["lead_time_days"],
        "rating": supplier["rating"],
        "product_ids": supplier["product_ids"],
    }


def _order_view(order):
    """The order as tools show it."""
    return {
        "order_id": order["order_id"],
        "customer_name": order["customer_name"],
        "customer_email": order["customer_email"],
        "location_id": order["location_id"],
        "status": order["status"],
        "priority": order["priority"],
        "created_on": order["created_on"],
        "shipment_ids": order["shipment_ids"],
        "items": order["items"],
        "reason": order["reason"],
    }


def _shipment_view(shipment):
    """The shipment as tools show it."""
    return {
        "shipment_id": shipment["shipment_id"],
        "order_id": shipment["order_id"],
        "carrier": shipment["carrier"],
        "status": shipment["status"],
        "expected_on": shipment["expected_on"],
        "received_by": shipment["received_by"],
    }


def _new_product_id(db):
    """A fresh id for a new product; ids that exist are passed over."""
    number = db.next_id("products")
    fresh = f"PRD-{number:04d}"
    while db.one('SELECT 1 FROM "products" WHERE "product_id" = ?', fresh) is not None:
        number = db.next_id("products")
        fresh = f"PRD-{number:04d}"
    return fresh


def _new_supplier_id(db):
    """A fresh id for a new supplier; ids that exist are passed over."""
    number = db.next_id("suppliers")
    fresh = f"SUP-{number:02d}"
    while db.one('SELECT 1 FROM "suppliers" WHERE "supplier_id" = ?', fresh) is not None:
        number = db.next_id("suppliers")
        fresh = f"SUP-{number:02d}"
    return fresh


def _new_order_id(db):
    """A fresh id for a new order; ids that exist are passed over."""
    number = db.next_id("orders")
    fresh = f"ORD-{number:04d}"
    while db.one('SELECT 1 FROM "orders" WHERE "order_id" = ?', fresh) is not None:
        number = db.next_id("orders")
        fresh = f"ORD-{number:04d}"
    return fresh


def _new_shipment_id(db):
    """A fresh id for a new shipment; ids that exist are passed over."""
    number = db.next_id("shipments")
    fresh = f"SHP-{number:04d}"
    while db.one('SELECT 1 FROM "shipments" WHERE "shipment_id" = ?', fresh) is not None:
        number = db.next_id("shipments")
        fresh = f"SHP-{number:04d}"
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


def _divide(left, right):
    """The quotient; None when either is not a number or the divisor is zero."""
    if not _is_number(left) or not _is_number(right) or right == 0:
        return None
    return _finite(float(left) / float(right)) if abs(right) >= 1e-300 else None


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


def _equal_text(left, right):
    """Whether two texts are the same, ignoring case; False for None."""
    return left is not None and right is not None and _text(left).casefold() == _text(right).casefold()


def _as_list(value):
    """A list as it is, a single value as a list of it, None as an empty list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _append(values, value):
    """A new list with the value at its end."""
    return [*_as_list(values), value]


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


def _column(values, key):
    """The members of a list, or that property of each, without None."""
    members = _as_list(values) if key is None else [_item(value, key) for value in _as_list(values)]
    return [member for member in members if member is not None]


def _sum(values, key=None):
    """The sum of the numbers in a list, or of a property of its members; whatever is no number is left out."""
    total = 0
    for number in _column(values, key):
        total = _add(total, number) if _is_number(number) and total is not None else total
    return total


def _item(container, key):
    """The property of an object or the member of a list; None when there is none."""
    if isinstance(container, dict):
        return container.get(key) if isinstance(key, str) else None
    return _at(container, key) if isinstance(container, list) else None
