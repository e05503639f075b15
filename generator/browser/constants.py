"""What the browser's code shares with the command: limits, patterns, weights and words.

It is written at build time as one module of the browser's registry, so that no figure and no word
stands in both Python and JavaScript.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.book import read_yaml
from fixbook.config import read
from fixbook.log import (
    amiss,
    answer,
    cases,
    covering,
    diagnose,
    disguise,
    errors,
    normalise,
    places,
    prefilter,
    prefixes,
    question,
    reading,
    scan,
    search,
    second,
    telling,
    tokens,
    unanswered,
    unwrapped,
    wide,
    yours,
)
from fixbook.log.finder import MOST_NEAREST
from fixbook.log.words import words_of
from generator.browser import exceptions
from generator.browser.packing import BASE, DIGITS
from generator.browser.pattern import javascript_of_own

if TYPE_CHECKING:
    import re

    from fixbook.text import Lang

CONSTANTS = "assets/diagnose/constants.js"
FILE = Path(__file__).with_name("constants.yaml")


def constants_script(lang: Lang) -> str:
    """Return the module ``constants`` of one language, as a script.

    Args:
        lang: Language of its words.
    """
    data = json.dumps(constants(lang), ensure_ascii=False, indent=1)
    return f'fixbook.define("constants", function () {{\n  return {data};\n}});\n'


def constants(lang: Lang) -> dict[str, Any]:
    """Return what ``constants_script`` writes; ``constants.d.ts`` says what it holds."""
    return {
        "lang": lang,
        "limits": _limits() | exceptions.LIMITS,
        "usualWidths": unwrapped.USUAL,
        "patterns": {
            name: javascript_of_own(pattern)
            for name, pattern in (_PATTERNS | exceptions.PATTERNS).items()
        },
        "ranksInPath": [javascript_of_own(pattern) for pattern in reading.RANK_IN_PATH],
        "errorLiterals": errors.ERROR_LITERALS,
        "skipped": reading.SKIPPED,
        "disguise": {
            "forms": disguise.DISGUISES,
            "entities": disguise.ENTITIES,
            "lookalikes": disguise.LOOKALIKES,
            "signs": disguise.SIGNS,
        },
        "year": places.YEAR,
        "yours": yours.BLANK,
        "search": {
            "k1": search.K1,
            "b": search.B,
            "partWeight": tokens.PART_WEIGHT,
            "hanWeight": tokens.HAN_WEIGHT,
            "stop": sorted(tokens.STOP),
            "numberWeight": tokens.NUMBER_WEIGHT,
            "mostDigits": tokens.MOST_DIGITS,
            "fullLevel": search.FULL_LEVEL,
            "unknown": search.UNKNOWN,
            "strange": search.STRANGE,
            "leastHan": search.LEAST_HAN,
            "leastName": search.LEAST_NAME,
            "more": covering.MORE,
            "nothingAmiss": amiss.NOTHING_AMISS,
            "moreOfFew": covering.MORE_OF_FEW,
            "leastCovered": covering.LEAST_COVERED,
            "few": covering.FEW,
            "enough": covering.ENOUGH,
            "unnamed": covering.UNNAMED,
            "byName": covering.BY_NAME,
            "named": search.NAMED,
            "weak": search.WEAK,
            "notYet": search.NOT_YET,
            "digits": DIGITS,
            "base": BASE,
        },
        **exceptions.data(lang),
        "words": words_of(lang) | {key: text[lang] for key, text in browser_words().items()},
    }


def browser_words() -> dict[str, dict[str, str]]:
    """Return the words that only the browser says: key, then language."""
    words: dict[str, dict[str, str]] = read_yaml(FILE).value
    return words


_PATTERNS: dict[str, re.Pattern[str] | re.Pattern[bytes]] = {
    "escapes": disguise.ESCAPES,
    "bold": disguise.BOLD,
    "colours": disguise.COLOURS,
    "entity": disguise.ENTITY,
    "zeroWidth": disguise.ZERO_WIDTH,
    "field": disguise.FIELD,
    "feeds": disguise.FEEDS,
    "quoted": disguise.QUOTED,
    "prefixes": prefixes.PREFIXES,
    "rankInLine": prefixes.RANK_IN_LINE,
    "row": prefixes.ROW,
    "rowOfRank": prefixes.ROW_OF_RANK,
    "error": errors.ERROR,
    "firstError": errors.FIRST_ERROR,
    "time": places.TIME,
    "word": tokens.WORD,
    "part": tokens.PART,
    "place": yours.PLACE,
    "yourName": yours.NAME,
    "yourNumber": yours.NUMBER,
    "caseNumber": cases.NUMBER,
    "release": cases.RELEASE,
    "stem": tokens.STEM,
    "hex": tokens.HEX,
    "frame": tokens.FRAME,
    "path": tokens.PATH,
    "lineEnd": tokens.LINE_END,
    "hanStop": tokens.HAN_STOP,
    "common": tokens.COMMON,
    "card": tokens.CARD,
    "productName": tokens.NAME,
    "quantity": tokens.QUANTITY,
    "logMark": question.LOG_MARK,
    "opening": question.OPENING,
    "asks": question.ASKS,
    "tells": question.TELLS,
    "fails": amiss.FAILS,
    "amiss": amiss.AMISS,
    "choice": amiss.CHOICE,
    "quotation": unwrapped.QUOTED,
    "boxed": unwrapped.BOXED,
    "cells": unwrapped.CELLS,
    "logged": unwrapped.LOGGED,
    "filled": unwrapped.FILLED,
    "boxEnd": disguise.BOX_END,
    "prompt": read.PROMPT,
    "launch": read.LAUNCH,
}


def _limits() -> dict[str, int]:
    return {
        "window": normalise.WINDOW,
        "overlap": normalise.OVERLAP,
        "prefixes": prefixes.MOST_PREFIXES,
        "beforeTask": prefixes.MOST_BEFORE_TASK,
        "chunk": reading.CHUNK,
        "linesPerLiteral": prefilter.MOST,
        "hits": scan.MOST_HITS,
        "errors": scan.MOST_ERRORS,
        "same": scan.MOST_SAME,
        "lookBack": places.LOOK_BACK,
        "lookAhead": places.LOOK_AHEAD,
        "table": places.TABLE,
        "beforeObject": disguise.MOST_BEFORE,
        "tail": scan.TAIL,
        "room": second.ROOM,
        "narrowest": unwrapped.NARROWEST,
        "widest": unwrapped.WIDEST,
        "joined": unwrapped.MOST_JOINED,
        "leastColumn": unwrapped.LEAST_COLUMN,
        "unknown": diagnose.MOST_UNKNOWN,
        "text": answer.MOST_TEXT,
        "ranks": answer.MOST_RANKS,
        "below": telling.MOST_BELOW,
        "unrecognised": answer.MOST_UNRECOGNISED,
        "tokens": search.MOST_TOKENS,
        "guessBytes": question.MOST_BYTES,
        "wideFewest": wide.WIDE_FEWEST,
        "wideMost": wide.WIDE_MOST,
        "wideMostly": wide.WIDE_MOSTLY,
        "wideHardly": wide.WIDE_HARDLY,
        "question": question.MOST_QUESTION,
        "questionWords": question.MOST_WORDS,
        "fewWords": question.FEW_WORDS,
        "sentenceWords": amiss.SENTENCE_WORDS,
        "sentenceHan": amiss.SENTENCE_HAN,
        "longWords": amiss.LONG_WORDS,
        "longHan": amiss.LONG_HAN,
        "searched": unanswered.MOST_SEARCHED,
        "leastHan": unanswered.LEAST_HAN,
        "nearest": MOST_NEAREST,
    }
