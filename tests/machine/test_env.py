"""``fixbook env``: of this machine, of one that somebody has sent, of what nobody should trust."""

from __future__ import annotations

import getpass
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixbook.cli import cli, run_command
from fixbook.cli.env_lines import lines_of
from fixbook.config.check import check
from fixbook.config.tools.machine import FORMAT
from fixbook.exits import DONE, FAILED, UNUSABLE
from fixbook.machine.document import document_of, read_report
from fixbook.machine.report import _nested, keys, report
from fixbook.text import LANGS
from tests.secrets_made_up import made_up

if TYPE_CHECKING:
    from fixbook.text import Lang

# A machine on which nothing is wrong: two H200 in a container.
SOUND: dict[str, Any] = {
    **dict.fromkeys(keys()),
    "system.distribution": "Ubuntu 24.04.1 LTS",
    "packages.torch": "2.8.0",
    "packages.triton": "3.4.0",
    "packages.ninja": "1.13.0",
    "builds.torch": "cu128",
    "torch.cuda": "12.8",
    "torch.cuda_major": 12,
    "torch.architectures": ["sm_80", "sm_90"],
    "requirements.unmet": [],
    "cuda.driver": "570.86.10",
    "cuda.driver_api": "12.8",
    "cuda.driver_major": 12,
    "cuda.nvcc": "12.8",
    "cuda.nvcc_major": 12,
    "cuda.home": "/usr/local/cuda",
    "gpus.count": 2,
    "gpus.names": ["NVIDIA H200", "NVIDIA H200"],
    "gpus.capabilities": ["9.0", "9.0"],
    "gpus.uncovered": [],
    "memory.total_mib": 2063817,
    "shm.total_mib": 65536,
    "limits.nofile": 1048576,
    "network.own_name": "address",
    "disks.least.free_mib": 900000,
    "disks.fewest_inodes.free_percent": 99.0,
    "commands.ninja": "1.13.0",
    "commands.c_compiler": "gcc",
    "hub.offline": False,
    "hub.cached_models": 3,
    "extensions.locks": [],
    "extensions.builders": [],
}


def machine(**changed: Any) -> dict[str, Any]:
    """Return a report on the sound machine, or one that differs; dots are written as ``__``."""
    values = {**SOUND, **{key.replace("__", "."): value for key, value in changed.items()}}
    return {"fixbook_env": FORMAT, **_nested(values)}


def found(data: dict[str, Any]) -> list[str]:
    return [finding.rule for finding in check([document_of(data)]).findings]


def written(folder: Path, data: Any) -> str:
    path = folder / "report.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return str(path)


def test_nothing_is_said_of_a_sound_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, machine())
    assert run_command(cli, ["env", "--lang", "en", "--from", path]) == DONE
    out, err = capsys.readouterr()
    assert "2 × NVIDIA H200 (9.0)" in out
    assert "torch is built for CUDA 12.8" in out
    assert "nothing known to fail was found" in err


@pytest.mark.parametrize(
    ("changed", "rules"),
    [
        ({"cuda__driver_major": 11}, ["machine-driver-too-old"]),
        ({"cuda__driver_major": 13}, []),
        ({"cuda__driver_major": None}, []),
        ({"gpus__uncovered": ["NVIDIA B200 (sm_100)"]}, ["machine-gpu-not-in-wheel"]),
        ({"commands__ninja": None}, ["machine-ninja-not-on-path"]),
        ({"commands__ninja": None, "packages__ninja": None}, []),
        ({"shm__total_mib": 64}, ["machine-shared-memory-small"]),
        ({"shm__total_mib": 64, "packages__torch": None}, []),
        ({"limits__nofile": None}, []),
        (
            {"builds__torch": "cpu", "builds__torchvision": "cu128"},
            ["machine-torchvision-of-another-build"],
        ),
        ({"builds__torch": "cu128", "builds__torchvision": "cu126"}, []),
        ({"builds__torch": "rocm6.3.git7ce", "builds__torchvision": "rocm6.3.gitfab"}, []),
        ({"extensions__locks": ["fused_adam"]}, ["machine-extension-lock-left"]),
        ({"extensions__locks": ["fused_adam"], "extensions__builders": ["nvcc"]}, []),
    ],
)
def test_rules_on_machines(changed: dict[str, Any], rules: list[str]) -> None:
    assert found(machine(**changed)) == rules


def test_what_is_not_known_decides_nothing() -> None:
    """A report without a key says less than one that says the thing is not there."""
    for key in keys():
        data = machine()
        *parents, name = key.split(".")
        place = data
        for parent in parents:
            place = place[parent]
        del place[name]
        assert found(data) == [], key
    assert found({"fixbook_env": FORMAT}) == []


@pytest.mark.parametrize("key", ["gpus.names", "cuda.driver_api", "cuda.home", "hub.token"])
def test_nothing_is_said_to_be_absent_that_is_not_known(key: str) -> None:
    words = {"gpus.names": "none seen", "cuda.driver_api": "no NVIDIA driver"}
    words |= {"cuda.home": "no toolkit", "hub.token": "no token"}
    nothing: dict[str, Any] = dict.fromkeys(keys())
    assert words[key] in "\n".join(lines_of(nothing))
    del nothing[key]
    said = "\n".join(lines_of({**nothing, f"unknown.{key}": "timeout: 30"}))
    assert words[key] not in said
    assert f"{key} (no answer within 30 s)" in said


def test_errors_and_warnings_end_with_one_and_notes_do_not(tmp_path: Path) -> None:
    error = written(tmp_path, machine(gpus__uncovered=["A (sm_120)"]))
    assert run_command(cli, ["env", "--from", error]) == FAILED
    note = written(tmp_path, machine(limits__nofile=1024))
    assert run_command(cli, ["env", "--from", note]) == DONE


@pytest.mark.parametrize("lang", LANGS)
def test_finding_names_entry_reason_and_mend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: Lang
) -> None:
    path = written(tmp_path, machine(hub__offline=True, hub__cached_models=0))
    assert run_command(cli, ["env", "--lang", lang, "--from", path]) == DONE
    out, _err = capsys.readouterr()
    assert "fixbook show hf-hub-unreachable-offline" in out
    assert "hf download" in out
    assert ("后果" in out) is (lang == "zh")


def test_a_report_goes_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What --json prints is read again, here or elsewhere, with the same result."""
    first = run_command(cli, ["env", "--json"])
    said = capsys.readouterr().out
    again = run_command(cli, ["env", "--json", "--from", written(tmp_path, said)])
    assert (first, json.loads(said)) == (again, json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    "text",
    [
        "", "{}", "[]", "null", "not json", '{"a": 1}', "[" * 100_000, '{"fixbook_env": ' * 3000,
        '{"fixbook_env": ' + "9" * 9000 + "}", "fixbook_env: 1", "\x00", "x" * 2_000_000,
    ],
    ids=range(12),
)  # fmt: skip
def test_what_is_no_report_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert run_command(cli, ["env", "--lang", "en", "--from", written(tmp_path, text)]) == UNUSABLE
    assert "report.json" in capsys.readouterr().err


@pytest.mark.parametrize("other", [FORMAT + 1, 0, "1", [1], {"a": 1}, None, "x" * 10_000])
def test_a_report_of_another_format_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], other: object
) -> None:
    path = written(tmp_path, json.dumps({"fixbook_env": other}))
    assert run_command(cli, ["env", "--lang", "en", "--from", path]) == UNUSABLE
    said = capsys.readouterr().err
    assert f"{FORMAT} is read here" in said
    assert len(said) < 1000


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    assert run_command(cli, ["env", "--from", str(tmp_path)]) == UNUSABLE
    assert run_command(cli, ["env", "--from", str(tmp_path / "none")]) == UNUSABLE
    assert run_command(cli, ["env", "--from", ""]) == UNUSABLE


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from([*keys(), "unknown.x", "packages.nvidia-x"]), ANY))
def test_a_report_can_say_anything(changed: dict[str, Any]) -> None:
    nested: dict[str, Any] = {"fixbook_env": 1}
    for key, value in changed.items():
        section, _, name = key.partition(".")
        nested.setdefault(section, {})[name] = value
    document = document_of(nested)
    check([document])
    (read,) = document.sections
    text = "\n".join(lines_of({key: one.value for key, one in read.settings.items()}))
    assert not any(char in text for char in "\x1b\x07\u202e")


def test_terminal_is_not_driven(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = machine(extensions__locks=["\x1b[2J\u202e"], system__distribution="\x1b]0;x\x07")
    assert run_command(cli, ["env", "--from", written(tmp_path, data)]) == FAILED
    assert "\x1b" not in capsys.readouterr().out


def test_secrets_and_names_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    text, secret = next(iter(made_up()))
    monkeypatch.setattr(socket, "gethostname", lambda: "gpu-node-17")
    monkeypatch.setattr(getpass, "getuser", lambda: "zhangsan")
    monkeypatch.setenv("HF_TOKEN", "hf_abcdefghijklmnopqrstuvwxyz012345")
    monkeypatch.setenv("WANDB_API_KEY", "0123456789abcdef0123456789abcdef01234567")
    monkeypatch.setenv("NCCL_HOSTID", "gpu-node-17")
    monkeypatch.setenv("MASTER_ADDR", "10.1.2.3")
    monkeypatch.setenv("HF_ENDPOINT", "https://zhangsan:secret-words@hub.internal.corp/x")
    monkeypatch.setenv("https_proxy", "http://user:pass-word-1@10.9.8.7:3128")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/home/zhangsan/lib:/usr/local/cuda/lib64")
    monkeypatch.setenv("TORCH_NOTE", text)
    monkeypatch.setenv("WANDB_ENTITY", "the-team")
    monkeypatch.setenv("HF_USERNAME", "z3")
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "enx001122334455")
    monkeypatch.setenv("no_proxy", ".corp.lan")
    said = json.dumps(report())
    for text in (
        *("hf_abc", "0123456789abcdef", "gpu-node-17", "zhangsan", "10.1.2.3", "internal.corp"),
        *("secret-words", "pass-word-1", "10.9.8.7", secret),
        *("the-team", '"z3"', "001122334455", "corp.lan"),
    ):
        assert text not in said, text
    assert json.loads(said)["variables"]["HF_TOKEN"] == "<set>"  # noqa: S105  (that there is one)
    assert "/usr/local/cuda/lib64" in said


def test_a_machine_without_anything(tmp_path: Path) -> None:
    """Nothing on PATH, no variables, no home: the command answers all the same."""
    command = [sys.executable, "-m", "fixbook", "env", "--json"]
    root = str(Path(__file__).parents[2])
    env = {"PYTHONPATH": root, "PATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode in {DONE, FAILED}, done.stderr
    data = json.loads(done.stdout)
    assert data["commands"]["gcc"] is None
    assert data["gpus"]["count"] in {0, None} or "gpus.count" in data["unknown"]


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    path = Path(written(tmp_path, machine()))
    path.chmod(0)
    assert run_command(cli, ["env", "--from", str(path)]) == UNUSABLE


def test_a_report_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "colleague.txt"
    path.write_text(json.dumps(machine()), "utf-8")
    assert read_report(path).path == path
