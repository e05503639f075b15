"""Which nodes fail more often than chance has it: the exact test, and what many tests ask for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SUSPECT = 0.001  # corrected: of a thousand reports one names a sound node


@dataclass(frozen=True, slots=True)
class Node:
    """A node, and what ran on it.

    Attributes:
        name: The node.
        runs: How many runs it was part of.
        failed: How many of those failed.
        p: How likely so many failures are if failures know no nodes.
        corrected: The same after Holm's correction for the number of nodes.
    """

    name: str
    runs: int
    failed: int
    p: float = 1.0
    corrected: float = 1.0

    @property
    def suspect(self) -> bool:
        """Whether its hardware is to be looked at."""
        return self.corrected <= SUSPECT


def tail(failed: int, runs: int, all_failed: int, all_runs: int) -> float:
    """Return how likely at least so many failures are: Fisher's exact test, one-sided.

    Args:
        failed: Failed runs on the node.
        runs: Runs on the node.
        all_failed: Failed runs of all.
        all_runs: Runs of all.
    """
    most = min(runs, all_failed)
    whole = _choose(all_runs, runs)
    logs = [
        _choose(all_failed, hits) + _choose(all_runs - all_failed, runs - hits) - whole
        for hits in range(max(failed, runs - (all_runs - all_failed)), most + 1)
    ]
    return min(1.0, math.fsum(map(math.exp, logs)))


def against_chance(nodes: Sequence[Node], all_failed: int, all_runs: int) -> list[Node]:
    """Return the nodes with their p-values, the least likely first.

    Args:
        nodes: Every node that runs are known of, those without a failure too.
        all_failed: Failed runs, each counted once.
        all_runs: Runs.
    """
    found = [
        Node(one.name, one.runs, one.failed, tail(one.failed, one.runs, all_failed, all_runs))
        for one in nodes
    ]
    found.sort(key=lambda one: (one.p, one.name))
    corrected, largest = [], 0.0
    for place, one in enumerate(found):
        largest = max(largest, min(1.0, one.p * (len(found) - place)))
        corrected.append(Node(one.name, one.runs, one.failed, one.p, largest))
    return corrected


def _choose(of: int, picked: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(picked + 1) - math.lgamma(of - picked + 1)
