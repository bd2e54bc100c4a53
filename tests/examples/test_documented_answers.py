"""Where the documentation of an example shows a call and its answer, the compiled tool gives that answer."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import yaml

from autoforge.mcp_envs import runtime

ROOT = Path(__file__).parents[2]


def answer(environment: str, function: str, **arguments: Any) -> dict[str, Any]:
    """Of a call on the seed, in this process."""
    folder = ROOT / "mcp_envs" / environment
    spec = importlib.util.spec_from_file_location(f"{environment}_tools", folder / "tools.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    database = runtime.connect()
    for name in ("schema.sql", "seed.sql"):
        database.executescript((folder / name).read_text(encoding="utf-8"))
    found: dict[str, Any] = json.loads(json.dumps(runtime.call(database, getattr(module, function), arguments)))
    return found


def test_the_quote_in_the_documentation_of_the_hotel_is_the_one_that_is_given() -> None:
    document = yaml.safe_load((ROOT / "examples" / "hotel.openapi.yaml").read_text(encoding="utf-8"))
    operations = [o for path in document["paths"].values() for o in path.values() if isinstance(o, dict)]
    [quote] = [o for o in operations if o.get("operationId") == "quoteStay"]
    asked = quote["requestBody"]["content"]["application/json"]["example"]
    told = quote["responses"]["200"]["content"]["application/json"]["example"]
    words = {"roomId": "room_id", "checkInDate": "check_in_date", "checkOutDate": "check_out_date",
             "guestCount": "guest_count", "breakfast": "breakfast"}  # fmt: skip
    assert answer("hotel", "quote_stay", **{words[name]: value for name, value in asked.items()}) == told


def test_no_room_is_free_that_is_out_of_service() -> None:
    free = answer(
        "hotel", "search_availability", check_in_date="2026-04-01", check_out_date="2026-04-03", guest_count=1
    )
    assert {room["status"] for room in free["rooms"]} == {"available", "occupied", "cleaning"}
