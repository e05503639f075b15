"""GRPO with a batch that holds no whole group of answers to a prompt, and with one that does."""

from typing import Any

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

ROWS = Dataset.from_list([{"prompt": "the model reads a text"}] * 32)


def reward(completions: Any, completion_ids: Any = None, **_: Any) -> list[float]:
    """Reward an answer whose first token is odd: right or wrong, about half of them each."""
    ids = completion_ids or [[len(text)] for text in completions]  # TRL 0.17 gives texts alone
    return [float(tokens[0] % 2) for tokens in ids]


def configure(**settings: Any) -> Any:
    """Make the settings of a small run: 2 answers per process and step, 8 answers to a prompt."""
    quiet: dict[str, Any] = {"report_to": [], "save_strategy": "no", "logging_steps": 1}
    base: dict[str, Any] = {"per_device_train_batch_size": 2, "num_generations": 8, "max_steps": 8}
    where = {"max_completion_length": 4, "gradient_checkpointing": False, "use_cpu": True}
    return GRPOConfig("out", **quiet | base | where | settings)


def trainer(model: Any, tokenizer: Any, config: Any) -> Any:
    """Make the trainer."""
    return GRPOTrainer(
        model,
        reward,
        config,
        train_dataset=ROWS,
        eval_dataset=ROWS.select(range(8)),
        processing_class=tokenizer,
    )
