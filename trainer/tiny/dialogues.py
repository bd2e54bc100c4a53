"""Dialogues of made-up domains in the tiny model's own format, from which it learns to find, copy and call.

In each, a user with one to three wishes about things of one kind talks with an agent that looks them up and acts: the
wishes come at once or one after the other, and say the thing by a value or as "that" one. Invariant: the same dice
give the same dialogue; no instruction and no row of an environment is in it, though many of its everyday words are
(ticket, close, title, lend). Not covered: what is learned from it (`pretrain`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from autoforge.trainer.tiny import words
from autoforge.trainer.tiny.values import identifier, invented, quoted, value

__all__ = ["Piece", "dialogue", "text_of"]


class Piece(NamedTuple):
    """A part of the text."""

    text: str
    role: Literal["given", "said", "copied"] = "given"
    """`said` by the agent; `copied` by a tool from what stands before; anything else."""


class _Domain(NamedTuple):
    noun: str
    fields: Sequence[str]
    """The first one is what things are found by, the second one what can be set."""
    tools: Sequence[tuple[str, Sequence[str]]]
    choices: Sequence[str]
    """What the second field can be; empty: anything."""

    @property
    def key(self) -> str:
        return self.fields[0]

    @property
    def id(self) -> str:
        return f"{self.noun}_id"


class _Call(NamedTuple):
    tool: str
    arguments: dict[str, Any]
    row: dict[str, Any]
    """What the tool gives."""


class _Wish(NamedTuple):
    text: str
    calls: Sequence[_Call]
    answer: str = ""
    asked: tuple[str, str] = ("", "")
    """What the agent has to ask before it can act, and what the user says then."""


def dialogue(dice: Random) -> list[Piece]:
    """One conversation, from the system message to the agent's last one."""
    domain = _domain(dice)
    wishes = _wishes(domain, dice)
    at_once = dice.random() >= 0.6 and not any(wish.asked[0] for wish in wishes)
    pieces = [Piece(_system(domain, dice))]
    for part in [wishes] if at_once else [[wish] for wish in wishes]:
        pieces += _round(domain, part, dice)
    return pieces


def text_of(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def _domain(dice: Random) -> _Domain:
    noun = dice.choice(words.NOUNS) if dice.random() < 0.7 else invented(dice)
    fields = dice.sample(words.FIELDS, dice.randint(3, 4))
    tools: list[tuple[str, Sequence[str]]] = [(f"find_{noun}", fields[:1])]
    verbs = [verb if dice.random() < 0.7 else invented(dice) for verb in dice.sample(words.VERBS, dice.randint(2, 4))]
    tools += [(f"{verb}_{noun}", [f"{noun}_id"]) for verb in verbs]
    tools.append((f"{dice.choice(words.SETTERS)}_{dice.choice([fields[1], noun])}", [f"{noun}_id", fields[1]]))
    dice.shuffle(tools)
    states = [state if dice.random() < 0.7 else invented(dice) for state in dice.sample(words.STATES, 3)]
    return _Domain(noun, fields, tools, states if dice.random() < 0.6 else ())


def _system(domain: _Domain, dice: Random) -> str:
    title = domain.noun.capitalize() + dice.choice(["", "s", " desk"])
    tools = "".join(f"\n{name}({', '.join(parameters)})" for name, parameters in domain.tools)
    return f"<|im_start|>system\n# {title}\n\nNo rules beyond what the tools' documentation says.{tools}<|im_end|>\n"


def _wishes(domain: _Domain, dice: Random) -> list[_Wish]:
    found: list[_Wish] = []
    row: dict[str, Any] = {}
    for place in range(dice.choice([1, 1, 2, 2, 3])):
        that = bool(found) and dice.random() < 0.5
        if not that:
            row = _row(domain, dice)
        made, row = _wish(domain, row, that, place, dice)
        found.append(made)
    return found


def _row(domain: _Domain, dice: Random) -> dict[str, Any]:
    row: dict[str, Any] = {domain.id: identifier(domain.noun, dice), domain.key: value(dice)}
    for place, field in enumerate(domain.fields[1:]):
        if (place == 0 and domain.choices) or dice.random() < 0.5:
            row[field] = dice.choice(domain.choices or words.STATES)
        else:
            row[field] = value(dice) if dice.random() < 0.5 else dice.randint(0, 999)
    return row


def _wish(domain: _Domain, row: dict[str, Any], that: bool, place: int, dice: Random) -> tuple[_Wish, dict[str, Any]]:
    """The wish, and the row after it."""
    said = quoted(row[domain.key], dice)
    whose = dice.choice(words.WHOSE).format(field=domain.key, value=said)
    who = f"that {domain.noun}" if that else f"the {domain.noun} {whose}"
    find = _Call(f"find_{domain.noun}", {domain.key: row[domain.key]}, row)
    if place and dice.random() < 0.3:
        field = dice.choice(domain.fields[1:])
        wanted = dice.choice(words.QUESTIONS).format(field, who)
        return _Wish(_cased(dice.choice(words.ASK).format(wanted)), [find], f"The {field} is {row[field]}."), row
    asked = ("", "")
    if not that and dice.random() < 0.1:
        who, asked = f"the {domain.noun}", (f"What is the {domain.key}?", _told(domain.key, said, dice))
    act, phrase = _act(domain, row, who, dice)
    text = dice.choice(words.THEN).format(phrase) if place else _first(phrase, dice)
    return _Wish(_cased(text), [act] if that else [find, act], asked=asked), act.row


def _told(field: str, said: str, dice: Random) -> str:
    return dice.choice(["The {} is {}.", "And the {} is {}.", "It is the {} {}."]).format(field, said)


def _act(domain: _Domain, row: dict[str, Any], who: str, dice: Random) -> tuple[_Call, str]:
    name, parameters = dice.choice([tool for tool in domain.tools if not tool[0].startswith("find_")])
    verb, field = name.split("_")[0], domain.fields[1]
    if len(parameters) == 1:
        after = row | {dice.choice(domain.fields[1:]): dice.choice(words.STATES)}
        return _Call(name, {domain.id: row[domain.id]}, after), f"{verb} {who}"
    to = dice.choice(domain.choices) if domain.choices else value(dice)
    forms = [f"{verb} the {field} of {who} to {to}", f"change the {field} of {who} to {to}"]
    if name.endswith(f"_{domain.noun}"):
        forms += [f"{verb} {who} to {field} {to}", f"{verb} {who}, with {field} {to}"]
    return _Call(name, {domain.id: row[domain.id], field: to}, row | {field: to}), dice.choice(forms)


def _first(phrase: str, dice: Random) -> str:
    return dice.choice(words.OPENINGS) + dice.choice(words.REQUESTS).format(phrase)


def _cased(text: str) -> str:
    return text[0].upper() + text[1:]


def _round(domain: _Domain, wishes: Sequence[_Wish], dice: Random) -> Iterator[Piece]:
    """What the user says, and all that the agent does until it has no more to do."""
    yield _user(" ".join(wish.text for wish in wishes))
    question, told = wishes[0].asked
    if question:
        yield from (Piece("<|im_start|>assistant\n"), Piece(f"{question}<|im_end|>", "said"), Piece("\n"), _user(told))
    for call in (call for wish in wishes for call in wish.calls):
        yield Piece("<|im_start|>assistant\n")
        yield Piece(
            f'<tool_call>\n{{"name": "{call.tool}", "arguments": {_json(call.arguments)}}}\n</tool_call>', "said"
        )
        yield Piece("<|im_end|>", "said")
        yield from _response(domain, call)
    answers = [wish.answer for wish in wishes if wish.answer] or [words.BYE]
    for place, answer in enumerate(answers):
        if place:
            yield _user(dice.choice(words.MORE))
        yield from (Piece("<|im_start|>assistant\n"), Piece(f"{answer}<|im_end|>", "said"), Piece("\n"))


def _response(domain: _Domain, call: _Call) -> Iterator[Piece]:
    """Of a look-up only the value that was looked for stood before, of an action the whole row."""
    body = json.dumps(call.row, ensure_ascii=False, separators=(",", ":"))
    key = json.dumps(call.row[domain.key], ensure_ascii=False)[1:]
    at = body.index(key)
    rest: Literal["given", "copied"] = "given" if call.tool.startswith("find_") else "copied"
    yield Piece("\n<|im_start|>user\n<tool_response>\n")
    yield from (Piece(body[:at], rest), Piece(key, "copied"), Piece(body[at + len(key) :], rest))
    yield Piece("\n</tool_response><|im_end|>\n")


def _user(text: str) -> Piece:
    return Piece(f"<|im_start|>user\n{text}<|im_end|>\n")


def _json(arguments: dict[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False)
