-- State of Warehouse data.

-- The clock and the counters of generated ids: part of the state, so that the same call has the same result.
CREATE TABLE autoforge_clock (
  now TEXT NOT NULL
);

CREATE TABLE autoforge_counters (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);

-- Calls of tools that have no other effect; no comparison of states reads it.
CREATE TABLE autoforge_log (
  id INTEGER PRIMARY KEY,
  tool TEXT NOT NULL,
  arguments JSON NOT NULL
);

-- Settings
CREATE TABLE "settings" (
  "id" INTEGER PRIMARY KEY CHECK ("id" = 1) NOT NULL,
  "current_date" TEXT
);

-- Location
CREATE TABLE "locations" (
  "location_id" TEXT PRIMARY KEY NOT NULL,
  "name" TEXT,  -- name
  "kind" TEXT,  -- kind
  "city" TEXT,  -- city
  "status" TEXT NOT NULL CHECK ("status" IN ('open', 'closed'))  -- status
);

-- Supplier
CREATE TABLE "suppliers" (
  "supplier_id" TEXT PRIMARY KEY NOT NULL,
  "name" TEXT,  -- name
  "email" TEXT UNIQUE,  -- email
  "country" TEXT,  -- country
  "lead_time_days" INTEGER,  -- lead_time_days
  "rating" REAL,  -- rating
  "product_ids" JSON TEXT
);

-- Product
CREATE TABLE "products" (
  "product_id" TEXT PRIMARY KEY NOT NULL,
  "name" TEXT UNIQUE,  -- name
  "category" TEXT,  -- category
  "unit_price" REAL,  -- unit_price
  "reorder_level" INTEGER,  -- reorder_level
  "supplier_id" TEXT REFERENCES "suppliers" ("supplier_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- supplier_id
  "status" TEXT NOT NULL CHECK ("status" IN ('active', 'discontinued'))  -- status
);
CREATE INDEX "products_supplier_id_index" ON "products" ("supplier_id");

-- Order
CREATE TABLE "orders" (
  "order_id" TEXT PRIMARY KEY NOT NULL,
  "customer_name" TEXT,  -- Full name of the customer.
  "customer_email" TEXT,  -- customer_email
  "location_id" TEXT REFERENCES "locations" ("location_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- location_id
  "status" TEXT NOT NULL CHECK ("status" IN ('pending', 'confirmed', 'shipped', 'delivered', 'cancelled')),  -- status
  "priority" TEXT,  -- priority
  "created_on" TEXT,  -- created_on
  "shipment_ids" JSON TEXT,
  "items" JSON TEXT,  -- What is ordered.
  "reason" TEXT CHECK ("reason" IN ('customer_request', 'out_of_stock', 'duplicate', 'fraud_suspected'))  -- Why the order is cancelled.
);
CREATE INDEX "orders_location_id_index" ON "orders" ("location_id");

-- Shipment
CREATE TABLE "shipments" (
  "shipment_id" TEXT PRIMARY KEY NOT NULL,
  "order_id" TEXT REFERENCES "orders" ("order_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- order_id
  "carrier" TEXT,  -- carrier
  "shipping_method" TEXT,  -- shipping_method
  "status" TEXT NOT NULL CHECK ("status" IN ('in_transit', 'delivered')),  -- status
  "expected_on" TEXT,  -- expected_on
  "received_by" TEXT  -- Name of the person who signed for it.
);
CREATE INDEX "shipments_order_id_index" ON "shipments" ("order_id");

-- Product stock
CREATE TABLE "product_stocks" (
  "product_id" TEXT NOT NULL REFERENCES "products" ("product_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- product_id
  "location_id" TEXT NOT NULL REFERENCES "locations" ("location_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- location_id
  "position" INTEGER,
  "quantity" INTEGER,  -- quantity_on_hand
  "total_quantity" INTEGER CHECK ("total_quantity" >= 0),  -- total_quantity
  "reorder_level" TEXT,  -- reorder_level
  "missing_quantity" INTEGER CHECK ("missing_quantity" >= 0),  -- missing_quantity
  "from_location_id" TEXT REFERENCES "locations" ("location_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the location the units leave.
  "to_location_id" TEXT REFERENCES "locations" ("location_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the location the units arrive at. Must differ from from_location_id.
  "change" INTEGER CHECK ("change" >= -1000) CHECK ("change" <= 1000),  -- Units to add (positive) or to take away (negative).
  "reason" TEXT CHECK ("reason" IN ('count', 'delivery', 'damage', 'loss', 'customer_return')),  -- Why the stock is corrected.
  "category" TEXT CHECK ("category" IN ('tools', 'fasteners', 'electrical', 'plumbing', 'safety', 'garden')),  -- Only products of this category.
  "supplier_id" TEXT REFERENCES "suppliers" ("supplier_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- Only products of this supplier.
  PRIMARY KEY ("product_id", "location_id")
);
CREATE INDEX "product_stocks_location_id_index" ON "product_stocks" ("location_id");
CREATE INDEX "product_stocks_from_location_id_index" ON "product_stocks" ("from_location_id");
CREATE INDEX "product_stocks_to_location_id_index" ON "product_stocks" ("to_location_id");
CREATE INDEX "product_stocks_supplier_id_index" ON "product_stocks" ("supplier_id");

-- Order item
CREATE TABLE "order_items" (
  "order_id" TEXT NOT NULL REFERENCES "orders" ("order_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- ID of the order, e.g. ORD-5001.
  "product_id" TEXT NOT NULL REFERENCES "products" ("product_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- ID of the product, e.g. PRD-1001.
  "quantity" INTEGER,  -- Number of units.
  "unit_price" REAL,
  PRIMARY KEY ("order_id", "product_id")
);
CREATE INDEX "order_items_product_id_index" ON "order_items" ("product_id");
