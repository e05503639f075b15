"""Other spellings of what axolotl's rules are for: the rule and axolotl have to agree on each."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixbook.config.check import check
from fixbook.config.fix import fixed_text
from fixbook.config.read import parse
from fixbook.config.rules import rules
from tests.config.fixtures import fixture
from tests.config.proofs import kept_by_axolotl, said_by_axolotl

RULES = rules()
BASE = fixture("axolotl-early-stopping-without-steps").passes.read_text("utf-8")
BASE = BASE.partition("early_stopping_patience")[0]
STOPS = "early_stopping_patience: 3\n"
PREFERENCE = "rl: dpo\n"
FSDP = "fsdp_version: 2\nadapter: qlora\nload_in_4bit: true\nfsdp_config:\n"
STRIDED = "rl: ebft\nebft: {mode: strided}\ntorch_compile: "
CHECKPOINTS = "\ngradient_checkpointing: "
WITHOUT_STEPS = "axolotl-early-stopping-without-steps"
APART = "axolotl-early-stopping-steps-apart"
NO_METRIC = "axolotl-best-without-metric"
REMOVED = "axolotl-dpo-options-removed"
LOADING = "axolotl-fsdp2-4bit-loading"
COMPILED = "axolotl-ebft-strided-compiled"
REFUSED = [
    (WITHOUT_STEPS, STOPS),
    (WITHOUT_STEPS, f"{STOPS}saves_per_epoch: 1\nevals_per_epoch: 4\n"),
    (WITHOUT_STEPS, f"{STOPS}saves_per_epoch: 1\neval_steps: 10\n"),
    (WITHOUT_STEPS, f"{STOPS}save_steps: 10\nevals_per_epoch: 1\n"),
    (WITHOUT_STEPS, f"{STOPS}save_steps: 0\neval_steps: 10\n"),
    (WITHOUT_STEPS, f"{STOPS}save_strategy: best\nmetric_for_best_model: a\neval_steps: 10\n"),
    (NO_METRIC, "save_strategy: best\nmetric_for_best_model:\n"),
    (REMOVED, f"{PREFERENCE}dpo_use_logits_to_keep: false\n"),
    (REMOVED, f"{PREFERENCE}dpo_norm_loss: true\n"),
    (REMOVED, f"{PREFERENCE}rpo_alpha: 0.1\n"),
    (LOADING, f"{FSDP}  fsdp_cpu_ram_efficient_loading: true\n"),
    (COMPILED, f"{STRIDED}true{CHECKPOINTS}offload\n"),
]
TAKEN = [
    (WITHOUT_STEPS, "early_stopping_patience:\nsaves_per_epoch: 1\n"),
    (WITHOUT_STEPS, f"{STOPS}save_steps: 0.5\neval_steps: 0.25\n"),
    (APART, f"{STOPS}save_steps: 0.5\neval_steps: 0.25\n"),
    (APART, "save_steps: 100\neval_steps: 30\n"),
    (REMOVED, f"{PREFERENCE}dpo_norm_loss:\n"),
    ("axolotl-flash-attn-rms-norm-removed", "flash_attn_rms_norm: false\n"),
    ("axolotl-fused-mlp-with-lora", "flash_attn_fuse_mlp: true\n"),
    (
        LOADING,
        f"{FSDP}  fsdp_cpu_ram_efficient_loading: true\n  cpu_ram_efficient_loading: false\n",
    ),
    (COMPILED, f"{STRIDED}true\n"),
    (COMPILED, f"{STRIDED}false{CHECKPOINTS}true\n"),
]
META = "axolotl-fsdp2-meta-adapters"
PLAIN = fixture(META).fails.read_text("utf-8")
PREFIXED = PLAIN.replace("cpu_ram_efficient_loading", "fsdp_cpu_ram_efficient_loading")


def reported(text: str, version: str | None = None) -> set[str]:
    document = parse(text, Path("c.yaml"), "axolotl", version)
    return {finding.rule for finding in check([document]).findings}


@pytest.mark.parametrize(("rule", "text"), REFUSED)
def test_spelling_is_reported(rule: str, text: str) -> None:
    assert rule in reported(BASE + text)


@pytest.mark.parametrize(("rule", "text"), TAKEN)
def test_spelling_is_left_alone(rule: str, text: str) -> None:
    assert rule not in reported(BASE + text)


def test_prefixed_fsdp_key_is_reported_and_mended() -> None:
    document = parse(PREFIXED, Path("c.yaml"), "axolotl", "0.18.0")
    report = check([document])
    assert {finding.rule for finding in report.findings} == {META, "axolotl-renamed"}
    assert fixed_text(report, document) == fixture(META).passes.read_text("utf-8")


@pytest.mark.tools
@pytest.mark.filterwarnings("default")
def test_axolotl_reads_a_prefixed_fsdp_key_as_the_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    read = []
    for text in (PLAIN, PREFIXED):
        path.write_text(text, "utf-8")
        read.append(kept_by_axolotl(path)["fsdp_config"])
    assert read[0] == read[1]
    assert read[1]["cpu_ram_efficient_loading"] is True


@pytest.mark.tools
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("rule", "text"), REFUSED)
def test_axolotl_refuses_it(rule: str, text: str, tmp_path: Path) -> None:
    assert RULES[rule]["proof"]["says"] in _said(text, tmp_path)


@pytest.mark.tools
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("rule", "text"), TAKEN)
def test_axolotl_takes_it(rule: str, text: str, tmp_path: Path) -> None:
    assert RULES[rule]["proof"]["says"] not in _said(text, tmp_path)


def _said(text: str, folder: Path) -> str:
    path = folder / "c.yaml"
    path.write_text(BASE + text, "utf-8")
    return said_by_axolotl(path)
