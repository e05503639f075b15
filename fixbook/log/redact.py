"""Take out of a log what says whose it is: tokens, addresses, host names, user names, folders.

The table is the browser's too (generator/browser.py); only the few functions of it are written
twice (overrides/assets/diagnose/redact.js).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Where one of these is the last such folder, what follows is the library's, not the user's.
LIBRARIES = (
    *("accelerate", "axolotl", "deepspeed", "peft", "torch", "transformers"),
    *("trl", "verl", "vllm"),
)
KNOWN_HOSTS = re.compile(
    r"(?:^|\.)(?:github\.com|githubusercontent\.com|huggingface\.co|hf\.co|pytorch\.org"
    r"|python\.org|nvidia\.com|readthedocs\.io|localhost)$",
    re.ASCII | re.IGNORECASE,
)
NO_SECRET = re.compile(
    r"tokenizer|_token_id|keyerror|max_tokens|pad_token", re.ASCII | re.IGNORECASE
)
LOCAL = re.compile(r"^(?:127\.|0\.0\.0\.0)", re.ASCII)
PACKAGES = re.compile(r"^(?:site-packages|dist-packages)$", re.ASCII)
SYSTEM = re.compile(
    r"^/(?:proc|sys|dev|usr/lib|usr/local/(?:lib|cuda)[^/]*)(?:/|$)",
    re.ASCII,
)
_ENDING = (
    "(?:com|net|org|edu|gov|io|ai|cn|de|uk|fr|eu|jp|kr|ru|ch|in|dev|cloud|local|localdomain"
    "|internal|intranet|corp|lan|cluster|svc|home)"
)
_KEYS = (
    r"(?:(?:api|access|secret|private|auth|ssh|license|account)[_-]?key(?:_id)?|token|secret"
    r"|passwd|password|pwd|credential)s?"
)
_PREFIXES = (
    r"(?:hf_|sk-|pk-|rk-|(?:sk|pk|rk)_(?:live|test)_|gh[opusr]_|github_pat_|glpat-|xox[abprs]-"
    r"|xapp-|AKIA|ASIA|AIza|ya29\.|1//0|npm_|pypi-|nvapi-|dckr_pat_|wandb_v1_|SG\.|r8_|gsk_"
    r"|lin_api_|hvs\.|dop_v1_|AGE-SECRET-KEY-1|dapi(?=[0-9a-f]{16})|ms-(?=[0-9a-f]{8}-?[0-9a-f]))"
)
_FLAG = r"(?:[\w-]*[_-])?(?:token|password|passwd|pwd|secret|api[_-]?key|access[_-]?key)"
_PARAMETERS = (
    r"(?:X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-(?:Signature|Credential)|Signature"
    r"|Key-Pair-Id|sig|access_token)"
)
_IPV6 = (
    r"(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}"
    r"|(?:fe80|f[cd][0-9a-f]{2}|2[0-9a-f]{3})(?::[0-9a-f]{1,4}){0,6}"
    r"::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?)"
)
# Pattern, whether capitals matter, and what stands in its place: a text in which ``\1`` is the
# first group, or one of the functions below by its name with parentheses. In this order.
RULES: tuple[tuple[str, bool, str], ...] = (
    (
        (
            r"-----BEGIN (?:[A-Z ]{0,40}PRIVATE KEY|PGP [A-Z ]{1,40})-----[^\x00]*?"
            r"(?:-----END [A-Z ]{0,60}-----|$)"
        ),
        True,
        "<private key>",
    ),
    (rf"([?&]{_PARAMETERS}=)[^&\s\"'<>]+", False, r"\1<token>"),
    (r"\b((?:set-)?cookie:[ \t]*)[^\n]+", False, r"\1<token>"),
    (
        r"\b((?:proxy-)?authorization[\"']?\s{0,3}[=:]\s{0,3}[\"']?)(?:\w+ )?(?!<)[^\s<\"',;]{6,}",
        False,
        r"\1<token>",
    ),
    (r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?", True, "<token>"),
    # The rest of one that is wrapped stands alone on the next line.
    (rf"\b{_PREFIXES}[\w-]{{8,}}(?:\n(?=[\w-]*\d)[\w-]{{12,}}(?=\s|$))?", True, "<token>"),
    (r"\b\d{8,12}:[\w-]{35}(?![\w-])", True, "<token>"),
    (r"\b(ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\w{1,20})[ \t]+[\w+/=]{30,}", True, r"\1 <key>"),
    (r"([\"']auth[\"']\s{0,3}:\s{0,3}[\"'])[^\"'\n]{8,}", True, r"\1<token>"),
    (
        (
            rf"((?<![\w-])--?{_FLAG}[ \t]+[\"']?)"
            r"(?![<-]|true\b|false\b|none\b|\d{1,6}\b)[^\s\"'<]{4,}"
        ),
        False,
        "secret()",
    ),
    (r"\b((?:mysql\w{0,10}|sshpass)\b[^\n]{0,200}?[ \t]-p[ \t]?)[^\s<-]\S*", True, r"\1<token>"),
    (r"\b(bearer|basic)\s+[\w.~+/=-]{8,}", False, r"\1 <token>"),
    (
        (
            rf"({_KEYS}[\"']?\s{{0,3}}[=:]\s{{0,3}})"
            r"(?:\"[^\"\n]*\"|'[^'\n]*'|(?![<\s])[^\s,;)}\]]{6,})"
        ),
        False,
        "secret()",
    ),
    (r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{40}\b", True, "<token>"),
    (r"(?<!\w)(\w{1,20}://)[^\s/@:]{1,100}(?::[^\s/@]{0,200})?@", True, r"\1"),
    (r"(?<![\w.+-])[\w.+-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,100})+", True, "<email>"),
    (r"(?<![\w.-])[A-Za-z][\w.-]{0,100}@[A-Za-z][\w-]{0,100}(?=[:\s]|$)", True, "<user>@<host>"),
    (r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)", True, "ip()"),
    (rf"(?<![\w:]){_IPV6}(?![\w:])", False, "<ip>"),
    (r"\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b", False, "<mac>"),
    (r"\b(GPU|MIG)-[0-9a-f]{8}-[0-9a-f-]{20,40}", True, r"\1-<uuid>"),
    (r"\b((?:USER|USERNAME|LOGNAME|SUDO_USER|SLURM_JOB_USER)=[\"']?)[^\s\"'<]+", True, r"\1<user>"),
    (
        r"\b(e?[ug]id=\d{1,10}|groups=\d{1,10})\([^)\n]*\)(?:,\d{1,10}\([^)\n]*\))*",
        True,
        r"\1(<user>)",
    ),
    (r"(logged in as:?[ \t]+)[^\s<][^\n.]*", False, r"\1<user>"),
    (r"\b(SLURM\w{0,30}NODELIST[ \t]{0,3}[=:][ \t]{0,3})[^\s<]+", True, r"\1<host>"),
    (r"\b(srun: (?:error|warning): )[A-Za-z][\w.-]*(?=: )", True, r"\1<host>"),
    (r"(?<!\w)\[(?!rank\d)[A-Za-z][\w.-]{2,63}(?=:\d{2,7}\])", True, "[<host>"),
    (
        r"(?<![^\n])([ \t]*(?:\[[^\]\n]*\]:?[ \t]*)?)[A-Za-z][\w.-]*(?=:\d+:\d+ \[\d+\] NCCL )",
        True,
        r"\1<host>",
    ),
    (
        (
            r"\b((?:host(?:_?name)?|node(?:_?name|list)?|master_addr|nodelist|rdzv_endpoint|server)"
            r"[\"']?\s*[=:]\s*[\"']?)(?!<|None\b|localhost\b|127\.)[A-Za-z][\w.[\]-]*"
        ),
        False,
        r"\1<host>",
    ),
    (
        r"(?<![\w/@.-])(?:[A-Za-z0-9](?:[\w-]*[A-Za-z0-9])?\.)+" + _ENDING + r"(?![\w(-]|\.\w)",
        False,
        "host()",
    ),
    (
        r"(?<!\w)(\w{1,20}://)((?:[\w-]+\.)*[\w-]+|<host>|<ip>)(:\d+)?(/[^\s\"'<>]*)?",
        True,
        "address()",
    ),
    (r"\bfile:///?[^\s\"'<>]+", True, "file://<path>"),
    (
        r"(?<![\w.<>/\\])(?:[A-Za-z]:)?[\\/]{1,2}(?:home|Users)[\\/]{1,2}[\w.-]+(?![\w.-]|[\\/]{1,2}\w)",
        True,
        "<path>",
    ),
    (r"(?<![\w/])~[\w.-]*/[^\s\"'<>|:*?,;()]+", True, "path()"),
    (
        (
            r"(?<![\w.<>/])(?:[A-Za-z]:)?"
            r"(?:(?:\\\\|[\\/])(?:[^\s\\/\"'<>|:*?,;()[\]{}]| (?=[^\s\\/\"':,]*[\\/]))+){2,}"
        ),
        True,
        "path()",
    ),
)


def compiled(pattern: str, cased: bool) -> re.Pattern[str]:  # noqa: FBT001
    """Return a pattern of the table."""
    return re.compile(pattern, re.ASCII if cased else re.ASCII | re.IGNORECASE)


def redact(text: str) -> str:
    """Take out what says whose a log is; a person is to read the rest before it is sent."""
    for pattern, cased, by in RULES:
        text = compiled(pattern, cased).sub(_FUNCTIONS.get(by, by), text)
    return text


def _secret(found: re.Match[str]) -> str:
    return found[0] if NO_SECRET.search(found[0]) else f"{found[1]}<token>"


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
    "secret()": _secret,
    "ip()": _ip,
    "host()": lambda found: _host(found[0]),
    "address()": _address,
    "path()": _path,
}
