"""What a log says stands in the code of its answer: the reader's port, path, argument or size."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.log.answer import answer_of
from tests.real_book import real_finder, real_rows

if TYPE_CHECKING:
    from fixbook.log.finder import Finder
    from fixbook.text import Lang


@functools.cache
def book() -> tuple[dict[str, Any], Finder]:
    return real_rows(), real_finder()


def answer(log: str, lang: Lang = "en") -> dict[str, Any]:
    rows, finder = book()
    found = answer_of(finder.diagnosis(log), rows, [], lang)["answer"]
    assert isinstance(found, dict)
    return found


def offered(found: dict[str, Any]) -> str:
    """Return all that the answer's reader may copy, and the texts around it."""
    detect = found["detect"] or {"text": "", "code": None}
    parts = [detect["text"], (detect["code"] or {"text": ""})["text"]]
    for fix in found["fixes"]:
        parts += [fix["text"], (fix["code"] or {"text": ""})["text"]]
        parts += [change["text"] for change in fix["changes"]]
    return "\n".join(parts)


LISTENS = "The server socket has failed to listen on"
PORT = (
    f"torch.distributed.DistNetworkError: {LISTENS} any local network address. port: 29611, "
    "useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use"
)
OLD_PORT = f"[W socket.cpp:401] [c10d] {LISTENS} [::]:47531 (errno: 98 - Address already in use)."
PARSED = (
    "pyarrow.lib.ArrowInvalid: JSON parse error: Column({}) changed from string to array in row 1"
)
COLUMN, NESTED = PARSED.format("/reply"), PARSED.format("/turns/[]/text")
UNEXPECTED = "TypeError: {}.__init__() got an unexpected keyword argument '{}'"
RENAMED = UNEXPECTED.format("TrainingArguments", "no_cuda")
TOKENIZER = UNEXPECTED.format("Trainer", "tokenizer")
DPO = UNEXPECTED.format("DPOTrainer", "beta")
FOLDER = (
    "ValueError: Invalid for universal checkpoint: "
    "out/checkpoint-90/latest_universal does not exist"
)
WORLD = (
    "deepspeed.runtime.zero.utils.ZeRORuntimeException: The checkpoint being loaded used a DP "
    "world size of 2 but the current world size is 1. Automatic adjustment of ZeRO's optimizer "
    "state partitioning with a new world size is not currently supported."
)
MISMATCH = "[rank0]: - ds optimizer.params.lr=0.0003 vs hf learning_rate=2e-05"
HOME = (
    "huggingface_hub.errors.HFValidationError: Repo id must be in the form 'repo_name' or "
    "'namespace/repo_name': '~/weights/my-model'. Use `repo_type` argument if needed."
)
EIGHT_BITS = "ValueError: Cannot merge LORA layers when the model is loaded in 8-bit mode"
COLUMNS = (
    "ValueError: No columns in the dataset match the model's forward method signature: (input_ids, "
    "labels). The following columns have been ignored: [story]. Please check the dataset and model."
)
GLOBAL = (
    "_pickle.UnpicklingError: Weights only load failed.\n\tWeightsUnpickler error: Unsupported "
    "global: GLOBAL os.system was not an allowed global by default."
)


@pytest.mark.parametrize(
    ("log", "slug", "said", "toys"),
    [
        (PORT, "address-already-in-use-29500", ["sport = :${port:-29611}"], ["29500"]),
        (OLD_PORT, "address-already-in-use-29500", ["sport = :${port:-47531}"], ["29500"]),
        (
            COLUMN,
            "dataset-json-parse-arrow",
            ['str(row["reply"])', '{"reply": Json(), "‹the other columns›"'],
            ['"answer"'],
        ),
        (
            NESTED,
            "dataset-json-parse-arrow",
            ['row["‹the column of several types›"]'],
            ['"answer"'],
        ),
        (
            RENAMED,
            "trainer-api-renamed-kwarg",
            ['TrainingArguments, "no_cuda", "‹another one of them›"'],
            [],
        ),
        (
            TOKENIZER,
            "trainer-api-renamed-kwarg",
            ['TrainingArguments, "‹an argument of your TrainingArguments›"'],
            ['"tokenizer"'],
        ),
        (
            FOLDER,
            "zero-resume-world-size-changed",
            ["--input_folder out/checkpoint-90/‹global_stepN›"],
            ["global_step2"],
        ),
        (
            WORLD,
            "zero-resume-world-size-changed",
            ["--input_folder ‹the folder of checkpoints›/‹global_stepN›"],
            ["saved/"],
        ),
        (
            DPO,
            "sfttrainer-api-moved-kwarg",
            ['unknown(trl.‹the class in the message›, "beta", "‹another one that you pass›")'],
            ["512", "256"],
        ),
        (
            MISMATCH,
            "deepspeed-config-mismatch-trainingargs",
            ['get_value("optimizer.params.lr")', "‹each key that is listed›: 0.0003"],
            ["gradient_clipping", ": 4"],
        ),
        (
            HOME,
            "hf-repo-id-is-missing-local-path",
            [
                "-base_model: ~/weights/my-model",
                "+base_model: ‹its absolute path›",
                "+model_name_or_path: ‹its absolute path›",
            ],
            ["phi-4"],
        ),
        (EIGHT_BITS, "peft-merge-quantized", ["-quantization_bit: 8"], ["quantization_bit: 4"]),
        (
            COLUMNS,
            "trainer-no-matching-columns",
            ['rows["‹the column of texts›"]', '"‹the column of token ids›": "input_ids"'],
            ['["text"]', '"ids"'],
        ),
    ],
)
def test_the_code_holds_the_values_of_the_log(
    log: str, slug: str, said: list[str], toys: list[str]
) -> None:
    found = answer(log)
    assert found["slug"] == slug
    copied = offered(found)
    assert [one for one in said if one not in copied] == []
    assert [one for one in toys if one in copied] == []


def test_no_name_of_an_untrusted_file_is_offered_for_loading() -> None:
    found = answer(GLOBAL)
    assert found["slug"] == "weights-only-unpickling"
    assert "safe_globals([‹a name that you know›])" in offered(found)
    assert "os.system" not in offered(found)


def test_blanks_are_in_the_language_of_the_answer() -> None:
    assert "‹类型不一的列›" in offered(answer(NESTED, "zh"))
