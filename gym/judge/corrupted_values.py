"""Values, choices and comparisons that the user says otherwise than its task.

Invariant: wherever the agent repeats the value or uses it, the new one stands, so that the dialogue goes on as with
such a user. Not covered: what is left out (`omissions`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from pydantic import JsonValue

from autoforge.gym.judge.corruption import Corrupted, Operator, Setting, at, numbered, whole_word
from autoforge.gym.judge.dialogues import Dialogue, Said, spelled
from autoforge.gym.judge.spoken import in_words
from autoforge.mcp_envs.task import GoldCall

__all__ = ["OPERATORS"]


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
        changed = whole_word(old).sub(lambda _: text, one.text) if place == number or _repeats(one, name) else one.text
        values = {**one.values, name: text} if name in one.values else one.values
        said[place] = replace(one, text=changed, values=values, calls=tuple(map(made, one.calls)))
    return dialogue.but(said)


def _repeats(said: Said, name: str) -> bool:
    return said.role == "assistant" or (said.purpose in ("give", "retry") and name in said.values)


def _altered(
    change: Callable[[JsonValue, Setting], JsonValue | None],
) -> Callable[[Dialogue, Setting], Corrupted | None]:
    """One known value is another one where it is first told."""

    def apply(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
        found, seen = [], set[str]()
        for number in numbered(dialogue, "wish", "give"):
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
        return at(_replaced(dialogue, number, name, new, text), "altered", number)

    return apply


def _unique(said: str, dialogue: Dialogue, number: int) -> bool:
    return len(whole_word(said).findall(dialogue.said[number].text)) == 1


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
    for number in numbered(dialogue, "wish"):
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
    return at(dialogue.but(said), "altered", number)


OPERATORS: tuple[Operator, ...] = (
    Operator("digits swapped", "altered", None, _altered(_swapped_digits)),
    Operator("another amount", "altered", None, _altered(_other_amount)),
    Operator("another month", "altered", None, _altered(_other_month)),
    Operator("another day", "altered", None, _altered(_other_day)),
    Operator("a similar name", "altered", None, _altered(_similar_name)),
    Operator("another name", "altered", None, _altered(_other_name)),
    Operator("another choice", "altered", None, _other_enum),
    Operator("the opposite", "altered", None, _opposite),
)
