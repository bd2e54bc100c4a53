"""The Hermes text format: tools in the prompt, calls and results between tags, read with tolerance.

What is understood beside the format: several documents or a list between two tags, a missing closing tag, code fences,
a closing bracket too many, single quotes, trailing commas, Python's constants, escapes that JSON lacks, arguments as a
JSON string, `parameters` for `arguments`, and a turn that is nothing but a call without its tags. Thoughts are set
apart wherever they stand outside a call, so that no user reads them.

Invariant: `parse_turn` reads any text, and `parse_turn(render_turn(parse_turn(text))) == parse_turn(text)`; what cannot
be read as a call becomes a call with `malformed`, never a guess. Not covered: unfinished documents, which are not
completed; ids of calls, which the format lacks (`call_0`, `call_1`, … in each turn).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from autoforge.gym.agents.loose_json import Document, documents_at, mended, whole_object
from autoforge.gym.llm import Message, ReasoningBlock, ToolCall
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.turns import Action

__all__ = ["HermesTurn", "parse_turn", "read_turn", "render_results", "render_tools", "render_turn"]

_TAG: Final = re.compile(r"<(/?)(think|tool_call)>")
_CALL_TAG: Final = re.compile(r"</?tool_call>")
_SPACE: Final = re.compile(r"\s*")
_LEAD: Final = re.compile(r"\s*(?:```\w*\s*)?")
_TAIL: Final = re.compile(r"[\s`}\],;]*</tool_call>")
_FENCES: Final = re.compile(r"^[ \t]*```\w*[ \t]*$", re.MULTILINE)
_NAME: Final = re.compile(r"""["']name["']\s*:\s*["']([^"'\n]{1,120})["']""")

_TOOLS: Final = """\
# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{tools}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{{"name": <function-name>, "arguments": <args-json-object>}}
</tool_call>"""


class HermesTurn(NamedTuple):
    """A turn as it was written, taken apart."""

    thought: str
    """With its tags, as written."""
    said: str
    """All but the thoughts, as written."""
    text: str
    """Beside the calls."""
    calls: tuple[ToolCall, ...]


def render_tools(tools: Sequence[ToolDocument]) -> str:
    """The part of the system prompt that says which tools there are and how to call them."""
    return _TOOLS.format(tools="\n".join(map(_signature, tools)))


def render_results(results: Sequence[Message]) -> str:
    """The results of one turn's calls, in one block."""
    return "\n".join(f"<tool_response>\n{result.content}\n</tool_response>" for result in results)


def render_turn(action: Action) -> str:
    """A turn as text. What the format lacks (ids, a text that reads as a tag) is not kept."""
    calls = [f"<tool_call>\n{_document(call)}\n</tool_call>" for call in action.calls]
    return "".join(map(_thought, action.reasoning)) + "\n".join([*([action.text] if action.text else []), *calls])


def parse_turn(text: str) -> Action:
    """The turn that a text is; never raises."""
    turn = read_turn(text)
    blocks = (ReasoningBlock(provider="openai", data={"inline": turn.thought}),) if turn.thought else ()
    return Action(text=turn.text, calls=turn.calls, reasoning=blocks)


def read_turn(text: str) -> HermesTurn:
    """The parts of a text; never raises."""
    turn = _Reader(text.encode("utf-8", "replace").decode("utf-8")).read()
    if turn.calls:
        return turn
    bare = _bare_call(turn.text)
    return turn if bare is None else turn._replace(text="", calls=(bare,))


class _Reader:
    """Goes through a text once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._thoughts: list[str] = []
        self._said: list[str] = []
        self._beside: list[str] = []
        self._calls: list[ToolCall] = []

    def read(self) -> HermesTurn:
        while tag := _TAG.search(self._text, self._place):
            self._passed(tag.start())
            if tag[2] == "think":
                self._think(tag)
            elif tag[1]:
                self._say(tag.end())
            else:
                self._call(tag)
        self._passed(len(self._text))
        text = "\n".join(part for part in map(str.strip, self._beside) if part)
        if self._calls:
            text = _FENCES.sub("", text)
        return HermesTurn("".join(self._thoughts), "".join(self._said), text.strip(), tuple(self._calls))

    def _passed(self, end: int) -> None:
        """What stands before a tag is text."""
        self._beside.append(self._text[self._place : end])
        self._say(end)

    def _say(self, end: int) -> None:
        self._said.append(self._text[self._place : end])
        self._place = end

    def _think(self, tag: re.Match[str]) -> None:
        if tag[1]:
            self._end_of_thought(tag)
            return
        close = self._text.find("</think>", tag.end())
        end = len(self._text) if close < 0 else _skipped(_SPACE, self._text, close + len("</think>"))
        self._thoughts.append(self._text[tag.start() : end] + ("</think>" if close < 0 else ""))
        self._place = end

    def _end_of_thought(self, tag: re.Match[str]) -> None:
        """A closing tag alone: the template opened the thought, and all before it was one; after a call it is none."""
        self._place = _skipped(_SPACE, self._text, tag.end())
        if not self._calls:
            self._thoughts.append("".join(self._said) + self._text[tag.start() : self._place])
            self._said.clear()
            self._beside.clear()

    def _call(self, tag: re.Match[str]) -> None:
        documents, end = self._documents(tag.end())
        for written in (one for document in documents for one in _each(document)):
            self._calls.append(_call(written, len(self._calls)))
        tail = _TAIL.match(self._text, end)
        self._say(tail.end() if tail else end)

    def _documents(self, start: int) -> tuple[list[Document], int]:
        """The documents after an opening tag, and where they end."""
        found, place, whole = documents_at(self._text, _skipped(_LEAD, self._text, start))
        if whole:
            return found, place
        begin = place if found else start
        tag = _CALL_TAG.search(self._text, begin)
        end = tag.start() if tag else len(self._text)
        loose = mended(self._text[place:end])
        rest = documents_at(loose, _skipped(_SPACE, loose, 0))
        return found + (rest.found if rest.whole else [Document(None, self._text[begin:end].strip())]), end


def _each(written: Document) -> list[Document]:
    """A list of calls is several."""
    value = written.value
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return [Document(item, json.dumps(item, ensure_ascii=False)) for item in value]
    return [written]


def _call(written: Document, number: int) -> ToolCall:
    """The call that a document is."""
    value, identity = written.value, f"call_{number}"
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or not name.strip():
        seen = _NAME.search(written.source)
        return ToolCall(id=identity, name=(seen[1].strip() if seen else "") or "unknown", malformed=written.source)
    arguments = _arguments(value)
    if arguments is None:
        return ToolCall(id=identity, name=name.strip(), malformed=written.source)
    return ToolCall(id=identity, name=name.strip(), arguments=arguments)


def _arguments(value: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments of a call; None where they are no object, or stand among what is none of the format's."""
    if "arguments" not in value and "parameters" not in value:
        return None if value.keys() - {"id", "name", "type"} else {}
    arguments = value.get("arguments", value.get("parameters"))
    if arguments is None or arguments == "":
        return {}
    if isinstance(arguments, str):
        return whole_object(arguments)
    return arguments if isinstance(arguments, dict) else None


def _bare_call(text: str) -> ToolCall | None:
    """The call that a whole text is, without tags."""
    fenced = len(text) > 6 and text.startswith("```") and text.endswith("```")
    value = whole_object(text[_skipped(_LEAD, text, 0) : -3] if fenced else text)
    if value is None or not ("arguments" in value or "parameters" in value):
        return None
    call = _call(Document(value, text), 0)
    return None if call.malformed is not None else call


def _skipped(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start


def _signature(tool: ToolDocument) -> str:
    function = {
        "name": tool["name"],
        "description": tool.get("description") or "",
        "parameters": tool.get("inputSchema") or {"type": "object"},
    }
    return json.dumps({"type": "function", "function": function}, ensure_ascii=False)


def _document(call: ToolCall) -> str:
    if call.malformed is not None:
        return call.malformed
    return json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False)


def _thought(block: ReasoningBlock) -> str:
    inline = block.data.get("inline")
    if isinstance(inline, str):
        return inline
    return f"<think>\n{block.text}\n</think>\n\n" if block.text else ""
