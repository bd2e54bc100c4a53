-- State of Biblioteca.

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

-- Socio
CREATE TABLE "socios" (
  "socio_id" TEXT PRIMARY KEY NOT NULL,  -- Identificador del socio, por ejemplo SOC-0012.
  "nombre" TEXT,  -- nombre
  "correo" TEXT UNIQUE,  -- correo
  "telefono" TEXT,  -- telefono
  "estado" TEXT NOT NULL CHECK ("estado" IN ('activo', 'suspendido', 'baja')),  -- estado
  "fecha_alta" TEXT,  -- fecha_alta
  "fecha_nacimiento" TEXT  -- Fecha de nacimiento (AAAA-MM-DD).
);

-- Libro
CREATE TABLE "libros" (
  "libro_id" TEXT PRIMARY KEY NOT NULL,  -- Identificador del libro, por ejemplo LIB-0101.
  "titulo" TEXT,  -- titulo
  "autor" TEXT,  -- autor
  "genero" TEXT CHECK ("genero" IN ('novela', 'poesia', 'ensayo', 'historia', 'ciencia', 'infantil', 'comic')),  -- genero
  "anio" INTEGER CHECK ("anio" >= 1400) CHECK ("anio" <= 2100),  -- anio
  "isbn" TEXT UNIQUE  -- isbn
);

-- Ejemplar
CREATE TABLE "ejemplares" (
  "ejemplar_id" TEXT PRIMARY KEY NOT NULL,  -- Identificador del ejemplar, por ejemplo EJE-0101-1.
  "id_libro" TEXT REFERENCES "libros" ("libro_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- id_libro
  "sala" TEXT CHECK ("sala" IN ('general', 'infantil', 'consulta', 'deposito')),  -- sala
  "estado" TEXT NOT NULL CHECK ("estado" IN ('disponible', 'prestado', 'en_reparacion', 'extraviado'))  -- estado
);
CREATE INDEX "ejemplares_id_libro_index" ON "ejemplares" ("id_libro");

-- Prestamo
CREATE TABLE "prestamos" (
  "prestamo_id" TEXT PRIMARY KEY NOT NULL,  -- Identificador del préstamo, por ejemplo PRE-3001.
  "id_socio" TEXT REFERENCES "socios" ("socio_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- id_socio
  "id_ejemplar" TEXT REFERENCES "ejemplares" ("ejemplar_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- id_ejemplar
  "fecha_prestamo" TEXT,  -- fecha_prestamo
  "fecha_limite" TEXT,  -- fecha_limite
  "renovaciones" INTEGER NOT NULL DEFAULT 0 CHECK ("renovaciones" >= 0),  -- renovaciones
  "estado" TEXT NOT NULL CHECK ("estado" IN ('activo', 'devuelto')),  -- estado
  "dias" INTEGER CHECK ("dias" >= 1) CHECK ("dias" <= 30)  -- Duración del préstamo en días.
);
CREATE INDEX "prestamos_id_socio_index" ON "prestamos" ("id_socio");
CREATE INDEX "prestamos_id_ejemplar_index" ON "prestamos" ("id_ejemplar");

-- Reserva
CREATE TABLE "reservas" (
  "reserva_id" TEXT PRIMARY KEY NOT NULL,  -- Identificador de la reserva, por ejemplo RES-2001.
  "id_socio" TEXT REFERENCES "socios" ("socio_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- Identificador del socio, por ejemplo SOC-0012.
  "id_libro" TEXT REFERENCES "libros" ("libro_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- Identificador del libro, por ejemplo LIB-0101.
  "estado" TEXT NOT NULL CHECK ("estado" IN ('pendiente', 'atendida', 'cancelada'))  -- Solo reservas en este estado.
);
CREATE INDEX "reservas_id_socio_index" ON "reservas" ("id_socio");
CREATE INDEX "reservas_id_libro_index" ON "reservas" ("id_libro");

-- Multa
CREATE TABLE "multas" (
  "multa_id" TEXT PRIMARY KEY NOT NULL,  -- Identificador de la multa, por ejemplo MUL-4001.
  "id_socio" TEXT REFERENCES "socios" ("socio_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- id_socio
  "motivo" TEXT CHECK ("motivo" IN ('retraso', 'deterioro', 'perdida')),  -- motivo
  "importe" REAL CHECK ("importe" >= 0) CHECK ("importe" <= 100),  -- importe
  "fecha" TEXT,  -- fecha
  "estado" TEXT NOT NULL CHECK ("estado" IN ('pendiente', 'pagada')),  -- estado
  "id_prestamo" TEXT REFERENCES "prestamos" ("prestamo_id") ON DELETE SET NULL ON UPDATE CASCADE,  -- Identificador del préstamo, por ejemplo PRE-3001.
  "forma_pago" TEXT CHECK ("forma_pago" IN ('efectivo', 'tarjeta', 'bizum'))  -- Forma de pago.
);
CREATE INDEX "multas_id_socio_index" ON "multas" ("id_socio");
CREATE INDEX "multas_id_prestamo_index" ON "multas" ("id_prestamo");
