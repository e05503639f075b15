"""Put failures that are recognised through what happens to a text on its way, and count losses.

    python -m bench.mutations [--corpus ROWS.jsonl]

60 texts that lead to a right answer as they are, chosen at random with a fixed seed, are mutated in
every way that a paste is on its way through loggers, containers, notebooks, mails and chats.
"""

from __future__ import annotations

import argparse
import html
import io
import itertools
import json
import os
import random
import re
import textwrap
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from bench.finding import ROOT, Ask, Diagnoser, corpus, own_logs, queries
from fixbook.book import load_book

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SEED, ROWS = 20, 60
_TIME = "2026-05-01 10:00:00"


def _each(form: str) -> Callable[[str], str]:
    """Return a mutation that writes every line into a form, in the place of ``{}``."""
    return lambda text: "".join(form.replace("{}", line) + "\n" for line in text.split("\n"))


def _docker(text: str) -> str:
    rows = ({"log": line + "\n", "stream": "stderr"} for line in text.split("\n"))
    return "".join(json.dumps(row | {"time": "2026-05-01T10:00:00.1Z"}) + "\n" for row in rows)


def _blanks(text: str) -> str:
    return "\ufeff" + text.replace(" ", "\u00a0").replace("\n", "\n\u200b")


def _ranks(text: str) -> str:
    """Prefixes of launchers in any order, one of them twice."""
    prefixes = ["[rank3]: ", "3: ", "(RayTrainWorker pid=12, ip=10.0.0.1) ", "[1,3]<stderr>:"]
    prefixes += ["(EngineCore_0 pid=12) ", "[rank3]: "]
    chance = random.Random(SEED)  # noqa: S311
    lines = ("".join(chance.sample(prefixes, 3)) + line for line in text.split("\n"))
    return "\n".join(lines)


def _terminal(text: str) -> str:
    rows = (
        [line[i : i + 80] for i in range(0, len(line), 80)] or [""] for line in text.split("\n")
    )
    return "\n".join(part for parts in rows for part in parts)


def _chat(text: str) -> str:
    wrapper = textwrap.TextWrapper(
        100, replace_whitespace=False, drop_whitespace=True, break_on_hyphens=False
    )
    return "\n".join(part for line in text.split("\n") for part in wrapper.wrap(line) or [""])


def _bold(text: str) -> str:
    """Put the words before a colon in bold, as people do with the name of an exception."""
    return re.sub(r"(?m)^([\w.]+):(?= )", r"**\1**:", text)


def _rich(text: str) -> str:
    """Lines as Rich breaks them: between words, with the blank before the break kept."""
    printed = io.StringIO()
    Console(file=printed, width=80, highlight=False, markup=False, emoji=False).print(text)
    return printed.getvalue()


MUTATIONS: dict[str, Callable[[str], str]] = {
    "logging": _each(f"{_TIME},123 - my.trainer - ERROR - {{}}"),
    "brackets": _each(f"[{_TIME},123][ERROR][3] {{}}"),
    "basicConfig": _each("ERROR:my.trainer:{}"),
    "loguru": _each(f"{_TIME}.123 | ERROR    | my.trainer:run:12 - {{}}"),
    "deepspeed": _each(f"[{_TIME},123] [ERROR] [launch.py:325:sigkill_handler] {{}}"),
    "docker compose": _each("trainer-1  | {}"),
    "kubectl": _each("[pod/trainer-0/main] 2026-05-01T10:00:00.123456789Z {}"),
    "syslog": _each("May  1 10:00:00 node7 python[123]: {}"),
    "docker JSON": _docker,
    "JSON string": lambda text: json.dumps({"level": "error", "error": text}),
    "quotation": _each("> {}"),
    "indentation": _each("        {}"),
    "Markdown": _each("- `{}`"),
    "Markdown's bold": _bold,
    "special blanks": _blanks,
    "HTML": html.escape,
    "colours without escape": _each("[31m{}[0m"),
    "pytest": _each("E   {}"),
    "launchers": _ranks,
    "80 columns": _terminal,
    "100 columns by words": _chat,
    "80 columns by Rich": _rich,
    "capitals": str.upper,
    "small letters": str.lower,
}


def chosen(asks: Sequence[Ask], diagnoser: Diagnoser) -> list[Ask]:
    """Return the texts to mutate: of those that are answered rightly, as many as are counted.

    A text's lot is drawn from its name, so that an entry that is added changes few of them.
    """
    drawn = sorted(asks, key=lambda ask: (zlib.crc32(f"{SEED} {ask.name}".encode()), ask.name))
    right = (ask for ask in drawn if _right(ask, ask.text, diagnoser))
    return list(itertools.islice(right, ROWS))


def losses(asks: Sequence[Ask], diagnoser: Diagnoser) -> dict[str, Any]:
    """Return the names of what each mutation loses, and of wrong entries that it leads to."""
    table: dict[str, Any] = {}
    for name, mutate in MUTATIONS.items():
        lost, wrong = [], []
        for ask in asks:
            best = diagnoser.diagnosis(mutate(ask.text)).best
            if best is None or best.owner not in ask.right:
                lost.append(ask.name)
            if best is not None and best.specific and best.owner not in ask.entries:
                wrong.append(ask.name)
        table[name] = {"asked": len(asks), "lost": lost, "wrong": wrong}
    return table


def _right(ask: Ask, text: str, diagnoser: Diagnoser) -> bool:
    best = diagnoser.diagnosis(text).best
    return best is not None and best.owner in ask.right


def show(table: dict[str, Any]) -> None:
    """Print what each mutation loses."""
    for name, row in table.items():
        share = len(row["lost"]) / max(1, row["asked"])
        wrong = f", wrong: {row['wrong']}" if row["wrong"] else ""
        print(f"{name:24} {row['asked']} texts, {share:.1%} lost{wrong}  {' '.join(row['lost'])}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    given = os.environ.get("FIXBOOK_CORPUS")
    parser.add_argument("--corpus", type=Path, default=Path(given) if given else None)
    path = parser.parse_args().corpus
    book = load_book(ROOT, strict=False)
    asks = [*corpus(book, path)] if path else [*own_logs(book), *queries(book)]
    diagnoser = Diagnoser(book)
    show(losses(chosen(asks, diagnoser), diagnoser))


if __name__ == "__main__":
    main()
