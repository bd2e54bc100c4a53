-- State of Shelf.

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

-- Book
CREATE TABLE "books" (
  "book_id" INTEGER PRIMARY KEY NOT NULL,  -- Id of the book
  "title" TEXT NOT NULL,  -- Title
  "shelf" TEXT NOT NULL,  -- Shelf
  "status" TEXT NOT NULL CHECK ("status" IN ('available', 'lent', 'lost'))
);
