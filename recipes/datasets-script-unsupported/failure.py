"""A data set that comes as a script: rows in a file, and a program that makes samples of them."""

from pathlib import Path
from typing import Any

from datasets import load_dataset

ROWS = '{"words": "a red door"}\n{"words": "two birds"}\n'
SCRIPT = """
import json

import datasets


class Poems(datasets.GeneratorBasedBuilder):
    def _info(self):
        text, count = datasets.Value("string"), datasets.Value("int32")
        return datasets.DatasetInfo(features=datasets.Features({"text": text, "words": count}))

    def _split_generators(self, _):
        kept = [datasets.SplitGenerator("train", {"path": "poems/rows.jsonl"})]
        return [*kept, datasets.SplitGenerator("test", {"path": "poems/rows.jsonl"})]

    def _generate_examples(self, path):
        with open(path) as lines:
            for number, line in enumerate(lines):
                words = json.loads(line)["words"]
                yield number, {"text": words.capitalize() + ".", "words": len(words.split())}
"""


def write(folder: str = "poems") -> None:
    """Write the script and its rows, as their author publishes them."""
    Path(folder).mkdir()
    Path(folder, f"{folder}.py").write_text(SCRIPT)
    Path(folder, "rows.jsonl").write_text(ROWS)


def load(name: str = "poems", **options: Any) -> dict[str, Any]:
    """Load the training split; return its first sample."""
    return dict(load_dataset(name, **options)["train"][0])
