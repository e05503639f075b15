"""Files that a configuration names and that are not there, though one of nearly that name is.

Where a command will run is not known, so a name is looked up beside the file and in every folder
above it, up to the root of its repository. A file that is merely absent may be written by a job, or
lie on another machine; one whose neighbour differs by a letter is a slip of the pen.
"""

from __future__ import annotations

import contextlib
import difflib
import json
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
_DATA_SETS = ("dataset", "eval_dataset")
_MOST_BYTES = 4 * 1024 * 1024
_ALIKE = 0.8
_MOST_NEIGHBOURS = 2_000
_WHY = {
    "zh": "工具在运行命令时所在的目录里找这个文件，找不到就报错退出；不在这个仓库里运行时请忽略。",
    "en": "The tool looks for it from where the command runs, and ends without it; leave it if "
    "the command runs elsewhere.",
}
_WHY_DATA = {
    "zh": "LLaMA-Factory 只接受 `dataset_dir` 里登记过的名字，其余的报 Undefined dataset 并退出。",
    "en": "LLaMA-Factory knows the names that the list in `dataset_dir` has, and ends with "
    "“Undefined dataset” at any other.",
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


def missing_data(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report names of data sets that LLaMA-Factory's list of a folder has almost, and not quite."""
    folder = section.settings.get(_DATA)
    named = folder.value if folder else "data"
    if section.tool != "llamafactory" or not document.on_disk or not _is_relative(named):
        return
    listed = _data_sets(document, named)
    for key in _DATA_SETS:
        if (setting := section.settings.get(key)) is None:
            continue
        value = setting.value
        names = value.split(",") if isinstance(value, str) else value
        for name in names if isinstance(names, list) else ():
            wanted = str(name).strip()
            if wanted in listed or not _is_relative(wanted):
                continue
            if near := difflib.get_close_matches(wanted, listed, n=1, cutoff=_ALIKE):
                yield _undefined(document, section, setting, wanted, near[0])


def _data_sets(document: ConfigDocument, named: str) -> list[str]:
    """Return the names in the list of the nearest folder that has one."""
    for above in [*folders_above(document.path.resolve().parent), Path()]:
        with contextlib.suppress(OSError, ValueError, TypeError, RecursionError):
            path = above / named / _LISTED
            if path.stat().st_size <= _MOST_BYTES:
                return [str(name) for name in json.loads(path.read_text("utf-8"))]
    return []


def _undefined(
    document: ConfigDocument, section: Section, setting: Setting, name: str, near: str
) -> Finding:
    message = {
        "zh": f"`{setting.key}` 里的 `{name}` 不在 `{_LISTED}` 里",
        "en": f"`{name}`, named by `{setting.key}`, is not in `{_LISTED}`",
    }
    made = Finding(*(document, section, setting, "warning", "missing-data", message, _WHY_DATA))
    if setting.value == name:
        made.fix, made.applies = [{"set": setting.key, "value": near}], "suggestion"
    made.add(nearest(near))
    return made


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
