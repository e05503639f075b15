"""The advice of an entry as the diagnosis page shows it: one language, its texts as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.browser.pattern import javascript_of
from generator.text.markup import plain
from generator.text.snippets import html_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.text import Lang

_PATTERNS = {"log", "unless"}


def advice_html(row: dict[str, Any], slug: str, lang: Lang) -> dict[str, Any]:
    """Return the advice of one entry for the browser; code, titles and cases stay plain text.

    Args:
        row: The entry's advice in the index.
        slug: The entry.
        lang: The language.

    Raises:
        UntranslatableError: A pattern of a case cannot be translated.
    """

    def html(both: dict[str, str] | None) -> str | None:
        return html_of(both[lang], slug) if both else None

    return {
        "fixes": [
            {
                **fix,
                "title": plain(fix["title"][lang]),
                "text": html(fix["text"]),
                "trade_off": html(fix["trade_off"]),
                "code": _code(fix["code"], lang),
                "when": _cases(fix["when"], lang),
            }
            for fix in row["fixes"]
        ],
        "avoid": [
            {
                "title": plain(one["title"][lang]),
                "text": html(one["text"]),
                "when": _cases(one["when"], lang),
            }
            for one in row["avoid"]
        ],
        "detect": {
            "text": html(row["detect"]["text"]),
            "code": _code(row["detect"]["code"], lang),
            "when": _cases(row["detect"]["when"], lang),
        },
        "yours": {name: blank[lang] for name, blank in row["yours"].items()},
        "names": row["names"],
    }


def _code(code: dict[str, str] | None, lang: Lang) -> dict[str, str] | None:
    if code is None:
        return None
    return {"language": code["language"], "text": code.get(lang, code["text"])}


def _cases(cases: Sequence[dict[str, Any]], lang: Lang) -> list[dict[str, Any]]:
    return [
        {"says": plain(case["says"][lang]), "all": [_condition(one) for one in case["all"]]}
        for case in cases
    ]


def _condition(row: Sequence[Any]) -> list[Any]:
    if row[0] in _PATTERNS:
        return [row[0], javascript_of(row[1])]
    if row[0] in {"capture", "ranks"}:
        return [*row[:-1], [_test(*test) for test in row[-1]]]
    return list(row)


def _test(name: str, wanted: Any, *of: str) -> list[Any]:
    return [name, javascript_of(wanted) if name == "matches" else wanted, *of]
