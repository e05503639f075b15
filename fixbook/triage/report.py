"""The report: what fails, when, where, at what cost, and what the book does not know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook import __version__
from fixbook.site_address import entry_address
from fixbook.text import _, ngettext
from fixbook.triage import page, queries
from fixbook.triage.files import REASONS
from fixbook.triage.nodes import SUSPECT
from fixbook.triage.page import Html, html

if TYPE_CHECKING:
    import datetime as dt

    from fixbook.text import Lang
    from fixbook.triage.clusters import Cluster
    from fixbook.triage.queries import Rows

MOST_CLUSTERS = 40


@dataclass(frozen=True, slots=True)
class Report:
    """A report that is being made.

    Attributes:
        rows: The answer.
        clusters: What the book does not know.
        titles: Titles of entries and messages, by language.
        lang: Its language, which `fixbook.text.choose` has chosen too.
    """

    rows: Rows
    clusters: list[Cluster]
    titles: dict[str, Any]
    lang: Lang

    def html(self) -> str:
        """Return it as one page."""
        total = self.rows.ask(queries.TOTALS)[0]
        lead = _("{first} to {last}, fixbook {version}").format(
            first=_day(total["first"]), last=_day(total["last"]), version=__version__
        )
        parts = (
            self._figures(total),
            self._kinds(total),
            self._new(),
            self._nodes(),
            self._weeks(),
            self._restarts(),
            self._releases(),
            self._unknown(total),
            self._problems(total),
        )
        return page.page(_("What failed, and where"), lead, parts, self.lang)

    def _figures(self, total: dict[str, Any]) -> Html:
        share = total["failed"] / total["runs"] if total["runs"] else 0.0
        hours = _hours(total["lost"]) if total["hours"] is not None else _("not told")
        return page.figures(
            [
                (_("logs"), f"{total['logs'] or 0:,}"),
                (_("runs"), f"{total['runs']:,}"),
                (_("failed"), f"{total['failed']:,} ({share:.1%})"),
                (_("not in the book"), f"{total['unknown']:,}"),
                (_("GPU-hours of failed runs"), hours),
            ]
        )

    def _kinds(self, total: dict[str, Any]) -> Html:
        found = self.rows.ask(queries.KINDS)
        heads = (
            *(_("failure"), _("runs"), _("share"), "", _("jobs"), _("GPU-hours"), _("nodes")),
            *(_("first"), _("last")),
        )
        rows = [
            (
                *(self._what(row), f"{row['runs']:,}", f"{row['runs'] / total['failed']:.1%}"),
                *(page.bar(row["runs"] / found[0]["runs"]), f"{row['jobs']:,}"),
                *(
                    _hours(row["lost"]),
                    row["nodes"] or "–",
                    _date(row["first"]),
                    _date(row["last"]),
                ),
            )
            for row in found
        ]
        if not rows:
            return page.section(_("What fails"), page.note(_("no failure was found")))
        return page.section(_("What fails"), page.table(heads, rows, (1, 2, 4, 5, 6)))

    def _new(self) -> Html:
        rows = [
            [self._what(row), f"{row['runs']:,}", _date(row["first"])]
            for row in self.rows.ask(queries.NEW)
        ]
        said = page.note(_("first seen in the last seven days of the logs"))
        heads = [_("failure"), _("runs"), _("first")]
        return page.section(
            _("New this week"), *([said, page.table(heads, rows, (1,))] if rows else [])
        )

    def _nodes(self) -> Html:
        found = self.rows.nodes()
        if not found:
            return page.section(
                _("By node"), page.note(_("neither names nor scheduler tell nodes"))
            )
        said = ngettext(
            "one node, tested with Fisher's exact test, one-sided, after Holm's correction.",
            "{count} nodes, tested with Fisher's exact test, one-sided, after Holm's correction.",
            len(found),
        ).format(count=len(found))
        suspects = [one for one in found if one.suspect]
        if not suspects:
            none = _("No node fails more often than chance has it (p > {p}).").format(p=SUSPECT)
            return page.section(_("By node"), page.note(f"{said} {none}"))
        rows = []
        for one in suspects[:40]:
            most = self.rows.ask(queries.ON_NODE, one.name)
            advice = _("suspect hardware: {failed} of {runs} failed").format(
                failed=one.failed, runs=one.runs
            )
            mark = Html(f'<span class="no">{html(advice)}</span>')
            what = self._what(most[0] | {"outcome": ""}) if most else ""
            rows.append([page.code(one.name), mark, f"{one.corrected:.1e}", what])
        heads = [_("node"), "", _("p, corrected"), _("its most frequent failure")]
        return page.section(_("By node"), page.note(said), page.table(heads, rows, (2,)))

    def _weeks(self) -> Html:
        found = self.rows.ask(queries.WEEKS)
        most = max((row["failed"] for row in found), default=0) or 1
        rows = [
            (
                *(page.whole(str(row["week"])), f"{row['runs']:,}", f"{row['failed']:,}"),
                *(f"{row['failed'] / row['runs']:.1%}", page.bar(row["failed"] / most)),
                _hours(row["lost"]),
            )
            for row in found
        ]
        heads = [_("week from"), _("runs"), _("failed"), _("share"), "", _("GPU-hours")]
        return page.section(
            _("By week"), *([page.table(heads, rows, (1, 2, 3, 5))] if rows else [])
        )

    def _restarts(self) -> Html:
        rows = [
            [page.code(row["job"]), f"{row['starts']:,}", self._what(row), _hours(row["lost"])]
            for row in self.rows.ask(queries.RESTARTS)
        ]
        said = page.note(_("every start of the job failed in the same way"))
        heads = [_("job"), _("starts"), _("failure"), _("GPU-hours")]
        table = [said, page.table(heads, rows, (1, 3))] if rows else []
        return page.section(_("Restarts that never helped"), *table)

    def _releases(self) -> Html:
        rows = [
            (
                *(row["package"], row["release"], f"{row['runs']:,}", f"{row['kinds']:,}"),
                self._what(row | {"outcome": ""}),
            )
            for row in self.rows.ask(queries.RELEASES)
        ]
        said = page.note(_("releases that the logs of failed runs print"))
        heads = [_("package"), _("release"), _("failed"), _("kinds"), _("most frequent")]
        table = [said, page.table(heads, rows, (2, 3))] if rows else []
        return page.section(_("Failures by release"), *table)

    def _unknown(self, total: dict[str, Any]) -> Html:
        if not self.clusters:
            return page.section(_("What the book does not know"), page.note(_("nothing")))
        said = _("{runs} runs in {count} clusters; the larger the more an entry would help").format(
            runs=total["unknown"], count=len(self.clusters)
        )
        rows = [self._cluster(one) for one in self.clusters[:MOST_CLUSTERS]]
        heads = [_("runs"), _("first"), _("last"), _("nodes"), _("exception")]
        return page.section(
            _("What the book does not know"), page.note(said), page.table(heads, rows, (0,))
        )

    def _cluster(self, one: Cluster) -> list[Any]:
        first, last = one.span
        row = one.row()
        command = f"fixbook new SLUG --from-cluster clusters/{one.id}.json"
        excerpt = page.block(row["excerpt"]) if row["excerpt"] else Html("")
        shown = page.code(row["line"] or row["shape"])
        inside = f"<details><summary>{shown}</summary>{excerpt}{page.block(command)}</details>"
        nodes = ", ".join(one.nodes[:4]) + (" …" if len(one.nodes) > 4 else "")  # noqa: PLR2004
        return [f"{one.runs:,}", _date(first), _date(last), nodes or "–", Html(inside)]

    def _problems(self, total: dict[str, Any]) -> Html:
        rows = [
            [
                f"{row['runs']:,}",
                _(REASONS.get(row["problem"], row["problem"])),
                page.code(row["job"]),
            ]
            for row in self.rows.ask(queries.PROBLEMS)
        ]
        said = _(
            "{unread} runs were not read, {unsure} end in a line that may be a failure"
        ).format(unread=total["unread"], unsure=total["unsure"])
        heads = [_("runs"), _("problem"), _("for example")]
        table = page.table(heads, rows, (0,)) if rows else Html("")
        return page.section(_("What could not be read"), page.note(said), table)

    def _what(self, row: dict[str, Any]) -> Html:
        name = row["what"] or "?"
        card = self.titles.get(name)
        if card is None:
            return page.code(name)
        title, address = html(card["title"][self.lang]), entry_address(name, self.lang)
        shown = f'<a href="{html(address)}">{title}</a>' if address else title
        return Html(f"{shown}<br>{page.code(name)}")


def _day(moment: dt.datetime | None) -> str:
    return moment.date().isoformat() if moment else "–"


def _date(moment: dt.datetime | None) -> Html:
    return page.whole(_day(moment))


def _hours(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"
