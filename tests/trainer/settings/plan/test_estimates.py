"""Memory and seconds against cases computed by hand, and laws that hold for all settings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from autoforge.trainer.settings.load import load_settings
from autoforge.trainer.settings.plan.advice import changed
from autoforge.trainer.settings.plan.fit import devices_of
from autoforge.trainer.settings.plan.learner_memory import learner_memory, trained_parameters
from autoforge.trainer.settings.plan.sampler_memory import GIB, replicas_of, sampler_memory
from autoforge.trainer.settings.plan.seconds import seconds_of
from autoforge.trainer.settings.plan.shape import ModelShape
from autoforge.trainer.settings.plan.work import work_of
from autoforge.trainer.settings.schema import TrainerSettings

SHAPE = ModelShape(layers=2, hidden=8, heads=2, kv_heads=1, head_dim=4, intermediate=16, vocabulary=100, tied=True)
"""Attention 2·8·(8 + 4) = 192, feed-forward 3·8·16 = 384, norms 16; two layers 1184, last norm 8, embedding 800."""
MIXED = SHAPE._replace(experts=4, chosen=2, expert_intermediate=6, sparse_layers=2)


def given_settings(*assignments: str) -> TrainerSettings:
    """On GPUs, bf16, with lengths that are easily multiplied by."""
    lengths = ["rollouts.policy.context=1000", "rollouts.policy.max_tokens=100", "learner.micro_batch_tokens=1000",
               "erpo.selection.tasks=4", "rollouts.group=2", "rollouts.in_flight=8", "learner.head_tokens=10",
               "assumptions.opening_tokens=100", "assumptions.turns=4", "assumptions.turn_tokens=50",
               "assumptions.observation_tokens=25", "assumptions.refilled=0.5"]  # fmt: skip
    base = ["model.path=tiny", "environments.train=['hotel']", *lengths]
    return load_settings("one-gpu", [*base, *assignments]).settings


def test_the_shape_has_the_parameters_that_were_counted_by_hand() -> None:
    assert (SHAPE.parameters, SHAPE.active, SHAPE.multiplied) == (1992, 1992, 2 * 576 + 800)
    # A sparse layer: 192 + 16 + 4·3·8·6 + a router of 8·4; a token goes through two experts.
    assert MIXED.parameters == 2 * (192 + 16 + 576 + 32) + 8 + 800
    assert MIXED.parameters - MIXED.active == 2 * 2 * 144
    assert MIXED.largest_layer == 816


def test_a_step_plays_the_batch_and_what_is_drawn_again() -> None:
    work = work_of(given_settings())
    assert (work.trained, work.played, work.turns) == (8, 12.0, 4)
    assert (work.length, work.sampled) == (100 + 4 * 75, 200)
    assert (work.trained_tokens, work.sampled_tokens, work.read_tokens) == (3200, 2400.0, 2400.0)


@pytest.mark.parametrize(
    ("assignment", "turns", "length"),
    [
        ("rollouts.limits.turns=2", 2, 250),
        ("assumptions.opening_tokens=900", 1, 975),
        ("assumptions.opening_tokens=2000", 0, 1000),
    ],
)
def test_limits_and_context_shorten_episodes(assignment: str, turns: int, length: int) -> None:
    work = work_of(given_settings(assignment))
    assert (work.turns, work.length) == (turns, length)


def test_nothing_is_drawn_again_without_refills() -> None:
    assert work_of(given_settings("erpo.selection.refill_rounds=0")).played == 8


@pytest.mark.parametrize(
    ("assignments", "weights", "gradients", "optimizer", "gathered"),
    [
        ([], 2 * 1992, 2 * 1992, 12 * 1992, 0),
        (["model.precision=fp32"], 4 * 1992, 4 * 1992, 8 * 1992, 0),
        (["learner.ranks=4", "learner.zero=1"], 2 * 1992, 2 * 1992, 3 * 1992, 0),
        (["learner.ranks=4", "learner.zero=2"], 2 * 1992, 1992 / 2, 3 * 1992, 0),
        (["learner.ranks=4", "learner.zero=3"], 1992 / 2, 1992 / 2, 3 * 1992, 2 * 592 * 2),
        (["learner.lora.rank=3", "learner.lora.targets=['q_proj', 'v_proj']"], 2 * 1992, 2 * 168, 12 * 168, 0),
    ],
)  # fmt: skip
def test_the_learner_holds_weights_gradients_and_optimizer_as_zero_says(
    assignments: list[str], weights: float, gradients: float, optimizer: float, gathered: float
) -> None:  # fmt: skip
    memory = learner_memory(given_settings(*assignments), SHAPE)
    assert (memory.weights, memory.gradients, memory.optimizer, memory.gathered) == (
        weights,
        gradients,
        optimizer,
        gathered,
    )


def test_an_offloaded_optimizer_is_in_the_hosts_memory() -> None:
    memory = learner_memory(given_settings("learner.zero=1", "learner.offload=true"), SHAPE)
    assert (memory.optimizer, memory.host) == (0, 12 * 1992)
    assert memory.total == memory.weights + memory.gradients + memory.activations + memory.head


def test_activations_with_and_without_checkpointing() -> None:
    # A layer keeps 6·8 + 4·8 + 4·4 + 4·16 = 160 values of a token; 1000 tokens, 2 bytes, 2 layers.
    assert learner_memory(given_settings("learner.checkpointing=false"), SHAPE).activations == 1000 * 2 * 2 * 160
    assert learner_memory(given_settings(), SHAPE).activations == 1000 * 2 * (2 * 8 + 160)
    # With experts 96 + 4·2·6 + 2·2·8 = 176.
    assert learner_memory(given_settings(), MIXED).activations == 1000 * 2 * (2 * 8 + 176)


def test_logits_exist_for_a_few_tokens_at_a_time() -> None:
    assert learner_memory(given_settings(), SHAPE).head == 10 * 100 * (2 + 4 + 4)


def test_adapters_of_all_layers_are_counted() -> None:
    # q 16, k 12, v 12, o 16, three of 24, in two layers.
    assert trained_parameters(given_settings("learner.lora.rank=1"), SHAPE) == 2 * (16 + 12 + 12 + 16 + 3 * 24)


def test_vllm_takes_its_share_and_its_cache_what_the_weights_leave() -> None:
    settings = given_settings("sampler.memory_share=0.5", "assumptions.memory=10.0", "assumptions.overhead=1.0")
    memory = sampler_memory(settings, SHAPE, work_of(settings))
    token = 2 * 2 * 4 * 2
    assert (memory.weights, memory.cache_token, memory.cache) == (3984, token, 4 * GIB - 3984)
    assert memory.wanted == 8 * 400 * token and memory.room == int((4 * GIB - 3984) // (400 * token))


def test_torch_takes_what_its_episodes_need_at_their_longest() -> None:
    settings = load_settings("tiny").settings
    memory = sampler_memory(settings, SHAPE, work_of(settings))
    assert memory.cache == 128 * 1024 * 2 * 2 * 4 * 4 and memory.longest == 128


def test_more_gpus_than_heads_of_keys_hold_the_cache_more_than_once() -> None:
    wide = given_settings("sampler.placement=apart", "sampler.gpus=4", "sampler.tensor_parallel=4")
    memory = sampler_memory(wide, SHAPE, work_of(wide))
    assert memory.weights == 2 * 1992 / 4 and memory.cache_token == 2 * 2 * 4 * 2  # one head
    assert sampler_memory(wide, SHAPE._replace(kv_heads=2), work_of(wide)).cache_token == 2 * 2 * 8 * 2 / 2


def test_replicas_share_the_gpus_and_the_episodes() -> None:
    settings = load_settings("qwen3-30b-a3b").settings
    assert replicas_of(settings) == (16, 2, 20)


def test_a_token_takes_as_long_as_reading_weights_and_caches() -> None:
    settings = given_settings("assumptions.bandwidth=0.001", "assumptions.sampler_share=0.5")
    seconds = seconds_of(settings, SHAPE, work_of(settings))
    moved = (1992 + 8 * 16 * 200) * 2  # eight sequences, half of 400 tokens, 16 values each
    assert seconds.token == pytest.approx(moved / 0.5e6)
    assert seconds.sampling == pytest.approx(2400 * seconds.token / 8 + 2400 * 2 * 1952 / 494.5e12)


def test_a_token_takes_as_long_as_arithmetic_where_that_is_longer() -> None:
    settings = given_settings("assumptions.teraflops=1e-6", "assumptions.sampler_share=0.5")
    assert seconds_of(settings, SHAPE, work_of(settings)).token == pytest.approx(2 * 1952 * 8 / 0.5e6)


def test_of_experts_only_those_that_are_touched_are_read() -> None:
    settings = given_settings("rollouts.in_flight=1", "assumptions.bandwidth=0.001", "assumptions.sampler_share=1.0")
    moved = (MIXED.parameters - 2 * 4 * 144 / 2 + 16 * 200) * 2  # one token chooses two of four
    assert seconds_of(settings, MIXED, work_of(settings)).token == pytest.approx(moved / 1e6)


def test_rollouts_wait_for_the_user_where_that_is_longer() -> None:
    settings = given_settings(
        "assumptions.user_seconds=10.0", "assumptions.user_turns=3", "assumptions.call_seconds=2.0"
    )
    seconds = seconds_of(settings, SHAPE, work_of(settings))
    assert (seconds.user, seconds.calls) == (30.0, 2.0)
    assert seconds.rollouts == pytest.approx(2 * (32 + 200 * seconds.token))  # twelve episodes, eight at a time


@pytest.mark.parametrize(("checkpointing", "updates", "passes"), [("false", 1, 3), ("true", 1, 4), ("true", 2, 5)])
def test_training_is_forwards_backwards_and_once_more_for_the_old_policy_of_several_updates(
    checkpointing: str, updates: int, passes: int
) -> None:
    settings = given_settings(
        f"learner.checkpointing={checkpointing}", f"learner.updates={updates}", "learner.ranks=2",
        "assumptions.learner_share=0.5",
    )  # fmt: skip
    seconds = seconds_of(settings, SHAPE, work_of(settings))
    forward = 2 * 1952 + 2 * 2 * 8 * 400
    assert seconds.training == pytest.approx(passes * forward * 3200 / (0.5 * 989e12 * 2))


def test_a_step_is_the_sum_or_the_longer_where_sampler_and_learner_overlap() -> None:
    settings = given_settings()
    seconds = seconds_of(settings, SHAPE, work_of(settings))
    assert seconds.step == pytest.approx(seconds.rollouts + seconds.training + seconds.sync)
    apart = given_settings("sampler.placement=apart", "rollouts.max_staleness=1")
    seconds = seconds_of(apart, SHAPE, work_of(apart))
    assert seconds.step == pytest.approx(max(seconds.rollouts, seconds.training) + seconds.sync)
    assert seconds.sync == pytest.approx(2 * 1992 / 10e9)


RANKS = st.sampled_from([1, 2, 8])
STAGES = st.integers(0, 3)


@examples(deadline=None)
@given(RANKS, STAGES, st.booleans(), st.sampled_from([SHAPE, MIXED]))
def test_more_sharing_never_needs_more_but_for_the_whole_layers(
    ranks: int, stage: int, checkpointing: bool, shape: ModelShape
) -> None:
    settings = changed(
        given_settings(), {"learner.ranks": ranks, "learner.zero": stage, "learner.checkpointing": checkpointing}
    )
    memory = learner_memory(settings, shape)
    more = changed(settings, {"learner.ranks": ranks * 2})
    lower = learner_memory(more, shape)
    assert lower.total - lower.gathered <= memory.total - memory.gathered
    assert learner_memory(changed(settings, {"learner.checkpointing": True}), shape).total <= memory.total
    assert seconds_of(more, shape, work_of(more)).training < seconds_of(settings, shape, work_of(settings)).training


def test_on_a_cpu_all_ranks_share_the_host() -> None:
    one, two = load_settings("tiny").settings, load_settings("tiny", ["learner.ranks=2"]).settings
    [host], [both] = devices_of(one, SHAPE), devices_of(two, SHAPE)
    assert both.parts["learner: weights"] == 2 * host.parts["learner: weights"] and host.name == "host"
