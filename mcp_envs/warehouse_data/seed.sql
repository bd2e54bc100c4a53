BEGIN;
PRAGMA defer_foreign_keys=ON;
INSERT INTO autoforge_clock (now) VALUES ('2026-03-02T09:00:00');
INSERT INTO autoforge_counters (name, value) VALUES ('locations', 0);
INSERT INTO autoforge_counters (name, value) VALUES ('suppliers', 6);
INSERT INTO autoforge_counters (name, value) VALUES ('products', 1011);
INSERT INTO autoforge_counters (name, value) VALUES ('orders', 5006);
INSERT INTO autoforge_counters (name, value) VALUES ('shipments', 9002);

INSERT INTO "settings" ("id", "current_date") VALUES
  (1, '2026-03-12');

INSERT INTO "locations" ("location_id", "name", "kind", "city", "status") VALUES
  ('LOC-HAM', 'Hamburg main warehouse', 'warehouse', 'Hamburg', 'open'),
  ('LOC-ROT', 'Rotterdam warehouse', 'warehouse', 'Rotterdam', 'open'),
  ('LOC-GEN', 'Ghent store', 'store', 'Ghent', 'open'),
  ('LOC-RET', 'Returns centre Bremen', 'returns_centre', 'Bremen', 'open'),
  ('LOC-OLD', 'Antwerp store', 'store', 'Antwerp', 'closed');

INSERT INTO "suppliers" ("supplier_id", "name", "email", "country", "lead_time_days", "rating", "product_ids") VALUES
  ('SUP-01', 'Nordwerk Tools', 'orders@nordwerk.example', 'DE', 6, 4.6, '["PRD-1001","PRD-1002","PRD-1011"]'),
  ('SUP-02', 'Vijzel Fasteners', 'sales@vijzel.example', 'NL', 4, 4.1, '["PRD-1003","PRD-1004"]'),
  ('SUP-03', 'Lumina Electric', 'orders@lumina.example', 'IT', 9, 3.8, '["PRD-1005","PRD-1006"]'),
  ('SUP-04', 'Aquaduct', 'hello@aquaduct.example', 'BE', 12, 4.3, '["PRD-1007","PRD-1010"]'),
  ('SUP-05', 'Guardwell', 'trade@guardwell.example', 'PL', 7, 4.8, '["PRD-1008","PRD-1009"]'),
  ('SUP-06', 'Oak & Ember', 'oak@ember.example', 'GB', 15, 3.2, '[]');

INSERT INTO "products" ("product_id", "name", "category", "unit_price", "reorder_level", "supplier_id", "status") VALUES
  ('PRD-1001', 'Cordless drill 18V', 'tools', 89.9, 15, 'SUP-01', 'active'),
  ('PRD-1002', 'Claw hammer 450 g', 'tools', 14.5, 20, 'SUP-01', 'active'),
  ('PRD-1003', 'Wood screws 4x40, box of 200', 'fasteners', 6.8, 100, 'SUP-02', 'active'),
  ('PRD-1004', 'Hex bolts M8, box of 50', 'fasteners', 9.2, 80, 'SUP-02', 'active'),
  ('PRD-1005', 'Extension lead 10 m', 'electrical', 18.75, 25, 'SUP-03', 'active'),
  ('PRD-1006', 'LED work light 30 W', 'electrical', 32.4, 12, 'SUP-03', 'active'),
  ('PRD-1007', 'Copper pipe 15 mm, 3 m', 'plumbing', 21.3, 30, 'SUP-04', 'active'),
  ('PRD-1008', 'Safety goggles', 'safety', 7.95, 50, 'SUP-05', 'active'),
  ('PRD-1009', 'Work gloves, size L', 'safety', 5.6, 60, 'SUP-05', 'active'),
  ('PRD-1010', 'Garden hose 25 m', 'garden', 27.9, 10, 'SUP-04', 'active'),
  ('PRD-1011', 'Petrol strimmer', 'garden', 149.0, 5, 'SUP-01', 'discontinued');

INSERT INTO "orders" ("order_id", "customer_name", "customer_email", "location_id", "status", "priority", "created_on", "shipment_ids", "items", "reason") VALUES
  ('ORD-5001', 'Ines Moreau', 'ines.moreau@example.com', 'LOC-HAM', 'pending', 'normal', '2026-03-10', '[]', NULL, NULL),
  ('ORD-5002', 'Tom Becker', 'tom.becker@example.com', 'LOC-ROT', 'confirmed', 'urgent', '2026-03-09', '[]', NULL, NULL),
  ('ORD-5003', 'Ines Moreau', 'ines.moreau@example.com', 'LOC-HAM', 'shipped', 'normal', '2026-03-05', '["SHP-9001"]', NULL, NULL),
  ('ORD-5004', 'Aisha Khan', 'aisha.khan@example.com', 'LOC-GEN', 'delivered', 'low', '2026-02-24', '["SHP-9002"]', NULL, NULL),
  ('ORD-5005', 'Tom Becker', 'tom.becker@example.com', 'LOC-GEN', 'pending', 'normal', '2026-03-11', '[]', NULL, NULL),
  ('ORD-5006', 'Luca Ferri', 'luca.ferri@example.com', 'LOC-ROT', 'cancelled', 'normal', '2026-03-02', '[]', NULL, NULL);

INSERT INTO "shipments" ("shipment_id", "order_id", "carrier", "shipping_method", "status", "expected_on", "received_by") VALUES
  ('SHP-9001', 'ORD-5003', 'dhl', 'standard', 'in_transit', '2026-03-13', NULL),
  ('SHP-9002', 'ORD-5004', 'own_fleet', 'pickup', 'delivered', '2026-02-26', 'A. Khan');

INSERT INTO "product_stocks" ("product_id", "location_id", "position", "quantity", "total_quantity", "reorder_level", "missing_quantity", "from_location_id", "to_location_id", "change", "reason", "category", "supplier_id") VALUES
  ('PRD-1001', 'LOC-HAM', 1, 24, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1001', 'LOC-ROT', 2, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1002', 'LOC-HAM', 1, 60, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1002', 'LOC-GEN', 2, 12, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1003', 'LOC-HAM', 1, 240, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1003', 'LOC-ROT', 2, 180, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1003', 'LOC-GEN', 3, 35, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1004', 'LOC-ROT', 1, 42, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1005', 'LOC-HAM', 1, 18, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1005', 'LOC-GEN', 2, 9, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1006', 'LOC-ROT', 1, 11, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1007', 'LOC-ROT', 1, 75, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1008', 'LOC-HAM', 1, 130, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1008', 'LOC-ROT', 2, 44, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1008', 'LOC-GEN', 3, 20, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1009', 'LOC-HAM', 1, 30, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1009', 'LOC-GEN', 2, 38, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1010', 'LOC-GEN', 1, 14, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1010', 'LOC-RET', 2, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('PRD-1011', 'LOC-RET', 1, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO "order_items" ("order_id", "product_id", "quantity", "unit_price") VALUES
  ('ORD-5001', 'PRD-1001', 2, 89.9),
  ('ORD-5001', 'PRD-1003', 10, 6.8),
  ('ORD-5002', 'PRD-1007', 12, 21.3),
  ('ORD-5003', 'PRD-1008', 20, 7.95),
  ('ORD-5004', 'PRD-1002', 3, 14.5),
  ('ORD-5004', 'PRD-1010', 1, 27.9),
  ('ORD-5005', 'PRD-1009', 45, 5.6),
  ('ORD-5006', 'PRD-1006', 4, 32.4);
COMMIT;
