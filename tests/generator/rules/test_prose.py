"""Sentences → clues: every pattern with what it says."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.rules.prose import Clue, clues_of


def rows(text: str, **schema_texts: str) -> list[tuple[str, str, str, tuple[Any, ...]]]:
    return [clue[:4] for clue in clues_of(text, schema_texts=schema_texts)]


STATUS = [
    ("Only pending orders can be cancelled.", "status_in", "order", ("pending",)),
    (
        "Only a reservation in status `pending` or `confirmed` can be cancelled.",
        "status_in",
        "reservation",
        ("pending", "confirmed"),
    ),
    ("Only invoices with a status of open can be voided.", "status_in", "invoice", ("open",)),
    ("Cancel an existing booking (only pending bookings can be cancelled)", "status_in", "booking", ("pending",)),
    ("The reservation must be confirmed.", "status_in", "reservation", ("confirmed",)),
    ('The task must be in the "todo" state.', "status_in", "task", ("todo",)),
    ("The status of the order must be `paid`.", "status_in", "order", ("paid",)),
    ("You can cancel a booking only if its status is confirmed.", "status_in", "booking", ("confirmed",)),
    ("Order items can be modified only when the order status is 'pending'.", "status_in", "order", ("pending",)),
    ("The invoice cannot be edited unless it is in draft status.", "status_in", "invoice", ("draft",)),
    ("Unless the invoice is draft, it cannot be edited.", "status_in", "invoice", ("draft",)),
    ("Refunds are only possible for completed payments.", "status_in", "payment", ("completed",)),
    ("Only works on open issues.", "status_in", "issue", ("open",)),
    ("Stock can be transferred only to locations that are open.", "status_in", "location", ("open",)),
    ("Fails if the shipment is not `in_transit`.", "status_in", "shipment", ("in_transit",)),
    ("Fails if the ticket is already closed.", "status_not_in", "ticket", ("closed",)),
    ("Raises an error if the order is shipped or delivered.", "status_not_in", "order", ("shipped", "delivered")),
    ("An order cannot be cancelled once it has been shipped.", "status_not_in", "order", ("shipped",)),
    ("Orders cannot be cancelled once shipped.", "status_not_in", "order", ("shipped",)),
    ("Can only be cancelled if it hasn't been delivered yet.", "status_not_in", "", ("delivered",)),
    ("An order can only be cancelled before it is shipped.", "status_not_in", "order", ("shipped",)),
    (
        "If the order is already processed or delivered, it cannot be changed.",
        "status_not_in",
        "order",
        ("processed", "delivered"),
    ),
    ("If the order is already shipped, an error is returned.", "status_not_in", "order", ("shipped",)),
    ("Discontinued products cannot be ordered.", "status_not_in", "product", ("discontinued",)),
    ("A frozen or blocked card cannot pay.", "status_not_in", "card", ("frozen", "blocked")),
    ("A bill that is already paid cannot be paid again.", "status_not_in", "bill", ("paid",)),
    ("The event must not have started.", "status_not_in", "event", ("started",)),
    (
        "Payments are not accepted for reservations in status `cancelled` or `checked_out`.",
        "status_not_in",
        "reservation",
        ("cancelled", "checked_out"),
    ),
    ("Solo se puede cancelar si está pendiente.", "status_in", "", ("pendiente",)),
    ("El pedido solo se puede cancelar si está pendiente.", "status_in", "pedido", ("pendiente",)),
    ("Solo se pueden devolver préstamos activos.", "status_in", "préstamo", ("activo",)),
    ("No se puede eliminar un ejemplar prestado.", "status_not_in", "ejemplar", ("prestado",)),
    ("Un pedido no se puede cancelar si ya está enviado.", "status_not_in", "pedido", ("enviado",)),
    ("Die Bestellung muss offen sein.", "status_in", "bestellung", ("offen",)),
    ("Nur offene Bestellungen können storniert werden.", "status_in", "bestellung", ("offen",)),
    ("Schlägt fehl, wenn die Bestellung bereits storniert ist.", "status_not_in", "bestellung", ("storniert",)),
    (
        "Eine Bestellung kann nur storniert werden, wenn sie noch nicht versandt wurde.",
        "status_not_in",
        "bestellung",
        ("versandt",),
    ),
    ("Seules les commandes en attente peuvent être annulées.", "status_in", "commande", ("en attente",)),
    ("La commande doit être confirmée.", "status_in", "commande", ("confirmée",)),
    ("La commande ne peut pas être annulée si elle a déjà été expédiée.", "status_not_in", "commande", ("expédiée",)),
    ("Apenas pedidos pendentes podem ser cancelados.", "status_in", "pedido", ("pendente",)),
    ("Falha se o pedido já estiver cancelado.", "status_not_in", "pedido", ("cancelado",)),
    ("L'ordine deve essere confermato.", "status_in", "ordine", ("confermato",)),
    ("Fallisce se l'ordine è già annullato.", "status_not_in", "ordine", ("annullato",)),
]


@pytest.mark.parametrize(("text", "kind", "subject", "states"), STATUS)
def test_a_status_that_is_asked_for_or_refused_is_read(
    text: str, kind: str, subject: str, states: tuple[str, ...]
) -> None:
    assert rows(text) == [(kind, subject, "status", states)]


OTHERS = [
    ("The email must be unique.", ("unique", "", "email", ())),
    ("Product names must be unique per supplier.", ("unique", "", "product name", ("supplier",))),
    ("Raises an error if a user with this email already exists.", ("unique", "user", "email", ())),
    ("Fails with 409 if a guest with the same name and date already exists.", ("unique", "guest", "name", ("date",))),
    ("Returns an error if the username already exists.", ("unique", "username", "", ())),
    ("No two users can have the same email.", ("unique", "user", "email", ())),
    ("Fails if the new email already belongs to another guest.", ("unique", "guest", "email", ())),
    ("Ya existe un cliente con el mismo correo.", ("unique", "cliente", "correo", ())),
    ("Da error si otro socio ya tiene el mismo correo.", ("unique", "socio", "correo", ())),
    ("Ein Kunde mit derselben E-Mail existiert bereits.", ("unique", "kunde", "email", ())),
    ("Un client avec la même adresse existe déjà.", ("unique", "client", "adresse", ())),
    ("Já existe um cliente com o mesmo e-mail.", ("unique", "cliente", "email", ())),
    ("Esiste già un cliente con la stessa email.", ("unique", "cliente", "email", ())),
    ("The customer must exist.", ("exists", "customer", "", ())),
    ("Returns 404 if the booking is not found.", ("exists", "booking", "", ())),
    ("Throws an error if there is no such account.", ("exists", "account", "", ())),
    ("Fails if one of the accounts does not exist.", ("exists", "account", "", ())),
    ("Da error si el socio no existe.", ("exists", "socio", "", ())),
    ("Schlägt fehl, wenn die Bestellung nicht existiert.", ("exists", "bestellung", "", ())),
    ("Échoue si la commande n'existe pas.", ("exists", "commande", "", ())),
    ("Falha se o pedido não existir.", ("exists", "pedido", "", ())),
    ("Fallisce se l'ordine non esiste.", ("exists", "ordine", "", ())),
    ("You can only edit your own posts.", ("owner", "post", "user", ())),
    ("The order must belong to the customer.", ("owner", "order", "customer", ())),
    ("Fails if from_account_id does not belong to the user.", ("owner", "from account id", "user", ())),
    ("Only the owner can delete a project.", ("owner", "project", "user", ())),
    ("The requester must be the owner of the playlist.", ("owner", "playlist", "user", ())),
    ("El vuelo debe pertenecer al cliente.", ("owner", "vuelo", "cliente", ())),
    ("Requires login.", ("session", "", "", ())),
    ("You need to be logged in to call this.", ("session", "", "", ())),
    ("The user must be logged in.", ("session", "", "", ())),
    ("Get statistics for the current user.", ("session", "", "", ())),
    ("This can only be done by the logged in user.", ("session", "", "", ())),
    ("Returns all the authenticated user's task lists.", ("session", "", "", ())),
    ("Fails if the user is not logged in.", ("session", "", "", ())),
    ("Fails if a user is already logged in.", ("no_session", "", "", ())),
    ("El usuario debe haber iniciado sesión.", ("session", "", "", ())),
    ("Der Benutzer muss angemeldet sein.", ("session", "", "", ())),
    ("L'utilisateur doit être connecté.", ("session", "", "", ())),
    ("Fails with insufficient funds.", ("balance", "", "balance", ())),
    ("The balance must cover the amount.", ("balance", "", "balance", ("amount",))),
    ("Fails if the balance of the account is below the amount.", ("balance", "account", "balance", ("amount",))),
    ("The withdrawal amount can't exceed the current balance.", ("balance", "", "balance", ("withdrawal amount",))),
    ("Falla si el saldo es insuficiente.", ("balance", "", "balance", ())),
    ("Schlägt fehl, wenn das Guthaben nicht ausreichend ist.", ("balance", "", "balance", ())),
    ("Échoue si le solde est insuffisant.", ("balance", "", "balance", ())),
    ("Falha se o saldo for insuficiente.", ("balance", "", "balance", ())),
    ("Fails if there is not enough stock.", ("stock", "", "stock", ())),
    ("Fails if the stock at the source is insufficient.", ("stock", "source", "stock", ())),
    ("Product must be in stock.", ("stock", "product", "stock", ())),
    ("The quantity must not exceed the available stock.", ("stock", "", "available stock", ())),
    ("Fails if the resulting quantity would be negative.", ("stock", "", "quantity", ())),
    ("check_out must be after check_in.", ("order", "", "check in", ("check out",))),
    ("`checkOutDate` must be later than `checkInDate`.", ("order", "", "check in date", ("check out date",))),
    ("end_date cannot be before start_date.", ("order", "", "start date", ("end date", "<="))),
    ("from_date must not be after to_date.", ("order", "", "from date", ("to date", "<="))),
    ("`guestCount` must not exceed the capacity of the room.", ("order", "", "guest count", ("room capacity", "<="))),
    (
        "The amount must not exceed the open balance, which is `totalPrice` minus `amountPaid`.",
        ("order", "", "amount", ("total price minus amount paid", "<=")),
    ),
    (
        "La fecha de salida debe ser posterior a la fecha de entrada.",
        ("order", "", "fecha de entrada", ("fecha de salida",)),
    ),
    ("Das Enddatum muss nach dem Startdatum liegen.", ("order", "", "startdatum", ("enddatum",))),
    ("La date de fin doit être postérieure à la date de début.", ("order", "", "date de début", ("date de fin",))),
    ("A data de saída deve ser posterior à data de entrada.", ("order", "", "data de entrada", ("data de saída",))),
    ("La data di fine deve essere successiva alla data di inizio.", ("order", "", "data di inizio", ("data di fine",))),
    ("The start date must be in the future.", ("future", "", "start date", ())),
    ("The date cannot be in the past.", ("future", "", "date", ("today",))),
    ("Deadline must be later than today.", ("future", "", "deadline", ())),
    ("The birth date must be in the past.", ("past", "", "birth date", ())),
    ("La fecha no puede estar en el pasado.", ("future", "", "fecha", ("today",))),
    ("Das Datum muss in der Zukunft liegen.", ("future", "", "datum", ())),
    ("The rating must be between 1 and 5.", ("range", "", "rating", (1, 5))),
    ("The discount cannot exceed 50 percent.", ("range", "", "discount", (None, 50))),
    ("The battery must be at 5 percent or more.", ("range", "", "battery", (5, None))),
    ("The balance of an account must never fall below 0.", ("range", "account", "balance", (0, None))),
    ("A member can have at most 3 open loans.", ("limit", "loan", "member", (3, "open"))),
    ("At most 3 open loans per member.", ("limit", "loan", "member", (3, "open"))),
    ("No more than 5 active reservations per user are allowed.", ("limit", "reservation", "user", (5, "active"))),
    (
        "A guest can have at most 4 reservations in status `pending` or `confirmed`.",
        ("limit", "reservation", "guest", (4, "pending", "confirmed")),
    ),
    ("Renters may have no more than 2 cars at a time.", ("limit", "car", "renter", (2,))),
    ("An order can have only one shipment.", ("limit", "shipment", "order", (1,))),
    ("Un préstamo se puede renovar como máximo 2 veces.", ("limit", "préstamo", "renovar", (2, "times"))),
    ("A loan can be renewed at most 2 times.", ("limit", "loan", "renew", (2, "times"))),
    ("Un socio puede tener como máximo 3 préstamos activos.", ("limit", "préstamo", "socio", (3, "activo"))),
    ("Ein Mitglied kann höchstens 3 offene Ausleihen haben.", ("limit", "ausleihen", "mitglied", (3, "offen"))),
    ("Un membre peut avoir au maximum 3 emprunts ouverts.", ("limit", "emprunt", "membre", (3, "ouvert"))),
    ("Update up to 10 records in a table.", ("max_items", "record", "", (10,))),
    ("A maximum of 10 files can be uploaded at once.", ("max_items", "file", "", (10,))),
    ("The two accounts must differ.", ("not_self", "account", "", ())),
    ("Fails if the two locations are the same.", ("not_self", "location", "", ())),
    ("Cannot transfer money to the same account.", ("not_self", "account", "", ())),
    ("Las dos cuentas deben ser distintas.", ("not_self", "cuenta", "", ())),
    ("A project cannot be deleted while it has open tasks.", ("forbids", "task", "project", ("open",))),
    ("A supplier that still has products cannot be deleted.", ("forbids", "product", "supplier", ())),
    (
        "A guest who has reservations in status `pending` or `checked_in` cannot be deleted.",
        ("forbids", "reservation", "guest", ("pending", "checked_in")),
    ),
    ("It is not possible to delete a category that contains products.", ("forbids", "product", "category", ())),
    ("Cannot delete a customer with active subscriptions.", ("forbids", "subscription", "customer", ("active",))),
    ("The customer must not have open or overdue bills.", ("forbids", "bill", "customer", ("open", "overdue"))),
    ("Fails if the line already has this plan.", ("forbids", "plan", "line", ("same",))),
    (
        "Fails if the room already has an open task of the same kind.",
        ("forbids", "task", "room", ("open", "same kind")),
    ),
    (
        "Da error si el socio ya tiene una reserva pendiente del mismo libro.",
        ("forbids", "reserva", "socio", ("pendiente", "same libro")),
    ),
    ("Ein Kunde mit offenen Bestellungen kann nicht gelöscht werden.", ("forbids", "bestellung", "kunde", ("offen",))),
    ("Fails while airplane mode is on.", ("forbids", "", "airplane mode", (True,))),
    ("The change cannot be 0.", ("forbids", "", "change", (0,))),
    ("The member must have an active subscription.", ("requires", "subscription", "member", ("active",))),
    ("Requires an active subscription.", ("requires", "subscription", "", ("active",))),
    ("An account can be closed only when its balance is 0.", ("requires", "account", "balance", (0,))),
]


@pytest.mark.parametrize(("text", "expected"), OTHERS)
def test_a_demand_is_read_with_its_words(text: str, expected: tuple[Any, ...]) -> None:
    assert rows(text) == [expected]


EFFECTS = [
    ("Sets the room to cleaning.", [("room", "status", ("cleaning",))]),
    ("Marks the copy as loaned.", [("copy", "status", ("loaned",))]),
    ("Confirms it: its status becomes confirmed.", [("", "status", ("confirmed",))]),
    (
        "Sets the status of the reservation to `checked_in` and the status of its room to `occupied`.",
        [("reservation", "status", ("checked_in",)), ("room", "status", ("occupied",))],
    ),
    ("A `pending` reservation becomes `confirmed`.", [("reservation", "status", ("confirmed", "pending"))]),
    ("Releases the reserved stock.", [("", "stock", ("increase", ""))]),
    ("Adds the points to the balance.", [("", "balance", ("increase", "point"))]),
    ("Takes its amount off `amountPaid` of the reservation.", [("reservation", "amount paid", ("decrease", "amount"))]),
    ("The reboot_count goes up by 1.", [("", "reboot count", ("increase", 1))]),
    ("It starts with a balance of 0 and a daily_limit of 2000.", [("", "balance", (0,)), ("", "daily limit", (2000,))]),
    ("The reason is kept as freeze_reason.", [("", "freeze reason", ("copy", "reason"))]),
    ("Creates a task for a room, in status `open`.", [("", "status", ("open",))]),
    (
        "El préstamo queda en estado activo y el ejemplar pasa a prestado.",
        [("préstamo", "status", ("activo",)), ("ejemplar", "status", ("prestado",))],
    ),
]


@pytest.mark.parametrize(("text", "expected"), EFFECTS)
def test_a_side_effect_that_is_stated_is_read(text: str, expected: list[tuple[Any, ...]]) -> None:
    assert rows(text) == [("side_effect", *row) for row in expected]


def test_alternatives_of_a_failing_sentence_are_read_one_by_one() -> None:
    text = (
        "Fails with 404 if the order or the product does not exist, with 409 if the product is discontinued, "
        "or if the order already contains the product."
    )
    assert rows(text) == [
        ("exists", "order", "", ()),
        ("exists", "product", "", ()),
        ("status_not_in", "product", "status", ("discontinued",)),
        ("forbids", "product", "order", ("same",)),
    ]


def test_a_missing_subject_is_the_one_of_the_clause_before() -> None:
    assert rows("Fails if the account does not exist, is closed or does not belong to the user.")[1:] == [
        ("status_not_in", "account", "status", ("closed",)),
        ("owner", "account", "user", ()),
    ]
    assert rows("The account must be open and its balance must be 0.") == [
        ("status_in", "account", "status", ("open",)),
        ("requires", "account", "balance", (0,)),
    ]
    assert rows("El socio debe estar activo y no puede tener multas pendientes.") == [
        ("status_in", "socio", "status", ("activo",)),
        ("forbids", "multa", "socio", ("pendiente",)),
    ]


def test_a_clue_carries_a_sentence_for_the_refusal() -> None:
    messages = [
        c.message
        for c in clues_of(
            "Fails with 404 if the order does not exist, or if the two rooms are the same. The `order` must be `paid`."
        )
    ]
    assert messages == ["The order does not exist.", "The two rooms are the same.", "The order must be paid."]
    assert clues_of("Da error si el socio no existe o si el libro no existe.")[0].message == "El socio no existe."


def test_a_parameter_gives_its_name_to_its_clues() -> None:
    texts = {
        "email": "Email of the supplier. Must be unique among suppliers.",
        "end_date": "Day after which it ends. Must be after start_date.",
        "to_id": "Where the money goes. Must differ from from_id.",
        "day": "Must be in the future.",
        "due": "A future date.",
        "isbn": "ISBN; unique among all books.",
        "rating": "Rating, from 1 to 5. Defaults to 3.",
        "ids": "Ids to delete, up to 20 ids.",
        "limit": "Maximum number of results, up to 100 results.",
    }
    assert rows("", **texts) == [
        ("unique", "supplier", "email", ()),
        ("order", "", "start date", ("end_date",)),
        ("not_self", "", "to_id", ("from id",)),
        ("future", "", "day", ()),
        ("future", "", "due", ()),
        ("unique", "book", "isbn", ()),
        ("range", "", "rating", (1, 5)),
        ("default", "", "rating", (3,)),
        ("max_items", "id", "ids", (20,)),
        ("range", "", "limit", (None, 100)),
    ]


def test_the_arguments_section_of_a_description_is_about_parameters() -> None:
    text = (
        "Rate a book.\n\nArgs:\n    rating (int): Stars, from 1 to 5.\n    book_id: Must exist.\n\n"
        "Returns:\n    The review."
    )
    assert ("range", "", "rating", (1, 5)) in rows(text)
    assert not [c for c in clues_of(text) if c.subject == "rating"]


def test_a_demand_told_twice_is_one_clue() -> None:
    assert (
        len(clues_of("The user must be logged in. Lists the cards of the user who is logged in. Requires login.")) == 1
    )


def test_an_exclusive_bound_is_exact_for_integers_and_reals() -> None:
    low = rows("The amount must be greater than 0.")[0][3][0]
    assert low > 0 and math.ceil(low) == 1


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for clue in clues_of(text, schema_texts={"value": text}):
        assert isinstance(clue, Clue) and clue.message


@given(st.lists(st.sampled_from([row[0] for row in STATUS]), min_size=2, max_size=2, unique=True))
def test_sentences_are_read_independently_of_each_other(pair: list[str]) -> None:
    apart = {c[:4] for text in pair for c in clues_of(text)}
    assert {c[:4] for c in clues_of("\n\n".join(pair))} <= apart
