"""What holds for the scripted user whatever the agent says."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.gym.servers.server import ToolResult
from autoforge.gym.users.hearing import Heard
from autoforge.gym.users.known import Known
from autoforge.gym.users.phrases import PHRASES
from autoforge.gym.users.script import wishes
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.user import MARKERS, UserTurn
from autoforge.mcp_envs.task import Task
from tests.gym.users.conftest import Phone, all_tasks, documents, talk

TASKS = all_tasks()
RESULT = {"airplane_mode": False, "battery_percent": 50, "network_mode": "3g_only"}
MESSAGES = [
    "Done.", "The status is cancelled.", "I will do it now.", "Shall I proceed?", "Is there anything else?",
    "What is the {name}?", "Please provide the {name} and the ID.", "{name}: {value}. Is that correct?",
    "Shall I use {name} {value}?", "I set the {name} to {value}.", "Do you mean {value}?", "I cannot do that.",
    "Would you like {value} instead?", "I will transfer you to a human agent.", "Please confirm the {name}.",
    "The football team played wonderfully yesterday against very strong opponents.", "Please go ahead on your side.",
    "Please toggle the airplane mode.", "Please set the network mode to {value}.", "Check the signal of your phone.",
    "From 2031-01-02 to 2031-01-09, correct?", "###STOP###", "¿Cuál es el {name}?", "¿Es correcto?", "Hecho.",
]  # fmt: skip
VALUES = [
    "2031-05-06",
    "7 August 2032",
    "98765.43",
    "x@evil.example",
    '"quoted words"',
    "ZZ-4711",
    "nobody",
    "+1-999-555",
]
NAMES = [
    "check-in date",
    "e-mail",
    "guest count",
    "amount",
    "method",
    "first name",
    "phone",
    "reason",
    "correo",
    "estado",
]


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Task, list[str], int]:
    """A task, messages of an agent, dice."""
    task = draw(st.sampled_from(TASKS))
    names = st.sampled_from([*NAMES, *task.known])
    filled = st.builds(
        lambda text, name, value: text.format(name=name, value=value),
        st.sampled_from(MESSAGES), names, st.sampled_from(VALUES),
    )  # fmt: skip
    said = draw(st.lists(filled | st.text(min_size=1, max_size=40), max_size=12))
    return task, said, draw(st.integers(0, 3))


def held(task: Task, said: Sequence[str], seed: int, user: ScriptedUser) -> list[UserTurn]:
    phone = Phone(**{name: ToolResult(json.dumps(RESULT)) for name in ("toggle_airplane_mode", "check_signal")})
    tools = documents("telecom", "user") if task.environment == "telecom" else []
    return anyio.run(lambda: talk(task, *said, user=user, seed=seed, tools=tools, call=phone.call if tools else None))


def words(text: str) -> set[str]:
    return set(re.findall(r"[\w@.+-]*\w", text.lower()))


def vocabulary(task: Task) -> set[str]:
    """Everything that a user of a task may say."""
    known = Known(task)
    facts = " ".join(f"{fact.label} {fact.said}" for fact in known.facts)
    phrases = " ".join(text for texts in PHRASES[task.language].values() for text in texts)
    own = " ".join(tool["name"].replace("_", " ") for tool in documents("telecom", "user"))
    results = " ".join(f"{name} {value}" for name, value in RESULT.items()).replace("_", " ")
    return words(f"{task.instruction} {facts} {phrases} {own} {results} 3g_only yes no ok sí")


@given(conversations())
@settings(max_examples=120, deadline=None)
def test_no_word_comes_from_anywhere_but_the_task_and_the_phrases(drawn: tuple[Task, list[str], int]) -> None:
    task, said, seed = drawn
    allowed = vocabulary(task)
    for turn in held(task, said, seed, ScriptedUser()):
        assert words(turn.text) <= allowed, (words(turn.text) - allowed, turn.text)
        assert not any(marker in turn.text for marker in MARKERS)


@given(conversations())
@settings(max_examples=120, deadline=None)
def test_values_are_told_as_they_are_known_or_instructed(drawn: tuple[Task, list[str], int]) -> None:
    task, said, seed = drawn
    known = Known(task)
    sources = " ".join([task.instruction, *(fact.said for fact in known.facts), json.dumps(RESULT)])
    for turn in held(task, said, seed, ScriptedUser()):
        rest = turn.text
        for wish in wishes(task.instruction, task.known.values()):
            rest = rest.replace(wish, "")
        for value in re.findall(r"\"[^\"]*\"|[\w.+-]+@[\w.-]*\w|[+-]?\d[\d.:/-]*\d|\d+", rest):
            assert value in sources, (value, turn.text)


def without_later(task: Task, text: str) -> str:
    """Without wishes that are told since a value of theirs was asked for."""
    for phrase in PHRASES[task.language]["later"]:
        text = text.split(phrase.partition("{")[0])[0]
    return text


@given(conversations())
@settings(max_examples=120, deadline=None)
def test_the_end_comes_only_after_every_wish_and_never_on_a_question(drawn: tuple[Task, list[str], int]) -> None:
    task, said, seed = drawn
    turns = held(task, said, seed, ScriptedUser(patience=50))
    text = " ".join(without_later(task, turn.text) for turn in turns)
    places = [text.find(wish) for wish in wishes(task.instruction, task.known.values())]
    told = [place for place in places if place >= 0]
    assert told == sorted(told)
    if turns[-1].ending in ("stop", "transfer"):
        assert len(told) == len(places)
    if turns[-1].ending == "stop":
        last = Heard(said[len(turns) - 2], task.known.values())
        assert not last.asks and not last.announces


@given(conversations())
@settings(max_examples=60, deadline=None)
def test_the_same_conversation_is_the_same_again(drawn: tuple[Task, list[str], int]) -> None:
    task, said, seed = drawn
    random.seed(seed)
    assert held(task, said, seed, ScriptedUser()) == held(task, said, seed, ScriptedUser())


@given(conversations())
@settings(max_examples=60, deadline=None)
def test_the_answers_of_gold_change_nothing(drawn: tuple[Task, list[str], int]) -> None:
    """The user looks at gold for its own steps alone."""
    task, said, seed = drawn
    own = tuple(call for call in task.gold.calls if call.actor == "user")
    bare = task.gold.model_copy(update={"calls": own, "answers": (), "diff": (), "state": ""})
    blind = task.model_copy(update={"gold": bare})
    assert held(task, said, seed, ScriptedUser()) == held(blind, said, seed, ScriptedUser())


@pytest.mark.parametrize("reveal", ["gradual", "all"])
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_an_agent_that_always_says_the_same_comes_to_an_end(task: Task, reveal: str) -> None:
    user = ScriptedUser(reveal="all" if reveal == "all" else "gradual")
    for message in ("I will do it.", "Shall I?", "What is the ID?", "Done.", "I cannot do that."):
        assert held(task, [message] * 400, 0, user)[-1].ending is not None
