"""What a test left on the machine, and HTTP servers of environments."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["FAKE", "SERVER_SECONDS", "HttpServer", "children", "is_alive", "open_files", "serve_http"]

FAKE = Path(__file__).parent / "fake_server.py"
SERVER_SECONDS = 60.0


def is_alive(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def children() -> set[int]:
    """The processes that this one has started and not buried."""
    tasks = Path("/proc/self/task")
    return {int(n) for task in tasks.iterdir() for n in (task / "children").read_text(encoding="utf-8").split()}


def open_files() -> set[str]:
    """What the file descriptors of this process are of, with their numbers."""
    found = set()
    for entry in os.scandir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.add(f"{entry.name} {os.readlink(entry.path)}")
    return found


class HttpServer:
    """A `server.py --http`; entered again after `stop`, it listens on the same port."""

    def __init__(self, folder: Path, *options: str, token: str | None = None, port: int = 0) -> None:
        self._command = [sys.executable, str(folder / "server.py"), *options]
        self._environment = {**os.environ, **({"AUTOFORGE_CONTROL_TOKEN": token} if token else {})}
        self._port = port
        self.process: subprocess.Popen[str]
        self.url = ""

    def start(self) -> str:
        """Where it listens, without `/mcp`."""
        command = [*self._command, "--http", str(self._port)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=self._environment)
        assert self.process.stderr is not None
        while True:
            assert select.select([self.process.stderr], [], [], SERVER_SECONDS)[0], "the server does not listen"
            line = self.process.stderr.readline()
            assert line, "the server ended"
            if line.startswith("serving "):
                self.url = line.split()[1].removesuffix("/mcp")
                self._port = int(self.url.rpartition(":")[2])
                return self.url

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(SERVER_SECONDS)
        assert self.process.stderr is not None
        self.process.stderr.close()


@contextlib.contextmanager
def serve_http(folder: Path, *options: str, token: str | None = None) -> Iterator[HttpServer]:
    server = HttpServer(folder, *options, token=token)
    server.start()
    try:
        yield server
    finally:
        server.stop()
