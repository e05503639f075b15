"""Keys that a tool does not have: from the tables alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from fixbook.config.finding import Finding
from fixbook.config.listed import as_listed, as_written
from fixbook.config.named_values import nearest
from fixbook.config.read_by_others import is_read_by_another
from fixbook.config.tools import llamafactory, verl
from fixbook.versions import parse_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting
    from fixbook.config.tool import Schema

_MOST_NEAREST = 60  # of a file with more unknown keys, the rest is told without a neighbour
_OF_ENTRY = 2  # keys that lead to one of an entry: its name, and the key
_COMMENTS = ("_", "//", "#", "<<")  # keys that people write as comments
_WHY = {
    True: {
        "zh": "{tool} 会悄悄丢掉不支持的键：训练照常开始，用的是默认值。",
        "en": "{tool} drops a key it does not know without a word: the run starts, "
        "with the default instead.",
    },
    False: {
        "zh": "{tool} 会拒绝这个键，启动时就退出。",
        "en": "{tool} refuses the key and ends as it starts.",
    },
}
_OF_HYDRA = {
    "zh": "Hydra 不检查设置文件里有哪些键：写错的键不会报错，也没有代码去读它。",
    "en": "Hydra does not check which keys a file of settings has: nothing reads one that is "
    "misspelt.",
}
# A release beyond those known here may have a key that none of these has.
_MAY_BE = {
    "newest": {
        "zh": "这个版本比这里所知的都新，键可能是新加的。",
        "en": "The version is newer than any known here, so the key may be new as well.",
    },
    "oldest": {
        "zh": "这个版本比这里所知的都旧，键可能后来才被去掉。",
        "en": "The version is older than any known here, so the key may have been there still.",
    },
}
_EDGE = {"newest": "最新", "oldest": "最旧"}
THEIRS = {
    "zh": "；程序自己声明了这个参数时不必改",
    "en": "; leave it if the program declares it itself",
}
CHECKS_LESS = {
    "zh": "；程序自己不检查这一点时不必改",
    "en": "; leave it if the program itself does not check this",
}


def unknown_keys(
    document: ConfigDocument, section: Section, renamed: set[str]
) -> Iterator[Finding]:
    """Report keys that the tool does not have, each with the nearest one that it has.

    Where another program takes part, only what can hardly be anything but a slip of the pen. A flag
    is a note then: a script has its own, and they often differ little from the trainer's.
    """
    schema = _judged_by(section.schema)
    if schema is None:
        return
    looked_up = 0
    for key, setting in section.settings.items():
        if key in renamed or not _is_unknown(setting, schema):
            continue
        is_flag = document.kind == "shell" or schema.tool.serves
        if is_flag and _is_abbreviated(key, schema):
            continue
        if setting.value is None and schema.tool.drops_key(key):
            continue  # nothing is lost with it
        looked_up += 1
        listed = as_listed(schema, setting.path)
        near = schema.nearest(listed) if looked_up <= _MOST_NEAREST else None
        if is_read_by_another(document, key) or (not near and _may_be_noted(schema, setting)):
            continue
        if section.closed or _is_slip(listed, setting, section, near):
            judged = section if schema is section.schema else replace(section, schema=schema)
            yield _unknown(document, judged, setting, listed, near)


def _judged_by(schema: Schema) -> Schema | None:
    """Return the schema whose keys count, or None if no key of the release is known.

    Of a program that the newest verl has given up, where nobody names a release, those of the last
    release that has it count: it still runs there. Of a class that is gone nothing more is told.
    """
    if not schema.keys:
        return None
    if not schema.is_gone:
        return schema
    if schema.version or schema.tool.name != verl.TOOL.name:
        return None
    every = (schema.at(version) for version in reversed(schema.tool.versions))
    return next((one for one in every if not one.is_gone), None)


def _is_unknown(setting: Setting, schema: Schema) -> bool:
    """Tell whether the tool declares the keys at this place one by one, and this is none."""
    key = as_listed(schema, setting.path)
    if key in schema.valid or setting.added or setting.path[-1].startswith(_COMMENTS):
        return False
    if len(setting.path) == 1:
        return True
    parent, _, last = key.rpartition(".")
    if schema.tool.nested:
        parts = parent.split(".")
        parents = (".".join(parts[:n]) for n in range(1, len(parts) + 1))
        return not any(_open(schema.valid.get(one)) for one in parents)
    if any(
        f"{parent}.{prefix}{last}" in schema.valid
        for below, prefix in schema.tool.prefixes
        if below == parent
    ):
        return False
    return parent in schema.valid and schema.has_below(parent)


def _may_be_noted(schema: Schema, setting: Setting) -> bool:
    """Tell whether people write what they know of a set of data there: where it is from, a sum."""
    return schema.name == llamafactory.DATA and len(setting.path) == _OF_ENTRY


def _is_abbreviated(key: str, schema: Schema) -> bool:
    """Tell whether the parser completes a flag: it takes the beginning of one name for it."""
    if not schema.tool.completes or (schema.tool.command is None and not schema.tool.classes):
        return False
    return not schema.tool.takes_auto and sum(name.startswith(key) for name in schema.valid) == 1


def _is_slip(
    listed: str, setting: Setting, section: Section, near: tuple[str, bool] | None
) -> bool:
    if not near or not near[1] or listed in section.schema.keys:
        return False
    return as_written(setting, near[0]) not in section.settings


def _open(row: dict[str, Any] | None) -> bool:
    return row is not None and "types" not in row


def _unknown(
    document: ConfigDocument,
    section: Section,
    setting: Setting,
    listed: str,
    near: tuple[str, bool] | None,
) -> Finding:
    schema, key = section.schema, setting.key
    zh, en = _absent(schema, key, listed)
    fix: list[dict[str, Any]] = []
    if near and (name := as_written(setting, near[0])) not in section.settings:
        since = schema.keys[near[0]].get("from")
        near_by = nearest(name)
        zh += near_by["zh"] + (f"（最早见于 {since}）" if since else "")
        en += near_by["en"] + (f" (since {since} at the latest)" if since else "")
        fix = [{"rename": key, "to": name}] if near[1] else []
    if not fix and llamafactory.is_of_data(schema, key):
        zh, en = zh + "；它属于 `dataset_info.json`", en + "; it belongs into `dataset_info.json`"
    if not section.closed:
        zh, en, fix = zh + THEIRS["zh"], en + THEIRS["en"], []
    silent = schema.tool.drops_key(key)
    why = {lang: text.format(tool=section.tool) for lang, text in _WHY[silent].items()}
    why = _OF_HYDRA if schema.tool is verl.FILE_TOOL else why
    severity = "warning" if silent or not section.closed else "error"
    if not section.closed and document.kind == "shell":
        severity = "note"
    if beyond := _beyond(schema, listed):
        severity, why = "note", _MAY_BE[beyond]
        fix = [] if beyond == "oldest" else fix
    message = {"zh": zh, "en": en}
    is_told = fix or llamafactory.is_of_data(schema, key)
    is_alone = section.closed and severity != "note" and not is_told
    # The nearest name is a guess: where it is wrong, so is what is trained.
    return Finding(
        *(document, section, setting, severity, "unknown-key", message, why),
        mend=_mend(schema, listed) if is_alone else None,
        fix=fix,
        applies="suggestion",
    )


def _mend(schema: Schema, listed: str) -> dict[str, str]:
    """Say what to do about a key for which none can be written in its place."""
    gone, coming = schema.last_seen(listed), schema.keys.get(listed, {}).get("from")
    tool = schema.tool.name if listed in schema.own or not schema.tool.base else "transformers"
    if coming and parse_version(schema.release) < parse_version(coming):
        last = gone.rpartition(" ")[2]
        zh, en = (f" 到 {last}", f" to {last}") if last else (" 或更高版本", " or later")
        return {
            "zh": f"删掉这个键；如果要用它，安装 {tool} {coming}{zh}",
            "en": f"take the key out; where you need it, install {tool} {coming}{en}",
        }
    if gone:
        return {
            "zh": f"删掉这个键；如果要用它，安装 {gone}",
            "en": f"take the key out; where you need it, install {gone}",
        }
    return {
        "zh": "删掉这个键，或者改正拼写",
        "en": "take the key out, or mend its spelling",
    }


def _beyond(schema: Schema, key: str) -> Literal["newest", "oldest"] | None:
    """Tell which known release the meant one is beyond, if a key is in none of them."""
    if key in schema.keys:
        return None
    return "newest" if schema.is_newer else "oldest" if schema.is_older else None


def _absent(schema: Schema, key: str, listed: str) -> tuple[str, str]:
    """Say that a key is not there, and where it was, or from when it is."""
    tool, version = schema.tool.name, schema.release
    if beyond := _beyond(schema, listed):
        known = schema.tool.newest if beyond == "newest" else schema.tool.versions[0]
        return (
            f"这里所知{_EDGE[beyond]}的 {tool} 是 {known}，没有 `{key}` 这个键",
            f"{tool} {known}, the {beyond} release known here, has no key `{key}`",
        )
    zh, en = f"{tool} {version} 没有 `{key}` 这个键", f"{tool} {version} has no key `{key}`"
    gone, coming = schema.last_seen(listed), schema.keys.get(listed, {}).get("from")
    if gone and coming and parse_version(version) < parse_version(coming):
        return (
            f"{zh}（{coming} 起才有，最后见于 {gone}）",
            f"{en} (it comes with {coming}, and was last seen in {gone})",
        )
    if gone:
        return f"{zh}（最后见于 {gone}）", f"{en} (last seen in {gone})"
    if coming:
        return f"{zh}（{coming} 起才有）", f"{en} (it comes with {coming})"
    return zh, en
