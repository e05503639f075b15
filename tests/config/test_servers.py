"""Command lines of vLLM's and SGLang's servers, as people start them."""

from __future__ import annotations

import pytest

from fixbook.config.extract.tables import keys_of
from fixbook.config.texts import check_texts
from tests.config.test_false_alarms import found, told
from tests.config.test_formats import sections, values

ENGINE = """
class EngineArgs:
    dtype: ModelDType = "auto"
    max_model_len: int | None = None
    seed: int = 0
    enable_lora: bool = False
    in_code_alone: int = 0

def _compute_kwargs(cls):
    if name == "max_model_len":
        kwargs["type"] = human_readable_int_or_auto

class AsyncEngineArgs(EngineArgs):
    def add_cli_args(parser):
        parser.add_argument("--dtype", **model_kwargs["dtype"])
        parser.add_argument("--max-model-len", **model_kwargs["max_model_len"])
        parser.add_argument("--seed", **model_kwargs["seed"])
        parser.add_argument("--enable-lora", **lora_kwargs["enable_lora"])
        parser.add_argument("--swap-space", type=float)
        for arg, type in [("--guided-decoding-backend", str)]:
            parser.add_argument(arg, type=type, deprecated=True)
"""
FRONTEND = "class FrontendArgs(BaseFrontendArgs):\n    port: int = 8000\n"
CONFIG = 'Half = Literal["half", "float16"]\nModelDType = Literal["auto", Half]\n'
SGLANG = """
class ServerArgs:
    tp_size: A[int, Arg(help="h", cli_name="--tensor-parallel-size", aliases=["--tp-size"])] = 1
    context_length: A[Optional[int], "The length."] = None
    grammar: A[Optional[Literal["xgrammar", "none"]], "The backend."] = None
    page_size: A[int, Arg(help="h", type_parser=human_readable_int)] = 1
    quantization: A[Optional[str], Arg(help="h", choices=[*METHODS, "unquant"])] = None
    fused: A[Optional[bool], Arg(help="h", action=argparse.BooleanOptionalAction)] = None
    derived: A[bool, Arg(no_cli=True)] = False

def add_cli_args(parser):
    parser.add_argument("--model-path", type=str)
    parser.add_argument("--dtype", choices=["auto"] + ["half"])
    parser.add_argument("--tool-call-parser", choices=names_made_at_run_time)
"""


@pytest.mark.parametrize(
    "command",
    [
        "vllm serve Qwen/Qwen3-8B {}",
        "CUDA_VISIBLE_DEVICES=0 nohup /opt/venv/bin/vllm serve Qwen/Qwen3-8B {} > log 2>&1 &",
        "python3 -m vllm.entrypoints.openai.api_server --model Qwen/Qwen3-8B {}",
        "docker run --gpus all --name vllm -p 8000:8000 vllm/vllm-openai:latest --model a {}",
        "docker run --gpus all vllm/vllm-openai-rocm:latest Qwen/Qwen3-8B {}",
    ],
)
def test_vllm_is_recognised_however_it_is_started(command: str) -> None:
    text = command.format("--tensor_parallel-size 2 --max-modellen 8192") + "\n"
    assert told(text, "run.sh") == [("error", "max_modellen")]
    (section,) = sections(text, "run.sh")
    assert (section.tool, values(section)["tensor_parallel_size"]) == ("vllm", 2)


def test_the_model_may_stand_between_options() -> None:
    text = "vllm serve --tensor-parallel-size 2 Qwen/Qwen3-8B --served-model-name a b\n"
    assert told(text, "run.sh") == []
    (section,) = sections(text, "run.sh")
    assert values(section) == {"tensor_parallel_size": 2, "served_model_name": ["a", "b"]}
    text = "vllm serve --headless Qwen/Qwen3-8B\n"
    assert told(text, "run.sh") == []
    assert values(sections(text, "run.sh")[0]) == {"headless": True}


def test_what_vllm_takes_is_no_finding() -> None:
    flags = (
        "--max-model-len 32k --gpu-memory-util 0.9 --no-enable-prefix-caching -tp 2 -O3"
        " --compilation-config.mode 3 --compilation-config.custom_ops+ all --dtype bfloat16"
        " --hf-overrides '{\"rope_theta\": 1000000}' --no-enable-log-requests --port 8000"
    )
    assert told(f"vllm serve Qwen/Qwen3-8B {flags}\n", "run.sh", "vllm", "0.11.2") == []


def test_the_tag_of_an_image_is_the_release() -> None:
    command = (
        "docker run vllm/vllm-openai:{} --model a --task embed --runner pooling --dtype bf16\n"
    )
    assert told(command.format("v0.8.5"), "run.sh") == [("error", "dtype"), ("error", "runner")]
    assert told(command.format("v0.33.0"), "run.sh") == [("error", "dtype"), ("error", "task")]


def test_a_suggested_name_is_one_that_the_server_reads() -> None:
    command = "python3 -m sglang.launch_server --model-path a --contextlength 8192\n"
    (item,) = found(command, "run.sh")
    assert item.fix == [{"rename": "contextlength", "to": "context_length"}]
    report = check_texts([("run.sh", command.encode())], "en", "")
    assert "+python3 -m sglang.launch_server --model-path a --context-length 8192" in str(report)


def test_values_of_sglang() -> None:
    flags = "--tp 2 --dp-size two --mem-fraction-static 0.8 --disable-cuda-graph --host 0.0.0.0"
    command = f"docker run lmsysorg/sglang:latest python3 -m sglang.launch_server {flags}\n"
    assert told(command, "run.sh") == [("error", "dp_size")]


def test_a_share_in_percent() -> None:
    command = "vllm serve Qwen/Qwen3-8B --gpu-memory-utilization {}\n"
    assert told(command.format(90), "run.sh") == [("error", "gpu_memory_utilization")]
    for sound in ("1", "1.0", "0.9", "$SHARE"):
        assert told(command.format(sound), "run.sh") == []


def test_a_share_in_percent_that_a_trainer_hands_on() -> None:
    grpo = "from trl import GRPOConfig\n\nargs = GRPOConfig(vllm_gpu_memory_utilization={})\n"
    verl = "actor_rollout_ref.rollout.gpu_memory_utilization"
    for share, is_found in ((90, True), (0.9, False), (1, False)):
        rules = [item.rule for item in found(grpo.format(share), "train.py")]
        assert ("refused-value" in rules) == is_found
        command = f"python -m verl.trainer.main_ppo {verl}={share}\n"
        rules = [item.rule for item in found(command, "run.sh")]
        assert ("refused-value" in rules) == is_found


def test_numbers_that_are_too_small() -> None:
    command = "vllm serve Qwen/Qwen3-8B --{} {}\n"
    for key in ("tensor-parallel-size", "max-num-seqs", "max-loras", "max-model-len"):
        named = [("error", key.replace("-", "_"))]
        assert told(command.format(key, 0), "run.sh") == named
        assert told(command.format(key, 1), "run.sh") == []
        assert told(command.format(key, 0), "run.sh", "vllm", "0.11.2") == []
    assert told(command.format("gpu-memory-utilization", 0), "run.sh") != []
    assert told(command.format("max-model-len", -1), "run.sh") == []


@pytest.mark.parametrize(
    ("option", "severity"),
    [
        ("--max-model-len long", "error"),
        ("--enable-prefix-caching true", "error"),
        ("--enable-prefix-caching=False", "error"),
        ("--hf-overrides '{rope: 1}'", "error"),
        ("--quantization awqq", "error"),
        ("--quantization my_own", "warning"),
        ("--kv-cache-dtype int8", "warning"),
        ("--tool-call-parser hermess", "warning"),  # which nothing looks up
        ("--enable-auto-tool-choice --tool-call-parser hermess", "error"),
        ("--pipeline-parallel 2x", "error"),
        ("--max-model-len 25.6k", ""),
        ("--max-model-len auto", ""),
        ("--max-model-len <tokens>", ""),
        ("--max-model-len $LENGTH", ""),
        ("--hf-overrides '{\"rope\": 1}'", ""),
        ("--hf-overrides '{\"rope\": $ROPE}'", ""),
        ("--kv-transfer-config '{\"bytes\": 80m}'", ""),
        ("--speculative-config '{\"model\": <draft>}'", ""),
        ("--attention-backend flash_attn", ""),
        ("--enable-auto-tool-choice --tool-call-parser own --tool-parser-plugin own.py", ""),
    ],
)
def test_values_of_vllm(option: str, severity: str) -> None:
    text = f"vllm serve Qwen/Qwen3-8B {option}\n"
    assert [item for item, _ in told(text, "run.sh")] == ([severity] if severity else [])


def test_an_older_release_may_take_other_values() -> None:
    text = "vllm serve Qwen/Qwen3-8B --enable-chunked-prefill False --quantization my_own\n"
    assert told(text, "run.sh", "vllm", "0.7.3") == []
    assert {item.severity for item in found(text, "run.sh", "vllm", "0.34.0")} == {"note", "error"}


def test_tools_are_called_by_nothing_without_a_parser() -> None:
    text = "vllm serve Qwen/Qwen3-8B --enable-auto-tool-choice"
    assert told(f"{text}\n", "run.sh") == [("error", "enable_auto_tool_choice")]
    assert told(f"{text} $EXTRA\n", "run.sh") == []
    assert told(f"{text} --tool-call-parser hermes\n", "run.sh") == []


def test_choices_of_sglang() -> None:
    command = "python3 -m sglang.launch_server --model-path a {}\n"
    for option in ("--dtype bf16", "--attention-backend flash", "--context-length long"):
        (item,) = told(command.format(option), "run.sh")
        assert item[0] == "error"
    for option in ("--context-length 8Ki", "--no-enable-tf32-matmul", "--kv-cache-dtype $KV"):
        assert told(command.format(option), "run.sh") == []
    old = "docker run lmsysorg/sglang:v0.5.9-cu129 " + command.format("--kv-cache-dtype fp4_e2m1")
    assert told(old, "run.sh", "sglang", "0.5.9") == []


@pytest.mark.parametrize(
    "text",
    [
        "pip install vllm --upgrade\n",
        "docker pull vllm/vllm-openai:v0.8.5\n",
        "vllm bench serve --model a --num-prompts 10\n",
        "echo vllm\n",
    ],
)
def test_other_commands_are_not_the_server(text: str) -> None:
    assert told(text, "run.sh") == []


def test_options_of_vllm_are_read_from_its_sources() -> None:
    files = {
        "vllm/engine/arg_utils.py": ENGINE,
        "vllm/entrypoints/openai/cli_args.py": FRONTEND,
        "vllm/config/model.py": CONFIG,
    }
    keys = keys_of("vllm", files)["serve"]
    expected = {"dtype", "max_model_len", "seed", "enable_lora", "swap_space", "port"}
    expected |= {"guided_decoding_backend"}
    assert set(keys) == expected | {"no_enable_lora", "disable_lora"}
    assert keys["dtype"].values == ["auto", "half", "float16"]
    assert keys["max_model_len"].types == {"size"}
    assert keys["enable_lora"].types == {"flag"}
    assert keys["seed"].types == keys["port"].types == {"int"}


def test_options_of_sglang_are_read_from_its_sources() -> None:
    files = {
        "sglang/srt/server_args.py": SGLANG,
        "sglang/srt/arg_groups/choices.py": 'METHODS = ["awq", "fp8"]\n',
        "sglang/srt/function_call/parser_names.py": 'TOOL_CALL_PARSER_NAMES = ["qwen"]\n',
    }
    keys = keys_of("sglang", files)["launch_server"]
    expected = {"tensor_parallel_size", "tp_size", "context_length", "grammar", "page_size"}
    expected |= {"quantization", "dtype", "fused", "no_fused", "tool_call_parser"}
    assert set(keys) == expected | {"model_path"}
    assert keys["grammar"].values == ["xgrammar", "none"]
    assert keys["quantization"].values == ["awq", "fp8", "unquant"]
    assert keys["dtype"].values == ["auto", "half"]
    assert keys["tool_call_parser"].values == ["auto", "qwen"]
    assert keys["page_size"].types == {"size"}
    assert keys["fused"].types == keys["no_fused"].types == {"flag"}
    assert keys["context_length"].types == {"int", "null"}
