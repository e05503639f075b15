"""A chat template that refuses the order of messages, and the prompt when it does not."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "numpy==2.4.6", "jinja2==3.1.6",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_messages import TEMPLATES, attempt, look, lost_of, serve_it

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LLAMA = ["xllamacpp==2026.10.11549", "gguf==0.19.0", "requests==2.34.2"]


@reproduce()
def two_questions() -> dict[str, Any]:
    """The user speaks twice."""
    return attempt("two questions", "first mistral")


@reproduce()
def system_counts() -> dict[str, Any]:
    """A system message is one message too many."""
    return attempt("a rule", "first mistral")


@reproduce()
def other_names() -> dict[str, Any]:
    """The roles alternate, under other names."""
    return attempt("other names", "first mistral")


@reproduce()
def answer_first() -> dict[str, Any]:
    """The history was cut, or begins with a greeting."""
    return attempt("an answer first", "first mistral")


@reproduce()
def system_refused() -> dict[str, Any]:
    """No system message at all."""
    return attempt("a rule", "gemma 2")


@reproduce()
def system_late() -> dict[str, Any]:
    """A second one, further down."""
    return attempt("a late rule", "qwen")


@reproduce()
def developer_refused() -> dict[str, Any]:
    """The role that newer clients give to the system message."""
    return attempt("a developer", "qwen")


@reproduce()
def other_names_refused() -> dict[str, Any]:
    """The same names, to a template that does not count."""
    return attempt("other names", "qwen")


@reproduce()
def stopped_at_a_tool() -> dict[str, Any]:
    """The user went on before the model had answered to the tool."""
    return attempt("stopped at a tool", "devstral")


@reproduce(versions=LLAMA)
def server() -> dict[str, Any]:
    """The same, asked of llama.cpp's server."""
    return serve_it("two questions", "first mistral")


@fix("merge", control="two-questions")
def questions_merged() -> dict[str, Any]:
    """One message of both."""
    return attempt("two questions", "first mistral", "merge")


@fix("merge", control="system-counts")
def system_merged() -> dict[str, Any]:
    """The rule stands before the question."""
    return attempt("a rule", "first mistral", "merge")


@fix("merge", control="system-refused")
def system_merged_for_gemma() -> dict[str, Any]:
    """The same for a template that names it."""
    return attempt("a rule", "gemma 2", "merge")


@fix("merge", control="other-names")
def names_mapped() -> dict[str, Any]:
    """The names that the template knows."""
    return attempt("other names", "first mistral", "merge")


@fix("merge", control="other-names-refused")
def names_mapped_for_qwen() -> dict[str, Any]:
    """The same for the template that does not count."""
    return attempt("other names", "qwen", "merge")


@fix("merge", control="answer-first")
def answer_left_out() -> dict[str, Any]:
    """It begins with the user."""
    return attempt("an answer first", "first mistral", "merge")


@fix("gather", control="system-late")
def system_gathered() -> dict[str, Any]:
    """One system message, in front."""
    return attempt("a late rule", "qwen", "gather")


@fix("gather", control="developer-refused")
def developer_gathered() -> dict[str, Any]:
    """It is a system message then."""
    return attempt("a developer", "qwen", "gather")


@fix("close", control="stopped-at-a-tool")
def tool_turn_closed() -> dict[str, Any]:
    """An answer comes before the next question."""
    return attempt("stopped at a tool", "devstral", "close")


@fix("prefix", control="server", versions=LLAMA)
def server_with_prefix() -> dict[str, Any]:
    """The template merges by itself."""
    return serve_it("two questions", "first mistral", prefixed=True)


@fix("prefix", control="system-refused")
def gemma_with_prefix() -> dict[str, Any]:
    """The same in transformers."""
    return attempt("a rule", "gemma 2", "prefix")


@non_fix("as-user", control="system-refused")
def system_as_user() -> dict[str, Any]:
    """Its role is user now."""
    return attempt("a rule", "gemma 2", "role user")


@non_fix("no-raise", control="system-counts")
def raise_taken_out() -> dict[str, Any]:
    """Nothing is raised."""
    return attempt("a rule", "first mistral", "no raise")


@detect(found=True)
def refused_rule() -> dict[str, Any]:
    """The page's question, where the message speaks of turns."""
    return look("a rule", "first mistral")


@detect(found=True)
def refused_late() -> dict[str, Any]:
    """The same, where there are two system messages."""
    return look("a late rule", "qwen")


@detect(found=False, control="refused-rule")
def accepted() -> dict[str, Any]:
    """A template that knows system messages."""
    return look("a rule", "qwen")


@detect(found=True)
def rule_dropped() -> dict[str, Any]:
    """A template that leaves the first message out if it is the system's."""
    return lost_of("a rule", TEMPLATES["drops"])


@detect(found=True)
def developer_dropped() -> dict[str, Any]:
    """A template that writes the roles that it knows."""
    return lost_of("a developer", TEMPLATES["known roles"])


@detect(found=False, control="rule-dropped")
def rule_kept() -> dict[str, Any]:
    """A template that writes it."""
    return lost_of("a rule", TEMPLATES["qwen"])


@detect(found=False, versions=LLAMA)
def rule_folded_by_server() -> dict[str, Any]:
    """llama.cpp's server folds it itself."""
    return serve_it("a rule", "gemma 2")


if __name__ == "__main__":
    main(__file__)
