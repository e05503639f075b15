"""Kinds of text that say whose a log is, each made up anew: none is anybody's."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_RANDOM = random.Random(14)  # noqa: S311  (nothing is protected by it)
_WORD, _HEX, _UPPER = string.ascii_letters + string.digits, "0123456789abcdef", "ABCDEFGHIJ23456789"
_PREFIXES = [
    *("hf_", "sk-proj-", "sk-ant-api03-", "sk-", "sk_live_", "rk_test_", "pk_live_", "wandb_v1_"),
    *("xapp-1-", "xoxb-", "SG.", "r8_", "gsk_", "ghp_", "github_pat_", "glpat-", "npm_", "pypi-"),
    *("nvapi-", "dckr_pat_", "AIza", "ya29.", "lin_api_", "hvs.", "1//0"),
]
# Around a secret; ``{}`` is where it stands.
_AROUND = r"""
HF_TOKEN={}
WANDB_API_KEY: {}
password="{}"
api_key='{}'
aws_secret_access_key = {}
Authorization: token {}
authorization: Bearer {}
Authorization: Basic {}==
x-api-key: {}
Cookie: session={}; theme=dark
set-cookie: sid={}; Path=/
"auth": "{}="
"refresh_token": "{}"
train.py --api_key {} --lr 1
train.py --hub-token {}
db --password {} x
mysql -uroot -p{} db
AccountName=a;AccountKey={}==;EndpointSuffix=b
"private_key_id": "{}",
sshpass -p {} ssh h
https://h.s3.amazonaws.com/x?X-Amz-Signature={}
https://h.blob.core.windows.net/c?sv=1&sig={}%3D
https://huggingface.co/a?Signature={}&x=1
https://user:{}@host.example.com/x
Bearer {}
http://127.0.0.1:8888/lab?token={}
ssh-rsa AAAAB3NzaC1yc2E{}
ssh-ed25519 AAAAC3Nza{} a@b
eyJhbGciOiJIUzI1NiJ9.eyJ{}.x
""".strip().splitlines()
_BLOCK = "-----BEGIN {0}-----\n{{}}\n-----END {0}-----"
_AROUND += [_BLOCK.format(kind) for kind in ("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK")]
# What says who, or where: the whole text, and what must not be left of it.
_PEOPLE = [
    ("FileNotFoundError: /home/alice", "alice"),
    ("cd /home/alice && ls /Users/alice", "alice"),
    (r"C:\Users\alice\x.py", "alice"),
    (r'"C:\\Users\\alice\\x.py"', "alice"),
    ("file:///home/alice/x.py", "alice"),
    ("USER=alice LOGNAME=alice", "alice"),
    ("uid=1000(alice) gid=1000(alice) groups=1000(alice),4(alice)", "alice"),
    ("wandb: Currently logged in as: alice (team). Use", "alice"),
    ("alice@gpu17: x", "alice"),
    ("mail alice@example.org", "alice"),
    ("SLURM_NODELIST=gpu[01-04]", "gpu"),
    ("SLURM_JOB_NODELIST=gpu17", "gpu17"),
    ("srun: error: gpu-a100-07: task 3: Killed", "gpu-a100-07"),
    ("[gpu-a100-07:12345] mca_base", "gpu-a100-07"),
    ("gpu-a100-07:1:2 [0] NCCL INFO x", "gpu-a100-07"),
    ("MASTER_ADDR=node-3", "node-3"),
    ("mac 00-1A-2B-3C-4D-5E", "1A"),
    ("00:1a:2b:3c:4d:5e", "1a"),
    ("(UUID: GPU-2d4a1b3c-aaaa-bbbb-cccc-1234567890ab)", "2d4a1b3c"),
    ("connect 10.12.3.4:29500", "10.12"),
    ("from fe80::1a2b:3c4d", "1a2b"),
]


def made_up() -> Iterator[tuple[str, str]]:
    """Yield texts, each with what may not be left of it."""
    for prefix in _PREFIXES:
        secret = prefix + _some(_WORD, 40)
        yield f"using {secret} now", secret
    for around in _AROUND:
        secret = _some(_WORD, 40)
        yield around.format(secret), secret
    others = [f"AKIA{_some(_UPPER, 16)}", f"dapi{_some(_HEX, 32)}", f"ms-{_some(_HEX, 32)}"]
    others += [
        f"{_some('123456789', 10)}:AA{_some(_WORD, 33)}",
        f"AGE-SECRET-KEY-1{_some(_UPPER, 58)}",
    ]
    others += [_some(_HEX, 39) + "a"]
    yield from ((f"key {secret} here", secret) for secret in others)
    rest = "7" + _some(_WORD, 20)
    yield f"hf_{_some(_WORD, 20)}\n{rest}", rest
    yield from _PEOPLE


def _some(signs: str, count: int) -> str:
    return "".join(_RANDOM.choice(signs) for _ in range(count))
