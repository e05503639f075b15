"""What a report may not carry is taken out, and what it is about stays."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from fixbook.book_root import book_root
from fixbook.index.build import build_rows
from fixbook.log.diagnose import diagnose
from fixbook.log.redact import redact
from fixbook.log.signatures import index_from
from tests.secrets_in_lines import secrets_in_lines
from tests.secrets_made_up import made_up
from tests.site.engine import Engine
from tests.site.hard_texts import HARD, SEARCHES
from tests.vectors import Python, rows

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
# What is no secret and nobody's, however much it looks like it.
EVIDENCE = """
(EngineCore pid=12) ERROR 01-01 [core.py:718] EngineCore failed to start.
INFO 01-01 [vllm.py:221] x [PID:1234] [axolotl.load_model:512] [RANK:0] [multiproc_executor.py:93]
from huggingface_hub import hf_hub_download, hf_argparser, hf_device_map, hf_raise_for_status
tokens = torch.multinomial(probs, 1); token = self.tokenizer.eos_token; tokens = done["tokens"]
max_num_batched_tokens=131072 tokens=131072 max_tokens: 4096000 'num_tokens': '142'
special_tokens={'bos_token': '<s>', 'pad_token': '[PAD]', 'unk_token': '<unk>', 'token': '</s>'}
KeyError: 'model.layers.0.self_attn.q_proj.weight' missing key: transformer.h.0.attn.bias
You are using the basic functionality of a basic optimizer; bearer of bad news
pip install nvidia-cublas-cu12==12.4.5.8 flash-attn@2.8.1 (cuDNN version 9.1.0.70)
Tried to allocate 17179869184 bytes; total_size: 15231233024; 13483904857 bytes left
see https://docs.vllm.ai/en/latest/x.html and https://errors.pydantic.dev/2.10/v/extra_forbidden
https://pypi.org/simple/ https://www.deepspeed.ai/docs/config-json/ https://docs.ray.io/en/latest/
import torchvision.io, google.protobuf.internal
host = logits if host is None else torch.cat(host); node = graph.call_function(target)
on node 0: the user code of the host was interrupted; connect to the server of this process
'betas': [0, 1], "input_ids": [0, 1, 2], {'layer1': [0, 1]}
peer access is not supported between these two devices; GPU0: 12 GiB; fp16: true
HEAD is now at 69caae1f2acea34b26f535fecb1f2abb9a304695 x
snapshots/69caae1f2acea34b26f535fecb1f2abb9a304695 is there
seal 1c31b16576940265 of 999999200001010000
""".strip().splitlines()
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
        (r"repr 'a\n\tb\nTraceback'", r"repr 'a\n\tb\nTraceback'"),
        *((text, text) for text in EVIDENCE),
    ],
)  # fmt: skip
def test_redacted(engine: Engine, text: str, left: str) -> None:
    assert engine.call(REDACT, text) == left
    assert redact(text) == left


def test_no_secret_is_left(engine: Engine) -> None:
    kinds = [*made_up(), *secrets_in_lines()]
    assert len(kinds) >= 300
    for text, secret in kinds:
        assert secret not in redact(text), text
        assert engine.call(REDACT, text) == redact(text)


def test_no_secret_is_in_a_link(engine: Engine) -> None:
    python = Python(rows())
    kinds = [(f"ValueError: {text}", secret) for text, secret in (*made_up(), *secrets_in_lines())]
    runs = [[("job.log", text.encode())] for text, _ in kinds if "\n" not in text]
    secrets = [secret for text, secret in kinds if "\n" not in text]
    here, there = [python.answer(logs)["next"] for logs in runs], engine.answers(runs)
    assert sum(steps is not None for steps in here) >= 250
    for steps, answer, secret in zip(here, there, secrets, strict=True):
        assert answer["next"] == steps
        if steps:
            assert secret not in unquote(steps["search"])
            assert secret not in steps["blanked"]


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
