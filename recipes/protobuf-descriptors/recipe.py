"""Code that an old protoc generated, and the protobuf package of today."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "protobuf==7.36.2", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from failure import convert, events, load, read

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

if TYPE_CHECKING:
    from collections.abc import Callable

OLD: dict[str, Any] = {
    "versions": ["sentencepiece==0.1.99", "protobuf==7.36.2"],
    "record_once": "releases of two packages that these steps alone need",
}
NEW: dict[str, Any] = {
    "versions": ["sentencepiece==0.2.1", "protobuf==7.36.2"],
    "record_once": "a release of a package that these steps alone need",
}
OLD_4: dict[str, Any] = {
    "versions": ["sentencepiece==0.1.99", "protobuf==4.21.1"],
    "record_once": "an old release of protobuf",
}
OLD_3: dict[str, Any] = {
    "versions": ["sentencepiece==0.1.99", "protobuf==3.20.3"],
    "record_once": "an old release of protobuf",
}
TENSORBOARD: dict[str, Any] = {
    "versions": ["tensorboard==2.11.2", "protobuf==7.36.2"],
    "record_once": "a release of a package that this step alone needs",
}
NEWER_TENSORBOARD: dict[str, Any] = {
    "versions": ["tensorboard==2.12.0", "protobuf==7.36.2"],
    "record_once": "a release of a package that this step alone needs",
}
VARIABLE = "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"


def run(
    *, before: str = "", afterwards: str = "", imports: Callable[[], Any] = load
) -> dict[str, Any]:
    """Import the messages and read some, with the variable set before or after protobuf is here."""
    if before:
        os.environ[VARIABLE] = before
    import google.protobuf
    from google.protobuf.internal import api_implementation

    if afterwards:
        os.environ[VARIABLE] = afterwards
    kind = api_implementation.Type()
    measure(protobuf=google.protobuf.__version__, implementation=kind)
    pieces, calls = read(imports())
    return {"pieces": pieces, "calls": calls}


@reproduce(**OLD)
def old_file() -> dict[str, Any]:
    """The code of sentencepiece 0.1.99, and protobuf 7."""
    return run()


@reproduce(**OLD)
def old_file_in_transformers() -> dict[str, Any]:
    """The same by way of transformers."""
    return run(imports=convert)


@reproduce(**OLD_4)
def old_file_protobuf_4() -> dict[str, Any]:
    """An early protobuf 4, whose message has a word too many."""
    return run()


def one_event() -> dict[str, Any]:
    """Write an event as SummaryWriter does, and read it back."""
    event = events().Event(step=3)
    return {"step": event.FromString(event.SerializeToString()).step}


@reproduce(**TENSORBOARD)
def old_file_in_tensorboard() -> dict[str, Any]:
    """The code of tensorboard 2.11.2, and protobuf 7."""
    return one_event()


@fix("newer-code", control="old-file-in-tensorboard", **NEWER_TENSORBOARD)
def newer_tensorboard() -> dict[str, Any]:
    """A release whose code is newer."""
    return one_event()


@reproduce(**OLD)
def set_too_late() -> dict[str, Any]:
    """The variable is set when protobuf has been imported."""
    return run(afterwards="python")


@fix("newer-code", control="old-file", **NEW)
def newer_sentencepiece() -> dict[str, Any]:
    """A release whose code is newer."""
    return run()


@fix("protobuf-3", control="old-file", **OLD_3)
def older_protobuf() -> dict[str, Any]:
    """A protobuf that takes the old code."""
    return run()


@fix("variable", control="old-file", **OLD)
def python_implementation() -> dict[str, Any]:
    """The variable is set before anything imports protobuf."""
    return run(before="python")


@non_fix("newer-protobuf", control="old-file-protobuf-4", **OLD)
def newer_protobuf() -> dict[str, Any]:
    """The newest protobuf refuses the old code as well."""
    return run()


def looked() -> dict[str, Any]:
    """Look for old code in what a package installed."""
    said = snippet("old")
    files = said["old"]("sentencepiece")
    unused = sorted(name for name in said["both"] if said["old"](name))
    packages = said["packages"]
    return {"found": bool(packages), "packages": packages, "files": len(files), "unused": unused}


@detect(found=True, **OLD)
def looked_at_the_old() -> dict[str, Any]:
    """There is some."""
    return looked()


@detect(found=False, control="looked-at-the-old", **NEW)
def looked_at_the_new() -> dict[str, Any]:
    """There is none."""
    return looked()


def asked(before: str) -> dict[str, Any]:
    """Let the page's line say which implementation it is."""
    os.environ[VARIABLE] = before
    try:
        snippet("fast")
    except AssertionError:
        return {"found": True}
    return {"found": False}


@detect(found=True)
def slow_implementation() -> dict[str, Any]:
    """The variable was set and forgotten."""
    return asked("python")


@detect(found=False, control="slow-implementation")
def fast_implementation() -> dict[str, Any]:
    """It is the compiled one."""
    return asked("upb")


if __name__ == "__main__":
    main(__file__)
