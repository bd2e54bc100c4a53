"""Every setting with its meaning, as text for a terminal or a page.

Invariant: it is made from the schema, so that no setting is missing. Not covered: the schema.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from autoforge.trainer.algorithm.erpo_settings import METHODS
from autoforge.trainer.settings.fields import Setting, Table, tables
from autoforge.trainer.settings.layers import preset_names
from autoforge.trainer.settings.toml_text import literal

__all__ = ["help_markdown", "help_text"]

_HEAD = """Settings of autoforge-train, as TOML. A value of --set key=value goes over the file's, the file's over those
of its preset, which a line of its own names: preset = "tiny"."""


def help_text(width: int = 110) -> str:
    """For a terminal of so many columns."""
    parts = [_HEAD, f"Presets: {', '.join(preset_names())}. Methods of erpo.method: {', '.join(METHODS)}."]
    return "\n\n".join([*parts, *(_block(table, width) for table in tables())]) + "\n"


def help_markdown() -> str:
    """As tables of Markdown."""
    return "\n\n".join(_markdown(table) for table in tables()) + "\n"


def _block(table: Table, width: int) -> str:
    lines = [f"[{table.key}]  {table.meaning}"]
    for setting in table.settings:
        lines.append(f"  {_short(setting)}: {setting.kind}, {_default(setting)}")
        lines += textwrap.wrap(setting.meaning, width, initial_indent=" " * 6, subsequent_indent=" " * 6)
    return "\n".join(lines)


def _markdown(table: Table) -> str:
    rows = [f"**`[{table.key}]`** {table.meaning}", "", "| setting | takes | default | meaning |", "|---|---|---|---|"]
    for setting in table.settings:
        cells = (f"`{_short(setting)}`", setting.kind, _default(setting).removeprefix("default "), setting.meaning)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def _short(setting: Setting) -> str:
    return setting.key.rpartition(".")[2]


def _default(setting: Setting) -> str:
    if setting.default is ...:
        return "must be given"
    if setting.default is None:
        return "left out unless given"
    value = str(setting.default) if isinstance(setting.default, Path) else setting.default
    return f"default {literal(value)}"
