"""Answers of a model, written by hand through a relay and kept by what they are about: stage, tool, round of repair.

A folder of recordings holds `structure.json`, `seed.json` and `functions/TOOL.md`, `functions/TOOL.repair-N.md`:
lines of `field: value`, then the source in a fenced block. Invariant: an answer is found by the first line of the
prompt alone, so that recordings outlive changes of its wording and of how tools are grouped. By hand, `python
recorded.py BOX RECORDINGS…` answers the open requests in the box of a relay for a minute, and says what is missing.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

__all__ = ["answer_to", "label_of"]

_LABEL = re.compile(r"Request: (?P<stage>\w+)(?: (?P<round>\d+))?(?: of (?P<about>.*))?\nService: (?P<service>.*)")


def label_of(body: dict[str, Any]) -> dict[str, Any]:
    """Of a request body: stage, round, the tools or entities asked for, the service, and which attempt it is."""
    turns = [m for m in body["messages"] if m["role"] == "user"]
    first = turns[0]["content"]
    text = first if isinstance(first, str) else "".join(part["text"] for part in first)
    match = _LABEL.match(text)
    assert match is not None, text[:200]
    about = [name.strip() for name in (match["about"] or "").split(",") if name.strip()]
    return {
        "stage": match["stage"],
        "round": int(match["round"] or 0),
        "about": about,
        "service": match["service"],
        "attempt": len(turns),
    }


def answer_to(folder: Path, body: dict[str, Any]) -> str:
    """The recorded answer. Raises FileNotFoundError, naming what is missing."""
    label = label_of(body)
    if label["stage"] == "structure":
        return (folder / "structure.json").read_text(encoding="utf-8")
    if label["stage"] == "seed":
        tables = json.loads((folder / "seed.json").read_text(encoding="utf-8"))["tables"]
        return json.dumps({"tables": [t for t in tables if t["entity"] in label["about"]]}, ensure_ascii=False)
    suffix = f".repair-{label['round']}" if label["stage"] == "repair" else ""
    functions = [_function(folder / "functions" / f"{tool}{suffix}.md", tool) for tool in label["about"]]
    return json.dumps({"functions": functions}, ensure_ascii=False)


def _function(path: Path, tool: str) -> dict[str, Any]:
    head, _, rest = path.read_text(encoding="utf-8").partition("```python\n")
    lines = [line.partition(": ")[::2] for line in head.splitlines() if ": " in line]
    fields = {name: value for name, value in lines if name in ("kind", "entity")}
    assumptions = [value for name, value in lines if name == "assumes"]
    return {"tool": tool, **fields, "source": rest.rpartition("```")[0], "assumptions": assumptions}


def _serve_box(box: Path, folders: list[Path]) -> None:
    """Answer every open request in the box of a relay."""
    for request in sorted(box.glob("*.request.json")):
        stem = request.name.removesuffix(".request.json")
        if (box / f"{stem}.answer.md").exists():
            continue
        body = json.loads(request.read_text(encoding="utf-8"))
        service = label_of(body)["service"].lower().replace(" ", "_")
        folder = next(f for f in folders if f.name == service)
        try:
            text = answer_to(folder, body)
        except FileNotFoundError as missing:
            print(f"{stem}: {label_of(body)}: {missing.filename} is missing", flush=True)
            continue
        draft = box / f"{stem}.answer.tmp"
        draft.write_text(text, encoding="utf-8")
        draft.rename(box / f"{stem}.answer.md")
        print(f"{stem}: answered {label_of(body)}", flush=True)


if __name__ == "__main__":
    end = time.monotonic() + 60
    while time.monotonic() < end:
        _serve_box(Path(sys.argv[1]), [Path(f) for f in sys.argv[2:]])
        time.sleep(1)
