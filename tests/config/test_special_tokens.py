"""Tokens of tokenizers are values; what a reader is asked to fill in is none that is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fixbook.config.read import parse
from fixbook.config.setting import UNKNOWN
from fixbook.config.special_tokens import is_special
from fixbook.fit.tools import read
from tests.config.test_false_alarms import told

TOKENS = [
    *("<|end_of_text|>", "<|im_end|>", "<|endoftext|>", "<|reserved_special_token_0|>"),
    *("<｜end▁of▁sentence｜>", "<s>", "</s>", "<pad>", "<unk>", "<PAD>", "<eos>", "<mask>"),
    *("<end_of_turn>", "<extra_id_0>", "<unused12>", "<0x0A>", "<fim_prefix>", "<[PAD151645]>"),
    *("<think>", "</tool_call>", "<|im_end|><|endoftext|>"),
]
TO_FILL = ["<model>", "<your token>", "<HF_TOKEN>", "<path/to/model>", "<NUM>", "<$A>", "<|$A|>"]
AXOLOTL = "base_model: a/b\ndatasets: [{path: a, type: alpaca}]\nsequence_len: 8\nadapter: lora\n"


@pytest.mark.parametrize("text", TOKENS)
def test_tokens_are_values(text: str) -> None:
    assert is_special(text)
    quoted = json.dumps(text, ensure_ascii=False)
    section = parse(f"{AXOLOTL}special_tokens: {{pad_token: {quoted}}}\n", Path("a.yaml"))
    assert section.sections[0].settings["special_tokens.pad_token"].value == text
    command = f"swift sft --model a --lora_dtype '{text}'\n"
    assert parse(command, Path("a.sh")).sections[0].settings["lora_dtype"].value == text


@pytest.mark.parametrize("text", TO_FILL)
def test_what_is_to_be_filled_in_is_not_known(text: str) -> None:
    assert not is_special(text)
    if "$" not in text:
        section = parse(f"{AXOLOTL}lora_model_dir: {text}\n", Path("a.yaml")).sections[0]
        assert section.settings["lora_model_dir"].value is UNKNOWN


def test_a_prediction_does_not_call_a_token_unknown() -> None:
    text = f"{AXOLOTL}special_tokens: {{pad_token: <|end_of_text|>}}\nlora_r: <rank>\n"
    notes = [str(note) for note in read(parse(text, Path("a.yaml"))).settings.notes]
    assert [note.split()[0] for note in notes] == ["lora_r"]


def test_json_of_an_option_with_a_token_in_it_is_read() -> None:
    begins = 'vllm serve a/b --override-generation-config \'{"stop": '
    assert told(f'{begins}"</s>"}}\'\n', "run.sh") == []
    assert told(f"{begins}<stop>}}'\n", "run.sh") == []
    assert told(f'{begins}"</s>", }}\'\n', "run.sh") == [("error", "override_generation_config")]
