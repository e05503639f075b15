"""Command lines of llama.cpp's programs: options of one and of two hyphens, and their values."""

from __future__ import annotations

import pytest

from fixbook.config.extract.tables import keys_of
from tests.config.test_false_alarms import found, told

ARGUMENTS = """
const std::vector<ggml_type> kv_cache_types = {
    GGML_TYPE_F16,
    GGML_TYPE_Q8_0,
};
    add_opt(common_arg(
        {"-c", "--ctx-size"}, "N",
        string_format("size of the prompt context (default: %d)", params.n_ctx),
        [](common_params & params, int value) { params.n_ctx = value; }
    ).set_examples({LLAMA_EXAMPLE_SERVER}));
    add_opt(common_arg(
        {"--jinja"}, {"--no-jinja"}, "use the template",
        [](common_params & params, bool value) { params.use_jinja = value; }
    ));
    add_opt(common_arg(
        {"--metrics"}, "measure", [](common_params & params) { params.metrics = true; }
    ));
    add_opt(common_arg(
        {"-a", "--alias"}, "STRING", "a name",
        [](common_params & params, const std::string & value) { params.alias = value; }
    ));
    add_opt(common_arg(
        {"--lora-scaled"}, "FNAME", "SCALE", "a path and a number",
        [](common_params & params, const std::string & name, const std::string & scale) { }
    ));
    add_opt(common_arg({ "-fit", "--fit" }, "[on|off]", "whether to fit",
        [](common_params & params, const std::string & value) { params.fit = is_truthy(value); }
    ));
    add_opt(common_arg(
        {"-sm", "--split-mode"}, "{none,layer}", "how to split",
        [](common_params & params, const std::string & value) { params.split = value; }
    ));
    add_opt(common_arg(
        {"-ctk", "--cache-type-k"}, "TYPE",
        string_format("type, allowed values: %s", get_all_kv_cache_types().c_str()),
        [](common_params & params, const std::string & value) { params.type = value; }
    ));
"""


def test_options_of_llama_cpp_are_read_from_its_sources() -> None:
    keys = keys_of("llama-server", {"llama.cpp/common/arg.cpp": ARGUMENTS})["serve"]
    types = {key: shape.types for key, shape in keys.items() if not key.startswith("-")}
    choices = {key: {"literal"} for key in ("fit", "split_mode", "cache_type_k")}
    switches = {key: {"flag"} for key in ("jinja", "no_jinja", "metrics")}
    others = {"ctx_size": {"int"}, "alias": {"str"}, "lora_scaled": {"any"}}
    assert types == others | switches | choices
    for short, long in (("-c", "ctx_size"), ("-ctk", "cache_type_k"), ("-sm", "split_mode")):
        assert keys[short] == keys[long]
    assert keys["-ctk"].values == ["f16", "q8_0"]
    assert keys["-sm"].values == ["none", "layer"]
    assert keys["-fit"].values == ["on", "enabled", "true", "1", "off", "disabled", "false", "0"]


CASES: list[tuple[str, list[tuple[str, str]]]] = [
    ("-m model.gguf -c 8192 -ngl 99 --jinja --port 8080 --host 0.0.0.0", []),
    ("-m model.gguf --ctx_size 8192 --n-gpu-layers all --flash-attn on", []),
    ("-m model.gguf -ngl -1 -c 4096 -fa on -ctk q8_0 -ctv q8_0 -np 4 -b 512 -ot exps=CPU", []),
    ("-m model.gguf -fa auto -sm none -cb -nkvo -v --lora-scaled a.gguf 0.5", []),
    ("-m model.gguf --ctx-len 8192", [("error", "ctx_len")]),
    ("-m model.gguf --ctx-siz 8192", [("error", "ctx_siz")]),  # nothing is completed
    ("-m model.gguf --max-model-len 8192", [("error", "max_model_len")]),
    ("-m model.gguf --port http", [("error", "port")]),
    ("-m model.gguf --jinja true", [("error", "jinja")]),
    ("-m model.gguf -nlg 99", [("error", "-nlg")]),
    ("-m model.gguf -fa -ngl 99", [("error", "-fa")]),
    ("-m model.gguf -fa yes", [("error", "-fa")]),
    ("-m model.gguf -ctk q8", [("error", "-ctk")]),
    ("-m model.gguf --cache-type-k Q8_0", [("error", "cache_type_k")]),
    ("-m model.gguf -sm rows", [("error", "-sm")]),
    ("-m model.gguf --port=8080", [("error", "port")]),
    ("-m model.gguf -ngl=99", [("error", "-ngl")]),
    ("-m model.gguf -c many", [("error", "-c")]),
    ("-m model.gguf -np 0", [("error", "-np")]),
    ("-m model.gguf -fa no", [("error", "-fa")]),
    ("-m model.gguf -c 8k", [("warning", "-c")]),
    ("-m model.gguf --threads 4.5", [("warning", "threads")]),
]
OPEN: list[tuple[str, list[tuple[str, str]]]] = [
    ("--hf-repo a/b:Q4_K_M --threads $(nproc) --ctx-size {length}", []),
    ("-m model.gguf -c $LENGTH -ngl ${LAYERS} -fa $FLASH", []),
]


@pytest.mark.parametrize(("options", "expected"), [*CASES, *OPEN])
def test_llama_server(options: str, expected: list[tuple[str, str]]) -> None:
    for start in ("llama-server", "./build/bin/llama-cli", "nohup llama-server"):
        assert told(f"{start} {options}\n", "run.sh") == expected


def test_an_option_that_is_taken_for_a_value_is_told() -> None:
    (item,) = found("llama-server -fa -ngl 99\n", "run.sh")
    assert item.message["en"].endswith("it takes a value, and the next option was taken for it")
    (item,) = found("llama-server -c 8k\n", "run.sh")
    assert item.message["en"] == "of `8k` for `-c`, llama.cpp reads `8` alone"
    assert item.fix == [{"set": "-c", "value": 8192}]


def test_commands_about_llama_server_do_not_start_it() -> None:
    for text in (
        "docker logs llama-server --since-when 5m\n",
        "pkill --oldest-one llama-server\n",
        "docker logs llama-server -xyz\n",
    ):
        assert told(text, "run.sh") == []
