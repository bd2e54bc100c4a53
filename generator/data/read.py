"""`read_data`: files that hold a sample of the state → one `DataSample`.

Invariant: the same files, in the same order, with the same hints give the same sample. What a file is says its
content (an SQLite header), else its name. Not covered: how tables are found (`tables`, `csv_file`, `sqlite_file`) and
refined (`finish`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from pathlib import Path

from autoforge.generator.data.csv_file import read_csv
from autoforge.generator.data.drafts import Plan
from autoforge.generator.data.finish import finish
from autoforge.generator.data.json_file import parse_json, parse_json_lines
from autoforge.generator.data.sample import DataSample
from autoforge.generator.data.sqlite_file import is_sqlite, read_sqlite
from autoforge.generator.data.tables import TableBuilder
from autoforge.mcp_envs.errors import BadInput

__all__ = ["MOST_BYTES", "read_data"]

MOST_BYTES = 32_000_000
"""Largest file that is read, in bytes: an initial state is a sample, and each episode gets a copy of it."""
_SQLITE_NAMES = frozenset((".db", ".sqlite", ".sqlite3", ".db3", ".s3db"))
_CSV_NAMES = frozenset((".csv", ".tsv", ".tab", ".psv"))


def read_data(paths: Sequence[Path], hints: Collection[str] = ()) -> DataSample:
    """Read JSON, JSON Lines, CSV and SQLite files as the initial state.

    `hints` are names of the tools' parameters: a map keyed by ticker gets the column `symbol` where one is called so.
    Raises BadInput, in one sentence, where a file cannot be used or two cannot be used together.
    """
    if not paths:
        raise BadInput("No data file was given: name at least one JSON, CSV or SQLite file.")
    builder, digest = TableBuilder(), hashlib.sha256()
    plans: dict[str, Plan] = {}
    notes: list[str] = []
    for path in paths:
        if path.name in plans:
            raise BadInput(f"Two data files are called {path.name}: rename one of them.")
        content = _content(path)
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
        before = len(builder.drafts)
        plans[path.name] = _plan(path, content, builder, notes)
        if len(builder.drafts) == before:
            raise BadInput(
                f"{path.name} holds nothing that could be a table: give an object of records, a list, or a table."
            )
    notes += [f"{name} is empty in the data: its columns come from the documentation alone." for name in builder.empty]
    return finish(builder.drafts, plans, hints, notes, builder.empty, digest.hexdigest())


def _content(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if path.is_file() and size > MOST_BYTES:
            raise BadInput(
                f"{path.name} has {size / 1e6:.0f} MB, and at most {MOST_BYTES / 1e6:.0f} MB are read: "
                "give a smaller sample."
            )
        content = path.read_bytes()
    except FileNotFoundError:
        raise BadInput(f"The data file {path} does not exist: check the path.") from None
    except OSError as error:
        raise BadInput(f"The data file {path} cannot be read ({error.strerror}): give a readable file.") from None
    if not content.strip():
        raise BadInput(f"{path.name} is empty: give a file that holds data.")
    return content


def _plan(path: Path, content: bytes, builder: TableBuilder, notes: list[str]) -> Plan:
    suffix = path.suffix.lower()
    if is_sqlite(content):
        plan, drafts = read_sqlite(path, notes)
        builder.drafts.extend(drafts)
        return plan
    if suffix in _SQLITE_NAMES:
        raise BadInput(
            f"{path.name} does not begin like an SQLite database: it is encrypted, damaged or something else; "
            "export it unencrypted."
        )
    text = _text(path.name, content)
    if suffix in (".jsonl", ".ndjson"):
        return builder.document(path.name, path.stem, parse_json_lines(text, path.name))
    if suffix in _CSV_NAMES or (suffix != ".json" and text.lstrip()[:1] not in tuple('[{"')):
        table = read_csv(text, path.name, path.stem)
        builder.drafts.append(table.draft)
        return table
    return builder.document(path.name, path.stem, parse_json(text, path.name))


def _text(file: str, content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(f"{file} is encoded as UTF-16: save it as UTF-8.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput(
            f"{file}, line {line}: byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8."
        ) from None
