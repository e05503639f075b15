"""Real files that made-up input starts from."""

from __future__ import annotations

import functools
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
_LARGEST = 60_000  # bytes; of logs that are longer, the end

CONFIG_KINDS = ("yaml", "json", "python", "shell")
_GLOBS = {
    "yaml": ("rules/*/*.yaml", "recipes/*/configs/*.yaml", "tests/config/fixtures/*/*.yaml"),
    "json": ("rules/*/*.json", "recipes/*/configs/*.json", "tests/config/fixtures/*/*.json"),
    "python": (
        "rules/*/*.py",
        "recipes/*/recipe.py",
        "bench/*/*.py",
        "tests/config/fixtures/*/*.py",
    ),
    "shell": ("rules/*/*.sh", "recipes/*/configs/*.sh", "tests/config/fixtures/*/*.sh"),
    "toml": ("pyproject.toml",),
    "log": ("recipes/*/logs/*",),
}
ENDINGS = {"yaml": ".yaml", "json": ".json", "python": ".py", "shell": ".sh", "toml": ".toml",
           "log": ".log"}  # fmt: skip
# What a book is made of; an entry's folder is copied whole, and one of its files is spoiled.
BOOK_FILES = ("terms.yaml", "sources.yaml")
ENTRIES = (
    "process-group-not-initialized",
    "ddp-marked-ready-twice",
    "tokenizer-pad-missing",
    "deepspeed-batch-size-assert",
)


@functools.cache
def texts(kind: str) -> tuple[bytes, ...]:
    """Return what the files of a kind hold: a configuration, a program, or a log.

    Args:
        kind: A key of `ENDINGS`.
    """
    paths = sorted({path for glob in _GLOBS[kind] for path in PROJECT.glob(glob)})
    found = tuple(path.read_bytes()[-_LARGEST:] for path in paths if path.is_file())
    if not found:
        raise FileNotFoundError(f"no {kind} files below {PROJECT}")
    return found


@functools.cache
def book_files() -> dict[str, bytes]:
    """Return a small book of real entries, rules and messages, by path."""
    folders = [PROJECT / "recipes" / slug for slug in ENTRIES]
    folders += sorted((PROJECT / "rules").iterdir())[:3]
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    paths += [PROJECT / name for name in BOOK_FILES]
    found = {
        path.relative_to(PROJECT).as_posix(): path.read_bytes()
        for path in paths
        if "__pycache__" not in path.parts
    }
    return {**found, "slugs.txt": "".join(f"{slug}\n" for slug in sorted(ENTRIES)).encode()}
