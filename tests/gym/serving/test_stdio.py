"""Lines of a descriptor: whole, in order, and not waited for longer than wanted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from autoforge.gym.serving.stdio import Lines

pytestmark = pytest.mark.anyio


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    for descriptor in (read, write):
        try:
            os.close(descriptor)
        except OSError:
            continue


async def test_lines_come_whole_however_they_are_cut_and_a_torn_last_one_does_not(pipe: tuple[int, int]) -> None:
    read, write = pipe
    pieces = [b"on", b"e\ntw", b"o\n\nth\xc3", b"\xbcree\n", b"torn"]
    found = []

    async def send() -> None:
        for piece in pieces:
            os.write(write, piece)
            await anyio.wait_all_tasks_blocked()
        os.close(write)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(send)
            async for line in Lines(read):
                found.append(line)
    assert found == ["one", "two", "", "thüree"]


async def test_waiting_for_a_line_can_be_cancelled(pipe: tuple[int, int]) -> None:
    with anyio.fail_after(10):
        with anyio.move_on_after(0.05) as scope:
            await anext(aiter(Lines(pipe[0])))
    assert scope.cancelled_caught


async def test_a_file_is_read_like_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(b"x" * 200_000 + b"\nb\n")
    descriptor = os.open(path, os.O_RDONLY)
    try:
        assert [len(line) async for line in Lines(descriptor)] == [200_000, 1]
    finally:
        os.close(descriptor)
