"""Configurations on the diagnosis page: the answers of the command, without a request."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from fixbook.config.texts import check_texts
from fixbook.text import LANGS
from tests.config.fixtures import fixtures
from tests.real_book import real_book
from tests.site.visit import SCHEMES, Scheme, Visit, answered, quiet_visit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

# The rules of the real book, not those of the small one.
pytestmark = [pytest.mark.browser, pytest.mark.parametrize("site", ["real"], indirect=True)]
CONFIG = """\
# axolotl==0.19.0
base_model: a
micro_batch_size: 1
dataset_processes: 2048 # in <b id=injected>tokens</b>
datasets:
  - path: x
"""
_CHECK = """async (cases) => {
  const here = document.querySelector("script[src$='page.js']").src.replace("page.js", "");
  const checker = new (fixbook.use("config_runner").ConfigRunner)(here);
  const out = [];
  for (const { files, tool } of cases) {
    const given = files.map(([name, text]) => ({ name, blob: new Blob([text]) }));
    out.push(await checker.run(given, "en", tool));
  }
  return JSON.stringify(out);
}"""
_KINDS = "(texts) => texts.map((text) => fixbook.use('kind').isConfig(text))"


@pytest.fixture(scope="module")
def opened(browser: Browser, address: str) -> Iterator[Visit]:
    """The English page, which loads Python with the first check: seconds that later ones save."""
    with quiet_visit(browser, address) as seen:
        seen.open(f"{address}/en/diagnose/")
        yield seen


@pytest.fixture
def page(opened: Visit) -> Iterator[Page]:
    """The English page without what another test asked, and nothing may go wrong on it."""
    page = opened.page
    page.fill("#fb-diagnose-text", "")
    page.fill("[data-fb-tool]", "")
    page.evaluate("document.getElementById('fb-diagnose-answer').replaceChildren()")
    yield page
    wrong, opened.wrong = opened.wrong, []
    assert wrong == []


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """A page of its own, for tests that load Python or leave it."""
    with quiet_visit(browser, address) as seen:
        yield seen


def check(page: Page, text: str) -> Locator:
    page.fill("#fb-diagnose-text", text)
    page.locator("[data-fb-check]").click()
    return answered(page)


def test_the_page_finds_what_the_command_finds(visit: Visit, address: str) -> None:
    page = visit.open(f"{address}/en/diagnose/")
    page.set_default_timeout(120_000)
    given = [
        [*_beside(path), (path.name, path.read_text("utf-8"))]
        for fixture in fixtures()
        for path in (fixture.fails, fixture.passes)
    ]
    cases = [{"files": files, "tool": ""} for files in given]
    seen: list[dict[str, Any]] = json.loads(page.evaluate(_CHECK, cases))
    assert len(seen) == len(given) > 80
    for answer, files in zip(seen, given, strict=True):
        texts = [(name, text.encode()) for name, text in files]
        assert answer == check_texts(texts, "en"), files[-1]


def _beside(path: Path) -> list[tuple[str, str]]:
    """DeepSpeed's file, where the fixture has one beside the trainer's."""
    others = path.parent.glob("*.json") if path.suffix != ".json" else ()
    return [(other.name, other.read_text("utf-8")) for other in sorted(others)]


def test_a_pasted_configuration_is_checked(page: Page, visit: Visit, address: str) -> None:
    for shown, words in (
        (page, "is called dataset_num_proc now"),
        (visit.open(f"{address}/zh/diagnose/"), "已改名为 dataset_num_proc"),
    ):
        shown.evaluate("(text) => navigator.clipboard.writeText(text)", CONFIG)
        shown.locator("#fb-diagnose-text").focus()
        shown.keyboard.press("Control+V")
        found = answered(shown)
        expect(found).to_contain_text(words)
        expect(found.locator(".fb-check__line--in").first).to_contain_text(
            "+dataset_num_proc: 2048"
        )
        assert shown.locator("#injected").count() == 0


def test_a_pasted_report_on_a_machine_is_checked(page: Page) -> None:
    report = '{"fixbook_env": 1, "packages": {"torch": "2.13.0"}, "shm": {"total_mib": 64}}'
    found = check(page, report)
    expect(found).to_contain_text("has only 64 MiB")
    expect(found).to_contain_text("--shm-size=16g")


def test_the_mended_file_can_be_taken(page: Page) -> None:
    found = check(page, CONFIG)
    with page.expect_download() as download:
        found.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "config.yaml"
    text = download.value.path().read_text("utf-8")
    assert "dataset_num_proc: 2048" in text
    found.get_by_role("button", name="Copy").click()
    assert page.evaluate("navigator.clipboard.readText()") == text


def test_the_whole_file_is_shown_and_its_patch_applies(page: Page, tmp_path: Path) -> None:
    text = CONFIG.replace("\n", "\r\n")
    (tmp_path / "run.yml").write_bytes(text.encode())
    page.locator("input[multiple]").set_input_files(tmp_path / "run.yml")
    found = answered(page)
    whole = found.get_by_role("region", name="run.yml, mended")
    assert (
        whole.inner_text().split()
        == CONFIG.replace("dataset_processes", "dataset_num_proc").split()
    )
    found.get_by_text("As a patch").click()
    with page.expect_download() as download:
        found.get_by_role("link", name="Download run.yml.diff").click()
    assert download.value.suggested_filename == "run.yml.diff"
    for strip in ("-p0", "-p1"):
        (tmp_path / "run.yml").write_bytes(text.encode())
        patch = ["patch", strip, "--binary", "-i", str(download.value.path())]
        subprocess.run(patch, cwd=tmp_path, check=True, capture_output=True)
        mended = (tmp_path / "run.yml").read_bytes().decode()
        assert mended == text.replace("dataset_processes", "dataset_num_proc")


def test_what_stays_unmended_is_said_first(page: Page) -> None:
    found = check(page, CONFIG + "sample_packing: true\n")
    notes = found.locator("#answer + .fb-note")
    expect(notes).to_contain_text("1 thing is left as it was, for you to decide: line")


def test_a_launch_command_is_a_configuration(page: Page) -> None:
    commands = [
        "torchrun --nproc_per_node 8 train.py --bf16",
        "$ CUDA_VISIBLE_DEVICES=0,1 accelerate launch --config_file a.yaml train.py",
        "axolotl train config.yaml",
        "python -m verl.trainer.main_ppo data.train_batch_size=32 algorithm.adv_estimator=grpo",
        "(env) me@host:~/x$ deepspeed train.py --deepspeed ds.json",
    ]
    words = [
        "torchrun hangs",
        "torchrun: command not found",
        "torchrun --nproc_per_node 8 train.py 卡死",
        "deepspeed zero3 loss nan",
        "python: can't open file 'x.py'",
    ]
    assert page.evaluate(_KINDS, commands + words) == [True] * 5 + [False] * 5
    page.fill("#fb-diagnose-text", commands[0])
    page.get_by_role("button", name="Diagnose").click()
    expect(answered(page)).to_contain_text("This was read as a configuration")
    page.get_by_role("button", name="Read it as a log").click()
    expect(page.locator("#fb-diagnose-answer")).to_contain_text("1 line read")


def test_nothing_leaves_the_page(page: Page) -> None:
    check(page, CONFIG)
    sent: list[str] = []
    page.context.on("request", lambda request: sent.append(request.url))
    page.fill("[data-fb-tool]", "axolotl@0.9.0")
    page.keyboard.press("Enter")
    expect(page.locator("#fb-diagnose-answer")).to_contain_text("axolotl 0.9.0")
    assert [url for url in sent if not url.startswith("blob:")] == []


def test_files_are_checked_together(page: Page, tmp_path: Path) -> None:
    trainer = "output_dir: out\nper_device_train_batch_size: 2\ndeepspeed: ds.json\n"
    (tmp_path / "train.yaml").write_text(trainer)
    (tmp_path / "ds.json").write_text('{"train_micro_batch_size_per_gpu": 4}\n')
    page.locator("input[multiple]").set_input_files(sorted(tmp_path.iterdir()))
    expect(answered(page)).to_contain_text("and 4 in the DeepSpeed file")


def test_what_cannot_be_read_is_said(page: Page, tmp_path: Path) -> None:
    expect(check(page, "a: [1\n")).to_contain_text("is not valid YAML")
    (tmp_path / "large.yaml").write_text("a: 1\n" * 300_000)
    page.fill("#fb-diagnose-text", "")
    page.locator("input[multiple]").set_input_files(tmp_path / "large.yaml")
    expect(answered(page)).to_contain_text("at most 1,048,576 are read")


def test_a_check_can_be_cancelled_and_a_log_comes_between(visit: Visit, address: str) -> None:
    page = visit.open(f"{address}/en/diagnose/")
    page.fill("#fb-diagnose-text", CONFIG)
    page.locator("[data-fb-check]").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#fb-diagnose-status")).to_contain_text("Cancelled")
    page.locator("[data-fb-check]").click()
    page.fill("#fb-diagnose-text", "CUDA error: an illegal memory access was encountered\n")
    page.locator("form[data-fb-diagnose] [type=submit]").click()
    expect(answered(page)).to_contain_text("illegal memory access")
    page.wait_for_timeout(3000)  # by then the check would have answered
    expect(page.locator("#fb-diagnose-answer")).to_contain_text("illegal memory access")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_findings_are_accessible(browser: Browser, address: str, scheme: Scheme) -> None:
    for lang in LANGS:
        seen = Visit(browser, address, scheme, width=390)
        page = seen.open(f"{address}/{lang}/diagnose/")
        check(page, CONFIG + "sample_packing: true\n")
        assert Axe().run(page).response["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert seen.wrong == []
        seen.context.close()


def test_configurations_are_told_from_logs(page: Page) -> None:
    configs = [path for fixture in fixtures() for path in (fixture.fails, fixture.passes)]
    texts = [path.read_text("utf-8") for path in configs]
    told = page.evaluate(_KINDS, texts)
    assert [str(path) for path, is_config in zip(configs, told, strict=True) if not is_config] == []
    logs = [path for item in real_book().entries.values() for path in item.folder.glob("logs/*")]
    assert logs
    told = page.evaluate(_KINDS, [path.read_text("utf-8", "replace") for path in logs])
    assert [path.name for path, is_config in zip(logs, told, strict=True) if is_config] == []
