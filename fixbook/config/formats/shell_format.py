"""Read training commands, and the variables set for them, in a shell script."""

from __future__ import annotations

import re
from typing import Any

from fixbook.config.errors import ConfigError
from fixbook.config.formats.places import Places
from fixbook.config.formats.shell_launch import (
    behind_launch,
    is_cut_off,
    is_launcher,
    options_in,
    program,
    started,
    starts_itself,
    without_redirections,
)
from fixbook.config.formats.shell_variables import Variables
from fixbook.config.formats.shell_words import Script, Word, assigned, split
from fixbook.config.setting import UNKNOWN, Place, Section, Setting
from fixbook.config.tool import LAUNCH, Schema
from fixbook.config.tools import (
    accelerate,
    llama_server,
    llamafactory,
    ms_swift,
    openrlhf,
    schema_of,
    sglang,
    torchrun,
    transformers,
    trl,
    verl,
    vllm,
)

_OVERRIDE = re.compile(r"(\+\+|\+|~)?([A-Za-z_][\w.@/-]*)=(.*)", re.DOTALL)
# Words that more settings may come from: a variable, a file of settings.
_MORE = re.compile(r"^\$|\.(?:ya?ml|json)$")
_TRUTHS = {"true", "false"}
# Scripts with the trainer's flags that parse them on their own.
_NO_TRAINER = re.compile(r"no_trainer\.py$|(?:^|/)swift/cli/|(?:^|/)swift$")


def read(text: str, name: str) -> list[Section]:
    """Read every command that a known tool takes its settings from.

    Args:
        text: The script.
        name: The file's name, for messages.

    Raises:
        ConfigError: It is nested too deeply, or its variables grow without bound.
    """
    try:
        return _Reader(text, split(text), name).sections()
    except RecursionError:
        raise ConfigError(name, "too-deep") from None


def read_words(text: str, words: list[Word], name: str) -> list[Section]:
    """Read one command whose words are known, such as a list in a manifest.

    Args:
        text: The file that has them.
        words: They.
        name: The file's name, for messages.
    """
    return _Reader(text, Script(), name).of(words)


class _Reader:
    def __init__(self, text: str, script: Script, name: str) -> None:
        self._text = text
        self._places = Places(text)
        self._commands, self._documents = script.commands, script.documents
        self._variables = Variables(name)
        self._exported: dict[str, Setting] = {}

    def sections(self) -> list[Section]:
        found: list[Section] = []
        before: list[Section] = []
        end = 0
        for command in self._commands:
            self._variables.keep_count(command[0].text)
            if command[0].text.endswith("=("):
                name = command[0].text[:-2]
                self._variables.set_array(name, self._variables.spread(command[1:]))
                before = []
                continue
            if before and is_cut_off(self._text[end : command[0].start], command[0]):
                self._cut(before[-1], command[0])
            words = without_redirections(self._assignments(command))
            words = program(self._variables.spread(words), self._variables.expanded)
            before, end = self.of(words) if words else [], command[-1].end
            found += before
        return found

    def _cut(self, section: Section, word: Word) -> None:
        """Remember an option behind the end of its command: what is written is not all of it."""
        if any(start <= word.start < end for start, end in self._documents):
            return
        place = self._place(word)
        section.cut = Setting((word.text.partition("=")[0],), None, place, place)
        section.complete = False

    def _assignments(self, command: list[Word]) -> list[Word]:
        """Remember ``A=1`` and ``export A=1``; return the words of the command behind them."""
        words = list(command)
        exported = words[0].text == "export"
        if exported:
            words = words[1:]
        alone = all(next(assigned(word), None) for word in words)
        while words and (found := next(assigned(words[0]), None)):
            name, text, appended = found
            value = self._variables.set(name, text, appended=appended)
            if exported or not alone:
                place = self._place(words[0])
                self._exported[name] = Setting(("env", name), value, place, place)
            words = words[1:]
        return [] if exported else words

    def of(self, words: list[Word]) -> list[Section]:
        """Read one command."""
        texts = [word.text for word in words]
        sections = [self._ray(texts, words)] if {"ray", "submit"} <= set(texts) else []
        for server in (vllm, sglang, llama_server):
            at = options_in(server.TOOL, texts)
            image = llama_server.is_image(texts[at - 1]) if at else False
            if at and (server is not llama_server or image or starts_itself(texts[: at - 1])):
                release = llama_server.release_of(texts[at - 1])
                section = Section(Schema(server.TOOL, server.SERVE, release))
                section = self._flags(words[at:], section)
                if "omni" in section.settings or sglang.is_other(section, texts[at - 1 :]):
                    return sections  # another server, of the same command
                if at < len(words) and not texts[at].startswith("-"):
                    section.served = self._variables.expanded(texts[at])
                section.complete &= "config" not in section.settings  # the file may say more
                return [*sections, section]
        if begins := ms_swift.options_begin(texts):
            section = Section(Schema(ms_swift.TOOL, begins[1]))
            return [*sections, self._flags(words[begins[0] :], section)]
        for index, text in enumerate(texts):
            if found := started(openrlhf.TOOL, text):
                section = Section(Schema(openrlhf.TOOL, found["schema"]))
                return [*sections, self._flags(words[index + 1 :], section)]
            if started(verl.TOOL, text) and not texts[index - 1].startswith("--"):
                section = self._overrides(words[index + 1 :], verl.schema_name(text))
                section.theirs = not verl.ITSELF.search(text)
                section.closed = section.closed and not section.theirs
                by = self._launcher(words, texts) if is_launcher(texts[0]) else []
                return [*sections, *by, section]
        if is_launcher(texts[0]) or texts[0].endswith(".py"):
            sections += [*self._launcher(words, texts), *self._script(words, texts)]
        return sections

    def _launcher(self, words: list[Word], texts: list[str]) -> list[Section]:
        if at := behind_launch(texts):
            return [self._launch(words[at:], Schema(accelerate.TOOL, LAUNCH))]
        at = torchrun.options_begin(texts)
        section = self._launch(words[at:], torchrun.SCHEMA) if at else None
        return [section] if section and section.settings else []

    def _script(self, words: list[Word], texts: list[str]) -> list[Section]:
        if any(started(llamafactory.TOOL, text) for text in texts):
            section = self._flags(words, Section(schema_of("llamafactory"), closed=False))
            # A script of releases older than those that are known: what they renamed, it has.
            section.complete &= not any(text.endswith("train_bash.py") for text in texts)
            return [section]
        if any(_NO_TRAINER.search(text) for text in texts):
            return []
        start = next((i for i, text in enumerate(texts) if text.endswith(".py")), 0)
        own = next(filter(None, map(trl.of_command, (" ".join(texts[:2]), *texts[:4]))), "")
        schema = Schema(trl.TOOL, own) if own else Schema(transformers.TOOL, transformers.TRAINER)
        section = self._flags(words[start + 1 :], Section(schema, closed=False))
        return [section] if len(transformers.FLAGS & set(section.settings)) > 1 else []

    def _launch(self, words: list[Word], schema: Schema) -> Section:
        """Read the options of a launcher, up to the script that it starts."""
        section = Section(schema)
        options = section.schema.keys
        index = 0
        while index < len(words) and words[index].text.startswith("--"):
            word = words[index]
            index += 1
            name, place, value, value_place = self._option(word)
            key = name.replace("-", "_")
            alone = "flag" in options.get(key, {}).get("types", ())
            follows = index < len(words) and not words[index].text.startswith(("--", "-m"))
            if (
                value_place is None
                and not alone
                and follows
                and not words[index].text.endswith(".py")
            ):
                value, value_place = (
                    self._variables.value(words[index].text),
                    self._place(words[index]),
                )
                index += 1
            section.add(Setting((key,), value, place, value_place, inherited=not word.raw))
        section.served = words[index].text if index < len(words) else ""
        return section

    def _option(self, word: Word) -> tuple[str, Place, Any, Place | None]:
        """Return name, place, value and place of the value; a bare option is True, without one."""
        hyphens = 2 if word.text.startswith("--") else 0  # of a short one its hyphen is kept
        name, equals, text = word.text[hyphens:].partition("=")
        place = self._places.at(word.start, word.start + hyphens + len(name))
        if not equals:
            return name, place, True, None
        return name, place, self._variables.value(text), self._places.at(place.end + 1, word.end)

    def _flags(self, words: list[Word], section: Section) -> Section:
        of_llama = section.schema.tool is llama_server.TOOL
        index = 0
        while index < len(words):
            word = words[index]
            index += 1
            if not (word.text.startswith("--") or (of_llama and llama_server.is_short(word.text))):
                section.complete = section.complete and not _MORE.search(word.text)
                continue
            name, place, value, value_place = self._option(word)
            # OpenRLHF declares each flag once; the others take hyphens for underscores.
            is_kept = section.schema.tool is openrlhf.TOOL or name.startswith("-")
            named = name if is_kept else name.replace("-", "_")
            most = section.schema.most_words(named)
            takes_any = of_llama and most == 1
            follows = index < len(words) and (takes_any or not words[index].text.startswith("--"))
            if follows and not most and words[index].text.lower() in _TRUTHS:
                value, value_place = words[index].text, self._place(words[index])
                index += 1
            elif value_place is not None and not most:
                value = str(value)
            if value_place is None and follows and most:
                value, value_place = (
                    self._variables.value(words[index].text),
                    self._place(words[index]),
                )
                value = self._as_given(value, words[index].text, is_text=of_llama)
                index += 1
                more = most > 1
                while more and index < len(words) and not words[index].text.startswith(("-", "$")):
                    value = [
                        *(value if isinstance(value, list) else [value]),
                        self._variables.value(words[index].text),
                    ]
                    index += 1
            # An option and its value in one word are no option: nothing splits them any more.
            path = (named,) if " " in named else tuple(named.split("."))
            fixed = " " in named or not word.raw
            section.add(Setting(path, value, place, value_place, inherited=fixed))
        return section

    def _as_given(self, value: Any, text: str, *, is_text: bool) -> Any:
        """Return the text of a word that YAML takes for keys and values, or where it is no YAML."""
        is_json = self._variables.json(text) is not UNKNOWN and not is_text
        is_kept = is_json or not isinstance(value, dict | bool if is_text else dict)
        return value if is_kept else self._variables.expanded(text)

    def _overrides(self, words: list[Word], schema: str) -> Section:
        section = Section(schema_of("verl", schema))
        for word in words:
            found = _OVERRIDE.fullmatch(word.text)
            if not found:
                section.complete = not word.text.startswith(("$", "--config")) and section.complete
                section.closed = section.closed and section.complete
                continue
            prefix = len(found[1] or "")
            key = self._places.at(word.start + prefix, word.start + prefix + len(found[2]))
            value = self._places.at(key.end + 1, word.end)
            path = tuple(found[2].split("."))
            setting = Setting(
                path, self._variables.value(found[3]), key, value, not word.raw, found[1] or ""
            )
            section.add(setting)
        return section

    def _ray(self, texts: list[str], words: list[Word]) -> Section:
        section = Section(schema_of("ray"), closed=False)
        for setting in self._exported.values():
            section.add(setting)
        for index, text in enumerate(texts):
            if text.startswith("--runtime-env"):
                given = text.partition("=")[2] or (
                    texts[index + 1] if index + 1 < len(texts) else ""
                )
                place = self._place(words[index])
                self._flat(section, ("runtime_env",), self._variables.json(given), place)
        return section

    def _flat(self, section: Section, path: tuple[str, ...], value: Any, place: Place) -> None:
        section.add(Setting(path, value, place, place, inherited=True))
        for key, child in value.items() if isinstance(value, dict) else ():
            self._flat(section, (*path, str(key)), child, place)

    def _place(self, word: Word) -> Place:
        return self._places.at(word.start, word.end)
