"""Files that a configuration names and that are not there, though one of nearly that name is.

Where a command will run is not known, so a name is looked up beside the file and in every folder
above it, up to the root of its repository. A file that is merely absent may be written by a job, or
lie on another machine; one whose neighbour differs by a letter is a slip of the pen.
"""

from __future__ import annotations

import contextlib
import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.finding import Finding
from fixbook.config.named_values import nearest
from fixbook.config.pins import folders_above

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting

_FILES = ("deepspeed", "deepspeed_config.deepspeed_config_file", "config_file")
_DATA, _LISTED = "dataset_dir", "dataset_info.json"
_ALIKE = 0.8
_MOST_NEIGHBOURS = 2_000
_WHY = {
    "zh": "工具按运行命令时所在的目录找它，找不到就报错退出；不在这个仓库里运行时请忽略。",
    "en": "The tool looks for it from where the command runs, and ends without it; leave it if "
    "the command runs elsewhere.",
}


def missing_files(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report names of files and folders that differ a little from what is there."""
    named = [section.settings[key] for key in (*_FILES, _DATA) if key in section.settings]
    for setting in named:
        with contextlib.suppress(OSError):  # a name can be too long to be one
            if document.on_disk and _is_relative(setting.value):
                near = _neighbour(document, setting)
                if near:
                    yield _missing(document, section, setting, near)


def _is_relative(value: object) -> bool:
    return isinstance(value, str) and bool(value) and value[0] not in "/~.{" and "$" not in value


def _neighbour(document: ConfigDocument, setting: Setting) -> str:
    """Return the name of what is there in its place; empty if nothing is like it."""
    name = Path(setting.value)
    is_data = setting.key == _DATA
    folders = [*folders_above(document.path.resolve().parent), Path()]
    if any((folder / name).exists() for folder in folders):
        return ""
    for folder in folders:
        there = (folder / name).parent
        names = _listed(there, is_data, name.suffix) if there.is_dir() else ()
        if close := difflib.get_close_matches(name.name, names, n=1, cutoff=_ALIKE):
            return (name.parent / close[0]).as_posix()
    return ""


def _listed(folder: Path, is_data: bool, suffix: str) -> Iterable[str]:  # noqa: FBT001
    for number, path in enumerate(sorted(folder.iterdir())):
        if number >= _MOST_NEIGHBOURS:
            return
        if (path / _LISTED).is_file() if is_data else path.suffix == suffix and path.is_file():
            yield path.name


def _missing(document: ConfigDocument, section: Section, setting: Setting, near: str) -> Finding:
    message = {
        "zh": f"`{setting.key}` 指的 `{setting.value}` 不存在",
        "en": f"`{setting.key}` names `{setting.value}`, which is not there",
    }
    made = Finding(
        *(document, section, setting, "warning", "missing-file", message, _WHY),
        fix=[{"set": setting.key, "value": near}],
        applies="suggestion",
    )
    made.add(nearest(near))
    return made
