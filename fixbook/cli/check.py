"""``fixbook check``: find what is wrong with a training configuration before it costs a run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fixbook.api.configurations import check_files
from fixbook.cli.options import json_option, lang_option
from fixbook.cli.terminal import colours
from fixbook.config.errors import ConfigError
from fixbook.config.fix import fixed_text
from fixbook.config.output import as_json as report_as_json
from fixbook.config.output import as_sarif, as_text, summary, unrecognised, unwritten
from fixbook.config.output_lines import github, github_problems, short, skipped
from fixbook.config.patch import unified, work_out
from fixbook.config.read import MAX_BYTES
from fixbook.config.write import as_on_disk, on_disk, write
from fixbook.exits import DONE, FAILED, UNUSABLE
from fixbook.log.redact import blank
from fixbook.text import _, printable, printable_json

if TYPE_CHECKING:
    from fixbook.api.configurations import Checked
    from fixbook.config.check import Report
    from fixbook.config.setting import ConfigDocument
    from fixbook.text import Lang

_STDIN = "-"
_FORMATS = ("full", "short", "github", "json", "sarif")
_FAIL_ON = {
    "error": {"error"},
    "warning": {"error", "warning"},
    "note": {"error", "warning", "note"},
}


@click.command("check")
@click.argument("names", nargs=-1, required=True, metavar="FILE|FOLDER|-...")
@click.option(
    "--tool", "release", default="", metavar="TOOL[@VERSION]", help="What the files are for."
)
@click.option("--fix", is_flag=True, help="Write the safe fixes into the files.")
@click.option(
    "--diff", "only_diff", is_flag=True, help="Print what --fix would write; write nothing."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="full",
    help="How findings are printed: in full, in three lines each, as commands of GitHub, as data.",
)
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0.")
@click.option(
    "--fail-on",
    type=click.Choice(tuple(_FAIL_ON)),
    default="warning",
    help="The least severity that ends the command with 1.",
)
@click.option(
    "--skip-others",
    is_flag=True,
    help="Skip files that are no configurations, as in a folder; for hooks that name every file.",
)
@lang_option
@json_option
def command(
    *,
    names: tuple[str, ...],
    release: str,
    fix: bool,
    only_diff: bool,
    form: str,
    sarif: bool,
    fail_on: str,
    skip_others: bool,
    lang: Lang,
    as_json: bool,
) -> int:
    """Check configurations of axolotl, DeepSpeed, accelerate, transformers, TRL and others.

    Also of LLaMA-Factory with its list of data sets, ms-swift, command lines of OpenRLHF, verl,
    vLLM, SGLang and llama.cpp in shell scripts, and the names that Python files import from
    transformers, PEFT, TRL and Accelerate.

    Files given together are checked together. Of a folder, what is a configuration is checked, and
    the rest is skipped and counted; - is standard input. Nothing is run, and no tool is needed.

    The release is the one that --tool names, or the file, or what pins it beside the file
    (requirements, a lock); else the newest known.

    A fix is safe, and written by --fix, if the tool trains the same with it and without it. A
    value that comes into force for the first time, a guess, and what was proven on releases that
    need not be yours are suggestions: they are shown and never written.

    \b
    Exit codes:
      0  no known-bad combination was found; there may be notes on deprecated settings
      1  an error or a warning was found (with --fix: one is left); --fail-on chooses which
      2  a file could not be read or written, or nothing in it was recognised
    """  # noqa: D301
    texts = {_STDIN: sys.stdin.buffer.read(MAX_BYTES + 1)} if _STDIN in names else {}
    if fix and texts:
        raise click.UsageError(_("standard input cannot be written; --diff shows the fixes"))
    checked = check_files(names, release, texts, as_of_folder=skip_others)
    problems = checked.problems
    if fix:
        problems = problems + _fix(checked.report)
        checked = check_files(names, release, as_of_folder=skip_others)
        known = {str(problem) for problem in problems}
        problems += [item for item in checked.problems if str(item) not in known]
    report = checked.report
    form = "json" if as_json else "sarif" if sarif else form
    if only_diff:
        click.echo(_diff(report, problems), nl=False)
        _print_unrecognised(report, lang)
    else:
        work_out(report.findings)
        _print(checked, problems, lang, form)
    for problem in problems:
        click.echo(problem.as_text(lang), err=True)
    if problems or report.unrecognised or not (checked.count or skip_others):
        return UNUSABLE
    counted = _FAIL_ON[fail_on]
    return FAILED if any(finding.severity in counted for finding in report.findings) else DONE


def _fix(report: Report) -> list[ConfigError]:
    """Write safe fixes until a check of the result finds nothing more to fix."""
    problems: list[ConfigError] = []
    for document in _documents(report):
        text = fixed_text(report, document)
        if text == document.text:
            continue
        try:
            write(document, text)
        except ConfigError as error:
            problems.append(error)
    return problems


def _diff(report: Report, problems: list[ConfigError]) -> str:
    """Return what ``--fix`` would write, so that ``patch -p0`` and ``git apply`` take it."""
    parts = []
    for document in _documents(report):
        text = fixed_text(report, document)
        if text == document.text:
            continue
        try:
            before, after = on_disk(document), as_on_disk(document, text)
        except ConfigError as error:
            problems.append(error)
            continue
        parts.append(unified(document, after, before))
    return "".join(parts)


def _documents(report: Report) -> list[ConfigDocument]:
    return list({id(item.document): item.document for item in report.findings}.values())


def _print_unrecognised(report: Report, lang: Lang) -> None:
    """Say why the command ends as it does where the output itself is for programs."""
    for document in report.unrecognised:
        click.echo(printable(unrecognised(document, lang)), err=True)


def _print(checked: Checked, problems: list[ConfigError], lang: Lang, form: str) -> None:
    report = checked.report
    if form in {"json", "sarif"}:
        as_data = (
            as_sarif(report, problems, lang) if form == "sarif" else _as_json(checked, problems)
        )
        click.echo(printable_json(blank(as_data)))
        _print_unrecognised(report, lang)
        return
    for finding in report.findings:
        if form == "full":
            click.echo(as_text(finding, lang, colour=colours()))
        else:
            click.echo(short(finding, lang) if form == "short" else blank(github(finding, lang)))
    for command_line in github_problems(problems, lang) if form == "github" else ():
        click.echo(command_line)
    counted = skipped(checked.count, checked.skipped, lang)
    for line in summary(report, lang) + counted + unwritten(report, lang):
        click.echo(line, err=True)


def _as_json(checked: Checked, problems: list[ConfigError]) -> dict[str, object]:
    said = report_as_json(checked.report, problems)
    return said | {"checked": checked.count, "skipped": checked.skipped.as_json()}
