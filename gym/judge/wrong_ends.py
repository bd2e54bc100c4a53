"""Conversations that the user ends too early, or goes on with when all is done.

Invariant: nothing else of the dialogue changes. Not covered: wishes dropped in the middle (`omissions`).
"""

from __future__ import annotations

from collections.abc import Callable

from autoforge.gym.judge.corruption import Corrupted, Operator, Setting, any_of, at, given_once, numbered
from autoforge.gym.judge.dialogues import Dialogue, Said
from autoforge.gym.judge.phrasebook import lowered
from autoforge.gym.judge.spoken import wishes_of

__all__ = ["OPERATORS"]


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
            n for n in numbered(dialogue, purpose) if _writes_after(dialogue, n) and dialogue.said[n].wish == last
        ]
        if purpose == "ask":
            fresh = {n - 1 for n, _ in given_once(dialogue, setting)}
            numbers = [n for n in numbers if n in fresh]
        number = any_of(numbers, setting)
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
        return at(dialogue.but(said), "late_stop", *numbers) if first else None

    return apply


def _all_done(dialogue: Dialogue) -> bool:
    made = sum(len(said.calls) for said in dialogue.said)
    return made == len(dialogue.task.gold.calls)


OPERATORS: tuple[Operator, ...] = (
    Operator("the last wish missing", "early_stop", "steps", _tail_dropped),
    Operator("stop on a confirmation", "early_stop", None, _stopped_on("confirm")),
    Operator("stop on an announcement", "early_stop", None, _stopped_on("announce")),
    Operator("stop on a question", "early_stop", None, _stopped_on("ask")),
    Operator("thanks again and again", "late_stop", None, _goes_on("thanks")),
    Operator("goodbyes again and again", "late_stop", None, _goes_on("bye")),
    Operator("wishes again", "late_stop", None, _goes_on("repeat")),
)
