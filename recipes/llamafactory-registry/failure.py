"""A data set, the file that registers it, and LLaMA-Factory's reading of both."""

import json
from pathlib import Path
from typing import Any

ROWS = [{"instruction": "hello", "input": "", "output": "world"}] * 4
INFO = {"mine": {"file_name": "mine.json"}}
COMMA = '{\n  "mine": {"file_name": "mine.json"},\n}\n'


def write(info: Any = INFO, folder: str = "data") -> None:
    """Write the data, and the file that registers it: an object, or its text."""
    Path(folder).mkdir(parents=True)
    Path(folder, "mine.json").write_text(json.dumps(ROWS), "utf-8")
    text = info if isinstance(info, str) else json.dumps(info)
    Path(folder, "dataset_info.json").write_text(text, "utf-8")


def read(
    tokenizer: Any, dataset: str = "mine", template: Any = "default", folder: str = "data"
) -> list[Any]:
    """Let LLaMA-Factory read it, as its training does before the first step."""
    from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
    from llamafactory.hparams import DataArguments, ModelArguments
    from transformers import Seq2SeqTrainingArguments

    data = DataArguments(
        template=template, dataset=dataset, dataset_dir=folder, overwrite_cache=True
    )
    made = get_template_and_fix_tokenizer(tokenizer, data)
    training = Seq2SeqTrainingArguments("out", report_to=[], use_cpu=True)
    model = ModelArguments(model_name_or_path="any/model")
    return list(get_dataset(made, model, data, training, "sft", tokenizer)["train_dataset"])
