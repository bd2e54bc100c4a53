"""All that one process needs to make tasks of an environment: its stages, what was found out about the tools, walks.

Invariant: what was found out (`Knowledge`) is found once and can be sent to other processes; the stages are a process's
own. Not covered: which proposals a process makes (`campaign`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from autoforge.generator.conformance.subject import Subject
from autoforge.generator.tasks.builder import Setting
from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.fresh_values import FreshValues
from autoforge.generator.tasks.graph import Graph, build_graph
from autoforge.generator.tasks.model.derived_fields import DerivedField
from autoforge.generator.tasks.probing import probe
from autoforge.generator.tasks.stage import Stage
from autoforge.generator.tasks.walks import Walk, WalkPolicy, walks
from autoforge.gym.baselines import Episodes
from autoforge.mcp_envs.environment import EnvironmentFolder

__all__ = ["Advise", "Knowledge", "Workshop", "explore", "open_workshop"]

_WALKS = 4000
_OTHER_HASHES = 7
"""PYTHONHASHSEED of the process in which gold must come out the same."""


class Knowledge(NamedTuple):
    """What was found out about an environment's tools."""

    catalogue: Catalogue
    graph: Graph
    walks: tuple[Walk, ...]
    derived: tuple[DerivedField, ...] = ()
    """Figures that a model found to follow from rows."""


Advise: TypeAlias = Callable[[Stage, Catalogue, Graph], tuple[Graph, tuple[DerivedField, ...]]]
"""A model's part: the graph with its judgement, and derived fields."""


@dataclass(frozen=True)
class Workshop:
    """One process's means."""

    setting: Setting
    knowledge: Knowledge
    fresh: Stage
    """Another process with another hash seed."""
    episodes: Episodes
    """For the baselines."""

    @property
    def stage(self) -> Stage:
        return self.setting.stage

    @property
    def catalogue(self) -> Catalogue:
        return self.knowledge.catalogue


def explore(stage: Stage, *, seed: int, walk_length: int, advise: Advise | None = None) -> Knowledge:
    """Call the tools, draw the graph, walk it."""
    catalogue = probe(stage)
    graph = build_graph(stage, catalogue)
    graph, derived = advise(stage, catalogue, graph) if advise is not None else (graph, ())
    found = walks(graph, catalogue, _WALKS, seed=seed, policy=WalkPolicy(most=walk_length))
    return Knowledge(catalogue, graph, found, derived)


@contextmanager
def open_workshop(
    folder: EnvironmentFolder, *, seed: int, walk_length: int, knowledge: Knowledge | None = None
) -> Iterator[Workshop]:
    """The means, with `knowledge` where another process has found it out already."""
    with Stage(folder) as stage, Stage(folder, hash_seed=_OTHER_HASHES) as fresh, Episodes(folder) as episodes:
        known = knowledge or explore(stage, seed=seed, walk_length=walk_length)
        tools = {tool.name: tool for tool in Subject.read(folder.path).tools}
        values = FreshValues(known.catalogue, stage.start().state, seed)
        setting = Setting(stage, known.catalogue, known.graph, tools, values, known.derived)
        yield Workshop(setting, known, fresh, episodes)
