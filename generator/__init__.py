"""The compiler: tool documentation in, a standalone MCP server with SQLite state out."""
