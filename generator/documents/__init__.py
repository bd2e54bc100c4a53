"""Tool documentation of any known format, read into MCP `Tool` objects; what was inferred or mended is said."""

from __future__ import annotations

from autoforge.generator.documents.model import Documentation, FormatCount, HttpOperation, ToolDocument
from autoforge.generator.documents.read import read_documents
from autoforge.generator.documents.server import read_server

__all__ = ["Documentation", "FormatCount", "HttpOperation", "ToolDocument", "read_documents", "read_server"]
