"""Untruths in what a page says: sentences, figures, code marks, quotations, titles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bench.untruth.draft import NoTargetError, Untruth, first

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.untruth.draft import Draft

_STOP = re.compile(r"(?<=[.!?]) (?=[A-Z`])")
_SAID_NOWHERE = "a reader has to compare the sentence with what the step shows"


def _change(pattern: str, new: str, *langs: str) -> Callable[[Draft], str]:
    """Replace the first match of a pattern in the text of these languages."""

    def plant(draft: Draft) -> str:
        for place, text in draft.texts():
            if all(re.search(pattern, text[lang]) for lang in langs):
                for lang in langs:
                    text[lang] = re.sub(pattern, new, text[lang], count=1)
                draft.save()
                return place
        raise NoTargetError

    return plant


def _drop(which: int) -> Callable[[Draft], str]:
    """Drop one sentence of the English text: the first, one in the middle, the last."""

    def plant(draft: Draft) -> str:
        for place, text in draft.texts():
            sentences = _STOP.split(text["en"])
            if len(sentences) > 2 and "\n" not in text["en"]:  # noqa: PLR2004
                del sentences[which]
                text["en"] = " ".join(sentences)
                draft.save()
                return place
        raise NoTargetError

    return plant


def _add(extra: str) -> Callable[[Draft], str]:
    """Write something below the cause in both languages."""

    def plant(draft: Draft) -> str:
        for lang in ("zh", "en"):
            draft.data["cause"][lang] += extra.lstrip(" ") if lang == "zh" else extra
        draft.save()
        return "cause"

    return plant


def _cut(draft: Draft) -> str:
    """Put a number sign into a text without quotes."""
    text = draft.yaml.read_text("utf-8")
    plain = re.search(r"(?m)^( *en: )(\w[^:{}\[\],'#|>\n]+?) (\w[^:{}\[\],'#\n]+)$", text)
    if not plain:
        raise NoTargetError
    cut = f"{plain[1]}{plain[2]} #{plain[3]}"
    draft.yaml.write_text(text[: plain.start()] + cut + text[plain.end() :], "utf-8")
    return f"line {text.count(chr(10), 0, plain.start()) + 1}"


def _longer_title(draft: Draft) -> str:
    title = draft.data["title"]
    title["en"] += ", and whatever else an author might wish to say of it at the very top"
    draft.save()
    return "title"


def _long_page(draft: Draft) -> str:
    long = {"zh": "这一句说的还是同一件事。", "en": "This says it once more. "}
    draft.data["cause"] = {lang: text * 200 for lang, text in long.items()}
    draft.save()
    return "cause"


def _renamed_measure(draft: Draft) -> str:
    return _change(r"\{\{([\w-]+)\.(\w+)", r"{{\1.\2_of_old", "zh", "en")(draft)


def _missing_language(draft: Draft) -> str:
    del draft.data["summary"]["zh"]
    draft.save()
    return "summary"


TEXTS = [
    Untruth("first sentence dropped in one language", _drop(0)),
    Untruth("sentence in the middle dropped in one language", _drop(1)),
    Untruth("last sentence dropped in one language", _drop(-1)),
    Untruth("one language missing", _missing_language),
    Untruth(
        "figure changed in one language", _change(r"(?<![\w.`{])(\d+)(?![\w.`}])", r"9\1", "en")
    ),
    Untruth(
        "measure typed instead of filled in", _change(r"\{\{[^}]+\|percent\}\}", "37 %", "zh", "en")
    ),
    Untruth("size typed into both languages", _add(" 12.5 GiB")),
    Untruth("measure renamed in a text", _renamed_measure),
    Untruth("code mark changed in one language", _change(r"`(\w{4,})`", r"`not_\1`", "en")),
    Untruth(
        "link added to one language", _change(r"(\w{6,}) ", r"[\1](https://example.org) ", "en")
    ),
    Untruth("list item dropped in one language", _change(r"(?m)^- .*\n", "", "en")),
    Untruth("text cut by a number sign", _cut),
    Untruth("quotation altered", _change(r"(```text\n\s*\S+ )", r"\1quite ", "zh", "en")),
    Untruth(
        "log line that nobody printed",
        _add("\n\n```text\nSegmentation fault (core dumped): 7\n```\n"),
    ),
    Untruth("code block typed into a text", _add("\n\n```python\nimport torch\n```\n")),
    Untruth("word that the list of terms forbids", _change("。", "，改用词元。", "zh")),
    Untruth(
        "half-width punctuation in Chinese",
        _change("([\u4e00-\u9fff])，([\u4e00-\u9fff])", r"\1,\2", "zh"),
    ),
    Untruth(
        "English text in the Chinese field", _change(r"(?s).+", "one two three four " * 4, "zh")
    ),
    Untruth("title too long for a line", _longer_title),
    Untruth("page of more than 600 words", _long_page, "page"),
    Untruth("raw attribute list", _add(" {: .fb-by }"), "page"),
    Untruth("link to an anchor that is not there", _add(" [x](#no-such-part)"), "page"),
    Untruth("unfilled placeholder", _add(" {{ }}"), "page"),
    Untruth(
        "figure without a unit changed in both languages",
        _change(r"(?<![\w.`{])(\d+)(?![\w.`}%])", r"9\1", "zh", "en"),
        why_not=_SAID_NOWHERE,
    ),
    Untruth(
        "'may' made 'does' in one language",
        _change(r"\b(?:may|can|could)\b", "does", "en"),
        why_not="strength of a wording: read by somebody who did not write it",
    ),
    Untruth(
        "'not' dropped in both languages",
        _change(r"\bnot \b|不", "", "zh", "en"),
        why_not=_SAID_NOWHERE,
    ),
]


def said_by_nobody(draft: Draft) -> str:
    """Let advice circulate on a page that exists and says something else."""
    advices = draft.data.get("non_fixes") or []
    index, advice = first(iter(enumerate(advices)))
    other = first(r["id"] for r in draft.data["references"] if r["id"] not in advice["seen_in"])
    advice["seen_in"] = [other]
    draft.save()
    return f"non_fixes.{index}"
