"""What a report may not carry is taken out, and what it is about stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.book_root import book_root
from fixbook.index.build import build_rows
from fixbook.log.diagnose import diagnose
from fixbook.log.redact import redact
from fixbook.log.signatures import index_from
from tests.secrets_made_up import made_up
from tests.site.engine import Engine
from tests.site.hard_texts import HARD, SEARCHES
from tests.vectors import rows

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
REDACT = "(text) => fixbook.use('redact').redact(text)"


@pytest.fixture(scope="module")
def engine(browser: Browser) -> Engine:
    return Engine(browser, rows())


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('File "/home/ann/a b/train.py", line 3', 'File "<path>/train.py", line 3'),
        ("/opt/x/lib/site-packages/torch/nn/f.py", "<path>/site-packages/torch/nn/f.py"),
        (r"C:\Users\bob\job\run.py failed", "<path>/run.py failed"),
        ("~/.cache/hf/token", "<path>/token"),
        ("s3://ann-bucket/secret/x", "s3://<host>/<path>"),
        ("see https://github.com/a/b/issues/1", "see https://github.com/a/b/issues/1"),
        ("https://ann:pw@minio.acme.example.com:9000/x?k=1", "https://<host>:9000/<path>"),
        ("gpu-17:123:4 [0] NCCL INFO eth0:10.2.3.4<0>", "<host>:123:4 [0] NCCL INFO eth0:<ip><0>"),
        ("gpu17.cluster.internal:29500", "<host>:29500"),
        ("MASTER_ADDR=node-3 hostname: abc", "MASTER_ADDR=<host> hostname: <host>"),
        ("from 2001:db8::1 and fe80::1, 12:30:45", "from <ip> and <ip>, 12:30:45"),
        ("127.0.0.1 torch==2.5.1 v1.2.3.4 cuda:0", "127.0.0.1 torch==2.5.1 v1.2.3.4 cuda:0"),
        ("HF_TOKEN=hf_abcdefghijklmnop", "HF_TOKEN=<token>"),
        ("wandb_api_key: 0123456789abcdef0123456789abcdef01234567", "wandb_api_key: <token>"),
        ('password="hunter2" Bearer abc.def.ghi', "password=<token> Bearer <token>"),
        ("tokenizer=Llama eos_token_id: 128001", "tokenizer=Llama eos_token_id: 128001"),
        ("KeyError: 'model.layers.0.weight'", "KeyError: 'model.layers.0.weight'"),
        ("mail ann.lee@acme.example now", "mail <email> now"),
        ("ann@gpu17: torch.distributed.elastic", "<user>@<host>: torch.distributed.elastic"),
        ("loss 0.3/0.5 and/or std::bad_alloc", "loss 0.3/0.5 and/or std::bad_alloc"),
    ],
)  # fmt: skip
def test_redacted(engine: Engine, text: str, left: str) -> None:
    assert engine.call(REDACT, text) == left
    assert redact(text) == left


def test_no_secret_is_left(engine: Engine) -> None:
    kinds = list(made_up())
    assert len(kinds) >= 75
    for text, secret in kinds:
        assert secret not in redact(text), text
        assert engine.call(REDACT, text) == redact(text)


def test_a_redacted_log_is_still_recognised(engine: Engine) -> None:
    index = index_from(build_rows(book_root()))
    for path in sorted(book_root().glob("recipes/*/logs/*")):
        text = path.read_text("utf-8", "replace")
        redacted = engine.call(REDACT, text)
        assert redact(text) == redacted, path
        before, after = diagnose(text, index), diagnose(redacted, index)
        assert [f.owner for f in before.matches] == [f.owner for f in after.matches], path


@pytest.mark.parametrize(("work", "piece"), HARD)
def test_work_grows_with_the_text(engine: Engine, work: str, piece: str) -> None:
    """Twice the text, twice the searches; `bench.browser` takes the time of each."""
    once, twice = (engine.call(SEARCHES, [work, (piece * size)[:size]]) for size in (4_000, 8_000))
    assert once > 0
    assert twice <= 2.1 * once + 10
