"""Texts: languages, sentences that are translated late, lines, figures, terminals."""

from fixbook.text.figures import show_figure
from fixbook.text.i18n import (
    DOMAIN,
    FOLDER,
    N_,
    _,
    choose,
    language,
    language_of,
    ngettext,
    terminal_language,
    translator,
)
from fixbook.text.languages import LANGS, Lang
from fixbook.text.lines import break_lines, columns, join_lines
from fixbook.text.printable import printable, printable_json
from fixbook.text.sections import SECTIONS
from fixbook.text.sentence import Sentence, in_language, joined, quote, say

__all__ = [
    "DOMAIN",
    "FOLDER",
    "LANGS",
    "N_",
    "SECTIONS",
    "Lang",
    "Sentence",
    "_",
    "break_lines",
    "choose",
    "columns",
    "in_language",
    "join_lines",
    "joined",
    "language",
    "language_of",
    "ngettext",
    "printable",
    "printable_json",
    "quote",
    "say",
    "show_figure",
    "terminal_language",
    "translator",
]
