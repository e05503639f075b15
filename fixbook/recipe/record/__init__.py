"""What runs have shown: verdicts beside controls, evidence, and what it is worth now."""

from typing import TYPE_CHECKING

from fixbook.door import door
from fixbook.recipe.record.scrub import scrub
from fixbook.recipe.record.standing import standing

if TYPE_CHECKING:
    from fixbook.recipe.process.outcome import Outcome
    from fixbook.recipe.record.control import discriminates, judge_beside_controls, recorded_control
    from fixbook.recipe.record.evidence import (
        Evidence,
        MachineRecord,
        StepRecord,
        machine_record,
        versions_of,
    )
    from fixbook.recipe.record.logs import declared_logs
    from fixbook.recipe.record.measures import PLACEHOLDER, Measures, fill_entry
    from fixbook.recipe.record.merging import merge
    from fixbook.recipe.record.observation import Observation, Shows, observations
    from fixbook.recipe.record.readers import (
        adopt,
        load_readers,
        objections,
        read_record,
        record_of,
        write_record,
    )
    from fixbook.recipe.record.releases import main_releases, own_releases, ran_on, releases_of
    from fixbook.recipe.record.result import Node, Objection, StepResult, Verdict
    from fixbook.recipe.record.seal import seal_holds
    from fixbook.recipe.record.seen import Seen, SeenOn, can_fail, seen_on
    from fixbook.recipe.record.staleness import stale_steps
    from fixbook.recipe.record.standing import untested_advice
    from fixbook.recipe.record.store import load_evidence, write_evidence
    from fixbook.recipe.record.verdict import judge, last_line, wanted_entry
else:
    __getattr__ = door(__name__)

__all__ = [
    "PLACEHOLDER",
    "Evidence",
    "MachineRecord",
    "Measures",
    "Node",
    "Objection",
    "Observation",
    "Outcome",
    "Seen",
    "SeenOn",
    "Shows",
    "StepRecord",
    "StepResult",
    "Verdict",
    "adopt",
    "can_fail",
    "declared_logs",
    "discriminates",
    "fill_entry",
    "judge",
    "judge_beside_controls",
    "last_line",
    "load_evidence",
    "load_readers",
    "machine_record",
    "main_releases",
    "merge",
    "objections",
    "observations",
    "own_releases",
    "ran_on",
    "read_record",
    "record_of",
    "recorded_control",
    "releases_of",
    "scrub",
    "seal_holds",
    "seen_on",
    "stale_steps",
    "standing",
    "untested_advice",
    "versions_of",
    "wanted_entry",
    "write_evidence",
    "write_record",
]
