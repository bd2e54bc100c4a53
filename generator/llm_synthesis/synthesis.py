"""The course of a synthesis with a model: structure, functions, seed, repair, and what is kept of it.

Invariant: the result is never below what the rules give for the same documentation by the conformance suite: tools
fall back one by one, then the rows, then the whole, and the manifest says so. Every answer is on disk before it is
used, so the same command goes on where any kill left it, and pays for nothing twice. Not covered: tasks.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from anyio.from_thread import start_blocking_portal
from rich.console import Console

from autoforge.generator.compile import Settings
from autoforge.generator.documents import Documentation
from autoforge.generator.ir import World
from autoforge.generator.llm_synthesis.desk import Caps, Desk, Scribe
from autoforge.generator.llm_synthesis.drafts import frames_of
from autoforge.generator.llm_synthesis.functions import write_functions
from autoforge.generator.llm_synthesis.repair import repaired
from autoforge.generator.llm_synthesis.seed import write_seed
from autoforge.generator.llm_synthesis.structure import write_structure
from autoforge.generator.llm_synthesis.versions import Version, assemble, proved
from autoforge.generator.rules.synthesize import synthesize
from autoforge.mcp_envs.errors import ModelFailure

__all__ = ["synthesize_with_model"]


def synthesize_with_model(
    documentation: Documentation,
    settings: Settings,
    llm: str,
    base_url: str | None,
    max_cost: float | None,
    cache: Path,
    console: Console,
    caps: Caps | None = None,
) -> Settings:
    """The settings with a world, rows and provenance that a model made, or the rules' own where those are better.

    Raises BadInput for a model, key, address or limit that cannot be used, BudgetExceeded where the next call could
    pass `max_cost`, and ModelFailure where the service gave no answer; after either the same call goes on from the
    answers kept in `cache`.
    """
    rules = synthesize(documentation, name=settings.name, policy=settings.policy, data=settings.data)
    # Model calls have a thread of their own, so that the proofs run in this one, where Ctrl-C ends them.
    with start_blocking_portal() as portal:
        opened = portal.call(partial(Scribe, llm, base_url=base_url, cache=cache, max_cost=max_cost))
        with portal.wrap_async_context_manager(opened) as client:
            desk = Desk(client, portal, console, documentation, settings, rules, frames_of(rules), caps or Caps())
            return _resumable(desk)


def _resumable(desk: Desk) -> Settings:
    """The whole course; where it ends early, with words about going on."""
    cache = desk.client.cache
    desk.say("start", f"answers are kept in {cache}; if this is stopped, the same command goes on from there")
    try:
        return _course(desk)
    except ModelFailure as error:
        kept = len(desk.client.used)
        answers = "1 answer is" if kept == 1 else f"{kept} answers are"
        again = f"Run the same command again to go on: {answers} kept in {cache} and not paid again."
        raise type(error)(f"{str(error).rstrip('.')}. {again}") from None


def _course(desk: Desk) -> Settings:
    baseline = proved(desk, desk.rules, {}, {})
    desk.say("start", f"the rules alone: {_words(baseline)}")
    tables = desk.wait(write_structure, desk)
    drafts = desk.wait(write_functions, desk, tables, list(desk.frames))
    world = assemble(desk, tables, drafts)
    rows = desk.wait(write_seed, desk, world)
    first = proved(desk, world, rows, drafts)
    desk.say("proof", _words(first))
    version, notes = repaired(desk, first)
    version = _with_fallbacks(desk, version, baseline)
    return _kept(desk, version, baseline, notes)


def _with_fallbacks(desk: Desk, version: Version, baseline: Version) -> Version:
    """The version with functions of the rules where the model's have more findings, and with generated rows where
    those are better."""
    behind = frozenset(t for t in desk.frames if len(version.findings.get(t, ())) > len(baseline.findings.get(t, ())))
    best = version
    if behind:
        world = assemble(desk, version.world, version.drafts, behind)
        if world != version.world:
            best = min(best, proved(desk, world, version.rows, version.drafts), key=lambda v: v.score)
    if best.rows and (best.score.failing or best.score.below(baseline.score)):
        best = min(best, proved(desk, best.world, {}, best.drafts), key=lambda v: v.score)
    return best


def _kept(desk: Desk, version: Version, baseline: Version, notes: tuple[str, ...]) -> Settings:
    """What goes into the environment: the model's version unless it is below the rules'."""
    provenance = desk.client.provenance()
    if version.score.below(baseline.score):
        comparison = f"{_words(version)}; rules: {_words(baseline)}"
        note = f"The rules' version is kept: with {desk.author} the proof was worse ({comparison})."
        desk.say("done", note)
        return replace(
            desk.settings,
            world=_noted(desk.rules, *notes, note),
            rows={},
            provenance={**provenance, "synthesizer": "rules"},
        )
    kept = version.kept_from_rules()
    if kept:
        notes = (*notes, f"Functions kept from the rules: {', '.join(kept)}.")
    desk.say("done", _words(version))
    return replace(
        desk.settings,
        world=_noted(version.world, *notes),
        rows=version.rows,
        provenance={**provenance, "synthesizer": "llm"},
    )


def _noted(world: World, *notes: str) -> World:
    return world.model_copy(update={"notes": (*world.notes, *notes)})


def _words(version: Version) -> str:
    score = version.score
    kept = len(version.kept_from_rules())
    by_model = (
        f", {len(version.world.operations) - kept} of {len(version.world.operations)} functions by the model"
        if version.drafts
        else ""
    )
    if score.failing >= 10**6:
        return f"cannot be written: {version.general[0] if version.general else 'unknown'}"
    return f"{score.failing} failing, {score.dead} parameters without effect, {score.weak} weak{by_model}"
