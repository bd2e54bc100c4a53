"""Tools of Biblioteca: one function per tool over the SQLite state.

A function gets the database and the documented parameters, returns what the tool answers and raises ToolError
for a refusal. It runs in a transaction that is rolled back when it raises.
"""

import json
import re
from datetime import datetime


class ToolError(Exception):
    """A refusal that the caller is told, in a sentence."""


def buscar_socios(
    db,
    *,
    nombre=None,
    correo=None,
    estado=None,
    ordenar_por="nombre",
    sentido="asc",
    pagina=1,
    por_pagina=20,
):
    """Busca socios de la biblioteca que cumplan todos los filtros indicados."""
    sort_columns = {"nombre": "nombre", "fecha_alta": "fecha_alta"}
    all_socios = [
        candidate
        for candidate in db.all(
            'SELECT * FROM "socios" WHERE (? IS NULL OR "estado" = ?) ORDER BY "socio_id"',
            estado,
            estado,
        )
        if (nombre is None or _contains_text(candidate["nombre"], nombre))
        and (correo is None or _equal_text(candidate["correo"], correo))
    ]
    all_socios = _sort_rows(all_socios, sort_columns.get(ordenar_por), sentido)
    total = len(all_socios)
    socios = _page(all_socios, por_pagina, _multiply(pagina - 1, por_pagina))
    return {
        "socios": [
            {
                "socio_id": _item(row, "socio_id"),
                "nombre": _item(row, "nombre"),
                "correo": _item(row, "correo"),
                "telefono": _item(row, "telefono"),
                "estado": _item(row, "estado"),
                "fecha_alta": _item(row, "fecha_alta"),
                "fecha_nacimiento": _item(row, "fecha_nacimiento"),
            }
            for row in _as_list(socios)
        ],
        "total": total,
    }


def consultar_socio(db, *, id_socio):
    """Consulta los datos de un socio."""
    socio = db.one('SELECT * FROM "socios" WHERE "socio_id" = ?', id_socio)
    if socio is None:
        raise ToolError(f"No socio with socio id {id_socio} was found.")
    return _socio_view(socio)


def registrar_socio(db, *, nombre, correo, telefono=None, fecha_nacimiento=None):
    """Registra un socio nuevo, en estado activo."""
    if db.one('SELECT 1 FROM "socios" WHERE "correo" = ?', correo) is not None:
        raise ToolError(f"There is already a socio with correo {correo}.")
    new_socio_id = _new_socio_id(db)
    db.run(
        'INSERT INTO "socios" ("nombre", "correo", "telefono", "fecha_nacimiento", "estado", "socio_id")'
        " VALUES (?, ?, ?, ?, ?, ?)",
        nombre,
        correo,
        telefono,
        fecha_nacimiento,
        "activo",
        new_socio_id,
    )
    new_socio = db.one('SELECT * FROM "socios" WHERE "socio_id" = ?', new_socio_id)
    return _socio_view(new_socio)


def actualizar_socio(db, *, id_socio, correo=None, telefono=None):
    """Actualiza los datos de contacto de un socio."""
    socio = db.one('SELECT * FROM "socios" WHERE "socio_id" = ?', id_socio)
    if socio is None:
        raise ToolError(f"No socio with socio id {id_socio} was found.")
    if correo is None and telefono is None:
        raise ToolError("Nothing to change was given.")
    if socio["estado"] == "baja":
        raise ToolError(f"No se puede actualizar un socio en estado baja. The estado is {socio['estado']}.")
    if (
        correo is not None
        and db.one(
            'SELECT 1 FROM "socios" WHERE "correo" = ? AND NOT ("socio_id" = ?)',
            correo,
            socio["socio_id"],
        ) is not None
    ):
        raise ToolError(f"There is already a socio with correo {correo}.")
    db.run(
        'UPDATE "socios"'
        ' SET "correo" = COALESCE(?, "correo"), "telefono" = COALESCE(?, "telefono")'
        ' WHERE "socio_id" = ?',
        correo,
        telefono,
        socio["socio_id"],
    )
    socio = db.one('SELECT * FROM "socios" WHERE "socio_id" = ?', socio["socio_id"])
    return _socio_view(socio)


def dar_de_baja_socio(db, *, id_socio):
    """Da de baja a un socio: su estado pasa a baja."""
    socio = db.one('SELECT * FROM "socios" WHERE "socio_id" = ?', id_socio)
    if socio is None:
        raise ToolError(f"No socio with socio id {id_socio} was found.")
    if socio["estado"] not in ("activo", "suspendido"):
        raise ToolError(f"Socio cannot become baja: its estado is {socio['estado']}.")
    held_prestamos = db.all(
        'SELECT * FROM "prestamos" WHERE "id_socio" = ? AND "estado" = \'activo\' ORDER BY "prestamo_id"',
        socio["socio_id"],
    )
    if len(held_prestamos) >= 1:
        raise ToolError("No se puede dar de baja a un socio con préstamos activos ni con multas pendientes.")
    held_multas = db.all(
        'SELECT * FROM "multas" WHERE "id_socio" = ? AND "estado" = \'pendiente\' ORDER BY "multa_id"',
        socio["socio_id"],
    )
    if len(held_multas) >= 1:
        raise ToolError("No se puede dar de baja a un socio con préstamos activos ni con multas pendientes.")
    db.run('UPDATE "socios" SET "estado" = ? WHERE "socio_id" = ?', "baja", socio["socio_id"])
    socio = db.one('SELECT * FROM "socios" WHERE "socio_id" = ?', socio["socio_id"])
    return _socio_view(socio)


def buscar_libros(
    db,
    *,
    titulo=None,
    autor=None,
    genero=None,
    anio_desde=None,
    anio_hasta=None,
    ordenar_por="titulo",
    sentido="asc",
    pagina=1,
    por_pagina=20,
):
    """Busca libros del catálogo."""
    sort_columns = {"titulo": "titulo", "autor": "autor", "anio": "anio"}
    all_libros = [
        candidate
        for candidate in db.all(
            'SELECT * FROM "libros"'
            ' WHERE (? IS NULL OR "genero" = ?)'
            ' AND (? IS NULL OR "anio" >= ?)'
            ' AND (? IS NULL OR "anio" <= ?)'
            ' ORDER BY "libro_id"',
            genero,
            genero,
            anio_desde,
            anio_desde,
            anio_hasta,
            anio_hasta,
        )
        if (titulo is None or _contains_text(candidate["titulo"], titulo))
        and (autor is None or _contains_text(candidate["autor"], autor))
    ]
    all_libros = _sort_rows(all_libros, sort_columns.get(ordenar_por), sentido)
    total = len(all_libros)
    libros = _page(all_libros, por_pagina, _multiply(pagina - 1, por_pagina))
    return {
        "libros": [
            {
                "libro_id": _item(row, "libro_id"),
                "titulo": _item(row, "titulo"),
                "autor": _item(row, "autor"),
                "genero": _item(row, "genero"),
                "anio": _item(row, "anio"),
                "isbn": _item(row, "isbn"),
            }
            for row in _as_list(libros)
        ],
        "total": total,
    }


def consultar_libro(db, *, id_libro):
    """Consulta un libro del catálogo."""
    libro = db.one('SELECT * FROM "libros" WHERE "libro_id" = ?', id_libro)
    if libro is None:
        raise ToolError(f"No libro with libro id {id_libro} was found.")
    return _libro_view(libro)


def agregar_libro(db, *, titulo, autor, genero, anio=None, isbn):
    """Añade un libro al catálogo."""
    if db.one('SELECT 1 FROM "libros" WHERE "isbn" = ?', isbn) is not None:
        raise ToolError(f"There is already a libro with isbn {isbn}.")
    new_libro_id = _new_libro_id(db)
    db.run(
        'INSERT INTO "libros" ("titulo", "autor", "genero", "anio", "isbn", "libro_id")'
        " VALUES (?, ?, ?, ?, ?, ?)",
        titulo,
        autor,
        genero,
        anio,
        isbn,
        new_libro_id,
    )
    new_libro = db.one('SELECT * FROM "libros" WHERE "libro_id" = ?', new_libro_id)
    return _libro_view(new_libro)


def listar_ejemplares(db, *, id_libro=None, estado=None, sala=None):
    """Lista los ejemplares de los libros."""
    ejemplares = db.all(
        'SELECT * FROM "ejemplares"'
        ' WHERE (? IS NULL OR "id_libro" = ?)'
        ' AND (? IS NULL OR "estado" = ?)'
        ' AND (? IS NULL OR "sala" = ?)'
        ' ORDER BY "ejemplar_id"',
        id_libro,
        id_libro,
        estado,
        estado,
        sala,
        sala,
    )
    return {"ejemplares": [_ejemplar_view(row) for row in ejemplares]}


def agregar_ejemplar(db, *, id_libro, sala="general"):
    """Añade un ejemplar de un libro, en estado disponible."""
    id_libro_2 = db.one('SELECT * FROM "libros" WHERE "libro_id" = ?', id_libro)
    if id_libro_2 is None:
        raise ToolError(f"No libro with libro id {id_libro} was found.")
    new_ejemplar_id = _new_ejemplar_id(db)
    db.run(
        'INSERT INTO "ejemplares" ("id_libro", "sala", "estado", "ejemplar_id") VALUES (?, ?, ?, ?)',
        id_libro_2["libro_id"],
        sala,
        "disponible",
        new_ejemplar_id,
    )
    new_ejemplar = db.one('SELECT * FROM "ejemplares" WHERE "ejemplar_id" = ?', new_ejemplar_id)
    return _ejemplar_view(new_ejemplar)


def retirar_ejemplar(db, *, id_ejemplar):
    """Elimina un ejemplar de la colección."""
    ejemplar = db.one('SELECT * FROM "ejemplares" WHERE "ejemplar_id" = ?', id_ejemplar)
    if ejemplar is None:
        raise ToolError(f"No ejemplar with ejemplar id {id_ejemplar} was found.")
    if ejemplar["estado"] == "prestado":
        raise ToolError(f"No se puede eliminar un ejemplar prestado. The estado is {ejemplar['estado']}.")
    db.run('DELETE FROM "ejemplares" WHERE "ejemplar_id" = ?', ejemplar["ejemplar_id"])
    return {"deleted": True, "ejemplar_id": ejemplar["ejemplar_id"]}


def prestar_ejemplar(db, *, id_socio, id_ejemplar, dias=14):
    """Presta un ejemplar a un socio."""
    id_socio_2 = db.one('SELECT * FROM "socios" WHERE "socio_id" = ?', id_socio)
    if id_socio_2 is None:
        raise ToolError(f"No socio with socio id {id_socio} was found.")
    id_ejemplar_2 = db.one('SELECT * FROM "ejemplares" WHERE "ejemplar_id" = ?', id_ejemplar)
    if id_ejemplar_2 is None:
        raise ToolError(f"No ejemplar with ejemplar id {id_ejemplar} was found.")
    if id_socio_2["estado"] != "activo":
        raise ToolError(
            "El socio debe estar activo y no puede tener multas pendientes. The estado is "
            f"{id_socio_2['estado']}."
        )
    held_multas = db.all(
        'SELECT * FROM "multas" WHERE "id_socio" = ? AND "estado" = \'pendiente\' ORDER BY "multa_id"',
        id_socio_2["socio_id"],
    )
    if len(held_multas) >= 1:
        raise ToolError("El socio debe estar activo y no puede tener multas pendientes.")
    if id_ejemplar_2["estado"] != "disponible":
        raise ToolError(f"El ejemplar debe estar disponible. The estado is {id_ejemplar_2['estado']}.")
    held_prestamos = db.all(
        'SELECT * FROM "prestamos" WHERE "id_socio" = ? AND "estado" = \'activo\' ORDER BY "prestamo_id"',
        id_socio,
    )
    if len(held_prestamos) >= 3:
        raise ToolError("Un socio puede tener como máximo 3 préstamos activos.")
    new_prestamo_id = _new_prestamo_id(db)
    db.run(
        'INSERT INTO "prestamos" ("id_socio", "id_ejemplar", "dias", "estado", "prestamo_id")'
        " VALUES (?, ?, ?, ?, ?)",
        id_socio_2["socio_id"],
        id_ejemplar_2["ejemplar_id"],
        dias,
        "activo",
        new_prestamo_id,
    )
    new_prestamo = db.one('SELECT * FROM "prestamos" WHERE "prestamo_id" = ?', new_prestamo_id)
    db.run(
        'UPDATE "ejemplares" SET "estado" = ? WHERE "ejemplar_id" = ?',
        "prestado",
        id_ejemplar_2["ejemplar_id"],
    )
    return _prestamo_view(new_prestamo)


def renovar_prestamo(db, *, id_prestamo, dias=7):
    """Alarga un préstamo: la fecha_limite se retrasa los días indicados y renovaciones aumenta en 1."""
    prestamo = db.one('SELECT * FROM "prestamos" WHERE "prestamo_id" = ?', id_prestamo)
    if prestamo is None:
        raise ToolError(f"No prestamo with prestamo id {id_prestamo} was found.")
    if dias is None:
        raise ToolError("Nothing to change was given.")
    if prestamo["estado"] != "activo":
        raise ToolError(f"El préstamo debe estar activo. The estado is {prestamo['estado']}.")
    if prestamo["renovaciones"] >= 2:
        raise ToolError("Un préstamo se puede renovar como máximo 2 veces.")
    db.run('UPDATE "prestamos" SET "dias" = ? WHERE "prestamo_id" = ?', dias, prestamo["prestamo_id"])
    prestamo = db.one('SELECT * FROM "prestamos" WHERE "prestamo_id" = ?', prestamo["prestamo_id"])
    new_renovaciones = prestamo["renovaciones"] + 1
    if new_renovaciones < 0:
        raise ToolError(f"The renovaciones must be at least 0; it cannot be {new_renovaciones}.")
    db.run(
        'UPDATE "prestamos" SET "renovaciones" = ? WHERE "prestamo_id" = ?',
        new_renovaciones,
        prestamo["prestamo_id"],
    )
    prestamo = db.one('SELECT * FROM "prestamos" WHERE "prestamo_id" = ?', prestamo["prestamo_id"])
    return _prestamo_view(prestamo)


def devolver_prestamo(db, *, id_prestamo):
    """Registra la devolución de un préstamo: el préstamo pasa a devuelto y su ejemplar pasa a disponible."""
    prestamo = db.one('SELECT * FROM "prestamos" WHERE "prestamo_id" = ?', id_prestamo)
    if prestamo is None:
        raise ToolError(f"No prestamo with prestamo id {id_prestamo} was found.")
    if prestamo["estado"] != "activo":
        raise ToolError(f"Prestamo cannot become devuelto: its estado is {prestamo['estado']}.")
    db.run('UPDATE "prestamos" SET "estado" = ? WHERE "prestamo_id" = ?', "devuelto", prestamo["prestamo_id"])
    prestamo = db.one('SELECT * FROM "prestamos" WHERE "prestamo_id" = ?', prestamo["prestamo_id"])
    ejemplar = db.one('SELECT * FROM "ejemplares" WHERE "ejemplar_id" = ?', prestamo["id_ejemplar"])
    if ejemplar is not None:
        db.run(
            'UPDATE "ejemplares" SET "estado" = ? WHERE "ejemplar_id" = ?',
            "disponible",
            ejemplar["ejemplar_id"],
        )
    return _prestamo_view(prestamo)


def listar_prestamos(
    db,
    *,
    id_socio=None,
    id_ejemplar=None,
    estado=None,
    vence_antes_de=None,
    ordenar_por="fecha_limite",
    sentido="asc",
    pagina=1,
    por_pagina=20,
):
    """Lista préstamos."""
    sort_columns = {"fecha_limite": "fecha_limite", "fecha_prestamo": "fecha_prestamo"}
    all_prestamos = db.all(
        'SELECT * FROM "prestamos"'
        ' WHERE (? IS NULL OR "id_socio" = ?)'
        ' AND (? IS NULL OR "id_ejemplar" = ?)'
        ' AND (? IS NULL OR "estado" = ?)'
        ' AND (? IS NULL OR "fecha_limite" < ?)'
        ' ORDER BY "prestamo_id"',
        id_socio,
        id_socio,
        id_ejemplar,
        id_ejemplar,
        estado,
        estado,
        vence_antes_de,
        vence_antes_de,
    )
    all_prestamos = _sort_rows(all_prestamos, sort_columns.get(ordenar_por), sentido)
    total = len(all_prestamos)
    prestamos = _page(all_prestamos, por_pagina, _multiply(pagina - 1, por_pagina))
    return {
        "prestamos": [
            {
                "prestamo_id": _item(row, "prestamo_id"),
                "id_socio": _item(row, "id_socio"),
                "id_ejemplar": _item(row, "id_ejemplar"),
                "fecha_prestamo": _item(row, "fecha_prestamo"),
                "fecha_limite": _item(row, "fecha_limite"),
                "renovaciones": _item(row, "renovaciones"),
                "estado": _item(row, "estado"),
                "dias": _item(row, "dias"),
            }
            for row in _as_list(prestamos)
        ],
        "total": total,
    }


def reservar_libro(db, *, id_socio, id_libro):
    """Reserva un libro para un socio, en estado pendiente."""
    id_socio_2 = db.one('SELECT * FROM "socios" WHERE "socio_id" = ?', id_socio)
    if id_socio_2 is None:
        raise ToolError(f"No socio with socio id {id_socio} was found.")
    id_libro_2 = db.one('SELECT * FROM "libros" WHERE "libro_id" = ?', id_libro)
    if id_libro_2 is None:
        raise ToolError(f"No libro with libro id {id_libro} was found.")
    if id_socio_2["estado"] != "activo":
        raise ToolError(f"El socio debe estar activo. The estado is {id_socio_2['estado']}.")
    held_reservas = db.all(
        'SELECT * FROM "reservas"'
        ' WHERE "id_socio" = ?'
        ' AND "estado" = \'pendiente\''
        ' AND "id_libro" = ?'
        ' ORDER BY "reserva_id"',
        id_socio_2["socio_id"],
        id_libro,
    )
    if len(held_reservas) >= 1:
        raise ToolError("El socio ya tiene una reserva pendiente del mismo libro.")
    held_reservas_2 = db.all(
        'SELECT * FROM "reservas" WHERE "id_socio" = ? AND "estado" = \'pendiente\' ORDER BY "reserva_id"',
        id_socio,
    )
    if len(held_reservas_2) >= 5:
        raise ToolError("Un socio puede tener como máximo 5 reservas pendientes.")
    new_reserva_id = _new_reserva_id(db)
    db.run(
        'INSERT INTO "reservas" ("id_socio", "id_libro", "estado", "reserva_id") VALUES (?, ?, ?, ?)',
        id_socio_2["socio_id"],
        id_libro_2["libro_id"],
        "pendiente",
        new_reserva_id,
    )
    new_reserva = db.one('SELECT * FROM "reservas" WHERE "reserva_id" = ?', new_reserva_id)
    return _reserva_view(new_reserva)


def cancelar_reserva(db, *, id_reserva):
    """Cancela una reserva: su estado pasa a cancelada."""
    reserva = db.one('SELECT * FROM "reservas" WHERE "reserva_id" = ?', id_reserva)
    if reserva is None:
        raise ToolError(f"No reserva with reserva id {id_reserva} was found.")
    if reserva["estado"] != "pendiente":
        raise ToolError(f"Reserva cannot become cancelada: its estado is {reserva['estado']}.")
    db.run('UPDATE "reservas" SET "estado" = ? WHERE "reserva_id" = ?', "cancelada", reserva["reserva_id"])
    reserva = db.one('SELECT * FROM "reservas" WHERE "reserva_id" = ?', reserva["reserva_id"])
    return _reserva_view(reserva)


def listar_reservas(db, *, id_socio=None, id_libro=None, estado=None, pagina=1, por_pagina=20):
    """Lista reservas, de la más antigua a la más reciente."""
    all_reservas = db.all(
        'SELECT * FROM "reservas"'
        ' WHERE (? IS NULL OR "id_socio" = ?)'
        ' AND (? IS NULL OR "id_libro" = ?)'
        ' AND (? IS NULL OR "estado" = ?)'
        ' ORDER BY "reserva_id"',
        id_socio,
        id_socio,
        id_libro,
        id_libro,
        estado,
        estado,
    )
    total = len(all_reservas)
    reservas = _page(all_reservas, por_pagina, _multiply(pagina - 1, por_pagina))
    return {
        "reservas": [
            {
                "reserva_id": _item(row, "reserva_id"),
                "id_socio": _item(row, "id_socio"),
                "id_libro": _item(row, "id_libro"),
                "estado": _item(row, "estado"),
            }
            for row in _as_list(reservas)
        ],
        "total": total,
    }


def calcular_multa(db, *, id_prestamo, fecha_devolucion):
    """Calcula la multa que corresponde a un préstamo si se devuelve en una fecha, sin registrarla."""
    prestamo = db.one('SELECT * FROM "prestamos" WHERE "prestamo_id" = ?', id_prestamo)
    if prestamo is None:
        raise ToolError(f"No prestamo with prestamo id {id_prestamo} was found.")
    units = _maximum(0, _coalesce(_days_between(prestamo["fecha_limite"], fecha_devolucion), 0))
    subtotal = _round(
        _multiply(0, _maximum(0, _coalesce(_days_between(prestamo["fecha_limite"], fecha_devolucion), 0))),
        2,
    )
    surcharge = _round(0, 2)
    total = _round(_add(subtotal, surcharge), 2)
    if total is None:
        raise ToolError("The amount is out of range.")
    return {
        "prestamo_id": prestamo["prestamo_id"],
        "fecha_devolucion": fecha_devolucion,
        "days": units,
        "subtotal": subtotal,
        "surcharge": surcharge,
        "total": total,
    }


def registrar_multa(db, *, id_socio, motivo, importe):
    """Registra una multa para un socio, en estado pendiente."""
    id_socio_2 = db.one('SELECT * FROM "socios" WHERE "socio_id" = ?', id_socio)
    if id_socio_2 is None:
        raise ToolError(f"No socio with socio id {id_socio} was found.")
    new_multa_id = _new_multa_id(db)
    db.run(
        'INSERT INTO "multas" ("id_socio", "motivo", "importe", "estado", "multa_id") VALUES (?, ?, ?, ?, ?)',
        id_socio_2["socio_id"],
        motivo,
        importe,
        "pendiente",
        new_multa_id,
    )
    new_multa = db.one('SELECT * FROM "multas" WHERE "multa_id" = ?', new_multa_id)
    return _multa_view(new_multa)


def listar_multas(db, *, id_socio=None, estado=None, importe_minimo=None, ordenar_por="fecha", sentido="asc"):
    """Lista multas."""
    sort_columns = {"fecha": "fecha", "importe": "importe"}
    multas = db.all(
        'SELECT * FROM "multas"'
        ' WHERE (? IS NULL OR "id_socio" = ?)'
        ' AND (? IS NULL OR "estado" = ?)'
        ' AND (? IS NULL OR "importe" >= ?)'
        ' ORDER BY "multa_id"',
        id_socio,
        id_socio,
        estado,
        estado,
        importe_minimo,
        importe_minimo,
    )
    multas = _sort_rows(multas, sort_columns.get(ordenar_por), sentido)
    return {"multas": [_multa_view(row) for row in multas]}


def pagar_multa(db, *, id_multa, forma_pago="tarjeta"):
    """Registra el pago de una multa: su estado pasa a pagada."""
    multa = db.one('SELECT * FROM "multas" WHERE "multa_id" = ?', id_multa)
    if multa is None:
        raise ToolError(f"No multa with multa id {id_multa} was found.")
    if multa["estado"] != "pendiente":
        raise ToolError(f"Multa cannot become pagada: its estado is {multa['estado']}.")
    db.run(
        'UPDATE "multas" SET "forma_pago" = ?, "estado" = ? WHERE "multa_id" = ?',
        forma_pago,
        "pagada",
        multa["multa_id"],
    )
    multa = db.one('SELECT * FROM "multas" WHERE "multa_id" = ?', multa["multa_id"])
    return _multa_view(multa)


def _socio_view(socio):
    """The socio as tools show it."""
    return {
        "socio_id": socio["socio_id"],
        "nombre": socio["nombre"],
        "correo": socio["correo"],
        "telefono": socio["telefono"],
        "estado": socio["estado"],
        "fecha_alta": socio["fecha_alta"],
        "fecha_nacimiento": socio["fecha_nacimiento"],
    }


def _libro_view(libro):
    """The libro as tools show it."""
    return {
        "libro_id": libro["libro_id"],
        "titulo": libro["titulo"],
        "autor": libro["autor"],
        "genero": libro["genero"],
        "anio": libro["anio"],
        "isbn": libro["isbn"],
    }


def _ejemplar_view(ejemplar):
    """The ejemplar as tools show it."""
    return {
        "ejemplar_id": ejemplar["ejemplar_id"],
        "id_libro": ejemplar["id_libro"],
        "sala": ejemplar["sala"],
        "estado": ejemplar["estado"],
    }


def _prestamo_view(prestamo):
    """The prestamo as tools show it."""
    return {
        "prestamo_id": prestamo["prestamo_id"],
        "id_socio": prestamo["id_socio"],
        "id_ejemplar": prestamo["id_ejemplar"],
        "fecha_prestamo": prestamo["fecha_prestamo"],
        "fecha_limite": prestamo["fecha_limite"],
        "renovaciones": prestamo["renovaciones"],
        "estado": prestamo["estado"],
        "dias": prestamo["dias"],
    }


def _reserva_view(reserva):
    """The reserva as tools show it."""
    return {
        "reserva_id": reserva["reserva_id"],
        "id_socio": reserva["id_socio"],
        "id_libro": reserva["id_libro"],
        "estado": reserva["estado"],
    }


def _multa_view(multa):
    """The multa as tools show it."""
    return {
        "multa_id": multa["multa_id"],
        "id_socio": multa["id_socio"],
        "motivo": multa["motivo"],
        "importe": multa["importe"],
        "fecha": multa["fecha"],
        "estado": multa["estado"],
        "id_prestamo": multa["id_prestamo"],
        "forma_pago": multa["forma_pago"],
    }


def _new_socio_id(db):
    """A fresh id for a new socio; ids that exist are passed over."""
    number = db.next_id("socios")
    fresh = f"SOC-{number:04d}"
    while db.one('SELECT 1 FROM "socios" WHERE "socio_id" = ?', fresh) is not None:
        number = db.next_id("socios")
        fresh = f"SOC-{number:04d}"
    return fresh


def _new_libro_id(db):
    """A fresh id for a new libro; ids that exist are passed over."""
    number = db.next_id("libros")
    fresh = f"LIB-{number:04d}"
    while db.one('SELECT 1 FROM "libros" WHERE "libro_id" = ?', fresh) is not None:
        number = db.next_id("libros")
        fresh = f"LIB-{number:04d}"
    return fresh


def _new_ejemplar_id(db):
    """A fresh id for a new ejemplar; ids that exist are passed over."""
    number = db.next_id("ejemplares")
    fresh = f"EJE-{number:04d}"
    while db.one('SELECT 1 FROM "ejemplares" WHERE "ejemplar_id" = ?', fresh) is not None:
        number = db.next_id("ejemplares")
        fresh = f"EJE-{number:04d}"
    return fresh


def _new_prestamo_id(db):
    """A fresh id for a new prestamo; ids that exist are passed over."""
    number = db.next_id("prestamos")
    fresh = f"PRE-{number:04d}"
    while db.one('SELECT 1 FROM "prestamos" WHERE "prestamo_id" = ?', fresh) is not None:
        number = db.next_id("prestamos")
        fresh = f"PRE-{number:04d}"
    return fresh


def _new_reserva_id(db):
    """A fresh id for a new reserva; ids that exist are passed over."""
    number = db.next_id("reservas")
    fresh = f"RES-{number:04d}"
    while db.one('SELECT 1 FROM "reservas" WHERE "reserva_id" = ?', fresh) is not None:
        number = db.next_id("reservas")
        fresh = f"RES-{number:04d}"
    return fresh


def _new_multa_id(db):
    """A fresh id for a new multa; ids that exist are passed over."""
    number = db.next_id("multas")
    fresh = f"MUL-{number:04d}"
    while db.one('SELECT 1 FROM "multas" WHERE "multa_id" = ?', fresh) is not None:
        number = db.next_id("multas")
        fresh = f"MUL-{number:04d}"
    return fresh


def _is_number(value):
    """Whether a value is a number that the state can hold; True and False are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= 1e300


def _finite(number):
    """A result without the noise of binary fractions; None when it is out of range."""
    if isinstance(number, int):
        return number if abs(number) < 2**63 else None
    return round(number, 10) if abs(number) <= 1e300 else None


def _add(left, right):
    """The sum; None when either is not a number."""
    return _finite(left + right) if _is_number(left) and _is_number(right) else None


def _multiply(left, right):
    """The product; None when either is not a number."""
    return _finite(left * right) if _is_number(left) and _is_number(right) else None


def _round(value, digits=0):
    """The number rounded to so many decimals, a whole number for none; None when it is not a number."""
    if not _is_number(value):
        return None
    places = max(-15, min(15, _integer(digits) or 0))
    return _finite(round(value, places) if places else round(value))


def _maximum(*values):
    """The greatest of the values that are known; None when none is."""
    known = [value for value in values if value is not None]
    return max(known, key=_sort_key) if known else None


def _sort_key(value):
    """A total order over all values: None, then numbers, then texts, then lists and objects."""
    if value is None:
        return (0, 0, "")
    if isinstance(value, (int, float)):
        return (1, value, "")
    if isinstance(value, str):
        return (2, 0, value)
    return (3, 0, json.dumps(value, sort_keys=True))


def _number(value):
    """The number that a value is or a text spells; None when there is none."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        spelled = value.strip().replace(",", "")
        try:
            value = int(spelled) if re.fullmatch(r"[+-]?\d{1,18}", spelled) else float(spelled)
        except ValueError:
            return None
    return value if _is_number(value) else None


def _integer(value):
    """The whole number that a value is, or its whole part; None when it is no number."""
    number = _number(value)
    return None if number is None else int(number)


def _coalesce(*values):
    """The first value that is not None; None when all are."""
    for value in values:
        if value is not None:
            return value
    return None


def _text(value):
    """The value as a person writes it; None stays None."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (bool, list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _contains_text(value, part):
    """Whether a text, or any member of a list or object, contains the part, ignoring case; False for None."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(_contains_text(member, part) for member in value)
    return value is not None and part is not None and _text(part).casefold() in _text(value).casefold()


def _equal_text(left, right):
    """Whether two texts are the same, ignoring case; False for None."""
    return left is not None and right is not None and _text(left).casefold() == _text(right).casefold()


def _as_list(value):
    """A list as it is, a single value as a list of it, None as an empty list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _at(values, index):
    """The member of a list or text at a position, negative from the end; None when there is none."""
    if not isinstance(values, (list, str)) or not _is_number(index):
        return None
    position = int(index)
    return values[position] if -len(values) <= position < len(values) else None


def _is_descending(order):
    """Whether a sort direction means descending: `desc...`, `-...` or True."""
    return order.lower().startswith(("desc", "-")) if isinstance(order, str) else bool(order)


def _sort_rows(rows, column, order):
    """The rows ordered by a column; rows that are equal in it keep their order, and no column changes nothing."""
    if column is None:
        return rows
    return sorted(rows, key=lambda row: _sort_key(row[column]), reverse=_is_descending(order))


def _page(rows, limit, offset=None):
    """At most so many rows after leaving out so many; all of them when no limit is known; None stays None."""
    if not isinstance(rows, (list, str)):
        return rows
    start = max(0, _integer(offset) or 0)
    size = _integer(limit)
    return rows[start:] if size is None else rows[start : start + max(0, size)]


def _item(container, key):
    """The property of an object or the member of a list; None when there is none."""
    if isinstance(container, dict):
        return container.get(key) if isinstance(key, str) else None
    return _at(container, key) if isinstance(container, list) else None


def _moment(value):
    """A date or time in ISO 8601 as a datetime, its zone left out; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.removesuffix("Z")).replace(tzinfo=None)
    except ValueError:
        return None


def _days_between(start, end):
    """The days from one date to another, negative when it is earlier; None when either is no date."""
    first, last = _moment(start), _moment(end)
    return None if first is None or last is None else (last.date() - first.date()).days
