"""Wishes and details that the user never tells, and values that it does not give when it is asked.

Invariant: what was never told is not done by the agent either. Not covered: a last wish that is missing, which is a
stop that came too early (`wrong_ends`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pydantic import JsonValue

from autoforge.gym.judge.corruption import Corrupted, Operator, Setting, at, given_once, numbered, whole_word
from autoforge.gym.judge.dialogues import Dialogue, Said
from autoforge.gym.judge.spoken import base_name, in_words, is_bound, spots, without_spot
from autoforge.mcp_envs.task import GoldCall, Task

__all__ = ["OPERATORS"]


def _without_wish(dialogue: Dialogue, wish: int) -> list[Said]:
    return [said for said in dialogue.said if said.wish != wish]


def _middle_dropped(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    wishes = sorted({said.wish for said in dialogue.said if said.wish is not None})
    if len(wishes) < 3 or dialogue.end != "stop":
        return None
    wish = setting.chance.choice(wishes[1:-1])
    cut = dialogue.but(_without_wish(dialogue, wish))
    later = [n for n, said in enumerate(cut.said) if said.role == "user" and (said.wish or -1) > wish]
    return at(cut, "altered", later[0])


def _constraint_dropped(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """A detail of a wish is never told, and nobody asks."""
    found = []
    for number in numbered(dialogue, "wish"):
        said = dialogue.said[number]
        for spot in spots(said.text, dialogue.task.known):
            shorter = without_spot(said.text, spot)
            again = [
                s for n, s in enumerate(dialogue.said) if n != number and s.role == "user" and spot.name in s.values
            ]
            twins = [
                n for n, v in dialogue.task.known.items() if n != spot.name and v == dialogue.task.known[spot.name]
            ]
            if shorter is not None and not again and not twins and _needed(dialogue.task, spot.name):
                found.append((number, spot.name, shorter))
    if not found or dialogue.end != "stop":
        return None
    number, name, shorter = setting.chance.choice(found)
    known = dialogue.task.known[name]
    said_again = [
        replace(s, text=_without_echo(s.text, s.role, in_words(known)), calls=_less(s.calls, known))
        for s in dialogue.said
    ]
    said_again[number] = replace(said_again[number], text=shorter)
    return at(dialogue.but(said_again), "altered", number)


def _without_echo(text: str, role: str, value: str) -> str:
    return text if role == "user" else whole_word(value).sub("…", text)


def _less(calls: Sequence[GoldCall], value: JsonValue) -> tuple[GoldCall, ...]:
    return tuple(
        call.model_copy(update={"arguments": {k: v for k, v in call.arguments.items() if v != value}}) for call in calls
    )


def _needed(task: Task, name: str) -> bool:
    """Whether a gold call has the value."""
    return any(value == task.known[name] for call in task.gold.calls for value in call.arguments.values())


def _withheld(purpose: str) -> Callable[[Dialogue, Setting], Corrupted | None]:
    """Asked for by name and not given; the agent goes on without it."""

    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        found = given_once(dialogue, setting)
        if not found:
            return None
        number, name = setting.chance.choice(found)
        said = list(dialogue.said)
        text = setting.book.say(purpose, setting.chance, name=base_name(name))
        said[number] = Said("user", purpose, text, said[number].wish)
        known = dialogue.task.known[name]
        for later in range(number + 1, len(said)):
            text = _without_echo(said[later].text, said[later].role, dialogue.said[number].values[name])
            said[later] = replace(said[later], calls=_less(said[later].calls, known), text=text)
        return at(dialogue.but(said), "withheld", number)

    return apply


def _half_given(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """Two are asked for, one is given."""
    found = given_once(dialogue, setting)
    others = [n for n in dialogue.task.known if in_words(dialogue.task.known[n]) and not is_bound(n)]
    if not found:
        return None
    number, name = setting.chance.choice(found)
    told = {n: v for said in dialogue.said[:number] for n, v in said.values.items() if said.role == "user"}
    others = [n for n in others if n in told and base_name(n) != base_name(name)]
    if not others:
        return None
    other = setting.chance.choice(others)
    said = list(dialogue.said)
    names = {"name": base_name(other), "other": base_name(name)}
    said[number - 1] = replace(said[number - 1], text=setting.book.say("ask two", setting.chance, **names))
    text = setting.book.say("give", setting.chance, name=names["name"], value=told[other])
    said[number] = Said("user", "give", text, said[number].wish, values={other: told[other]})
    cut = [replace(s, calls=_less(s.calls, dialogue.task.known[name])) if n > number else s for n, s in enumerate(said)]
    return at(dialogue.but(cut), "withheld", number)


OPERATORS: tuple[Operator, ...] = (
    Operator("a wish dropped", "altered", "steps", _middle_dropped),
    Operator("a detail dropped", "altered", None, _constraint_dropped),
    Operator("said not to know", "withheld", None, _withheld("unknown")),
    Operator("evaded", "withheld", None, _withheld("evade")),
    Operator("half given", "withheld", None, _half_given),
)
