"""Take out of a log what says whose it is: tokens, addresses, host names, user names, folders.

The tables (`secret_patterns`, `person_patterns` and `host_patterns`) are the browser's too
(generator/browser/constants.py); only their few functions are written twice
(overrides/assets/diagnose/redact.js).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fixbook.log.host_patterns import HOSTS
from fixbook.log.person_patterns import PEOPLE
from fixbook.log.secret_patterns import SECRETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Where one of these is the last such folder, what follows is the library's, not the user's.
LIBRARIES = (
    *("accelerate", "axolotl", "deepspeed", "peft", "torch", "transformers"),
    *("trl", "verl", "vllm"),
)
KNOWN_HOSTS = re.compile(
    r"(?:^|\.)(?:github\.com|githubusercontent\.com|huggingface\.co|hf\.co|pytorch\.org"
    r"|python\.org|nvidia\.com|readthedocs\.(?:io|org)|localhost)$"
    # Modules of Python whose last part is an ending of addresses as well.
    r"|^(?:torch\w*|google\.protobuf|numpy|skimage|scipy|triton|vllm|transformers)\."
    # Where what is documented, or offered to all, is read.
    r"|^(?:(?:www|docs|pkg|test|errors|hub|download|packages|repo|rocm\.docs|learn|forums?|wiki)\.)?"
    r"(?:pypi\.org|pypa\.io|pydantic\.dev|deepspeed\.ai|vllm\.ai|sglang\.ai|ray\.io|axolotl\.ai"
    r"|modelscope\.cn|docker\.com|anaconda\.(?:org|com)|conda\.io|arxiv\.org|kernel\.org"
    r"|stackoverflow\.com|tensorflow\.org|numpy\.org|scipy\.org|cmake\.org|gnu\.org|amd\.com"
    r"|microsoft\.com|intel\.com|lightning\.ai|slurm\.schedmd\.com|schedmd\.com|apache\.org"
    r"|docs\.wandb\.ai|kubernetes\.io|openai\.com|unsloth\.ai|gradio\.app|hf-mirror\.com|triton-lang\.org|llvm\.org|aka\.ms)$",
    re.ASCII | re.IGNORECASE,
)
LOCAL = re.compile(r"^(?:127\.|0\.0\.0\.0)", re.ASCII)
PACKAGES = re.compile(r"^(?:site-packages|dist-packages)$", re.ASCII)
SYSTEM = re.compile(
    r"^/(?:proc|sys|dev|usr/lib|usr/local/(?:lib|cuda)[^/]*)(?:/|$)",
    re.ASCII,
)
KEY = re.compile(r"([\"'])(?!localhost\b|<)[A-Za-z][\w.-]*\1(?=\s?:)", re.ASCII)
MEMORY = 512  # bytes; what a number of them is a multiple of
WEIGHTS, CHECKS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2), "10X98765432"
# What of an answer is the log's: its parts, and the texts in them.
_LOGS = {
    *("answer", "exception", "runner_ups", "unrecognised", "captures", "cause", "user", "frame"),
    *("run", "findings"),
}
_LINES = {"text", "before", "code", "value"}
RULES = (*SECRETS, *PEOPLE, *HOSTS)


def compiled(pattern: str, cased: bool) -> re.Pattern[str]:  # noqa: FBT001
    """Return a pattern of the table."""
    return re.compile(pattern, re.ASCII if cased else re.ASCII | re.IGNORECASE)


def redact(text: str) -> str:
    """Take out what says whose a log is; a person is to read the rest before it is sent."""
    return _replaced(text, RULES)


def blank(data: Any) -> Any:
    """Return data without a secret in any of its texts; folders and hosts stay.

    Args:
        data: A text, or plain data that holds texts.
    """
    if isinstance(data, str):
        return _replaced(data, SECRETS)
    if isinstance(data, dict):
        return {blank(name): blank(value) for name, value in data.items()}
    return [blank(item) for item in data] if isinstance(data, list) else data


def without_secrets(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose lines of a log hold no secret; what is the book's stays as it is.

    Folders and hosts stay too: they are the reader's own, and say where to look.

    Args:
        answer: Plain data, or part of it.
    """
    return {name: _without_secrets(name, value) for name, value in answer.items()}


def without_values(answer: Any, values: Iterable[tuple[str, str]]) -> Any:
    """Return an answer without the values of a log that are secrets, wherever they were filled in.

    What tells a secret is often what stands around it: in code that is to be copied, and beside the
    label of a value, it stands alone.

    Args:
        answer: Plain data.
        values: Values, each with the line that it was taken from.
    """
    for value, line in values:
        alone = blank(value)
        if alone == value and (value not in line or value in blank(line)):
            continue
        answer = _put(answer, value, "<token>" if alone == value else alone)
    return answer


def _put(data: Any, old: str, new: str) -> Any:
    if isinstance(data, str):
        return data.replace(old, new)
    if isinstance(data, dict):
        return {name: _put(value, old, new) for name, value in data.items()}
    return [_put(item, old, new) for item in data] if isinstance(data, list) else data


def _without_secrets(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return _replaced(value, SECRETS) if name in _LINES else value
    if isinstance(value, dict):
        return without_secrets(value) if name in _LOGS else value
    if isinstance(value, list) and name in _LOGS:
        return [without_secrets(item) for item in value]
    return value


def _replaced(text: str, rules: Iterable[tuple[str, bool, str]]) -> str:
    for pattern, cased, by in rules:
        text = compiled(pattern, cased).sub(_FUNCTIONS.get(by, by), text)
    return text


def _citizen(found: re.Match[str]) -> str:
    """A number of eighteen digits is that of a person if its last one checks the others."""
    total = sum(int(sign) * weight for sign, weight in zip(found[0], WEIGHTS, strict=False))
    return "<id>" if found[0][-1].upper() == CHECKS[total % 11] else found[0]


def _phone(found: re.Match[str]) -> str:
    """A number of eleven digits may be one of bytes as well."""
    is_size = found[1] is not None or int(found[2]) % MEMORY == 0
    return found[0] if is_size else "<phone>"


def _hosts(found: re.Match[str]) -> str:
    return found[1] + KEY.sub(r"\1<host>\1", found[2])


def _ip(found: re.Match[str]) -> str:
    return found[0] if LOCAL.match(found[0]) else "<ip>"


def _host(name: str) -> str:
    return name if name.startswith("<") or KNOWN_HOSTS.search(name) else "<host>"


def _address(found: re.Match[str]) -> str:
    scheme, name, port, rest = found[1], found[2], found[3] or "", found[4] or ""
    known = _host(name) == name and not name.startswith("<")
    if scheme == "file://" or known:
        return found[0]
    return scheme + _host(name) + port + ("/<path>" if len(rest) > 1 else rest)


def _path(found: re.Match[str]) -> str:
    """Folders go, what the file belongs to stays."""
    parts = re.split(r"[\\/]", found[0])
    packages = next((at for at, part in enumerate(parts) if PACKAGES.match(part)), -1)
    own = max((at for at, part in enumerate(parts[:-1]) if part in LIBRARIES), default=-1)
    if packages >= 0 or own >= 0:
        return "<path>/" + "/".join(parts[packages if packages >= 0 else own :])
    return found[0] if SYSTEM.match(found[0]) else f"<path>/{parts[-1]}"


_FUNCTIONS: dict[str, Callable[[re.Match[str]], str]] = {
    "citizen()": _citizen,
    "phone()": _phone,
    "hosts()": _hosts,
    "ip()": _ip,
    "host()": lambda found: _host(found[0]),
    "address()": _address,
    "path()": _path,
}
