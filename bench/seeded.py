"""Mistakes put into configurations: which of them a check finds, and what the real tool says.

    python -m bench.seeded            prints what is found and what is missed
    python -m bench.seeded --ask      asks the tools that can be asked, and writes what they say
    python -m bench.seeded --ask vllm asks one of them

A mistake is found if the check reports something at one of the places where it was made, and
reported nothing there before. `says` is empty where the tool takes the file without a word: then
the mistake costs the setting, not the run.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from fixbook.config.check import check
from fixbook.config.errors import ConfigError
from fixbook.config.read import read_file

FILE = Path(__file__).with_name("seeded.yaml")


@dataclass(frozen=True, slots=True)
class Base:
    """A configuration that its tool takes.

    Attributes:
        file: Its name.
        ask: Who is asked about it.
        text: What it says.
        beside: Files of its repository, by name, and what they say.
    """

    file: str
    ask: str
    text: str
    beside: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake.

    Attributes:
        id: Its name.
        base: The configuration that it is put into.
        old: What is replaced, once.
        new: What replaces it.
        at: Keys of which one has to be named.
        says: What the tool says of the file that it does not say of the base; None if not asked.
    """

    id: str
    base: str
    old: str
    new: str
    at: tuple[str, ...]
    says: str | None = None

    def text(self, base: Base) -> str:
        """Return the configuration with the mistake in it."""
        return base.text.replace(self.old, self.new, 1)


def load(part: str = "mistakes") -> tuple[dict[str, Base], list[Mistake]]:
    """Read the configurations, and the mistakes, or the changes that are ``fine``."""
    data: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))
    bases = {name: Base(**row) for name, row in data["bases"].items()}
    rows = data[part]
    return bases, [Mistake(**{**row, "at": tuple(map(str, row["at"]))}) for row in rows]


def reported(text: str, base: Base) -> set[tuple[str, str]]:
    """Return rule and key of each finding; the kind of error where it is not read."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {**base.beside, base.file: text}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        try:
            findings = check([read_file(Path(folder, base.file))]).findings
        except ConfigError as error:
            return {(error.kind, "")}
    return {(item.rule, item.setting.key) for item in findings}


def found(mistake: Mistake, base: Base) -> bool:
    """Tell whether a check finds a mistake."""
    new = reported(mistake.text(base), base) - reported(base.text, base)
    return any(key in {"", *mistake.at} or key.startswith(mistake.at) for _, key in new)


def main() -> None:
    """Print the counts, and what is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ask", nargs="?", const="")
    wanted = parser.parse_args().ask
    if wanted is not None:
        from bench.seeded_tools import ask  # noqa: PLC0415  (imports the tools)

        ask(FILE, *load(), wanted)
    bases, mistakes = load()
    false = {name: sorted(reported(base.text, base)) for name, base in bases.items()}
    print("reported in the configurations themselves:", sum(map(len, false.values())))
    for name, rows in false.items():
        for row in rows:
            print("   ", name, *row)
    counts: Counter[tuple[str, bool]] = Counter()
    for mistake in mistakes:
        is_found = found(mistake, bases[mistake.base])
        counts[mistake.base, is_found] += 1
        if not is_found:
            said = "not asked" if mistake.says is None else mistake.says or "takes it in silence"
            print(f"missed {mistake.id:<20} {said[:100]}")
    for change in load("fine")[1]:
        if found(change, bases[change.base]):
            print(f"reported, and is fine: {change.id}")
    for name in bases:
        print(f"{name:<22}{counts[name, True]:>4} of {counts[name, True] + counts[name, False]}")
    print(f"{'all':<22}{sum(n for (_, yes), n in counts.items() if yes):>4} of {len(mistakes)}")


if __name__ == "__main__":
    main()
