"""Reasons are recorded in English and shown in the language of their reader."""

from __future__ import annotations

import copy
import json

from fixbook.recipe.record.result import Verdict
from fixbook.text import in_language, joined, say


def test_a_sentence_is_english_until_it_is_shown() -> None:
    sentence = say("its control was skipped: {reason}", reason=say("no output"))
    assert sentence == "its control was skipped: no output"
    assert json.dumps(sentence) == '"its control was skipped: no output"'
    assert in_language(sentence, "zh") == "其对照步骤被跳过：没有输出"
    assert in_language(sentence, "en") == sentence
    assert in_language(copy.deepcopy(Verdict("skipped", sentence)).reason, "zh").endswith("输出")


def test_a_recorded_sentence_is_quoted() -> None:
    assert in_language("mounts are not allowed here", "en") == "mounts are not allowed here"
    assert in_language("mounts are not allowed here", "zh") == "“mounts are not allowed here”"


def test_joined_sentences_stay_sentences() -> None:
    both = joined([say("no output"), "a log line", say("wrong version")])
    assert both == "no output; a log line; wrong version"
    assert in_language(both, "zh") == "没有输出；“a log line”；版本不对"
