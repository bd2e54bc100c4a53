"""Where settings come from: a preset, over it a file, over that what `--set` says.

Invariant: a value of a later layer takes the place of an earlier one's, tables key by key; of every value it is known
who gave it. Not covered: what values may be (`schema`, `faults`).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.settings.nearest import meant

__all__ = ["ASSIGNED", "Layers", "layers_of", "merged", "preset_names", "preset_text"]

Table: TypeAlias = Mapping[str, Any]
ASSIGNED = "--set"
_BARE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+"


class Layers(NamedTuple):
    """All that was given, as one tree."""

    values: Table
    origins: Mapping[str, str]
    """By dotted key: the file's name, `preset NAME` or `--set`."""
    source: str
    """What the person named: the file, or the preset."""

    @property
    def given(self) -> frozenset[str]:
        """The dotted keys that the person wrote, rather than a preset."""
        return frozenset(key for key, origin in self.origins.items() if not origin.startswith("preset "))


def preset_names() -> tuple[str, ...]:
    """The presets that there are."""
    files = (resources.files("autoforge.trainer.settings") / "presets").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def preset_text(name: str, where: str) -> str:
    """The TOML of a preset. Raises BadInput, which begins with `where` it was named."""
    if name not in preset_names():
        near = meant(name, preset_names())
        raise BadInput(f"{where} no preset{near}; presets are {', '.join(preset_names())}.")
    return (resources.files("autoforge.trainer.settings") / "presets" / f"{name}.toml").read_text(encoding="utf-8")


def layers_of(source: str, assignments: Sequence[str] = ()) -> Layers:
    """The layers of a file, or of a preset by its name where no file is called so. Raises BadInput."""
    preset, table = _file(source) if _is_file(source) else (source, {})
    layers: list[tuple[str, Table]] = []
    if preset is not None:
        where = f"{source}: {preset!r} is" if _is_file(source) else f"{source!r} is no file and"
        layers.append((f"preset {preset}", _parsed(preset_text(preset, where), f"preset {preset}")))
    layers += [(source, table)] if table else []
    layers += [(ASSIGNED, _assignment(text)) for text in assignments]
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for origin, layer in layers:
        values = merged(values, layer)
        origins |= dict.fromkeys(_keys(layer), origin)
    return Layers(values, origins, source)


def merged(below: Table, above: Table) -> dict[str, Any]:
    """Both tables, with what `above` says where both say something."""
    found = dict(below)
    for name, value in above.items():
        under = found.get(name)
        found[name] = merged(under, value) if isinstance(value, Mapping) and isinstance(under, Mapping) else value
    return found


def _is_file(source: str) -> bool:
    return source.endswith(".toml") or Path(source).is_file()


def _file(source: str) -> tuple[str | None, Table]:
    """The preset that a file names, and the rest of it."""
    try:
        text = Path(source).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{source} is not UTF-8 text; give a TOML file.") from None
    except OSError as error:
        words = f"{source} cannot be read: {error.strerror or error}"
        raise BadInput(f"{words}; give a TOML file, or one of the presets {', '.join(preset_names())}.") from None
    table = dict(_parsed(text, source))
    preset = table.pop("preset", None)
    if preset is not None and not isinstance(preset, str):
        raise BadInput(f"{source}: preset must be a name in quotes; presets are {', '.join(preset_names())}.")
    return preset, table


def _parsed(text: str, where: str) -> Table:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{where} is not TOML: {error}; mend that line.") from None
    _refuse_unfit(table, where)
    return table


def _refuse_unfit(table: Table, where: str) -> None:
    """Raises BadInput for what TOML has and no setting takes."""
    for key, value in _leaves(table):
        plain = (
            value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value))
        )
        if not plain:
            raise BadInput(f"{where}: {key} is {value}; no setting is a date, nan or inf: give a number, text or list.")


def _leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(inner, f"{key}.{name}" if key else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, key)
    else:
        yield key, value


def _keys(table: Table, key: str = "") -> Iterator[str]:
    """The dotted keys of all that is no table."""
    for name, value in table.items():
        whole = f"{key}.{name}" if key else name
        if isinstance(value, Mapping):
            yield from _keys(value, whole)
        else:
            yield whole


def _assignment(text: str) -> Table:
    """`learner.zero=2` as a table. A value that is no TOML is taken as text, so that words need no quotes."""
    key, equals, written = (part.strip() for part in text.partition("="))
    names = key.split(".")
    if not equals or not all(name and set(name) <= set(_BARE) for name in names):
        raise BadInput(f"--set {text!r} is no assignment; write it as --set learner.zero=2.")
    if names == ["preset"]:
        raise BadInput(f"--set {text!r}: a preset is named in the file, or in its place: autoforge-train tiny.")
    value = _value(written, text)
    _refuse_unfit({key: value}, ASSIGNED)
    table: dict[str, Any] = {names[-1]: value}
    for name in reversed(names[:-1]):
        table = {name: table}
    return table


def _value(written: str, text: str) -> Any:
    try:
        found = tomllib.loads(f"value = {written}")
        if set(found) == {"value"}:
            return found["value"]
    except tomllib.TOMLDecodeError:
        pass
    if not written or written[0] in "[{\"'" or "\n" in written:
        raise BadInput(
            f"--set {text!r}: {written!r} is no value of TOML; write a number, text, true, false or [a list]."
        )
    return written
