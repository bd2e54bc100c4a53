"""Which chat template is trained with: the tokenizer's own where it keeps every thought, else one of `templates/`.

A stock template that drops the thoughts of earlier turns (Qwen3's does, at every message of the user) shows the model
another past than the one it acted on. A training template begins a conversation exactly like the stock template, ends
turns alike, and keeps what was thought.

Invariant: a template is taken automatically only where it renders the same openings as the stock one. Not covered:
writing the template into a checkpoint (`TrainingTemplate.source` is what to put there).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from autoforge.gym.llm import Message
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.conversation import Conversation, ToolStyle
from autoforge.trainer.tokens.glue import GlueWriter
from autoforge.trainer.tokens.probe import PROBE_TOOL, TemplateFacts, probed
from autoforge.trainer.tokens.template import ChatTemplate, stock_text
from autoforge.trainer.tokens.tokenizer import ChatTokenizer, Disarmed

__all__ = ["TemplateSettings", "TrainingTemplate", "choose_template", "shipped_templates"]

_AUTO: Final = "auto"
_STOCK: Final = "stock"


class TemplateSettings(BaseModel):
    """How conversations become ids."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    template: str = _AUTO
    """`auto`: the tokenizer's own where it keeps thoughts, else the shipped one that begins like it; or the name of a
    shipped one, or the path of a Jinja file."""
    tools: ToolStyle = "template"
    """`hermes` writes tools into the system prompt and results into the user's messages: for templates without them."""
    variables: dict[str, Any] = {}
    """Given to the template with every conversation, as `enable_thinking` or `date_string`."""


class TrainingTemplate(NamedTuple):
    """The template that is trained with."""

    name: str
    """`stock`, the name of a shipped one, or a path."""
    template: ChatTemplate
    conversation: Conversation
    facts: TemplateFacts

    @property
    def source(self) -> str:
        """The Jinja text, for the checkpoint's tokenizer."""
        return self.template.source


def shipped_templates() -> dict[str, str]:
    """The Jinja text of each training template, by name."""
    files = (resources.files("autoforge.trainer.tokens") / "templates").iterdir()
    found = {file.name.removesuffix(".jinja"): file for file in files if file.name.endswith(".jinja")}
    return {name: found[name].read_text(encoding="utf-8") for name in sorted(found)}


def choose_template(tokenizer: ChatTokenizer, settings: TemplateSettings | None = None) -> TrainingTemplate:
    """The template to train with. Raises BadInput where none is fit."""
    settings = settings or TemplateSettings()
    conversation = Conversation(Disarmed(tokenizer), settings.tools)
    if settings.template != _AUTO:
        name, text = _named(settings.template)
        chosen = _candidate(name, ChatTemplate(tokenizer, text, settings.variables), conversation)
        _check(chosen)
        return chosen
    stock = _candidate(_STOCK, ChatTemplate(tokenizer, stock_text(tokenizer), settings.variables), conversation)
    if not _remembers(stock.facts):
        return _kin(stock, settings.variables)
    _check(stock)
    return stock


def _named(name: str) -> tuple[str, str]:
    shipped = shipped_templates()
    if name in shipped:
        return name, shipped[name]
    try:
        return name, Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        words = f"no training template is called {name!r}, and no such file can be read ({error})"
        raise BadInput(f"{words}; name one of {', '.join(shipped)}, or the path of a Jinja file.") from None


def _candidate(name: str, template: ChatTemplate, conversation: Conversation) -> TrainingTemplate:
    return TrainingTemplate(name, template, conversation, probed(template, conversation))


def _check(chosen: TrainingTemplate) -> None:
    """Whether prompts can grow by it, and calls be read."""
    if not chosen.facts.calls_read:
        words = f"the chat template ({chosen.name}) writes calls in a format that is not read"
        raise BadInput(f'{words}; set tools = "hermes" to write tools and calls as text.')
    if not _remembers(chosen.facts):
        words = f"the chat template ({chosen.name}) {_fault(chosen.facts)}"
        raise BadInput(f"{words}; name one that keeps the past as it was, or leave the choice to template = {_AUTO!r}.")


def _remembers(facts: TemplateFacts) -> bool:
    return not _fault(facts)


def _fault(facts: TemplateFacts) -> str:
    """What keeps prompts from growing; empty where nothing does."""
    if facts.thoughts == "dropped":
        return "drops thoughts of earlier turns"
    if not facts.stop_stays:
        return "ends a turn with another token once something follows"
    if not facts.glue_agrees:
        return "writes otherwise what follows a turn, depending on that turn"
    if not facts.grows:
        return "writes earlier turns otherwise once the conversation goes on"
    return ""


def _kin(stock: TrainingTemplate, variables: Mapping[str, Any]) -> TrainingTemplate:
    """The shipped template that begins like the stock one and keeps thoughts. Raises BadInput where there is none."""
    for name, text in shipped_templates().items():
        template = ChatTemplate(stock.template.tokenizer, text, variables)
        try:
            candidate = _candidate(name, template, stock.conversation)
            alike = list(_openings(candidate)) == list(_openings(stock))
        except BadInput:
            continue
        if alike and candidate.facts.calls_read and _remembers(candidate.facts):
            return candidate
    words = f"the chat template of the tokenizer {_fault(stock.facts)}, and no training template begins like it"
    others = ", ".join(shipped_templates())
    raise BadInput(f'{words}; name one ({others}, or a Jinja file of your own), or set tools = "hermes".')


def _openings(chosen: TrainingTemplate) -> Iterator[str]:
    """What stands before a first turn in different conversations, and between two turns."""
    template, conversation = chosen.template, chosen.conversation
    for system in ("Be brief.", 'Two\n\nparagraphs, <b>marked</b> & "quoted".', ""):
        for tools in ((), (PROBE_TOOL,), (PROBE_TOOL, PROBE_TOOL | {"name": "other"})):
            for texts in (("Hello.",), ("  One\n", "Two")):
                observation = tuple(Message(role="user", content=text) for text in texts)
                messages = [*conversation.system(system, tools), *conversation.observed(observation)]
                yield template.text(messages, conversation.tools(tools), open_turn=True)
    yield GlueWriter(template, conversation).between((Message(role="user", content="Hello."),))
    results = tuple(Message(role="tool", tool_call_id=f"callabcd{n}", content=f"Result {n}") for n in range(2))
    yield GlueWriter(template, conversation).between(results)
