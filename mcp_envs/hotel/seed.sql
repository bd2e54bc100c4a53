BEGIN;
PRAGMA defer_foreign_keys=ON;
INSERT INTO autoforge_clock (now) VALUES ('2026-03-02T09:00:00');
INSERT INTO autoforge_counters (name, value) VALUES ('guests', 1008);
INSERT INTO autoforge_counters (name, value) VALUES ('rooms', 211);
INSERT INTO autoforge_counters (name, value) VALUES ('reservations', 5012);
INSERT INTO autoforge_counters (name, value) VALUES ('payments', 7016);
INSERT INTO autoforge_counters (name, value) VALUES ('housekeeping_tasks', 316);

INSERT INTO "guests" ("guest_id", "first_name", "last_name", "email", "phone", "country", "loyalty_tier", "loyalty_points") VALUES
  ('gst_1001', 'Maria', 'Costa', 'maria.costa@example.com', '+1-518-555-3525', 'US', 'platinum', 838),
  ('gst_1002', 'Stephen', 'Davies', 'stephen.davies@example.net', '+1-852-555-2212', 'DE', 'gold', 3320),
  ('gst_1003', 'Eric', 'Gill', 'eric.gill@example.com', '+1-303-555-2591', 'US', 'none', 4276),
  ('gst_1004', 'Ralph', 'Campbell', 'ralph.campbell@example.net', '+1-382-555-5878', 'GB', 'none', 1963),
  ('gst_1005', 'Timothy', 'Robinson', 'timothy.robinson@example.org', '+1-331-555-5422', 'DE', 'gold', 3990),
  ('gst_1006', 'James', 'Peterson', 'james.peterson@example.net', '+1-929-555-0918', 'US', 'silver', 4424),
  ('gst_1007', 'Erika', 'Macias', 'erika.macias@example.net', '+1-435-555-9667', 'US', 'platinum', 2397),
  ('gst_1008', 'Jenny', 'Hamilton', 'jenny.hamilton@example.net', '+1-498-555-7028', 'US', 'silver', 869);

INSERT INTO "rooms" ("room_id", "room_number", "room_type", "floor", "capacity", "nightly_rate", "sea_view", "status") VALUES
  ('room_204', '204', 'single', 5, 4, 129.0, 0, 'cleaning'),
  ('room_205', '202', 'twin', 1, 2, 310.99, 1, 'cleaning'),
  ('room_206', '603', 'double', 2, 1, 311.99, 1, 'cleaning'),
  ('room_207', '624', 'single', 4, 3, 211.9, 1, 'occupied'),
  ('room_208', '206', 'family', 6, 5, 84.9, 0, 'out_of_service'),
  ('room_209', '105', 'twin', 1, 6, 85.9, 1, 'available'),
  ('room_210', '421', 'single', 3, 6, 149.0, 0, 'out_of_service'),
  ('room_211', '501', 'suite', 1, 3, 66.9, 1, 'available');

INSERT INTO "reservations" ("reservation_id", "room_id", "check_in_date", "check_out_date", "guest_count", "breakfast", "guest_id", "status", "special_requests", "cancellation_reason", "total_price", "amount_paid", "created_at") VALUES
  ('res_5001', 'room_209', '2026-03-28', '2026-04-02', 3, 1, 'gst_1002', 'confirmed', NULL, NULL, 429.5, 429.5, '2026-01-09T15:52:00'),
  ('res_5002', 'room_209', '2026-03-25', '2026-03-27', 1, 1, 'gst_1002', 'confirmed', 'Celebrating an anniversary.', NULL, 171.8, 171.81, '2026-01-01T14:36:00'),
  ('res_5003', 'room_210', '2026-03-29', '2026-04-03', 2, 1, 'gst_1002', 'pending', 'Allergic to feather pillows.', NULL, 745.0, 0.0, '2026-01-09T08:09:00'),
  ('res_5004', 'room_207', '2026-03-14', '2026-03-16', 1, 0, 'gst_1002', 'pending', NULL, NULL, 423.8, 423.8, '2025-12-31T10:22:00'),
  ('res_5005', 'room_205', '2026-02-20', '2026-02-26', 3, 0, 'gst_1001', 'checked_out', 'Would like a quiet room.', NULL, 1865.94, 1865.94, '2026-01-10T07:35:00'),
  ('res_5006', 'room_207', '2026-03-07', '2026-03-14', 4, 0, 'gst_1005', 'pending', 'Needs a parking space.', NULL, 1483.3, 1483.3, '2026-01-10T16:58:00'),
  ('res_5007', 'room_207', '2026-02-02', '2026-02-09', 4, 1, 'gst_1007', 'cancelled', 'Traveling with a small child.', 'other', 1483.3, 0.0, '2026-01-10T17:43:00'),
  ('res_5008', 'room_209', '2026-02-16', '2026-02-22', 2, 0, 'gst_1003', 'checked_out', 'Prefers an upper floor.', NULL, 515.4, 515.4, '2026-01-23T19:02:00'),
  ('res_5009', 'room_207', '2026-02-27', '2026-03-06', 2, 1, 'gst_1002', 'checked_in', 'Needs an invoice for the company.', NULL, 1483.3, 1483.3, '2026-01-24T08:10:00'),
  ('res_5010', 'room_206', '2026-03-18', '2026-03-21', 1, 0, 'gst_1008', 'pending', NULL, NULL, 935.97, 935.97, '2026-01-27T14:03:00'),
  ('res_5011', 'room_206', '2026-03-02', '2026-03-03', 2, 1, 'gst_1001', 'checked_in', 'Allergic to feather pillows.', NULL, 311.99, 312.0, '2026-02-07T10:49:00'),
  ('res_5012', 'room_207', '2026-03-01', '2026-03-04', 6, 1, 'gst_1004', 'checked_in', 'Late arrival, around 10 pm.', NULL, 635.7, 0.0, '2026-02-18T09:32:00');

INSERT INTO "payments" ("payment_id", "reservation_id", "amount", "method", "status", "paid_at") VALUES
  ('pay_7001', 'res_5002', 57.27, 'debit_card', 'refunded', '2026-01-03T06:00:00'),
  ('pay_7002', 'res_5002', 57.27, 'cash', 'refunded', '2026-01-04T09:13:00'),
  ('pay_7003', 'res_5001', 429.5, 'credit_card', 'completed', '2026-01-04T16:41:00'),
  ('pay_7004', 'res_5006', 1483.3, 'bank_transfer', 'completed', '2026-01-22T20:51:00'),
  ('pay_7005', 'res_5005', 1865.94, 'cash', 'refunded', '2026-01-21T16:00:00'),
  ('pay_7006', 'res_5002', 57.27, 'bank_transfer', 'refunded', '2026-01-27T17:11:00'),
  ('pay_7007', 'res_5008', 171.8, 'credit_card', 'refunded', '2026-01-29T19:09:00'),
  ('pay_7008', 'res_5004', 423.8, 'cash', 'completed', '2026-01-31T10:09:00'),
  ('pay_7009', 'res_5010', 311.99, 'credit_card', 'completed', '2026-01-31T23:24:00'),
  ('pay_7010', 'res_5011', 156.0, 'debit_card', 'completed', '2026-02-05T01:33:00'),
  ('pay_7011', 'res_5010', 311.99, 'bank_transfer', 'completed', '2026-02-08T19:06:00'),
  ('pay_7012', 'res_5008', 171.8, 'bank_transfer', 'refunded', '2026-02-07T13:57:00'),
  ('pay_7013', 'res_5011', 156.0, 'debit_card', 'completed', '2026-02-12T12:45:00'),
  ('pay_7014', 'res_5008', 171.8, 'cash', 'refunded', '2026-02-14T23:31:00'),
  ('pay_7015', 'res_5009', 1483.3, 'cash', 'refunded', '2026-02-15T21:33:00'),
  ('pay_7016', 'res_5010', 311.99, 'bank_transfer', 'refunded', '2026-02-18T22:49:00');

INSERT INTO "housekeeping_tasks" ("task_id", "room_id", "kind", "priority", "due_date", "note", "status") VALUES
  ('hsk_301', 'room_209', 'linen_change', 'normal', '2026-03-02', 'Needs a parking space.', 'open'),
  ('hsk_302', 'room_205', 'cleaning', 'normal', '2026-03-29', 'Needs an invoice for the company.', 'done'),
  ('hsk_303', 'room_205', 'linen_change', 'normal', '2026-02-24', 'Allergic to feather pillows.', 'done'),
  ('hsk_304', 'room_207', 'maintenance', 'high', '2026-03-05', NULL, 'done'),
  ('hsk_305', 'room_209', 'linen_change', 'normal', '2026-03-31', 'Would like a quiet room.', 'open'),
  ('hsk_306', 'room_207', 'cleaning', 'low', '2026-02-21', 'Celebrating an anniversary.', 'open'),
  ('hsk_307', 'room_207', 'linen_change', 'low', '2026-03-03', 'Late arrival, around 10 pm.', 'done'),
  ('hsk_308', 'room_207', 'cleaning', 'high', '2026-02-20', 'Traveling with a small child.', 'done'),
  ('hsk_309', 'room_206', 'inspection', 'normal', '2026-03-14', 'Needs a parking space.', 'open'),
  ('hsk_310', 'room_204', 'cleaning', 'low', '2026-03-16', NULL, 'done'),
  ('hsk_311', 'room_210', 'inspection', 'low', '2026-03-03', 'Allergic to feather pillows.', 'open'),
  ('hsk_312', 'room_205', 'cleaning', 'high', '2026-02-28', NULL, 'done'),
  ('hsk_313', 'room_205', 'inspection', 'high', '2026-02-23', 'Would like a quiet room.', 'done'),
  ('hsk_314', 'room_207', 'cleaning', 'low', '2026-03-06', 'Celebrating an anniversary.', 'open'),
  ('hsk_315', 'room_209', 'cleaning', 'low', '2026-03-23', 'Late arrival, around 10 pm.', 'open'),
  ('hsk_316', 'room_205', 'cleaning', 'high', '2026-02-21', NULL, 'open');
COMMIT;
