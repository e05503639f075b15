"""What Hydra and Python have against a command of verl: keys added twice, programs not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.config.finding import Finding
from fixbook.config.setting import UNKNOWN
from fixbook.config.tools import verl
from fixbook.versions import parse_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting
    from fixbook.config.tool import Schema

_WHY = {
    "zh": "`+` 只能用来新增键；键已经有值时，Hydra 报 Could not append to config 并退出。",
    "en": "A `+` only adds keys; where the key has a value, Hydra ends with “Could not append to "
    "config”.",
}
_MEND = {
    "zh": "去掉 `+`；要同时用于没有这个键的旧版本，就写成 `++`",
    "en": "take the `+` away; where older releases without the key are used as well, write `++`",
}
_WHY_GONE = {
    "zh": "Python 找不到这个模块，报 No module named 并退出。",
    "en": "Python ends with “No module named”.",
}
_SUCCESSOR = {
    "zh": "改用 `verl.trainer.sft_trainer`：它的键和旧程序不同，"
    "例如 `model.partial_pretrain` 变成了 `model.path`",
    "en": "use `verl.trainer.sft_trainer`, whose keys are others: `model.partial_pretrain`, "
    "for one, is `model.path` there",
}


def added_twice(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report keys that are added with ``+`` though the settings of the release have them."""
    schema = section.schema
    if schema.tool is not verl.TOOL or document.kind != "shell" or not section.closed:
        return
    if any("@" in key or _chooses_a_file(section, key) for key in section.settings):
        return  # other settings than those that are known by default
    for key, setting in section.settings.items():
        if setting.added == "+" and _has_a_value(schema, setting):
            message = {
                "zh": f"`+{key}`：verl {schema.release} 已经有 `{key}` 这个键",
                "en": f"`+{key}`: verl {schema.release} has the key `{key}` already",
            }
            yield Finding(
                *(document, section, setting, "error", "key-added-twice", message, _WHY),
                mend=_MEND,
            )


def _chooses_a_file(section: Section, key: str) -> bool:
    """Tell whether an override chooses among files of settings: ``engine=megatron``."""
    row = section.schema.valid.get(key)
    return "." not in key and row is not None and row.get("types") != ["leaf"]


def _has_a_value(schema: Schema, setting: Setting) -> bool:
    """Tell whether the release has the key for certain, with a value that is not replaced so."""
    row = schema.row(setting.key)
    is_leaf = row is not None and row.get("types") == ["leaf"]
    if not row or not is_leaf or setting.value is UNKNOWN or isinstance(setting.value, list | dict):
        return False
    if schema.is_older or schema.is_newer:
        return False
    first = row.get("since", row.get("from", schema.tool.versions[0]))
    last = row.get("to", schema.tool.newest)
    return parse_version(first) <= parse_version(schema.release) <= parse_version(last)


def gone_programs(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report an entry point that the release does not have, any more or yet."""
    schema = section.schema
    if schema.tool is not verl.TOOL or not schema.is_gone or section.theirs:
        return
    if not section.settings or (section.pin and section.pin.is_carried):
        return
    program = f"verl.trainer.{schema.name}"
    rows = schema.own.values()
    versions = schema.tool.versions
    last = max((row.get("to", versions[-1]) for row in rows), key=parse_version)
    first = min((row.get("from", versions[0]) for row in rows), key=parse_version)
    is_past = parse_version(schema.release) > parse_version(last)
    zh = f"最后见于 {last}" if is_past else f"{first} 起才有"
    en = f"last seen in {last}" if is_past else f"it comes with {first}"
    message = {
        "zh": f"verl {schema.release} 没有 `{program}` 这个程序（{zh}）",
        "en": f"verl {schema.release} has no program `{program}` ({en})",
    }
    known = schema.version is not None
    made = Finding(
        document,
        section,
        next(iter(section.settings.values())),
        "error" if known else "warning",
        "program-gone",
        message,
        _WHY_GONE,
        mend=_SUCCESSOR if is_past else None,
    )
    if not known:
        made.add(
            {
                "zh": "；仓库没有固定 verl 的版本，用旧版本时不必改",
                "en": "; leave it where an older verl is used, as nothing pins one",
            }
        )
    yield made
