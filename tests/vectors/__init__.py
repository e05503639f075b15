"""Vectors of diagnosis: inputs by hand, answers that both implementations must give.

``cases.json`` holds them; ``python -m tests.vectors`` writes the answers anew after a change of
the specification, to be read before they are kept.
"""

from __future__ import annotations

import base64
import io
import json
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.index.documents import row_of
from fixbook.log.answer import answer_of
from fixbook.log.diagnose import decide
from fixbook.log.finder import Finder
from fixbook.log.literals import required_literals
from fixbook.log.question import MOST_BYTES
from fixbook.log.reading import CHUNK, rank_in, whole_lines
from fixbook.log.scan import Scanner
from fixbook.log.tokens import tokens_of
from fixbook.log.wide import decoded
from tests.vectors.advice import SURROUNDINGS, advice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILE = Path(__file__).with_name("cases.json")
Log = tuple[str, bytes]


def _matcher(owner: str, pattern: str, **more: Any) -> dict[str, Any]:
    row = {"owner": owner, "name": f"{owner}-{len(pattern)}", "specific": True}
    row |= {"secondary": False, "echo": False, "pattern": pattern, "context": [], "unless": []}
    row |= {"same": [], "differ": []}
    return row | {"literals": list(required_literals(pattern)), **more}


_SHARED = {"specific": False}
_NOTICED = {"specific": False, "secondary": True}
_ECHO = {**_NOTICED, "echo": True}
_OOM = r"out of memory\. Tried to allocate (?P<size>[\d.]+ [MG]iB)"
_DIFFER = r"(?:PG (?P<group>\w+)\] )?ran (?P<seq>\d+): (?P<op>[A-Z]+) of (?P<numel>\d+)"
_MATCHERS = [
    _matcher("logits", _OOM, context=["in loss_fn\\b"], unless=["in evaluate\\b"]),
    _matcher("logits", r"\bGPU (?P<device>\d+) has (?P<free>[\d.]+ [MG]iB) free"),
    _matcher("mismatch", r"op\.preamble\.length <= op\.nbytes\. (?P<got>\d+) vs (?P<want>\d+)"),
    _matcher("mismatch", _DIFFER, same=["group", "seq"], differ=["op", "numel"]),
    _matcher("window", r"head (?P<h>\d+)[^,]* wants (?:(?P<kb>\d+) KB|too much)"),
    _matcher("folded", r"(?i:segmentation fault) at \w+\b"),
    _matcher("anchored", r"^fatal: step \d+$"),
    _matcher("spaces", r"slot\s+(?P<slot>\S+) is busy"),
    _matcher("中文条目", r"显存(?P<what>不足|溢出)了", unless=["忽略这条报错"]),
    _matcher("oom", r"out of memory", **_SHARED),
    _matcher("plan", r"Failed to validate global plan", **_SHARED),
    _matcher("timeout", r"Watchdog caught collective operation timeout", **_NOTICED),
    _matcher("closed", r"Connection (?:closed|reset) by peer", **_ECHO),
]
_TEXTS = {
    "logits": "CUDA out of memory logits_processor cross_entropy 显存不足 loss_fn GPU",
    "mismatch": "gloo preamble.length 卡住 collective mismatch across ranks",
    "window": "FlexAttention kernel_options shared memory 共享内存",
    "folded": "SegmentationFault core dumped _get_unpad_data",
    "anchored": "fatal step",
    "spaces": "slot busy 端口被占用 EADDRINUSE",
    "中文条目": "显存溢出 训练卡死",
    "closed": "ECONNRESET peer closed connection 对端断开连接",
}
_LABELS = {"size": "size", "free": "free", "got": "got", "kb": "KB", "slot": "slot", "what": "what"}


def rows() -> dict[str, Any]:
    """Return a small index, as plain data."""
    names = list(dict.fromkeys(matcher["owner"] for matcher in _MATCHERS))
    surroundings = {p for m in _MATCHERS for p in (*m["context"], *m["unless"])} | SURROUNDINGS
    return {
        "format": 1,
        "matchers": _MATCHERS,
        "causes": {"oom": ["logits"], "plan": [], "timeout": ["mismatch"], "closed": ["mismatch"]},
        "surroundings": {p: list(required_literals(p)) for p in sorted(surroundings)},
        "titles": {n: {"title": _both(f"T {n}"), "summary": _both(f"S {n}")} for n in names},
        "asks": {k: _both(f"{k}?") for k in ("oom/logits", "timeout/mismatch", "closed/mismatch")},
        "labels": {
            f"{matcher['owner']}/{matcher['name']}/{name}": _both(_LABELS[name])
            for matcher in _MATCHERS
            for name in re.compile(matcher["pattern"]).groupindex
            if matcher["specific"] and name in _LABELS
        },
        "fixes": {name: advice(name) for name in names},
        "advice": {name: _both(f"Read {name}.") for name in names},
        "elsewhere": [],
        "search": [row_of(name, _weights(text)) for name, text in _TEXTS.items()],
    }


def _both(text: str) -> dict[str, str]:
    return {"zh": f"{text}（中文）", "en": text}


def _weights(text: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for token, part in tokens_of(text):
        weights[token] = weights.get(token, 0.0) + 2 * part
    return weights


class Python:
    """The implementation of the command, on some index."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.rows = data
        self.finder = Finder(data)
        self.index = self.finder.index
        self.scanner = Scanner(self.index)

    def answer(self, logs: Sequence[Log]) -> dict[str, Any]:
        """Return the answer on logs of one run, in English."""
        scans, tail = [], b""
        for name, data in logs:
            chunks = list(whole_lines(_parts(data)))
            scans.append(self.scanner.scan(chunks, name, rank_in(name)))
            tail = chunks[-1] if chunks else tail
        text = tail[-MOST_BYTES:].decode("utf-8", errors="replace")
        diagnosis = self.finder.by_words(decide(scans, self.index), text)
        guesses = [] if diagnosis.best else self.finder.guesses(text, 3)
        return answer_of(diagnosis, self.rows, guesses, "en", 3)


def _parts(data: bytes) -> Iterator[bytes]:
    return decoded(partial(io.BytesIO(data).read, CHUNK))


def logs_of(case: dict[str, Any]) -> list[Log]:
    """Return the logs of a case as names and bytes."""
    return [
        (log["name"], base64.b64decode(log["base64"]) if "base64" in log else log["text"].encode())
        for log in case["logs"]
    ]


def cases() -> list[dict[str, Any]]:
    """Read the vectors."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return found


def short(answer: dict[str, Any]) -> dict[str, Any]:
    """Return what a vector holds of an answer: all of it but the words of the book."""
    best = answer["answer"]
    out: dict[str, Any] = {"kind": answer["kind"], "lines": answer["lines"]}
    if answer["kind"] == "entry":
        out |= {
            "fixes": [_stands(fix) for fix in best["fixes"]],
            "check": best["detect"] is not None,
        }
        out |= {"avoid": [one["title"] for one in best["avoid"]]} if best["avoid"] else {}
    if best:
        out |= {"is": best.get("slug") or best["symptom"], "captures": _values(best)}
        out |= {key: best[key] for key in ("signature", "source", "line", "rank", "ranks", "text")}
    if answer["exception"]:
        out["exception"] = _exception(answer["exception"])
    if answer["goes_on"]:
        out["goes_on"] = answer["goes_on"]
    if answer["next"]:
        out["next"] = {key: answer["next"][key] for key in ("blanked", "search", "docs")}
    others = [f"{one.get('slug') or one['symptom']}:{one['line']}" for one in answer["runner_ups"]]
    unknown = [f"{one['line']}: {one['text']}" for one in answer["unrecognised"]]
    guesses = [guess.get("slug") or guess["symptom"] for guess in answer["guesses"]]
    out |= {"others": others} if others else {}
    out |= {"unrecognised": unknown} if unknown else {}
    return out | ({"guesses": guesses} if guesses else {})


def _stands(fix: dict[str, Any]) -> str:
    parts = [f"{fix['id']} {fix['standing']}", *fix["says"]]
    parts += [fix["code"]["text"]] if fix["code"] else []
    return "; ".join([*parts, *(change["text"] for change in fix["changes"])])


def _exception(card: dict[str, Any]) -> dict[str, Any]:
    """Return what the log tells of an exception, without what is empty or False."""
    return {
        key: value for key, value in card.items() if value or (value == 0 and value is not False)
    }


def _values(found: dict[str, Any]) -> dict[str, str]:
    return {f"{one['signature']}/{one['name']}": one["value"] for one in found["captures"]}
