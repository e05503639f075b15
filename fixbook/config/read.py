"""Read a configuration file within bounds and say what it is for."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from fixbook.config.errors import ConfigError
from fixbook.config.recognise import recognise
from fixbook.config.setting import ConfigDocument

MAX_BYTES = 1024 * 1024
KINDS = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".py": "python",
    ".sh": "shell",
    ".bash": "shell",
}

_CALL = re.compile(r"(?m)^(?:from|import) \w|^[^#'\"]*\b[A-Z]\w*(?:Arguments|Config)\(")
_COMMAND = re.compile(
    r"(?m)^\s*export \w+=|\s--[a-z][\w.-]+.*\\$|^\s*\+?[a-z]\w*(?:\.\w+)+=\S+ *\\$"
)
# One line that starts a job, as it stands behind a prompt: a launcher, then a script or an option.
PROMPT = re.compile(r"^(?:\([\w.-]+\) ?)?(?:[\w.-]+@[\w.-]+:?\S* ?)?[$#] ")
LAUNCH = re.compile(
    r"^(?:set [-+]\w+;? |sudo |nohup |time |env |exec |uv run |\w+=\S* )*"
    r"(?:\S*python[\d.]*|torchrun|deepspeed|accelerate|axolotl|llamafactory-cli|swift|trl|openrlhf"
    r"|vllm|sglang|ray|srun|mpirun|uv run|docker run|(?:ba)?sh|\./\S+\.sh) (?:.* )?"
    r"(?:--?[a-zA-Z][\w.-]*|['\"\w./-]+\.(?:py|sh|ya?ml|json)|\+{0,2}[a-z]\w*(?:\.\w+)+=\S+)"
    r"(?:[ =]|$)"
)


def read_file(path: Path, tool: str = "", version: str | None = None) -> ConfigDocument:
    """Read a file.

    Args:
        path: The file; its kind is told by its name, else by its content.
        tool: The tool it is for; by default that is told by its content.
        version: The tool's version; by default one that the file names, else the newest known.

    Raises:
        ConfigError: It cannot be read, is too large, or is not what its name says.
    """
    document = parse(bounded_text(path), path, tool, version)
    document.on_disk = True
    return document


def bounded_text(path: Path) -> str:
    """Return the text of a file, see `decoded`; a large file is not read at all."""
    name = str(path)
    try:
        if not path.is_file():
            raise ConfigError(name, "no-file" if path.exists() else "missing")
        _small(path.stat().st_size, name)
        return decoded(path.read_bytes(), name)
    except OSError as error:
        raise ConfigError(name, "unreadable", reason=error.strerror) from None


def decoded(raw: bytes, name: str) -> str:
    """Return the text of a file's content, without byte order mark and with plain line ends.

    Raises:
        ConfigError: It is too large, or no text in UTF-8.
    """
    _small(len(raw), name)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(name, "not-utf8", byte=error.start) from None
    if "\0" in text:
        raise ConfigError(name, "binary")
    return text.replace("\r\n", "\n")


def _small(size: int, name: str) -> None:
    if size > MAX_BYTES:
        raise ConfigError(name, "too-large", size=size, most=MAX_BYTES)


def parse(text: str, path: Path, tool: str = "", version: str | None = None) -> ConfigDocument:
    """Read a text as the file that it comes from."""
    kind = KINDS.get(path.suffix.lower()) or _sniffed(text)
    document = ConfigDocument(path, kind, text)
    name = str(path)
    if kind == "yaml":
        _read_yaml(document)
    elif kind == "json":
        from fixbook.config.formats import json_format  # noqa: PLC0415

        section, document.repeated = json_format.read(text, name)
        document.sections = [section]
    elif kind == "python":
        from fixbook.config.formats import python_format  # noqa: PLC0415
        from fixbook.config.tools import classes, imports  # noqa: PLC0415

        document.sections = python_format.read(text, name, classes(), imports())
    else:
        from fixbook.config.formats import shell_format  # noqa: PLC0415

        document.sections = shell_format.read(text, name)
    recognise(document, tool, version)
    return document


def _read_yaml(document: ConfigDocument) -> None:
    """Read one document, and the commands of servers; of several documents, those alone."""
    from fixbook.config.formats import yaml_commands, yaml_format  # noqa: PLC0415

    started = yaml_commands.read(document.text, str(document.path))
    try:
        section, document.repeated = yaml_format.read(document.text, str(document.path))
    except ConfigError as error:
        if not started or error.kind != "two-documents":
            raise
        document.sections = started
    else:
        document.sections = [section, *started]


def beside(document: ConfigDocument, named: str) -> Path | None:
    """Find a file that a configuration names: beside it, or from where the command runs."""
    for folder in (document.path.parent, Path()):
        path = folder / named
        with contextlib.suppress(OSError):  # a name can be too long to be one
            if path.is_file():
                return path
    return None


def _sniffed(text: str) -> str:
    """Tell the kind of a text that has no name to tell it."""
    head = text.lstrip()
    if head.startswith("#!"):
        return "python" if "python" in head.split("\n", 1)[0] else "shell"
    if head.startswith("{"):
        return "json"
    if _CALL.search(text):
        return "python"
    lines = head.splitlines()
    if len(lines) == 1 and LAUNCH.search(PROMPT.sub("", lines[0])):
        return "shell"
    return "shell" if _COMMAND.search(text) else "yaml"
