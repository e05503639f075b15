"""Where the program begins in a command: behind keywords, wrappers of a scheduler, environments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.formats.shell_words import Word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fixbook.config.tool import Tool

_LAUNCHERS = frozenset(
    {"torchrun", "accelerate", "deepspeed", "llamafactory-cli", "swift", "trl", "vllm", "sglang"}
)
_PYTHON = re.compile(r"^(?:python[\d.]*|\$\{?PYTHON\w*\}?)$")
# What starts another program with the words behind it.
_WRAPPERS = frozenset(
    {
        *("srun", "mpirun", "mpiexec", "nohup", "time", "env", "sudo", "exec", "numactl", "stdbuf"),
        *("timeout", "nice", "uv", "poetry", "pdm", "conda", "micromamba", "singularity"),
        *("apptainer", "docker", "podman", "enroot", "rlaunch", "eval", "nsys", "ncu"),
    }
)
_PLAIN = frozenset({"nohup", "exec", "time", "env", "sudo", "srun", "nice", "stdbuf", "numactl"})
_KEYWORDS = frozenset({"do", "then", "else", "elif", "if", "while", "!", "{"})
_SHELLS = frozenset({"bash", "sh", "zsh"})
_MOST_LEVELS = 5
_REDIRECTION = re.compile(r"\d*(?:>>?|<)(&\d|&?)")
_COMMENT = re.compile(r"(?m)#.*$")
_OPTION = re.compile(r"--[A-Za-z]|\+{0,2}[A-Za-z_][\w@/-]*(?:\.[\w@/-]+)+=")
_OPTION_C = re.compile(r"^-[a-z]*c$")


def base(word: str) -> str:
    """Return the last part of a program's path."""
    return word.rsplit("/", 1)[-1]


def is_launcher(word: str) -> bool:
    """Tell whether a word starts a training or a server, by its name."""
    return base(word) in _LAUNCHERS or bool(_PYTHON.match(base(word)))


def started(tool: Tool, word: str) -> re.Match[str] | None:
    """Find the command of a tool in a word."""
    return tool.command.search(word) if tool.command else None


def starts_itself(texts: Sequence[str]) -> bool:
    """Tell whether what stands before a program's name only starts it: ``nohup``, ``env A=1``."""
    return all(base(word) in _PLAIN or word.startswith("-") or "=" in word for word in texts)


def options_in(tool: Tool, words: Sequence[str]) -> int:
    """Return where the options of a server begin in a command; 0 if it starts none."""
    for index, word in enumerate(words):
        for length, text in enumerate((word, " ".join(words[index : index + 2])), 1):
            if started(tool, text):
                return index + length
    return 0


def behind_launch(texts: list[str]) -> int:
    """Return where the options of ``accelerate launch`` begin; 0 if that is not what is started."""
    if base(texts[0]) == "accelerate" and texts[1:2] == ["launch"]:
        return 2
    module = texts[1:3] == ["-m", "accelerate.commands.launch"]
    return 3 if module and is_launcher(texts[0]) else 0


def is_cut_off(between: str, word: Word) -> bool:
    """Tell whether a word begins no command, but options of the command before it.

    A blank line, a comment, or a space behind the backslash ends a command.

    Args:
        between: What stands between the two.
        word: The word.
    """
    gap = _COMMENT.sub("", between).replace("\\", " ")
    return "\n" in between and not gap.strip() and word.raw and bool(_OPTION.match(word.text))


def program(
    words: list[Word], expanded: Callable[[str], str], levels: int = _MOST_LEVELS
) -> list[Word]:
    """Return the words from the launcher on, or from the script that is started itself.

    Args:
        words: A command.
        expanded: Puts the values of variables into a text.
        levels: How many shells in one another are looked into.
    """
    if not levels:
        return []
    while words and words[0].text in _KEYWORDS:
        words = words[1:]
    inner = _inner(words, expanded)
    if inner:
        return program(inner, expanded, levels - 1)
    if not words or base(words[0].text) not in _WRAPPERS:
        return words
    for index, word in enumerate(words[1:], 1):
        if is_launcher(word.text) or word.text.endswith(".py"):
            return words[index:]
        if base(word.text) in _SHELLS and (inner := _inner(words[index:], expanded)):
            return program(inner, expanded, levels - 1)
    return words


def _inner(words: list[Word], expanded: Callable[[str], str]) -> list[Word]:
    """Return the words of the command that is the text behind ``bash -c`` or ``eval``."""
    at = 0
    if words and words[0].text == "eval":
        at = 1
    elif words and base(words[0].text) in _SHELLS:
        at = next((i + 1 for i, w in enumerate(words) if _OPTION_C.match(w.text)), 0)
    if not at or at >= len(words):
        return []
    outer = words[at]
    parts = expanded(outer.text).replace("\\\n", " ").split()
    return [Word(part, outer.start, outer.end, raw=False) for part in parts] + words[at + 1 :]


def without_redirections(words: list[Word]) -> list[Word]:
    """Return the words of a command but those that say where its output goes."""
    kept: list[Word] = []
    skip = False
    for word in words:
        found = _REDIRECTION.match(word.text) if word.raw and not word.quoted else None
        if skip or found:
            skip = bool(found and found.end() == len(word.text) and not found[1])
        else:
            kept.append(word)
    return kept
