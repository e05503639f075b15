"""The exception that a log is about: where it was raised, what caused it, what ran before."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.log.card import Card, versions_of
from fixbook.log.errors import ERROR
from fixbook.log.libraries import libraries, library_of
from fixbook.log.traceback import lines_of_rank, tracebacks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.log.scanned import Hit
    from fixbook.log.traceback import Traceback

KIND = re.compile(
    r"((?:[A-Za-z_]\w*\.){0,12}\w*(?:Error|Exception|Exit|Iteration|Interrupt)"
    r"|(?:[A-Za-z_]\w*\.){1,12}[A-Z]\w*)(?:\(\w+\))? ?(?:: |:?\s*$)",
    re.ASCII,
)
# Exceptions that only pass on, or only notice, that something else has failed.
WRAPPERS = re.compile(
    r"(?:\w+\.)*(?:ChildFailedError|ProcessRaisedException|ProcessExitedException|SignalException"
    r"|RayTaskError(?:\(\w+\))?|RayActorError|ActorDiedError|EngineDeadError|AsyncEngineDeadError"
    r"|CalledProcessError|BrokenProcessPool|BrokenPipeError|ConnectionResetError"
    r"|ConnectionAbortedError|EOFError|CancelledError|KeyboardInterrupt|RemoteTraceback)\b"
    r"|terminate called without an active exception|(?:\w+\.)*ValidationError: \d+ validation error"
    r"|(?:\w+\.)*DistBackendError: (?:NCCL communicator|\[?Rank \d+\]|\[\d+\] is setting up)"
    r"|(?:\w+\.)*DistNetworkError: (?:failed to (?:recv|send)|Connection was likely closed)"
    r"|RuntimeError: (?:Cluster of \d|One or more|Some (?:ranks|workers)|Worker failed with error)",
    re.ASCII,
)
# What pydantic prints before the errors that it found.
HEADING = re.compile(r"(?:\w+\.)*ValidationError: \d+ validation error", re.ASCII)
# The first errors decide; sixty ranks that say the same add nothing.
MOST_CHAINS = 40

When = tuple[float, int, int]


@dataclass(frozen=True, slots=True)
class _Chain:
    """An error with the tracebacks that its rank printed up to it."""

    when: When
    hit: Hit
    before: tuple[Traceback, ...]

    @property
    def parts(self) -> tuple[Traceback, ...]:
        """The traceback of the error after those that it follows from."""
        first = len(self.before) - 1
        while first > 0 and self.before[first].linked:
            first -= 1
        return self.before[first:]

    @property
    def raised(self) -> bool:
        """Whether a traceback was printed that Python did not just report and ignore."""
        last = self.before[-1]
        return bool(last.frames) and not last.ignored

    def follows(self, earlier: Hit) -> bool:
        """Whether this was raised in the handling of an earlier one, or is quoted below it."""
        above = self.before[-2:-1] if self.before[-1].inner else self.parts[:-1]
        texts = {part.error.text for part in above if part.error}
        return _process(self.hit) == _process(earlier) and earlier.line.text in texts


def headline_of(
    errors: Sequence[tuple[When, Hit]], noticed: tuple[When, Hit] | None, heads: dict[str, bytes]
) -> Card | None:
    """Choose the exception that a log is about, and tell what is known of it.

    Args:
        errors: Exceptions that no pattern matched, in their order.
        noticed: The first line of a message that only notices a failure; None if nothing was
            recognised at all.
        heads: The beginning of each log, for the versions that are printed there.

    Returns:
        The exception, the last of its chain; None if the message says more.
    """
    chains = [_chain(*one) for one in errors[:MOST_CHAINS]]
    own = [chain for chain in chains if not WRAPPERS.match(chain.hit.line.text)]
    if noticed is not None:
        own = [chain for chain in own if _before(chain, *noticed)]
    elif not own:
        own = chains
    if not own:
        return None
    chosen = next((chain for chain in own if chain.raised), own[0])
    for later in own[own.index(chosen) + 1 :]:
        if later.follows(chosen.hit):
            chosen = later
    return _card(chosen, chains, heads.get(chosen.hit.source, b""))


def _before(chain: _Chain, when: When, noticed: Hit) -> bool:
    """Whether an error is no consequence of what noticed a failure."""
    return (
        chain.when < when
        or _elsewhere(chain.hit, noticed)
        or (chain.before[-1].inner and chain.follows(noticed))
        or _announced(chain.parts[0], noticed.line.text)
    )


def _announced(first: Traceback, text: str) -> bool:
    """Whether a traceback is printed right below a line that says that something failed."""
    return text == first.opened or bool(first.before and first.before.text == text)


def card_of(hit: Hit, heads: dict[str, bytes]) -> Card | None:
    """Return the card of a line that a pattern matched; None if it is no exception's."""
    if not ERROR.match(hit.line.text):
        return None
    return _card(_chain((0.0, 0, 0), hit), [], heads.get(hit.source, b""))


def _chain(when: When, hit: Hit) -> _Chain:
    lines = [*lines_of_rank(hit.context, hit.line), hit.line]
    own = hit.line.text
    found = tracebacks_of(lines, lambda text: text == own or _ends(text))
    return _Chain(when, hit, tuple(found))


def _ends(text: str) -> bool:
    """Whether a line is the last of a traceback; the text of some errors follows their name."""
    return ERROR.match(text) is not None and not HEADING.match(text)


def _process(hit: Hit) -> tuple[str, int | None]:
    return hit.source, hit.line.rank


def _elsewhere(error: Hit, noticed: Hit) -> bool:
    """Whether two lines are known to be of different processes."""
    ranks = {error.line.rank, noticed.line.rank}
    return error.source != noticed.source or (None not in ranks and len(ranks) > 1)


def _card(chain: _Chain, others: Sequence[_Chain], head: bytes) -> Card:
    hit, parts = chain.hit, chain.parts
    cause = parts[0].error if len(parts) > 1 else None
    for other in others:  # a line that was put together from several has its number from the scan
        if cause and other.hit.line.text == cause.text and _process(other.hit) == _process(hit):
            cause = other.hit.line
            break
    frames = [frame for part in parts for frame in part.frames]
    named = [(frame, library_of(frame.file)) for frame in reversed(frames)]
    installed = [one for one in named if one[1] not in {"", "python"}]
    frame, library = next(iter(installed), (None, ""))
    kind = KIND.match(hit.line.text)
    module = kind[1].partition(".")[0] if kind else ""
    return Card(
        line=hit.line,
        source=hit.source,
        kind=kind[1] if kind else "",
        cause=cause,
        user=next((one for one, name in named if not name), None),
        frame=frame,
        library=library or (module if module in libraries() else ""),
        libraries=tuple(dict.fromkeys(name for _, name in installed)),
        before=parts[0].before,
        versions=versions_of(head, hit.context.before, frames),
    )
