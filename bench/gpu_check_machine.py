"""What a device can do at most, and the lines that the check of a GPU host prints.

Peaks are of dense bf16 and of the memory, from the makers' data sheets by the name that torch gives; of a device that
is not in the table, and of a CPU, both are measured. Invariant: nothing here imports more than torch. Not covered:
several GPUs.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import torch

__all__ = ["PEAKS", "Line", "Lines", "Peak", "peak_memory", "peak_of", "reset_memory", "seconds_of"]


class Peak(NamedTuple):
    """Of a device."""

    teraflops: float
    """1e12 operations a second in bf16, without sparsity."""
    gigabytes: float
    """1e9 bytes a second of its memory."""
    source: str


# By a part of the device's name, the more telling ones first.
PEAKS = {
    "B200": (2250, 8000), "GH200": (989, 4000), "H200": (989, 4800), "H100 NVL": (835, 3900), "H100 PCIe": (756, 2000),
    "H100": (989, 3350), "H800": (989, 3350), "A100-SXM4-40GB": (312, 1555), "A100-PCIE-40GB": (312, 1555),
    "A100": (312, 2039), "L40S": (362, 864), "L40": (181, 864), "L4": (121, 300), "A10G": (70, 600), "A10": (125, 600),
    "RTX A6000": (155, 768), "RTX 4090": (165, 1008), "RTX 3090": (71, 936), "MI300X": (1307, 5300),
}  # fmt: skip


class Line(NamedTuple):
    """One thing that was found out."""

    part: str
    what: str
    value: float | None
    """None where it could not be tested."""
    unit: str = ""
    share: float | None = None
    """Of the bound or the estimate that it is held against."""
    holds: bool | None = None
    """None where nothing is asked of it."""
    note: str = ""


class Lines:
    """Where a part writes what it finds, line by line, so that what was found stays when it is ended."""

    def __init__(self, file: Path, part: str) -> None:
        self._file = file
        self.part = part

    def add(
        self, what: str, value: float | None, unit: str = "", *, share: float | None = None, holds: bool | None = None,
        note: str = "",
    ) -> None:  # fmt: skip
        line = Line(self.part, what, value, unit, share, holds, note)
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line._asdict()) + "\n")

    @staticmethod
    def read(file: Path) -> list[Line]:
        """All lines of a file."""
        if not file.exists():
            return []
        return [Line(**json.loads(text)) for text in file.read_text(encoding="utf-8").splitlines()]


def peak_of(device: torch.device) -> Peak:
    """By its name, or as it is measured."""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"
    for known, (teraflops, gigabytes) in PEAKS.items():
        if known.lower() in name.lower():
            return Peak(teraflops, gigabytes, f"data sheet of {known}")
    return Peak(_multiplied(device), _copied(device), f"measured on {name}")


def _multiplied(device: torch.device) -> float:
    """The best of three products of matrices, in bf16 on a GPU and in float32 on a CPU."""
    size, kind = (8192, torch.bfloat16) if device.type == "cuda" else (768, torch.float32)
    matrix = torch.randn(size, size, device=device, dtype=kind)
    return 2 * size**3 / min(seconds_of(device, lambda: matrix @ matrix) for _ in range(3)) / 1e12


def _copied(device: torch.device) -> float:
    size = 2**30 if device.type == "cuda" else 2**26
    source = torch.zeros(size, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    return 2 * size / min(seconds_of(device, lambda: target.copy_(source)) for _ in range(3)) / 1e9


def seconds_of(device: torch.device, call: Callable[[], object]) -> float:
    """Until the device is done with it."""
    _wait(device)
    began = time.perf_counter()
    call()
    _wait(device)
    return time.perf_counter() - began


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def reset_memory(device: torch.device) -> None:
    """Begin to look for the most memory that is taken."""
    if device.type == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(device)


def peak_memory(device: torch.device) -> float | None:
    """GiB that torch's tensors took at most since; None on a CPU."""
    return torch.cuda.max_memory_allocated(device) / 2**30 if device.type == "cuda" else None
