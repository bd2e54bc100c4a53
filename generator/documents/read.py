"""`read_documents`: files, folders and standard input to one `Documentation`.

Invariant: either every file is read or BadInput names the one that is not. Not covered: a running server (`server`).
"""

from __future__ import annotations

import stat
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TextIO

from autoforge.generator.documents.build import Names, Schemas, build
from autoforge.generator.documents.detect import heading_of, raw_tools
from autoforge.generator.documents.load import MAXIMUM_BYTES, decode, parse
from autoforge.generator.documents.model import Documentation, FormatCount, ToolDocument, digest_of
from autoforge.generator.documents.raw import Notes, RawTool, one_line
from autoforge.generator.documents.transport import without_transport
from autoforge.mcp_envs.errors import BadInput

__all__ = ["Document", "documentation_of", "files_in", "read_documents"]

_SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml")


class Document(NamedTuple):
    """A parsed document and the name it was given by."""

    source: str
    value: Any


def read_documents(sources: Sequence[Path | str], *, stdin: TextIO | BinaryIO | None = None) -> Documentation:
    """Read tool documentation in any known format.

    A source is a file, a folder (its *.json, *.jsonl, *.ndjson, *.yaml and *.yml files, sorted by name) or `-` for
    standard input. Raises `BadInput` with one sentence for whatever cannot be read.
    """
    if not sources:
        raise BadInput("No documentation was given; name a file or a folder, or - for standard input.")
    return documentation_of([document for source in sources for document in _documents(source, stdin)])


def documentation_of(documents: Sequence[Document]) -> Documentation:
    """The documentation of parsed documents, in their order."""
    notes = Notes()
    found: list[tuple[Document, list[RawTool]]] = []
    for document in documents:
        tools = list(raw_tools(document.value, document.source, notes))
        if not tools:
            raise BadInput(
                f"{document.source}: describes no tools; give tool definitions or an OpenAPI document with paths."
            )
        found.append((document, tools))
    names = Names(notes)
    names.reserve(tool for _, tools in found for tool in tools)
    built = tuple(tool for document, tools in found for tool in _built(document, tools, names, notes))
    built, left_out = without_transport(built)
    headings = [heading for document in documents if any(heading := heading_of(document.value))]
    return Documentation(
        title=next((heading.title for heading in headings if heading.title), None),
        description="\n\n".join(dict.fromkeys(heading.description for heading in headings if heading.description)),
        tools=built,
        formats=tuple(count for document, tools in found for count in _counts(document, tools)),
        renamed=names.renamed,
        notes=(*notes.sentences(), *left_out),
        digest=digest_of(built),
    )


def _built(document: Document, tools: list[RawTool], names: Names, notes: Notes) -> Iterator[ToolDocument]:
    schemas = Schemas(document.value, notes)
    for tool in tools:
        yield build(tool, names.give(tool), schemas, notes)


def _counts(document: Document, tools: list[RawTool]) -> Iterator[FormatCount]:
    for name, count in Counter(tool.format for tool in tools).items():
        yield FormatCount(document.source, name, count)


def _documents(source: Path | str, stdin: TextIO | BinaryIO | None) -> Iterator[Document]:
    if str(source) == "-":
        text = _from_stream(stdin if stdin is not None else sys.stdin.buffer)
        yield Document("-", parse(text, "-"))
        return
    if str(source).startswith(("http://", "https://")):
        raise BadInput(f"{source}: is an address, not a file; save the document first.")
    for path in _files(Path(source)):
        name = one_line(str(path))
        yield Document(name, parse(decode(_bytes(path), name), name, path.suffix.lower()))


def _from_stream(stream: TextIO | BinaryIO) -> str:
    content = stream.read(MAXIMUM_BYTES + 1)
    if len(content) > MAXIMUM_BYTES:
        raise BadInput(
            f"-: standard input is larger than {MAXIMUM_BYTES // 1_000_000} MB; give the tool documentation only."
        )
    return content if isinstance(content, str) else decode(content, "-")


def files_in(path: Path) -> list[Path]:
    """The file, or the documents of the folder, by name. Raises `BadInput` for what is not there or cannot be read."""
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            return [path]
        return sorted(child for child in path.iterdir() if child.suffix.lower() in _SUFFIXES and child.is_file())
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def _files(path: Path) -> list[Path]:
    files = files_in(path)
    if not files:
        suffixes = ", ".join(_SUFFIXES)
        raise BadInput(
            f"{one_line(str(path))}: is a folder without {suffixes} files; name one with tool documentation."
        )
    return files


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            content = file.read(MAXIMUM_BYTES + 1) if size <= MAXIMUM_BYTES else b""
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    if max(size, len(content)) > MAXIMUM_BYTES:
        raise BadInput(
            f"{one_line(str(path))}: is larger than {MAXIMUM_BYTES // 1_000_000} MB; give the tool documentation only."
        )
    return content


def _unreadable(path: Path, error: OSError | ValueError) -> BadInput:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return BadInput(f"{one_line(str(path))}: cannot be read ({reason}); check the path and its permissions.")
