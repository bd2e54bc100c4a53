-- State of Telecom.

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

-- Customer
CREATE TABLE "customers" (
  "customer_id" TEXT PRIMARY KEY NOT NULL,  -- ID of the customer, e.g. C1001.
  "full_name" TEXT NOT NULL,  -- Full name.
  "email" TEXT NOT NULL,  -- Contact email.
  "phone_number" TEXT NOT NULL,  -- Contact phone number.
  "date_of_birth" TEXT NOT NULL,  -- Date of birth.
  "status" TEXT NOT NULL CHECK ("status" IN ('active', 'closed')),  -- Status of the account.
  "payment_method" TEXT NOT NULL CHECK ("payment_method" IN ('credit_card', 'direct_debit', 'paypal'))  -- Default payment method.
);

-- Line
CREATE TABLE "lines" (
  "line_id" TEXT PRIMARY KEY NOT NULL,  -- ID of the line, e.g. L2001.
  "customer_id" TEXT NOT NULL REFERENCES "customers" ("customer_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- ID of the customer who owns the line.
  "phone_number" TEXT NOT NULL,  -- Phone number of the line.
  "plan_id" TEXT NOT NULL REFERENCES "plans" ("plan_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- ID of the current plan.
  "status" TEXT NOT NULL CHECK ("status" IN ('active', 'suspended', 'terminated')),  -- Status of the line.
  "suspension_reason" TEXT CHECK ("suspension_reason" IN ('lost_phone', 'stolen_phone', 'vacation', 'non_payment', 'fraud')),  -- Why the line is suspended, or null.
  "roaming_enabled" BOOLEAN NOT NULL CHECK ("roaming_enabled" IN (0, 1)),  -- Whether the line works abroad.
  "data_used_gb" REAL NOT NULL CHECK ("data_used_gb" >= 0)  -- Data used in the current month, in GB.
);
CREATE INDEX "lines_customer_id_index" ON "lines" ("customer_id");
CREATE INDEX "lines_plan_id_index" ON "lines" ("plan_id");

-- Plan
CREATE TABLE "plans" (
  "plan_id" TEXT PRIMARY KEY NOT NULL,  -- ID of the plan, e.g. P-SMART.
  "name" TEXT NOT NULL,  -- Name of the plan.
  "monthly_price" REAL NOT NULL CHECK ("monthly_price" >= 0),  -- Monthly price in USD.
  "data_limit_gb" REAL NOT NULL CHECK ("data_limit_gb" >= 0),  -- Data per month in GB.
  "network" TEXT NOT NULL CHECK ("network" IN ('4g', '5g')),  -- Fastest network of the plan.
  "data_gb" REAL,  -- Least data per month in GB.
  "line_id" TEXT REFERENCES "lines" ("line_id") ON DELETE SET NULL ON UPDATE CASCADE  -- ID of the line, e.g. L2001.
);
CREATE INDEX "plans_line_id_index" ON "plans" ("line_id");

-- Bill
CREATE TABLE "bills" (
  "bill_id" TEXT PRIMARY KEY NOT NULL,  -- ID of the bill, e.g. B3001.
  "customer_id" TEXT NOT NULL REFERENCES "customers" ("customer_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- ID of the customer.
  "amount_due" REAL NOT NULL CHECK ("amount_due" >= 0),  -- Amount of the bill in USD.
  "issued_on" TEXT NOT NULL,  -- Day of issue.
  "due_on" TEXT NOT NULL,  -- Day by which it must be paid.
  "status" TEXT NOT NULL CHECK ("status" IN ('open', 'overdue', 'paid'))  -- Status of the bill.
);
CREATE INDEX "bills_customer_id_index" ON "bills" ("customer_id");

-- Payment
CREATE TABLE "payments" (
  "payment_id" TEXT PRIMARY KEY NOT NULL,  -- ID of the payment, e.g. PM4001.
  "bill_id" TEXT NOT NULL REFERENCES "bills" ("bill_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- ID of the bill that was paid.
  "customer_id" TEXT NOT NULL REFERENCES "customers" ("customer_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- ID of the customer.
  "amount" REAL NOT NULL CHECK ("amount" >= 0),  -- Amount in USD.
  "method" TEXT NOT NULL CHECK ("method" IN ('credit_card', 'direct_debit', 'paypal')),  -- How it was paid.
  "paid_at" TEXT NOT NULL  -- When it was paid.
);
CREATE INDEX "payments_bill_id_index" ON "payments" ("bill_id");
CREATE INDEX "payments_customer_id_index" ON "payments" ("customer_id");

-- Phone
CREATE TABLE "phone" (
  "id" INTEGER PRIMARY KEY CHECK ("id" = 1) NOT NULL,
  "airplane_mode" BOOLEAN NOT NULL CHECK ("airplane_mode" IN (0, 1)),  -- Whether airplane mode is on.
  "mobile_data" BOOLEAN NOT NULL CHECK ("mobile_data" IN (0, 1)),  -- Whether mobile data is on.
  "data_saver" BOOLEAN NOT NULL CHECK ("data_saver" IN (0, 1)),  -- Whether the data saver is on.
  "network_mode" TEXT NOT NULL CHECK ("network_mode" IN ('2g_only', '3g_only', '4g_preferred', '5g_preferred')),  -- Preferred network.
  "battery_percent" INTEGER NOT NULL CHECK ("battery_percent" >= 0) CHECK ("battery_percent" <= 100),  -- Charge of the battery.
  "reboot_count" INTEGER NOT NULL CHECK ("reboot_count" >= 0),  -- How often the phone was rebooted.
  "signal" TEXT NOT NULL CHECK ("signal" IN ('none', 'poor', 'fair', 'good', 'excellent')),  -- Strength of the signal.
  "status" TEXT NOT NULL CHECK ("status" IN ('pending', 'running'))  -- State of the phone
);
