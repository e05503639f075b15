"""A recorded log names the machine nowhere, and says everything else as it was printed."""

from __future__ import annotations

import socket

import pytest

from fixbook.recipe.record.scrub import MAX_CHARACTERS, scrub


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  host      : vm", "  host      : host"),
        ("vm:3120:3377 [2] NCCL INFO", "host:3120:3377 [2] NCCL INFO"),
        ("failed on [vm]:29500, on vm.", "failed on [host]:29500, on host."),
        ("Killed process 690 (python) total-vm:890152kB", None),
        ("vm.overcommit_memory = 0; pvm, vms, max_vm, vm-1", None),
    ],
)
def test_a_host_name_is_replaced_only_as_a_word_of_its_own(
    line: str, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "vm")
    assert scrub(line, {}) == (line if expected is None else expected)


def test_a_host_name_is_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "gpu.7")
    assert scrub("gpu.7 gpu17", {}) == "host gpu17"


def test_a_long_log_says_how_many_lines_it_lacks() -> None:
    lines = [f"line {number:07}" for number in range(MAX_CHARACTERS // 6)]
    kept = scrub("\n".join(lines), {}).split("\n")
    (mark,) = [line for line in kept if line.startswith("[...")]
    assert kept[0] == lines[0]
    assert kept[-1] == lines[-1]
    left_out = len(lines) - (len(kept) - 1)
    assert mark == f"[... {left_out:,} lines left out ...]"
