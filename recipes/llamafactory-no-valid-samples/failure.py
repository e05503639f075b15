"""A data set, what dataset_info.json says of it, and LLaMA-Factory's reading of both."""

import json
from pathlib import Path
from typing import Any

from fixbook.recipe import measure

ASKED = {"role": "user", "content": "hello"}
ANSWERED = {"role": "assistant", "content": "world"}
QUESTIONS = [{"question": "hello", "output": "world"}] * 4
PAIRS = [{"question": "hello", "chosen": "world", "rejected": "hello"}] * 4

PROMPT = {"mine": {"file_name": "mine.json", "columns": {"prompt": "question"}}}
CHOICE = {"prompt": "question", "chosen": "chosen", "rejected": "rejected"}
UNRANKED = {"mine": {"file_name": "mine.json", "columns": CHOICE}}
RANKED = {"mine": {"file_name": "mine.json", "ranking": True, "columns": CHOICE}}
NO_ROLES = {
    "mine": {
        "file_name": "mine.json",
        "formatting": "sharegpt",
        "columns": {"messages": "messages"},
        "tags": {"role_tag": "role", "content_tag": "content"},
    }
}


def chats(*turns: Any) -> list[Any]:
    """Return four conversations of these turns."""
    return [{"messages": list(turns)} for _ in range(4)]


def write(rows: list[Any], info: Any) -> None:
    """Write the data, and what is said of it."""
    Path("data").mkdir(exist_ok=True)
    Path("data/mine.json").write_text(json.dumps(rows), "utf-8")
    Path("data/dataset_info.json").write_text(json.dumps(info), "utf-8")


def read(tokenizer: Any, stage: Any = "sft", workers: int = 0, **more: Any) -> Any:
    """Let LLaMA-Factory read it, as its training does before the first step."""
    from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
    from llamafactory.hparams import DataArguments, ModelArguments
    from transformers import Seq2SeqTrainingArguments

    data = DataArguments(template="default", dataset="mine", dataset_dir="data", **more)
    template = get_template_and_fix_tokenizer(tokenizer, data)
    training = Seq2SeqTrainingArguments(
        "out", report_to=[], use_cpu=True, dataloader_num_workers=workers
    )
    model = ModelArguments(model_name_or_path="any/model")
    measure(max_samples=str(data.max_samples), streaming=data.streaming)
    return get_dataset(template, model, data, training, stage, tokenizer)["train_dataset"]
