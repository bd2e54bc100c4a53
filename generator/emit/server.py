"""The text of an environment's `server.py`: one text for every environment, made of `mcp_envs/runtime.py`,
`mcp_envs/arguments` and the `server_*` parts here.

Invariant: the text imports the standard library and what `mcp` brings, nothing of ours, and the runtime in it is the
one that the contained worker runs, byte for byte. The parts are real modules, checked and tested as such; joining them
removes their docstrings and imports of each other only. Not covered: the files that `server.py` reads, which are the
other parts of the environment.
"""

from __future__ import annotations

import ast
import functools
from importlib import resources

__all__ = ["server_py"]

_ARGUMENTS = "autoforge.mcp_envs.arguments"
_PARTS = (
    *((_ARGUMENTS, f"{name}.py") for name in ("values", "patterns", "quick", "sentences", "arguments")),
    *(
        (__package__, f"server_{name}.py")
        for name in ("tools", "images", "episodes", "protocol", "http", "stdio", "main")
    ),
)
_OURS = "autoforge"
_FUTURE = "from __future__ import annotations\n"

_HEAD = '''#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = ["mcp>=2.3,<3"]
# ///
"""The MCP server of this environment: `python server.py` or `uv run server.py`; `--help` lists the rest.

It is the same text in every environment and reads what is particular from its own folder: `environment.json`,
`docs.json`, `schema.sql`, `seed.sql`, `tools.py`, and `policy.md` for its instructions. It needs `mcp`, nothing else.

Invariant: a call either commits whole or changes nothing; a call depends on the state and its arguments only; stdout
carries the protocol only. Not covered: containment. `tools.py` runs in this process with what this process may do; use
a container for code that you do not trust.
"""

from __future__ import annotations
'''

_RULE = "# " + "-" * 117 + "\n"


@functools.cache
def server_py() -> str:
    """The whole text, ready to be written as `server.py`."""
    runtime = resources.files("autoforge.mcp_envs").joinpath("runtime.py").read_text(encoding="utf-8")
    sections = [_section("The state, and one call on it", runtime.partition(_FUTURE)[2])]
    for package, part in _PARTS:
        source = resources.files(package).joinpath(part).read_text(encoding="utf-8")
        sections.append(_section(_title(source), _without_ours(source)))
    return _HEAD + "".join(sections)


def _section(title: str, body: str) -> str:
    return f"\n\n{_RULE}# {title}\n{_RULE}\n{body.strip()}\n"


def _title(source: str) -> str:
    """The first line of a part's docstring, without its lead-in."""
    first = (ast.get_docstring(ast.parse(source)) or "").splitlines()[0]
    return first.partition(": ")[2].rstrip(".")


def _without_ours(source: str) -> str:
    """A part's text without its docstring, its future import and its imports of the other parts."""
    lines: list[str | None] = list(source.splitlines(keepends=True))
    for index, node in enumerate(ast.parse(source).body):
        docstring = index == 0 and isinstance(node, ast.Expr)
        imported = isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in (_OURS, "__future__")
        if docstring or imported:
            lines[node.lineno - 1 : node.end_lineno] = [None] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return "".join(line for line in lines if line is not None)
