"""Whether the agent told the user an answer: typed values, never parts of other words.

**Where.** The last message that mentions a candidate (the value, or one of `others`) decides, so an agent may list
options earlier. It must hold the value, and none of `others`. A denied other ("10, not 11") is no mention; a denied
value ("not 10") is one that does not tell. The first place of the answer's name only names it ("the price of room 11
is 10"). A message over `LONGEST_MESSAGE` characters holds everything, so it fails.

**Numbers** are read as people write them (`numbers`) and compared exactly, by twelve significant digits where they are
not whole; one written with two decimals or more may be the value rounded. `10 %` is 10 or 0.1 only where the answer's
name speaks of a rate, a share, a discount or the like. "no open orders" tells 0 where the name has these words.
**Dates** (`dates`) tell by year, month and day; without the year where no other candidate shares the day; a value
with a time of day needs the time. **Texts** are whole words in NFKC without case; `_`, `-` and space are alike.
**Booleans** are told by yes, no, true or false only, and only where the sentence begins with it or holds it after the
answer's name (and only after the name where a task has several). **Lists**: every item in that one message; the empty
list by "none", "nothing" or "empty".

**Not told**: what is denied or hedged directly before ("not 10", "rather than 10", "maybe 10", "more than 10"), and a
number or date that the message takes back (`contradiction`): joined to another as an alternative ("10 or 11", "10/11",
"10 - no, 11", "between 10 and 11"), in a bare listing of three or more, another one directly after the answer's name
("the total price is 11"), or another one in the same words ("It is 10. It is 11.").

A task's other answers may be told in the same message: their values are nobody's `others`.

Invariant: `told(answer, [telling(answer)])`; telling another value instead is not told. Not covered: paraphrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.gym.reward.boolean import polarity
from autoforge.gym.reward.contradiction import contradiction
from autoforge.gym.reward.reading import LONGEST_MESSAGE, Mention, Message, mentions
from autoforge.gym.reward.text import find_phrases, plain, words
from autoforge.gym.reward.wanted import Wanted, wanted, written
from autoforge.mcp_envs.task import Answer

__all__ = ["AnswerVerdict", "judge", "telling", "told"]

_NONE = re.compile(r"\b(?:none|nothing|empty)\b")
_NO_SUCH = re.compile(r"\b(?:no|zero) ((?:\w+ ){0,2}\w+)")
_EXCERPT = 160


class AnswerVerdict(NamedTuple):
    """What became of one answer."""

    name: str
    told: bool
    reason: str
    """Why not, in a sentence; empty when told."""
    message: str = ""
    """An excerpt of the message that decided; empty where none did."""


class _Finding(NamedTuple):
    """What one message says of an answer; None in place of it: nothing."""

    fault: str
    """Why it does not tell the answer; empty when it does."""
    place: int


def told(answer: Answer, messages: Sequence[str]) -> bool:
    """Whether the messages to the user tell the answer. Raises BadInput for an answer that nobody could tell."""
    return judge(answer, [Message(text) for text in messages]).told


def judge(answer: Answer, messages: Sequence[Message], beside: Sequence[Answer] = ()) -> AnswerVerdict:
    """The verdict, with the message that decided. `beside` are the task's other answers, whose values may be told,
    too. Raises BadInput.
    """
    sought = wanted(answer, beside)
    for message in reversed(messages):
        finding = _finding(message, answer, sought, beside)
        if finding is not None:
            return AnswerVerdict(answer.name, not finding.fault, finding.fault, _excerpt(message, finding.place))
    return AnswerVerdict(answer.name, False, f"no message tells the {answer.name}, {_quoted(answer.value)}")


def telling(answer: Answer) -> str:
    """A plain sentence that tells it. Raises BadInput for an answer that nobody could tell."""
    sought = wanted(answer)
    tries = list(_sentences(answer))
    fitting = (text for text in tries if (found := _finding(Message(text), answer, sought)) and not found.fault)
    return next(fitting, tries[0])


def _sentences(answer: Answer) -> Iterator[str]:
    name = answer.name.replace("_", " ").strip()
    if answer.type == "boolean":
        yes = written(str(answer.value).strip().casefold() in ("true", "yes", "1"))
        yield from (f"{name[:1].upper()}{name[1:]}: {yes}.", f"{yes.capitalize()}.")
    elif isinstance(answer.value, list):
        items = [written(item) for item in answer.value]
        if not items:
            yield "There are none."
        yield f"{name[:1].upper()}{name[1:]}: {'; '.join(items)}."
        yield from (separator.join(items) + "." for separator in ("; ", ".\n", ", and then ", " - as well as - "))
    else:
        yield from (f"The {name} is {written(answer.value)}.", f"{written(answer.value)}.", written(answer.value))


def _finding(message: Message, answer: Answer, sought: Wanted, beside: Sequence[Answer] = ()) -> _Finding | None:
    if message.too_long:
        return _Finding(f"the message is longer than {LONGEST_MESSAGE} characters and so no answer", 0)
    if answer.type == "boolean":
        return _of_boolean(message, answer, sought, beside)
    found = _beyond_name(mentions(message, sought), message, answer, sought)
    wrong = [m for m in found if m.values & sought.others and not m.denied]
    right = [m for m in found if m.values & sought.values]
    if not sought.values or sought.values == {Decimal(0)}:
        right += _none(message, answer, sought)
    if not wrong and not right:
        return None
    if wrong:
        stated = message.text[wrong[0].start : wrong[0].end]
        return _Finding(f"the message also holds {stated!r}, which is not the {answer.name}", wrong[0].start)
    return _of_values(message, answer, sought, right, beside)


def _beyond_name(found: Sequence[Mention], message: Message, answer: Answer, sought: Wanted) -> list[Mention]:
    """The mentions but those that only name the answer: in the first place of its name, where the message says more.
    Another value that is the whole name counts as told, for nothing shows that it is only the name.
    """
    name = words(plain(answer.name))
    named = find_phrases(message.words, [name])[:1] if len(message.words) > len(name) else []

    def names_only(m: Mention) -> bool:
        within = any(p.start <= m.start and m.end <= p.end for p in named)
        whole = any((p.start, p.end) == (m.start, m.end) for p in named)
        return within and not (whole and m.values & sought.others)

    return [m for m in found if not names_only(m)]


def _of_values(
    message: Message, answer: Answer, sought: Wanted, right: Sequence[Mention], beside: Sequence[Answer]
) -> _Finding:
    clean = [m for m in right if not m.denied and not m.hedged]
    place = right[0].start
    missing = sought.values - {value for mention in clean for value in mention.values}
    if missing:
        part = f"{len(missing)} of {len(sought.values)} values of the" if sought.several else "the"
        given = any(m.denied or m.hedged for m in right)
        words = "denied or left open" if given else "not told"
        return _Finding(f"{part} {answer.name} {'are' if len(missing) > 1 else 'is'} {words}", place)
    taken_back = contradiction(message, clean, sought, _names(answer, beside))
    if taken_back is not None:
        return _Finding(f"the message contradicts itself on the {answer.name}: {taken_back!r}", place)
    return _Finding("", place)


def _none(message: Message, answer: Answer, sought: Wanted) -> list[Mention]:
    """Where the message says that there are none."""
    name = {word.text for word in words(plain(answer.name)) if len(word.text) > 3} - {"number", "total", "count"}
    places = [] if sought.values else [m.span() for m in _NONE.finditer(message.text)]
    places += [m.span() for m in _NO_SUCH.finditer(message.text) if name & set(m[1].split())]
    return [Mention(start, end, sought.values, False, False) for start, end in places]


def _names(answer: Answer, beside: Sequence[Answer]) -> list[str]:
    return [plain(one.name) for one in (answer, *beside)]


def _of_boolean(message: Message, answer: Answer, sought: Wanted, beside: Sequence[Answer]) -> _Finding | None:
    alone = all(one.type != "boolean" for one in beside)
    said = [p for p in polarity(message, _names(answer, beside)) if alone or p.named]
    (value,) = sought.values
    heard = {p.value for p in said if p.explicit or sought.others}
    if not heard:
        return None
    if heard == {value} and any(p.explicit for p in said):
        return _Finding("", said[0].place)
    place = next((p.place for p in said if p.value is not value), said[0].place)
    words = (
        "says both yes and no" if len(heard) > 1 else "says the opposite" if value not in heard else "says no yes or no"
    )
    return _Finding(f"the message {words} to {answer.name}", place)


def _excerpt(message: Message, place: int) -> str:
    start = max(0, place - _EXCERPT // 2)
    return ("…" if start else "") + message.said[start : start + _EXCERPT].strip()


def _quoted(value: JsonValue) -> str:
    return repr(value if len(str(value)) < _EXCERPT else str(value)[:_EXCERPT] + "…")
