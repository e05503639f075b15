"""Gates: what every entry must meet before it is published, one small check a file.

A gate is a function from what is read of a book to the problems it finds; each problem ends with
how to mend it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.gates.aliases import aliases_lead_here
from fixbook.gates.boundaries import executed_bounds
from fixbook.gates.cases import cases_decide
from fixbook.gates.comments import chinese_comments
from fixbook.gates.controls import steps_have_controls
from fixbook.gates.executed import executed_code
from fixbook.gates.figures import typed_figures
from fixbook.gates.freshness import current_evidence
from fixbook.gates.headers import recipes_run_alone
from fixbook.gates.instructs import texts_instruct
from fixbook.gates.links import known_targets
from fixbook.gates.listed import listed_steps
from fixbook.gates.literals import known_literals
from fixbook.gates.markdown import markdown_only
from fixbook.gates.marks import marks_instead_of_words
from fixbook.gates.measures import claimed_measures
from fixbook.gates.mentions import known_mentions
from fixbook.gates.negation import denials_agree
from fixbook.gates.negative_controls import measured_on_the_fix
from fixbook.gates.opposites import opposites_agree
from fixbook.gates.own_words import steps_read_no_logs
from fixbook.gates.parity import both_languages
from fixbook.gates.patterns import portable_patterns, quick_patterns
from fixbook.gates.pins import agreeing_pins
from fixbook.gates.placeholders import own_measures
from fixbook.gates.proof import executable_proof
from fixbook.gates.queries import queries_lead_here
from fixbook.gates.quotes import quoted_output
from fixbook.gates.recognition import own_logs, quiet_on_others
from fixbook.gates.records import records_hold
from fixbook.gates.releases import verdicts_on_releases
from fixbook.gates.removals import nothing_removed
from fixbook.gates.rules import known_rules
from fixbook.gates.slugs import slugs_never_reused
from fixbook.gates.source_lines import printable_lines
from fixbook.gates.successors import known_successors
from fixbook.gates.terms import chinese_terms
from fixbook.gates.threads import threads_lead_somewhere
from fixbook.gates.tidy import nothing_cut_off, nothing_of_the_machine, nothing_unfinished
from fixbook.gates.titles import short_titles
from fixbook.gates.trailers import trailers_tell_nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fixbook.gates.reading import Reading
    from fixbook.problem import Problem

GATES: dict[str, Callable[[Reading], Iterator[Problem]]] = {
    "proof": executable_proof,
    "listed": listed_steps,
    "controls": steps_have_controls,
    "removals": nothing_removed,
    "source-lines": printable_lines,
    "negative-controls": measured_on_the_fix,
    "executed": executed_code,
    "own-words": steps_read_no_logs,
    "bounds": executed_bounds,
    "links": known_targets,
    "mentions": known_mentions,
    "marks": marks_instead_of_words,
    "parity": both_languages,
    "negation": denials_agree,
    "opposites": opposites_agree,
    "terms": chinese_terms,
    "comments": chinese_comments,
    "markdown": markdown_only,
    "titles": short_titles,
    "cut-off": nothing_cut_off,
    "quotes": quoted_output,
    "figures": typed_figures,
    "measures": claimed_measures,
    "placeholders": own_measures,
    "literals": known_literals,
    "releases": verdicts_on_releases,
    "successors": known_successors,
    "records": records_hold,
    "freshness": current_evidence,
    "pins": agreeing_pins,
    "headers": recipes_run_alone,
    "patterns": portable_patterns,
    "effort": quick_patterns,
    "trailers": trailers_tell_nothing,
    "own-logs": own_logs,
    "other-logs": quiet_on_others,
    "cases": cases_decide,
    "instructs": texts_instruct,
    "queries": queries_lead_here,
    "aliases": aliases_lead_here,
    "threads": threads_lead_somewhere,
    "rules": known_rules,
    "slugs": slugs_never_reused,
    "tidy": nothing_of_the_machine,
    "unfinished": nothing_unfinished,
}
