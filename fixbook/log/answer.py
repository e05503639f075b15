"""The answer of a diagnosis: the same content as JSON for programs and as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.languages import Lang
    from fixbook.log.diagnose import Diagnosis, Finding

_LINE = 300
_WORDS = {
    "en": {
        "entry": "This is",
        "symptom": "Several causes share this message",
        "unknown": "Not recognised: no signature matches this log.",
        "secondary": "This message only notices a failure; its cause is not in this log. "
        "Look at what other ranks, or earlier lines, printed before it.",
        "line": "line",
        "rank": "rank",
        "ranks": "seen on ranks",
        "now": "Fix now",
        "more": "More",
        "ask": "Which of them is it?",
        "also": "Also recognised",
        "unrecognised": "Not recognised in this log",
        "guess": "A guess, by words alone (no signature matched)",
        "consequence": "a consequence, not a cause",
    },
    "zh": {
        "entry": "这是",
        "symptom": "这条报错有好几种原因",
        "unknown": "未能识别：没有任何特征匹配这份日志。",
        "secondary": "这条信息只是发现了故障，原因不在这份日志里。"
        "请看其他 rank、或更早的几行打印了什么。",
        "line": "第",
        "rank": "rank",
        "ranks": "出现在 rank",
        "now": "先这样修",
        "more": "详情",
        "ask": "是哪一种？",
        "also": "还识别到",
        "unrecognised": "这份日志里未识别的报错",
        "guess": "仅按用词猜测（没有特征匹配）",
        "consequence": "是后果，不是原因",
    },
}


def answer_of(
    diagnosis: Diagnosis,
    rows: dict[str, Any],
    guesses: Sequence[tuple[str, float]],
    lang: Lang,
    top: int = 3,
) -> dict[str, Any]:
    """Put a diagnosis into words and plain data.

    Args:
        diagnosis: What was recognised.
        rows: The index, for titles, questions and labels.
        guesses: Ranked search results, used where nothing was recognised.
        lang: Language of the texts.
        top: How many runner-ups to name.
    """
    best = diagnosis.best
    kind = "unknown" if best is None else "entry" if best.specific else "symptom"
    others = [
        finding
        for finding in diagnosis.findings[1:]
        if finding.specific or best is None or not best.specific
    ]
    return {
        "kind": kind,
        "answer": _found(best, rows, lang) if best else None,
        "runner_ups": [_found(finding, rows, lang) for finding in others[:top]],
        "unrecognised": [
            {"line": item.line.number, "source": item.source, "rank": item.line.rank}
            | {"text": item.line.text[:_LINE]}
            for item in diagnosis.unknown
        ],
        "guesses": [
            {"slug": slug, "title": rows["titles"][slug]["title"][lang], "score": round(score, 2)}
            for slug, score in guesses
        ],
        "lines": diagnosis.lines,
    }


def _found(finding: Finding, rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    card = rows["titles"][finding.owner]
    return {
        "slug" if finding.specific else "symptom": finding.owner,
        "title": card["title"][lang],
        "summary": card["summary"][lang],
        "certainty": "specific" if finding.specific else "possible cause",
        "secondary": finding.secondary,
        "signature": finding.signature,
        "source": finding.source,
        "line": finding.line.number,
        "rank": finding.line.rank,
        "ranks": list(finding.ranks),
        "text": finding.line.text.strip()[:_LINE],
        "captures": _labelled(finding, rows, lang),
        "fix": rows["fixes"].get(finding.owner, {}).get(lang),
        "causes": [
            {
                "slug": slug,
                "title": rows["titles"][slug]["title"][lang],
                "ask": rows["asks"][f"{finding.owner}/{slug}"][lang],
            }
            for slug in finding.causes
        ],
    }


def _labelled(finding: Finding, rows: dict[str, Any], lang: Lang) -> list[dict[str, str]]:
    """Values of the named groups with what they mean; groups without a label are left out."""
    labels = rows["labels"]
    found = []
    for name, value in finding.captures.items():
        suffix = f"/{name}"
        keys = [
            key for key in labels if key.startswith(f"{finding.owner}/") and key.endswith(suffix)
        ]
        if keys:
            found.append({"name": name, "label": labels[keys[0]][lang], "value": value})
    return found


def as_text(answer: dict[str, Any], lang: Lang) -> str:
    """Return an answer as text for a terminal."""
    return "\n".join(_text(answer, _WORDS[lang], lang))


def _text(answer: dict[str, Any], words: dict[str, str], lang: Lang) -> Iterator[str]:
    found = answer["answer"]
    if found is None:
        yield words["unknown"]
    else:
        name = found.get("slug") or found["symptom"]
        yield f"{words[answer['kind']]}: {found['title']}  [{name}]"
        yield f"  {_where(found, words, lang)}: {found['text']}"
        if len(found["ranks"]) > 1:
            yield f"  {words['ranks']} {', '.join(map(str, found['ranks'][:16]))}"
        for capture in found["captures"]:
            yield f"  {capture['label']}: {capture['value']}"
        yield ""
        yield from _advice(answer, found, words)
    for other in answer["runner_ups"]:
        name = other.get("slug") or other["symptom"]
        mark = f" ({words['consequence']})" if other["secondary"] else ""
        yield f"{words['also']}: {other['title']}  [{name}]{mark}, {_where(other, words, lang)}"
    if answer["unrecognised"] and answer["kind"] != "entry":
        yield f"{words['unrecognised']}:"
        for item in answer["unrecognised"][:5]:
            yield f"  {_where(item, words, lang)}: {item['text'].strip()}"
    if answer["guesses"]:
        yield f"{words['guess']}:"
        for guess in answer["guesses"]:
            yield f"  {guess['slug']}  {guess['title']}"


def _advice(answer: dict[str, Any], found: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    if answer["kind"] == "entry":
        yield f"{words['now']}:"
        yield from ("  " + line for line in (found["fix"] or "").rstrip().splitlines())
        yield f"{words['more']}: fixbook explain {found['slug']}"
        return
    yield found["summary"]
    if found["secondary"]:
        yield words["secondary"]
    if found["causes"]:
        yield words["ask"]
        for cause in found["causes"]:
            yield f"  - {cause['ask']}"
            yield f"      → {cause['title']}  [{cause['slug']}]"


def _where(item: dict[str, Any], words: dict[str, str], lang: Lang) -> str:
    line = f"{words['line']} {item['line']}" + (" 行" if lang == "zh" else "")
    rank = f", {words['rank']} {item['rank']}" if item["rank"] is not None else ""
    source = f"{item['source']}, " if item["source"] else ""
    return f"{source}{line}{rank}"
