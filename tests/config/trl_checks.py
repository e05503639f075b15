"""Ask TRL's classes about keyword arguments; runs beside TRL, and imports nothing of this project.

Usage: ``python trl_checks.py arguments|training|vllm '{"name": ["GRPOConfig", {...}]}'``; prints
what each says. A training is one step of a model that is made on the spot.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_WORDS = {"<s>": 0, "</s>": 1, "<unk>": 2, "a": 3, "b": 4, "c": 5}
_ROWS: dict[str, dict[str, list[str]]] = {
    "SFTConfig": {"text": ["a b c", "b c a"]},
    "DPOConfig": {"prompt": ["a", "b"], "chosen": ["b c", "c"], "rejected": ["c", "b a"]},
    "GRPOConfig": {"prompt": ["a", "b"] * 2},
}


def arguments(trl: Any, schema: str, values: dict[str, Any]) -> None:
    """Make the configuration."""
    getattr(trl, schema)(**values)


def training(trl: Any, schema: str, values: dict[str, Any]) -> None:
    """Make the configuration and its trainer, and train one step."""
    datasets = importlib.import_module("datasets")
    with tempfile.TemporaryDirectory() as folder:
        fixed = {"output_dir": folder, "max_steps": 1, "report_to": [], "save_strategy": "no"}
        given: dict[str, Any] = {"args": getattr(trl, schema)(**{**values, **fixed})}
        given |= {"model": _model(folder), "processing_class": _tokenizer()}
        given |= {"train_dataset": datasets.Dataset.from_dict(_ROWS[schema])}
        if schema == "GRPOConfig":
            given["reward_funcs"] = lambda completions, **_: [float(len(c)) for c in completions]
        getattr(trl, f"{schema.removesuffix('Config')}Trainer")(**given).train()


def vllm(trl: Any, schema: str, values: dict[str, Any]) -> None:
    """Make the configuration, and start what generates with vLLM, up to where vLLM is imported."""
    made = getattr(trl, schema)(**values)
    module: Any = importlib.import_module("trl.generation.vllm_generation")
    module.is_vllm_available = lambda: True
    generation = object.__new__(module.VLLMGeneration)  # what comes before asks for a model
    generation.mode = made.vllm_mode
    generation.model = generation.accelerator = SimpleNamespace(is_main_process=False)
    generation._init_vllm()


def _model(folder: str) -> Any:
    """Return a model that has a name, under which a trainer can load it once more."""
    import transformers

    sizes: dict[str, Any] = {"hidden_size": 16, "intermediate_size": 16, "vocab_size": 8}
    config: Any = transformers.LlamaConfig(num_hidden_layers=1, num_attention_heads=2, **sizes)
    transformers.LlamaForCausalLM(config).save_pretrained(f"{folder}/model")
    made: Any = transformers.LlamaForCausalLM
    return made.from_pretrained(f"{folder}/model")


def _tokenizer() -> Any:
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    plain: Any = Tokenizer(models.WordLevel(_WORDS, unk_token="<unk>"))  # noqa: S106
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    special = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "</s>", "unk_token": "<unk>"}
    made: Any = transformers.PreTrainedTokenizerFast
    return made(tokenizer_object=plain, **special)


def warm() -> None:
    """Import what the parts need."""
    trl = importlib.import_module("trl")
    for name in _ROWS:
        getattr(trl, f"{name.removesuffix('Config')}Trainer")


def main() -> None:
    trl = importlib.import_module("trl")
    parts: dict[str, Callable[[Any, str, dict[str, Any]], None]]
    parts = {"arguments": arguments, "training": training, "vllm": vllm}
    said: dict[str, str] = {}
    for name, (schema, values) in json.loads(sys.argv[2]).items():
        try:
            parts[sys.argv[1]](trl, schema, values)
        except Exception as error:  # noqa: BLE001  (whatever it is, it is what TRL says)
            said[name] = f"{type(error).__name__}: {error}"
        else:
            said[name] = ""
    sys.stdout.write("\n" + json.dumps(said) + "\n")


if __name__ == "__main__":
    main()
