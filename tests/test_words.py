"""Words find what people mean by them, and a log never gets a guess."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_args

import pytest

from bench.sentences import measure_sentences
from bench.word_queries import _read, measure_words, word_queries
from fixbook.book import LEAST_WORDS, Category
from fixbook.cli import cli, run_command
from fixbook.exits import DONE, NOT_RECOGNISED, UNUSABLE
from fixbook.gates.aliases import LEAST, aliases_lead_here
from fixbook.gates.reading import Reading
from fixbook.index.synonyms import elsewhere, groups
from fixbook.log.amiss import failure_told
from fixbook.log.question import is_question
from fixbook.log.search import NAMED, NOT_YET
from fixbook.log.tokens import PART_WEIGHT, phrase_of, stem_of, telling, tokens_of
from fixbook.log.unanswered import search_of
from fixbook.text import LANGS
from tests.real_book import real_finder, usable_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book
    from fixbook.log.finder import Finder

LEAST_RIGHT = 0.95


@pytest.fixture(scope="module")
def book() -> Book:
    return usable_book()


@pytest.fixture(scope="module")
def finder() -> Finder:
    return real_finder()


def test_every_message_has_words_in_both_languages(book: Book) -> None:
    asked = _read()["symptoms"]
    assert set(asked) == set(book.symptoms)
    for name, texts in asked.items():
        for lang in LANGS:
            assert len(texts[lang]) >= LEAST_WORDS, (name, lang)


def test_words_find_their_page(book: Book, finder: Finder) -> None:
    found = measure_words(book, finder, None)
    for group in {row["group"] for row in found["table"]}:  # both halves: one alone is small
        rows = [row for row in found["table"] if row["group"] == group]
        right = sum(row["at_3"] * row["asked"] for row in rows)
        assert right >= LEAST_RIGHT * sum(row["asked"] for row in rows), group
    assert found["categories"] == []
    assert len(found["nothing"]["found"]) <= 0.2 * found["nothing"]["asked"], found["nothing"]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("爆显存", "out-of-memory"),
        ("out of memory", "out-of-memory"),
        ("段错误", "process-crashed"),
        ("segfaults", "process-crashed"),
        ("多机连不上", "rendezvous-timeout"),
        ("进程被杀", "killed-from-outside"),
        ("卡死", "collective-timeout"),
    ],
)
def test_what_people_say(finder: Finder, words: str, first: str) -> None:
    assert finder.ranked(words)[0] == first


@pytest.mark.parametrize("words", ["量子力学", "quantum mechanics", "grafana dashboard"])
def test_what_no_page_is_about(finder: Finder, words: str) -> None:
    assert is_question(words)
    assert finder.find(words) == []


@pytest.mark.parametrize(
    "text",
    [
        "ValueError: the widget is too long for the box",
        'raise RuntimeError("CUDA memory")',
        "2025-01-01 10:00:00 out of memory in the loss",
        "[rank3] training hangs",
        "assert hidden_states.shape == labels.shape",
        "step 3: training hangs",
        "'DynamicCache' object has no attribute 'get_max_length'",
        "hang " * 40,
    ],
)
def test_nobody_guesses_for_a_log(finder: Finder, text: str) -> None:
    assert not is_question(text)
    assert finder.guesses(text) == []


def test_causes_are_ranked_by_the_words_beside_a_message(finder: Finder) -> None:
    for words, slug in (
        ("rwkv illegal memory access", "rwkv-hf-backward-writes-past-batch"),
        ("vllm illegal memory access", "vllm-illegal-access-noticed-in-sampler"),
        ("axolotl packing illegal memory access", "axolotl-packing-cu-seqlens-overrun"),
    ):
        found = finder.find(words)
        assert [one.how for one in found[:2]] == ["message", "possible"]
        assert found[1].name == slug


def test_words_without_their_endings() -> None:
    assert {stem_of(word) for word in ("crash", "crashes", "crashed", "crashing")} == {"crash"}
    assert stem_of("freeze") == stem_of("freezing")
    assert stem_of("process") == stem_of("processes") == "process"
    assert stem_of("cu_seqlens") == "cu_seqlens"


def test_words_of_a_question_part_chinese() -> None:
    assert [token for token, _ in tokens_of("显存不够怎么办")] == ["显存", "存不", "不够"]
    assert phrase_of("显存不够了怎么办") == phrase_of("显存不够")


def test_sentences_find_their_page(finder: Finder) -> None:
    found = measure_sentences(finder)
    asked = sum(row["asked"] for row in found["table"])
    assert sum(row["at_3"] * row["asked"] for row in found["table"]) >= 0.93 * asked
    assert sum(row["wrong"] * row["asked"] for row in found["table"]) <= 0.04 * asked
    assert sum(map(len, found["nothing"]["found"].values())) <= 3, found["nothing"]


@pytest.mark.parametrize(
    "added",
    ["training {}", "{} error", "训练 {}", "{} 报错", "{} help", "how to fix {}", "{}失败怎么办"],
)
def test_a_common_word_costs_no_right_first(book: Book, finder: Finder, added: str) -> None:
    for ask in [*word_queries(book)][::9]:
        first = finder.guesses(ask.text, 1)
        if first and first[0][0] in ask.right and is_question(added.format(ask.text)):
            assert finder.guesses(added.format(ask.text), 1)[0][0] == first[0][0], ask.text


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("寒武纪 爆显存", ("寒武纪",)),
        ("Gaudi 上多卡训练卡死怎么办", ("Gaudi",)),
        ("RTX 5090", ("RTX 5090",)),
        ("out of memory when I train on a TPU pod", ("TPU",)),
        ("stable diffusion out of memory", ("stable diffusion",)),
    ],
)
def test_what_the_book_lacks_is_said(finder: Finder, words: str, names: tuple[str, ...]) -> None:
    assert finder.guesses(words) == []
    said = finder.unanswered(words)
    assert said is not None
    assert said.elsewhere == names
    assert said.nearest


def test_a_card_is_where_and_not_what(finder: Finder) -> None:
    assert finder.ranked("4090 爆显存")[0] == "out-of-memory"


# Names of hardware and kernels that pages are about, and that no other page answers for.
OWN_PAGES_ALONE = {"ascend", "昇腾", "npu", "910b", "hccl", "cann", "torch_npu"}
OWN_PAGES_ALONE |= {"exllama", "exllamav2", "jax", "mps", "tensorflow", "tensorrt", "xinferenc"}


def test_no_page_is_about_what_the_book_lacks(finder: Finder) -> None:
    pages = [row["weights"] for row in finder._rows["search"] if row["slug"] != NOT_YET]
    held = {token for weights in pages for token, weight in weights.items() if weight >= NAMED}
    assert held & {stem_of(name) for name in elsewhere()} == OWN_PAGES_ALONE


def test_the_search_elsewhere_tells_nothing_of_the_reader() -> None:
    found = search_of("vllm dies on token=hf_" + "a1B2" * 9 + " how can I quantum it")
    assert "hf_" not in found
    assert found.endswith("repo%3Avllm-project%2Fvllm%20dies%20token%20quantum")


def test_a_sentence_of_a_person_is_a_question() -> None:
    said = "my training on two nodes hangs as soon as the second epoch begins, only one rank logs"
    told = (
        "Please make sure that your environment holds a compiler before this is loaded once again."
    )
    assert is_question(said)
    assert is_question("Question: " + said)
    assert not is_question(told)
    assert not is_question(" ".join([said] * 3))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("how do I choose the number of workers for my data loader", 0),
        ("how do I choose the number of workers, only two are busy", 1),
        ("how do I choose the number of workers, my loader hangs", 3),
        ("请问多卡的时候学习率要不要跟着卡数一起放大，怎么选", 0),
        ("请问多卡的时候学习率怎么选，放大以后就不收敛了", 1),
        ("请问多卡的时候学习率怎么选，放大以后就报错了", 3),
        ("how to choose the number of workers for my loader", 2),
        ("choose the number of workers for my loader, not all", 4),
        ("choose the learning rate", 4),  # words, and no sentence
    ],
)
def test_how_far_a_sentence_tells_of_a_failure(text: str, told: int) -> None:
    assert failure_told(text, telling(text)) == told


def test_a_name_that_no_page_holds_is_said(finder: Finder) -> None:
    for words in ("用 FooTune 单卡启动，加载数据的时候卡住", "FooTune hangs while it loads data"):
        assert finder.guesses(words) == []
        said = finder.unanswered(words)
        assert said is not None
        assert said.elsewhere == ("FooTune",)
    assert finder._search.strange("80G 的 A100 上 dataloader 卡住") == []


def test_how_to_do_a_thing_on_other_hardware_is_no_failure_of_it(finder: Finder) -> None:
    assert finder.guesses("怎么在昇腾的服务器上给自己的模型做量化再部署") == []


def test_every_category_has_words() -> None:
    assert {group.category for group in groups()} >= set(get_args(Category))


def test_the_gate_on_aliases(make_book: Callable[..., Book], entry: dict[str, Any]) -> None:
    assert list(aliases_lead_here(Reading(make_book(entry)))) == []
    entry["aliases"]["en"] = ["it fails with 3", "wrong"]
    found = [str(problem) for problem in aliases_lead_here(Reading(make_book(entry)))]
    assert any(f"has 2, at least {LEAST} are needed" in problem for problem in found)
    entry["aliases"] = {"zh": [], "en": []}
    symptom: dict[str, Any] = {
        key: {"zh": "坏了", "en": "broken"} for key in ("title", "summary", "text")
    }
    symptom |= {"patterns": ["it broke"], "aliases": {"zh": ["的"], "en": ["the", "of", "a"]}}
    symptoms = {"broken": symptom}
    text = "\n".join(map(str, aliases_lead_here(Reading(make_book(entry, symptoms=symptoms)))))
    assert "symptoms/broken.yaml" in text
    assert "alias 'the' leads to nothing" in text


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(cli, ["search", "爆显存", "--json", "--lang", "zh"]) == DONE
    answer = json.loads(capsys.readouterr().out)
    assert answer["results"][0]["symptom"] == "out-of-memory"
    assert answer["results"][0]["how"] == "near"
    assert run_command(cli, ["search", "量子力学", "--lang", "en"]) == NOT_RECOGNISED
    assert "Not in the book yet" in capsys.readouterr().out
    assert run_command(cli, ["search", "Gaudi", "hangs", "--lang", "en"]) == NOT_RECOGNISED
    said = capsys.readouterr().out
    assert "The book has nothing on “Gaudi”." in said
    assert "Nearest, but no answer:" in said
    assert "https://github.com/search?type=issues&q=Gaudi%20hangs" in said
    assert run_command(cli, ["search", "exitcode", "-9", "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["query"] == "exitcode -9"
    assert run_command(cli, ["search", "exitcode", "--tpo"]) == UNUSABLE


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("is_cuda_2_available", {"cuda", "availabl"}),  # no number and no word that says nothing
        ("a_b_tensor", {"tensor"}),  # no single letter
        ("the_tensor", {"tensor"}),
    ],
)
def test_parts_of_a_name_that_tell_nothing_are_left_out(word: str, parts: set[str]) -> None:
    assert {token for token, weight in tokens_of(word) if weight == PART_WEIGHT} == {
        stem_of(part) for part in parts
    }
