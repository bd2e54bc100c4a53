"""Verbs that turn out to be changes of state: paying a bill without an amount, `retirar` where rows can be `retirado`.

Invariant: English `delete` and `remove` delete. Not covered: which states there are (`statuses`).
"""

from __future__ import annotations

from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.prose import Clue
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.transfers import (
    AMOUNTS,
)
from autoforge.generator.rules.verbs import STATES, Verb, VerbClass
from autoforge.generator.rules.words import snake

__all__ = ["as_states"]


def as_states(cast: Cast, readings: list[Reading], roles: dict[str, list[Role]], clues: dict[str, list[Clue]]) -> None:
    """Paying a bill is a change of its state where no amount moves; removing is one where the rows have such a
    state.
    """
    for reading in readings:
        draft = cast.entities.get(cast.of_tool[reading.tool.name] or "")
        mine = roles[reading.tool.name]
        if draft is None or not any(r.role == "key" and not r.many for r in mine):
            continue
        said = _said_state(cast, reading, clues[reading.tool.name])
        if reading.verb.kind is VerbClass.STATE and said is not None:
            reading.verb = Verb(reading.verb.word, VerbClass.STATE, said)
        if (
            reading.verb.kind is VerbClass.TRANSFER
            and reading.verb.word in STATES
            and not any(snake(r.name) in AMOUNTS for r in mine)
        ):
            reading.verb = Verb(reading.verb.word, VerbClass.STATE, STATES[reading.verb.word])
        elif reading.verb.kind in (VerbClass.DELETE, VerbClass.REMOVE):
            state = _removed_state(draft, reading.verb.word)
            if state is not None:
                reading.verb = Verb(reading.verb.word, VerbClass.STATE, state)


def _said_state(cast: Cast, reading: Reading, clues: list[Clue]) -> str | None:
    """“Sets the status of a task to done”: the prose knows the state better than the verb."""
    own = cast.of_tool[reading.tool.name]
    for clue in clues:
        subject = cast.find(tuple(snake(clue.subject).split("_"))) if clue.subject else own
        if (
            clue.kind == "side_effect"
            and snake(clue.field) == "status"
            and subject == own
            and isinstance(clue.values[0], str)
            and len(clue.values) == 1
        ):
            return snake(clue.values[0])
    return None


def _removed_state(draft: EntityDraft, word: str) -> str | None:
    """`retirar` where the state can be `retirado`; English `delete` and `remove` delete."""
    if word in ("delete", "remove", "clear", "erase", "purge", "drop"):
        return None
    values = [
        v for n, a in draft.attributes.items() if n in ("status", "state", "estado", "statut", "stato") for v in a.enum
    ]
    return next((snake(str(v)) for v in values if snake(str(v))[:5] == word[:5]), None)
