"""The `README.md` of an environment: what it is, how to run it, how to plug it into a client.

Invariant: it says only what the manifest says and what `server.py` does; the same manifest gives the same bytes. Not
covered: the tasks and the verdicts, which `report.html` shows.
"""

from __future__ import annotations

import json

from jinja2 import Environment, StrictUndefined

from autoforge.mcp_envs.manifest import Effects, Manifest

__all__ = ["readme_md"]

_TEXT = """\
# {{ title }}

{{ description }}
An MCP server over a SQLite state, compiled from tool documentation by {{ manifest.provenance.generator }}.
{{ manifest.tables | length }} tables, {{ manifest.tools | length }} tools
{%- if users %}, of which {{ users | length }} belong to the simulated user{% endif %}.

| tool | whose | reads | changes |
|---|---|---|---|
{% for tool in manifest.tools -%}
| `{{ tool.name }}` | {{ tool.side }} | {{ names(tool.effects.reads) }} | {{ changes(tool.effects) }} |
{% endfor %}
## Run

It needs Python 3.11 or later and `mcp`, nothing of AutoForge:

```bash
pip install "mcp>=2.3,<3"
python server.py                    # stdio
uv run server.py                    # stdio; uv brings mcp by itself
python server.py --http 8000        # streamable HTTP at http://127.0.0.1:8000/mcp
python server.py --db state.sqlite  # keep the state in a file; without --db it ends with the process
```

`python server.py --help` lists the rest. For a client that starts its servers itself, such as Claude Desktop:

```json
{{ configuration }}
```

Look at it with the MCP Inspector:

```bash
npx -y @modelcontextprotocol/inspector --cli --method tools/list python server.py
npx -y @modelcontextprotocol/inspector python server.py
```
{% if users %}
The tools {{ names(users) }} are the user's, not the agent's: they are neither listed nor callable unless the server is
started with `--side user` or `--side all`. Over HTTP they are then at `/user/mcp`, never at `/mcp`.
{% endif %}
## Episodes

Each episode has a state of its own, made from `schema.sql` and `seed.sql` at its first call. A request names it by its
path (`/episodes/{id}/mcp`), else by the header `x-autoforge-episode`, else by `_meta["autoforge/episode"]`, which works
on every transport; an id is 1 to 64 of `A-Z a-z 0-9 _ . -`. Requests that name none share the episode `default`.
With `--db folder/` each episode is a file, `folder/<id>.sqlite`.

Started with `--control-token-env NAME`, where the variable NAME holds a secret, the HTTP server also answers the owner
of the episodes:

```bash
curl -X PUT    -H "Authorization: Bearer $NAME" localhost:8000/episodes/e1                    # a fresh state
curl -X PUT    -H "Authorization: Bearer $NAME" -d '{"initial": ["UPDATE …"]}' localhost:8000/episodes/e1
curl           -H "Authorization: Bearer $NAME" localhost:8000/episodes/e1 -o e1.sqlite       # the SQLite file
curl -X DELETE -H "Authorization: Bearer $NAME" localhost:8000/episodes/e1
```

A `PUT` of type `application/vnd.sqlite3` takes a whole file. No tool loads, saves or resets a state.

## What it does not do

A `server.py` that you start by hand is not contained: `tools.py`{{ synthesized }} had a static check against an
allow-list and nothing more. It runs with the rights of the process that starts it, so run it in a container when you do
not trust the model that wrote it.
"""


def readme_md(manifest: Manifest) -> str:
    """The text of `README.md`, with one newline at its end."""
    template = Environment(undefined=StrictUndefined, autoescape=False).from_string(_TEXT)
    written = f", written by {manifest.provenance.model}," if manifest.provenance.model else ""
    text = template.render(
        manifest=manifest,
        title=manifest.title or manifest.name,
        description=_sentence(manifest.description),
        users=[tool.name for tool in manifest.tools if tool.side == "user"],
        names=_names,
        changes=_changes,
        configuration=_configuration(manifest.name),
        synthesized=written,
    )
    return text.strip() + "\n"


def _sentence(text: str) -> str:
    """A description as a paragraph of its own, if there is one."""
    return f"{' '.join(text.split())}\n" if text.strip() else ""


def _configuration(name: str) -> str:
    server = {"command": "uv", "args": ["run", f"/path/to/{name}/server.py"]}
    return json.dumps({"mcpServers": {name: server}}, indent=2)


def _names(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "—"


def _changes(effects: Effects) -> str:
    """What a tool writes, in words."""
    said = [f"adds to `{table}`" for table in effects.creates]
    said += [f"sets {_names(columns)} of `{table}`" for table, columns in effects.updates.items()]
    said += [f"deletes from `{table}`" for table in effects.deletes]
    return "; ".join(said) or "—"
