"""Edit YAML with a round-trip library, so that comments, order, anchors and quoting stay."""

from __future__ import annotations

import difflib
import io
import pickle
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import CommentMark, YAMLError
from ruamel.yaml.tokens import CommentToken

from fixbook.config.patch import CannotMendError

if TYPE_CHECKING:
    from fixbook.config.setting import Section

_DASH = re.compile(r"(?m)^( *)[^\s#-][^\n]*:[^\n]*\n(?: *(?:#[^\n]*)?\n)*( *)- ")


def edited(text: str, section: Section, operations: list[dict[str, Any]]) -> str:
    """Return the text with operations applied; lines that they do not touch stay as they are."""
    try:
        tree, plain = _parsed(text)
        for operation in operations:
            _apply(tree, section, operation)
        changed = _dump(_round_trip(text), tree)
    except (YAMLError, ValueError, AttributeError, NotImplementedError) as error:
        raise CannotMendError(str(error).splitlines()[0]) from None
    result = _onto(text, plain, changed)
    if _comments(text) - _comments(result):
        raise CannotMendError("a comment would be lost")
    return result


def _round_trip(text: str) -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.allow_duplicate_keys = True
    yaml.width = 1 << 20
    dash = _DASH.search(text)
    offset = len(dash[2]) - len(dash[1]) if dash else 0
    if offset > 0:
        yaml.indent(mapping=2, sequence=offset + 2, offset=offset)
    return yaml


def _parsed(text: str) -> tuple[Any, str]:
    """Return the tree of a text, to be edited, and the text as the library writes it."""
    tree, plain = _kept(text)
    return pickle.loads(tree), plain  # noqa: S301  (made here)


@lru_cache(maxsize=4)
def _kept(text: str) -> tuple[bytes, str]:
    """Each mend of a file needs the tree anew: to parse once and copy takes a tenth of the time."""
    yaml = _round_trip(text)
    tree = yaml.load(text)
    return pickle.dumps(tree), _dump(yaml, tree)


def _dump(yaml: YAML, tree: Any) -> str:
    stream = io.StringIO()
    yaml.dump(tree, stream)
    return stream.getvalue()


def _apply(tree: Any, section: Section, operation: dict[str, Any]) -> None:
    name = operation.get("rename") or operation.get("remove") or operation["set"]
    setting = section.settings.get(name)
    if setting is not None and setting.inherited:
        raise CannotMendError(f"{name} comes from an anchor elsewhere in the file")
    path = setting.path if setting else tuple(name.split("."))
    holder = _holder(tree, path[:-1])
    if "set" in operation:
        holder[path[-1]] = operation["value"]
        return
    key = _own(holder, path[-1])
    if "rename" in operation:
        _rename(holder, key, operation["to"].rpartition(".")[2])
    else:
        _remove(holder, key)
        if not holder and holder is not tree:
            raise CannotMendError("nothing would be left of its parent")


def _holder(tree: Any, path: tuple[str, ...]) -> CommentedMap:
    node = tree
    for part in path:
        node = node[int(part)] if isinstance(node, list) else node.get(part)
    if not isinstance(node, CommentedMap):
        raise CannotMendError(f"there is no mapping {'.'.join(path)!r}")
    return node


def _own(holder: CommentedMap, name: str) -> Any:
    for key in holder:
        if str(key) == name and key in dict.keys(holder):
            return key
    raise CannotMendError(f"{name} is not written here")


def _rename(holder: CommentedMap, old: Any, new: str) -> None:
    position = list(holder).index(old)
    comments = holder.ca.items.pop(old, None)
    value = holder.pop(old)
    holder.insert(position, new, value)
    if comments is not None:
        holder.ca.items[new] = comments


def _remove(holder: CommentedMap, key: Any) -> None:
    kept = _trailing(holder, key)
    position = list(holder).index(key)
    before = list(holder)[position - 1] if position else None
    del holder[key]
    nowhere = before is None or isinstance(holder[before], dict | list)
    if not kept or (nowhere and not kept.strip()):
        return
    if nowhere:
        raise CannotMendError("the comment behind it has no place to go")
    token = CommentToken("\n" + kept, CommentMark(0), None)
    entry = holder.ca.items.setdefault(before, [None, None, None, None])
    if entry[2] is None:
        entry[2] = token
    else:
        entry[2].value = entry[2].value.rstrip("\n") + "\n" + kept


def _trailing(holder: CommentedMap, key: Any) -> str:
    """Return the lines of comment that follow a value: they belong to what comes next."""
    node: Any = holder
    while True:
        entry = node.ca.items.get(key)
        for token in (entry or [])[2:4]:
            for part in token if isinstance(token, list) else [token]:
                if part is not None:
                    return str(part.value).partition("\n")[2]
        value = node[key]
        if isinstance(value, CommentedMap) and value:
            node, key = value, list(value)[-1]
        elif isinstance(value, list) and value and hasattr(value, "ca"):
            node, key = value, len(value) - 1
        else:
            return ""


def _onto(text: str, plain: str, changed: str) -> str:
    """Apply to the text what differs between two dumps, so that layout is not normalised."""
    if plain == text:
        return changed
    lines, before, after = (item.splitlines(keepends=True) for item in (text, plain, changed))
    places: dict[int, int] = {}
    for tag, a, b, c, d in difflib.SequenceMatcher(
        None, before, lines, autojunk=False
    ).get_opcodes():
        if tag == "equal" or b - a == d - c:
            places |= {a + step: c + step for step in range(b - a)}
    places[len(before)] = len(lines)
    result, position = [], 0
    for tag, a, b, c, d in difflib.SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            continue
        if a not in places or b not in places:
            raise CannotMendError("the layout of the lines around it is unusual")
        result += lines[position : places[a]] + after[c:d]
        position = places[b]
    return "".join(result + lines[position:])


def _comments(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.lstrip().startswith("#")}
