"""``fixbook triage``: many logs at once, and a report of what fails in them."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixbook.cli.extras import need_extra
from fixbook.cli.options import lang_option
from fixbook.exits import DONE
from fixbook.files import write_atomically
from fixbook.problem import BookError, Problem
from fixbook.text import N_, _

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.text import Lang
    from fixbook.triage.run import Asked, Progress, Read

_NEEDED = ("pyarrow", "duckdb", "rapidfuzz")
_EVERY_S = 5
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
REPORT = "report.html"


@click.command("triage")
@click.argument("names", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("triage"),
    show_default=True,
    help=N_("Folder of the answer: Parquet, clusters and report.html."),
)
@click.option(
    "--job-pattern",
    default="",
    metavar="REGEX",
    help=N_("How paths tell the job: groups job, rank, attempt, node and number."),
)
@click.option(
    "--sacct", multiple=True, type=_FILE, help=N_("What 'sacct --json' printed; repeatable.")
)
@click.option("--no-text", is_flag=True, help=N_("Keep no line of the logs, not even redacted."))
@click.option(
    "--processes",
    type=click.IntRange(1, 1024),
    help=N_("How many read at once; by default all CPUs."),
)
@click.option(
    "--ray",
    is_flag=False,
    flag_value="local",
    metavar="[ADDRESS]",
    help=N_("Read on Ray: on the cluster at this address, or on one of this machine alone."),
)
@click.option(
    "--anonymous",
    is_flag=True,
    help=N_("Ask object stores without credentials, as for a public bucket."),
)
@lang_option
def command(
    names: tuple[str, ...],
    out: Path,
    job_pattern: str,
    sacct: tuple[Path, ...],
    no_text: bool,
    processes: int | None,
    ray: str | None,
    anonymous: bool,
    lang: Lang,
) -> int:
    """Say what fails in many logs, on which node, at what cost, and what the book does not know.

    Folders, archives, files, patterns and addresses such as s3://BUCKET/FOLDER are taken; several
    logs are one job by the layout of torchrun, Slurm or Kubernetes. What an earlier run has
    finished is kept.
    """
    if ray is not None:
        need_extra("fixbook triage --ray", [*_NEEDED, "ray"], "triage,ray")
    need_extra("fixbook triage", _NEEDED, "triage")
    from fixbook.triage.run import Asked, triage

    asked = Asked(names, out, job_pattern, sacct, text=not no_text, anonymous=anonymous)
    progress = triage(asked, _reader(asked, processes, ray), _watch())
    _report(asked, lang)
    click.echo(_said(progress, out))
    return DONE


def _reader(asked: Asked, processes: int | None, ray: str | None) -> Read:
    if ray is not None:
        from fixbook.triage.on_ray import read_on_ray

        return partial(read_on_ray, out=asked.out, address=ray, text=asked.text)
    import os

    from fixbook.triage.local import read_here

    count = processes or len(os.sched_getaffinity(0))
    return partial(read_here, out=asked.out, processes=count, text=asked.text)


def _watch() -> Callable[[Progress], None]:
    began = said = time.monotonic()

    def watch(progress: Progress) -> None:
        nonlocal said
        now = time.monotonic()
        if now - said < _EVERY_S:
            return
        said = now
        read = progress.size_done - progress.size_kept
        rate = read / (now - began)
        left_s = (progress.size - progress.size_done) / rate if rate else 0.0
        text = _("{done:,} of {all:,} logs, {rate:.0f} MB/s, about {left:.0f} s left")
        click.echo(
            text.format(done=progress.logs_done, all=progress.logs, rate=rate / 1e6, left=left_s),
            err=True,
        )

    return watch


def _report(asked: Asked, lang: Lang) -> None:
    from fixbook.book_root import book_root
    from fixbook.index.cache import index_rows
    from fixbook.triage.clusters import clusters_of, write_clusters
    from fixbook.triage.queries import rows_of
    from fixbook.triage.report import Report

    with rows_of(asked.out) as rows:
        clusters = clusters_of(rows)
        page = Report(rows, clusters, index_rows(book_root())["titles"], lang).html()
    try:
        write_clusters(asked.out, clusters)
        write_atomically(asked.out / REPORT, page)
    except OSError as error:
        what = _("cannot be written: {reason}").format(reason=error.strerror)
        mend = _("make room and run it again; what was read is kept")
        raise BookError([Problem(str(asked.out), what, mend)]) from None


def _said(progress: Progress, out: Path) -> str:
    text = _("{logs:,} logs read, {kept:,} of them by an earlier run; see {report}")
    return text.format(logs=progress.logs_done, kept=progress.kept, report=out / REPORT)
