BEGIN;
PRAGMA defer_foreign_keys=ON;
INSERT INTO autoforge_clock (now) VALUES ('2026-03-02T09:00:00');
INSERT INTO autoforge_counters (name, value) VALUES ('accounts', 12);
INSERT INTO autoforge_counters (name, value) VALUES ('cards', 12);
INSERT INTO autoforge_counters (name, value) VALUES ('standing_orders', 16);
INSERT INTO autoforge_counters (name, value) VALUES ('recipients', 16);
INSERT INTO autoforge_counters (name, value) VALUES ('transactions', 16);
INSERT INTO autoforge_counters (name, value) VALUES ('statements', 16);
INSERT INTO autoforge_counters (name, value) VALUES ('transfers', 12);

INSERT INTO "transfers" ("id", "name") VALUES
  (1, 'Travel transfer'),
  (2, 'Archive transfer'),
  (3, 'Health transfer'),
  (4, 'Summer transfer'),
  (5, 'Sports transfer'),
  (6, 'Research transfer'),
  (7, 'Office transfer'),
  (8, 'Music transfer'),
  (9, 'Weekend transfer'),
  (10, 'Family transfer'),
  (11, 'Main transfer'),
  (12, 'Marketing transfer');

INSERT INTO "users" ("username", "pin") VALUES
  ('kristina_williams', '0674'),
  ('vanessa_lewis', '5690'),
  ('snelson', '5041'),
  ('marissa_stout', '3695'),
  ('dgallegos', '9973'),
  ('mrodriguez', '6847'),
  ('banderson', '2024'),
  ('tina_harris', '9803');

INSERT INTO "accounts" ("account_id", "owner", "account_type", "balance", "daily_limit", "transferred_today", "status") VALUES
  (1, 'kristina_williams', 'checking', 2809.75, 14.75, 12.68, 'open'),
  (2, 'kristina_williams', 'checking', 5270.41, 95.21, 57.51, 'closed'),
  (3, 'mrodriguez', 'checking', 5270.91, 99.95, 91.88, 'open'),
  (4, 'vanessa_lewis', 'checking', 5449.1, 44.37, 49.47, 'closed'),
  (5, 'kristina_williams', 'checking', 1499.36, 42.61, 94.83, 'open'),
  (6, 'vanessa_lewis', 'checking', 0.0, 67.18, 88.17, 'closed'),
  (7, 'snelson', 'savings', 400.22, 97.07, 48.19, 'open'),
  (8, 'banderson', 'savings', 5650.15, 32.53, 50.64, 'open'),
  (9, 'snelson', 'checking', 5650.65, 37.2, 16.61, 'open'),
  (10, 'kristina_williams', 'savings', 0.0, 5.5, 50.53, 'open'),
  (11, 'tina_harris', 'checking', 4353.44, 43.73, 5.52, 'open'),
  (12, 'marissa_stout', 'checking', 4354.44, 88.69, 81.44, 'open');

INSERT INTO "cards" ("card_id", "account_id", "card_type", "status", "spending_limit", "freeze_reason") VALUES
  (1, 2, 'credit', 'active', 689.9, 'stolen'),
  (2, 3, 'credit', 'blocked', 410.0, 'lost'),
  (3, 1, 'debit', 'active', 410.5, 'suspicious_payment'),
  (4, 6, 'debit', 'blocked', 777.9, ''),
  (5, 5, 'credit', 'frozen', 261.0, 'temporary'),
  (6, 1, 'debit', 'frozen', 263.0, ''),
  (7, 8, 'debit', 'blocked', 504.9, 'suspicious_payment'),
  (8, 9, 'credit', 'frozen', 102.5, 'stolen'),
  (9, NULL, 'credit', 'blocked', -1.0, 'lost'),
  (10, 8, 'debit', 'active', 874.5, 'lost'),
  (11, 7, 'debit', 'blocked', 197.5, 'stolen'),
  (12, 11, 'credit', 'active', 198.5, 'suspicious_payment');

INSERT INTO "standing_orders" ("standing_order_id", "from_account_id", "to_account_id", "amount", "frequency", "start_date", "end_date", "status") VALUES
  (1, 7, 1, 199.0, 'weekly', '2026-03-02', '2026-03-02', 'active'),
  (2, 7, 2, 58.0, 'monthly', '2026-02-06', '2026-02-06', 'cancelled'),
  (3, 7, 5, 59.0, 'quarterly', '2026-01-28', '2026-01-28', 'cancelled'),
  (4, NULL, 6, 201.5, 'quarterly', '2026-03-02', '2026-03-02', 'active'),
  (5, 3, 8, 121.5, 'monthly', '2026-03-02', '2026-03-02', 'active'),
  (6, 9, 7, 122.5, 'weekly', '2026-03-18', '2026-03-18', 'cancelled'),
  (7, 2, 9, 840.9, 'monthly', '2026-03-02', '2026-03-02', 'active'),
  (8, 11, 2, 79.5, 'weekly', '2026-03-02', '2026-03-02', 'active'),
  (9, 12, 9, 80.0, 'weekly', '2026-03-06', '2026-03-06', 'cancelled'),
  (10, 12, 7, 846.0, 'monthly', '2026-03-02', '2026-03-02', 'active'),
  (11, 8, NULL, 381.5, 'monthly', '2026-03-08', '2026-03-08', 'cancelled'),
  (12, 6, 3, 382.5, 'weekly', '2026-03-02', '2026-03-02', 'active'),
  (13, 1, 12, 257.5, 'weekly', '2026-03-02', '2026-03-02', 'active'),
  (14, 7, 12, 181.5, 'monthly', '2026-03-13', '2026-03-13', 'cancelled'),
  (15, 12, 2, 182.5, 'weekly', '2026-04-01', '2026-04-01', 'cancelled'),
  (16, 12, 5, 662.9, 'quarterly', '2026-03-02', '2026-03-02', 'active');

INSERT INTO "recipients" ("id", "account_id", "owner_name", "name") VALUES
  (1, 1, 'Ryan Price', 'Grace Flowers'),
  (2, 3, 'Luis Ryan', 'Leslie Wright'),
  (3, 3, 'David Price', 'Lisa Flowers'),
  (4, 3, 'Luis Ryan', 'Leslie Wright'),
  (5, 7, 'Jeffrey Adkins', 'Bailey Dickerson'),
  (6, 6, 'Julie Thomas', 'Mckenzie Chavez'),
  (7, 2, 'Michael Foster', 'Joanna Burnett'),
  (8, 7, 'Andrew Hunt', 'Rebecca Neal'),
  (9, 5, 'Andrew Hensley', 'Jay Reeves'),
  (10, 8, 'Robert Morris', 'Joseph Reyes'),
  (11, 11, 'David Price', 'Paul Schaefer'),
  (12, 9, 'Julie Thomas', 'Timothy Adams'),
  (13, 7, 'Andrew Hunt', 'Kristen Daniel'),
  (14, 11, 'Luis Ryan', 'Linda Bell'),
  (15, NULL, 'Michael Foster', 'Paul King'),
  (16, 1, 'Andrew Hunt', 'Matthew Garcia');

INSERT INTO "transactions" ("transaction_id", "from_account_id", "to_account_id", "amount", "fee", "balance", "account_id", "kind", "booked_on", "description", "card_id", "speed", "reference", "merchant") VALUES
  (1, 1, 1, 495.9, 18.0, 6374.5, 1, 'card_payment', '2026-01-17T21:33:00', 'Hotel for two nights', 3, 'instant', 'REF-0004', 'Anderson Industries'),
  (2, 9, 9, 311.99, 6.5, 9167.15, 9, 'transfer_out', '2026-01-25T16:00:00', 'Office supplies', 8, 'standard', 'REF-0003', 'Flores Logistics'),
  (3, 6, 6, 312.49, 7.5, 9168.15, 6, 'transfer_out', '2026-01-27T12:04:00', 'Dinner with customers', 4, 'instant', 'REF-0002', 'Clark Electric'),
  (4, 1, NULL, 715.0, 12.99, 7086.34, 9, 'fee', '2026-01-31T23:17:00', 'Rent for March', NULL, 'standard', 'REF-0002', 'Brown Software'),
  (5, 1, 1, 498.0, 3.99, 3336.13, 1, 'transfer_out', '2026-02-03T18:39:00', 'Electricity bill for February', 6, 'standard', 'REF-0001', 'Shannon Textiles'),
  (6, 1, 1, 499.0, 4.99, 3338.13, 1, 'transfer_in', '2026-02-06T10:37:00', 'Weekly groceries', 3, 'instant', 'REF-0005', 'Cole Trading'),
  (7, 8, 8, 715.99, 10.5, 3093.28, 8, 'card_payment', '2026-02-08T08:30:00', 'Train tickets to the trade fair', 7, 'standard', 'REF-0005', 'Russo Logistics'),
  (8, 8, 8, 267.99, 10.9, 8587.0, 8, 'card_payment', '2026-02-08T13:11:00', 'Software subscription', 7, 'standard', 'REF-0001', 'Bailey Software'),
  (9, NULL, 8, 268.99, 11.4, 8589.0, 8, 'card_payment', '2026-02-13T09:35:00', 'Hotel for two nights', 7, 'standard', 'REF-0004', 'Webb and Partners'),
  (10, 8, 8, 855.0, 21.5, 4442.44, 8, 'card_payment', '2026-02-15T19:34:00', 'Office supplies', 7, 'instant', 'REF-0004', 'Sanford Foods'),
  (11, 5, 5, 247.9, 5.9, 7859.28, 5, 'card_payment', '2026-02-15T19:42:00', 'Dinner with customers', 5, 'standard', 'REF-0001', 'Powers Textiles'),
  (12, 8, 8, 249.9, 6.4, 7860.28, 8, 'transfer_in', '2026-02-17T13:46:00', 'Rent for March', 10, 'standard', 'REF-0004', 'Clayton Foods'),
  (13, 11, 5, 645.5, 24.9, 9010.95, NULL, 'card_payment', '2026-02-17T14:50:00', 'Electricity bill for February', 9, 'instant', 'REF-0005', 'Trevino Electric'),
  (14, 8, 8, 168.0, 8.99, 9269.63, 8, 'transfer_out', '2026-02-19T04:13:00', 'Weekly groceries', 10, 'instant', 'REF-0001', 'Owen Electric'),
  (15, 5, 5, 168.5, 9.99, 9270.13, 5, 'transfer_in', '2026-02-19T12:31:00', 'Train tickets to the trade fair', 5, 'standard', 'REF-0002', 'Stone Foods'),
  (16, 7, 7, 619.0, 21.0, 3734.91, 7, 'transfer_out', '2026-02-21T10:36:00', 'Software subscription', 11, 'standard', 'REF-0003', 'Mooney Textiles');

INSERT INTO "statements" ("id", "account_id", "total_in", "total_out", "net", "transaction_count", "date") VALUES
  (1, 1, 362.9, 70.5, 157.5, 8, '2025-12-27'),
  (2, 1, 546.99, 369.5, 407.9, 4, '2026-01-12'),
  (3, 6, 548.99, 370.0, 408.4, 3, '2026-01-14'),
  (4, 5, 785.0, 490.0, 414.0, 5, '2026-01-17'),
  (5, 7, 51.5, 247.99, 66.9, 9, '2026-01-23'),
  (6, 6, 52.5, 248.99, 67.4, 6, '2026-01-26'),
  (7, 6, 75.99, 850.5, 182.5, 8, '2026-01-27'),
  (8, 6, 95.0, 860.9, 268.0, 5, '2026-01-31'),
  (9, 9, 97.0, 861.9, 268.5, 4, '2026-02-02'),
  (10, NULL, 207.99, 731.5, 426.5, 5, '2026-02-08'),
  (11, 2, 266.5, 91.0, 855.99, 9, '2026-02-13'),
  (12, 1, 267.5, 92.0, 857.99, 3, '2026-02-17'),
  (13, 11, 525.9, 685.5, 22.0, 7, '2026-02-18'),
  (14, 6, 614.9, 330.9, 768.0, 3, '2026-02-21'),
  (15, 11, 616.9, 331.4, 770.0, 8, '2026-02-23'),
  (16, 12, 170.0, 659.5, 179.0, 3, '2026-02-26');

INSERT INTO "session" ("id", "logged_in", "user_id") VALUES
  (1, 1, 'kristina_williams');
COMMIT;
