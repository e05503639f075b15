"""A thousand made-up secrets, told to every face of the book: none comes out of it again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

import fixbook
from fixbook.agent.roots import Roots
from fixbook.agent.tools import Tools
from fixbook.api.logs import Reader
from fixbook.cli import cli
from tests.secrets_in_lines import secrets_in_lines
from tests.secrets_made_up import made_up

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEAST = 12  # signs of a secret; what says who or where is shorter, or a number, and may stay
CUT = "hf_"  # what a line break cut in two is a word like any other, once its first half is gone
ROUNDS = 5  # each draws anew
A_FILE = 50  # secrets of one file
# An error that the book does not have, one that it has with a value of the log, and the line alone.
LOGS = (
    "ValueError: refused {line}\n",
    "OSError: Repo id must be in the form 'repo_name' or 'namespace/repo_name': '{line}'\n",
    "{line}\nValueError: Asking to pad but the tokenizer does not have a padding token.\n",
)


@pytest.fixture(scope="module")
def secrets() -> list[tuple[str, str]]:
    """Return lines, each with its secret."""
    drawn = [
        (line, secret)
        for _ in range(ROUNDS)
        for line, secret in (*made_up(), *secrets_in_lines())
        if len(secret) >= LEAST and not secret[:17].isdigit() and not line.startswith(CUT)
    ]
    assert len(drawn) >= 1000
    assert len({secret for _, secret in drawn}) == len(drawn)
    assert all(secret in line for line, secret in drawn)
    return drawn


def parts(drawn: list[tuple[str, str]]) -> Iterator[list[str]]:
    """Yield the secrets themselves, as many as one file gets."""
    for start in range(0, len(drawn), A_FILE):
        yield [secret for _, secret in drawn[start : start + A_FILE]]


def test_no_secret_of_a_log_is_in_links_json_or_an_agents_answer(
    secrets: list[tuple[str, str]],
) -> None:
    tools, reader = Tools(Roots(()), "en"), Reader()
    links = known = 0
    for number, (line, secret) in enumerate(secrets):
        log = LOGS[number % len(LOGS)].format(line=line)
        row = reader.row(reader.text(log, "en"), "en")
        assert secret not in json.dumps(row, ensure_ascii=False), line
        assert secret not in tools.diagnose("", log, lambda _: None), line
        known += row["answer"] is not None
        if row["next"]:
            links += 1
            assert secret not in unquote(row["next"]["search"]), line
    assert links >= 100
    assert known >= 100


def test_no_secret_of_a_configuration_is_told(
    secrets: list[tuple[str, str]], tmp_path: Path
) -> None:
    """They stand beside what is mended, so that the diff shows them."""
    tools = Tools(Roots([tmp_path]), "en")
    for number, some in enumerate(parts(secrets)):
        path = tmp_path / f"{number}.yaml"
        lines = [f"hub_token: {some[0]}", *(f"extra_{n}_token: {s}" for n, s in enumerate(some))]
        path.write_text("\n".join([*lines, "adapter: lora", "load_in_4bit: true", *lines[:1]]))
        texts = [json.dumps(fixbook.check(path, release="axolotl"), ensure_ascii=False)]
        texts.append(tools.check([path.name], "axolotl"))
        forms = (["check", "--tool", "axolotl", form, str(path)] for form in ("--json", "--sarif"))
        texts += [CliRunner().invoke(cli, command).output for command in forms]
        for text in texts:
            assert "hub_token" in text
            assert not [one for one in some if one in text]


def test_no_secret_of_a_list_of_packages_is_told(
    secrets: list[tuple[str, str]], tmp_path: Path
) -> None:
    tools = Tools(Roots([tmp_path]), "en")
    for number, some in enumerate(parts(secrets)):
        path = tmp_path / f"{number}.txt"
        half = len(some) // 2
        addresses = [f"git+https://bob:{one}@example.org/a/b.git" for one in some[:half]]
        addresses += [f"https://s3.example.org/x.whl?X-Amz-Signature={one}" for one in some[half:]]
        lines = [f"package-{n} @ {address}" for n, address in enumerate(addresses)]
        head = f"--extra-index-url https://bob:{some[0]}@example.org/simple"
        path.write_text("\n".join([head, "axolotl==0.16.1", *lines]))
        texts = [json.dumps(fixbook.audit(path)), tools.audit(path.name)]
        forms = (["audit", form, str(path)] for form in ("--json", "--sarif"))
        texts += [CliRunner().invoke(cli, command).output for command in forms]
        for text in texts:
            assert "fsdp2-meta-adapters-never-train" in text
            assert not [one for one in some if one in text]
