"""``fixbook new --rule TOOL NAME``: a rule on configurations, complete but for its contents."""

from __future__ import annotations

import difflib
from importlib.resources import files
from pathlib import PurePath
from typing import TYPE_CHECKING, get_args

import click

from fixbook.book import Prover, Rule
from fixbook.config.tools import EVERY
from fixbook.style import format_source
from fixbook.text import _

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

_MISTAKE = "# TODO make the mistake in this file, and nothing else; then remove this line\n"
_CLASS = "SFTConfig"  # in the file of TRL, of whose classes a rule may name one
# Who is asked first of a tool; of others a step of an entry is.
_ASKED: dict[str, Prover] = {
    "accelerate": "accelerate-plugin",
    "axolotl": "axolotl",
    "deepspeed": "deepspeed",
    "llamafactory": "llamafactory-arguments",
    "machine": "machine",
    "ms-swift": "ms-swift",
    "openrlhf": "openrlhf",
    "transformers": "transformers",
    "trl": "trl-arguments",
    "verl": "verl-settings",
}
_STEP = """entry: todo  # TODO the entry that explains it
proof: {by: step, step: todo}  # TODO a step of it that shows the failure
"""
_SAYS = """# Part of the error that the tool gives for the failing file alone; or 'warns'.
# Who can be asked: @OTHERS@.
# Or a step of an entry: 'entry: SLUG', and 'by: step' with 'step'.
proof: {by: @PROVER@, says: TODO}
"""
_STATE = """# A part of what fails in this state, which tests/config/machines.py has to make.
# Or a step of an entry: 'entry: SLUG', and 'by: step' with 'step'.
proof: {by: machine, says: TODO}
"""


def sound_files() -> dict[str, Traversable]:
    """Return a sound configuration of each tool that a rule can be begun for."""
    folder = files("fixbook.cli") / "scaffold" / "rule"
    found = {PurePath(item.name).stem: item for item in folder.iterdir()}
    return {name: found[name] for name in EVERY if name in found}


def rule_scaffold(asked: str) -> dict[str, str]:
    """Return the files of a new rule: text by name.

    Args:
        asked: A tool, or a class of TRL as in ``trl/GRPOConfig``.

    Raises:
        click.BadParameter: There is no such tool, or nothing to begin a rule on it with.
    """
    known = sound_files()
    classes = [f"trl/{name}" for name in EVERY["trl"].schemas if name.endswith("Config")]
    if asked not in (*known, *classes):
        raise click.BadParameter(_unknown(asked, [*known, *classes]), param_hint="--rule")
    tool, _slash, schema = asked.partition("/")
    sound = known[tool].read_text("utf-8").replace(_CLASS, schema or _CLASS)
    kind = PurePath(known[tool].name).suffix
    mark = "" if kind == ".json" else _MISTAKE  # no comment may stand in JSON
    rule = files("fixbook.cli").joinpath("scaffold", "rule", "rule.yaml").read_text("utf-8")
    return {
        "rule.yaml": format_source(rule.replace("@TOOL@", asked) + _proof(tool), Rule),
        f"fails{kind}": mark + sound,
        f"passes{kind}": sound,
    }


def write_rule(root: Path, asked: str, name: str) -> None:
    """Write a new rule and say what comes next.

    Raises:
        click.ClickException: The tool is not known, or the name is taken.
    """
    texts = rule_scaffold(asked)
    taken = [root / "rules" / name, root / "recipes" / name, root / "symptoms" / f"{name}.yaml"]
    for path in taken:  # 'fixbook prove' takes any of them by its name
        if path.exists():
            message = _("{folder} exists already; nothing was written")
            raise click.ClickException(message.format(folder=path))
    taken[0].mkdir(parents=True)
    for file, text in texts.items():
        (taken[0] / file).write_text(text, "utf-8")
    _say(name, list(texts))


def _proof(tool: str) -> str:
    if tool not in _ASKED:
        return _STEP
    if tool == "machine":
        return _STATE
    others = [one for one in get_args(Prover) if one.split("-")[0] == tool]
    return _SAYS.replace("@OTHERS@", ", ".join(others)).replace("@PROVER@", _ASKED[tool])


def _unknown(asked: str, known: list[str]) -> str:
    tools = ", ".join(name for name in known if "/" not in name)
    said = _("no rule can be begun on {tool!r}; on {tools}, and on classes of TRL: trl/GRPOConfig")
    close = difflib.get_close_matches(asked, known, n=3)
    meant = _("did you mean {names}?").format(names=_(" or ").join(close)) if close else ""
    return "; ".join(filter(None, (said.format(tool=asked, tools=tools), meant)))


def _say(name: str, written: list[str]) -> None:
    named = ", ".join(f"rules/{name}/{file}" for file in written)
    click.echo(_("wrote {count} files: {files}").format(count=len(written), files=named))
    click.echo(_("next: fill them in, then"))
    fails = f"rules/{name}/{written[1]}"
    for command, what in (
        (f"fixbook check {fails}", _("what is found in it: your rule, and nothing else")),
        (f"fixbook prove {name} --no-run", _("the texts and both files")),
        (f"fixbook prove {name}", _("everything that must hold, and what the tool says")),
    ):
        click.echo(f"    {command}   {what}")
