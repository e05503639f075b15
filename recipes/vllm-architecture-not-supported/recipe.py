"""vLLM has no class for the model that config.json names, or cannot import the one it has."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_look import body, looked, other, own_class, qwen

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet_text

BESIDE = [
    "compressed-tensors==0.17.0", "loguru==0.7.3", "aiohappyeyeballs==2.7.1", "aiohttp==3.14.5",
    "aiosignal==1.4.0", "apache-tvm-ffi==0.1.11", "cachetools==8.0.1", "cbor2==6.3.0",
    "cloudpickle==3.1.2", "fastapi==0.165.0", "frozenlist==1.8.0", "llguidance==1.9.1",
    "msgspec==0.22.0", "multidict==7.2.1", "openai==3.54.0", "openai-harmony==0.0.8",
    "partial-json-parser==0.2.1.1.post7", "prometheus-client==0.26.0", "propcache==0.5.4",
    "pybase64==1.5.1", "sniffio==1.3.1", "uvloop==0.23.0", "xgrammar==0.2.8", "yarl==1.25.1",
]  # fmt: skip
REST: dict[str, Any] = {
    "env": {"VLLM_TARGET_DEVICE": "cpu", "VLLM_NO_USAGE_STATS": "1"},
    "import_first": "proof_vllm",
    "record_once": "vLLM's wheel is a third of a gigabyte",
}
VLLM: dict[str, Any] = {"versions": ["vllm==0.33.0", *BESIDE], **REST}
OLDER: dict[str, Any] = {"versions": ["vllm==0.27.1", *BESIDE], **REST}


@reproduce(**VLLM)
def named_by_training() -> dict[str, Any]:
    """The training script has a class of its own, and transformers writes its name."""
    return own_class()


@reproduce(**VLLM)
def not_imported() -> dict[str, Any]:
    """A file in the working directory has the name of a package that vLLM imports."""
    return qwen(shadowed=True)


@reproduce(**VLLM)
def package_missing() -> dict[str, Any]:
    """A model that looks at pictures, without torchvision."""
    return other("Qwen2VLForConditionalGeneration", "qwen2_vl")


@reproduce(**VLLM)
def removed() -> dict[str, Any]:
    """A class that vLLM had."""
    return other("InternLMForCausalLM")


@reproduce(**VLLM)
def only_in_transformers() -> dict[str, Any]:
    """A class that transformers has, in the old style."""
    return other("CodeGenForCausalLM", "codegen")


@reproduce(**OLDER)
def newer_than_vllm() -> dict[str, Any]:
    """A class that this vLLM does not have yet."""
    return other("NanbeigeForCausalLM")


@fix("original", control="named-by-training", **VLLM)
def name_of_original() -> dict[str, Any]:
    """The name that the original has."""
    return own_class(mended=True)


@fix("override", control="named-by-training", **VLLM)
def named_in_command() -> dict[str, Any]:
    """The name in the command; the file stays as it is."""
    return own_class(command=snippet_text("override"))


@fix("above", control="not-imported", **VLLM)
def file_renamed() -> dict[str, Any]:
    """Without the file."""
    return qwen(shadowed=False)


@fix("upgrade", control="newer-than-vllm", **VLLM)
def newer_vllm() -> dict[str, Any]:
    """A release that has the class."""
    return other("NanbeigeForCausalLM")


@non_fix("trust", control="named-by-training", **VLLM)
def code_trusted() -> dict[str, Any]:
    """Code of the folder is trusted, and there is none."""
    return own_class(command="vllm serve MODEL --trust-remote-code")


@detect(found=False, **VLLM)
def saved_as_auto_model() -> dict[str, Any]:
    """AutoModel has no head, and vLLM takes it for a model that writes."""
    return body()


@detect(found=True, **VLLM)
def looked_at_own_class() -> dict[str, Any]:
    """The page's question."""
    return looked()


@detect(found=False, control="looked-at-own-class", **VLLM)
def looked_at_original() -> dict[str, Any]:
    """The same with the original's name."""
    return looked(mended=True)


if __name__ == "__main__":
    main(__file__)
