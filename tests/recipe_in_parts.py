"""A recipe in several modules, of which each step uses some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conftest import ENTRY, HEADER, write_entry

if TYPE_CHECKING:
    from pathlib import Path

RECIPE = (
    HEADER.replace('["fixbook"]', '["fixbook", "torch", "peft", "PyYAML"]')
    + '''
from pathlib import Path
import torch
import tools
from failure import train

HERE = Path(__file__).parent
LIMIT = 3

@reproduce()
def it_breaks():
    """Breaks."""
    train(LIMIT)

@fix("mend-it", control="it-breaks")
def mended():
    train(LIMIT, mended=True)
    return {"text": (HERE / "configs" / "after.yaml").read_text()}

@detect(found=True)
def looked():
    import yaml
    return {"found": tools.look(), "size": 9}

@non_fix("shake-it", control="it-breaks")
def shaken():
    snippet("detect")
'''
)
FAILURE = '''
"""The failure."""
from kernels import build

def train(limit, mended=False):
    """Train."""
    # a comment
    return build("wkv.cpp") + limit

def unused():
    return 1
'''
KERNELS = "def build(name):\n    return len(name)\n"
TOOLS = "SIZE = 2\n\ndef look():\n    return SIZE\n\ndef other():\n    return 5\n"


def write_recipe(tmp_path: Path) -> Path:
    """Write an entry whose steps use different parts of its modules, and return its folder."""
    folder = write_entry(tmp_path, ENTRY, "", "some-entry")
    (folder / "configs").mkdir()
    files = {
        "recipe.py": RECIPE,
        "failure.py": FAILURE,
        "kernels.py": KERNELS,
        "tools.py": TOOLS,
        "configs/after.yaml": "a: 1\n",
        "configs/before.yaml": "a: 2\n",
        "wkv.cpp": "int x;\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def replace(folder: Path, name: str, old: str, new: str) -> None:
    """Write another text for one that a file of the recipe holds."""
    path = folder / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
