"""A watched command behaves as it does without: bytes, exit, signals, terminal, input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import LONG_S, text_of
from tests.watched import SAID, heed, on_terminal, own_words, run, watched

PY = sys.executable
SPEAKS = "import sys; print('to stdout'); print('to stderr', file=sys.stderr)"
COLOURS = (
    "import sys, os; here = sys.stdout.isatty(); "
    "print('\\033[1mbold' if here else 'plain', os.get_terminal_size(1) if here else '')"
)
BAR = (
    "import sys\n"
    "for at in range(30): sys.stderr.write(f'\\r{at:3}/30 [{chr(35) * at}]'); sys.stderr.flush()\n"
    "print()"
)
COMMANDS = {
    "nothing": (["true"], None),
    "a code": (["sh", "-c", "exit 3"], None),
    "the largest code": (["sh", "-c", "exit 255"], None),
    "a code of a killed child": (["sh", "-c", "exit 137"], None),
    "two streams": ([PY, "-c", SPEAKS], None),
    "one after the other": (["sh", "-c", "echo 1; echo 2 >&2; echo 3; echo 4 >&2"], None),
    "no last line feed": (["printf", "no end of line"], None),
    "any byte": ([PY, "-c", "import os; os.write(1, bytes(range(256)) * 300)"], None),
    "megabytes": (["head", "-c", "9000000", "/dev/urandom"], None),
    "input": (["cat"], b"what is typed\n" * 10_000),
    "input not read": (["true"], b"what is typed\n" * 100_000),
    "arguments": (["printf", "%s|", "", "a b", "--help", "$HOME", "*", "--"], None),
    "colours": ([PY, "-c", COLOURS], None),
    "a bar": ([PY, "-c", BAR], None),
    "traceback": ([PY, "-c", "1 / 0"], None),
    "killed": (["sh", "-c", "echo said; kill -KILL $$"], None),
    "terminated": (["sh", "-c", "echo said; kill -TERM $$"], None),
    "segmentation fault": (["sh", "-c", "kill -SEGV $$"], None),
    "abort": ([PY, "-c", "import os; os.abort()"], None),
    "closed by itself": (["sh", "-c", "exec >&- 2>&-; exit 4"], None),
    "a broken pipe": (["sh", "-c", "yes | head -3; exit 5"], None),
    "signals as they were": (
        [PY, "-c", "import signal; print(signal.pthread_sigmask(0, ()))"],
        None,
    ),
    "its folder": (["pwd"], None),
}
SAME_ON_A_TERMINAL = (
    *("nothing", "a code", "two streams", "no last line feed", "any byte", "colours", "a bar"),
    *("traceback", "killed", "terminated", "closed by itself", "one after the other"),
)


@pytest.mark.parametrize("name", COMMANDS)
def test_in_pipes_it_is_what_it_was(name: str, tmp_path: Path) -> None:
    command, stdin = COMMANDS[name]
    if name == "megabytes":
        data = tmp_path / "data"
        data.write_bytes(os.urandom(9_000_000))
        command = ["cat", str(data)]
    plain, seen = run(command, stdin), run(watched(tmp_path / "run", command), stdin)
    assert (seen.stdout, own_words(seen)) == (plain.stdout, plain.stderr)
    assert seen.returncode == plain.returncode
    kept = (tmp_path / "run/stdout.log").read_bytes()
    assert kept == plain.stdout


@pytest.mark.parametrize("name", SAME_ON_A_TERMINAL)
def test_on_a_terminal_it_is_what_it_was(name: str, tmp_path: Path) -> None:
    command, _ = COMMANDS[name]
    plain, code = on_terminal(command)
    seen, seen_code = on_terminal(watched(tmp_path / "run", command))
    assert (seen.partition(SAID)[0], seen_code) == (plain, code)


def test_one_file_for_both_keeps_the_order(tmp_path: Path) -> None:
    command = ["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done"]
    texts = []
    for name, words in {"plain": command, "seen": watched(tmp_path / "run", command)}.items():
        with (tmp_path / name).open("wb") as file:
            subprocess.run(words, stdout=file, stderr=file, check=True, timeout=LONG_S)
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]
    assert (tmp_path / "run/output.log").read_bytes() == texts[0]


def test_a_folder_named_from_where_one_stands_keeps_it_too(tmp_path: Path) -> None:
    """The relay stands elsewhere."""
    (tmp_path / "here").mkdir()
    folder = Path("here/run")
    run(watched(folder, ["sh", "-c", "head -c 70000 /dev/zero"], "--keep", "1"), cwd=tmp_path)
    seen = json.loads((tmp_path / folder / "watch.json").read_text("utf-8"))
    assert (seen["printed"], seen["not_kept"]) == (70000, 0)
    assert (tmp_path / folder / "stdout.log").stat().st_size == 70000


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_stays_closed(closed: str, tmp_path: Path) -> None:
    tells = (
        "import os; n = int(os.environ['N'])\n"
        "try: os.fstat(n); c = 0\nexcept OSError: c = 9\nos._exit(c)"
    )
    for number, mark in enumerate(("<&-", ">&-", "2>&-")):
        line = f'"$@" {closed}'
        words = watched(tmp_path / f"run{number}", [PY, "-c", tells])
        for command in ([PY, "-c", tells], words):
            done = subprocess.run(
                ["sh", "-c", line, "sh", *command],
                env={**os.environ, "N": str(number)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=LONG_S,
            )
            assert done.returncode == (9 if mark in closed.split() else 0), (command, done)


def test_who_reads_less_ends_it_as_without(tmp_path: Path) -> None:
    words = watched(tmp_path / "run", ["yes"])
    line = '"$@" | head -2; exit ${PIPESTATUS[0]}'
    codes = [
        subprocess.run(
            ["bash", "-c", line, "sh", *command], capture_output=True, check=False, timeout=LONG_S
        )
        for command in (["yes"], words)
    ]
    assert codes[0].stdout == codes[1].stdout == b"y\ny\n"
    assert codes[0].returncode == codes[1].returncode == 128 + signal.SIGPIPE


def test_what_cannot_be_started_ends_as_in_a_shell(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("echo from a script that names no shell; exit 6\n")
    refused = run(watched(tmp_path / "run", [str(script)]))
    script.chmod(0o755)
    done = run(watched(tmp_path / "run", [str(script)]))
    lacking = run(watched(tmp_path / "run", ["no-such-command"]))
    assert (lacking.returncode, refused.returncode, done.returncode) == (127, 126, 6)
    assert b"no-such-command: No such file" in lacking.stderr
    assert done.stdout.startswith(b"from a script")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGHUP])
def test_a_signal_to_the_watcher_is_passed_on(number: signal.Signals, tmp_path: Path) -> None:
    told = tmp_path / "told"
    tells = (
        f"import signal, sys, pathlib\n"
        f"signal.signal({number}, lambda *_: sys.exit(7))\n"
        f"pathlib.Path({str(told)!r}).write_text('ready')\n"
        f"while True: signal.pause()"
    )
    words = watched(tmp_path / "run", [PY, "-c", tells])
    process = subprocess.Popen(words, preexec_fn=heed)  # noqa: PLW1509  (no threads here)
    text_of(told)
    process.send_signal(number)
    assert process.wait(LONG_S) == 7


def test_the_watcher_killed_leaves_the_run_alive(tmp_path: Path) -> None:
    begun, go, done = tmp_path / "begun", tmp_path / "go", tmp_path / "done"
    script = (
        f"echo begun; echo $$ > {begun}; until [ -e {go} ]; do sleep 0.1; done; "
        f"echo still here; echo yes > {done}"
    )
    words = watched(tmp_path / "run", ["sh", "-c", script])
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    text_of(begun)
    process.kill()
    assert process.wait(LONG_S) == -signal.SIGKILL
    go.touch()
    assert text_of(done) == "yes\n"
    assert process.stdout
    with process.stdout as output:
        printed = output.read()
    assert printed == b"begun\nstill here\n"
    assert (tmp_path / "run/stdout.log").read_bytes() == b"begun\nstill here\n"


def test_what_goes_on_behind_does_not_hold_us(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = f"sleep 1000 & echo $! > {pid}; echo said"
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            watched(tmp_path / "run", ["sh", "-c", script]),
            stdout=out,
            stderr=out,
            check=False,
            timeout=LONG_S,
        )
    os.kill(int(pid.read_text()), signal.SIGKILL)
    assert done.returncode == 0
    assert (tmp_path / "out").read_bytes() == b"said\n"


def test_beginning_and_end_are_kept_and_the_rest_is_counted(tmp_path: Path) -> None:
    script = "import sys\nfor at in range(400_000): print(f'line {at:9}')"
    done = run(watched(tmp_path / "run", [PY, "-c", script], "--keep", "1"))
    assert done.stdout.count(b"\n") == 400_000
    kept = (tmp_path / "run/stdout.log").read_bytes()
    assert kept.startswith(b"line         0\n")
    assert kept.endswith(b"line    399999\n")
    assert len(kept) < 2 * 1024 * 1024
    said = b"[fixbook watch: %d bytes that were printed here are not kept]" % (
        len(done.stdout)
        - len(kept)
        + len(b"\n[fixbook watch:  bytes that were printed here are not kept]\n")
        + 7
    )
    assert said in kept


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "watch.json").write_text("{}")
    (folder / "stdout.log").symlink_to("/dev/full")
    command = ["sh", "-c", "seq 100000; exit 3"]
    plain, seen = run(command), run([*watched(folder, command)])
    assert (seen.stdout, seen.returncode) == (plain.stdout, 3)


def test_without_quiet_it_says_what_it_sets_and_where_it_keeps(tmp_path: Path) -> None:
    words = [word for word in watched(tmp_path / "run", ["env"]) if word != "--quiet"]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = run(words, env=clean)
    assert f"kept in {tmp_path / 'run'}; sets PYTHONUNBUFFERED=1" in done.stderr.decode()
    assert b"PYTHONUNBUFFERED=1\n" in done.stdout
    at = words.index("--")
    without = run([*words[:at], "--no-variables", *words[at:]], env=clean)
    assert b"PYTHONUNBUFFERED" not in without.stdout + without.stderr


def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = run(watched(tmp_path, ["true"]))
    assert done.returncode == 2
    assert b"is not empty" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_command_gets_no_file_of_ours(tmp_path: Path) -> None:
    tells = "import os; print(sorted(map(int, os.listdir('/proc/self/fd')))[:-1])"
    plain, seen = run([PY, "-c", tells]), run(watched(tmp_path / "run", [PY, "-c", tells]))
    assert plain.stdout == seen.stdout


def test_it_stays_in_our_group_and_session(tmp_path: Path) -> None:
    tells = (
        "import os; up = os.getppid(); "
        "print(os.getpgid(0) == os.getpgid(up), os.getsid(0) == os.getsid(up))"
    )
    assert run(watched(tmp_path / "run", [PY, "-c", tells])).stdout == b"True True\n"
