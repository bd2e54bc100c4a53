"""Names and titles by meaning: whole ones from a list, or joined from parts so that several share a word.

Invariant: values do not repeat while the words allow it, then they are numbered; about two or three share each second
part, so that searching for one word finds several. Not covered: names of people and places.
"""

from __future__ import annotations

from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.language import words_for
from autoforge.generator.vocabulary import word_set

__all__ = ["CATEGORICAL", "named_things", "repeated", "titles"]

CATEGORICAL = word_set(
    "category brand genre cuisine gender nationality role priority severity status kind tag color size "
    "unit material carrier payment_method "
    "shipping_method weather emoji language language_code day_of_week region mime_type department "
    "industry sector sport species cabin_class room_type "
    "job_title publisher airline reason artist breed diagnosis skill note comment user_agent command"
)
"""Meanings of which many rows share a value."""


def titles(draw: Draw, meaning: str, language: str, count: int) -> list[str]:
    """`count` values; empty where there are no words for the meaning."""
    parts = words_for(meaning, language)
    if not parts:
        return []
    pool = (
        draw.shuffled(parts[0])
        if len(parts) == 1
        else _joined(draw, parts, "" if language in ("zh", "ja") else " ", count)
    )
    return [pool[i] if i < len(pool) else f"{pool[i % len(pool)]} {i // len(pool) + 1}" for i in range(count)]


def repeated(draw: Draw, meaning: str, language: str, count: int) -> list[str]:
    """`count` values of which about every second occurs more than once."""
    parts = words_for(meaning, language)
    pool = draw.shuffled([" ".join(p) for p in _pairs_of(parts)])[: max(2, -(-count * 3 // 5))] if parts else []
    return draw.shuffled([pool[i] if i < len(pool) else draw.one(pool) for i in range(count)]) if pool else []


def _pairs_of(parts: tuple[tuple[str, ...], ...]) -> list[tuple[str, ...]]:
    return [(word,) for word in parts[0]] if len(parts) == 1 else [(a, b) for a in parts[0] for b in parts[1]]


def named_things(draw: Draw, noun: str, language: str, count: int) -> list[str]:
    """Names for things of an unknown kind: `Travel notebook`, `Summer notebook`, numbered once the words run out."""
    noun = noun.replace("_", " ").strip() or "entry"
    modifiers = draw.shuffled(words_for("label", language)[0])
    if language != "en":
        names = [f"{noun[:1].upper()}{noun[1:]} {word}" for word in modifiers]
    else:
        names = [f"{word} {noun}" for word in modifiers]
    return [names[i] if i < len(names) else f"{names[i % len(names)]} {i // len(names) + 1}" for i in range(count)]


def _joined(draw: Draw, parts: tuple[tuple[str, ...], ...], space: str, count: int) -> list[str]:
    heads, tails = draw.shuffled(parts[0]), draw.shuffled(parts[-1])
    few = tails[: max(2, -(-count * 2 // 5))]
    glue = "" if parts[-1][0][0] in "._" else space
    near = draw.shuffled([(h, t) for t in few for h in heads])
    far = [(h, t) for t in tails[len(few) :] for h in heads]
    if len(parts) == 3:
        return [f"{h}{draw.one(parts[1])}{t}" for h, t in near + far]
    return [f"{head}{glue}{tail}" for head, tail in _spread(near) + far]


def _spread(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same pairs, each second part once before any comes again."""
    seen: dict[str, int] = {}
    order = []
    for pair in pairs:
        order.append((seen.get(pair[1], 0), pair))
        seen[pair[1]] = seen.get(pair[1], 0) + 1
    return [pair for _, pair in sorted(order, key=lambda entry: entry[0])]
