"""What a message of an agent is to a user."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.gym.users.hearing import Heard

SENTENCES = [
    ("Shall I proceed?", "confirm"),
    ("Is that correct?", "confirm"),
    ("Would you like me to cancel the reservation?", "confirm"),
    ("Please confirm that I should cancel res_5001.", "confirm"),
    ("Once you confirm, I'll proceed.", "confirm"),
    ("OK?", "confirm"),
    ("¿Desea que cancele la reserva?", "confirm"),
    ("¿Es correcto?", "confirm"),
    ("¿Procedo?", "confirm"),
    ("Soll ich die Reservierung stornieren?", "confirm"),
    ("Ist das richtig so?", "confirm"),
    ("Bitte bestätigen Sie die Stornierung.", "confirm"),
    ("What is the check-in date?", "question"),
    ("Which room should I book?", "question"),
    ("Then what reason should I give?", "question"),
    ("I'll need the guest's email address.", "question"),
    ("Could you please tell me the email", "question"),
    ("¿Qué reserva debo cancelar?", "question"),
    ("¿Cuál es el correo electrónico?", "question"),
    ("Por favor, indíqueme el correo.", "question"),
    ("Wie lautet das Ankunftsdatum?", "question"),
    ("Bitte nennen Sie mir die Telefonnummer.", "question"),
    ("I will now cancel it.", "announcement"),
    ("Okay, I'll book the room now.", "announcement"),
    ("Let me check.", "announcement"),
    ("One moment, please.", "announcement"),
    ("Voy a cancelar la reserva.", "announcement"),
    ("Cancelaré la reserva ahora.", "announcement"),
    ("Un momento, por favor.", "announcement"),
    ("Ich werde jetzt stornieren.", "announcement"),
    ("Einen Moment bitte.", "announcement"),
    ("Is there anything else?", "further"),
    ("Let me know if you need anything else.", "further"),
    ("¿Necesita algo más?", "further"),
    ("Kann ich sonst noch etwas für Sie tun?", "further"),
    ("Sure, I can help with that.", "courtesy"),
    ("Thank you for the email.", "courtesy"),
    ("Entendido.", "courtesy"),
    ("Alles klar.", "courtesy"),
    ("I will let you know when to reboot it.", "later"),
    ("I'm sorry, I cannot do that.", "unable"),
    ("The booking was refused because the room is taken.", "unable"),
    ("No se puede cancelar.", "unable"),
    ("Das ist leider nicht möglich.", "unable"),
    ("I will transfer you to a human agent.", "gives up"),
    ("I am unable to help with this.", "gives up"),
    ("Le transfiero a un agente humano.", "gives up"),
    ("Ich verbinde Sie mit einem Mitarbeiter.", "gives up"),
    ("Done.", "statement"),
    ("The status is cancelled.", "statement"),
    ("Great, the reservation is cancelled.", "statement"),
    ("I can confirm that the reservation was cancelled.", "statement"),
    ("The first was refused, so I booked the other room instead.", "statement"),
    ("I have transferred 500 dollars to the account.", "statement"),
    ("La reserva ha sido cancelada.", "statement"),
    ("Die Reservierung wurde storniert.", "statement"),
    ("If the room is free, I will book it.", "statement"),
    ('I sent "Can we move the meeting?" to her.', "statement"),
]


@pytest.mark.parametrize(("text", "kind"), SENTENCES)
def test_a_sentence_is_of_its_kind(text: str, kind: str) -> None:
    assert [kind] == [own for _, own in Heard(text).sentences]


def test_items_of_a_list_belong_to_the_question_above_them() -> None:
    heard = Heard("Please provide:\n- first name\n- e-mail\n\nThank you.")
    assert heard.of("question") == ["Please provide: first name, e-mail"]


def test_items_may_have_lines_between_them() -> None:
    heard = Heard("I need:\n\n1. the first name\n\n2. the e-mail\nThank you.")
    assert [kind for _, kind in heard.sentences] == ["question", "courtesy"]


@pytest.mark.parametrize(
    "text",
    [*(part * 20_000 for part in ("A. ", "\n", "what ", "ok ", " 'a", '"a', "kann ", "2026-01-01 to ")),
     "A.\n" + " " * 20_000],
    ids=lambda text: repr(text[:16]),
)  # fmt: skip
def test_a_long_message_is_heard_in_proportion(text: str) -> None:
    """Seconds of the processor, where a pattern that looks at everything from everywhere takes minutes."""
    started = time.process_time()
    kinds = Heard(text).kinds
    assert time.process_time() - started < 2, kinds


def test_a_known_value_is_no_question_of_the_agent() -> None:
    value = "Who is joining the call on Thursday?"
    assert Heard(f"I have sent: {value}").asks
    assert not Heard(f"I have sent: {value}", [value]).asks


def test_what_was_done_beside_what_could_not_be_is_an_answer() -> None:
    assert Heard("The payment failed.").unable
    assert not Heard("The first payment failed. I have booked the other room.").unable


def test_only_a_message_about_nothing_of_the_task_strays() -> None:
    subjects = frozenset({"cancel", "reservation", "room"})
    stray = "The football team played wonderfully yesterday against very strong opponents."
    assert Heard(stray).strays(subjects, "en")
    assert not Heard(stray).strays(subjects, "es")
    assert not Heard("The reserved room with flowers faces beautiful gardens toward mountains.").strays(subjects, "en")
    assert not Heard("Done.").strays(subjects, "en")


@given(st.text(max_size=300))
def test_any_text_is_heard(text: str) -> None:
    heard = Heard(text)
    assert isinstance(heard.asks or heard.announces or heard.unable or heard.gives_leave, bool)
