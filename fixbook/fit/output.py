"""A prediction as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.fit.tools import BATCH, LENGTH, lines
from fixbook.fit.trace import KINDS, PHASES
from fixbook.fit.verdict import CONTEXT, GIB, MIB, WORKSPACE
from fixbook.text import N_, printable, translator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.fit.estimate import Estimate, Option
    from fixbook.text import Lang

SCHEMA_VERSION = 1
_BAR = 40  # characters that stand for the card
_VERDICTS = {
    "fits": N_("fits"),
    "too-close": N_("too close to tell: within 10 % of the card"),
    "does-not-fit": N_("does not fit"),
}
_KINDS = {
    "weights": N_("weights"),
    "gradients": N_("gradients"),
    "optimizer": N_("optimizer"),
    "activations": N_("activations"),
    "scores": N_("scores"),
    "logits": N_("logits"),
    "temporary": N_("temporary"),
}
_PHASES = {
    "forward": N_("forward pass"),
    "backward": N_("backward pass"),
    "optimizer": N_("optimizer step"),
}
_SHORT = {"fits": N_("fits"), "too-close": N_("too close"), "does-not-fit": N_("does not fit")}


def as_json(found: Estimate) -> dict[str, Any]:
    """Return a prediction as plain data, in bytes."""
    reading, plan = found.reading, found.prediction.plan
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": reading.tool,
        "release": reading.release,
        "model": reading.model,
        "batch": plan.batch,
        "length": plan.length,
        "card": found.card,
        "verdict": found.verdict,
        "allocated": found.prediction.allocated,
        "reserved": list(found.reserved),
        "allowed": {"context": CONTEXT, "workspace": WORKSPACE},
        "peak": found.prediction.phase,
        "phases": found.prediction.phases,
        "per_100_tokens": found.per_tokens,
        "changes": [_option(one, found) for one in [*found.options, *found.idle]],
        "assumed": reading.settings.assumed,
        "notes": [str(note) for note in reading.settings.notes],
    }


def _option(option: Option, found: Estimate) -> dict[str, Any]:
    return {
        "changes": [one.name for one in option.changes],
        "settings": [lines_of(one.name, found) for one in option.changes],
        "allocated": option.allocated,
        "verdict": option.verdict,
        "prices": [one.price for one in option.changes],
    }


def lines_of(name: str, found: Estimate) -> dict[str, Any]:
    """Return the settings that make a change in the reader's tool; empty where it has none."""
    tool, plan = found.reading.tool, found.prediction.plan
    if name == "batch":
        size, steps = BATCH[tool]
        settings = found.reading.settings
        accumulated = settings.number(steps, settings.assumed.get(steps) or 1)
        return {size: plan.batch // 2, steps: accumulated * 2}
    if name == "length":
        key = LENGTH.get(tool)
        return {key: plan.length // 2} if key else {}
    return lines(found.reading, name)


def as_text(found: Estimate, lang: Lang) -> Iterator[str]:
    """Yield the lines of a prediction."""
    _ = translator(lang)
    prediction, plan = found.prediction, found.prediction.plan
    yield _("{tool} {release}, {model}: batch {batch}, {length} tokens").format(
        tool=found.reading.tool,
        release=found.reading.release,
        model=printable(found.reading.model),
        batch=plan.batch,
        length=plan.length,
    )
    yield ""
    verdict = _(_VERDICTS[found.verdict])
    yield _("A card of {card:.4g} GiB: {verdict}").format(card=found.card / GIB, verdict=verdict)
    yield from _table(found, lang)
    yield ""
    yield _("Reserved by the allocator: {low} to {high} GiB (it does not grow smoothly)").format(
        low=_gib(found.reserved[0]), high=_gib(found.reserved[1])
    )
    yield _(
        "Allowed for besides: {context} MiB for CUDA's context, {workspace} MiB for cuBLAS"
    ).format(context=CONTEXT // MIB, workspace=WORKSPACE // MIB)
    yield _("100 more tokens in the longest sequence: {more:+.2f} GiB").format(
        more=found.per_tokens / GIB
    )
    if found.options:
        yield ""
        yield _("What would make it smaller, and its price:")
        for option in found.options:
            yield from _change(option, found, lang)
    if found.idle:
        names = ", ".join(_settings(one, found) for one in found.idle)
        yield ""
        yield _("No smaller with these, as the peak is in the {phase}: {names}").format(
            phase=_(_PHASES[prediction.phase]), names=names
        )
    yield from _assumptions(found, lang)


def _table(found: Estimate, lang: Lang) -> Iterator[str]:
    """Yield one line a phase: GiB by kind, and a bar as long as its share of the card."""
    _ = translator(lang)
    for phase in PHASES:
        amounts = found.prediction.phases[phase]
        whole = sum(amounts.values())
        bar = "█" * round(whole / found.card * _BAR)
        mark = f"  ← {_('peak')}" if phase == found.prediction.phase else ""
        yield f"  {_(_PHASES[phase])}: {_gib(whole)} GiB  {bar[: 2 * _BAR]}{mark}"
        kinds = [
            f"{_(_KINDS[kind])} {_gib(amounts[kind])}"
            for kind in KINDS
            if amounts.get(kind, 0) >= 0.005 * GIB
        ]
        yield f"    {', '.join(kinds)}"


def _change(option: Option, found: Estimate, lang: Lang) -> Iterator[str]:
    _ = translator(lang)
    short = _(_SHORT[option.verdict]) if option.verdict else ""
    size = _gib(option.allocated) if option.allocated is not None else "?"
    yield f"  {size} GiB  {short}  {_settings(option, found)}"
    yield "    " + "; ".join(_(one.price) for one in option.changes)


def _settings(option: Option, found: Estimate) -> str:
    parts = []
    for change in option.changes:
        lines = lines_of(change.name, found)
        parts.append(", ".join(f"{key}: {_value(value)}" for key, value in lines.items()))
    return " + ".join(
        part or change.name for part, change in zip(parts, option.changes, strict=True)
    )


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _assumptions(found: Estimate, lang: Lang) -> Iterator[str]:
    _ = translator(lang)
    settings = found.reading.settings
    if settings.assumed:
        taken = ", ".join(f"{key}: {_value(value)}" for key, value in settings.assumed.items())
        yield ""
        yield _("Taken where the file says nothing: {taken}").format(taken=printable(taken))
    for note in settings.notes:
        yield printable(note.of(lang))
    yield _("One card, one step; no compilation, offload or custom model code is predicted.")


def _gib(size: float) -> str:
    return f"{size / GIB:.2f}"
