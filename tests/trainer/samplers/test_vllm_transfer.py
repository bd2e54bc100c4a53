"""The transfer over NCCL up to the broadcast itself: what servers are told, and what is sent in which order."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor

from autoforge.mcp_envs.errors import AutoForgeError, BadInput, ModelFailure
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.settings import LearnerSettings
from autoforge.trainer.learner.weights import Weight, WeightShape
from autoforge.trainer.samplers import vllm_transfer
from autoforge.trainer.samplers.replicas import Replicas
from autoforge.trainer.samplers.vllm_control import ServerGroup, VllmControl
from autoforge.trainer.samplers.vllm_server import VllmServerSampler, VllmServerSettings
from autoforge.trainer.samplers.vllm_transfer import VllmTransfer, weight_source, within
from tests.trainer.learner.tiny import save_model
from tests.trainer.samplers.fake_vllm import FakeVllm
from tests.trainer.samplers.real_vllm import installed

UPDATE = ["/start_weight_update", "/update_weights", "/finish_weight_update"]


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[FakeVllm, FakeVllm]]:
    monkeypatch.delenv("VLLM_API_KEY", raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with FakeVllm() as first, FakeVllm() as second:
        first.workers, second.workers = 2, 4
        yield first, second


def control(*servers: FakeVllm) -> VllmControl:
    group = ServerGroup(tuple(server.url for server in servers), tuple(server.workers for server in servers))
    return VllmControl(group, seconds=30)


def paths(server: FakeVllm) -> list[str]:
    return [path for path, _ in server.requests]


def test_every_server_has_ranks_of_its_own_and_is_told_the_same(servers: tuple[FakeVllm, FakeVllm]) -> None:
    client = control(*servers)
    client.version = "17"
    client.init_weight_transfer_engine({"rank_offset": 1, "world_size": 7})
    client.start_weight_update()
    client.update_weights({"names": ["a"]})
    client.finish_weight_update()
    joined = [server.bodies("/init_weight_transfer_engine")[0]["init_info"] for server in servers]
    assert joined == [{"rank_offset": 1, "world_size": 7}, {"rank_offset": 3, "world_size": 7}]
    for server in servers:
        assert paths(server) == ["/init_weight_transfer_engine", *UPDATE]
        assert server.bodies("/update_weights") == [{"update_info": {"names": ["a"]}}]
        assert server.bodies("/finish_weight_update") == [{"weight_version": "17"}]


def test_a_server_that_refuses_is_named(servers: tuple[FakeVllm, FakeVllm]) -> None:
    client = control(*servers)
    servers[1].refused = {"/start_weight_update": 500}
    with pytest.raises(AutoForgeError, match=rf"{servers[1].url}/start_weight_update: HTTP 500: .*not like that"):
        client.start_weight_update()
    servers[0].missing = {"/update_weights"}
    with pytest.raises(BadInput, match="no such path; start it with VLLM_SERVER_DEV_MODE=1 and --weight-transfer"):
        client.update_weights({})


def test_the_key_goes_along(servers: tuple[FakeVllm, FakeVllm], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_API_KEY", "a-secret-of-the-server")
    control(servers[0]).start_weight_update()
    assert servers[0].keys == ["Bearer a-secret-of-the-server"]


@pytest.mark.anyio
async def test_servers_say_how_many_gpus_they_have(servers: tuple[FakeVllm, FakeVllm]) -> None:
    each = [VllmServerSampler(VllmServerSettings(url=server.url), stop_ids=[]) for server in servers]
    async with Replicas(each):
        assert [await server.workers() for server in each] == [2, 4]


@pytest.mark.anyio
async def test_a_reload_that_failed_is_not_tried_again_and_says_why(
    servers: tuple[FakeVllm, FakeVllm], tmp_path: Path
) -> None:
    servers[0].refused = {"/collective_rpc": 500}
    async with VllmServerSampler(VllmServerSettings(url=servers[0].url), stop_ids=[]) as sampler:
        with pytest.raises(ModelFailure, match=r"1 tries failed; the last one: HTTP 500: .*not like that"):
            await sampler.load(tmp_path, 1)
    assert len(servers[0].bodies("/collective_rpc")) == 1


def test_a_transfer_that_hangs_ends_at_the_deadline() -> None:
    let_go = threading.Event()
    with pytest.raises(AutoForgeError, match=r"did not end within 0\.05 s"):
        within(0.05, let_go.wait)
    let_go.set()


def test_a_transfer_that_fails_says_why() -> None:
    def broken() -> None:
        raise RuntimeError("NCCL error: unhandled")

    with pytest.raises(AutoForgeError, match="failed: RuntimeError: NCCL error: unhandled"):
        within(30, broken)
    assert within(30, lambda: 5) == 5


def test_without_a_gpu_it_is_refused_in_a_sentence() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(BadInput, match=r"sync\.way = 'nccl' needs GPUs of CUDA.*take --set sync\.way=reload"):
        VllmTransfer(Small(), ServerGroup(("http://h",), (1,)), 1.0)  # type: ignore[arg-type]


class Small:
    """A learner of two weights, one of them with two names."""

    def weight_shapes(self) -> list[WeightShape]:
        return [WeightShape("embed", torch.Size([4, 2]), torch.bfloat16, ("head",)),
                WeightShape("norm", torch.Size([2]), torch.float32, ())]  # fmt: skip

    def weights(self, piece_bytes: int) -> Iterator[list[Weight]]:
        for shape in self.weight_shapes():
            yield [Weight(shape.name, torch.ones(shape.shape, dtype=shape.dtype), shape.aliases)]


class Meta(NamedTuple):
    name: str
    dtype: torch.dtype
    shape: tuple[int, ...]


class SourceOf32:
    def metadata(self) -> list[Meta]:
        raise NotImplementedError


class SourceOf33:
    def __init_subclass__(cls) -> None:
        if not isinstance(vars(cls)["metadata"], cached_property):
            raise TypeError("metadata must be a cached_property")

    @property
    def metadata(self) -> list[Meta]:
        raise NotImplementedError


@pytest.mark.parametrize("base", [SourceOf32, SourceOf33])
def test_a_source_is_what_each_vllm_wants_with_every_name_in_order(base: type, monkeypatch: pytest.MonkeyPatch) -> None:
    package = SimpleNamespace(ParamMeta=Meta, WeightSource=base)
    monkeypatch.setattr(vllm_transfer, "vllm_module", lambda name: package)
    source = weight_source(Small())  # type: ignore[arg-type]
    declared = source.metadata() if base is SourceOf32 else source.metadata
    assert [meta.name for meta in declared] == ["embed", "head", "norm"]
    for pairs in (iter(source), source.iter_full()):
        assert [Meta(name, tensor.dtype, tuple(tensor.shape)) for name, tensor in pairs] == declared


@installed
@pytest.mark.filterwarnings("default")
def test_vllms_own_engine_packs_a_zero_3_model_so_that_servers_unpack_it(
    servers: tuple[FakeVllm, FakeVllm], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vllm.distributed.weight_transfer import nccl_engine, packed_tensor

    sent: list[Tensor] = []

    def producer(iterator: Any, group: Any, src: int, post_iter_func: Callable[[Any], Tensor], **how: Any) -> None:
        """vLLM's without streams of CUDA, and with a small buffer."""
        while (chunk := packed_tensor.pack_tensors(iterator, post_iter_func, 4096)) is not None:
            sent.append(chunk.packed_tensor)

    monkeypatch.setattr(nccl_engine, "open_trainer_endpoint", lambda info: object())
    monkeypatch.setattr(nccl_engine, "packed_nccl_broadcast_producer", producer)
    os.environ["DS_ACCELERATOR"] = "cpu"
    save_model(tmp_path / "model", tied=True)
    learner = Learner(LearnerSettings(model=tmp_path / "model", device="cpu", precision="fp32", zero_stage=3))
    client = control(*servers)
    engine = vllm_transfer._engine(learner, client._servers, client)
    client.version = "3"
    engine.send_weights()
    assert len(sent) > 2  # several buffers, none of which holds the model
    for server in servers:
        assert paths(server) == ["/init_weight_transfer_engine", *UPDATE]
        assert server.bodies("/init_weight_transfer_engine")[0]["init_info"]["world_size"] == 7
        (update,) = server.bodies("/update_weights")
        assert unpacked(update["update_info"], torch.cat(sent)) == unpacked_of(learner)
    learner.close()


def unpacked(update: dict[str, Any], data: Tensor) -> dict[str, list[float]]:
    from vllm.distributed.weight_transfer.packed_tensor import unpack_tensor

    dtypes = [getattr(torch, name) for name in update["dtype_names"]]
    sizes = [torch.Size(shape).numel() * dtype.itemsize for shape, dtype in zip(update["shapes"], dtypes, strict=True)]
    pairs = unpack_tensor(data, update["names"], update["shapes"], dtypes, sizes)
    return {name: tensor.flatten().tolist() for name, tensor in pairs}


def unpacked_of(learner: Learner) -> dict[str, list[float]]:
    return {
        name: weight.tensor.flatten().tolist()
        for piece in learner.weights()
        for weight in piece
        for name in (weight.name, *weight.aliases)
    }


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [(["here", "there"], "10.0.0.5"), (["there", "here"], "10.0.0.5"), (["here"], "127.0.0.1")],
    ids=str,
)
def test_servers_beside_the_learner_and_elsewhere_meet_it_at_an_address_that_both_reach(
    hosts: list[str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = {"http://here:8000": "127.0.0.1", "http://there:8000": "10.0.0.5"}
    monkeypatch.setattr(vllm_transfer, "_address", addresses.__getitem__)
    monkeypatch.setattr(vllm_transfer, "_free_port", lambda address: 5000)
    assert vllm_transfer._meeting([f"http://{host}:8000" for host in hosts]) == (expected, 5000)
