"""The advice of an answer as text for a terminal: the fix, how to check, the other cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def advice_lines(found: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    """Yield what an answer says to do.

    Args:
        found: The answer's entry with its advice.
        words: Those of the language.
    """
    first, *others = found["fixes"]
    colon = words["colon"]
    yield f"{words['fix']}{colon}{first['title']}"
    yield from _indented(_fix(first, words))
    yield ""
    for one in found["avoid"]:
        yield f"{words['avoid']}{colon}{one['title']}"
        yield from _indented([one["text"]])
        yield ""
    if found["detect"]:
        yield words["check"] + colon
        yield from _indented([found["detect"]["text"], *_code(found["detect"]["code"])])
        yield ""
    if others:
        yield words["cases"] + colon
        for fix in others:
            yield f"  - {_when(fix, words)}{fix['title']}"
        yield ""


def _when(fix: dict[str, Any], words: dict[str, str]) -> str:
    if not fix["says"]:
        return ""
    said = words["shows" if fix["standing"] == "met" else "if_shows"]
    return f"{said}{words['colon']}{words['semicolon'].join(fix['says'])}\n    → "


def _fix(fix: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    colon = words["colon"]
    if fix["says"]:
        said = words["shows" if fix["standing"] == "met" else "if_shows"]
        yield f"({said}{colon}{words['semicolon'].join(fix['says'])})"
    yield fix["text"]
    yield from _code(fix["code"])
    for change in fix["changes"][:1]:
        said = words["for_tool"].format(tool=change["tool"], version=change["version"])
        yield f"{said}{colon}"
        yield from _code({"language": "diff", "text": change["text"]})
    if fix["trade_off"]:
        yield f"{words['trade_off']}{colon}{fix['trade_off']}"


def _code(code: dict[str, str] | None) -> Iterator[str]:
    if code:
        yield f"```{code['language']}\n{code['text']}\n```"


def _indented(parts: Iterator[str] | list[str]) -> Iterator[str]:
    """Indent parts, with an empty line between two of them."""
    for number, part in enumerate(parts):
        yield from [""] if number else []
        yield from ("  " + line for line in part.rstrip().splitlines())
