"""The shipped JavaScript answers as the command does, on vectors, the book's logs and noise."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book_root import book_root
from fixbook.index.build import build_rows
from fixbook.log.diagnose import diagnose
from fixbook.log.search import SearchIndex, documents_from
from fixbook.log.tokens import tokens_of
from tests.site.engine import Engine
from tests.vectors import Python, cases, logs_of, rows, short

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.vectors import Log

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def book() -> dict[str, Any]:
    return build_rows(book_root())


@pytest.fixture(scope="module")
def real(browser: Browser, book: dict[str, Any]) -> Engine:
    return Engine(browser, book)


@pytest.fixture(scope="module")
def small(browser: Browser) -> Engine:
    return Engine(browser, rows())


def bare(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without the words of the book, which the site writes as plain text."""
    left: dict[str, Any] = json.loads(json.dumps(answer))
    for found in [left["answer"] or {}, *left["runner_ups"]]:
        for name in ("title", "summary"):
            found.pop(name, None)
        for cause in found.get("causes", []):
            del cause["title"], cause["ask"]
        found.pop("advice", None)
        for part in [*found.get("fixes", []), *found.get("avoid", []), found.get("detect") or {}]:
            for name in ("title", "text", "trade_off", "says"):
                part.pop(name, None)
    for guess in left["guesses"]:
        del guess["title"]
        guess["score"] = round(guess["score"], 1)
    return left


def agree(engine: Engine, python: Python, runs: list[list[Log]]) -> None:
    seen = engine.answers(runs)
    assert engine.errors == []
    for logs, answer in zip(runs, seen, strict=True):
        assert bare(answer) == bare(python.answer(logs)), [data[:300] for _, data in logs]


def test_vectors(small: Engine) -> None:
    found = small.answers([logs_of(case) for case in cases()])
    for case, answer in zip(cases(), found, strict=True):
        assert short(answer) == case["expect"], case["name"]


def test_whole_answers_agree(small: Engine) -> None:
    agree(small, Python(rows()), [logs_of(case) for case in cases()])


def test_logs_of_the_book(real: Engine, book: dict[str, Any]) -> None:
    paths = sorted(book_root().glob("recipes/*/logs/*"))
    assert paths
    agree(real, Python(book), [[(path.name, path.read_bytes())] for path in paths])


NAMES = ("", "x.log", "rank3.log", "attempt_0/2/stderr.log", "slurm-12_4.out", "rank_5/x")
PIECES = (
    *(f"\x1b[{n}m" for n in ("", "31", "1;36")),
    *(
        "\x1b]0;t\x07",
        "\x1b]x",
        "\x1b[",
        "\x1b\\",
        "\r",
        "\r\n",
        "\x0b\x0c\x1c\x85",
        "\u2028",
        "\0",
    ),
    *("[rank3]: ", "[default1]:[rank1]: ", "(pid=1, ip=1.2.3.4) ", "7: ", "[1,2]<stderr>:"),
    *("2025-04-22 10:56:01,149 ", "2025-02-30 10:56:01 ", "2024-02-29T23:59:59 "),
    *("W0422 10:56:01.149000 45696 torch/x.py:543] ", "ERROR 02-25 11:11:34 engine.py:139] "),
    *(
        "RuntimeError: ",
        "a.b.XError: q",
        "Exception: \u00a0",
        "张量",
        "𠮷😀",
        "<b>&amp;",
        " GiB",
        "12",
    ),
    'File "/a/b/c.py", line 3, in f',
    *("\nTraceback (most recent call last):\n", "\nOriginal Traceback (most recent call last):\n"),
    '\n  File "/v/python3.11/site-packages/torch/x.py", line 7, in g\n    y = f(𠮷)\n    ^^^\n',
    *("\nFile C:\\a b\\trl\\trl\\x.py:12, in f(x)\n", "\nCell In[3], line 7\n", "x.py:1: in z\n"),
    *("\nKeyError: 'labels'\n", "\nValueError: bad /a/b/c of 0x7f and `q` 4x63 (12 GiB)\n"),
    *("\nray.exceptions.RayTaskError: x\n", "\nException ignored in: <f>\n"),
    "\nDuring handling of the above exception, another exception occurred:\n",
    "\nThe above exception was the direct cause of the following exception:\n",
    *("torch==2.5.1 ", "Transformers version: 4.42", "cannot read", "warning: failed", "[Errno 2]"),
)


def noise(chance: random.Random, literals: list[str], logs: list[bytes]) -> bytes:
    out = b""
    for _ in range(chance.randrange(1, 40)):
        kind = chance.random()
        if kind < 0.4:
            out += chance.choice(literals).encode()
        elif kind < 0.75:
            out += chance.choice(PIECES).encode()
        elif kind < 0.85:
            out += chance.randbytes(chance.randrange(30))
        elif kind < 0.9:
            out += chance.choice(logs)[: chance.randrange(3000)]
        else:
            out += b"\n"
    return out


def test_how_processes_were_seen_to_end_comes_after_what_they_printed(
    real: Engine, book: dict[str, Any]
) -> None:
    """A crash by the watchdog's own hand is no cause; `fixbook watch` writes it into seen.log."""
    watchdog = b"""\

[rank0]:[E1] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4, \
OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=10000) ran for 10011 milliseconds
terminate called after throwing an instance of 'c10::DistBackendError'
"""
    seen = b"fixbook watch: process 7 (rank 0) (python) ended with Signal 6 (SIGABRT)\n"
    runs: list[list[Log]] = [[("run/output.log", watchdog), ("run/seen.log", seen)]]
    agree(real, Python(book), runs)
    found = real.answers(runs)[0]["answer"]
    assert found["symptom"] == "collective-timeout"


def test_blanks_around_words_are_no_words(real: Engine, book: dict[str, Any]) -> None:
    """With them counted, these would be seven, and a sentence that tells of no failure."""
    log = b"\nFile C:\\a b\\trl\\trl\\x.py:12, in f(x)\n"
    agree(real, Python(book), [[("x.log", log)]])


@pytest.mark.parametrize("seed", range(4))
def test_noise(seed: int, real: Engine, small: Engine, book: dict[str, Any]) -> None:
    chance = random.Random(seed)  # noqa: S311
    logs = [path.read_bytes() for path in sorted(book_root().glob("recipes/*/logs/*"))]
    for engine, data in ((real, book), (small, rows())):
        literals = [literal for row in data["matchers"] for literal in row["literals"]]
        runs = [
            [
                (chance.choice(NAMES), noise(chance, literals, logs))
                for _ in range(chance.choice((1, 1, 1, 2, 3)))
            ]
            for _ in range(150)
        ]
        agree(engine, Python(data), runs)


def test_extremes(real: Engine, book: dict[str, Any]) -> None:
    chance = random.Random(7)  # noqa: S311
    oom = b"CUDA out of memory. Tried to allocate 3 GiB"
    texts = [
        b"x" * 10_000_000 + oom + b"y" * 1_000_000 + b" Broken pipe",
        ("😀" * 70_000).encode() + oom + ("😀" * 70_000).encode(),
        chance.randbytes(2_000_000),
        b"Error: x\n" * 3000 + b"vs Error: y\nValueError: z\n" + b"Broken pipe\n" * 2500,
        b"step 1 loss 0.3\n" * 700_000 + b"[rank2]: " + oom + b"\nz\n",
        b"\x1b]0;" * 100_000 + oom,
        b"\r" * 300_000 + oom,
        b"\xff\xfe" + ("步骤\n" + oom.decode() + "\n").encode("utf-16-le"),
        (oom.decode() + "\n").encode("utf-16-le"),
        (oom.decode() + "\n步骤\n").encode("utf-16-be"),
        *((oom.decode() + "\n步骤😀\n").encode(f"utf-32-{end}") for end in ("le", "be")),
        ("步骤\n" * 400_000 + oom.decode()).encode("utf-32") + b"\x00\xd8\0\0\xff\xff\xff\xff\n\0",
        b"[rank0]:" * 200_000,
        (b"2025-01-01 10:00:00 Exception: y\n") * 50_000,
    ]
    agree(real, Python(book), [[("", text)] for text in texts])


def test_unpaired_surrogates(small: Engine) -> None:
    text = "slot \ud83d is busy \ude00\nfatal: step 1\n"
    seen = small.call(
        "(codes) => engine.diagnose(String.fromCharCode(...codes)).matches[0].captures",
        [ord(sign) for sign in text],
    )
    best = diagnose(text, Python(rows()).index).best
    assert best
    assert [one.value for one in best.captures] == ["\ufffd"]
    assert seen == [asdict(one) for one in best.captures]


QUERIES = (
    *("CUDA out of memory", "显存不足", "cu_seqlens", "getUnpadData", "--bf16 ~/.cache x^y -1", ""),
    *(
        "的",
        "a",
        "0x7f3a 0123456789abcdef",
        'File "/a/b/train.py", line 3, in main',
        "C:\\a\\b\\c.py",
    ),
    *(
        "how do I choose the number of workers for my data loader",
        "用 FooTune 启动，加载数据的时候卡住，是不是内存不够",
        "my 24GB card runs out of memory in the second epoch, LangChain is loaded as well",
        "要不要在昇腾的服务器上给自己的模型做量化再部署呢",
    ),
    *("多卡训练卡死 gloo", "𠮷 out\u2028of", "HTTPServerXMLError2fast", "a\rb\r\nmemory\x85shared"),
)


@pytest.mark.parametrize("query", QUERIES)
def test_search_agrees(real: Engine, book: dict[str, Any], query: str) -> None:
    tokens = real.call("(text) => fixbook.use('tokens').tokensOf(text)", query)
    assert [tuple(token) for token in tokens] == tokens_of(query)
    wanted = SearchIndex(documents_from(book["search"]), book["elsewhere"]).search(query)
    found = real.call("(text) => engine.entries.search(text)", query)
    assert [slug for slug, _ in found] == [slug for slug, _ in wanted]
    assert [score for _, score in found] == pytest.approx([score for _, score in wanted], abs=1e-5)
