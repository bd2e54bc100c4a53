from __future__ import annotations

from pathlib import Path

import pytest
import torch

from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.learner.failures import enough_memory
from autoforge.trainer.learner.ranks import Ranks, join, leave
from tests.trainer.learner.tiny import settings

NO_GPU = not torch.cuda.is_available()


@pytest.mark.skipif(not NO_GPU, reason="there is a GPU")
@pytest.mark.parametrize(
    ("changed", "words"),
    [({"device": "cuda"}, "device = cuda, but torch finds no GPU"), ({"precision": "bf16"}, "bf16 wants a GPU")],
)
def test_a_gpu_that_is_asked_for_and_not_there_is_refused(changed: dict[str, str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        join(settings(Path("model"), **({"device": "auto"} | changed)), {})


def test_half_of_what_a_launcher_sets_is_refused() -> None:
    with pytest.raises(BadInput, match="but not LOCAL_RANK, MASTER_ADDR, MASTER_PORT; use torchrun or deepspeed"):
        join(settings(Path("model")), {"RANK": "0", "WORLD_SIZE": "2"})


def test_a_process_without_a_launcher_is_alone() -> None:
    ranks = join(settings(Path("model")), {})
    try:
        assert ranks == Ranks(0, 0, 1, torch.device("cpu"), torch.float32)
        assert ranks.gather("word") == ["word"]
    finally:
        leave()


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        MemoryError(),
    ],
)
def test_running_out_of_memory_becomes_a_sentence(error: Exception) -> None:
    with (
        pytest.raises(AutoForgeError, match="memory ran out while testing; make micro-batches smaller"),
        enough_memory("testing"),
    ):
        raise error


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(RuntimeError, match="shapes differ"), enough_memory("testing"):
        raise RuntimeError("shapes differ")
