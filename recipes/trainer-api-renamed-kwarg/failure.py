"""A training script whose arguments have the names of another release of transformers."""

from typing import Any

import torch
import transformers


def arguments(**named: Any) -> Any:
    """Make the arguments, as a script does."""
    return transformers.TrainingArguments(
        output_dir="out", report_to="none", **{"use_cpu": True} | named
    )


def from_flags(*flags: str) -> Any:
    """Make them of the flags of a command, as the examples of transformers do."""
    parser: Any = transformers.HfArgumentParser(transformers.TrainingArguments)  # type: ignore[arg-type]
    return parser.parse_args_into_dataclasses(["--output_dir", "out", *flags])


def trainer(model: Any, args: Any, **named: Any) -> Any:
    """Make a trainer for eight rows."""
    ids = torch.arange(64).reshape(8, 8)
    rows = [{"input_ids": row, "labels": row} for row in ids]
    made: Any = transformers.Trainer  # its types want a Dataset
    return made(model, args, train_dataset=rows, eval_dataset=rows, **named)
