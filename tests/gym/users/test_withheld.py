"""Details that are kept back until they are asked for."""

from __future__ import annotations

import pytest

from autoforge.gym.users.script import wishes
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.withheld import withheld
from autoforge.mcp_envs.task import Task
from tests.gym.users.conftest import all_tasks, documents, talk, task_of

pytestmark = pytest.mark.anyio

RESERVED = {
    "en": "You are a patient engineer who gives details only when asked.",
    "es": "Eres una persona práctica, que da detalles solo si se los piden.",
    "de": "Du bist eine sachliche Person, die Einzelheiten nur auf Nachfrage nennt.",
}
TOOLS = tuple(documents("biblioteca"))


def reserved(task: Task) -> Task:
    return task.model_copy(update={"persona": RESERVED[task.language]})


def kept_back(task: Task) -> list[tuple[str, str, frozenset[str]]]:
    tools = documents(task.environment)
    told = wishes(task.instruction, task.known.values())
    pairs = [(wish, withheld(wish, reserved(task), tools)) for wish in told]
    return [(wish, said.text, said.kept_back) for wish, said in pairs if said.kept_back]


@pytest.mark.parametrize(
    ("task", "end", "names"),
    [
        ("hotel-0-00000", "Then cancel the second reservation you have created.", {"reason"}),
        ("hotel-0-00012", "Then register a guest.", {"first_name", "last_name", "email"}),
        ("hotel-0-00005", "Can you cancel that reservation?", {"reason"}),
        ("biblioteca-0-00005", "Por favor, registra un socio.", {"nombre", "correo"}),
    ],
)
def test_a_last_clause_of_required_values_is_kept_back(task: str, end: str, names: set[str]) -> None:
    assert any(said.endswith(end) and kept == names for _, said, kept in kept_back(task_of(task)))


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.id)
def test_what_is_left_out_is_one_clause_and_nothing_else_changes(task: Task) -> None:
    for wish, said, names in kept_back(task):
        start = said.rstrip(".?")
        assert wish.startswith(start)
        clause = wish[len(start) :]
        assert clause.lstrip(", ").startswith(("with ", "con "))
        assert all(name.split("_")[0] in clause for name in names)


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.id)
def test_others_keep_nothing_back(task: Task) -> None:
    for wish in wishes(task.instruction, task.known.values()):
        assert withheld(wish, reserved(task), ()).text == wish
        assert withheld(wish, task.model_copy(update={"persona": ""}), documents(task.environment)).text == wish


def test_a_value_that_is_no_required_argument_is_not_kept_back() -> None:
    """Nobody would ask for special requests, and a selection without its filter selects something else."""
    for wish, said, _ in kept_back(task_of("hotel-0-00000")):
        assert "special requests" not in wish[len(said) - 1 :]
    assert not kept_back(task_of("telecom-0-00015"))


async def test_what_was_kept_back_is_told_when_it_is_asked_for() -> None:
    task = reserved(task_of("biblioteca-0-00005"))
    turns = await talk(
        task, "¿Cuál es el correo?", "¿Y el nombre?", "Registrado.", user=ScriptedUser(agent_tools=TOOLS)
    )  # fmt: skip
    assert turns[0].text.endswith("Por favor, registra un socio.")
    assert "itziar.pizarro@example.net" in turns[1].text and "Itziar Pizarro" not in turns[1].text
    assert "Itziar Pizarro" in turns[2].text
    assert wishes(task.instruction)[1] in turns[3].text


@pytest.mark.parametrize("said", ["Shall I register the guest?", "I will register the guest now.", "Done."])
async def test_it_is_told_before_the_agent_acts_without_it(said: str) -> None:
    task = reserved(task_of("biblioteca-0-00005"))
    first, second = await talk(task, said, user=ScriptedUser(agent_tools=TOOLS))
    assert "Itziar Pizarro" not in first.text
    assert "Itziar Pizarro" in second.text and "itziar.pizarro@example.net" in second.text
    assert second.ending is None


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.id)
async def test_everything_is_told_before_the_end(task: Task) -> None:
    user = ScriptedUser(agent_tools=tuple(documents(task.environment)))
    turns = await talk(reserved(task), *["Done."] * 30, user=user)
    told = " ".join(turn.text for turn in turns)
    assert turns[-1].ending == "stop"
    for _, said, names in kept_back(task):
        assert said in told
        for name in names:
            assert str(task.known[name]) in told
