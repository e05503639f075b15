"""Documents written in every style at random, with an operation on one of their keys."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

_NAMES = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"])
_PLAIN = st.sampled_from(
    ["x", "a b", "12", "0.5", "1e-4", "true", "~", "", "a#b", "名", "-x", "on"]
)
_VALUES = st.sampled_from([True, 7, "word", "two words", "no", "a: b", "# x", 0.25, None])


@st.composite
def operations(draw: st.DrawFn, names: list[str]) -> dict[str, Any]:
    """Draw an operation on one of the keys that a document has, or on one that it lacks."""
    kind = draw(st.sampled_from(["set", "add", "remove", "rename"]))
    name = draw(st.sampled_from(names))
    parent = name.rpartition(".")[0]
    new = f"{parent}.added" if parent else "added"
    if kind == "remove":
        return {"remove": name}
    if kind == "rename":
        return {"rename": name, "to": new}
    return {"set": name if kind == "set" else new, "value": draw(_VALUES)}


@st.composite
def yaml_texts(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Draw the text of a YAML mapping, and the dotted names of its keys."""
    names: list[str] = []
    lines = _mapping(draw, "", 0, draw(st.sampled_from([0, 0, 2])), names)
    head = draw(st.sampled_from(["", "---\n", "# top\n", "\n", "%YAML 1.1\n---\n"]))
    tail = draw(st.sampled_from(["", "\n", "\n...\n", "\n...", "\n# end", "\n\n# end\n", "  "]))
    return head + "\n".join(lines) + tail, names


def _mapping(draw: st.DrawFn, path: str, depth: int, indent: int, names: list[str]) -> list[str]:
    lines: list[str] = []
    for name in draw(st.lists(_NAMES, min_size=1, max_size=4, unique=True)):
        dotted = f"{path}.{name}" if path else name
        names.append(dotted)
        key = draw(st.sampled_from(["{}", "{}", "'{}'", '"{}"'])).format(name)
        lines += [" " * draw(st.integers(0, 4)) + f"# own {len(names)}"] * draw(st.integers(0, 1))
        lines += [""] * draw(st.integers(0, 1))
        first, *rest = _value(draw, dotted, depth, indent, names)
        lines += [f"{' ' * indent}{key}:{first}", *rest]
    return lines


def _value(draw: st.DrawFn, path: str, depth: int, indent: int, names: list[str]) -> list[str]:
    kinds = ["plain", "quoted", "text", "list", "flow"] + ["mapping"] * 3 * (depth < 2)
    kind = draw(st.sampled_from(kinds))
    behind = draw(st.sampled_from(["", "", " # behind", "  "]))
    deeper = " " * (indent + draw(st.integers(1, 3)))
    if kind == "plain":
        return [(" " + draw(_PLAIN)).rstrip() + behind]
    if kind == "quoted":
        return [draw(st.sampled_from([" 'a # b'", ' "c: #d"', " 'it''s'", ' "\\n"'])) + behind]
    if kind == "text":
        mark = draw(st.sampled_from(["|", "|-", "|+", ">", ">-", ">+"]))
        body = [f"{deeper}# not a comment", "", f"{deeper}key: 1"]
        return [f" {mark}", *body, *[""] * draw(st.integers(0, 2))]
    if kind == "list":
        dash = " " * (indent + draw(st.integers(0, 2)))
        return [behind.replace("  ", ""), f"{dash}- one  # item", f"{dash}- 'two'"]
    if kind == "flow":
        names += [f"{path}.k", f"{path}.l"]
        return [draw(st.sampled_from([" {k: 1, l: [2, 3]}", ' {"k": {}, "l": ~, }'])) + behind]
    return [behind, *_mapping(draw, path, depth + 1, len(deeper), names)]


@st.composite
def json_texts(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Draw the text of a JSON object, and the dotted names of its keys."""
    leaf = st.one_of(
        st.booleans(), st.none(), st.integers(-9, 9), st.sampled_from(["x", "{,}", "名"])
    )
    value = st.recursive(
        leaf, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_NAMES, inner, max_size=3)
    )
    data = draw(st.dictionaries(_NAMES, value, min_size=1, max_size=5))
    indent = draw(st.sampled_from([None, 0, 2, "\t"]))
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : ")]))
    text = json.dumps(data, indent=indent, separators=separators, ensure_ascii=draw(st.booleans()))
    return text + draw(st.sampled_from(["", "\n", " \n\n"])), list(_names(data))


def _names(data: dict[str, Any], path: str = "") -> list[str]:
    found = []
    for key, value in data.items():
        found.append(f"{path}{key}")
        if isinstance(value, dict):
            found += _names(value, f"{path}{key}.")
    return found
