"""Render an entry and its evidence as an article: a pure function from data to Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from generator.fixes import remedies
from generator.logs import Excerpt, around, decides, tail
from generator.markup import fence, plain
from generator.page import Download, Page
from generator.status import best, count
from generator.steps import KINDS, StepView, badge, step_views
from generator.strings import Words
from generator.tables import compared, worth_drawing
from generator.templating import render

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.entry import Lang, LogFile, Reference
    from generator.library import Dossier, Library

CERTAINTY_ICONS = {"proven": "✓", "upstream": "↗", "inferred": "≈", "unknown": "?"}
_BEFORE, _AFTER, _TAIL = 2, 3, 8
_OF_A_RANK = re.compile(r"rank\d+\.")  # what the other ranks of a step measured
_TELLING = 20  # characters from which a line of a log is no coincidence
_MAIN_LIBRARIES = ("torch", "transformers", "axolotl", "deepspeed", "triton", "ray")


@dataclass(frozen=True, slots=True)
class LogView:
    """A real log that leads to the entry.

    Attributes:
        excerpt: The deciding part, as a code block.
        line: The deciding line itself.
        whole: The whole log as a code block; empty if the excerpt is all of it.
        reference: Where it was reported; None if a step printed it.
        step: The step that printed it; empty if it was reported.
    """

    excerpt: str
    line: str
    whole: str
    reference: Reference | None
    step: str


def article(dossier: Dossier, library: Library, lang: Lang) -> Page:
    """Render one article.

    Args:
        dossier: The entry with its recipe and evidence.
        library: The book it belongs to.
        lang: Language of the article.
    """
    words, entry = Words(lang), dossier.entry
    twin = entry.silent_twin
    views = step_views(dossier, library, words)
    logs = [_log_view(log, dossier, library) for log in entry.logs if log.file]
    logs.sort(key=lambda log: not log.reference)  # what people reported before what we printed
    text = render(
        "article.md.j2",
        t=words,
        lang=lang,
        slug=dossier.slug,
        entry=entry,
        steps=views,
        groups={k: [v for v in views.values() if v.step.kind == k] for k in KINDS},
        logs=logs,
        quotes_error=_quotes(entry.symptom.of(lang), dossier),
        certainty=certainty_badge(dossier, words),
        status=_status(dossier, words),
        fixes=remedies(dossier, "fix", views, words),
        non_fixes=remedies(dossier, "non_fix", views, words),
        comparison=_comparison(views.values(), words),
        detection=[views[name] for name in entry.detect.steps if name in views],
        twin=[views[name] for name in twin.steps if name in views] if twin else [],
        executed=_executed(dossier),
        symptoms=library.book.symptoms,
        references={reference.id: reference for reference in entry.references},
        count=count(dossier),
    )
    return Page(f"{dossier.slug}/index.md", plain(entry.title.of(lang)), text)


def downloads(dossier: Dossier) -> list[Download]:
    """Return the configuration files that an article offers."""
    names = dict.fromkeys(
        name
        for fix in dossier.entry.fixes
        for change in fix.config
        for name in (change.before, change.after)
    )
    return [Download(f"{dossier.slug}/{name}", dossier.read(name)) for name in names]


def certainty_badge(dossier: Dossier, words: Words) -> str:
    """Return how sure the mechanism is, as an icon and words."""
    level = dossier.entry.claims[0].level
    return badge(f"certainty-{level}", words(f"certainty_{level}"), CERTAINTY_ICONS[level])


def _status(dossier: Dossier, words: Words) -> list[str]:
    """The parts of the line under the title: when, where, with what, and how much of it."""
    if not dossier.evidence:
        return [words("never_run")]
    parts = []
    newest = max(dossier.evidence.values(), key=lambda one: one.recorded)
    machines = words("and").join(f"`{name}`" for name in dossier.evidence)
    parts.append(words("last_run", date=newest.recorded[:10], machines=machines))
    first = next(iter(dossier.evidence.values()))
    wanted = [*dossier.entry.projects, *_MAIN_LIBRARIES]
    known = dict.fromkeys(name for name in wanted if name in first.versions)
    parts += [f"{name} {first.versions[name]}" for name in list(known)[:3]]
    seen = count(dossier)
    parts.append(words("steps_seen", passed=seen.passed, total=seen.total))
    if seen.stale:
        parts.append(words("steps_stale", count=seen.stale))
    if seen.gpu:
        parts.append(words("steps_gpu", count=seen.gpu))
    return parts


def _log_view(log: LogFile, dossier: Dossier, library: Library) -> LogView:
    text = dossier.read(log.file or "")
    finding = decides(text, dossier, library.index)
    number = finding.line.number if finding else 0
    excerpt = around(text, number, _BEFORE, _AFTER) if finding else tail(text, _TAIL)
    references = {reference.id: reference for reference in dossier.entry.references}
    return LogView(
        excerpt=_marked(excerpt),
        line=text.split("\n")[number - 1].strip() if finding else "",
        whole="" if excerpt.whole else fence(text),
        reference=references.get(log.source),
        step=log.source.removeprefix("step:") if log.source.startswith("step:") else "",
    )


def _quotes(text: str, dossier: Dossier) -> bool:
    """Tell whether a text already shows a line of one of the entry's logs in a code block."""
    blocks = re.findall(r"(?ms)^ *```[^\n]*\n(.*?)^ *```", text)
    logs = "\n".join(dossier.read(log.file) for log in dossier.entry.logs if log.file)
    lines = (line.strip() for shown in blocks for line in shown.splitlines())
    return any(len(line) > _TELLING and line in logs for line in lines)


def _marked(excerpt: Excerpt) -> str:
    lines = f'hl_lines="{excerpt.line}"' if excerpt.line and "\n" in excerpt.text else ""
    return fence(excerpt.text, classes=lines)


def _comparison(views: Iterable[StepView], words: Words) -> dict[str, Any]:
    """The measures that a fix shares with another step: what can be compared at all."""
    chosen = [v for v in views if v.measures and not v.step.needs.on.startswith("cuda")]
    shared = []
    for name in dict.fromkeys(name for view in chosen for name in view.measures):
        having = [view for view in chosen if name in view.measures]
        if len(having) > 1 and any(view.step.kind == "fix" for view in having):
            shared.append(name)
    shared = [name for name in shared if name != "found" and not _OF_A_RANK.match(name)]
    by_link = {v.link: v.measures for v in chosen if set(shared) & set(v.measures)}
    by_label = {
        f"{words('kind_' + v.step.kind)} · {v.label}": {
            n: v.measures[n] for n in shared if n in v.measures
        }
        for v in chosen
    }
    return {
        "table": compared(by_link, words, shared) if shared else "",
        "bars": [bars.html(words.lang) for bars in worth_drawing(by_label)],
    }


def _executed(dossier: Dossier) -> list[tuple[str, str, str]]:
    """Versions that ran: machine, libraries, and the steps whose overlay brought them."""
    rows = [
        (name, ", ".join(f"{library} {version}" for library, version in one.versions.items()), "")
        for name, one in dossier.evidence.items()
    ]
    overlays: dict[tuple[str, str], list[str]] = {}
    for name, step in dossier.outline.steps.items():
        seen = best(dossier, step)
        if seen.seen and seen.record and seen.record.overlay:
            versions = ", ".join(seen.record.overlay).replace("==", " ")
            overlays.setdefault((seen.machine, versions), []).append(f"[`{name}`](#step-{name})")
    return rows + [(*key, ", ".join(steps)) for key, steps in overlays.items()]
