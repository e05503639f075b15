"""A recorded log names the machine nowhere, and says everything else as it was printed."""

from __future__ import annotations

import re
import socket
import sysconfig
from pathlib import Path

import pytest

from fixbook.recipe.record.scrub import MAX_CHARACTERS, scrub

RECIPES = Path(__file__).parents[1] / "recipes"


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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Looking in links: /srv/wheels", "Looking in links: <links>"),
        ("Looking in links: links", None),
        ("  Looking in indexes: https://a.example/simple", "  Looking in indexes: <indexes>"),
        (
            "WARNING: Location 'file:///srv/simple/a/' is ignored",
            "WARNING: Location '<index>' is ignored",
        ),
    ],
)
def test_where_pip_was_told_to_look_is_the_machines(line: str, expected: str | None) -> None:
    assert scrub(line, {}) == (line if expected is None else expected)


def test_no_record_names_a_folder_of_a_machine() -> None:
    # /opt/microsoft/ncv4 is where images of Azure keep what NCCL reads.
    own = r"(?<![\w>/.~-])/(?:opt(?!/microsoft/ncv4/)|root|home|mnt|srv|work)/\w[\w./-]*"
    for file in sorted(RECIPES.glob("*/evidence/*.json")):
        assert not re.findall(own, file.read_text("utf-8")), file


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


def test_a_long_log_keeps_a_third_from_its_beginning_and_the_rest_from_its_end() -> None:
    most = MAX_CHARACTERS
    line = "line 0123456789\n"
    head, _, tail = scrub(line * most, {}).partition("\n[...")
    assert most // 3 - len(line) < len(head) <= most // 3
    kept = tail.partition("...]\n")[2]
    assert 2 * most // 3 - len(line) <= len(kept) <= 2 * most // 3


def test_a_log_of_the_longest_kind_is_whole() -> None:
    text = "x" * (MAX_CHARACTERS - 1) + "\n"
    assert scrub(text, {}) == text
    assert scrub(text + "y", {}) != text + "y"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("\x1b[1;31mError\x1b[0m", "Error"),
        ("at 0x7f3a2b1c and 0x1f", "at 0x0 and 0x1f"),
        ("W1123 07:12:33.123456 4711 torch/x.py", "W0101 00:00:00.000000 1 torch/x.py"),
        (
            "2026-11-23T07:12:33.5 a 2026-11-23_07:12:33",
            "2000-01-01T00:00:00 a 2000-01-01_00:00:00",
        ),
        ("(Worker pid=4711) PID: 12", "(Worker pid=1) PID: 1"),
        ("127.0.0.1:29500 [127.0.0.1]:29501 127.0.0.1:7", "127.0.0.1:0 [127.0.0.1]:0 127.0.0.1:7"),
        ("==4711== x ==12==", "==1== x ==12=="),
        ("/tmp/python-build.2026-11/a", "<python-build>/a"),  # noqa: S108
    ],
)
def test_what_belongs_to_a_moment_is_replaced(line: str, expected: str) -> None:
    assert scrub(line, {}) == expected


def test_the_deepest_folder_that_is_known_is_named(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(inner)
    places = {"<outer>": tmp_path, "<inner>": link, "<root>": Path("/")}
    text = f"{inner}/x {link}/y {tmp_path}/z /etc"
    assert scrub(text, places) == "<inner>/x <inner>/y <outer>/z /etc"


def test_the_environment_and_the_home_are_named() -> None:
    packages = sysconfig.get_path("purelib")
    assert scrub(f"{packages}/torch/x.py {Path.home()}/data", {}) == (
        "<site-packages>/torch/x.py ~/data"
    )
