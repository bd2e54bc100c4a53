"""Finds calls that succeed, for every tool, from the seed or from a state that other tools lead to.

Invariant: the number of calls is bounded for each tool, so the whole grows with the number of tools; a witness was seen
to succeed. Not covered: what a tool should have done.
"""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from autoforge.generator.conformance.arguments import Proposer
from autoforge.generator.conformance.findings import Findings
from autoforge.generator.conformance.laboratory import Laboratory, Outcome, Place
from autoforge.generator.conformance.subject import Subject, Tool

__all__ = ["Evidence", "Witness", "probe"]

WITNESSES = 4
"""Successful calls wanted of each tool; as many are looked for again elsewhere where a parameter seems dead."""
_FIRST_CALLS = 72
"""Most calls of a tool on the seed."""
_LATER_CALLS = 24
"""Most calls of a tool on each further state."""
_PLACES = 24
"""States kept beside the seed."""
_DEPTH = 3
_BATCH = 8
_ORDER = ("session", "create", "link", "update", "set_status", "transfer", "move", "compute", "unlink", "delete")


class Witness(NamedTuple):
    """A call that succeeded."""

    place: Place
    arguments: Mapping[str, Any]
    outcome: Outcome


class Evidence:
    """What is known of an environment after probing."""

    def __init__(self, laboratory: Laboratory, subject: Subject, seed: int) -> None:
        self._laboratory = laboratory
        self._subject = subject
        self._seed = seed
        self._proposers: dict[str, Proposer] = {}
        self._proposals: dict[tuple[str, str], Iterator[dict[str, Any]]] = {}
        self.places: list[Place] = [laboratory.seed]
        self.witnesses: dict[str, list[Witness]] = defaultdict(list)
        self.spares: dict[str, list[Witness]] = defaultdict(list)
        """Tool -> successful calls that show what another shows."""
        self.refusals: dict[str, list[str]] = defaultdict(list)
        """Tool -> what it said where it did not succeed."""
        self.refused: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        """Tool -> arguments that it refuses on the seed."""

    def proposer(self, place: Place) -> Proposer:
        known = self._proposers.get(place.episode)
        return known or self._proposers.setdefault(place.episode, Proposer(self._subject, place.state, self._seed))

    def search(self, tool: Tool, place: Place, most: int) -> list[Witness]:
        """Further witnesses on a place, found with at most so many calls, and kept. Of a tool that reads, they
        differ in what they show.
        """
        found: list[Witness] = []
        known = (tool.name, place.episode)
        proposals = itertools.islice(self._proposals.setdefault(known, self.proposer(place).proposals(tool)), most)
        seen: set[str] = set()
        while len(found) < WITNESSES and (batch := list(itertools.islice(proposals, _BATCH if tool.reads_only else 2))):
            for arguments, outcome in zip(batch, self._laboratory.attempts(place, tool, batch), strict=True):
                if outcome.ok:
                    shows = json.dumps(outcome.value) if tool.reads_only else json.dumps(arguments)
                    (self.spares[tool.name] if shows in seen else found).append(Witness(place, arguments, outcome))
                    seen.add(shows)
                else:
                    self.refusals[tool.name].append(outcome.message)
                    if outcome.kind == "refused" and not place.path:
                        self.refused[tool.name].append(arguments)
        self.witnesses[tool.name] += found
        return found


def probe(laboratory: Laboratory, subject: Subject, findings: Findings, seed: int) -> Evidence:
    """Call every tool until it succeeds; a tool for which that is never so is a finding."""
    evidence = Evidence(laboratory, subject, seed)
    for tool in subject.tools:
        evidence.search(tool, laboratory.seed, _FIRST_CALLS)
    _reach(evidence, laboratory, _by_order(subject.tools))
    for _ in range(_DEPTH):
        open_tools = [
            tool for tool in subject.tools if not evidence.witnesses[tool.name] and not findings.hangs(tool.name)
        ]
        if not any([_search_everywhere(evidence, tool) for tool in open_tools]):
            break
        _reach(evidence, laboratory, open_tools)
    for tool in subject.tools:
        if not evidence.witnesses[tool.name] and not findings.hangs(tool.name):
            findings.add(tool.name, "positive", _never(evidence, tool))
    return evidence


def _by_order(tools: Iterable[Tool]) -> list[Tool]:
    rank = {kind: n for n, kind in enumerate(_ORDER)}
    return sorted(tools, key=lambda tool: rank.get(tool.record.kind, len(_ORDER)))


def _reach(evidence: Evidence, laboratory: Laboratory, tools: Iterable[Tool]) -> None:
    """Keep states that writing calls lead to: each alone, and all of them in a row (a later state is a richer one)."""
    row = evidence.places[-1]
    for tool in tools:
        writing = next((w for w in evidence.witnesses[tool.name] if w.outcome.changed), None)
        if writing is None or len(evidence.places) >= _PLACES or tool.record.kind == "weak":
            continue
        alone = laboratory.keep(writing.place, tool, writing.arguments)
        further = (
            laboratory.keep(row, tool, writing.arguments)
            if row is not writing.place and tool.record.kind != "delete"
            else alone
        )
        for place in (alone, further):
            if place is not None and place not in evidence.places:
                evidence.places.append(place)
        row = further if further is not None and tool.record.kind != "delete" else row


def _search_everywhere(evidence: Evidence, tool: Tool) -> bool:
    return any(evidence.search(tool, place, _LATER_CALLS) for place in reversed(evidence.places[1:]))


def _never(evidence: Evidence, tool: Tool) -> str:
    told = evidence.refusals[tool.name]
    if not told:
        return "no arguments were found that the server would take"
    usual = max(dict.fromkeys(told), key=told.count)
    return f"no call succeeded in {len(told)} attempts; most often it said: {usual[:160]}"
