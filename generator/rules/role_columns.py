"""Which column of an entity a documented name means, and the column that a value or a list needs.

Invariant: a name that means a column there is never makes a second one. Not covered: columns that outputs show
(`outputs`) and keys (`keys`).
"""

from __future__ import annotations

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.words import column_name, singular, split_words

__all__ = ["cast_attribute", "list_column", "match_column"]


def cast_attribute(reading: Reading, draft: EntityDraft, word: str) -> str | None:
    """`set_mobile_data(enabled)` sets the column mobile_data, `set_roaming(enabled)` roaming_enabled."""
    if (
        word
        not in (
            "enabled",
            "on",
            "active",
            "value",
            "state",
            "mode",
            "status",
            "level",
            "setting",
            "is_enabled",
            "activated",
        )
        or word in draft.attributes
    ):
        return None
    noun = "_".join(reading.nouns)
    whole = "_".join(w for w in split_words(reading.tool.original_name) if w != reading.verb.word)
    return next(
        (
            a
            for a in (
                whole,
                f"{whole}_{word}",
                noun,
                f"{noun}_{word}",
                f"{reading.head}_{word}",
                f"is_{noun}",
                reading.head,
            )
            if a in draft.attributes
        ),
        None,
    )


def list_column(draft: EntityDraft, word: str) -> str | None:
    """A JSON list column whose singular is the word."""
    for name, attribute in draft.attributes.items():
        if attribute.type == ColumnType.JSON and (
            singular(name) == word or name == word or singular(name) == word.rsplit("_", 1)[-1]
        ):
            return name
    return None


def match_column(draft: EntityDraft, word: str) -> str:
    """The entity's column for a documented name: same name, with or without the entity's own name or a generic
    ending.
    """
    name = column_name(word)
    if name in draft.attributes:
        return name
    words = split_words(draft.name)
    for prefix in (draft.name + "_", words[-1] + "_"):
        if name.startswith(prefix) and name[len(prefix) :] in draft.attributes:
            return name[len(prefix) :]
        if prefix + name in draft.attributes:
            return prefix + name
    squeezed = {a.replace("_", ""): a for a in draft.attributes}
    return squeezed.get(name.replace("_", ""), name)
