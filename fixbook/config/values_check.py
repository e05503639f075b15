"""Values that a tool's schema refuses: from the tables alone."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fixbook.config.finding import Finding
from fixbook.config.listed import as_listed
from fixbook.config.named_values import NEWER, meant, nearest
from fixbook.config.setting import UNKNOWN
from fixbook.config.special_tokens import without_special
from fixbook.config.tools import ms_swift, verl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting
    from fixbook.config.tool import Schema

_SWITCHES = {"true", "false", "yes", "no", "on", "off"}
_NUMBER = re.compile(r"[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d+)?")
_SIZE = re.compile(r"[+-]?\d[\d_]*(\.0*)?|\d+(\.\d+)?[kmgtKMGT]i?|(?i:auto)")
_SIZES = re.compile(r"\b(\d+(?:\.\d+)?)[kKmMgGtT]\b")  # in JSON, which servers read too
_BEGINS_AS_NUMBER = re.compile(r"\s*[+-]?\d")
_TO_FILL = re.compile(r"<[^<>]+>|\.{3}|…")  # by whoever copies the command
_NAMED_TYPES = {
    "size": ("整数（如 `32k`、`32K`）", "a whole number, such as `32k` or `32K`"),
    "flag": ("不带值（是开关）", "no value, being a switch"),
    "json": ("JSON", "JSON"),
}
# Of vLLM: with which option names are registered, and with which one a name is looked up at all.
_PLUGIN_OF = {
    "tool_call_parser": "tool_parser_plugin",
    "reasoning_parser": "reasoning_parser_plugin",
}
_REGISTERED = {"ascend"}  # by vLLM's plugin for Ascend, for models quantized with its tools
_READ_WITH = {"tool_call_parser": "enable_auto_tool_choice"}
_IS_OPTION = re.compile(r"--?[A-Za-z]")
_NO_VALUE = {
    "zh": "；它要带值，后面的选项被当成了它的值",
    "en": "; it takes a value, and the next option was taken for it",
}
_MOST_NAMES = 24  # of a list, in a message
_PLUGINS = {
    "zh": "；由插件注册的名字不必改",
    "en": "; leave it if a plugin registers the name",
}


def refused_values(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report values that are not of the type, or not among the values, that the tool declares."""
    schema = section.schema
    if schema.tool.serves and not section.closed:
        return  # a build of somebody's own
    newest_one = schema.release == schema.tool.newest
    for key, setting in section.settings.items():
        row = schema.row(as_listed(schema, setting.path))
        if row is None or "types" not in row or setting.value is UNKNOWN or setting.value is None:
            continue
        in_cpp = not schema.tool.completes and row["types"] == ["int"]
        if in_cpp and _BEGINS_AS_NUMBER.match(str(setting.value)):
            continue  # the number that a text begins with is read
        if setting.value == "auto" and schema.tool.accepts_auto(key):
            continue
        if _PLUGIN_OF.get(key) in section.settings:
            continue  # which registers the names that it brings
        allowed = [*row.get("values", []), *([] if newest_one else row.get("older", []))]
        if allowed and not _among(setting.value, allowed, row["types"]):
            yield _not_listed(document, section, setting, allowed, row["types"])
        elif (
            not allowed
            and "values" not in row
            and not _fits(setting.value, row["types"])
            and not (_takes_words(document, schema) and "list" in row["types"])
        ):
            names = [_NAMED_TYPES.get(name, name) for name in row["types"] if name != "null"]
            zh, en = zip(*((n, n) if isinstance(n, str) else n for n in names), strict=True)
            yield _refused(document, section, setting, " 或 ".join(zh), " or ".join(en))
        elif document.kind == "python" and _is_quoted_number(setting.value, row["types"]):
            yield _quoted(document, section, setting)


def _takes_words(document: ConfigDocument, schema: Schema) -> bool:
    """Tell whether options are read from words: for a list, one word is enough."""
    is_command = document.kind == "shell" and schema.tool is not verl.TOOL
    return is_command or schema.tool is ms_swift.TOOL


def _is_quoted_number(value: Any, types: list[str]) -> bool:
    """Tell whether a number is given as text to a class that converts nothing."""
    numbers = {"int", "float"}
    return (
        isinstance(value, str)
        and bool(_NUMBER.fullmatch(value))
        and (bool(numbers & set(types)) and not set(types) - numbers - {"null"})
    )


def _quoted(document: ConfigDocument, section: Section, setting: Setting) -> Finding:
    message = {
        "zh": f'`{setting.key}` 是文字 `"{setting.value}"`，不是数字',
        "en": f'`{setting.key}` is the text `"{setting.value}"`, not a number',
    }
    why = {
        "zh": "这个类不转换类型：有的当场报 TypeError，"
        "有的（如 `learning_rate`）到创建优化器时才报。",
        "en": "The class converts nothing: some raise a TypeError at once, others, such as "
        "`learning_rate`, where the optimizer is made.",
    }
    number = float(setting.value)
    value = int(number) if number.is_integer() and "e" not in setting.value.lower() else number
    return Finding(
        *(document, section, setting, "error", "refused-value", message, why),
        fix=[{"set": setting.key, "value": value}],
        applies="suggestion",
    )


def _among(value: Any, allowed: list[Any], types: list[str]) -> bool:
    if isinstance(value, bool):
        # Unquoted, YAML reads NO as false.
        return "bool" in types or value in allowed or "no" in {str(i).lower() for i in allowed}
    if "named" in types and isinstance(value, str) and value in _REGISTERED:
        return True
    if "named" in types and isinstance(value, str):
        return value.casefold() in {str(item).casefold() for item in allowed}
    return value in allowed or str(value) in {str(item) for item in allowed}


def _fits(value: Any, types: list[str]) -> bool:
    """Tell whether a tool that converts as pydantic and argparse do would take the value."""
    wanted = set(types)
    if wanted & {"enum", "literal", "any", "leaf"}:
        return True
    if isinstance(value, str) and wanted & {"size", "flag", "json"}:
        return _fits_option(value, wanted)
    match value:
        case bool():
            good = {"bool", "flag", "str", "int", "float", "json", "size"}
        case int() | float():
            whole = isinstance(value, int) or value.is_integer()
            good = {"float", "str"} | ({"int"} if whole else set())
            good |= {"bool", "flag"} if value in {0, 1} else set()
            good |= {"json"} | ({"size"} if whole else set())
        case str():
            good = {"str", "dict", "list"} | (
                {"int", "float"} if _NUMBER.fullmatch(value) else set()
            )
            good |= {"bool", "flag"} if value.lower() in _SWITCHES else set()
        case list():
            good = {"list", "str", "dict", "json"}
        case dict():
            good = {"dict", "str", "json"}
        case _:
            return True
    return bool(wanted & good)


def _fits_option(value: str, wanted: set[str]) -> bool:
    """Tell whether an option takes the word behind it; a switch takes none."""
    if "size" in wanted:
        return bool(_SIZE.fullmatch(value))
    if "flag" in wanted:
        return False
    if not (value.startswith("{") and value.endswith("}")) or _TO_FILL.search(
        without_special(value)
    ):
        return True  # the name of a file, keys that are written one by one, or a sample
    try:
        json.loads(_SIZES.sub(r"\1", value))
    except ValueError:
        return False
    return True


def _not_listed(
    document: ConfigDocument,
    section: Section,
    setting: Setting,
    allowed: list[Any],
    types: list[str],
) -> Finding:
    """Name the value that is meant, if one is near; a plugin may add to some lists."""
    names = [str(item) for item in allowed]
    near = meant(names, setting.value) if section.schema.tool.serves else None
    if near:  # a server has dozens of names, of which that one is wanted
        names = [near[0], *(name for name in names if name != near[0])]
    more = section.schema.tool.serves and len(names) > _MOST_NAMES
    shown = names[:_MOST_NAMES] if more else names
    zh = "、".join(shown) + (f" 等 {len(names)} 个" if more else "")
    en = ", ".join(shown) + (f", … ({len(names)} in all)" if more else "")
    made = _refused(document, section, setting, zh, en)
    if not section.schema.tool.completes and _IS_OPTION.match(str(setting.value)):
        made.add(_NO_VALUE)
    if near:
        made.add(nearest(near[0]))
    if near and near[1]:
        made.fix, made.applies = [{"set": setting.key, "value": near[0]}], "suggestion"
    elif "named" in types:
        made.add(_PLUGINS)
    unread = setting.key in _READ_WITH and _READ_WITH[setting.key] not in section.settings
    if "named" in types and (unread or not (near and near[1])):
        made.severity = "warning"
    if section.schema.tool.serves and section.schema.is_newer:
        made.severity, made.why = "note", NEWER
    return made


def _refused(
    document: ConfigDocument, section: Section, setting: Setting, zh: str, en: str
) -> Finding:
    version = section.schema.release
    shown = (
        setting.value
        if isinstance(setting.value, str | int | float)
        else type(setting.value).__name__
    )
    message = {
        "zh": f"`{setting.key}` 不接受 `{shown}`；{section.tool} {version} 接受：{zh}",
        "en": f"`{setting.key}` does not accept `{shown}`; {section.tool} {version} accepts {en}",
    }
    why = {
        "zh": "这个值不在工具自己声明的类型或取值之内，启动时就会被拒绝。",
        "en": "The value is not of the type, or not among the values, that the tool declares; "
        "it is refused as the run starts.",
    }
    return Finding(document, section, setting, "error", "refused-value", message, why)
