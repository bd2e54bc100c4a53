BEGIN;
PRAGMA defer_foreign_keys=ON;
INSERT INTO autoforge_clock (now) VALUES ('2026-03-02T09:00:00');
INSERT INTO autoforge_counters (name, value) VALUES ('customers', 1008);
INSERT INTO autoforge_counters (name, value) VALUES ('lines', 2012);
INSERT INTO autoforge_counters (name, value) VALUES ('plans', 12);
INSERT INTO autoforge_counters (name, value) VALUES ('bills', 3012);
INSERT INTO autoforge_counters (name, value) VALUES ('payments', 4016);

INSERT INTO "customers" ("customer_id", "full_name", "email", "phone_number", "date_of_birth", "status", "payment_method") VALUES
  ('C1001', 'Jason Moore', 'jason.moore@example.com', '+1-696-555-8314', '1985-07-19', 'active', 'paypal'),
  ('C1002', 'Thomas Frazier', 'thomas.frazier@example.net', '+1-459-555-8897', '1962-06-25', 'active', 'credit_card'),
  ('C1003', 'Elizabeth Moore', 'elizabeth.moore@example.org', '+1-458-555-8923', '1976-12-18', 'active', 'direct_debit'),
  ('C1004', 'Thomas Frazier', 'thomas.frazier94@example.org', '+1-307-555-9081', '1958-07-25', 'closed', 'credit_card'),
  ('C1005', 'Leon Dillon', 'leon.dillon@example.net', '+1-535-555-0996', '1982-01-24', 'closed', 'direct_debit'),
  ('C1006', 'Bianca Johnson', 'bianca.johnson@example.com', '+1-226-555-2222', '1958-03-19', 'closed', 'direct_debit'),
  ('C1007', 'Todd Brown', 'todd.brown@example.com', '+1-283-555-3411', '1966-08-02', 'active', 'credit_card'),
  ('C1008', 'Daniel Jones', 'daniel.jones@example.net', '+1-517-555-0733', '1972-04-07', 'closed', 'direct_debit');

INSERT INTO "lines" ("line_id", "customer_id", "phone_number", "plan_id", "status", "suspension_reason", "roaming_enabled", "data_used_gb") VALUES
  ('L2001', 'C1005', '+1-955-555-6351', 'PLA-0002', 'active', NULL, 1, 58.3),
  ('L2002', 'C1006', '+1-339-555-2994', 'PLA-0009', 'suspended', 'fraud', 0, 86.1),
  ('L2003', 'C1004', '+1-828-555-8076', 'PLA-0003', 'active', NULL, 0, 9.3),
  ('L2004', 'C1006', '+1-272-555-3634', 'PLA-0012', 'suspended', 'lost_phone', 1, 35.5),
  ('L2005', 'C1005', '+1-910-555-7170', 'PLA-0006', 'active', NULL, 1, 73.1),
  ('L2006', 'C1002', '+1-509-555-9824', 'PLA-0004', 'active', NULL, 1, 64.0),
  ('L2007', 'C1004', '+1-759-555-1195', 'PLA-0005', 'terminated', NULL, 1, 10.7),
  ('L2008', 'C1007', '+1-435-555-2797', 'PLA-0007', 'suspended', 'stolen_phone', 0, 28.0),
  ('L2009', 'C1008', '+1-618-555-7401', 'PLA-0007', 'terminated', NULL, 0, 5.6),
  ('L2010', 'C1001', '+1-730-555-9768', 'PLA-0011', 'suspended', NULL, 1, 7.6),
  ('L2011', 'C1005', '+1-647-555-6671', 'PLA-0003', 'terminated', NULL, 1, 48.9),
  ('L2012', 'C1002', '+1-251-555-9821', 'PLA-0003', 'active', NULL, 0, 47.5);

INSERT INTO "plans" ("plan_id", "name", "monthly_price", "data_limit_gb", "network", "data_gb", "line_id") VALUES
  ('PLA-0001', 'Student', 64.5, 30.9, '5g', 53.5, 'L2002'),
  ('PLA-0002', 'Standard', 15.99, 33.3, '5g', 70.4, 'L2004'),
  ('PLA-0003', 'Plus', 16.99, 28.1, '4g', 65.3, 'L2001'),
  ('PLA-0004', 'Starter', 62.5, 76.1, '4g', 77.9, NULL),
  ('PLA-0005', 'Family', 14.0, 52.6, '4g', 55.3, 'L2003'),
  ('PLA-0006', 'Premium', 15.0, 1.7, '4g', 30.0, 'L2003'),
  ('PLA-0007', 'Business', 72.0, 11.8, '5g', 79.7, 'L2004'),
  ('PLA-0008', 'Enterprise', 38.99, 27.6, '5g', 52.1, 'L2003'),
  ('PLA-0009', 'Basic', 39.99, 65.6, '5g', 8.0, 'L2008'),
  ('PLA-0010', 'Unlimited', 35.9, 9.9, '5g', 79.9, 'L2011'),
  ('PLA-0011', 'Student 2', 6.99, 43.5, '4g', 26.3, 'L2003'),
  ('PLA-0012', 'Standard 2', 8.99, 31.1, '5g', 8.1, 'L2012');

INSERT INTO "bills" ("bill_id", "customer_id", "amount_due", "issued_on", "due_on", "status") VALUES
  ('B3001', 'C1006', 817.0, '2025-12-07', '2026-02-20', 'paid'),
  ('B3002', 'C1001', 675.9, '2025-12-22', '2026-03-05', 'overdue'),
  ('B3003', 'C1008', 677.9, '2025-12-30', '2026-03-22', 'overdue'),
  ('B3004', 'C1006', 780.0, '2026-01-06', '2026-02-21', 'open'),
  ('B3005', 'C1002', 63.9, '2026-01-08', '2026-03-03', 'overdue'),
  ('B3006', 'C1002', 65.9, '2026-01-12', '2026-03-14', 'open'),
  ('B3007', 'C1004', 840.5, '2026-01-16', '2026-02-27', 'paid'),
  ('B3008', 'C1005', 861.9, '2026-01-20', '2026-03-04', 'paid'),
  ('B3009', 'C1004', 862.9, '2026-01-22', '2026-02-27', 'open'),
  ('B3010', 'C1001', 294.99, '2026-01-29', '2026-03-01', 'open'),
  ('B3011', 'C1007', 760.99, '2026-02-12', '2026-03-02', 'overdue'),
  ('B3012', 'C1005', 761.99, '2026-02-12', '2026-02-20', 'paid');

INSERT INTO "payments" ("payment_id", "bill_id", "customer_id", "amount", "method", "paid_at") VALUES
  ('PM4001', 'B3003', 'C1008', 677.9, 'credit_card', '2026-01-01T19:54:00'),
  ('PM4002', 'B3001', 'C1006', 817.0, 'direct_debit', '2026-01-03T06:00:00'),
  ('PM4003', 'B3009', 'C1004', 215.72, 'paypal', '2026-01-27T10:47:00'),
  ('PM4004', 'B3009', 'C1004', 215.72, 'direct_debit', '2026-01-27T18:15:00'),
  ('PM4005', 'B3012', 'C1005', 381.0, 'direct_debit', '2026-01-31T07:32:00'),
  ('PM4006', 'B3006', 'C1002', 21.97, 'credit_card', '2026-02-02T11:04:00'),
  ('PM4007', 'B3006', 'C1002', 21.97, 'paypal', '2026-02-02T01:58:00'),
  ('PM4008', 'B3009', 'C1004', 215.72, 'direct_debit', '2026-02-03T12:01:00'),
  ('PM4009', 'B3009', 'C1004', 215.72, 'paypal', '2026-02-09T03:21:00'),
  ('PM4010', 'B3008', 'C1005', 430.95, 'credit_card', '2026-02-10T06:51:00'),
  ('PM4011', 'B3007', 'C1004', 840.5, 'paypal', '2026-02-10T17:31:00'),
  ('PM4012', 'B3010', 'C1001', 294.99, 'paypal', '2026-02-11T23:30:00'),
  ('PM4013', 'B3005', 'C1002', 63.9, 'credit_card', '2026-02-15T12:17:00'),
  ('PM4014', 'B3008', 'C1005', 430.95, 'direct_debit', '2026-02-16T06:10:00'),
  ('PM4015', 'B3012', 'C1005', 381.0, 'paypal', '2026-02-17T07:22:00'),
  ('PM4016', 'B3006', 'C1002', 21.97, 'direct_debit', '2026-02-18T22:49:00');

INSERT INTO "phone" ("id", "airplane_mode", "mobile_data", "data_saver", "network_mode", "battery_percent", "reboot_count", "signal", "status") VALUES
  (1, 0, 1, 0, '3g_only', 50, 8, 'fair', 'pending');
COMMIT;
