"""A command that ends too early: what a real shell hands on, and what is reported."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fixbook.config.check import check
from fixbook.config.read import parse

HEAD = "torchrun train.py --output_dir out --learning_rate 1e-5 --max_steps 9"
VERL = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo"
CUT = {
    "comment": (f"{HEAD} \\\n  # of the optimizer \\\n  --warmup_steps 5 \\\n  --bf16\n", 3),
    "blank line": (f"{HEAD} \\\n\n  --warmup_steps 5\n", 3),
    "space behind the backslash": (f"{HEAD} \\ \n  --warmup_steps 5\n", 2),
    "no backslash": (f"{HEAD}\n  --warmup_steps 5\n", 2),
    "override": (f"{VERL} \\\n  # of the rollout\n  actor_rollout_ref.rollout.n=5\n", 3),
}
WHOLE = [
    f"{HEAD} \\\n  --warmup_steps 5\n",
    f"{HEAD} \\\n  # the end\necho done\n",
    f"{HEAD};\n",
    f"case $1 in\n  --train) {HEAD} ;;\n  --test) echo ;;\nesac\n",
    f"{HEAD} \\\n  `# of the optimizer` \\\n  --warmup_steps 5\n",
    f"OPTIONS=(\n  --output_dir out\n  # a comment\n  --bf16\n)\n{HEAD} ${{OPTIONS[@]}}\n",
    f"{HEAD}\nexport A=1\n",
    f"read -r -d '' TRAIN <<EOF\n{HEAD}\n  --warmup_steps 5\nEOF\n$TRAIN\n",
]


def cut(text: str) -> list[int]:
    found = check([parse(text, Path("run.sh"))]).findings
    return [item.setting.key_place.line for item in found if item.rule == "cut-command"]


def handed_on(text: str, folder: Path) -> str:
    """Run a script with the launchers replaced by what tells its own arguments."""
    for name in ("torchrun", "python3"):
        (folder / name).write_text('#!/bin/sh\necho "given: $*"\n', "utf-8")
        (folder / name).chmod(0o755)
    (folder / "run.sh").write_text(text, "utf-8")
    environment = {"PATH": f"{folder}:/usr/bin:/bin"}
    done = subprocess.run(
        ["bash", "run.sh", "--train"], cwd=folder, env=environment,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", CUT)
def test_what_the_shell_does_not_hand_on_is_reported(name: str, tmp_path: Path) -> None:
    text, line = CUT[name]
    assert cut(text) == [line]
    said = handed_on(text, tmp_path)
    given = [row for row in said.splitlines() if row.startswith("given:")]
    assert len(given) == 1
    assert "warmup_steps" not in given[0]
    assert "rollout.n" not in given[0]
    assert "command not found" in said


@pytest.mark.parametrize("text", WHOLE)
def test_a_whole_command_is_left_alone(text: str, tmp_path: Path) -> None:
    assert cut(text) == []
    assert "command not found" not in handed_on(text, tmp_path)


def test_what_is_missing_behind_the_cut_is_not_reported_as_well() -> None:
    text, _line = CUT["override"]
    assert [item.rule for item in check([parse(text, Path("run.sh"))]).findings] == ["cut-command"]
