"""Read the commands that start a server out of manifests: Kubernetes, Compose, jobs of clouds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import yaml

from fixbook.config.formats import MAX_VALUES, shell_format
from fixbook.config.formats.shell_words import Word, split
from fixbook.config.formats.yaml_format import Loader, levels_are_few
from fixbook.config.tools import llama_server

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from fixbook.config.setting import Section

_SERVERS = re.compile(r"(?i)vllm|sglang|llama-(?:server|cli)\b|/llama\.cpp:server")
_SHELL = re.compile(r"(?:^|/)(?:bash|sh|zsh)$")
_OPTION_C = re.compile(r"^-[a-z]*c$")
_RELEASE = re.compile(
    r"(?:^|/)(?P<tool>vllm-openai|sglang)[\w-]*:(?:[\w-]*-)?v?(?P<release>\d+\.\d+\.\d+(?:\.post\d+)?)"
)
_OFFICIAL = re.compile(
    r"(?:(?:docker|ghcr)\.io/)?(?:vllm/vllm-openai[\w-]*|lmsysorg/sglang|ggml-org/llama\.cpp)(?::[^/]*)?$"
)
_INDENTED = re.compile(r"[ \t]*\\?\n(?=[ \t]+\S)")
_WORDS = ("entrypoint", "command", "args")  # of a container, in the order in which they are run


def read(text: str, name: str) -> list[Section]:
    """Read every command of a server in one or several documents.

    Args:
        text: The file's text.
        name: The file's name, for messages.

    Returns:
        What they take; nothing where the text is no YAML.
    """
    if not _SERVERS.search(text) or not levels_are_few(text):
        return []
    try:
        roots = list(yaml.compose_all(text, Loader=Loader))
        found = [section for node in _mappings(roots) for section in _of(node, text, name)]
    except (yaml.YAMLError, RecursionError):
        return []
    return [section for section in found if section.schema.tool.serves]


def _mappings(roots: Sequence[yaml.Node | None]) -> Iterator[yaml.MappingNode]:
    """Yield each mapping once, in order."""
    left, seen = MAX_VALUES, set()
    waiting = [node for node in reversed(roots) if node]
    while waiting and (left := left - 1):
        node = waiting.pop()
        if id(node) in seen or isinstance(node, yaml.ScalarNode):
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            yield node
            waiting += [child for _, child in reversed(node.value)]
        else:
            waiting += reversed(node.value)


def _of(node: yaml.MappingNode, text: str, name: str) -> Iterator[Section]:
    """Yield what the commands take that stand directly in a mapping."""
    children = {key.value: child for key, child in node.value if isinstance(key, yaml.ScalarNode)}
    image = children.get("image")
    words = [word for key in _WORDS for word in _words(children.get(key))]
    if words and isinstance(image, yaml.ScalarNode):
        if _goes_to_image(words, children.keys()):
            words.insert(0, _word(image))
        script = _behind_shell(words, children)
        read = _script(script, name) if script else shell_format.read_words(text, words, name)
        yield from (_of_image(section, image.value) for section in read)
        children = {key: child for key, child in children.items() if key not in _WORDS}
    yield from _of_chart(children, text, name)
    for child in children.values():
        items = child.value if isinstance(child, yaml.SequenceNode) else [child]
        for item in items:
            if isinstance(item, yaml.ScalarNode) and _is_command(item.value):
                yield from _script(item, name)


def _of_chart(children: dict[str, yaml.Node], text: str, name: str) -> Iterator[Section]:
    """Yield what `extraArgs` adds to the command that vLLM's chart makes of its values."""
    config = children.get("vllmConfig")
    pairs = config.value if isinstance(config, yaml.MappingNode) else []
    added = next((_items(value) for key, value in pairs if key.value == "extraArgs"), [])
    repository, tag = (_items_of(children.get(key)) for key in ("repository", "tag"))
    if added and repository:
        start = [replace(_word(added[0]), text=word) for word in ("vllm", "serve")]
        words = [*start, *map(_word, added)]
        for section in shell_format.read_words(text, words, name):
            section.complete = False
            yield _of_image(section, ":".join([*repository, *tag]))


def _items_of(node: yaml.Node | None) -> list[str]:
    return [node.value] if isinstance(node, yaml.ScalarNode) else []


def _is_command(text: str) -> bool:
    return bool(_SERVERS.search(text)) and len(text.split(maxsplit=1)) > 1


def _of_image(section: Section, image: str) -> Section:
    """Take the release from the image; one that is built from something else may know more."""
    found = _RELEASE.search(image)
    if section.tool == llama_server.TOOL.name and (build := llama_server.release_of(image)):
        section.schema = section.schema.at(build)
    elif found and found["tool"].startswith(section.tool):
        section.schema = section.schema.at(found["release"])
    elif not _OFFICIAL.match(image):
        section.closed = section.complete = False
    return section


def _goes_to_image(words: list[Word], keys: AbstractSet[str]) -> bool:
    """Tell whether the words go to the program of the image, and do not replace it."""
    if "entrypoint" in keys or {"command", "args"} <= keys:
        return False
    return "args" in keys or words[0].text.startswith("-")


def _words(node: yaml.Node | None) -> list[Word]:
    """Return the words of a list; of a text, those that a shell would see in it."""
    if isinstance(node, yaml.SequenceNode):
        return [_word(item) for item in _items(node)]
    if isinstance(node, yaml.ScalarNode):
        place = _word(node)
        return [
            replace(word, start=place.start, end=place.end, raw=False)
            for command in split(node.value.replace("\n", " ")).commands
            for word in command
        ]
    return []


def _word(node: yaml.ScalarNode) -> Word:
    quoted = node.style in {"'", '"'}
    start, end = node.start_mark.index + quoted, node.end_mark.index - quoted
    return Word(node.value, start, end, raw=False)


def _behind_shell(words: list[Word], children: dict[str, yaml.Node]) -> yaml.ScalarNode | None:
    """Return the script that is given to a shell."""
    for shell, option, script in zip(words, words[1:], words[2:], strict=False):
        if _SHELL.search(shell.text) and _OPTION_C.match(option.text):
            nodes = [item for key in _WORDS for item in _items(children.get(key))]
            return next((item for item in nodes if item.value == script.text), None)
    return None


def _items(node: yaml.Node | None) -> list[yaml.ScalarNode]:
    listed = node.value if isinstance(node, yaml.SequenceNode) else []
    return [item for item in listed if isinstance(item, yaml.ScalarNode)]


def _script(node: yaml.ScalarNode, name: str) -> list[Section]:
    """Read a script that is a text of the file: its lines are counted, its places not written."""
    lines = node.start_mark.line + (node.style in {"|", ">"})
    # In a folded text, lines that are indented more keep their ends: they are one command still.
    text = _INDENTED.sub(" ", node.value) if node.style == ">" else node.value
    sections = shell_format.read("\n" * lines + text, name)
    for section in sections:
        for key, setting in section.settings.items():
            section.settings[key] = replace(setting, inherited=True)
    return sections
