"""The answer of a diagnosis: the same content as JSON for programs and as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.log.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.languages import Lang
    from fixbook.log.diagnose import Diagnosis, Match

# Of a line, and of ranks: more says nothing more.
MOST_TEXT = 300
MOST_RANKS = 16
MOST_UNRECOGNISED = 5


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
        match
        for match in diagnosis.matches[1:]
        if match.specific or best is None or not best.specific
    ]
    return {
        "kind": kind,
        "answer": _found(best, rows, lang) if best else None,
        "runner_ups": [_found(match, rows, lang) for match in others[:top]],
        "unrecognised": [
            {"line": item.line.number, "source": item.source, "rank": item.line.rank}
            | {"text": item.line.text[:MOST_TEXT]}
            for item in diagnosis.unknown
        ],
        "guesses": [_guess(name, score, rows, lang) for name, score in guesses],
        "lines": diagnosis.lines,
    }


def _guess(name: str, score: float, rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    key = "symptom" if name in rows["causes"] else "slug"
    return {key: name, "title": rows["titles"][name]["title"][lang], "score": round(score, 2)}


def _found(match: Match, rows: dict[str, Any], lang: Lang) -> dict[str, Any]:
    card = rows["titles"][match.owner]
    return {
        "slug" if match.specific else "symptom": match.owner,
        "title": card["title"][lang],
        "summary": card["summary"][lang],
        "certainty": "specific" if match.specific else "possible cause",
        "secondary": match.secondary,
        "signature": match.signature,
        "source": match.source,
        "line": match.line.number,
        "rank": match.line.rank,
        "ranks": list(match.ranks),
        "text": match.line.text.strip()[:MOST_TEXT],
        "captures": _labelled(match, rows, lang),
        "fix": rows["fixes"].get(match.owner, {}).get(lang),
        "causes": [
            {
                "slug": slug,
                "title": rows["titles"][slug]["title"][lang],
                "ask": rows["asks"][f"{match.owner}/{slug}"][lang],
            }
            for slug in match.causes
        ],
    }


def _labelled(match: Match, rows: dict[str, Any], lang: Lang) -> list[dict[str, str]]:
    """Values of the named groups with what they mean; groups without a label are left out."""
    labels = rows["labels"]
    keyed = [(f"{match.owner}/{one.signature}/{one.name}", one) for one in match.captures]
    return [
        {
            "signature": one.signature,
            "name": one.name,
            "label": labels[key][lang],
            "value": one.value,
        }
        for key, one in keyed
        if key in labels
    ]


def as_text(answer: dict[str, Any], lang: Lang) -> str:
    """Return an answer as text for a terminal."""
    return "\n".join(_text(answer, words_of(lang)))


def _text(answer: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    found, colon = answer["answer"], words["colon"]
    if found is None:
        yield words["unknown"]
        yield words["unknown_text"]
    else:
        yield from _head(answer, found, words)
        yield from _advice(answer, found, words)
    for other in answer["runner_ups"]:
        mark = f" ({words['consequence']})" if other["secondary"] else ""
        where = f"{mark}{words['comma']}{_where(other, words)}"
        yield f"{words['also']}{colon}{_named(other)}{where}"
    if answer["unrecognised"] and answer["kind"] != "entry":
        yield (words["unrecognised"] if found else words["errors"]) + colon
        for item in answer["unrecognised"][:MOST_UNRECOGNISED]:
            yield f"  {_where(item, words)}{colon}{item['text'].strip()}"
    if answer["guesses"]:
        yield words["guesses"] + colon
        yield from ("  " + _named(guess) for guess in answer["guesses"])


def _head(answer: dict[str, Any], found: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    colon = words["colon"]
    yield f"{words[answer['kind']]}{colon}{_named(found)}"
    yield f"  {_where(found, words)}{colon}{found['text']}"
    if len(found["ranks"]) > 1:
        yield "  " + words["ranks"].format(ranks=", ".join(map(str, found["ranks"][:MOST_RANKS])))
    for capture in found["captures"]:
        yield f"  {capture['label']}{colon}{capture['value']}"
    yield ""


def _advice(answer: dict[str, Any], found: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    if answer["kind"] == "entry":
        yield words["fix"] + words["colon"]
        yield from ("  " + line for line in (found["fix"] or "").rstrip().splitlines())
        yield f"{words['more']}{words['colon']}fixbook explain {found['slug']}"
        return
    yield found["summary"]
    if found["secondary"]:
        yield words["secondary"]
    if found["causes"]:
        yield words["ask"]
        for cause in found["causes"]:
            yield f"  - {cause['ask']}"
            yield f"      → {_named(cause)}"


def _named(item: dict[str, Any]) -> str:
    """An entry or message by its title and the name that commands take."""
    return f"{item['title']}  [{item.get('slug') or item['symptom']}]"


def _where(item: dict[str, Any], words: dict[str, str]) -> str:
    parts = [item["source"], words["line"].format(line=item["line"])]
    parts += [words["rank"].format(rank=item["rank"])] if item["rank"] is not None else []
    return words["comma"].join(filter(None, parts))
