"""A tokenizer is asked for, and its files are neither in a folder of that name nor in the cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from huggingface_hub import constants
from transformers import AutoImageProcessor, BertTokenizer, CLIPImageProcessor

from fixbook.recipe import snippet

NAME, CHECKPOINT, BASE = "bert-base-uncased", "out/checkpoint-500", "BASE_MODEL"
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat")
COMMIT = "0" * 40


def write_files(folder: Path) -> None:
    """Write what a repository of a tokenizer holds."""
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n", "utf-8")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer"}', "utf-8")


def fill_cache() -> None:
    """Put the repository into the cache, as a download leaves it."""
    repository = Path(constants.HF_HUB_CACHE, f"models--{NAME}")
    write_files(repository / "snapshots" / COMMIT)
    (repository / "refs").mkdir()
    (repository / "refs/main").write_text(COMMIT, "utf-8")


def known(tokenizer: Any) -> dict[str, Any]:
    """Say how much of a text a tokenizer knows."""
    tokens = tokenizer.tokenize("the cat sat")
    return {"vocabulary": len(tokenizer), "unknown": tokens.count(tokenizer.unk_token)}


def load(name: str = NAME, mend: str = "", *, cached: bool = False) -> dict[str, Any]:
    """Load it by its name as every script does, or as a snippet does it."""
    if cached:
        fill_cache()
    write_files(Path("models", NAME))  # as somebody copied them to this machine
    names = snippet(mend) if mend else {}
    tokenizer = names.get("tokenizer") or BertTokenizer.from_pretrained(name)
    return look(names.get("folder", name)) | known(tokenizer)


def look(name: str) -> dict[str, Any]:
    """Look as the page does."""
    files = snippet("where")["where"](name)[1]
    return {"found": not files, "files": len(files)}


def beside_a_folder(mend: str = "") -> dict[str, Any]:
    """Load by name, from where a folder of that name lies."""
    Path(NAME).mkdir()
    return load(mend=mend, cached=True)


def from_a_checkpoint(mend: str = "") -> dict[str, Any]:
    """Load from the folder that a training left."""
    write_files(Path(BASE))
    Path(CHECKPOINT).mkdir(parents=True)
    return load(CHECKPOINT, mend)


def gguf_alone(mend: str = "") -> dict[str, Any]:
    """Load by the name of a repository that has weights in GGUF, and nothing else."""
    write_files(Path(BASE))
    repository = Path(constants.HF_HUB_CACHE, "models--some--model-GGUF")
    (repository / "snapshots" / COMMIT).mkdir(parents=True)
    (repository / "snapshots" / COMMIT / "model.gguf").write_bytes(b"GGUF")
    (repository / "refs").mkdir()
    (repository / "refs/main").write_text(COMMIT, "utf-8")
    names = snippet(mend) if mend else {}
    return known(names.get("tokenizer") or BertTokenizer.from_pretrained("some/model-GGUF"))


def below_a_folder() -> dict[str, Any]:
    """Load as a diffusion pipeline does, whose tokenizer has a folder of its own."""
    write_files(Path("pipeline/tokenizer"))
    files = snippet("where")["where"]("pipeline", "tokenizer/")[1]
    tokenizer = BertTokenizer.from_pretrained("pipeline", subfolder="tokenizer")
    return {"found": not files, "files": len(files)} | known(tokenizer)


def images(mend: str = "") -> dict[str, Any]:
    """Load an image processor from the folder that a training left."""
    CLIPImageProcessor().save_pretrained(BASE)
    Path(CHECKPOINT).mkdir(parents=True)
    if mend:
        snippet(mend)
    return {"resizes": AutoImageProcessor.from_pretrained(CHECKPOINT).do_resize}
