"""The part of a task that the user does with tools of its own.

The steps are those of the blueprint that are the user's. Their arguments are what the user knows; what comes out of
earlier steps the agent must have said. Invariant: nothing is done that the agent did not ask for, and no step that
changes something twice. Not covered: how a result is told (`scripted`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.gym.reward.reading import Message
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.users.known import says
from autoforge.gym.users.script import sentences
from autoforge.gym.users.user import UserBriefing, UserCall
from autoforge.gym.users.words import fold, tokens, words_of_name
from autoforge.mcp_envs.task import ListOf, Literally, ObjectOf, Source, ToolStep, UserValue

__all__ = ["OwnSide", "Part"]

_VERBS = """
toggle switch turn flip enable disable activate deactivate activa desactiva conmuta cambia schalte aktiviere
set switch turn change choose select put enable disable cambia pon elige stelle setze wahle
check look see verify inspect run read get show list view mira comprueba consulta prufe sieh
reboot restart reset reinicia starte
"""
_FELLOWS = {verb: frozenset(line.split()) for line in reversed(_VERBS.strip().splitlines()) for verb in line.split()}
_FORBIDS = re.compile(
    r"\b(?:do not|don't|please wait|not yet|no need|without|before you|never|no (?:lo )?(?:reinici|cambi|activ|hag)\w*|"
    r"todavia no|nicht|noch nicht)\b"
)
_MY_SIDE = re.compile(r"\b(?:on my side|myself|por mi parte|lo hago yo|auf meiner seite|ich selbst)\b")
_PLEASE = re.compile(r"\b(?:please|kindly|can you|could you|por favor|puedes|bitte|kannst du|konnen sie)\b")
_OF_AGENT = re.compile(r"\W*(?:i|i'm|i've|i'll|we|we'll|let me|he|voy|vamos|ich)\b")
_ROOT = 5
_LEAST_ROOT = 4
_MISSING = object()


class Part(NamedTuple):
    """What came of one request."""

    kind: str
    """`acted`, `refused`, `already`, `not mine`, `need`: names of phrases."""
    what: str
    """The tool in words; of `need`, the value that is missing."""
    call: UserCall | None = None


class OwnSide:
    """Of one episode."""

    def __init__(self, briefing: UserBriefing) -> None:
        task = briefing.task
        self._known = task.known
        self._all = task.instruction
        self._caller = briefing.call
        self._tools = {str(tool["name"]): tool for tool in briefing.tools}
        self._steps = [step for step in task.blueprint.steps if step.actor == "user" and step.tool in self._tools]
        self._gold = {call.node: call.arguments for call in task.gold.calls if call.actor == "user"}
        self._done: set[str] = set()
        self._told: list[str] = []

    def speaks_of(self, text: str) -> bool:
        """Whether a text is about a step that is still to be done."""
        return bool(self._announced(text))

    @property
    def left(self) -> str:
        """The steps that wait for the agent's word, whatever comes, in words."""
        return ", ".join(_words(step.tool) for step in self._waiting() if step.when is None)

    async def asked(self, text: str, part: str = "") -> list[Part]:
        """Do what a message asks for. `part` is what the user said of its part where the message tells it to do that,
        whatever it is. Raises EpisodeFailure where a tool cannot be called."""
        self._told.append(text)
        if self._caller is None:
            return []
        wanted = [name for sentence in sentences(text) for name in self._named(sentence)]
        steps = [step for step in self._waiting() if step.tool in wanted]
        if not wanted and not _FORBIDS.search(fold(text)):
            steps = self._announced(part)
        parts = [await self._take(step) for step in steps]
        beside = dict.fromkeys(name for name in wanted if name not in {step.tool for step in steps})
        return parts + [await self._beside(name) for name in beside]

    def _waiting(self) -> list[ToolStep]:
        return [step for step in self._steps if step.id not in self._done]

    def _announced(self, text: str) -> list[ToolStep]:
        """The waiting steps that a text of the user is about; where no wish has the words of a tool, any that the user
        calls its own part."""
        own = _MY_SIDE.search(fold(text)) is not None
        return [s for s in self._waiting() if _named_in(text, s.tool) or (own and not _named_in(self._all, s.tool))]

    def _named(self, sentence: str) -> list[str]:
        """The tools that a sentence asks to be used."""
        plain = fold(sentence)
        if _FORBIDS.search(plain) or _OF_AGENT.match(plain):
            return []
        found = [name for name in self._tools if _mentions(sentence, name)]
        exact = [name for name in found if name in sentence or _verb_said(sentence, name)]
        if exact or not _PLEASE.search(plain) or any(_said(word, _FELLOWS["check"]) for word in tokens(sentence)):
            return exact
        return [name for name in found if any(step.tool == name for step in self._waiting())]

    async def _take(self, step: ToolStep) -> Part:
        arguments = {name: self._value(step, name, source) for name, source in step.arguments.items()}
        missing = next((name for name, value in arguments.items() if value is _MISSING), None)
        if missing is not None:
            return Part("need", " ".join(words_of_name(missing)))
        part = await self._call(step.tool, arguments)
        if part.kind == "acted":
            self._done.add(step.id)
        return part

    async def _beside(self, name: str) -> Part:
        """A tool that no step waits for: looking costs nothing, anything else was not wished for."""
        if _only_reads(self._tools[name]):
            return await self._call(name, {})
        done = any(step.tool == name and step.id in self._done for step in self._steps)
        return Part("already" if done else "not mine", _words(name))

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> Part:
        assert self._caller is not None
        result = await self._caller(name, arguments)
        if not result.is_error:
            self._told.append(result.text)
        return Part("refused" if result.is_error else "acted", _words(name), UserCall(name, arguments, result))

    def _value(self, step: ToolStep, name: str, source: Source) -> Any:
        """The value of an argument: known, fixed, or told by the agent, else missing. Yes and no are not looked for in
        words; what is only that is gold's."""
        own = self._own(source)
        if own is not _MISSING:
            return own
        gold = self._gold.get(step.id, {})
        if name not in gold:
            return _MISSING
        if isinstance(gold[name], bool | None) or any(says(Message(text), gold[name]) for text in self._told):
            return gold[name]
        return _like(self._told[-1], gold[name])

    def _own(self, source: Source) -> Any:
        if isinstance(source, UserValue):
            return self._known.get(source.user, _MISSING)
        if isinstance(source, Literally):
            return source.literal
        if isinstance(source, ListOf):
            items = [self._own(item) for item in source.items]
            return _MISSING if _MISSING in items else items
        if isinstance(source, ObjectOf):
            fields = {name: self._own(field) for name, field in source.fields.items()}
            return _MISSING if _MISSING in fields.values() else fields
        return _MISSING


def _like(text: str, value: JsonValue) -> Any:
    """The only identifier of a text that is written as the value is (`L2001` as `L2005`): the agent's mistake, or
    another number for the same thing. Missing where there is none or several."""
    if not isinstance(value, str) or not re.fullmatch(r"(?=[\w-]*\d)[\w-]+", value):
        return _MISSING
    shape = re.sub(r"\d+", r"\\d+", re.escape(value))
    found = set(re.findall(rf"(?<![\w-]){shape}(?![\w-])", text))
    return found.pop() if len(found) == 1 else _MISSING


def _only_reads(tool: ToolDocument) -> bool:
    """Whether a tool changes nothing and needs no arguments."""
    reads = (tool.get("annotations") or {}).get("readOnlyHint") is True
    return reads and not (tool.get("inputSchema") or {}).get("required")


def _words(name: str) -> str:
    return " ".join(words_of_name(name))


def _mentions(sentence: str, name: str) -> bool:
    """Whether a sentence names a tool: by its name, or by all words for its object, with its verb where one word is
    all there is."""
    if name in sentence:
        return True
    _, *things = words_of_name(name)
    said = set(tokens(sentence))
    objects = set(tokens(" ".join(things)))
    return bool(objects) and objects <= said and (len(objects) > 1 or _verb_said(sentence, name))


def _named_in(text: str, name: str) -> bool:
    return any(_mentions(sentence, name) for sentence in sentences(text))


def _verb_said(sentence: str, name: str) -> bool:
    verb = words_of_name(name)[0]
    verbs = _FELLOWS.get(verb, frozenset()) | {verb}
    return any(_said(word, verbs) for word in tokens(sentence))


def _said(word: str, verbs: frozenset[str]) -> bool:
    """Whether a word is a form of one of the verbs."""
    return word in verbs or any(len(v) >= _LEAST_ROOT and word.startswith(v[:_ROOT]) for v in verbs)
