"""Values that the user makes up or cannot know, and requests that are no part of its task.

Invariant: what is made up stands in one turn of the user. Not covered: known values said otherwise
(`corrupted_values`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from pydantic import JsonValue

from autoforge.gym.judge.corruption import Corrupted, Operator, Setting, any_of, at, numbered, only_reads
from autoforge.gym.judge.dialogues import Dialogue, Said, spelled
from autoforge.gym.judge.phrasebook import lowered
from autoforge.gym.judge.spoken import base_name, spots, wishes_of

__all__ = ["OPERATORS"]


def _unknown_given(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """A value is given that the user has not."""
    found = numbered(dialogue, "unknown")
    number = found[0] if found else None
    if number is None:
        return None
    said = list(dialogue.said)
    chance = setting.chance
    options = (
        str(chance.randint(31, 9_999)),
        f"{chance.choice('BKQZ')}{chance.randint(100, 999)}",
        f"{chance.choice(('pat', 'kim', 'lou'))}{chance.randint(10, 99)}@mail.example",
    )
    value = chance.choice(options)
    said[number] = replace(
        said[number],
        text=setting.book.say("give", chance, name="…", value=value).replace("…", "value"),
        purpose="give",
    )
    return at(dialogue.but(said), "invented", number)


def _extra(purpose: str) -> Callable[[Dialogue, Setting], Corrupted | None]:
    """A wish gets a detail that it has not."""

    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        number = any_of([n for n in numbered(dialogue, "wish") if _ends_with_wish(dialogue, n)], setting)
        if number is None:
            return None
        day = date(2026, 1, 1) + timedelta(days=setting.chance.randint(200, 340))
        parts = {
            "number": setting.chance.randint(16, 400),
            "date": spelled(day.isoformat(), setting.book, setting.chance),
        }
        template = setting.chance.choice(setting.book.phrases[purpose])
        said = list(dialogue.said)
        said[number] = replace(said[number], text=said[number].text.rstrip(".") + template.format(**parts) + ".")
        return at(dialogue.but(said), "invented", number)

    return apply


def _ends_with_wish(dialogue: Dialogue, number: int) -> bool:
    """Whether nothing but the wish stands at the end of a message."""
    text = dialogue.said[number].text
    last = re.findall(r"\w+", re.split(r"[.!?] ", text)[-1].lower())
    known = set(re.findall(r"\w+", dialogue.task.instruction.lower()))
    return text.endswith(".") and len(last) > 3 and sum(w in known for w in last) > 0.6 * len(last)


def _leaked(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """An identifier that the agent has to find."""
    known = set(map(str, dialogue.task.known.values()))
    found = [
        v
        for call in dialogue.task.gold.calls
        for k, v in call.arguments.items()
        if _is_identifier(v) and str(v) not in known
    ]
    number = any_of(numbered(dialogue, "wish"), setting)
    if not found or number is None:
        return None
    said = list(dialogue.said)
    more = setting.book.say("leak", setting.chance, value=setting.chance.choice(found))
    said[number] = replace(said[number], text=f"{said[number].text} {more}")
    return at(dialogue.but(said), "invented", number)


def _is_identifier(value: JsonValue) -> bool:
    return isinstance(value, str) and re.fullmatch(r"(?=.*\d)(?=.*[A-Za-z])[\w-]{3,}", value) is not None


def _answer_leaked(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """An answer that the agent has to tell."""
    answers = [a for a in dialogue.task.gold.answers if a.type in ("number", "date") and abs(_size(a.value)) > 3]
    number = any_of(numbered(dialogue, "wish"), setting)
    if not answers or number is None or dialogue.end != "stop":
        return None
    answer = setting.chance.choice(answers)
    said = list(dialogue.said)
    value = spelled(answer.value, setting.book, setting.chance)
    more = setting.book.say("leak answer", setting.chance, name=answer.name.replace("_", " "), value=value)
    said[number] = replace(said[number], text=f"{said[number].text} {more}")
    return at(dialogue.but(said), "invented", number)


def _size(value: JsonValue) -> float:
    return float(value) if isinstance(value, int | float) else 1_000.0


def _beside(purpose: str) -> Callable[[Dialogue, Setting], Corrupted | None]:
    """Something is asked for that is no part of the task."""

    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        text = {"general": _general, "tool": _of_tool, "task": _of_task}[purpose](dialogue, setting)
        numbers = numbered(dialogue, "wish", "close", "yes")
        number = any_of(numbers, setting)
        if text is None or number is None:
            return None
        said = list(dialogue.said)
        one = said[number]
        if one.purpose == "close":
            said[number] = Said("user", "beside", text)
            said += [Said("assistant", "report", setting.book.say("report", setting.chance)), one]
        else:
            said[number] = replace(one, text=f"{one.text} {text}")
        return at(dialogue.but(said), "out_of_scope", number)

    return apply


def _general(dialogue: Dialogue, setting: Setting) -> str | None:
    return setting.book.say("out of scope", setting.chance)


def _of_tool(dialogue: Dialogue, setting: Setting) -> str | None:
    """A tool of the environment with another verb than any of the task's."""
    used = {call.tool for call in dialogue.task.gold.calls}
    verbs = {_first_word(name) for name in used}
    found = [t for t in dialogue.tools if t["name"] not in used and _first_word(t["name"]) not in verbs]
    plain = [t for t in found if not only_reads(t)]
    if not plain:
        return None
    words = base_name(str(setting.chance.choice(plain)["name"]))
    return setting.book.say("tool request", setting.chance, tool=words)


def _first_word(name: str) -> str:
    return re.split(r"[_\W]|(?<=[a-z])(?=[A-Z])", name)[0].lower()


def _of_task(dialogue: Dialogue, setting: Setting) -> str | None:
    """A wish of another task with values of its own."""
    own = {str(v) for v in dialogue.task.known.values()}
    found = []
    for other in setting.others:
        for wish in wishes_of(other):
            strange = [s for s in spots(wish, other.known) if str(other.known[s.name]) not in own]
            if len(strange) > 1 and len(wish) < 220:
                found.append(wish)
    text = any_of(found, setting)
    return setting.book.say("repeat", setting.chance, wish=lowered(text)) if text else None


OPERATORS: tuple[Operator, ...] = (
    Operator("a value made up", "invented", None, _unknown_given),
    Operator("a number added", "invented", None, _extra("extra number")),
    Operator("a date added", "invented", None, _extra("extra date")),
    Operator("an identifier told", "invented", None, _leaked),
    Operator("an answer told", "invented", None, _answer_leaked),
    Operator("something else", "out_of_scope", None, _beside("general")),
    Operator("another tool's work", "out_of_scope", None, _beside("tool")),
    Operator("another task's wish", "out_of_scope", None, _beside("task")),
)
