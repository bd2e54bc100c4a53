"""What a chat template does to a conversation that grows, found out by rendering one.

The conversation has three messages of the user and, between them, turns that think, call tools twice, and answer: what
templates treat differently (thoughts before the last message of the user, results behind results) occurs in it.

Invariant: facts are read off renderings, never off a template's name or text. Not covered: what follows from them
(`training`); templates that write other things on other days.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from autoforge.gym.agents.hermes_text import parse_turn
from autoforge.gym.llm import Message, ReasoningBlock, ToolCall
from autoforge.gym.turns import Action, Observation
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.conversation import ChatMessage, Conversation, ThoughtPlace
from autoforge.trainer.tokens.glue import GlueWriter
from autoforge.trainer.tokens.template import ChatTemplate

__all__ = ["PROBE_TOOL", "TemplateFacts", "probed"]

ThoughtKeeping: TypeAlias = Literal["field", "inline", "dropped"]
"""Kept where it is given as `reasoning_content`; kept only where it stands in the content; or not kept."""

PROBE_TOOL: Final[dict[str, Any]] = {
    "name": "look_up",
    "description": "Look something up.",
    "inputSchema": {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]},
}
_SYSTEM: Final = "zqsystemqz"
_USER: Final = "zquserqz"
_TURN: Final = "zqturnqz"


class TemplateFacts(NamedTuple):
    """What a template does."""

    thoughts: ThoughtKeeping
    """Whether thoughts of earlier turns stay, with user messages between."""
    grows: bool
    """Whether a longer conversation begins with the shorter one, turn by turn (I1)."""
    glue_agrees: bool
    """Whether the glue between turns is the same in a whole conversation as behind a stand-in."""
    stops: tuple[str, ...]
    """The tokens that end a turn: before a user's message, before results."""
    stop_stays: bool
    """Whether a turn ends with the same token when nothing follows (I3)."""
    after_stop: str
    """What the template writes between the end of a turn and the next message; never trained on."""
    generation_prompt: str
    """What begins a turn of the assistant."""
    opens_thought: bool
    """Whether that ends with an open `<think>`."""
    closes_thought: bool
    """Whether that holds a closed thought already: then the policy does not think."""
    tools_shown: Literal["system", "user"]
    """Where the tools stand: before the first message of the user, or inside it."""
    results: Literal["joint", "single"]
    """Whether results that follow each other are one block."""
    calls_read: bool
    """Whether a call as the template writes it is read back as the same call."""
    several_calls: bool
    """Whether a turn may hold more than one call."""


def probed(template: ChatTemplate, conversation: Conversation) -> TemplateFacts:
    """The facts. Raises BadInput where the template refuses or leaves out a system message, tools, calls or results."""
    return _Probe(template, conversation).facts()


class _Probe:
    def __init__(self, template: ChatTemplate, conversation: Conversation) -> None:
        self._template = template
        self._conversation = conversation
        self._tools = conversation.tools((PROBE_TOOL,))
        self._first = [*conversation.system(_SYSTEM, (PROBE_TOOL,)), *self._shown(_said(_USER))]

    def facts(self) -> TemplateFacts:
        shown = self._tools_shown()
        prompt = self._generation_prompt()
        thinks = not prompt.rstrip().endswith("</think>")
        self._glue = GlueWriter(self._template, self._conversation)
        several = self._several_calls()
        entries = _dialogue(several, thinks)
        thoughts = self._thoughts(entries)
        walk = _Walk(self, entries, "inline" if thoughts == "inline" else "field")
        return TemplateFacts(
            thoughts=thoughts,
            grows=walk.grows(),
            glue_agrees=walk.glue_agrees(self._glue),
            stops=self._stops(),
            stop_stays=self._glue.closing_stop() in ("", self._glue.stop),
            after_stop=self._after_stop(),
            generation_prompt=prompt,
            opens_thought=prompt.rstrip().endswith("<think>"),
            closes_thought=not thinks,
            tools_shown=shown,
            results=self._results(),
            calls_read=self._calls_read(),
            several_calls=several,
        )

    def text(self, messages: Sequence[ChatMessage], *, open_turn: bool = False) -> str:
        """The messages behind system and first user message, with the tools."""
        return self._template.text([*self._first, *messages], self._tools, open_turn=open_turn)

    def messages(self, entries: Sequence[_Entry], place: ThoughtPlace) -> list[ChatMessage]:
        """The entries as the template gets them."""
        found: list[ChatMessage] = []
        for entry in entries:
            found += [self._conversation.acted(entry, place)] if isinstance(entry, Action) else self._shown(entry)
        return found

    def _shown(self, observation: Observation) -> list[ChatMessage]:
        return self._conversation.observed(observation)

    def _tools_shown(self) -> Literal["system", "user"]:
        plain = self._template.text(self._first)
        for mark, what in ((_SYSTEM, "system message"), (_USER, "message of the user")):
            if mark not in plain:
                raise BadInput(f"the chat template leaves out the {what}; use a model whose template keeps it.")
        header = plain.partition(_SYSTEM)[2].partition(_USER)[0]
        text = self.text([])
        if PROBE_TOOL["name"] not in text:
            raise BadInput('the chat template shows no tools; set tools = "hermes" to write them as text.')
        return "system" if text.partition(_USER)[0].endswith(header) else "user"

    def _several_calls(self) -> bool:
        try:
            self.text(self.messages(_dialogue(True, True), "field"))
        except BadInput:
            self.text(self.messages(_dialogue(False, True), "field"))
            return False
        return True

    def _thoughts(self, entries: Sequence[_Entry]) -> ThoughtKeeping:
        wanted = [block.text for entry in entries if isinstance(entry, Action) for block in entry.reasoning]
        for place in ("field", "inline"):
            text = self.text(self.messages(entries, place), open_turn=True)
            if all(thought in text for thought in wanted):
                return place
        return "dropped"

    def _generation_prompt(self) -> str:
        return self._template.words(self._apart(self.text([], open_turn=True), self.text([])).rest)

    def _stops(self) -> tuple[str, ...]:
        ids = [self._template.ids(self._glue.between(seen))[0] for seen in (_said("Yes."), _results("One."))]
        return tuple(dict.fromkeys(self._template.words([number]) for number in ids))

    def _after_stop(self) -> str:
        """What stands alike before a message of the user and at the end of everything."""
        alike = self._apart(self._glue.closing(), self._glue.between(_said("Yes."))).shared
        return self._template.words(alike).removeprefix(self._glue.stop)

    def _apart(self, text: str, other: str) -> _Parts:
        """The ids that a text begins with as the other does, and the rest of it."""
        ids, others = self._template.ids(text), self._template.ids(other)
        most = min(len(ids), len(others))
        shared = next((place for place in range(most) if ids[place] != others[place]), most)
        return _Parts(ids[:shared], ids[shared:])

    def _results(self) -> Literal["joint", "single"]:
        both, one, two = (
            self._glue.between(_results(*texts), open_turn=False) for texts in (("One.", "Two."), ("One.",), ("Two.",))
        )
        if "One." not in one:
            raise BadInput('the chat template leaves out the results of tools; set tools = "hermes" to write them.')
        return "single" if both == one + two.removeprefix(self._stops()[-1] + self._after_stop()) else "joint"

    def _calls_read(self) -> bool:
        """A turn of text shows where a turn begins; what a turn of one call has there is read."""
        begin = self.text(self.messages((Action(text=_TURN),), "field")).partition(_TURN)[0]
        arguments = {"key": "A key", "deep": {"number": 1, "list": ["é"]}}
        call = ToolCall(id=_identity(0), name="look_up", arguments=arguments)
        text = self.text(self.messages((Action(calls=(call,)),), "field"))
        turn = text[len(begin) :] if text.startswith(begin) else text.partition(_USER)[2]
        read = parse_turn(turn.partition(self._stops()[-1])[0]).calls
        return [(one.name, one.arguments) for one in read] == [(call.name, call.arguments)]


class _Parts(NamedTuple):
    shared: tuple[int, ...]
    rest: tuple[int, ...]


class _Walk:
    """The renderings of a dialogue before each turn of the assistant, and of all of it."""

    def __init__(self, probe: _Probe, entries: Sequence[_Entry], place: ThoughtPlace) -> None:
        self._entries = entries
        turns = [number for number, entry in enumerate(entries) if isinstance(entry, Action)]
        messages = [probe.messages(entries[:number], place) for number in (*turns, len(entries))]
        self._before = [probe.text(shown, open_turn=True) for shown in messages]

    def grows(self) -> bool:
        return all(later.startswith(earlier) for earlier, later in pairwise(self._before))

    def glue_agrees(self, glue: GlueWriter) -> bool:
        seen = [entry for entry in self._entries if not isinstance(entry, Action)]
        return all(text.endswith(glue.between(new)) for text, new in zip(self._before[1:], seen, strict=True))


_Entry: TypeAlias = Action | Observation


def _dialogue(several: bool, thinks: bool) -> list[_Entry]:
    """Turns and what they led to, in turn: two calls and an answer for each of two wishes."""
    entries: list[_Entry] = []
    for wish in ("first", "second"):
        for step in ("one", "two"):
            number = 2 if several and step == "two" else 1
            calls = tuple(_call(place, f"{wish} {step} {place}") for place in range(number))
            entries.append(Action(calls=calls, reasoning=_thought(f"{wish} {step}", thinks)))
            entries.append(_results(*(f"{wish} result {place}" for place in range(number))))
        answer = Action(text=f"The {wish} is done.", reasoning=_thought(f"{wish} end", thinks))
        entries += [answer, _said(f"After {wish}.")]
    return entries


def _said(text: str) -> Observation:
    return (Message(role="user", content=text),)


def _results(*texts: str) -> Observation:
    return tuple(Message(role="tool", tool_call_id=_identity(n), content=text) for n, text in enumerate(texts))


def _call(place: int, key: str) -> ToolCall:
    return ToolCall(id=_identity(place), name="look_up", arguments={"key": key})


def _identity(number: int) -> str:
    # Nine letters and digits, which some templates insist on.
    return f"callabcd{number}"


def _thought(about: str, thinks: bool) -> tuple[ReasoningBlock, ...]:
    return (ReasoningBlock(provider="openai", data={"reasoning": f"I think of {about}."}),) if thinks else ()
