"""A LoRA run of LLaMA-Factory on a tiny model, started by its own command."""

import json
import sys
from pathlib import Path
from typing import Any

import yaml

from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

TRAIN: dict[str, Any] = {
    "model_name_or_path": "tiny",
    "stage": "sft",
    "do_train": True,
    "finetuning_type": "lora",
    "lora_target": "q_proj,v_proj",
    "template": "default",
    "dataset": "mine",
    "cutoff_len": 64,
    "output_dir": "out",
    "per_device_train_batch_size": 4,
    "max_steps": 3,
    "learning_rate": 0.01,
    "logging_steps": 1,
    "save_strategy": "no",
    "report_to": "none",
    "use_cpu": True,
}


def write(**changes: Any) -> None:
    """Write the model, the data and train.yaml."""
    tiny_llama().save_pretrained("tiny")
    tiny_tokenizer().save_pretrained("tiny")
    rows = [{"instruction": "hello", "input": "", "output": "world"}] * 8
    Path("data").mkdir()
    Path("data/mine.json").write_text(json.dumps(rows))
    Path("data/dataset_info.json").write_text('{"mine": {"file_name": "mine.json"}}')
    Path("train.yaml").write_text(yaml.safe_dump(TRAIN | changes))


def train() -> None:
    """Run llamafactory-cli train train.yaml."""
    from llamafactory.cli import main

    sys.argv = ["llamafactory-cli", "train", "train.yaml"]
    main()


def loss() -> float:
    """Return the loss of the last step."""
    lines = Path("out/trainer_log.jsonl").read_text().splitlines()
    return float([json.loads(line)["loss"] for line in lines if '"loss"' in line][-1])
