BEGIN;
PRAGMA defer_foreign_keys=ON;
INSERT INTO autoforge_clock (now) VALUES ('2026-03-02T09:00:00');
INSERT INTO autoforge_counters (name, value) VALUES ('socios', 8);
INSERT INTO autoforge_counters (name, value) VALUES ('libros', 8);
INSERT INTO autoforge_counters (name, value) VALUES ('ejemplares', 12);
INSERT INTO autoforge_counters (name, value) VALUES ('prestamos', 12);
INSERT INTO autoforge_counters (name, value) VALUES ('reservas', 16);
INSERT INTO autoforge_counters (name, value) VALUES ('multas', 16);

INSERT INTO "socios" ("socio_id", "nombre", "correo", "telefono", "estado", "fecha_alta", "fecha_nacimiento") VALUES
  ('SOC-0001', 'Azahar Pelayo', 'azahar.pelayo@example.com', '+34 697 003 199', 'activo', '2025-03-12', '1986-11-21'),
  ('SOC-0002', 'Manu Novoa', 'manu.novoa@example.org', '+34 656 885 946', 'baja', '2025-04-23', '2002-07-14'),
  ('SOC-0003', 'Remigio Pelayo', 'remigio.pelayo@example.com', '+34 643 907 572', 'activo', '2025-04-27', '1990-08-16'),
  ('SOC-0004', 'Manu Novoa', 'manu.novoa87@example.net', '+34 698 277 728', 'activo', '2025-05-02', '1963-01-31'),
  ('SOC-0005', 'Gracia Taboada', 'gracia.taboada@example.com', '+34 697 432 426', 'suspendido', '2025-06-07', '1993-05-01'),
  ('SOC-0006', 'Ruperta Barba', 'ruperta.barba@example.com', '+34 652 171 459', 'baja', '2025-08-18', '1964-09-07'),
  ('SOC-0007', 'Ofelia Lledó', 'ofelia.lledo@example.org', '+34 667 423 237', 'activo', '2025-09-07', '2003-01-16'),
  ('SOC-0008', 'Dorita Lucas', 'dorita.lucas@example.com', '+34 670 438 973', 'activo', '2025-09-13', '1977-06-20');

INSERT INTO "libros" ("libro_id", "titulo", "autor", "genero", "anio", "isbn") VALUES
  ('LIB-0001', 'La historia de la ciudad blanca', 'Ofelia Lledó', 'infantil', 2007, '9788431613808'),
  ('LIB-0002', 'El secreto de la colina', 'Ruperta Barba', 'historia', 2008, '9788410679313'),
  ('LIB-0003', 'La casa de la vieja estación', 'Ruperta Barba', 'novela', 2026, '9788482702469'),
  ('LIB-0004', 'La casa de la isla perdida', 'Manu Novoa', 'novela', 2007, '9788414558294'),
  ('LIB-0005', 'La historia de la colina', 'Manu Novoa', 'ensayo', 2008, '9781302777517'),
  ('LIB-0006', 'Cartas desde la vieja estación', 'Ruperta Barba', 'ciencia', 2006, '9788446311201'),
  ('LIB-0007', 'El secreto de la ciudad blanca', 'Manu Novoa', 'poesia', 2010, '9781321621037'),
  ('LIB-0008', 'El secreto de la isla perdida', 'Manu Novoa', 'comic', 2012, '9781335258595');

INSERT INTO "ejemplares" ("ejemplar_id", "id_libro", "sala", "estado") VALUES
  ('EJE-0001', 'LIB-0007', 'consulta', 'disponible'),
  ('EJE-0002', 'LIB-0002', 'deposito', 'disponible'),
  ('EJE-0003', 'LIB-0006', 'infantil', 'prestado'),
  ('EJE-0004', 'LIB-0002', 'general', 'prestado'),
  ('EJE-0005', 'LIB-0001', 'consulta', 'en_reparacion'),
  ('EJE-0006', 'LIB-0004', 'infantil', 'en_reparacion'),
  ('EJE-0007', 'LIB-0001', 'general', 'en_reparacion'),
  ('EJE-0008', 'LIB-0002', 'infantil', 'disponible'),
  ('EJE-0009', NULL, 'general', 'prestado'),
  ('EJE-0010', 'LIB-0008', 'general', 'prestado'),
  ('EJE-0011', 'LIB-0002', 'infantil', 'extraviado'),
  ('EJE-0012', 'LIB-0001', 'infantil', 'en_reparacion');

INSERT INTO "prestamos" ("prestamo_id", "id_socio", "id_ejemplar", "fecha_prestamo", "fecha_limite", "renovaciones", "estado", "dias") VALUES
  ('PRE-0001', 'SOC-0004', NULL, '2026-01-03', '2026-03-10', 0, 'activo', 6),
  ('PRE-0002', 'SOC-0004', 'EJE-0003', '2026-01-26', '2026-03-27', 20, 'activo', 8),
  ('PRE-0003', 'SOC-0004', 'EJE-0011', '2026-01-30', '2026-03-30', 39, 'devuelto', 7),
  ('PRE-0004', 'SOC-0005', 'EJE-0011', '2026-01-30', '2026-03-13', 51, 'devuelto', 13),
  ('PRE-0005', 'SOC-0004', 'EJE-0006', '2026-02-01', '2026-03-10', 40, 'activo', 2),
  ('PRE-0006', 'SOC-0003', 'EJE-0011', '2026-02-01', '2026-03-16', 0, 'devuelto', 14),
  ('PRE-0007', 'SOC-0002', 'EJE-0007', '2026-02-07', '2026-03-06', 16, 'activo', 9),
  ('PRE-0008', 'SOC-0008', 'EJE-0004', '2026-02-09', '2026-03-06', 0, 'activo', 7),
  ('PRE-0009', 'SOC-0005', 'EJE-0002', '2026-02-11', '2026-02-24', 0, 'devuelto', 9),
  ('PRE-0010', 'SOC-0004', 'EJE-0003', '2026-02-18', '2026-03-28', 0, 'devuelto', 13),
  ('PRE-0011', 'SOC-0006', 'EJE-0010', '2026-02-21', '2026-03-27', 0, 'activo', 2),
  ('PRE-0012', 'SOC-0001', 'EJE-0011', '2026-02-25', '2026-03-27', 95, 'activo', 6);

INSERT INTO "reservas" ("reserva_id", "id_socio", "id_libro", "estado") VALUES
  ('RES-0001', 'SOC-0008', 'LIB-0007', 'cancelada'),
  ('RES-0002', 'SOC-0003', 'LIB-0002', 'cancelada'),
  ('RES-0003', 'SOC-0005', 'LIB-0001', 'pendiente'),
  ('RES-0004', 'SOC-0006', 'LIB-0006', 'atendida'),
  ('RES-0005', 'SOC-0005', 'LIB-0006', 'pendiente'),
  ('RES-0006', 'SOC-0005', 'LIB-0002', 'pendiente'),
  ('RES-0007', 'SOC-0006', NULL, 'pendiente'),
  ('RES-0008', 'SOC-0001', 'LIB-0007', 'pendiente'),
  ('RES-0009', 'SOC-0004', 'LIB-0004', 'pendiente'),
  ('RES-0010', 'SOC-0002', 'LIB-0006', 'atendida'),
  ('RES-0011', 'SOC-0002', 'LIB-0006', 'cancelada'),
  ('RES-0012', 'SOC-0005', 'LIB-0002', 'pendiente'),
  ('RES-0013', 'SOC-0003', 'LIB-0002', 'cancelada'),
  ('RES-0014', 'SOC-0001', 'LIB-0005', 'pendiente'),
  ('RES-0015', 'SOC-0004', 'LIB-0006', 'pendiente'),
  ('RES-0016', 'SOC-0005', 'LIB-0002', 'pendiente');

INSERT INTO "multas" ("multa_id", "id_socio", "motivo", "importe", "fecha", "estado", "id_prestamo", "forma_pago") VALUES
  ('MUL-0001', 'SOC-0008', 'retraso', 54.98, '2026-01-20', 'pagada', NULL, 'efectivo'),
  ('MUL-0002', 'SOC-0002', 'perdida', 46.34, '2026-02-10', 'pendiente', 'PRE-0007', 'bizum'),
  ('MUL-0003', 'SOC-0002', 'perdida', 6.67, '2026-02-11', 'pendiente', 'PRE-0007', 'tarjeta'),
  ('MUL-0004', 'SOC-0004', 'retraso', 58.99, '2026-02-12', 'pendiente', 'PRE-0002', 'efectivo'),
  ('MUL-0005', 'SOC-0004', 'retraso', 12.87, '2026-02-12', 'pendiente', 'PRE-0002', 'tarjeta'),
  ('MUL-0006', 'SOC-0004', 'retraso', 99.08, '2026-02-13', 'pendiente', 'PRE-0003', 'efectivo'),
  ('MUL-0007', 'SOC-0002', 'perdida', 24.1, '2026-02-14', 'pendiente', 'PRE-0007', 'bizum'),
  ('MUL-0008', 'SOC-0002', 'deterioro', 38.38, '2026-02-15', 'pagada', 'PRE-0007', 'tarjeta'),
  ('MUL-0009', 'SOC-0008', 'retraso', 43.37, '2026-02-19', 'pendiente', 'PRE-0008', 'efectivo'),
  ('MUL-0010', 'SOC-0004', 'deterioro', 32.97, '2026-02-19', 'pagada', 'PRE-0010', 'bizum'),
  ('MUL-0011', 'SOC-0004', 'perdida', 10.4, '2026-02-19', 'pagada', 'PRE-0005', 'tarjeta'),
  ('MUL-0012', 'SOC-0004', 'perdida', 67.44, '2026-02-20', 'pendiente', 'PRE-0010', 'efectivo'),
  ('MUL-0013', 'SOC-0004', 'deterioro', 56.9, '2026-02-20', 'pendiente', 'PRE-0010', 'efectivo'),
  ('MUL-0014', 'SOC-0008', 'retraso', 89.37, '2026-02-20', 'pendiente', 'PRE-0008', 'bizum'),
  ('MUL-0015', 'SOC-0004', 'retraso', 53.49, '2026-02-26', 'pagada', 'PRE-0010', 'efectivo'),
  ('MUL-0016', 'SOC-0001', 'deterioro', 93.69, '2026-02-27', 'pagada', 'PRE-0012', 'efectivo');
COMMIT;
