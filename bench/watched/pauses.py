"""What a healthy run does for long without a word. None of it takes more than a dozen seconds.

The watcher's patience is scaled down to 6 seconds, so each stands for a pause twenty times as long.
Downloads come from a server beside the run that sends slowly (`bench.slow_server`).
"""

import contextlib
import os
import subprocess
import sys
import time
import urllib.request

LONG_S = 11
_HEADERS = "#include <map>\n#include <regex>\n#include <string>\n#include <functional>\n"
_UNIT = "std::map<std::string, std::function<bool()>> m{n}() {{ return {{{{\"{n}\", [] {{ return std::regex_match(\"a\", std::regex(\"{n}\")); }}}}}}; }}\n"


def download():
    """Into a file, as a model is."""
    with urllib.request.urlopen(os.environ["SLOW_SERVER"]) as sent, open(f"model-{os.getpid()}", "wb") as file:
        while part := sent.read(64 * 1024):
            file.write(part)


def stream():
    """Into memory, as a data set that is not kept on disk."""
    with urllib.request.urlopen(os.environ["SLOW_SERVER"]) as sent:
        return sent.read()


def build():
    """An extension in C++, by a compiler that says nothing and writes at its end."""
    with open(f"kernel-{os.getpid()}.cpp", "w") as file:
        file.write(_HEADERS + "".join(_UNIT.format(n=n) for n in range(220)))
    subprocess.run(["g++", "-O2", "-pipe", "-c", file.name, "-o", f"{file.name}.o"], check=True)


def tokenise():
    """A data set through two processes, its bars switched off."""
    import datasets

    datasets.disable_progress_bars()
    rows = datasets.Dataset.from_dict({"text": [f"sentence {n} of it" for n in range(24)]})
    rows.map(_slowly, num_proc=2)


def _slowly(row):
    end = time.monotonic() + LONG_S / 12
    while time.monotonic() < end:
        row["ids"] = [hash(word) % 1000 for word in row["text"].split()]
    return row


def compute():
    """An evaluation in Python that prints nothing."""
    import torch

    end = time.monotonic() + LONG_S
    while time.monotonic() < end:
        one = torch.randn(200, 200)
        one = (one @ one).softmax(-1)
        one.argmax(-1).eq(one.argmin(-1)).float().mean().item()


def one_call():
    """One call into a library that comes back after long, as a decomposition does."""
    import torch

    begun = time.monotonic()
    torch.linalg.svd(torch.randn(700, 700))
    once = time.monotonic() - begun
    larger = int(700 * (LONG_S / max(once, 0.02)) ** (1 / 3))
    torch.linalg.svd(torch.randn(larger, larger))


def save():
    """A checkpoint onto a disk that takes a megabyte at a time."""
    with open(f"checkpoint-{os.getpid()}.bin", "wb") as file:
        for _ in range(LONG_S * 3):
            file.write(os.urandom(1_000_000)), file.flush(), os.fsync(file.fileno())
            time.sleep(0.3)


def wait():
    """A judge at another place that answers late: within the patience, as nothing shows that it lives."""
    time.sleep(4)


@contextlib.contextmanager
def busy():
    """Four other processes that want both cores."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: sum(range(10**6))"]) for _ in range(4)]
    try:
        yield
    finally:
        for one in others:
            one.kill()
            one.wait()


def pause(name):
    globals()[name]()
