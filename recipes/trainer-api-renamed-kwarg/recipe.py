"""An argument of TrainingArguments or Trainer that the installed transformers calls otherwise."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import arguments
from proof_names import (
    ask,
    check,
    give_flag,
    give_tokenizer,
    read_tokenizer,
    run_the_page,
    train,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
OLDEST = ["huggingface_hub==0.36.2", "tokenizers==0.19.1", "numpy==1.26.4"]
OLDER = ["huggingface_hub==0.36.2", "tokenizers==0.20.3", "datasets==4.8.4", *HTTP]
OLD = ["huggingface_hub==0.36.0", "tokenizers==0.21.4", "datasets==4.8.4", *HTTP]
LAST_4 = ["huggingface_hub==0.36.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
FIRST_5 = ["huggingface_hub==1.17.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
LATE_5 = ["huggingface_hub==1.17.0", "tokenizers==0.22.2", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce()
def old_name() -> dict[str, Any]:
    """A name that was dropped."""
    return train("evaluation_strategy")


@reproduce()
def old_flag() -> dict[str, Any]:
    """The same as a flag of a command."""
    return give_flag("--evaluation_strategy")


@reproduce()
def trainer_with_tokenizer() -> dict[str, Any]:
    """The Trainer's argument of old."""
    return give_tokenizer("tokenizer")


@reproduce()
def subclass_with_tokenizer() -> dict[str, Any]:
    """The Trainer's attribute of old."""
    return read_tokenizer("tokenizer")


@reproduce(versions=["transformers==4.51.0", *OLD], record_once=ONCE)
def old_name_on_4_51() -> dict[str, Any]:
    """The first release that refuses it."""
    return train("evaluation_strategy")


@reproduce(versions=["transformers==4.40.2", *OLDEST], record_once=ONCE)
def new_name_on_4_40() -> dict[str, Any]:
    """The other way round: today's name on a release that is too old for it."""
    return {"strategy": arguments(eval_strategy="steps").eval_strategy}


@fix("new-names", control="old-name")
def new_name() -> dict[str, Any]:
    """The same value under today's name."""
    return train("eval_strategy")


@fix("new-names", control="old-name")
def new_names_of_the_page() -> dict[str, Any]:
    """The page's lines."""
    return run_the_page()


@fix("new-names", control="old-flag")
def new_flag() -> dict[str, Any]:
    """Today's name as a flag."""
    return give_flag("--eval_strategy")


@fix("new-names", control="trainer-with-tokenizer")
def trainer_with_processing_class() -> dict[str, Any]:
    """Today's, and the tokenizer is saved with the model."""
    return give_tokenizer("processing_class")


@fix("new-names", control="subclass-with-tokenizer")
def subclass_with_processing_class() -> dict[str, Any]:
    """Today's attribute."""
    return read_tokenizer("processing_class")


@fix(
    "release-of-the-script",
    control="old-name-on-4-51",
    versions=["transformers==4.50.3", *OLD],
    record_once=ONCE,
)
def older_release() -> dict[str, Any]:
    """The last release that takes it."""
    return train("evaluation_strategy")


@fix(
    "release-of-the-script",
    control="new-name-on-4-40",
    versions=["transformers==4.41.0", *OLDEST],
    record_once=ONCE,
)
def newer_release() -> dict[str, Any]:
    """The first release that knows it."""
    return {"strategy": arguments(eval_strategy="steps").eval_strategy}


@non_fix("upgrade", control="old-name-on-4-51")
def old_name_on_a_later_release() -> dict[str, Any]:
    """A newer release, and the same script."""
    return train("evaluation_strategy")


@detect(found=True)
def script_without_the_argument() -> dict[str, Any]:
    """The argument deleted: nothing is raised, and nothing evaluated."""
    return check()


@detect(found=False, control="script-without-the-argument")
def script_with_the_new_name() -> dict[str, Any]:
    """Under today's name."""
    return check("eval_strategy")


@detect(found=False, versions=["transformers==4.40.2", *OLDEST], record_once=ONCE)
def asked_4_40() -> dict[str, Any]:
    """The last release without eval_strategy."""
    return ask()


@detect(found=False, versions=["transformers==4.41.0", *OLDEST], record_once=ONCE)
def asked_4_41() -> dict[str, Any]:
    """The first that has both."""
    return ask()


@detect(found=False, versions=["transformers==4.45.2", *OLDER], record_once=ONCE)
def asked_4_45() -> dict[str, Any]:
    """The last whose Trainer knows no processing_class."""
    return ask(trainers=True)


@detect(found=False, versions=["transformers==4.46.1", *OLDER], record_once=ONCE)
def asked_4_46() -> dict[str, Any]:
    """The first whose Trainer has both; 4.46.0 was withdrawn."""
    return ask(trainers=True)


@detect(found=False, versions=["transformers==4.50.3", *OLD], record_once=ONCE)
def asked_4_50() -> dict[str, Any]:
    """The last that takes evaluation_strategy."""
    return ask()


@detect(found=True, versions=["transformers==4.51.0", *OLD], record_once=ONCE)
def asked_4_51() -> dict[str, Any]:
    """The first that refuses it."""
    return ask()


@detect(found=True, versions=["transformers==4.57.6", *LAST_4], record_once=ONCE)
def asked_4_57() -> dict[str, Any]:
    """The last of the 4 series."""
    return ask(trainers=True)


@detect(found=True, versions=["transformers==5.0.0", *FIRST_5], record_once=ONCE)
def asked_5_0() -> dict[str, Any]:
    """The first of the 5 series."""
    return ask(trainers=True)


@detect(found=True, versions=["transformers==5.1.0", *FIRST_5], record_once=ONCE)
def asked_5_1() -> dict[str, Any]:
    """The last that takes group_by_length."""
    return ask()


@detect(found=True, versions=["transformers==5.2.0", *FIRST_5], record_once=ONCE)
def asked_5_2() -> dict[str, Any]:
    """The first that refuses it."""
    return ask()


@detect(found=True, versions=["transformers==5.14.1", *LATE_5], record_once=ONCE)
def asked_5_14() -> dict[str, Any]:
    """The last that takes warmup_ratio."""
    return ask()


@detect(found=True, versions=["transformers==5.15.0", *LATE_5], record_once=ONCE)
def asked_5_15() -> dict[str, Any]:
    """The first that refuses it."""
    return ask()


@detect(found=True)
def asked_today() -> dict[str, Any]:
    """Today's."""
    return ask(trainers=True)


if __name__ == "__main__":
    main(__file__)
