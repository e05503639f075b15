"""Commands of servers in manifests, and the files that their ``--config`` reads."""

from __future__ import annotations

from fixbook.config.texts import check_texts
from tests.config.test_false_alarms import found, told
from tests.config.test_formats import sections, values

MANIFEST = """
kind: Service
metadata: {name: a}
---
kind: Deployment
spec:
  containers:
  - name: vllm
    image: IMAGE
    args:
    - --model
    - Qwen/Qwen3-8B
    - --max-modellen=8192
    - "--gpu-memory-utilization 0.9"
    - --port={{ .Values.port }}
    - --swap-space
    - "8"
"""
SHELL = """
containers:
- image: vllm/vllm-openai:latest
  command: ["/bin/sh", "-c"]
  args:
  - |
    echo start
    vllm serve a/b \\
      --tensor-paralel-size 2
"""
COMPOSE = """
services:
  vllm:
    image: vllm/vllm-openai:latest
    command: >
      --model Qwen/Qwen3-8B
      --max-modellen 8192
"""
JOB = """
resources: {accelerators: A100}
run: |
  python -m vllm.entrypoints.openai.api_server --model $MODEL --tensor-paralel-size 2
"""


def test_the_arguments_of_a_container_are_those_of_its_image() -> None:
    text = MANIFEST.replace("IMAGE", "vllm/vllm-openai:v0.11.2")
    one_word = "gpu_memory_utilization 0.9"
    assert told(text, "a.yaml") == [("error", "max_modellen"), ("error", one_word)]
    newest = text.replace("v0.11.2", "latest")
    keys = ["max_modellen", one_word, "swap_space"]
    assert told(newest, "a.yaml") == [("error", key) for key in keys]
    (item, *_) = found(text, "a.yaml")
    assert item.setting.key_place.line == 13
    assert "+    - --max-model-len=8192" not in item.diff  # a list is not written


def test_an_image_of_ones_own_is_of_the_release_that_it_names_or_may_know_more() -> None:
    command = "    command: [vllm, serve]\n    args:"
    text = MANIFEST.replace("    args:", command)
    own = "mirror.example/team/vllm-openai:mine-v0.11.2-cu128"
    assert told(text.replace("IMAGE", own), "a.yaml")[0] == ("error", "max_modellen")
    assert told(text.replace("IMAGE", "team/vllm-gaudi:1.4"), "a.yaml") == [
        ("warning", "max_modellen")
    ]


def test_a_script_in_a_manifest_is_read_with_its_lines() -> None:
    (item,) = found(SHELL, "a.yaml")
    assert (item.setting.key, item.setting.key_place.line) == ("tensor_paralel_size", 9)
    assert told(COMPOSE, "docker-compose.yml") == [("error", "max_modellen")]
    assert told(JOB, "job.yaml") == [("error", "tensor_paralel_size")]
    report = check_texts([("a.yaml", SHELL.encode())], "en", "")
    assert "tensor_paralel_size" in str(report)


LLAMA = """
services:
  llama:
    image: ghcr.io/ggml-org/llama.cpp:server-cudaTAG
    command: -m /models/m.gguf --ctx-sizes 4096
"""
CHART = """
servingEngineSpec:
  modelSpec:
  - name: a
    repository: "vllm/vllm-openai"
    tag: "v0.11.2"
    modelURL: Qwen/Qwen3-8B
    vllmConfig:
      maxModelLen: 4096
      extraArgs: ["--max-modellen", "8192", "--swap-space", "8"]
"""


def test_the_image_of_llama_cpp_starts_its_server_of_the_build_in_its_tag() -> None:
    assert told(LLAMA.replace("TAG", ""), "compose.yaml") == [("error", "ctx_sizes")]
    (_yaml, section) = sections(LLAMA.replace("TAG", "-b10600"), "compose.yaml")
    assert (section.tool, section.schema.release) == ("llama-server", "10600.0.0")
    assert told(LLAMA.replace("TAG", "-b5350"), "compose.yaml") == [("note", "ctx_sizes")]
    run = "docker run -v /m:/m ghcr.io/ggml-org/llama.cpp:server-b10600 --ctx-sizes 1\n"
    assert told(run, "run.sh") == [("error", "ctx_sizes")]


def test_what_the_values_of_a_chart_add_to_the_command() -> None:
    assert told(CHART, "values.yaml") == [("error", "max_modellen")]
    newest = CHART.replace("v0.11.2", "latest")
    assert told(newest, "values.yaml") == [("error", "max_modellen"), ("error", "swap_space")]
    own = CHART.replace("vllm/vllm-openai", "team/vllm-gaudi")
    assert told(own, "values.yaml") == [("warning", "max_modellen")]


def test_what_replaces_the_program_of_an_image_is_not_its_options() -> None:
    assert [item.tool for item in sections(SHELL, "a.yaml")] == ["", "vllm"]
    other = "containers:\n- image: vllm/vllm-openai:latest\n  command: [python3, a.py]\n"
    assert [item.tool for item in sections(f"{other}  args: [--port, '1']\n", "a.yaml")] == [""]


def test_files_of_options() -> None:
    text = "model: a/b\ntensor-parallel-size: 2\nmax-num-seqs: 4\nmax-modellen: 4096\n"
    (item,) = found(text, "vllm.yaml")
    assert (item.severity, item.setting.key) == ("error", "max_modellen")
    (section,) = sections(text, "vllm.yaml")
    assert values(section)["tensor_parallel_size"] == 2
    assert told("model-path: a\ntp-size: two\nmem-fraction-static: 0.8\n", "s.yaml") == [
        ("error", "tp_size")
    ]


def test_sglang_serve() -> None:
    command = "sglang serve --model-path {} --contextlength 8192\n"
    assert told(command.format("Qwen/Qwen3-8B"), "run.sh") == [("error", "contextlength")]
    assert told(command.format("Wan-AI/Wan2.1-T2V-14B"), "run.sh") == []
    chosen = command.format("x --model-type {}")
    assert told(chosen.format("llm"), "run.sh") == [("error", "contextlength")]
    assert told(chosen.format("diffusion"), "run.sh") == []
    assert told("vllm serve a/b --omni --deploy-config c.yaml\n", "run.sh") == []
