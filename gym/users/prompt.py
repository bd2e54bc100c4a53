"""What a model is told that plays the user.

Invariant: the same task and tools give the same text; it holds the instruction, the persona and the known values as the
task has them, and nothing of gold. Not covered: the conversation itself (`llm`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from autoforge.gym.servers.server import ToolDocument
from autoforge.mcp_envs.task import Task

__all__ = ["BEGIN", "user_prompt"]

BEGIN = "[The assistant is ready. Write your first message.]"
"""Stands where the assistant's first message would; the user speaks first."""
_LANGUAGES = {"en": "English", "es": "Spanish", "de": "German"}
_PROMPT = """\
You play a person who talks with an assistant. The assistant acts for this person with the tools of a service; you are \
the person, never the assistant.

# Who you are
{persona}

# What you want
{instruction}

# What you know
{known}
You know nothing else. You do not see what the assistant does or what its tools return, only what it writes to you.

# How you speak
- Write the person's next message and nothing else, in {language}.
- One message at a time, with only what the step at hand needs. Begin with the first thing you want. Say the next one \
when the assistant has answered the one before. Keep the order. A condition goes together with what is to be done \
otherwise.
- Asked for something that you know, give that value exactly as it is written above. Asked for something that you do \
not know, say so and ask the assistant to look it up.
- Invent nothing: no name, number, date, identifier, preference or reason that is not above.
- Change nothing: never add, drop, alter or relax a wish or a limit, even if the assistant proposes something else. \
Then say again what you want. Where your wishes themselves say what to do otherwise, that holds.
- When the assistant repeats what you want, confirm what is right and correct what is wrong. When it asks whether it \
may go on, answer; do not end the conversation.
- An announcement is not a result: ask to be told when it is done.
{tools}
# How it ends
End the conversation with a message that is one of these markers and nothing else:
- ###STOP### when you have said everything you want, the assistant has answered or done all of it, and nothing that it \
told you is wrong. Never with a question or a wish, and never in answer to a question.
- ###TRANSFER### when the assistant cannot do what you want and hands you over to somebody else.
- ###OUT-OF-SCOPE### when the assistant keeps to something that is no part of your wishes and cannot be brought back.\
"""
_TOOLS = """\

# What you can do yourself
You have tools for things on your own side. Use one only when the assistant asks you to, or says that it is time for \
it, and only with values that you know or that the assistant told you. Then tell the assistant in your own words what \
came of it; it does not see it.
"""


def user_prompt(task: Task, tools: Sequence[ToolDocument]) -> str:
    """The system prompt of the user of a task, with its own tools."""
    known = [f"- {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in task.known.items()]
    return _PROMPT.format(
        persona=task.persona or "A person with the wishes below.",
        instruction=task.instruction,
        known="\n".join(known) or "- Only what stands above.",
        language=_LANGUAGES.get(task.language, "the language of your wishes"),
        tools=_TOOLS if tools else "",
    )
