"""Settings that are right alone and do not go together.

Invariant: what is refused here would fail, or do something else than was asked for, in a run. Not covered: memory
(`plan`), settings that do nothing (`heeded`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from autoforge.gym.llm.spec import check_base_url, parse_model
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.settings.heeded import Fault
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["disagreements"]


def disagreements(settings: TrainerSettings) -> Iterator[Fault]:
    """The keys at fault, and why."""
    yield from _world(settings)
    yield from _lengths(settings)
    yield from _engines(settings)
    yield from _stages(settings)


def _world(settings: TrainerSettings) -> Iterator[Fault]:
    both = set(settings.environments.train) & set(settings.environments.unseen)
    if both:
        yield Fault("environments.unseen", f"names {min(both)!r}, which is trained on; take it out of one of the two.")
    for key, name, own in (("user.model", settings.user.model, ("scripted",)),
                           ("judge.model", settings.judge.model, ("rules", "none"))):  # fmt: skip
        if name not in own and (why := _refusal(parse_model, name)):
            yield Fault(key, f"= {name!r} is none of {', '.join(own)}, PROVIDER:MODEL: {why}.")
    for key, url in (("user.base_url", settings.user.base_url), ("judge.base_url", settings.judge.base_url),
                     *(("sampler.urls", url) for url in settings.sampler.urls)):  # fmt: skip
        if url is not None and (why := _refusal(check_base_url, url)):
            yield Fault(key, f"is no address: {why}.")


def _refusal(check: object, text: str) -> str:
    assert callable(check)
    try:
        check(text)
    except BadInput as error:
        return str(error)
    return ""


def _lengths(settings: TrainerSettings) -> Iterator[Fault]:
    context, most = settings.rollouts.policy.context, settings.rollouts.policy.max_tokens
    if most > context:
        yield Fault("rollouts.policy.max_tokens", f"= {most} is more than rollouts.policy.context = {context}.")
    rows = settings.learner.micro_batch_tokens
    if rows < context:
        words = (
            f"= {rows} holds no conversation of rollouts.policy.context = {context}; raise the one, or lower the other."
        )
        yield Fault("learner.micro_batch_tokens", words)
    tasks, least = settings.erpo.selection.tasks, settings.erpo.selection.tasks_per_environment
    if tasks < least:
        yield Fault("erpo.selection.tasks", f"= {tasks} is less than tasks_per_environment = {least}; raise it.")
    own = settings.environments.tasks
    if own is not None and own < least:
        words = f"= {own} is less than erpo.selection.tasks_per_environment = {least}; raise it."
        yield Fault("environments.tasks", words)
    if settings.erpo.selection.shuffled and settings.erpo.credit.weight:
        yield Fault("erpo.selection.shuffled", "= true leaves credit of turns as it is; set erpo.credit.weight=0.")
    if settings.learner.updates > tasks:
        yield Fault("learner.updates", f"= {settings.learner.updates} divides a batch of {tasks} tasks; lower it.")


def _engines(settings: TrainerSettings) -> Iterator[Fault]:
    sampler, learner, way = settings.sampler, settings.learner, settings.sync.way
    if sampler.engine == "torch" and sampler.placement == "apart":
        yield Fault("sampler.placement", "= 'apart' needs vLLM; the engine 'torch' lives in the learner's processes.")
    if sampler.engine == "vllm-server" and not sampler.urls:
        yield Fault("sampler.urls", 'is missing; name the servers, as ["http://HOST:PORT/v1"].')
    if sampler.engine == "vllm-server" and sampler.placement == "shared" and settings.run.device == "cuda":
        yield Fault(
            "sampler.placement",
            "= 'shared' cannot be for servers; write \"apart\" and count their GPUs in sampler.gpus.",
        )
    gpus = learner.ranks if sampler.placement == "shared" else sampler.gpus
    if sampler.engine != "torch" and gpus % sampler.tensor_parallel:
        yield Fault(
            "sampler.tensor_parallel", f"= {sampler.tensor_parallel} does not divide the sampler's {gpus} GPUs."
        )
    if way == "nccl" and (sampler.engine != "vllm-server" or settings.run.device == "cpu"):
        yield Fault("sync.way", "= 'nccl' is between servers of vLLM and a learner on GPUs; write \"auto\".")
    if way == "memory" and sampler.engine == "vllm-server":
        yield Fault("sync.way", "= 'memory' is within one process, and the sampler is a server; write \"auto\".")
    if learner.offload and (learner.zero == 0 or settings.run.device == "cpu"):
        yield Fault(
            "learner.offload", "= true moves a sharded optimizer off GPUs; it needs learner.zero = 1 or more, and GPUs."
        )


def _stages(settings: TrainerSettings) -> Iterator[Fault]:
    start = settings.cold_start
    if start.source == "trajectories" and not start.files:
        yield Fault("cold_start.files", "is missing; name files that autoforge-gym run wrote.")
    missing = next((file for file in start.files if not Path(file).is_file()), None)
    if start.source == "trajectories" and missing is not None:
        yield Fault("cold_start.files", f"names {str(missing)!r}, which is no file here.")
    if settings.run.steps == 0 and start.source == "none":
        yield Fault(
            "run.steps", "= 0 and cold_start.source = 'none' leave nothing to do; raise the one or set the other."
        )
    if start.source != "none" and start.warmup >= start.steps:
        yield Fault("cold_start.warmup", f"= {start.warmup} leaves none of cold_start.steps = {start.steps}; lower it.")
    if settings.run.steps and settings.learner.warmup >= settings.run.steps:
        yield Fault(
            "learner.warmup", f"= {settings.learner.warmup} leaves none of run.steps = {settings.run.steps}; lower it."
        )
