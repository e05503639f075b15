"""Split queries and documents into weighted tokens: identifiers whole and in parts, Han as bigrams.

The browser runs the same code in JavaScript, with these constants, held to the same vectors.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.log.normalise import clean_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Parts of an identifier say less than the identifier itself.
PART_WEIGHT = 0.4
# A Chinese phrase makes a token of every two characters; together they say what a word says.
HAN_WEIGHT = 0.7
# An exit code tells little without the word beside it.
NUMBER_WEIGHT = 0.5
# Exit codes, CUDA errors and names of cards; longer numbers are addresses and sizes.
MOST_DIGITS = 6

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[\u3400-\u9fff]+")
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# Crash, crashes, crashed, crashing; freeze, freezing. Identifiers are left as they are.
STEM = re.compile(r"([a-z]{3,}?(?:[a-rt-z]|ss))(?:ing|ed|es|s|e)")
HEX = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-f]{12,}\b", re.ASCII)
FRAME = re.compile(r'^\s*File "[^"]*[/\\]([^"/\\]+)", line \d+, in (\S+)', re.ASCII)
PATH = re.compile(r"(?:[A-Za-z]:)?(?:[/\\][\w.@+-]+){2,}[/\\]", re.ASCII)
LINE_END = re.compile(r"\r\n|[\r\n]")
HAN = re.compile(r"[\u3400-\u9fff]")
# Words of a question and particles: what stands between them is what is asked for.
HAN_STOP = re.compile(
    "怎么办|怎么样|怎么回事|怎么|怎样|如何|为什么|为啥|什么|请问|一下|时候|原因|解决|办法|大佬|求助"
    "|已经|明明|可是|但是|不过|一直|还是|这个|那个|这些|这样|那样|哪里|哪些|哪个|应该|好像|似乎"
    "|现在|老是|总是|究竟|到底|突然|然后|而且|或者|因为|所以|如果|可以|有没有|是不是|根本|一个|几个"
    "|[了的吗呢啊呀吧我你他它们是就都很也又还说跟但却这那]"
)
# What people add to any question, and tells no page from another.
COMMON = re.compile(
    r"训练|报错|出错|失败|错误|问题"
    r"|\b(?:how (?:to|do i|can i) (?:fix|solve)|train(?:ing)?|errors?|helps?|fix(?:es|ing)?"
    r"|issues?|problems?|bugs?|please|solve|fail(?:s|ed)?)\b",
    re.ASCII | re.IGNORECASE,
)
# Where it happened: a card is in the book for what happens on it.
CARD = re.compile(
    r"\b(?:[rg]tx ?)?[1-5]0[5-9]0(?: ?ti)?\b|\b[rg]tx\b|\b(?:[ahbl][1248]0{1,2}|v100)\b",
    re.ASCII | re.IGNORECASE,
)
# Names of products as they are written: LangChain, JAX, YOLOv8. And what counts, and names nothing.
NAME = re.compile(r"[a-z][A-Z0-9]|[A-Z]{2}|[A-Z][0-9]", re.ASCII)
QUANTITY = re.compile(r"[0-9]+(?:[KMGTkmgtbB]?[bB]?|[GMgm]iB|x|th|nd|st|rd|s)", re.ASCII)
STOP = frozenset(
    (  # noqa: SIM905  (a list of forty lines says no more)
        "a an and are as at be by can cannot cant do does doesnt dont for from get gets got has"
        " have how if in is it its just my not of on or says so still that the then this to too was"
        " what when which why will with wont you your file line most recent call last traceback"
    ).split()
)


def tokens_of(text: str) -> list[tuple[str, float]]:
    """Split a text into weighted tokens.

    Args:
        text: A query or a document.

    Returns:
        Lower-case words without their endings and identifiers with weight 1, their snake_case
        and CamelCase parts and bigrams of Han text with less. Hexadecimal and long numbers are
        left out.
    """
    return [token for word in WORD.findall(HEX.sub(" ", text)) for token in _tokens(word)]


def _tokens(word: str) -> Iterable[tuple[str, float]]:
    if HAN.match(word):
        return [(pair, HAN_WEIGHT) for pair in _pairs(word)]
    if word.isdigit():
        return [(word, NUMBER_WEIGHT)] if len(word) <= MOST_DIGITS else []
    parts = PART.findall(word)
    whole = word.lower().strip("_")
    found = [(stem_of(whole), 1.0)] if len(whole) > 1 and whole not in STOP else []
    if len(parts) > 1:
        found += [(stem_of(part), PART_WEIGHT) for part in map(str.lower, parts) if _tells(part)]
    return found


def _pairs(text: str) -> Iterator[str]:
    for run in filter(None, HAN_STOP.split(text)):
        yield from (run[i : i + 2] for i in range(max(1, len(run) - 1)))


def _tells(part: str) -> bool:
    return len(part) > 1 and not part.isdigit() and part not in STOP


def stem_of(word: str) -> str:
    """Return a lower-case word without its ending; identifiers come back as they are."""
    found = STEM.fullmatch(word)
    return found[1] if found else word


def phrase_of(text: str) -> str:
    """Return the token of a whole phrase: who types an alias word for word means it.

    Args:
        text: An alias, or a query.

    Returns:
        A token that no word makes, or an empty text if nothing in the phrase is a token.
    """
    tokens = [token for token, weight in tokens_of(telling(text)) if weight != PART_WEIGHT]
    return "=" + "=".join(tokens) if tokens else ""


def telling(text: str) -> str:
    """Return a text without what people add to any question, unless nothing else would be left.

    Args:
        text: A query, or an alias.
    """
    rest = CARD.sub(" ", COMMON.sub(" ", text))
    return rest if tokens_of(rest) else text


def is_bare(text: str) -> bool:
    """Tell whether a query says nothing but what people add to any."""
    return not tokens_of(CARD.sub(" ", COMMON.sub(" ", text)))


def clean_query(text: str) -> str:
    """Take what is not the error off a pasted text: prefixes, paths, frames' line numbers.

    Falls back to the text itself if nothing would be left.
    """
    lines = []
    for raw in LINE_END.split(text):
        line, _ = clean_line(raw)
        frame = FRAME.match(line)
        lines.append(f"{frame[1]} {frame[2]}" if frame else PATH.sub("", line))
    cleaned = "\n".join(lines).strip()
    return cleaned or text
