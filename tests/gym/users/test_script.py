"""Instructions as wishes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.gym.users.script import sentences, wishes
from autoforge.mcp_envs.task import Task
from tests.gym.users.conftest import all_tasks


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Cancel it. Then tell me the price.", 2),
        ("Take a payment of 635.7 for it. Then close it.", 2),
        ('Send "I am late. See you. Bye" to Ann. Then send "Ok." to Bob.', 2),
        ("Set the note to 'It works. Really.' please. Then stop.", 2),
        ('Set the note to "Prefers an upper floor.". Then cancel it.', 2),
        ("Ask Dr. Brown and Mrs. Hall, e.g. Today, about it. Then stop.", 2),
        ("Book it for J. Smith at St. Mary. Then stop.", 2),
        ("Write to ann.hall@example.org. Then stop.", 2),
        ("Buche es ab dem 10. März 2026. Danach bitte: bezahle es.", 2),
        ("Hay 5. Después, por favor, cancela la reserva.", 2),
        ("¿Puedes cancelarla? ¡Gracias! Luego dime el estado.", 3),
        ("It is 5 ft. tall and 3.5 m wide", 1),
        ('The screen of 27" is broken. Then order another.', 2),
        ("It's the guests' room. Don't forget.", 2),
        ("First line\nSecond line", 2),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, count: int) -> None:
    assert len(sentences(text)) == count


def test_no_sentence_ends_within_a_known_value() -> None:
    value = "The train takes four hours. Book early."
    text = f"Post {value} Then stop."
    assert sentences(text, [value]) == [f"Post {value}", "Then stop."]
    assert len(sentences(text)) == 3


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.id)
def test_the_wishes_of_a_task_are_its_instruction_in_order(task: Task) -> None:
    told = wishes(task.instruction, task.known.values())
    assert " ".join(told) == " ".join(task.instruction.split())
    assert all(told)


@given(st.text(alphabet="abcA. !?\"'\n“”Dr1", max_size=80))
def test_any_text_is_told_whole(text: str) -> None:
    assert " ".join(wishes(text)).split() == text.split()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Hello, I have a request. Cancel it. Close it.", ("Hello, I have a request. Cancel it.", "Close it.")),
        ("Hi, I need a few things done. Cancel it.", ("Hi, I need a few things done. Cancel it.",)),
        ("Look for the room. Book it. Pay.", ("Look for the room. Book it.", "Pay.")),
        ("Hi there, first look for the room. Also look for the guest. Book it.",
         ("Hi there, first look for the room. Also look for the guest. Book it.",)),
        ("Book it. Should that be refused, book the other instead. Pay.",
         ("Book it. Should that be refused, book the other instead.", "Pay.")),
        ("Pay it. If that works, also close it.", ("Pay it. If that works, also close it.",)),
        ("If it is open, close it; otherwise, pay it. Then stop.", ("If it is open, close it; otherwise, pay it.",
                                                                    "Then stop.")),
        ("If it is open, close it. Otherwise, pay it.", ("If it is open, close it. Otherwise, pay it.",)),
        ("Pay it. Find the room.", ("Pay it.", "Find the room.")),
        ("Hola, necesito varias cosas. Presta el libro. Si eso no se puede, presta el otro. Luego, paga.",
         ("Hola, necesito varias cosas. Presta el libro. Si eso no se puede, presta el otro.", "Luego, paga.")),
        ("Guten Tag, ich habe ein paar Bitten. Such bitte das Zimmer. Buche es. Falls das nicht möglich ist, mach "
         "stattdessen Folgendes: bezahle es. Danach: storniere es.",
         ("Guten Tag, ich habe ein paar Bitten. Such bitte das Zimmer. Buche es. Falls das nicht möglich ist, mach "
          "stattdessen Folgendes: bezahle es.", "Danach: storniere es.")),
        ("Book it. The check-in date 2026-01-02.", ("Book it. The check-in date 2026-01-02.",)),
    ],
)  # fmt: skip
def test_what_belongs_together_is_one_wish(text: str, told: tuple[str, ...]) -> None:
    assert wishes(text) == told
