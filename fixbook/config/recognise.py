"""Tell which tool a configuration is for, and for which version."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fixbook.config.errors import ConfigError
from fixbook.config.tool import UNRECOGNISED, Schema, words
from fixbook.config.tools import (
    TOOLS,
    llamafactory,
    machine,
    ms_swift,
    schema_of,
    sglang,
    transformers,
    trl,
    verl,
    vllm,
)
from fixbook.versions import is_version

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from fixbook.config.setting import ConfigDocument, Section

# Arguments of programs that are not known here. They hand some of them on to a trainer, under the
# same names, but with defaults and checks of their own.
_OTHERS = frozenset({"tuner_type", "train_type", "rlhf_type", "sft_type"})
_STATED = re.compile(
    rf"(?i)\b({'|'.join(TOOLS)})(?:[ _]version:? *`?|==|@|/vllm-openai:)v?([0-9]+(?:\.[0-9]+)+)"
)
# Options as `--config` of a server reads them from a file: with hyphens, as on the command line.
_SERVED = {
    vllm.TOOL.name: (
        vllm.SERVE,
        words(
            "tensor-parallel-size pipeline-parallel-size max-model-len gpu-memory-utilization"
            " served-model-name max-num-seqs max-num-batched-tokens kv-cache-dtype"
        ),
    ),
    sglang.TOOL.name: (
        sglang.SERVE,
        words(
            "model-path tp-size dp-size mem-fraction-static context-length served-model-name"
            " tensor-parallel-size chunked-prefill-size"
        ),
    ),
}
_HEAD = 4096  # characters in which a file names its version
_ENOUGH = 2
_KEPT = {"desc", "value"}
_FILES = {"yaml", "json"}
_TRAINERS = {transformers.TOOL.name, trl.TOOL.name}


def recognise(document: ConfigDocument, tool: str = "", version: str | None = None) -> None:
    """Fill in the schemas of a document's sections.

    Raises:
        ConfigError: The tool that was asked for is not known, or its version is none.
    """
    if tool and tool not in TOOLS:
        raise ConfigError(
            str(document.path), "unknown-tool", tool=tool, known=", ".join(sorted(TOOLS))
        )
    if version and not is_version(version):
        raise ConfigError(str(document.path), "bad-version", tool=tool, version=version)
    stated = {name.lower(): number for name, number in _STATED.findall(document.text[:_HEAD])}
    for section in document.sections:
        if machine.MARK in section.settings:
            # What a report leaves out is not known; what is not there, it says.
            section.schema, section.complete = schema_of(machine.TOOL.name), False
            continue
        if _is_record(section):
            continue
        if _is_list_of_data(document, section):
            section.schema = Schema(llamafactory.DATA_TOOL, llamafactory.DATA)
        elif not (section.tool or _is_of_server(section) or _is_of_swift(document, section, tool)):
            _by_keys(section, tool)
            _of_verl(section)
        if section.tool in _TRAINERS and document.kind != "python":
            section.complete &= section.closed or _few_are_strange(section)
        if section.tool == ms_swift.TOOL.name:
            section.closed &= "ignore_args_error" not in section.settings
        asked_for = version if section.tool == tool else None
        named = section.schema.version or stated.get(section.tool)
        section.schema = section.schema.at(asked_for or named)


def _is_of_server(section: Section) -> bool:
    """Read the options of a server in a file, which stand there as on its command line."""
    names = _names(section)
    best = max(_SERVED, key=lambda tool: len(_SERVED[tool][1] & names))
    schema, marks = _SERVED[best]
    if len(marks & names) < _ENOUGH:
        return False
    settings = list(section.settings.values())
    section.settings = {}
    for item in settings:
        section.add(replace(item, path=(item.path[0].replace("-", "_"), *item.path[1:])))
    section.schema = Schema(TOOLS[best], schema)
    return True


def _is_of_swift(document: ConfigDocument, section: Section, wanted: str) -> bool:
    """Read the options of ms-swift in a file, as ``swift sft FILE`` does: each becomes a flag."""
    asked = wanted == ms_swift.TOOL.name
    name = ms_swift.schema_of_file(_names(section), asked_for=asked)
    if not name or document.kind not in _FILES or (wanted and not asked):
        return False
    section.settings = {
        key: item for key, item in section.settings.items() if item.path[0] != ms_swift.ENVIRONMENT
    }
    section.schema = Schema(ms_swift.TOOL, name)
    return True


def _is_list_of_data(document: ConfigDocument, section: Section) -> bool:
    """Tell whether a file is LLaMA-Factory's list of data sets; `datasets` names one of its own so.

    Of most entries it says where they are.
    """
    if document.kind != "json" or section.tool:
        return False
    entries = [section.settings[name].value for name in _names(section)]
    told = [
        item for item in entries if isinstance(item, dict) and llamafactory.DATA_MARKS & set(item)
    ]
    named = document.path.name == llamafactory.DATA_FILE
    return len(told) * 2 > len(entries) and (named or len(told) > 1)


def _of_verl(section: Section) -> None:
    """Take a file of verl's settings for what it is: keys may be added to it, and are not refused.

    So are files for its trainer of SFT, of which no key is its alone.
    """
    if section.tool and section.tool != verl.TOOL.name:
        return
    name = section.schema.name or verl.of_file(_names(section), section.settings)
    if name:
        section.schema, section.closed = Schema(verl.FILE_TOOL, name), False


def _by_keys(section: Section, wanted: str) -> None:
    names = _names(section)
    name = wanted or _best(_marking(section))
    if name in _TRAINERS:
        section.schema = _trainer(names, wanted)
        section.closed = not names & transformers.SCRIPT and _few_are_strange(section)
    else:
        section.schema = schema_of(name)
        section.closed = bool(name) and not names & section.schema.tool.shared
    if not wanted and name and _most_are_strange(section):
        section.schema = UNRECOGNISED


def _trainer(names: AbstractSet[str], wanted: str) -> Schema:
    """A file of TRL has keys of one of its classes besides those of the trainer."""
    best = max(trl.MARKS, key=lambda schema: len(trl.MARKS[schema] & names))
    if wanted != transformers.TOOL.name and (trl.MARKS[best] & names or wanted):
        return Schema(trl.TOOL, best if trl.MARKS[best] & names else trl.DEFAULT)
    return Schema(transformers.TOOL, transformers.TRAINER)


def _is_record(section: Section) -> bool:
    """Tell whether a program wrote the file of a run: W&B keeps each value below ``value``."""
    top = [section.settings[name].value for name in _names(section)]
    kept = [item for item in top if isinstance(item, dict) and "value" in item]
    return bool(kept) and len(kept) * 2 > len(top) and all(set(i) <= _KEPT for i in kept)


def _names(section: Section) -> frozenset[str]:
    return frozenset(key for key in section.settings if "." not in key)


def _marking(section: Section) -> frozenset[str]:
    """Return the names that a tool is told by.

    Data sets by name are those of another program, and so are those of which none has a path.
    """
    data = section.settings.get("datasets")
    value = data.value if data else None
    listed = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    is_other = isinstance(value, dict) or (listed and not any("path" in item for item in listed))
    return _names(section) - ({"datasets"} if is_other else set())


def _best(names: AbstractSet[str]) -> str:
    if names & _OTHERS:
        return ""
    counts = {
        name: len(tool.marks & names) if not tool.needed or tool.needed & names else 0
        for name, tool in TOOLS.items()
    }
    trainer = counts.pop("transformers")
    # A trainer's file has fp16 and bf16 as well, and some of axolotl's words.
    if trainer > counts["deepspeed"]:
        counts["deepspeed"] = 0
    if trainer >= counts["axolotl"] and "base_model" not in names:
        counts["axolotl"] = 0
    best: str = max(counts, key=lambda name: counts[name])
    if counts[best] >= _ENOUGH:
        return best
    if trainer >= _ENOUGH or (trainer and trainer == len(names)):
        return "transformers"
    return best if counts[best] and len(names) <= counts[best] + 1 else ""


def _strange(section: Section) -> list[str]:
    known = section.schema.keys
    return [
        name for name in _names(section) if name not in known and name not in transformers.SCRIPT
    ]


def _few_are_strange(section: Section) -> bool:
    """A program often adds arguments of its own; where there are few, they are mistakes."""
    names = _names(section)
    return bool(names) and len(_strange(section)) <= max(1, len(names) // 10)


def _most_are_strange(section: Section) -> bool:
    """A vocabulary, or the settings of another program, has some words in common with a tool."""
    return len(_strange(section)) * 3 > len(_names(section)) * 2
