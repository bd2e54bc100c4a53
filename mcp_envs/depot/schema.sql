-- State of Depot.

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

-- Parcel
CREATE TABLE "parcels" (
  "parcel_id" INTEGER PRIMARY KEY NOT NULL,  -- Id of the parcel
  "code" TEXT NOT NULL,  -- Tracking code
  "city" TEXT NOT NULL,  -- City where it is going
  "status" TEXT NOT NULL CHECK ("status" IN ('stored', 'dispatched', 'cancelled'))
);
