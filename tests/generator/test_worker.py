"""A process of a pool: it unwinds to the end, however often it is told to end."""

from __future__ import annotations

import signal
import subprocess
import sys

from autoforge.generator.worker import ENDED

SECONDS = 60.0
WORK = """
import os, signal, sys
from autoforge.generator.worker import obey_parent

obey_parent()
try:
    os.kill(os.getpid(), signal.SIGINT)
    print("at work", flush=True)
    sys.stdin.read()
finally:
    for _ in range(3):
        os.kill(os.getpid(), signal.SIGTERM)
    print("unwound", flush=True)
"""


def test_a_process_that_is_told_to_end_again_still_unwinds() -> None:
    with subprocess.Popen([sys.executable, "-c", WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == b"at work\n"
            process.send_signal(signal.SIGTERM)
            assert process.stdout.readline() == b"unwound\n"
            assert process.wait(SECONDS) == ENDED
        finally:
            process.kill()
