"""The book: its typed models, where their parts stand in files, and loading all of it."""

from typing import TYPE_CHECKING

from fixbook.door import door

if TYPE_CHECKING:
    from fixbook.book.case import Case, Value
    from fixbook.book.condition import Expectation
    from fixbook.book.docstrings import docstring_items, docstring_summary, models_in
    from fixbook.book.entry import Entry
    from fixbook.book.fields import SLUG, Line, Pattern, Slug, Text
    from fixbook.book.loading import Book, BookEntry, load_book, load_entry, load_symptom
    from fixbook.book.marks import MARK, MARKS, MEANINGS, marks_in_words
    from fixbook.book.mentions import MENTION, Targets, unmentioned
    from fixbook.book.part import load_part
    from fixbook.book.parts import Aliases, ConfigChange, Fix, Names, NonFix, Reference, Snippet
    from fixbook.book.places import PLACED, fenced, with_places, with_snippets
    from fixbook.book.proof import Boundary, Claim, Fails, LogFile, Said, StepClaims
    from fixbook.book.queries import (
        LEAST_WORDS,
        QUERIES_FILE,
        QUERY_KINDS,
        WORDS_FILE,
        Query,
        load_queries,
        load_words,
    )
    from fixbook.book.rule import Condition, Prover, Rule
    from fixbook.book.rule_row import RuleRow
    from fixbook.book.rules import BookRule, load_rule
    from fixbook.book.sections import Category
    from fixbook.book.symptom import Symptom, TestedArticle
    from fixbook.book.threads import THREADS_FILE, Thread, load_threads
    from fixbook.book.validation import build_model
    from fixbook.book.yaml_source import (
        LOADER,
        MAX_BYTES,
        Key,
        YamlSource,
        bounded_text,
        read_yaml,
        reject_tricks,
    )
else:
    __getattr__ = door(__name__)

__all__ = [
    "LEAST_WORDS",
    "LOADER",
    "MARK",
    "MARKS",
    "MAX_BYTES",
    "MEANINGS",
    "MENTION",
    "PLACED",
    "QUERIES_FILE",
    "QUERY_KINDS",
    "SLUG",
    "THREADS_FILE",
    "WORDS_FILE",
    "Aliases",
    "Book",
    "BookEntry",
    "BookRule",
    "Boundary",
    "Case",
    "Category",
    "Claim",
    "Condition",
    "ConfigChange",
    "Entry",
    "Expectation",
    "Fails",
    "Fix",
    "Key",
    "Line",
    "LogFile",
    "Names",
    "NonFix",
    "Pattern",
    "Prover",
    "Query",
    "Reference",
    "Rule",
    "RuleRow",
    "Said",
    "Slug",
    "Snippet",
    "StepClaims",
    "Symptom",
    "Targets",
    "TestedArticle",
    "Text",
    "Thread",
    "Value",
    "YamlSource",
    "bounded_text",
    "build_model",
    "docstring_items",
    "docstring_summary",
    "fenced",
    "load_book",
    "load_entry",
    "load_part",
    "load_queries",
    "load_rule",
    "load_symptom",
    "load_threads",
    "load_words",
    "marks_in_words",
    "models_in",
    "read_yaml",
    "reject_tricks",
    "unmentioned",
    "with_places",
    "with_snippets",
]
