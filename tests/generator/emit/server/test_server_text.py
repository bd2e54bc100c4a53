"""The text of `server.py`: whole, standalone, with the runtime in it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

from autoforge.generator.emit.server import server_py
from autoforge.mcp_envs import runtime

BROUGHT_BY_MCP = {"pydantic_core", "mcp", "anyio", "jsonschema", "opentelemetry", "starlette", "uvicorn"}


def top_level_imports(source: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def test_the_text_imports_the_standard_library_and_what_mcp_brings_only() -> None:
    assert top_level_imports(server_py()) - set(sys.stdlib_module_names) == BROUGHT_BY_MCP


def test_the_runtime_is_in_the_text_byte_for_byte() -> None:
    source = (
        Path(runtime.__file__).read_text(encoding="utf-8").partition("from __future__ import annotations\n")[2].strip()
    )
    assert len(source) > 1000 and source in server_py()


def test_no_name_is_defined_twice() -> None:
    names: Counter[str] = Counter()
    for node in ast.parse(server_py()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names[node.name] += 1
        if isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    assert [name for name, times in names.items() if times > 1] == []


def test_the_header_names_python_and_mcp_as_pep_723_wants() -> None:
    found = re.search(r"(?m)^# /// script$\s(?P<content>(^#(| .*)$\s)+)^# ///$", server_py())
    assert found is not None
    header = tomllib.loads("".join(line[2:] + "\n" for line in found["content"].splitlines()))
    assert header == {"requires-python": ">=3.11", "dependencies": ["mcp>=2.3,<3"]}


def test_the_text_says_what_it_is() -> None:
    assert (ast.get_docstring(ast.parse(server_py())) or "").startswith("The MCP server of this environment")
