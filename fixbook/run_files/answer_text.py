"""What the files of a run show, as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.log.words import words_of
from fixbook.text import N_, printable, translator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.text import Lang


def run_text(answer: dict[str, Any], lang: Lang) -> str:
    """Return what follows the answer to the logs.

    Args:
        answer: The whole answer.
        lang: The language.
    """
    return printable("\n".join(_lines(answer, lang)))


def _lines(answer: dict[str, Any], lang: Lang) -> Iterator[str]:
    say, words, run = translator(lang), words_of(lang), answer["run"]
    colon = words["colon"]
    above = (answer["answer"] or {}).get("text")
    below = [one for one in run["findings"] if one["text"] != above]
    if run["findings"] and not (below or run["inside"]):
        return  # all that was found stands above
    read = say("{rows} with values, {checkpoints} checkpoints, {dumps} dumps of ranks")
    yield (
        say("The files of this run ({read}) show").format(read=read.format(**run["read"]))
        + colon.rstrip()
    )
    if not run["findings"]:
        yield "  " + say("nothing that an exact rule knows; curves are not judged by their shape")
    for one in below:
        yield f"  - {_where(one, words, lang)}{colon}{one['text']}"
        yield from (f"      → {_entry(entry)}" for entry in one["entries"])
    if run["inside"]:
        yield say("No file tells which weights get a gradient, or whether ranks and labels agree.")
        yield say("The check in these entries does, inside the training") + colon.rstrip()
        yield from (f"  - {_entry(entry)}" for entry in run["inside"])


def _where(one: dict[str, Any], words: dict[str, str], lang: Lang) -> str:
    parts = [one["source"]]
    parts += [words["line"].format(line=one["line"])] if one["line"] else []
    if one["step"] is not None and one["rank"] is None:
        parts.append(translator(lang)(N_("step {step}")).format(step=one["step"]))
    parts += [words["rank"].format(rank=one["rank"])] if one["rank"] is not None else []
    return words["comma"].join(parts)


def _entry(named: dict[str, str]) -> str:
    return f"{named['title']}  [{named.get('slug') or named['symptom']}]"
