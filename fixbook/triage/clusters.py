"""What the book does not know, in clusters: exceptions of one class and place with like messages.

Two shapes of the same class and the same deepest frame of a library are put together where
RapidFuzz finds their messages alike. That library is released every few months. drain3, the usual
miner of log templates, had its last release in 2022 and asks for exact old releases of two others.
Shapes come sorted, so the clusters of the same rows are always the same.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rapidfuzz import fuzz, process

from fixbook.files import write_atomically
from fixbook.triage.queries import SHAPES

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

    from fixbook.triage.queries import Rows

CLUSTERS = "clusters"
ALIKE = 80  # of 100: how alike messages are that say the same
MOST_SHAPES, MOST_FILES, MOST_MEASURED = 20_000, 200, 200


@dataclass(slots=True)
class Cluster:
    """Failures that look alike.

    Attributes:
        shapes: Their shapes as rows of `SHAPES`, the most frequent first.
    """

    shapes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def id(self) -> str:
        """A name that stays while its most frequent shape does."""
        return hashlib.sha256(self.shapes[0]["shape"].encode()).hexdigest()[:8]

    @property
    def runs(self) -> int:
        """How many runs it holds."""
        return sum(shape["runs"] for shape in self.shapes)

    @property
    def span(self) -> tuple[dt.datetime | None, dt.datetime | None]:
        """When it was first and last seen."""
        firsts = [shape["first"] for shape in self.shapes if shape["first"]]
        lasts = [shape["last"] for shape in self.shapes if shape["last"]]
        return min(firsts, default=None), max(lasts, default=None)

    @property
    def nodes(self) -> list[str]:
        """Nodes that it was seen on, at most twenty of a shape."""
        return sorted({node for shape in self.shapes for node in shape["nodes"]})

    @property
    def medoid(self) -> dict[str, Any]:
        """The shape that is nearest to all others, each counted as often as it was seen."""
        some = self.shapes[:MOST_MEASURED]
        texts = [shape["shape"] for shape in some]
        near = process.cdist(texts, texts, scorer=fuzz.ratio)
        weights = [shape["runs"] for shape in some]
        scores = near @ weights
        return some[int(scores.argmax())]

    def row(self) -> dict[str, Any]:
        """Return it as plain data."""
        first, last = self.span
        sample = self.medoid["sample"]
        return {
            "id": self.id,
            "runs": self.runs,
            "shapes": len(self.shapes),
            "shape": self.medoid["shape"],
            "first": first.isoformat() if first else None,
            "last": last.isoformat() if last else None,
            "nodes": self.nodes,
            "job": sample["job"],
            "line": sample["line"],
            "excerpt": sample["excerpt"],
        }


def clusters_of(rows: Rows) -> list[Cluster]:
    """Return the clusters, the largest first."""
    return put_together(rows.ask(SHAPES, MOST_SHAPES))


def put_together(shapes: list[dict[str, Any]]) -> list[Cluster]:
    """Put shapes that look alike into clusters.

    Args:
        shapes: Rows of `SHAPES`, in their order.
    """
    found: dict[str, list[Cluster]] = {}
    for shape in shapes:
        place, _, message = shape["shape"].rpartition(" | ")
        near = found.setdefault(place, [])
        heads = [one.shapes[0]["shape"].rpartition(" | ")[2] for one in near]
        best = process.extractOne(message, heads, scorer=fuzz.ratio, score_cutoff=ALIKE)
        if best is None:
            near.append(Cluster([shape]))
        else:
            near[best[2]].shapes.append(shape)
    every = [one for clusters in found.values() for one in clusters]
    return sorted(every, key=lambda one: (-one.runs, one.id))


def write_clusters(out: Path, clusters: list[Cluster]) -> None:
    """Write each as a file, which ``fixbook new --from-cluster`` takes.

    Args:
        out: The folder of the answer.
        clusters: The clusters, the largest first.
    """
    folder = out / CLUSTERS
    folder.mkdir(exist_ok=True)
    kept = set()
    for one in clusters[:MOST_FILES]:
        path = folder / f"{one.id}.json"
        write_atomically(path, json.dumps(one.row(), ensure_ascii=False, indent=1) + "\n")
        kept.add(path)
    for path in set(folder.glob("*.json")) - kept:
        path.unlink(missing_ok=True)
