from __future__ import annotations

import pytest

from autoforge.generator.tasks.wording.documentation import tool_words
from autoforge.generator.tasks.wording.names import english_name, noun_words, value_words
from tests.generator.tasks.wording.inn import catalogue, tool

BOILERPLATE = "This tool belongs to the trade desk, which lets users trade. Tool description: "
CASES = [
    ("cancel_booking", "", "Cancels a booking based on its ID.", "cancel", "booking"),
    ("placeOrder", "Place an order for a pet", "Places it.", "place", "an order for a pet"),
    ("post_api_stays", "Create stay", "Creates it.", "create", "stay"),
    ("patch_api_stays_by_id_cancel", "Cancel stay", "", "cancel", "stay"),
    ("set_draft_status", "", "Sets the status. Expects a path.", "set", "draft status"),
    ("add_to_watchlist", "", BOILERPLATE + "Add a stock to the watchlist.", "add", "a stock to the watchlist"),
    ("gate.items.insert", "", "Creates a new item on the specified list. Returns it.", "create",
     "a new item on the specified list"),
    ("mailer", "", "Use this tool to send an email with the provided fields.", "send", "an email"),
    ("desk_close_ticket", "", "Modifies a ticket.", "close", "ticket"),
    ("tagging", "", "Adds a tag to the list (optional).", "add", "a tag to the list"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "title", "about", "verb", "rest"), CASES)
def test_a_tool_is_an_imperative(name: str, title: str, about: str, verb: str, rest: str) -> None:
    others = tuple(tool(n) for n in ("get_api_x", "post_api_y", "patch_api_z", "delete_api_w")) if "api" in name else ()
    model = tool(name, title=title, about=about)
    words = tool_words(model, catalogue((model, *others)))
    assert (words.verb, " ".join(words.rest)) == (verb, rest)


@pytest.mark.parametrize(
    ("about", "verb"),
    [
        ("Registra un socio nuevo con los datos.", "registra"),
        ("Storniert eine Buchung der Gäste und gibt die Nummer.", "storniere"),
    ],
)
def test_verbs_of_other_languages_become_imperatives(about: str, verb: str) -> None:
    model = tool("x1", about=about)
    assert tool_words(model, catalogue((model,))).verb == verb


@pytest.mark.parametrize(
    ("name", "words"),
    [("checkInDate", "check-in date"), ("tag_to_add", "tag"), ("created_at", "creation date"), ("photoUrls",
    "photo URLs"),
     ("data_used_gb", "data used in GB"), ("publish_date_value", "publish date"), ("receiver_id", "receiver ID")],
)  # fmt: skip
def test_names_become_words(name: str, words: str) -> None:
    assert english_name(name) == words


@pytest.mark.parametrize(
    ("name", "noun"), [("from_account_id", "account"), ("id_socio", "socio"), ("projects", "project")]
)
def test_references_become_nouns(name: str, noun: str) -> None:
    assert noun_words(name) == noun


@pytest.mark.parametrize(("value", "words"), [("guest_request", "guest request"), ("inProgress", "in progress"),
("EUR", "EUR"),
                                              ("2026-05-01", "2026-05-01"), ("4g_preferred",
                                              "4g preferred")])  # fmt: skip
def test_enumerated_values_become_words(value: str, words: str) -> None:
    assert value_words(value) == words
