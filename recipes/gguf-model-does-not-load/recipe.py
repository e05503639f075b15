"""A GGUF file that llama.cpp refuses: too new for it, another kind of file, or not all of one."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "huggingface_hub==2.4.0", "numpy==2.4.6"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_file import adapter_alone, attempt, hole, look

from fixbook.recipe import detect, fix, main, reproduce

OLD = ["xllamacpp==0.1.20", "gguf==0.19.0"]  # May 2025
NEW = ["xllamacpp==2026.10.11549", "gguf==0.19.0"]
HUB = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}


@reproduce(versions=OLD)
def newer_architecture() -> dict[str, Any]:
    """A model of July 2025."""
    return attempt(kind="smollm3")


@reproduce(versions=OLD)
def newer_pre_tokenizer() -> dict[str, Any]:
    """A tokenizer of July 2025."""
    return attempt(words="kimi-k2")


@reproduce(versions=OLD)
def newer_quantization() -> dict[str, Any]:
    """The 4 bits of August 2025, in which gpt-oss comes."""
    return attempt(pack="blk.0.ffn_down.weight")


@reproduce(versions=NEW)
def half_a_file() -> dict[str, Any]:
    """A download that ended half-way."""
    return attempt("half")


@reproduce(versions=NEW)
def pointer() -> dict[str, Any]:
    """What a clone leaves without Git LFS."""
    return attempt("pointer")


@reproduce(versions=NEW)
def cut_in_the_header() -> dict[str, Any]:
    """A download that hardly began."""
    return attempt("cut in the header")


@reproduce(versions=NEW)
def tensor_left_out() -> dict[str, Any]:
    """A conversion that lost a tensor."""
    return attempt(drop="blk.0.attn_q.weight")


@reproduce(versions=NEW)
def projector() -> dict[str, Any]:
    """The projector of a vision model, given as the model."""
    return attempt(kind="clip")


@reproduce(versions=OLD)
def projector_in_2025() -> dict[str, Any]:
    """The same in the words of 2025."""
    return attempt(kind="clip")


@reproduce(versions=NEW)
def diffusion_model() -> dict[str, Any]:
    """A model of images, for another program."""
    return attempt(kind="flux")


@reproduce(versions=NEW)
def lora_adapter() -> dict[str, Any]:
    """A LoRA that was converted, given as the model."""
    return adapter_alone()


@detect(found=True, versions=NEW)
def names_the_pointer() -> dict[str, Any]:
    """It begins with a version of Git LFS."""
    return look("pointer")


@detect(found=True, versions=NEW)
def names_the_page() -> dict[str, Any]:
    """It begins as a web page does."""
    return look("page")


@detect(found=True, versions=NEW)
def finds_half_a_file() -> dict[str, Any]:
    """A tensor lies behind the end."""
    return look("half")


@detect(found=False, control="finds-half-a-file", versions=NEW)
def accepts_the_whole() -> dict[str, Any]:
    """Every tensor is there."""
    return look("whole")


@detect(found=False, versions=NEW)
def accepts_a_newer_model() -> dict[str, Any]:
    """A file that an older llama.cpp refuses is whole."""
    return look("whole", kind="smollm3")


@fix("newer-program", control="newer-architecture", versions=NEW)
def newer_architecture_today() -> dict[str, Any]:
    """The same file in a newer llama.cpp."""
    return attempt(kind="smollm3")


@fix("newer-program", control="newer-pre-tokenizer", versions=NEW)
def newer_pre_tokenizer_today() -> dict[str, Any]:
    """The same file in a newer llama.cpp."""
    return attempt(words="kimi-k2")


@fix("newer-program", control="newer-quantization", versions=NEW)
def newer_quantization_today() -> dict[str, Any]:
    """The same file in a newer llama.cpp."""
    return attempt(pack="blk.0.ffn_down.weight")


@fix("fetch-again", control="half-a-file", versions=NEW, env=HUB)
def half_fetched() -> dict[str, Any]:
    """The whole file from its repository."""
    return attempt("half", fetch=True)


@fix("fetch-again", control="pointer", versions=NEW, env=HUB)
def pointer_fetched() -> dict[str, Any]:
    """The file that the pointer stands for."""
    return attempt("pointer", fetch=True)


@fix("model-and-projector", control="projector", versions=NEW)
def language_model() -> dict[str, Any]:
    """The language model of the same repository."""
    return attempt()


@fix("convert-again", control="tensor-left-out", versions=NEW)
def all_tensors() -> dict[str, Any]:
    """A file with every tensor."""
    return attempt()


@detect(found=True, versions=NEW)
def written_by_half() -> dict[str, Any]:
    """Of full size, with zeros for its second half."""
    return hole()


if __name__ == "__main__":
    main(__file__)
