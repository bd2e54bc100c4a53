"""What `pyproject.toml` says of the distribution is what the tree holds."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS = ("generator", "gym", "mcp_envs", "trainer")
BROUGHT = {"starlette": "mcp", "opentelemetry": "mcp", "uvicorn": "mcp", "markupsafe": "jinja2"}
"""Modules that come with a dependency which is of no use without them."""


def sources() -> list[Path]:
    """Our own modules; generated code has a manifest beside it."""
    found = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py")]
    return [p for p in found if not (p.parent / "environment.json").exists()]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_package_is_shipped_under_autoforge_and_nothing_else_is() -> None:
    packages = {
        ".".join(("autoforge", *p.parent.relative_to(ROOT).parts)) for p in sources() if p.name == "__init__.py"
    }
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == packages
    assert {p.parent for p in sources()} == {ROOT.joinpath(*package.split(".")[1:]) for package in packages}


def test_every_file_that_is_no_module_is_shipped() -> None:
    data = PROJECT["tool"]["setuptools"]["package-data"]
    shipped = {
        path
        for package, patterns in data.items()
        for pattern in patterns
        for path in ROOT.joinpath(*package.split(".")[1:]).glob(pattern)
    }
    there = {
        p
        for folder in ("generator", "gym", "trainer")
        for p in (ROOT / folder).rglob("*")
        if p.is_file() and p.suffix not in (".py", ".pyc")
    }
    assert there == shipped


def test_every_import_is_declared_and_every_dependency_is_imported() -> None:
    base = _names(PROJECT["project"]["dependencies"])
    extra = _names(PROJECT["project"]["optional-dependencies"]["train"])
    parts = {
        trains: [p for p in sources() if (p.relative_to(ROOT).parts[0] == "trainer") == trains] for trains in (0, 1)
    }
    assert _needed(parts[False], base) == base
    assert _needed(parts[True], base | extra) <= base | extra


def _names(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[<>=\[ ]", requirement)[0]) for requirement in requirements}


def _needed(paths: list[Path], declared: set[str]) -> set[str]:
    """The distributions of what is imported, but for what a declared one is of no use without."""
    known = packages_distributions()
    imported = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            imported |= {name.partition(".")[0] for name in names}
    ours = imported - set(sys.stdlib_module_names) - {"autoforge", ""}
    brought = {name for name in ours if BROUGHT.get(name) in declared}
    return {normal(d) for name in ours - brought for d in known.get(name, [name])}


def test_imports_run_one_way() -> None:
    """mcp_envs <- gym <- generator, gym <- trainer; only the recorded exception of a generated server is text."""
    below = {"mcp_envs", "gym"}
    allowed = {
        "mcp_envs": {"mcp_envs"},
        "gym": below,
        "generator": {*below, "generator"},
        "trainer": {*below, "trainer"},
    }
    for path in sources():
        own = path.relative_to(ROOT).parts[0]
        text = path.read_text(encoding="utf-8")
        used = set(re.findall(r"^\s*(?:from|import) autoforge\.(\w+)", text, re.MULTILINE))
        assert used <= allowed[own], path
