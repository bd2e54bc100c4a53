"""Words of names: how they are cut, counted, and which of them are verbs."""

from __future__ import annotations

import keyword
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.rules.verbs import VerbClass, verb_in_prose, verb_of
from autoforge.generator.rules.words import column_name, plural, singular, snake, split_words

ANY_NAME = st.text(min_size=0, max_size=40)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getUserById", ("get", "user", "by", "id")),
        ("get_user_by_id", ("get", "user", "by", "id")),
        ("get-user-by-id", ("get", "user", "by", "id")),
        ("get.user.by.id", ("get", "user", "by", "id")),
        ("GetUserByID", ("get", "user", "by", "id")),
        ("getHTTPServer", ("get", "http", "server")),
        ("API-get-page", ("api", "get", "page")),
        ("año_de_publicación", ("año", "de", "publicación")),
        ("v2users", ("v2users",)),
        ("__private__", ("private",)),
        ("", ()),
        ("---", ()),
    ],
)
def test_a_name_is_cut_into_words_whatever_its_convention(name: str, words: tuple[str, ...]) -> None:
    assert split_words(name) == words


@given(st.lists(st.sampled_from(["get", "order", "item", "user", "status", "by", "price"]), min_size=1, max_size=5))
def test_the_same_words_come_out_of_every_convention(words: list[str]) -> None:
    camel = words[0] + "".join(w.capitalize() for w in words[1:])
    pascal = "".join(w.capitalize() for w in words)
    assert {split_words(n) for n in ("_".join(words), "-".join(words), ".".join(words), camel, pascal)} == {
        tuple(words)
    }


@given(ANY_NAME)
def test_snake_gives_a_legal_identifier_for_any_text(name: str) -> None:
    made = snake(name)
    assert made.isidentifier()
    assert len(made) <= 60
    assert made == made.lower()


@given(ANY_NAME)
def test_a_column_is_never_a_python_keyword(name: str) -> None:
    assert not keyword.iskeyword(column_name(name))


@given(ANY_NAME)
def test_snake_of_a_snake_is_itself(name: str) -> None:
    assert snake(snake(name)) == snake(name)


def test_accents_and_umlauts_are_written_out() -> None:
    assert snake("Größe") == "groesse"
    assert snake("número de página") == "numero_de_pagina"
    assert snake("café") == "cafe"


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("orders", "order"),
        ("categories", "category"),
        ("boxes", "box"),
        ("branches", "branch"),
        ("classes", "class"),
        ("people", "person"),
        ("children", "child"),
        ("statuses", "status"),
        ("addresses", "address"),
        ("movies", "movie"),
        ("houses", "house"),
        ("invoices", "invoice"),
        ("matches", "match"),
        ("files", "file"),
        ("quizzes", "quizz"),
        ("heroes", "hero"),
        ("indices", "index"),
        ("libros", "libro"),
        ("reservas", "reserva"),
        ("autores", "autor"),
        ("canciones", "cancion"),
        ("ciudades", "ciudad"),
        ("prestamos", "prestamo"),
        ("shares", "share"),
        ("stores", "store"),
        ("scores", "score"),
        ("grades", "grade"),
        ("warehouses", "warehouse"),
    ],
)
def test_the_singular_of_a_plural(many: str, one: str) -> None:
    assert singular(many) == one


@pytest.mark.parametrize(
    "word",
    [
        "status",
        "address",
        "news",
        "process",
        "bus",
        "analysis",
        "basis",
        "gps",
        "lunes",
        "data",
        "media",
        "order",
        "canvas",
        "glass",
        "campus",
        "settings",
        "statistics",
        "id",
    ],
)
def test_a_word_that_is_singular_already_stays(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize(
    "word",
    [
        "order",
        "category",
        "box",
        "branch",
        "person",
        "libro",
        "reserva",
        "cancion",
        "autor",
        "file",
        "hero",
        "status",
        "bus",
        "address",
        "day",
        "key",
        "match",
        "invoice",
        "ciudad",
        "photo",
    ],
)
def test_the_singular_of_the_plural_is_the_word(word: str) -> None:
    assert plural(word) != word
    assert singular(plural(word)) == word


def test_leaves_are_what_people_take() -> None:
    assert plural("leaf") == "leaves" and singular("leaves") == "leave"


@pytest.mark.parametrize("word", ["orders", "data", "information", "settings"])
def test_the_plural_of_what_is_many_already_stays(word: str) -> None:
    assert plural(word) == word


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("get", VerbClass.GET),
        ("fetch", VerbClass.GET),
        ("list", VerbClass.LIST),
        ("search", VerbClass.SEARCH),
        ("create", VerbClass.CREATE),
        ("book", VerbClass.CREATE),
        ("update", VerbClass.UPDATE),
        ("set", VerbClass.SET),
        ("delete", VerbClass.DELETE),
        ("add", VerbClass.ADD),
        ("remove", VerbClass.REMOVE),
        ("move", VerbClass.MOVE),
        ("transfer", VerbClass.TRANSFER),
        ("cancel", VerbClass.STATE),
        ("toggle", VerbClass.TOGGLE),
        ("login", VerbClass.LOGIN),
        ("logout", VerbClass.LOGOUT),
        ("count", VerbClass.COUNT),
        ("send", VerbClass.SEND),
        ("crear", VerbClass.CREATE),
        ("buscar", VerbClass.SEARCH),
        ("eliminar", VerbClass.DELETE),
        ("añadir", VerbClass.ADD),
        ("suchen", VerbClass.SEARCH),
        ("löschen", VerbClass.DELETE),
        ("überweisen", VerbClass.TRANSFER),
        ("créer", VerbClass.CREATE),
        ("supprimer", VerbClass.DELETE),
        ("obter", VerbClass.GET),
        ("atualizar", VerbClass.UPDATE),
        ("cercare", VerbClass.SEARCH),
        ("eliminare", VerbClass.DELETE),
    ],
)
def test_a_verb_of_any_of_the_languages_is_known(word: str, kind: VerbClass) -> None:
    verb = verb_of(word)
    assert verb is not None
    assert verb.kind is kind


@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("cancel", "cancelled"),
        ("approve", "approved"),
        ("reopen", "open"),
        ("lock", "locked"),
        ("unlock", "unlocked"),
        ("ship", "shipped"),
        ("checkin", "checked_in"),
        ("anular", "anulado"),
        ("stornieren", "storniert"),
    ],
)
def test_a_verb_that_changes_a_state_says_which(word: str, state: str) -> None:
    verb = verb_of(word)
    assert verb is not None
    assert (verb.kind, verb.state) == (VerbClass.STATE, state)


@pytest.mark.parametrize("word", ["order_book", "customer", "cheese", "", "libro", "status"])
def test_a_noun_is_no_verb(word: str) -> None:
    assert verb_of(word) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Retrieves the details of an order.", VerbClass.GET),
        ("Use this tool to send a message to a user.", VerbClass.SEND),
        ("Fetch a list of all open tickets.", VerbClass.GET),
        ("Permanently deletes a record.", VerbClass.DELETE),
        ("Cancelling an order gives the money back.", VerbClass.STATE),
        ("Busca libros por autor.", VerbClass.SEARCH),
        ("Crea una reserva.", VerbClass.CREATE),
        ("Sucht Bücher nach Titel.", VerbClass.SEARCH),
        ("Löscht einen Termin.", VerbClass.DELETE),
        ("Crée une réservation.", VerbClass.CREATE),
        ("Supprime un client.", VerbClass.DELETE),
        ("取消订单", VerbClass.STATE),
        ("查询天气信息", VerbClass.GET),
        ("予約を作成します", VerbClass.CREATE),
    ],
)
def test_the_first_verb_of_a_description_is_found_in_any_form(text: str, kind: VerbClass) -> None:
    verb = verb_in_prose(text)
    assert verb is not None
    assert verb.kind is kind


@pytest.mark.parametrize("text", ["", "The weather in a city.", "Order book of a symbol.", "!!!"])
def test_a_description_without_a_verb_has_none(text: str) -> None:
    assert verb_in_prose(text) is None


@given(ANY_NAME)
def test_no_text_breaks_the_reading_of_words(text: str) -> None:
    for word in split_words(text):
        assert re.fullmatch(r"\w+", word)
        assert singular(singular(word)) == singular(singular(singular(word)))
        verb_of(word)
        plural(word)
    verb_in_prose(text)
