"""Dialogues with the scripted user."""

from __future__ import annotations

import anyio
import pytest

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.users.known import Fact, Known, holds
from autoforge.gym.users.script import wishes
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.user import Numbered, UserBriefing, UserTurn
from autoforge.mcp_envs.task import Blueprint, Task, ToolStep, UserValue
from tests.gym.users.conftest import all_tasks, talk, task_of

pytestmark = pytest.mark.anyio

REGISTER = "hotel-0-00010"
"""Register Anthony Henry, anthony.henry@example.net, DE; then 8 more wishes in 6 sentences."""
PAY = "hotel-0-00008"
"""One wish: take a payment of 650.99 with method cash."""
GERMAN = {
    "language": "de",
    "persona": "Du bist eine sachliche Person, die kurze Sätze schreibt.",
    "instruction": "Guten Tag. Registriere eine Person mit Vorname Jana, Nachname Roth und E-Mail jana@example.org. "
    "Danach bitte: nenn mir die Nummer.",
    "known": {"vorname": "Jana", "nachname": "Roth", "e_mail": "jana@example.org"},
    "blueprint": Blueprint(
        nodes=(
            ToolStep(
                id="n1", tool="createGuest", arguments={n: UserValue(user=n) for n in ("vorname", "nachname", "e_mail")}
            ),
        )
    ),
}


def until(wish: int) -> list[str]:
    """Answers that bring a conversation to a wish, counted from 1."""
    return ["Done."] * (wish - 1)


def told(text: str, fact: Fact) -> bool:
    """Whether a text gives a known value: as it is, or in the words of the instruction."""
    return fact.said in text or holds(text, fact)


@pytest.mark.parametrize(
    ("task", "wish", "said", "wanted"),
    [
        (REGISTER, 1, "What is the guest's first name?", ["Anthony"]),
        (REGISTER, 1, "Could you please provide:\n- First name\n- Last name\n- E-mail address?",
         ["Anthony", "Henry", "anthony.henry@example.net"]),
        (REGISTER, 1, "I need the email of the guest.", ["anthony.henry@example.net"]),
        (REGISTER, 1, "Could you confirm your email address?", ["anthony.henry@example.net"]),
        (REGISTER, 1, "What is the full name?", ["Anthony", "Henry"]),
        (REGISTER, 3, "Which priority do you mean?", ["normal"]),
        (REGISTER, 4, "What is the amount, and which payment method?", ["652.99", "debit_card"]),
        (REGISTER, 5, "What is the amount?", ["635.7"]),
        (REGISTER, 5, "What is method_2?", ["cash"]),
        ("hotel-0-00015", 1, "What is the due date?", ["2026-03-10"]),
        ("biblioteca-0-00001", 1, "¿Cuál es el correo electrónico?", ["africa.giron@example.org"]),
        ("biblioteca-0-00001", 1, "¿Cuál es la fecha de nacimiento?", ["2026-01-22"]),
        ("biblioteca-0-00001", 1, "What is the phone number of the member?", ["+34 630 963 530"]),
        ("biblioteca-0-00001", 1, "Por favor, dígame el nombre del socio.", ["África Girón"]),
    ],
)  # fmt: skip
async def test_a_value_that_is_asked_for_is_given(task: str, wish: int, said: str, wanted: list[str]) -> None:
    own = task_of(task)
    last = (await talk(own, *until(wish), said))[-1]
    assert all(value in last.text for value in wanted), last.text
    assert last.ending is None


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.id)
async def test_every_known_value_is_given_by_its_name(task: Task) -> None:
    known = Known(task)
    for fact in known.facts:
        namesakes = [other for other in known.facts if other.tokens == fact.tokens]
        _, answer = await talk(task, f"What is the {fact.label}?")
        assert any(told(answer.text, other) for other in namesakes), (fact, answer.text)
        if fact.name != fact.label:
            _, answer = await talk(task, f"Please tell me {fact.name}.")
            assert told(answer.text, fact)


async def test_namesakes_that_one_wish_holds_are_told_with_the_wish() -> None:
    """One answer for both would drop the condition."""
    task = task_of("hotel-0-00004")
    turns = await talk(task, "The priority is normal.", "Created.", "Should breakfast be included?")
    assert turns[-1].text.endswith(turns[-2].text[turns[-2].text.index("If the status") :])


async def test_a_value_of_a_later_wish_is_told_with_that_wish() -> None:
    """For the wish at hand it would be wrong."""
    task = task_of(REGISTER)
    _, answer = await talk(task, "Do you have any special requests?")
    assert answer.text.endswith(wishes(task.instruction)[-1]) and "later" in answer.text


@pytest.mark.parametrize(
    "said",
    ["What is the guest ID?", "Which tier does the guest have in our system?", "Could you tell me the room's floor?"],
)
async def test_what_is_not_known_is_not_told(said: str) -> None:
    _, answer = await talk(task_of(REGISTER), said)
    assert "know" in answer.text and "look" in answer.text


@pytest.mark.parametrize(
    "said", ["What would you like me to do?", "Which reservation do you mean?", "Any preferences?"]
)
async def test_a_question_for_the_wish_is_answered_with_the_wish(said: str) -> None:
    first, answer = await talk(task_of(PAY), said)
    assert first.text in answer.text


@pytest.mark.parametrize(
    ("task", "wish", "said"),
    [
        (REGISTER, 1, "I will register Anthony Henry with e-mail anthony.henry@example.net. Is that correct?"),
        (REGISTER, 3, "Shall I book room_203 from 2026-03-29 to 2026-04-05 for 2 guests?"),
        (REGISTER, 3, "I would book it from 29 March 2026 to April 5, 2026, guest count: 2. Is this right?"),
        (REGISTER, 4, "Method: debit card, amount: 652.99. Do you confirm?"),
        ("hotel-0-00005", 1, "I found res_5006, status: pending. Shall I cancel it with reason: no show?"),
        ("biblioteca-0-00001", 1, "¿Confirma que registre a África Girón, correo: africa.giron@example.org?"),
    ],
)
async def test_what_is_repeated_rightly_is_confirmed(task: str, wish: int, said: str) -> None:
    own = task_of(task)
    last = (await talk(own, *until(wish), said))[-1]
    assert last.text.startswith(("Yes", "Sí")), last.text
    assert last.ending is None


@pytest.mark.parametrize(
    ("task", "wish", "said", "right"),
    [
        (REGISTER, 1, "I will register the guest with e-mail anthony.henry@example.com. Is that correct?",
         "the email is anthony.henry@example.net."),
        (REGISTER, 3, "Shall I book it from 2026-03-28 to 2026-04-05?", "the check-in date is 2026-03-29."),
        (REGISTER, 3, "Check-in date: 28 March 2026, check-out date: 5 April 2026. Is that correct?",
         "the check-in date is 2026-03-29."),
        (REGISTER, 3, "**Guest count:** 3. Shall I proceed?", "the guest count is 2."),
        (REGISTER, 4, "Shall I take 652.99 with method credit card?", "the method is debit_card."),
        (REGISTER, 4, "The amount is 625.99, right?", "the amount is 652.99."),
        ("hotel-0-00007", 1, "Breakfast: no. Shall I go on?", "breakfast: yes."),
        ("biblioteca-0-00001", 1, "¿Desea que registre al socio con correo africa.giron@example.com?",
         "correo: africa.giron@example.org."),
    ],
)  # fmt: skip
async def test_what_is_repeated_wrongly_is_corrected(task: str, wish: int, said: str, right: str) -> None:
    own = task_of(task)
    last = (await talk(own, *until(wish), said))[-1]
    assert last.text.startswith("No") and right in last.text, last.text
    assert last.ending is None


async def test_what_the_agent_reports_is_not_corrected() -> None:
    """The status of what was found is no value that the user gave."""
    task = task_of("hotel-0-00004")
    turns = await talk(task, "The priority is high.", "Created.", "The status is pending. Shall I book the room?")
    assert turns[-1].text.startswith("Yes")


async def test_no_other_thing_is_accepted_in_place_of_the_wish() -> None:
    first, answer = await talk(task_of(PAY), "That room has no reservation. Shall I pay another one instead?")
    assert answer.text.startswith("No") and first.text in answer.text


async def test_nothing_is_accepted_that_the_task_is_not_about() -> None:
    first, answer = await talk(task_of(PAY), "Would you like to add breakfast and parking as well?")
    assert answer.text.startswith("No") and first.text in answer.text


async def test_the_users_own_fall_back_is_accepted() -> None:
    _, answer = await talk(task_of("hotel-0-00015"), "It was refused. Would you like me to use the other room instead?")
    assert answer.text.startswith("Yes")


@pytest.mark.parametrize("said", ["I will now take the payment.", "Let me look for it.", "Sure, I can help with that."])
async def test_an_announcement_is_not_the_end(said: str) -> None:
    _, answer = await talk(task_of(PAY), said)
    assert "tell me when it is done" in answer.text and answer.ending is None


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.id)
async def test_the_whole_instruction_is_told_in_order(task: Task) -> None:
    told = wishes(task.instruction, task.known.values())
    turns = await talk(task, *["Done."] * len(told))
    assert len(turns) == len(told) + 1
    assert all(wish in turn.text for wish, turn in zip(told, turns, strict=False))
    assert [turn.ending for turn in turns] == [None] * len(told) + ["stop"]


async def test_all_is_told_at_once_where_that_is_wanted() -> None:
    task = task_of(REGISTER)
    turns = await talk(task, "Done.", user=ScriptedUser(reveal="all"))
    assert turns[0].text == task.instruction
    assert turns[1].ending == "stop"


@pytest.mark.parametrize("task", [REGISTER, "biblioteca-0-00001"])
@pytest.mark.parametrize(
    "said", ["Done. Is there anything else?", "It is done. Let me know if you need anything else.", "He terminado."]
)
async def test_asked_for_more_the_user_tells_the_next_wish(task: str, said: str) -> None:
    own = task_of(task)
    _, answer = await talk(own, said)
    assert wishes(own.instruction)[1] in answer.text


@pytest.mark.parametrize(
    "said",
    [
        "Shall I proceed?", "I have found it. Do you confirm the payment?", "What is the amount?", "I will do it now.",
        "Please confirm that I should take the payment.", "Okay, working on it.", "I have two. Which one?",
    ],
)  # fmt: skip
async def test_the_user_never_stops_on_a_question_or_an_announcement(said: str) -> None:
    turns = await talk(task_of(PAY), said, said, said)
    assert [turn.ending for turn in turns] == [None] * 4


async def test_a_transfer_is_accepted_when_all_was_said() -> None:
    turns = await talk(task_of(PAY), "I cannot do that. Shall I transfer you to a human agent?")
    assert turns[-1].ending == "transfer"


async def test_a_transfer_before_that_brings_the_next_wish() -> None:
    task = task_of(REGISTER)
    turns = await talk(task, "I cannot do that. I will transfer you to a human agent.")
    assert turns[-1].ending is None
    assert wishes(task.instruction)[1] in turns[-1].text


async def test_an_agent_that_cannot_is_asked_once_more() -> None:
    turns = await talk(task_of(PAY), "I cannot do that.", "I cannot do that.")
    assert turns[0].text in turns[1].text
    assert turns[2].ending == "transfer"


async def test_an_agent_that_talks_of_something_else_ends_out_of_scope() -> None:
    stray = "The football team played wonderfully yesterday evening against very strong opponents."
    turns = await talk(task_of(PAY), *[stray] * 9)
    assert [turn.ending for turn in turns] == [None] * 4 + ["out_of_scope"]
    assert all(turns[0].text in turn.text for turn in turns[1:-1])


async def test_without_progress_the_user_leaves_it_at_that() -> None:
    task, user = task_of(REGISTER), ScriptedUser(patience=3)
    turns = await talk(task, *["I will do it now."] * 9, user=user)
    assert [turn.ending for turn in turns] == [None] * 4 + ["stop"]
    turns = await talk(task, *["What is the loyalty tier?"] * 9, user=user)
    assert [turn.ending for turn in turns] == [None] * 7 + ["stop"]


async def test_a_value_that_is_new_is_progress() -> None:
    task, user = task_of(REGISTER), ScriptedUser(patience=1)
    turns = await talk(task, "Your email?", "Your country?", "Your first name?", "Your last name?", user=user)
    assert turns[-1].ending is None


async def test_the_user_speaks_german() -> None:
    task = task_of(PAY, **GERMAN)
    turns = await talk(
        task,
        "Wie lautet der Nachname?",
        "Wie lautet die Telefonnummer?",
        "Soll ich Jana Roth, E-Mail: jana@example.com, registrieren?",
        "Ich werde das jetzt erledigen.",
        "Die Person wurde registriert.",
        "Die Nummer ist gst_1009. Kann ich sonst noch etwas tun?",
    )
    said = [turn.text for turn in turns]
    assert said[0] == wishes(task.instruction)[0]
    assert "Roth" in said[1]
    assert "weiß ich nicht" in said[2]
    assert said[3].startswith("Nein") and "jana@example.org" in said[3]
    assert "wenn es erledigt ist" in said[4]
    assert wishes(task.instruction)[1] in said[5]
    assert turns[6].ending == "stop"


async def test_the_same_seed_gives_the_same_words_and_another_may_not() -> None:
    said = ["Shall I proceed?", "What is the tier?", "Done.", "I will do it.", "Done.", "Done."]
    task = task_of(REGISTER)
    first = await talk(task, *said, seed=3)
    assert first == await talk(task, *said, seed=3)
    assert first not in [await talk(task, *said, seed=seed) for seed in range(4, 8)]


class Torn:
    """A speaker whose first turn fails or waits for ever, and what it was asked."""

    def __init__(self, *, fails: bool) -> None:
        self.fails = fails
        self.heard: list[str | None] = []

    async def speak(self, heard: str | None) -> UserTurn:
        self.heard.append(heard)
        if self.fails:
            raise EpisodeFailure("infrastructure", "user", "no answer")
        await anyio.sleep_forever()
        raise AssertionError


@pytest.mark.parametrize("fails", [True, False])
async def test_a_turn_that_was_not_taken_to_its_end_is_not_taken_again(fails: bool) -> None:
    speaker = Torn(fails=fails)
    numbered = Numbered(speaker, deadline=0.01)
    with pytest.raises(EpisodeFailure):
        await numbered.turn(0, None)
    with pytest.raises(ValueError, match="was begun before and has no end"):
        await numbered.turn(0, None)
    assert speaker.heard == [None]


async def test_one_number_has_one_turn() -> None:
    numbered = Numbered(ScriptedUser().begin(UserBriefing(task_of(REGISTER))), deadline=5)
    turns = []

    async def ask() -> None:
        turns.append(await numbered.turn(1, "Done."))

    first = await numbered.turn(0, None)
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(ask)
    assert turns == [turns[0]] * 3
    assert await numbered.turn(0, None) == first
    assert (await numbered.turn(2, "Done.")).text != turns[0].text
