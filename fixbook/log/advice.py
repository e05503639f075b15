"""What an answer says to do: the fixes of an entry in the order that the log decides, the check.

The browser does the same (overrides/assets/diagnose/advice.js).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.log.cases import ORDER, case_of, standing_of
from fixbook.log.yours import filled

if TYPE_CHECKING:
    from fixbook.log.cases import Shown
    from fixbook.text import Lang


def advice_of(row: dict[str, Any], shown: Shown, lang: Lang) -> dict[str, Any]:
    """Return the advice of an entry for one log.

    Args:
        row: The entry's advice in the index.
        shown: What the log shows.
        lang: Language of the texts.

    Returns:
        ``fixes``: those whose case is met, then those the log leaves open, then those it speaks
        against, each with its ``standing`` and with what its cases say; ``avoid``: advice that
        does not help and that this log leads to; ``detect``: how to check, or None where the log
        speaks against it.
    """
    blanks = {name: blank[lang] for name, blank in row["yours"].items()}
    texts = _Texts(lang, {**shown.captures, **_successor(row, shown)}, blanks)
    fixes = [_fix(fix, shown, texts) for fix in row["fixes"]]
    fixes.sort(key=lambda fix: ORDER.index(fix["standing"]))
    detect = row["detect"]
    against = standing_of(detect["when"], shown) == "against"
    return {
        "fixes": fixes,
        "avoid": [
            {"title": texts.of(one["title"]), "text": texts.of(one["text"])}
            for one in row["avoid"]
            if standing_of(one["when"], shown) == "met"
        ],
        "detect": None
        if against
        else {"text": texts.of(detect["text"]), "code": texts.code(detect["code"])},
    }


def _successor(row: dict[str, Any], shown: Shown) -> dict[str, str]:
    """Return what the captured ``name`` is called now, where the entry knows."""
    now = row["names"].get(shown.captures.get("name", ""))
    return {"now": now} if now else {}


class _Texts:
    """Texts of one language with the reader's values in them."""

    def __init__(self, lang: Lang, captures: dict[str, str], blanks: dict[str, str]) -> None:
        self._lang = lang
        self._captures = captures
        self._blanks = blanks

    def blank(self) -> _Texts:
        """Return the same without the reader's values: what his log does not show."""
        return _Texts(self._lang, {}, self._blanks)

    def of(self, both: dict[str, str]) -> str:
        return self.fill(both[self._lang])

    def fill(self, text: str) -> str:
        return filled(text, self._captures, self._blanks)

    def code(self, code: dict[str, str] | None) -> dict[str, str] | None:
        if code is None:
            return None
        text = code.get(self._lang, code["text"])  # comments may be in Chinese
        return {"language": code["language"], "text": self.fill(text)}


def _fix(fix: dict[str, Any], shown: Shown, texts: _Texts) -> dict[str, Any]:
    standing = standing_of(fix["when"], shown)
    telling = [
        case for case in fix["when"] if standing != "met" or case_of(case["all"], shown) == standing
    ]
    changes = [{**change, "text": texts.fill(change["text"])} for change in fix["changes"]]
    changes.sort(key=lambda change: change["tool"] not in shown.libraries)
    return {
        "id": fix["id"],
        "standing": standing,
        "says": [
            (texts if standing == "met" else texts.blank()).of(one["says"]) for one in telling
        ],
        "title": texts.of(fix["title"]),
        "text": texts.of(fix["text"]),
        "code": texts.code(fix["code"]),
        "changes": changes,
        "trade_off": texts.of(fix["trade_off"]) if fix["trade_off"] else None,
    }
