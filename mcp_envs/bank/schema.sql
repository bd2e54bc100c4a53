-- State of Bank.

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

-- Transfer
CREATE TABLE "transfers" (
  "id" INTEGER PRIMARY KEY NOT NULL,
  "name" TEXT  -- Name of the transfer
);

-- User
CREATE TABLE "users" (
  "username" TEXT PRIMARY KEY NOT NULL,  -- Username at the bank.
  "pin" TEXT NOT NULL  -- The four-digit PIN of the user.
);

-- Account
CREATE TABLE "accounts" (
  "account_id" INTEGER PRIMARY KEY NOT NULL,  -- ID of the account.
  "owner" TEXT REFERENCES "users" ("username") ON DELETE SET NULL ON UPDATE CASCADE,  -- Username of the owner.
  "account_type" TEXT NOT NULL CHECK ("account_type" IN ('checking', 'savings')),  -- Type of the account.
  "balance" REAL,  -- Current balance in EUR.
  "daily_limit" REAL CHECK ("daily_limit" >= 0) CHECK ("daily_limit" <= 10000),  -- How much may be transferred in one day, in EUR.
  "transferred_today" REAL,  -- How much was transferred today, in EUR.
  "status" TEXT NOT NULL CHECK ("status" IN ('open', 'closed'))  -- Status of the account.
);
CREATE INDEX "accounts_owner_index" ON "accounts" ("owner");

-- Card
CREATE TABLE "cards" (
  "card_id" INTEGER PRIMARY KEY NOT NULL,  -- ID of the card.
  "account_id" INTEGER REFERENCES "accounts" ("account_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the account behind the card.
  "card_type" TEXT CHECK ("card_type" IN ('debit', 'credit')),  -- Type of the card.
  "status" TEXT NOT NULL CHECK ("status" IN ('active', 'frozen', 'blocked')),  -- Status of the card.
  "spending_limit" REAL,  -- Largest single payment in EUR.
  "freeze_reason" TEXT CHECK ("freeze_reason" IN ('', 'lost', 'stolen', 'suspicious_payment', 'temporary'))  -- Why the card was frozen, or an empty string.
);
CREATE INDEX "cards_account_id_index" ON "cards" ("account_id");

-- Standing order
CREATE TABLE "standing_orders" (
  "standing_order_id" INTEGER PRIMARY KEY NOT NULL,  -- ID of the standing order.
  "from_account_id" INTEGER REFERENCES "accounts" ("account_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the paying account.
  "to_account_id" INTEGER REFERENCES "accounts" ("account_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the receiving account.
  "amount" REAL NOT NULL CHECK ("amount" >= 0.01) CHECK ("amount" <= 5000),  -- Amount of each payment in EUR.
  "frequency" TEXT CHECK ("frequency" IN ('weekly', 'monthly', 'quarterly')),  -- How often it is paid.
  "start_date" TEXT NOT NULL,  -- Day of the first payment, YYYY-MM-DD.
  "end_date" TEXT,  -- Day after which it ends, YYYY-MM-DD, or an empty string.
  "status" TEXT NOT NULL CHECK ("status" IN ('active', 'cancelled'))  -- Status of the standing order.
);
CREATE INDEX "standing_orders_from_account_id_index" ON "standing_orders" ("from_account_id");
CREATE INDEX "standing_orders_to_account_id_index" ON "standing_orders" ("to_account_id");

-- Recipient
CREATE TABLE "recipients" (
  "id" INTEGER PRIMARY KEY NOT NULL,
  "account_id" INTEGER REFERENCES "accounts" ("account_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the account of the recipient.
  "owner_name" TEXT,  -- Full name of the owner.
  "name" TEXT  -- Full name of the recipient, or a part of it. Case is ignored.
);
CREATE INDEX "recipients_account_id_index" ON "recipients" ("account_id");

-- Transaction
CREATE TABLE "transactions" (
  "transaction_id" INTEGER PRIMARY KEY NOT NULL,  -- ID of the transaction.
  "from_account_id" INTEGER REFERENCES "accounts" ("account_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the account that paid.
  "to_account_id" INTEGER REFERENCES "accounts" ("account_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the account that received the money.
  "amount" REAL,  -- Amount in EUR.
  "fee" REAL,  -- Fee in EUR.
  "balance" REAL,  -- Balance of the paying account after the transfer.
  "account_id" INTEGER REFERENCES "accounts" ("account_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the account.
  "kind" TEXT CHECK ("kind" IN ('transfer_in', 'transfer_out', 'card_payment', 'fee')),  -- Kind of the transaction.
  "booked_on" TEXT,  -- Day of booking, YYYY-MM-DD.
  "description" TEXT,  -- Text of the transaction.
  "card_id" INTEGER REFERENCES "cards" ("card_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the card.
  "speed" TEXT CHECK ("speed" IN ('standard', 'instant')),  -- Speed of the transfer. Standard is free, instant costs 1.50 EUR.
  "reference" TEXT,  -- Text that the recipient sees, at most 140 characters. Defaults to an empty string.
  "merchant" TEXT  -- Name of the merchant.
);
CREATE INDEX "transactions_from_account_id_index" ON "transactions" ("from_account_id");
CREATE INDEX "transactions_to_account_id_index" ON "transactions" ("to_account_id");
CREATE INDEX "transactions_account_id_index" ON "transactions" ("account_id");
CREATE INDEX "transactions_card_id_index" ON "transactions" ("card_id");

-- Statement
CREATE TABLE "statements" (
  "id" INTEGER PRIMARY KEY NOT NULL,
  "account_id" INTEGER REFERENCES "accounts" ("account_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- ID of the account.
  "total_in" REAL,  -- Sum of what came in, in EUR.
  "total_out" REAL,  -- Sum of what went out, in EUR.
  "net" REAL,  -- total_in minus total_out.
  "transaction_count" INTEGER,  -- Number of transactions.
  "date" TEXT  -- First day, YYYY-MM-DD.
);
CREATE INDEX "statements_account_id_index" ON "statements" ("account_id");

-- Session
CREATE TABLE "session" (
  "id" INTEGER PRIMARY KEY CHECK ("id" = 1) NOT NULL,
  "logged_in" BOOLEAN NOT NULL DEFAULT 1 CHECK ("logged_in" IN (0, 1)),  -- Whether somebody is logged in
  "user_id" TEXT REFERENCES "users" ("username") ON DELETE SET NULL ON UPDATE CASCADE  -- Who is logged in
);
CREATE INDEX "session_user_id_index" ON "session" ("user_id");
