BEGIN;
PRAGMA defer_foreign_keys=ON;
INSERT INTO autoforge_clock (now) VALUES ('2026-03-02T09:00:00');
INSERT INTO autoforge_counters (name, value) VALUES ('suppliers', 8);
INSERT INTO autoforge_counters (name, value) VALUES ('products', 1012);
INSERT INTO autoforge_counters (name, value) VALUES ('locations', 8);
INSERT INTO autoforge_counters (name, value) VALUES ('orders', 5012);
INSERT INTO autoforge_counters (name, value) VALUES ('shipments', 9016);
INSERT INTO autoforge_counters (name, value) VALUES ('stocks', 48);
INSERT INTO autoforge_counters (name, value) VALUES ('order_items', 16);

INSERT INTO "suppliers" ("supplier_id", "name", "email", "country", "lead_time_days", "rating") VALUES
  ('SUP-01', 'Harris Consulting', 'info@harris-consulting.example', 'United States', 4, 4.2),
  ('SUP-02', 'Miller Supplies', 'info@miller-supplies.example', 'Australia', 8, 4.9),
  ('SUP-03', 'Brown Electric', 'info@brown-electric.example', 'United States', 11, 4.6),
  ('SUP-04', 'Downs Electric', 'info@downs-electric.example', 'Ireland', 6, 3.4),
  ('SUP-05', 'Harris and Partners', 'info@harris-and-partners.example', 'France', 5, 3.9),
  ('SUP-06', 'Gray Logistics', 'info@gray-logistics.example', 'France', 14, 2.5),
  ('SUP-07', 'Smith Textiles', 'info@smith-textiles.example', 'France', 3, 2.6),
  ('SUP-08', 'Gonzales Trading', 'info@gonzales-trading.example', 'France', 4, 4.2);

INSERT INTO "products" ("product_id", "name", "category", "unit_price", "reorder_level", "supplier_id", "status") VALUES
  ('PRD-1001', 'Foldable Travel Backpack', 'electrical', 65.9, 113, 'SUP-05', 'active'),
  ('PRD-1002', 'Premium Water Bottle', 'garden', 14.0, 86, 'SUP-07', 'active'),
  ('PRD-1003', 'Adjustable Office Chair', 'electrical', 176.0, 19, 'SUP-01', 'discontinued'),
  ('PRD-1004', 'Adjustable Bluetooth Speaker', 'fasteners', 80.5, 43, 'SUP-06', 'active'),
  ('PRD-1005', 'Adjustable Running Shoes', 'safety', 110.99, 99, 'SUP-03', 'active'),
  ('PRD-1006', 'Lightweight Travel Backpack', 'tools', 66.99, 32, 'SUP-07', 'active'),
  ('PRD-1007', 'Adjustable Water Bottle', 'tools', 14.5, 97, 'SUP-05', 'active'),
  ('PRD-1008', 'Classic Office Chair', 'garden', 172.0, 52, 'SUP-07', 'discontinued'),
  ('PRD-1009', 'Premium Bluetooth Speaker', 'safety', 79.5, 5, 'SUP-03', 'active'),
  ('PRD-1010', 'Foldable Running Shoes', 'plumbing', 112.9, 96, 'SUP-05', 'active'),
  ('PRD-1011', 'Compact Travel Backpack', 'tools', 63.9, 1, 'SUP-08', 'discontinued'),
  ('PRD-1012', 'Classic Water Bottle', 'fasteners', 15.99, 39, NULL, 'active');

INSERT INTO "locations" ("location_id", "name", "kind", "city", "status") VALUES
  ('LOC-0001', 'Central branch', 'store', 'Paris', 'open'),
  ('LOC-0002', 'North warehouse', 'returns_centre', 'Portland', 'open'),
  ('LOC-0003', 'Riverside store', 'store', 'Paris', 'open'),
  ('LOC-0004', 'Harbor depot', 'store', 'London', 'closed'),
  ('LOC-0005', 'Riverside warehouse', 'warehouse', 'Berlin', 'open'),
  ('LOC-0006', 'North store', 'warehouse', 'Austin', 'closed'),
  ('LOC-0007', 'North depot', 'store', 'Paris', 'closed'),
  ('LOC-0008', 'Riverside branch', 'warehouse', 'Paris', 'closed');

INSERT INTO "orders" ("order_id", "customer_email", "location_id", "status", "priority", "created_on", "customer", "customer_name", "reason") VALUES
  ('ORD-5001', 'alexandria.wells@example.com', 'LOC-0008', 'pending', 'urgent', '2026-01-06T09:02:00', 'Alexandria Wells', 'Alexandria Wells', 'out_of_stock'),
  ('ORD-5002', 'jessica.campos@example.net', NULL, 'confirmed', 'normal', '2026-01-06T18:03:00', 'Jessica Campos', 'Jessica Campos', 'fraud_suspected'),
  ('ORD-5003', 'robert.wells@example.net', 'LOC-0001', 'pending', 'low', '2026-01-07T10:28:00', 'Robert Wells', 'Robert Wells', 'fraud_suspected'),
  ('ORD-5004', 'jessica.campos23@example.net', 'LOC-0001', 'cancelled', 'urgent', '2026-01-09T08:32:00', 'Jessica Campos', 'Jessica Campos', 'duplicate'),
  ('ORD-5005', 'jonathan.robinson@example.org', 'LOC-0003', 'delivered', 'normal', '2026-01-14T07:55:00', 'Jonathan Robinson', 'Jonathan Robinson', 'customer_request'),
  ('ORD-5006', 'mariah.murphy@example.org', 'LOC-0003', 'confirmed', 'normal', '2026-01-26T15:20:00', 'Mariah Murphy', 'Mariah Murphy', 'customer_request'),
  ('ORD-5007', 'erik.guerrero@example.net', 'LOC-0004', 'pending', 'normal', '2026-01-30T16:02:00', 'Erik Guerrero', 'Erik Guerrero', 'duplicate'),
  ('ORD-5008', 'janice.shah@example.com', 'LOC-0003', 'pending', 'normal', '2026-02-01T16:25:00', 'Janice Shah', 'Janice Shah', 'fraud_suspected'),
  ('ORD-5009', 'robert.wells@example.net', 'LOC-0004', 'confirmed', 'normal', '2026-02-04T18:43:00', 'Robert Wells', 'Robert Wells', 'customer_request'),
  ('ORD-5010', 'jonathan.robinson@example.org', 'LOC-0002', 'shipped', 'normal', '2026-02-06T14:34:00', 'Jonathan Robinson', 'Jonathan Robinson', 'customer_request'),
  ('ORD-5011', 'jessica.campos23@example.net', 'LOC-0003', 'shipped', 'normal', '2026-02-07T14:41:00', 'Jessica Campos', 'Jessica Campos', 'duplicate'),
  ('ORD-5012', 'jessica.campos@example.net', 'LOC-0007', 'shipped', 'low', '2026-02-12T10:01:00', 'Jessica Campos', 'Jessica Campos', 'out_of_stock');

INSERT INTO "shipments" ("shipment_id", "order_id", "carrier", "shipping_method", "status", "expected_on", "received_by") VALUES
  ('SHP-9001', 'ORD-5004', 'dhl', 'express', 'in_transit', '2026-02-27', 'Jennifer Jones'),
  ('SHP-9002', NULL, 'ups', 'pickup', 'delivered', '2026-01-16', 'Lisa Jones'),
  ('SHP-9003', 'ORD-5008', 'dhl', 'pickup', 'delivered', '2026-01-31', 'Katherine Jones'),
  ('SHP-9004', 'ORD-5005', 'dhl', 'pickup', 'delivered', '2026-01-28', 'Lisa Jones'),
  ('SHP-9005', 'ORD-5011', 'ups', 'express', 'delivered', '2026-01-29', 'Andrew Pratt'),
  ('SHP-9006', 'ORD-5010', 'fedex', 'standard', 'delivered', '2026-01-30', 'Donna Black'),
  ('SHP-9007', 'ORD-5002', 'dhl', 'standard', 'in_transit', '2026-03-10', 'Patrick Montgomery'),
  ('SHP-9008', 'ORD-5011', 'ups', 'standard', 'in_transit', '2026-04-01', 'Benjamin Garcia'),
  ('SHP-9009', 'ORD-5011', 'own_fleet', 'standard', 'delivered', '2026-02-09', 'Kim Rowe'),
  ('SHP-9010', 'ORD-5010', 'fedex', 'pickup', 'delivered', '2026-02-14', 'Cynthia Dunn'),
  ('SHP-9011', 'ORD-5001', 'own_fleet', 'pickup', 'in_transit', '2026-03-19', 'Andrew Pratt'),
  ('SHP-9012', 'ORD-5011', 'dhl', 'standard', 'in_transit', '2026-03-04', 'Donna Black'),
  ('SHP-9013', 'ORD-5007', 'ups', 'pickup', 'in_transit', '2026-04-01', 'Katherine Jones'),
  ('SHP-9014', 'ORD-5011', 'fedex', 'standard', 'in_transit', '2026-03-19', 'Lisa Jones'),
  ('SHP-9015', 'ORD-5011', 'ups', 'standard', 'in_transit', '2026-03-02', 'Andrew Pratt'),
  ('SHP-9016', 'ORD-5012', 'dhl', 'express', 'in_transit', '2026-03-03', 'Kim Rowe');

INSERT INTO "stocks" ("id", "product_id", "location_id", "quantity_on_hand", "total_quantity", "reorder_level", "missing_quantity", "from_location_id", "to_location_id", "change", "reason", "category", "supplier_id") VALUES
  (1, 'PRD-1001', 'LOC-0006', 43, 578, 'Reorder level O', 6, 'LOC-0007', 'LOC-0008', 9, 'delivery', 'fasteners', 'SUP-05'),
  (2, 'PRD-1001', 'LOC-0002', 48, 372, 'Reorder level N', 9, 'LOC-0007', 'LOC-0003', 5, 'damage', 'electrical', 'SUP-05'),
  (3, 'PRD-1002', 'LOC-0006', 72, 372, 'Reorder level F', 4, 'LOC-0008', 'LOC-0003', 1, 'damage', 'tools', 'SUP-07'),
  (4, 'PRD-1002', 'LOC-0003', 0, 750, 'Reorder level I', 9, 'LOC-0007', 'LOC-0006', 8, 'count', 'fasteners', 'SUP-07'),
  (5, 'PRD-1006', 'LOC-0004', 84, 688, 'Reorder level P', 6, 'LOC-0007', 'LOC-0003', 5, 'delivery', 'safety', 'SUP-07'),
  (6, 'PRD-1006', 'LOC-0003', 49, 690, 'Reorder level B', 4, 'LOC-0001', 'LOC-0004', 2, 'delivery', 'electrical', 'SUP-07'),
  (7, 'PRD-1006', 'LOC-0002', 2, 740, 'Reorder level G', 4, 'LOC-0007', 'LOC-0001', 6, 'delivery', 'tools', 'SUP-07'),
  (8, 'PRD-1005', 'LOC-0002', 60, 478, 'Reorder level P', 2, 'LOC-0008', 'LOC-0007', 5, 'count', 'tools', 'SUP-03'),
  (9, 'PRD-1004', 'LOC-0006', 35, 480, 'Reorder level D', 6, NULL, 'LOC-0003', 7, 'delivery', 'tools', 'SUP-06'),
  (10, 'PRD-1006', 'LOC-0008', 53, 322, 'Reorder level M', 2, 'LOC-0007', 'LOC-0003', 6, 'loss', 'plumbing', 'SUP-07'),
  (11, 'PRD-1004', 'LOC-0003', 33, 719, 'Reorder level E', 1, 'LOC-0001', 'LOC-0007', 5, 'delivery', 'plumbing', 'SUP-06'),
  (12, 'PRD-1004', 'LOC-0001', 0, 721, 'Reorder level E', 6, 'LOC-0007', 'LOC-0006', 1, 'count', 'electrical', 'SUP-06'),
  (13, 'PRD-1001', 'LOC-0003', 56, 765, 'Reorder level G', 6, 'LOC-0001', 'LOC-0007', 3, 'delivery', 'tools', 'SUP-05'),
  (14, 'PRD-1006', 'LOC-0001', 14, 580, 'Reorder level O', 4, 'LOC-0008', 'LOC-0004', 2, 'damage', 'safety', 'SUP-07'),
  (15, 'PRD-1005', 'LOC-0004', 1, 580, 'Reorder level H', 8, 'LOC-0007', 'LOC-0001', 1, 'count', 'tools', 'SUP-03'),
  (16, 'PRD-1001', 'LOC-0007', 25, 708, 'Reorder level C', 5, 'LOC-0001', 'LOC-0003', 4, 'damage', 'electrical', 'SUP-05'),
  (17, 'PRD-1002', 'LOC-0007', 81, 715, 'Reorder level E', 3, 'LOC-0001', 'LOC-0004', 2, 'delivery', 'electrical', 'SUP-07'),
  (18, 'PRD-1008', 'LOC-0003', 46, 716, 'Reorder level P', 8, 'LOC-0007', 'LOC-0001', 1, 'count', 'safety', 'SUP-07'),
  (19, 'PRD-1008', 'LOC-0006', 12, 830, 'Reorder level P', 4, 'LOC-0003', 'LOC-0007', 1, 'damage', 'electrical', 'SUP-07'),
  (20, 'PRD-1011', 'LOC-0006', 0, 542, 'Reorder level M', 8, 'LOC-0002', NULL, 6, 'damage', 'fasteners', 'SUP-08'),
  (21, 'PRD-1008', 'LOC-0002', 37, 542, 'Reorder level H', 6, 'LOC-0008', 'LOC-0004', 1, 'delivery', 'tools', 'SUP-07'),
  (22, 'PRD-1010', 'LOC-0007', 42, 488, 'Reorder level B', 5, 'LOC-0008', 'LOC-0003', 9, 'count', 'safety', 'SUP-05'),
  (23, 'PRD-1011', 'LOC-0008', 1, 684, 'Reorder level K', 1, 'LOC-0001', NULL, 4, 'count', 'fasteners', NULL),
  (24, 'PRD-1002', 'LOC-0008', 0, 686, 'Reorder level J', 1, 'LOC-0003', NULL, 3, 'customer_return', 'garden', 'SUP-07'),
  (25, 'PRD-1001', 'LOC-0004', 57, 784, 'Reorder level D', 5, 'LOC-0008', 'LOC-0003', 7, 'damage', 'fasteners', NULL),
  (26, 'PRD-1005', 'LOC-0006', 62, 126, 'Reorder level M', 8, 'LOC-0007', 'LOC-0004', 4, 'customer_return', 'tools', NULL),
  (27, 'PRD-1005', 'LOC-0007', 61, 126, 'Reorder level G', 7, NULL, 'LOC-0004', 5, 'count', 'safety', 'SUP-03'),
  (28, 'PRD-1008', 'LOC-0004', 0, 405, 'Reorder level B', 4, 'LOC-0007', 'LOC-0003', 4, 'delivery', 'tools', 'SUP-07'),
  (29, 'PRD-1009', 'LOC-0006', 104, 319, 'Reorder level M', 4, 'LOC-0007', 'LOC-0003', 2, 'damage', 'tools', 'SUP-03'),
  (30, 'PRD-1010', 'LOC-0008', 70, 319, 'Reorder level K', 4, 'LOC-0006', 'LOC-0003', 8, 'customer_return', 'fasteners', 'SUP-05'),
  (31, 'PRD-1010', 'LOC-0006', 3, 194, 'Reorder level K', 2, 'LOC-0007', 'LOC-0004', 5, 'damage', 'electrical', 'SUP-05'),
  (32, 'PRD-1011', 'LOC-0003', 39, 659, 'Reorder level P', 5, 'LOC-0007', 'LOC-0008', 1, 'count', 'fasteners', 'SUP-08'),
  (33, 'PRD-1011', 'LOC-0004', 14, 660, 'Reorder level M', 2, 'LOC-0001', 'LOC-0002', 1, 'customer_return', 'fasteners', NULL),
  (34, 'PRD-1009', 'LOC-0003', 86, 94, 'Reorder level P', 3, NULL, NULL, 6, 'delivery', 'tools', 'SUP-03'),
  (35, 'PRD-1005', 'LOC-0001', 95, 586, 'Reorder level H', 3, 'LOC-0007', 'LOC-0003', 9, 'customer_return', 'safety', 'SUP-03'),
  (36, 'PRD-1012', 'LOC-0001', 0, 586, 'Reorder level P', 1, 'LOC-0007', 'LOC-0004', 4, 'customer_return', 'plumbing', 'SUP-01'),
  (37, 'PRD-1004', 'LOC-0008', 16, 351, 'Reorder level C', 6, 'LOC-0004', 'LOC-0003', 7, 'loss', 'safety', 'SUP-06'),
  (38, 'PRD-1010', 'LOC-0003', 111, 251, 'Reorder level B', 9, 'LOC-0007', 'LOC-0003', 3, 'customer_return', 'tools', 'SUP-05'),
  (39, 'PRD-1008', 'LOC-0007', 1, 251, 'Reorder level H', 5, 'LOC-0001', 'LOC-0003', 3, 'loss', 'fasteners', 'SUP-07'),
  (40, 'PRD-1010', 'LOC-0002', 77, 84, 'Reorder level C', 4, 'LOC-0001', 'LOC-0007', 3, 'customer_return', 'garden', 'SUP-05'),
  (41, 'PRD-1004', 'LOC-0007', 118, 419, 'Reorder level H', 4, 'LOC-0002', 'LOC-0006', 5, 'count', 'fasteners', 'SUP-06'),
  (42, 'PRD-1012', 'LOC-0002', 53, 420, 'Reorder level H', 6, 'LOC-0008', 'LOC-0003', 2, 'loss', 'fasteners', 'SUP-06'),
  (43, 'PRD-1012', 'LOC-0007', 90, 858, 'Reorder level D', 1, 'LOC-0001', 'LOC-0003', 7, 'customer_return', 'tools', 'SUP-01'),
  (44, 'PRD-1009', 'LOC-0007', 0, 837, 'Reorder level A', 1, NULL, 'LOC-0003', 8, 'loss', 'tools', 'SUP-03'),
  (45, 'PRD-1011', 'LOC-0001', 62, 839, 'Reorder level P', 9, 'LOC-0007', 'LOC-0004', 6, 'customer_return', 'safety', 'SUP-08'),
  (46, 'PRD-1009', 'LOC-0002', 78, 563, 'Reorder level F', 2, 'LOC-0001', 'LOC-0006', 7, 'count', 'tools', 'SUP-03'),
  (47, 'PRD-1012', 'LOC-0008', 3, 381, 'Reorder level M', 8, 'LOC-0007', 'LOC-0003', 5, 'damage', 'electrical', 'SUP-02'),
  (48, 'PRD-1012', 'LOC-0004', 39, 381, 'Reorder level B', 7, 'LOC-0007', 'LOC-0003', 8, 'count', 'fasteners', 'SUP-08');

INSERT INTO "order_items" ("id", "order_id", "product_id", "quantity") VALUES
  (1, 'ORD-5004', 'PRD-1002', 2),
  (2, 'ORD-5002', 'PRD-1006', 9),
  (3, 'ORD-5012', 'PRD-1010', 3),
  (4, 'ORD-5002', 'PRD-1005', 6),
  (5, 'ORD-5007', 'PRD-1001', 7),
  (6, 'ORD-5007', 'PRD-1009', 7),
  (7, 'ORD-5011', 'PRD-1005', 8),
  (8, 'ORD-5005', 'PRD-1008', 6),
  (9, 'ORD-5011', 'PRD-1002', 1),
  (10, 'ORD-5001', 'PRD-1004', 6),
  (11, 'ORD-5010', 'PRD-1008', 6),
  (12, 'ORD-5008', 'PRD-1011', 1),
  (13, 'ORD-5010', 'PRD-1006', 2),
  (14, 'ORD-5001', 'PRD-1009', 2),
  (15, 'ORD-5006', 'PRD-1012', 1),
  (16, 'ORD-5005', 'PRD-1012', 5);
COMMIT;
