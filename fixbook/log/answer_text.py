"""An answer as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.log.advice_text import advice_lines
from fixbook.log.answer import MOST_RANKS, MOST_UNRECOGNISED
from fixbook.log.told import told
from fixbook.log.words import words_of
from fixbook.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.text import Lang

REPORT = "fixbook diagnose --report"


def as_text(answer: dict[str, Any], lang: Lang) -> str:
    """Return an answer as text for a terminal."""
    return printable("\n".join(line.rstrip() for line in _text(answer, lang)))


def _text(answer: dict[str, Any], lang: Lang) -> Iterator[str]:
    words = words_of(lang)
    found, colon = answer["answer"], words["colon"]
    if found is None:
        yield words["not_yet"].format(entries=answer["entries"])
        yield from _unknown(answer, words)
    else:
        yield from _head(answer, found, words)
        if answer["exception"]:
            yield from _card(answer["exception"], words)
        yield ""
        yield from _advice(answer, found, lang)
    for other in answer["runner_ups"]:
        mark = f" ({words['consequence']})" if other["secondary"] and found else ""
        where = f"{mark}{words['comma']}{_where(other, words)}"
        said = words["also"] if found or not other["secondary"] else words["noticed"]
        yield f"{said}{colon}{_named(other)}{where}"
    others = others_of(answer)
    if others:
        yield words["unrecognised"] + colon
        for item in others:
            yield f"  {_where(item, words)}{colon}{item['text'].strip()}"
    if answer["guesses"]:
        yield words["guesses"] + colon
        yield from ("  " + _named(guess) for guess in answer["guesses"])


def others_of(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the exceptions that are not recognised, without the one that the answer is about."""
    card = answer["exception"] or {}
    place = [card.get(key) for key in ("source", "line", "rank")]
    listed = answer["unrecognised"] if answer["kind"] != "entry" else []
    others = [one for one in listed if [one[key] for key in ("source", "line", "rank")] != place]
    return others[:MOST_UNRECOGNISED]


def _unknown(answer: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    card = answer["exception"]
    if card is None:
        if not answer["guesses"]:
            yield words["unknown_text"]
        return
    if not card["certain"]:
        yield words["likely"] + words["colon"]
    yield f"  {_where(card, words)}{words['colon']}{card['text']}"
    yield from _card(card, words)
    yield from _goes_on(answer, words)
    yield ""
    yield from _next(answer["next"], card, words)
    yield ""


def _card(card: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    colon = words["colon"]
    if card["user"]:
        yield f"  {words['raised_in']}{colon}{frame_text(card['user'])}"
        if card["user"]["code"]:
            yield f"      {card['user']['code']}"
    if card["frame"]:
        named = words["in_library"].format(library=card["library"])
        yield f"  {named}{colon}{frame_text(card['frame'])}"
    if card["cause"]:
        place = words["line"].format(line=card["cause"]["line"])
        yield f"  {words['cause']}{colon}{card['cause']['text']} ({place})"
    if card["before"]:
        yield f"  {words['before']}{colon}{card['before']}"
    if card["versions"]:
        versions = ", ".join(f"{name} {version}" for name, version in card["versions"].items())
        yield f"  {words['versions']}{colon}{versions}"


def frame_text(frame: dict[str, Any]) -> str:
    """Return a frame as file, line and function."""
    function = f" ({frame['function']})" if frame["function"] else ""
    return f"{frame['file']}:{frame['line']}{function}"


def _next(steps: dict[str, Any], card: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    colon = words["colon"]
    yield words["next"] + colon
    repo = steps["repo"]
    search = words["search_in"].format(repo=repo) if repo else words["search_all"]
    yield f"  - {search}{colon}{steps['search']}"
    if steps["docs"]:
        yield f"  - {words['docs'].format(library=card['library'])}{colon}{steps['docs']}"
    yield f"  - {words['narrow']}{colon}"
    yield from (f"    · {question}" for question in steps["questions"])
    yield "  - " + words["tell"].format(command=f"`{REPORT}`")


def _head(answer: dict[str, Any], found: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    colon = words["colon"]
    yield f"{words[answer['kind']]}{colon}{_named(found)}"
    if answer["kind"] == "entry":
        yield "  " + found["summary"]
    yield f"  {_where(found, words)}{colon}{found['text']}"
    if len(found["ranks"]) > 1:
        yield "  " + words["ranks"].format(ranks=", ".join(map(str, found["ranks"][:MOST_RANKS])))
    for capture in found["captures"]:
        yield f"  {capture['label']}{colon}{capture['value']}"
    yield from _goes_on(answer, words)


def _goes_on(answer: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    below = answer["goes_on"]
    if below:
        yield "  " + words["goes_on" if below["sure"] else "may_go_on"].format(line=below["line"])


def _advice(answer: dict[str, Any], found: dict[str, Any], lang: Lang) -> Iterator[str]:
    words = words_of(lang)
    if answer["kind"] == "entry":
        yield from (told(line, lang) for line in advice_lines(found, words))
        yield f"{words['more']}{words['colon']}fixbook show {found['slug']}"
        return
    yield found["summary"]
    if found["secondary"]:
        yield words["secondary"]
    yield ""
    yield from told(found["advice"] or "", lang).rstrip().splitlines()
    yield ""
    if found["causes"]:
        yield words["ask"]
        for cause in found["causes"]:
            yield f"  - {cause['ask']}"
            yield f"      → {_named(cause)}"


def _named(item: dict[str, Any]) -> str:
    """An entry or message by its title and the name that commands take."""
    return f"{item['title']}  [{item.get('slug') or item['symptom']}]"


def _where(item: dict[str, Any], words: dict[str, str]) -> str:
    parts = [item["source"]]
    parts += [words["line"].format(line=item["line"])] if item["line"] else []
    parts += [words["rank"].format(rank=item["rank"])] if item["rank"] is not None else []
    return words["comma"].join(filter(None, parts))
