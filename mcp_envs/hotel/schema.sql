-- State of Harbour House Hotel API.

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

-- Guest
CREATE TABLE "guests" (
  "guest_id" TEXT PRIMARY KEY NOT NULL,  -- Id of the guest.
  "first_name" TEXT NOT NULL,  -- First name of the guest.
  "last_name" TEXT NOT NULL,  -- Last name of the guest.
  "email" TEXT NOT NULL UNIQUE,  -- Email address; unique among all guests.
  "phone" TEXT,  -- Phone number in international format.
  "country" TEXT,  -- Country of residence, ISO 3166-1 alpha-2.
  "loyalty_tier" TEXT NOT NULL CHECK ("loyalty_tier" IN ('none', 'silver', 'gold', 'platinum')),  -- Loyalty tier of a guest.
  "loyalty_points" INTEGER NOT NULL CHECK ("loyalty_points" >= 0)  -- Loyalty points collected so far.
);

-- Room
CREATE TABLE "rooms" (
  "room_id" TEXT PRIMARY KEY NOT NULL,  -- Id of the room.
  "room_number" TEXT NOT NULL,  -- Number on the door.
  "room_type" TEXT NOT NULL CHECK ("room_type" IN ('single', 'double', 'twin', 'family', 'suite')),  -- Type of a room.
  "floor" INTEGER NOT NULL CHECK ("floor" >= 0) CHECK ("floor" <= 6),  -- Floor of the room.
  "capacity" INTEGER NOT NULL CHECK ("capacity" >= 1) CHECK ("capacity" <= 6),  -- How many people the room holds.
  "nightly_rate" REAL NOT NULL CHECK ("nightly_rate" >= 0),  -- Price of one night in EUR.
  "sea_view" BOOLEAN CHECK ("sea_view" IN (0, 1)),  -- Whether the room looks at the harbour.
  "status" TEXT NOT NULL CHECK ("status" IN ('available', 'occupied', 'cleaning', 'out_of_service'))  -- Current status of a room.
);

-- Reservation
CREATE TABLE "reservations" (
  "reservation_id" TEXT PRIMARY KEY NOT NULL,  -- Id of the reservation.
  "room_id" TEXT NOT NULL REFERENCES "rooms" ("room_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- Id of the room.
  "check_in_date" TEXT NOT NULL,  -- First night of the stay.
  "check_out_date" TEXT NOT NULL,  -- Day of departure; must be after checkInDate.
  "guest_count" INTEGER NOT NULL CHECK ("guest_count" >= 1) CHECK ("guest_count" <= 6),  -- Number of people.
  "breakfast" BOOLEAN CHECK ("breakfast" IN (0, 1)),  -- Whether breakfast is included.
  "guest_id" TEXT NOT NULL REFERENCES "guests" ("guest_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- Id of the guest who booked.
  "status" TEXT NOT NULL CHECK ("status" IN ('pending', 'confirmed', 'checked_in', 'checked_out', 'cancelled')),  -- Status of a reservation.
  "special_requests" TEXT,  -- Wishes in the guest's own words.
  "cancellation_reason" TEXT CHECK ("cancellation_reason" IN ('guest_request', 'no_show', 'payment_failed', 'overbooking', 'other')),  -- Why it was cancelled, if it was.
  "total_price" REAL NOT NULL CHECK ("total_price" >= 0),  -- Price of the whole stay in EUR.
  "amount_paid" REAL NOT NULL CHECK ("amount_paid" >= 0),  -- Sum of the completed payments in EUR.
  "created_at" TEXT NOT NULL  -- When the reservation was made.
);
CREATE INDEX "reservations_room_id_index" ON "reservations" ("room_id");
CREATE INDEX "reservations_guest_id_index" ON "reservations" ("guest_id");

-- Payment
CREATE TABLE "payments" (
  "payment_id" TEXT PRIMARY KEY NOT NULL,  -- Id of the payment.
  "reservation_id" TEXT NOT NULL REFERENCES "reservations" ("reservation_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- Id of the reservation that was paid for.
  "amount" REAL NOT NULL CHECK ("amount" >= 5e-324) CHECK ("amount" <= 10000),  -- Amount in EUR.
  "method" TEXT NOT NULL CHECK ("method" IN ('credit_card', 'debit_card', 'cash', 'bank_transfer')),  -- How the guest pays.
  "status" TEXT NOT NULL CHECK ("status" IN ('completed', 'refunded')),  -- Status of a payment.
  "paid_at" TEXT NOT NULL  -- When the payment was made.
);
CREATE INDEX "payments_reservation_id_index" ON "payments" ("reservation_id");

-- Housekeeping task
CREATE TABLE "housekeeping_tasks" (
  "task_id" TEXT PRIMARY KEY NOT NULL,  -- Id of the task.
  "room_id" TEXT NOT NULL REFERENCES "rooms" ("room_id") ON DELETE CASCADE ON UPDATE CASCADE,  -- Id of the room.
  "kind" TEXT NOT NULL CHECK ("kind" IN ('cleaning', 'linen_change', 'maintenance', 'inspection')),  -- What is to be done.
  "priority" TEXT CHECK ("priority" IN ('low', 'normal', 'high')),  -- Priority of a housekeeping task.
  "due_date" TEXT NOT NULL,  -- Day by which the task must be done.
  "note" TEXT,  -- A note for the housekeeper.
  "status" TEXT NOT NULL CHECK ("status" IN ('open', 'done'))  -- Status of a housekeeping task.
);
CREATE INDEX "housekeeping_tasks_room_id_index" ON "housekeeping_tasks" ("room_id");
