"""Hand configurations to LLaMA-Factory's own code, and print what it says of each.

Usage: python llamafactory_checks.py PART CONFIGURATIONS-AS-JSON, the part one of
arguments, export, training, packing, model, data and keys.

Models and tokenizers are made on the spot; nothing is downloaded.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import json
import os
import sys
import tempfile
import types
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# What it trains on is text; the package for sound is imported all the same.
_SOUND = types.ModuleType("torchaudio")
_SOUND.__spec__ = importlib.machinery.ModuleSpec("torchaudio", None)

_GROUPS = ["ModelArguments", "DataArguments", "EvaluationArguments", "FinetuningArguments"]
_GROUPS += ["GeneratingArguments", "RayArguments"]
_MADE = ("LlamaForCausalLM", "PreTrainedTokenizerFast")


def arguments(values: dict[str, Any]) -> Any:
    """Read the arguments of a training, as ``llamafactory-cli train`` does first of all."""
    if "deepspeed" in values:  # it insists on torchrun, whose variables these are
        os.environ |= {"RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "1"}
        os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29517", "USE_CPU": "1"}
        os.environ |= {"GLOO_SOCKET_IFNAME": "lo", "ACCELERATE_USE_CPU": "true"}
    parser = importlib.import_module("llamafactory.hparams.parser")
    with tempfile.TemporaryDirectory() as folder:
        return parser.get_train_args({**values, "use_cpu": True, "output_dir": folder})


def export(values: dict[str, Any]) -> None:
    """Merge an adapter into a model and export it."""
    import peft

    with tempfile.TemporaryDirectory() as folder:
        _tokenizer().save_pretrained(f"{folder}/model")
        _model().save_pretrained(f"{folder}/model")
        low_rank = peft.LoraConfig(r=2, target_modules=["q_proj"], task_type="CAUSAL_LM")
        made: Any = peft.get_peft_model(_model(), low_rank)
        made.save_pretrained(f"{folder}/adapter")
        here = {"model_name_or_path": f"{folder}/model", "export_dir": f"{folder}/merged"}
        tuner = importlib.import_module("llamafactory.train.tuner")
        tuner.export_model({**values, **here, "adapter_name_or_path": f"{folder}/adapter"})


def training(values: dict[str, Any]) -> str:
    """Prepare a model as it is prepared for training; say whether it is checkpointed then."""
    model_arguments = arguments(values)[0]
    checkpointing = importlib.import_module("llamafactory.model.model_utils.checkpointing")
    model = _model()
    checkpointing.prepare_model_for_training(model, model_arguments)
    return f"checkpointing={model.is_gradient_checkpointing}"


def packing(values: dict[str, Any]) -> str:
    """Pack two samples into a row; say whether its mask keeps them apart."""
    _, data_arguments, _, tuning_arguments, _ = arguments(values)
    loader = importlib.import_module("llamafactory.data.loader")
    tokenizer = _tokenizer()
    template = importlib.import_module("llamafactory.data.template")
    made = template.get_template_and_fix_tokenizer(tokenizer, data_arguments)
    stage = tuning_arguments.stage
    processor = loader._get_dataset_processor(data_arguments, stage, made, tokenizer, None)
    turn: dict[str, Any] = {"_system": "", "_tools": ""}
    turn |= {"_prompt": [{"role": "user", "content": "a"}]}
    turn |= {"_response": [{"role": "assistant", "content": "b"}]}
    turn |= {"_images": None, "_videos": None, "_audios": None}
    rows = processor.preprocess_dataset({key: [value, value] for key, value in turn.items()})
    masks = {number for number in rows["attention_mask"][0] if number}
    return f"rows={len(rows['attention_mask'])} masks={len(masks)}"


def model(values: dict[str, Any]) -> str:
    """Prepare what a model is loaded with; say how it would be quantised."""
    made = arguments(values)[0]
    parts = "llamafactory.model.model_utils"
    config = _model().config
    importlib.import_module(f"{parts}.attention").configure_attn_implementation(config, made)
    loading: dict[str, Any] = {}
    quantization: Any = importlib.import_module(f"{parts}.quantization")
    quantization.check_version = lambda *_, **__: None  # the kernels are not installed
    quantization.configure_quantization(
        config, _tokenizer(), made, is_trainable=True, init_kwargs=loading
    )
    chosen = loading.get("quantization_config")
    return f"quantised={type(chosen).__name__ if chosen else 'no'}"


def data(values: dict[str, Any]) -> str:
    """Look the names of data sets up in the list of a folder, and what converts each."""
    parser = importlib.import_module("llamafactory.data.parser")
    converter = importlib.import_module("llamafactory.data.converter")
    found = parser.get_dataset_list(values["dataset"], values["dataset_dir"])
    for one in found:
        converter.get_dataset_converter(one.formatting, one, None)
    return f"found={len(found)}"


def keys(_: dict[str, Any]) -> list[str]:
    """Return the names of every argument of its own."""
    hparams = importlib.import_module("llamafactory.hparams")
    transformers = importlib.import_module("transformers")
    groups = [getattr(hparams, name) for name in _GROUPS]
    trainer = {field.name for field in fields(transformers.Seq2SeqTrainingArguments)}
    added = {field.name for field in fields(hparams.TrainingArguments)} - trainer
    return sorted({field.name for group in groups for field in fields(group)} | added)


def _model() -> Any:
    import transformers

    torch = importlib.import_module("torch")
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"hidden_size": 64, "intermediate_size": 64, "vocab_size": 32}
    config: Any = transformers.LlamaConfig(num_hidden_layers=1, num_attention_heads=2, **sizes)
    return transformers.LlamaForCausalLM(config)


def _tokenizer() -> Any:
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {"<s>": 0, "</s>": 1, "<unk>": 2, "a": 3, "b": 4}
    plain: Any = Tokenizer(models.WordLevel(words, unk_token="<unk>"))  # noqa: S106
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    special = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "</s>", "unk_token": "<unk>"}
    made: Any = transformers.PreTrainedTokenizerFast
    return made(tokenizer_object=plain, **special)


def said(part: str, values: dict[str, Any]) -> Any:
    parts: dict[str, Callable[[dict[str, Any]], Any]] = {"arguments": arguments, "export": export}
    parts |= {"training": training, "packing": packing, "model": model, "keys": keys, "data": data}
    try:
        answer = parts[part](values)
    except Exception as error:  # noqa: BLE001  (whatever it is, it is what the tool says)
        return f"{type(error).__name__}: {error}"
    return answer if isinstance(answer, str | list) else "accepted"


def warm() -> None:
    """Import what the parts need."""
    sys.modules["torchaudio"] = _SOUND
    for name in ("hparams.parser", "data.loader", "data.template", "train.tuner"):
        importlib.import_module(f"llamafactory.{name}")
    transformers = importlib.import_module("transformers")
    for name in _MADE:  # imported alone: what computes may start threads, which no fork takes along
        getattr(transformers, name)


def main() -> None:
    sys.modules["torchaudio"] = _SOUND
    part, given = sys.argv[1], json.loads(sys.argv[2])
    answers = {name: said(part, values) for name, values in given.items()}
    sys.stdout.write("\n" + json.dumps(answers) + "\n")


if __name__ == "__main__":
    main()
