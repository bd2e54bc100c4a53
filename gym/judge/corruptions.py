"""Known ways to make a user err: each takes a clean dialogue and gives one with a single error, and what it is.

Where the error changes what the agent is told, the agent does as told: later words and calls hold the altered value,
and a wish that was never told is not done. Invariant: nothing of the label is in the trajectory; an operator that
cannot be applied gives None. Not covered: finding errors.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.gym.judge.dialogues import Dialogue, Said, spelled
from autoforge.gym.judge.phrasebook import Phrasebook, lowered
from autoforge.gym.judge.spoken import base_name, in_words, is_bound, spots, wishes_of, without_spot
from autoforge.mcp_envs.task import GoldCall, Task

__all__ = ["OPERATORS", "Corrupted", "Operator", "Setting"]


class Setting(NamedTuple):
    """What an operator may use."""

    book: Phrasebook
    chance: random.Random
    others: Sequence[Task]
    """Other tasks of the environment."""


class Corrupted(NamedTuple):
    """A dialogue with one error."""

    dialogue: Dialogue
    kind: str
    turns: frozenset[int]
    """The places at which it may be found."""


class Operator(NamedTuple):
    name: str
    kind: str
    style: str | None
    """How much is told at once, where it matters."""
    apply: Callable[[Dialogue, Setting], Corrupted | None]


def _at(dialogue: Dialogue, kind: str, *numbers: int) -> Corrupted:
    places = dialogue.places()
    last = len(dialogue.trajectory().turns) - 1
    return Corrupted(dialogue, kind, frozenset(min(places[n], last) for n in numbers))


def _numbered(dialogue: Dialogue, *purposes: str) -> list[int]:
    return [n for n, said in enumerate(dialogue.said) if said.purpose in purposes]


def _any(found: Sequence[Any], setting: Setting) -> Any:
    return setting.chance.choice(found) if found else None


# What is said otherwise.


def _replaced(dialogue: Dialogue, number: int, name: str, new: JsonValue, text: str) -> Dialogue:
    """The value is `new` from a message on, for both sides."""
    old = dialogue.said[number].values[name]
    known = dialogue.task.known[name]

    def made(call: GoldCall) -> GoldCall:
        given = {key: new if value == known else value for key, value in call.arguments.items()}
        return call.model_copy(update={"arguments": given})

    said = list(dialogue.said)
    for place in range(number, len(said)):
        one = said[place]
        changed = _word(old).sub(lambda _: text, one.text) if place == number or _repeats(one, name) else one.text
        values = {**one.values, name: text} if name in one.values else one.values
        said[place] = replace(one, text=changed, values=values, calls=tuple(map(made, one.calls)))
    return dialogue.but(said)


def _repeats(said: Said, name: str) -> bool:
    return said.role == "assistant" or (said.purpose in ("give", "retry") and name in said.values)


def _word(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w@]){re.escape(text)}(?![\w@])")


def _altered(
    change: Callable[[JsonValue, Setting], JsonValue | None],
) -> Callable[[Dialogue, Setting], Corrupted | None]:
    """One known value is another one where it is first told."""

    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        found, seen = [], set[str]()
        for number in _numbered(dialogue, "wish", "give"):
            for name, said in dialogue.said[number].values.items():
                known = dialogue.task.known[name]
                new = change(known, setting) if name not in seen and _unique(said, dialogue, number) else None
                seen.add(name)
                if new is not None and new not in dialogue.task.known.values():
                    found.append((number, name, new))
        if not found:
            return None
        number, name, new = setting.chance.choice(found)
        said = dialogue.said[number].values[name]
        text = (
            in_words(new) if said == in_words(dialogue.task.known[name]) else spelled(new, setting.book, setting.chance)
        )
        return _at(_replaced(dialogue, number, name, new, text), "altered", number)

    return apply


def _unique(said: str, dialogue: Dialogue, number: int) -> bool:
    return len(_word(said).findall(dialogue.said[number].text)) == 1


def _swapped_digits(value: JsonValue, setting: Setting) -> JsonValue | None:
    """Two digits in the other order, of a number, a code or a telephone number."""
    text = in_words(value)
    if _is_date(text) or "@" in text or (" " in text and not text.startswith("+")):
        return None
    pairs = [n for n in range(1, len(text)) if text[n - 1 : n + 1].isdigit() and text[n - 1] != text[n] != "0"]
    if not pairs:
        return None
    n = setting.chance.choice(pairs)
    return _typed(text[: n - 1] + text[n] + text[n - 1] + text[n + 1 :], value)


def _other_amount(value: JsonValue, setting: Setting) -> JsonValue | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 2:
        return None
    by = setting.chance.choice((1, -1, 10, 100)) if value > 20 else setting.chance.choice((1, 2))
    return _typed(in_words(value + by if isinstance(value, int) else round(value + by, 2)), value)


def _typed(text: str, like: JsonValue) -> JsonValue:
    if isinstance(like, str):
        return text
    return float(text) if isinstance(like, float) else int(text)


def _is_date(text: str) -> bool:
    return re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) is not None


def _other_month(value: JsonValue, setting: Setting) -> JsonValue | None:
    if not isinstance(value, str) or not _is_date(value):
        return None
    day = date.fromisoformat(value)
    return (day.replace(day=min(day.day, 28), month=day.month % 12 + 1)).isoformat()


def _other_day(value: JsonValue, setting: Setting) -> JsonValue | None:
    if not isinstance(value, str) or not _is_date(value):
        return None
    return (date.fromisoformat(value) + timedelta(days=setting.chance.choice((1, 7, -1)))).isoformat()


def _similar_name(value: JsonValue, setting: Setting) -> JsonValue | None:
    """One letter of a name or an address is another."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+)+|[\w.+-]+@[\w.-]+", value):
        return None
    letters = [n for n, c in enumerate(value.split("@")[0]) if c.islower()]
    n = setting.chance.choice(letters)
    other = {"a": "e", "e": "a", "i": "y", "o": "u", "n": "m", "s": "z", "t": "d", "r": "l", "l": "r"}.get(
        value[n], "x"
    )
    return value[:n] + other + value[n + 1 :]


_PEOPLE = ("Marta Lindqvist", "Oliver Brandt", "Noor Haddad", "Pavel Novotny", "Ximena Duarte", "Keith Osborne")


def _other_name(value: JsonValue, setting: Setting) -> JsonValue | None:
    if not isinstance(value, str) or not re.fullmatch(r"[A-ZÀ-Þ][\w'-]+ [A-ZÀ-Þ][\w'-]+", value):
        return None
    return setting.chance.choice(_PEOPLE)


def _other_enum(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """An enumerated value is another one of the same enumeration."""

    def change(value: JsonValue, setting: Setting) -> JsonValue | None:
        for tool in dialogue.tools:
            for schema in (tool.get("inputSchema") or {}).get("properties", {}).values():
                others = [v for v in schema.get("enum", ()) if isinstance(v, str) and v != value]
                if value in schema.get("enum", ()) and others:
                    return str(setting.chance.choice(others))
        return None

    return _altered(change)(dialogue, setting)


_RANKS = re.compile(r"est\b|sten\b|^más |most expensive|second|third|segund|breakfast|roaming|without")
_VALUE = re.compile(r"[^.,\d]{0,8}\d")


def _opposite(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """A comparison or a rank the other way round."""
    found = []
    for number in _numbered(dialogue, "wish"):
        text = dialogue.said[number].text
        quotes = [m.span() for m in re.finditer(r'"[^"]*"', text)]
        for old, new in setting.book.opposites:
            for match in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", text):
                rest = text[match.end() :]
                if not any(a <= match.start() < b for a, b in quotes) and (_RANKS.search(old) or _VALUE.match(rest)):
                    found.append((number, match.span(), new))
    if not found:
        return None
    number, (start, end), new = setting.chance.choice(found)
    said = list(dialogue.said)
    said[number] = replace(said[number], text=said[number].text[:start] + new + said[number].text[end:])
    return _at(dialogue.but(said), "altered", number)


# What is not said.


def _without_wish(dialogue: Dialogue, wish: int) -> list[Said]:
    return [said for said in dialogue.said if said.wish != wish]


def _middle_dropped(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    wishes = sorted({said.wish for said in dialogue.said if said.wish is not None})
    if len(wishes) < 3 or dialogue.end != "stop":
        return None
    wish = setting.chance.choice(wishes[1:-1])
    cut = dialogue.but(_without_wish(dialogue, wish))
    later = [n for n, said in enumerate(cut.said) if said.role == "user" and (said.wish or -1) > wish]
    return _at(cut, "altered", later[0])


def _constraint_dropped(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """A detail of a wish is never told, and nobody asks."""
    found = []
    for number in _numbered(dialogue, "wish"):
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
    return _at(dialogue.but(said_again), "altered", number)


def _without_echo(text: str, role: str, value: str) -> str:
    return text if role == "user" else _word(value).sub("…", text)


def _less(calls: Sequence[GoldCall], value: JsonValue) -> tuple[GoldCall, ...]:
    return tuple(
        call.model_copy(update={"arguments": {k: v for k, v in call.arguments.items() if v != value}}) for call in calls
    )


def _needed(task: Task, name: str) -> bool:
    """Whether a gold call has the value."""
    return any(value == task.known[name] for call in task.gold.calls for value in call.arguments.values())


def _asked(dialogue: Dialogue, setting: Setting) -> list[tuple[int, str]]:
    """The places at which a value is given that is told nowhere else."""
    found = []
    for number in _numbered(dialogue, "give"):
        others = dialogue.said[:number] + dialogue.said[number + 1 :]
        before = {name for said in others if said.role == "user" for name in said.values}
        told = {str(dialogue.task.known[name]) for name in before}
        found += [
            (number, name) for name in dialogue.said[number].values
            if name not in before and str(dialogue.task.known[name]) not in told
        ]  # fmt: skip
    return found


def _withheld(purpose: str) -> Callable[[Dialogue, Setting], Corrupted | None]:
    """Asked for by name and not given; the agent goes on without it."""

    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        found = _asked(dialogue, setting)
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
        return _at(dialogue.but(said), "withheld", number)

    return apply


def _half_given(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """Two are asked for, one is given."""
    found = _asked(dialogue, setting)
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
    return _at(dialogue.but(cut), "withheld", number)


# What is made up.


def _unknown_given(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """A value is given that the user has not."""
    found = _numbered(dialogue, "unknown")
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
    return _at(dialogue.but(said), "invented", number)


def _extra(purpose: str) -> Callable[[Dialogue, Setting], Corrupted | None]:
    """A wish gets a detail that it has not."""

    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        number = _any([n for n in _numbered(dialogue, "wish") if _ends_with_wish(dialogue, n)], setting)
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
        return _at(dialogue.but(said), "invented", number)

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
    number = _any(_numbered(dialogue, "wish"), setting)
    if not found or number is None:
        return None
    said = list(dialogue.said)
    more = setting.book.say("leak", setting.chance, value=setting.chance.choice(found))
    said[number] = replace(said[number], text=f"{said[number].text} {more}")
    return _at(dialogue.but(said), "invented", number)


def _is_identifier(value: JsonValue) -> bool:
    return isinstance(value, str) and re.fullmatch(r"(?=.*\d)(?=.*[A-Za-z])[\w-]{3,}", value) is not None


def _answer_leaked(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """An answer that the agent has to tell."""
    answers = [a for a in dialogue.task.gold.answers if a.type in ("number", "date") and abs(_size(a.value)) > 3]
    number = _any(_numbered(dialogue, "wish"), setting)
    if not answers or number is None or dialogue.end != "stop":
        return None
    answer = setting.chance.choice(answers)
    said = list(dialogue.said)
    value = spelled(answer.value, setting.book, setting.chance)
    more = setting.book.say("leak answer", setting.chance, name=answer.name.replace("_", " "), value=value)
    said[number] = replace(said[number], text=f"{said[number].text} {more}")
    return _at(dialogue.but(said), "invented", number)


def _size(value: JsonValue) -> float:
    return float(value) if isinstance(value, int | float) else 1_000.0


def _beside(purpose: str) -> Callable[[Dialogue, Setting], Corrupted | None]:
    """Something is asked for that is no part of the task."""

    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        text = {"general": _general, "tool": _of_tool, "task": _of_task}[purpose](dialogue, setting)
        numbers = _numbered(dialogue, "wish", "close", "yes")
        number = _any(numbers, setting)
        if text is None or number is None:
            return None
        said = list(dialogue.said)
        one = said[number]
        if one.purpose == "close":
            said[number] = Said("user", "beside", text)
            said += [Said("assistant", "report", setting.book.say("report", setting.chance)), one]
        else:
            said[number] = replace(one, text=f"{one.text} {text}")
        return _at(dialogue.but(said), "out_of_scope", number)

    return apply


def _general(dialogue: Dialogue, setting: Setting) -> str | None:
    return setting.book.say("out of scope", setting.chance)


def _of_tool(dialogue: Dialogue, setting: Setting) -> str | None:
    """A tool of the environment with another verb than any of the task's."""
    used = {call.tool for call in dialogue.task.gold.calls}
    verbs = {_first_word(name) for name in used}
    found = [t for t in dialogue.tools if t["name"] not in used and _first_word(t["name"]) not in verbs]
    plain = [t for t in found if not _looks(t)]
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
    text = _any(found, setting)
    return setting.book.say("repeat", setting.chance, wish=lowered(text)) if text else None


# When it ends.


def _cut(dialogue: Dialogue, number: int, setting: Setting) -> Corrupted:
    """The user stops after the message of the agent at `number`."""
    said = [*dialogue.said[: number + 1]]
    if setting.chance.random() < 0.5:
        purpose = setting.chance.choice(("close", "bye", "thanks"))
        said.append(Said("user", "close", setting.book.say(purpose, setting.chance)))
    cut = dialogue.but(said, end="stop")
    return Corrupted(cut, "early_stop", frozenset({len(cut.trajectory().turns) - 1}))


def _writes_after(dialogue: Dialogue, number: int) -> bool:
    """Whether the agent has yet to do something."""
    return any(said.calls for said in dialogue.said[number + 1 :])


def _stopped_on(purpose: str) -> Callable[[Dialogue, Setting], Corrupted | None]:
    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        last = max((said.wish for said in dialogue.said if said.wish is not None), default=None)
        numbers = [
            n for n in _numbered(dialogue, purpose) if _writes_after(dialogue, n) and dialogue.said[n].wish == last
        ]
        if purpose == "ask":
            fresh = {n - 1 for n, _ in _asked(dialogue, setting)}
            numbers = [n for n in numbers if n in fresh]
        number = _any(numbers, setting)
        return None if number is None else _cut(dialogue, number, setting)

    return apply


def _tail_dropped(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """The last wish is missing, or the last two."""
    wishes = sorted({said.wish for said in dialogue.said if said.wish is not None})
    count = setting.chance.choice((1, 1, 2))
    if len(wishes) <= count or dialogue.end != "stop":
        return None
    first = next(n for n, said in enumerate(dialogue.said) if said.wish == wishes[-count])
    return _cut(dialogue, first - 1, setting) if dialogue.said[first - 1].role == "assistant" else None


def _goes_on(purpose: str) -> Callable[[Dialogue, Setting], Corrupted | None]:
    """After the end the user says thank you, goodbye or its wishes again."""

    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        said = list(dialogue.said)
        if dialogue.end != "stop" or not _all_done(dialogue):
            return None
        if said[-1].role == "user":
            said.pop()
        if said[-1].role != "assistant":
            return None
        wishes = wishes_of(dialogue.task)
        first, numbers = len(said), []
        for _ in range(setting.chance.choice((3, 4))):
            wish = lowered(setting.chance.choice(wishes))
            text = setting.book.say(purpose, setting.chance, wish=wish)
            answer = "already" if purpose == "repeat" else "welcome"
            numbers.append(len(said))
            said += [Said("user", "late", text), Said("assistant", answer, setting.book.say(answer, setting.chance))]
        return _at(dialogue.but(said), "late_stop", *numbers) if first else None

    return apply


def _all_done(dialogue: Dialogue) -> bool:
    made = sum(len(said.calls) for said in dialogue.said)
    return made == len(dialogue.task.gold.calls)


# The user's own tools.


def _steps(dialogue: Dialogue) -> list[int]:
    return _numbered(dialogue, "step")


def _other_arguments(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    number = _any([n for n in _steps(dialogue) if any(c.arguments for c in dialogue.said[n].calls)], setting)
    if number is None:
        return None
    said = list(dialogue.said)
    [call] = said[number].calls
    name = setting.chance.choice(sorted(call.arguments))
    value = call.arguments[name]
    new: JsonValue = (
        (not value) if isinstance(value, bool) else value + 1 if isinstance(value, int | float) else f"{value}x"
    )
    said[number] = replace(said[number], calls=(call.model_copy(update={"arguments": {**call.arguments, name: new}}),))
    return _at(dialogue.but(said), "wrong_tool", number)


def _other_tool(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    number = _any(_steps(dialogue), setting)
    used = {call.tool for call in dialogue.task.gold.calls}
    others = [t["name"] for t in dialogue.tools if _user_tool(t) and t["name"] not in used and not _looks(t)]
    if number is None or not others:
        return None
    said = list(dialogue.said)
    [call] = said[number].calls
    said[number] = replace(
        said[number], calls=(call.model_copy(update={"tool": setting.chance.choice(others), "arguments": {}}),)
    )
    return _at(dialogue.but(said), "wrong_tool", number)


_LOOKS = re.compile(r"(?i)get|list|find|search|show|look|check|buscar|listar|consultar|.*_suchen$")


def _looks(tool: Mapping[str, Any]) -> bool:
    """Whether a tool only reads."""
    return bool((tool.get("annotations") or {}).get("readOnlyHint")) or _LOOKS.match(str(tool["name"])) is not None


def _user_tool(tool: Mapping[str, Any]) -> bool:
    return bool((tool.get("_meta") or {}).get("autoforge/side") == "user")


def _twice(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """A step is done again when nobody asked for it."""
    number = _any(_steps(dialogue), setting)
    later = [] if number is None else [n for n in _numbered(dialogue, "wish", "yes", "close", "thanks") if n > number]
    if number is None or not later:
        return None
    said = list(dialogue.said)
    place = setting.chance.choice(later)
    said[place] = replace(said[place], calls=said[number].calls)
    return _at(dialogue.but(said), "wrong_tool", place)


OPERATORS: tuple[Operator, ...] = (
    Operator("digits swapped", "altered", None, _altered(_swapped_digits)),
    Operator("another amount", "altered", None, _altered(_other_amount)),
    Operator("another month", "altered", None, _altered(_other_month)),
    Operator("another day", "altered", None, _altered(_other_day)),
    Operator("a similar name", "altered", None, _altered(_similar_name)),
    Operator("another name", "altered", None, _altered(_other_name)),
    Operator("another choice", "altered", None, _other_enum),
    Operator("the opposite", "altered", None, _opposite),
    Operator("a wish dropped", "altered", "steps", _middle_dropped),
    Operator("a detail dropped", "altered", None, _constraint_dropped),
    Operator("said not to know", "withheld", None, _withheld("unknown")),
    Operator("evaded", "withheld", None, _withheld("evade")),
    Operator("half given", "withheld", None, _half_given),
    Operator("a value made up", "invented", None, _unknown_given),
    Operator("a number added", "invented", None, _extra("extra number")),
    Operator("a date added", "invented", None, _extra("extra date")),
    Operator("an identifier told", "invented", None, _leaked),
    Operator("an answer told", "invented", None, _answer_leaked),
    Operator("something else", "out_of_scope", None, _beside("general")),
    Operator("another tool's work", "out_of_scope", None, _beside("tool")),
    Operator("another task's wish", "out_of_scope", None, _beside("task")),
    Operator("the last wish missing", "early_stop", "steps", _tail_dropped),
    Operator("stop on a confirmation", "early_stop", None, _stopped_on("confirm")),
    Operator("stop on an announcement", "early_stop", None, _stopped_on("announce")),
    Operator("stop on a question", "early_stop", None, _stopped_on("ask")),
    Operator("thanks again and again", "late_stop", None, _goes_on("thanks")),
    Operator("goodbyes again and again", "late_stop", None, _goes_on("bye")),
    Operator("wishes again", "late_stop", None, _goes_on("repeat")),
    Operator("other arguments", "wrong_tool", None, _other_arguments),
    Operator("another own tool", "wrong_tool", None, _other_tool),
    Operator("a step done twice", "wrong_tool", None, _twice),
)


def kinds() -> Iterator[str]:
    """The kinds in the order of the operators."""
    yield from dict.fromkeys(operator.kind for operator in OPERATORS)
