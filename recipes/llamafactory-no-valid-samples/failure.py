"""A data set, what dataset_info.json says of it, and LLaMA-Factory's reading of both."""

import json
from pathlib import Path
from typing import Any

from fixbook.recipe import measure

ASKED = {"role": "user", "content": "hello"}
ANSWERED = {"role": "assistant", "content": "world"}
HALF = {"role_tag": "role", "content_tag": "content"}
WHOLE = HALF | {"user_tag": "user", "assistant_tag": "assistant", "system_tag": "system"}


def write(rows: list[Any], tags: Any) -> None:
    """Write the conversations, and what is said of them."""
    Path("data").mkdir(exist_ok=True)
    Path("data/mine.json").write_text(json.dumps(rows), "utf-8")
    columns = {"messages": "messages"}
    described = {"file_name": "mine.json", "formatting": "sharegpt", "columns": columns}
    info = {"mine": described | {"tags": tags}}
    Path("data/dataset_info.json").write_text(json.dumps(info), "utf-8")


def chats(*turns: Any) -> list[Any]:
    """Return four conversations of these turns."""
    return [{"messages": list(turns)} for _ in range(4)]


def questions(**columns: str) -> None:
    """Write four questions and answers in alpaca form, and what their columns are called."""
    Path("data").mkdir(exist_ok=True)
    Path("data/mine.json").write_text(
        json.dumps([{"asked": "hello", "answer": "world"}] * 4), "utf-8"
    )
    info = {"mine": {"file_name": "mine.json", "columns": {"prompt": "asked"} | columns}}
    Path("data/dataset_info.json").write_text(json.dumps(info), "utf-8")


def read(tokenizer: Any, **more: Any) -> Any:
    """Let LLaMA-Factory read them as it does for sft."""
    from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
    from llamafactory.hparams import DataArguments, ModelArguments
    from transformers import Seq2SeqTrainingArguments

    data = DataArguments(template="default", dataset="mine", dataset_dir="data", **more)
    template = get_template_and_fix_tokenizer(tokenizer, data)
    training = Seq2SeqTrainingArguments("out", report_to=[], use_cpu=True)
    model = ModelArguments(model_name_or_path="any/model")
    measure(max_samples=str(data.max_samples))
    return get_dataset(template, model, data, training, "sft", tokenizer)["train_dataset"]
