"""Scripts of the page on triage that start it elsewhere: alike in both languages, well-formed."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from fixbook.text import LANGS

DOCS = Path(__file__).parents[1] / "docs"


def block(lang: str, anchor: str) -> str:
    """The first block of code below a heading."""
    page = (DOCS / lang / "triage.md").read_text("utf-8")
    found = re.search(r"```\w+\n(.*?)```", page.partition(f"{{: #{anchor} }}")[2], re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("anchor", ["slurm", "kuberay"])
def test_languages_show_the_same_script(anchor: str) -> None:
    assert len({block(lang, anchor) for lang in LANGS}) == 1


def test_bash_can_read_the_script_for_slurm() -> None:
    script = block("en", "slurm")
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    assert "fixbook triage" in script


def test_nodes_of_the_manifest_share_the_folder_that_is_read_and_written() -> None:
    spec = yaml.safe_load(block("en", "kuberay"))["spec"]
    cluster = spec["rayClusterSpec"]
    for group in (cluster["headGroupSpec"], *cluster["workerGroupSpecs"]):
        (container,) = group["template"]["spec"]["containers"]
        (mounted,) = container["volumeMounts"]
        assert f"{mounted['mountPath']}/logs" in spec["entrypoint"]
        assert f"--out {mounted['mountPath']}/" in spec["entrypoint"]
