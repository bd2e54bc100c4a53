"""Reads files of trajectories, however large, one at a time.

Invariant: of the lines of one id only the last counts; a last line without its end, left by a kill, counts where it is
whole and is passed over where it is not. Not covered: writing (`trajectory_file`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pydantic import BaseModel, ValidationError

from autoforge.gym.regular_file import open_regular, shown
from autoforge.gym.runs.outcome import Outcome, outcome_of
from autoforge.gym.trajectory import FORMAT, Trajectory
from autoforge.mcp_envs.errors import BadInput

__all__ = ["latest", "latest_outcomes", "outcomes_of", "whole"]

_GIVE = "give a file that autoforge-gym run wrote"


class _Line(NamedTuple):
    """One line of a file."""

    number: int
    """From 1."""
    start: int
    """Bytes before it."""
    text: bytes
    """With its end, where it has one."""


def latest(path: Path) -> Iterator[Trajectory]:
    """The trajectories of a file, the last of each id, in their order. Raises BadInput with the line."""
    with _opened(path) as file:
        places: dict[str, _Line] = {}
        for line in _lines(path, file):
            places[_id_of(path, line)] = line._replace(text=b"")
        for line in sorted(places.values(), key=lambda line: line.start):
            file.seek(line.start)
            yield _parsed(path, line._replace(text=file.readline()))


def latest_outcomes(path: Path) -> dict[str, Outcome]:
    """What came of the episodes of a file, by their id. Raises BadInput with the line."""
    return {outcome.id: outcome for outcome in outcomes_of(path)}


def outcomes_of(path: Path) -> Iterator[Outcome]:
    """What came of each line. Raises BadInput with the line."""
    with _opened(path) as file:
        for line in _lines(path, file):
            yield outcome_of(_parsed(path, line))


def _opened(path: Path) -> BinaryIO:
    return open_regular(path, _GIVE)


def _lines(path: Path, file: BinaryIO) -> Iterator[_Line]:
    """The lines that hold something; a torn last one is passed over. Raises BadInput where reading fails."""
    start = 0
    try:
        for number, text in enumerate(file, 1):
            line = _Line(number, start, text)
            start += len(text)
            if text.strip() and (text.endswith(b"\n") or whole(text)):
                yield line
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}; {_GIVE}.") from None


def whole(text: bytes) -> bool:
    """Whether a line without its end is a trajectory all the same."""
    try:
        Trajectory.model_validate_json(text)
    except ValidationError:
        return False
    return True


def _parsed(path: Path, line: _Line) -> Trajectory:
    """The trajectory of a line. Raises BadInput."""
    try:
        trajectory = Trajectory.model_validate_json(line.text)
    except ValidationError as error:
        _expect_format(path, line, _format_of(line))
        raise _bad(path, line, error) from None
    _expect_format(path, line, trajectory.format)
    return trajectory


class _Named(BaseModel):
    id: str


class _Formatted(BaseModel):
    format: int = FORMAT


def _format_of(line: _Line) -> int:
    try:
        return _Formatted.model_validate_json(line.text).format
    except ValidationError:
        return FORMAT


def _expect_format(path: Path, line: _Line, found: int) -> None:
    if found != FORMAT:
        words = f"it has format {found}, and this version reads {FORMAT}"
        raise BadInput(f"{path}, line {line.number}: {words}; read it with the version of AutoForge that wrote it.")


def _id_of(path: Path, line: _Line) -> str:
    try:
        return _Named.model_validate_json(line.text).id
    except ValidationError as error:
        raise _bad(path, line, error) from None


def _bad(path: Path, line: _Line, error: ValidationError) -> BadInput:
    first = error.errors()[0]
    where = shown("/".join(map(str, first["loc"])))
    return BadInput(f"{path}, line {line.number}, /{where}: {first['msg']}; {_GIVE}.")
