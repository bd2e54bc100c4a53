"""One thing that a sentence asks for.

Invariant: a clue holds words, never columns; nouns are singular and lower case, identifiers are split into words
(`checkOutDate` → `check out date`), quoted states stay as written. Not covered: resolving the words.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

__all__ = ["Clue", "Kind"]

Kind = Literal[
    "status_in", "status_not_in", "unique", "exists", "owner", "session", "no_session", "balance", "stock", "order",
        "future", "past",
    "range", "limit", "max_items", "not_self", "requires", "forbids", "default", "side_effect",
]  # fmt: skip


class Clue(NamedTuple):
    """A demand, by kind:

    - `status_in`, `status_not_in`: `values` are the states that `subject` must, or must not, be in.
    - `unique`: no two `subject` share `field` (together with further fields in `values`); without a field the
      subject itself.
    - `exists`: a row of `subject` (or the row that the argument `subject` names) is there.
    - `owner`: `subject` belongs to `field` ("user": whoever is logged in).
    - `session`, `no_session`: somebody is, or is not, logged in.
    - `balance`: the balance covers `values[0]` (words, "" for the amount of the call). `stock`: the stock of
      `subject` covers the quantity.
    - `order`: `field` < `values[0]`; where `values[1]` is "<=", they may be equal. `values[0]` may be "room
      capacity" (of another entity) or "total price minus amount paid".
    - `future`, `past`: the moment in `field`; with `values[0]` "today" the present day counts too. `not_self`: the
      two `subject`, or `field` and `values[0]`, differ.
    - `range`: `values` = (minimum, maximum), inclusive; None is open; an exclusive bound is the next float.
    - `limit`: at most `values[0]` rows of `subject` for each `field` (its holder), counting those in the states
      `values[1:]`; with `values[1]` "times", how often `subject` may undergo the verb `field`.
    - `max_items`: a list of `subject` (or the parameter `field`) has at most `values[0]` members.
    - `requires`, `forbids`: with a subject, the holder `field` must (not) have a `subject` in one of the states
      `values`; a value "same" or "same kind" restricts it to the subject that the call names, or to those of the
      same kind; a number is a minimum count. Without a subject, or with a field that is an attribute of it,
      `values` (numbers, booleans) is what the field must (not) be.
    - `default`: `values[0]` stands in for the parameter `field`.
    - `side_effect`: `field` of `subject` becomes `values[0]` (where it was one of `values[1:]`); with `values[0]`
      "increase", "decrease" or "copy", by or from `values[1]` (a number or words, "" for the amount of the call).
    """

    kind: Kind
    subject: str
    """Noun phrase it is about; "" for the tool's own entity."""
    field: str
    """Words of the attribute, "" if unknown; for a parameter's own description its name as it is."""
    values: tuple[Any, ...]
    message: str
    """The sentence or clause, cleaned, as the base of a refusal."""
    verbs: tuple[str, ...] = ()
    """For policy sentences: the verbs the rule applies to; () means those that create, or any."""
