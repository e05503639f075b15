"""compute_loss of a subclass does not take the count of tokens that the Trainer hands over."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import OldStepTrainer, OldTrainer, token_mean
from proof_releases import ask, divided, released
from proof_scaled import (
    OldRows,
    Rows,
    checked,
    hidden,
    outdated,
    refused,
    row_mean,
    shortened,
    told,
    wrapped,
)
from proof_steps import Ignoring, NewStepTrainer, made, on_page, overridden, without_factor
from transformers import Seq2SeqTrainer, Trainer

from fixbook.recipe import detect, fix, main, non_fix, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
OLDER = ["huggingface_hub==0.36.2", "tokenizers==0.20.3", "datasets==4.8.4", *HTTP]
OLD = ["huggingface_hub==0.36.0", "tokenizers==0.21.4", "datasets==4.8.4", *HTTP]
LAST_4 = ["huggingface_hub==0.36.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
FIRST_5 = ["huggingface_hub==1.17.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(on="any")
def old_signature() -> dict[str, Any]:
    """The signature of releases before 4.46."""
    return checked(made(OldTrainer))


@reproduce(on="any")
def old_signature_of_a_row_mean() -> dict[str, Any]:
    """The same with a loss in which every row counts the same."""
    return checked(made(OldRows), row_mean)


@reproduce(on="any")
def function_of_two() -> dict[str, Any]:
    """A function given to the Trainer fails under its own name."""
    return checked(made(Trainer, compute_loss_func=token_mean))


@reproduce(on="any")
def old_training_step() -> dict[str, Any]:
    """Another method with the signature of old."""
    return checked(made(OldStepTrainer), None)


@reproduce(on="any")
def model_refuses() -> dict[str, Any]:
    """The model takes anything, and a part of it does not."""
    return refused(mended=False)


@fix("model", control="model-refuses", on="any")
def model_not_asked() -> dict[str, Any]:
    """The Trainer keeps the count, and divides."""
    return refused(mended=True)


@fix("wrap", control="old-signature", on="any")
def wrapped_anew() -> dict[str, Any]:
    """The lines of the page around the class."""
    return checked(wrapped(OldTrainer))


@fix("wrap", control="old-signature-of-a-row-mean", on="any")
def wrapped_row_mean() -> dict[str, Any]:
    """The mean of means is right where rows count the same."""
    return checked(wrapped(OldRows), row_mean)


@fix("loss-func", control="function-of-two", on="any")
def given_as_function() -> dict[str, Any]:
    """The loss of the page, as an argument of the Trainer itself."""
    return checked(made(Trainer, compute_loss_func=on_page("loss")["my_loss"]))


@fix("method", control="old-signature", on="any")
def overridden_anew() -> dict[str, Any]:
    """The subclass of the page."""
    return checked(made(overridden()))


@fix("other-methods", control="old-training-step", on="any")
def new_training_step() -> dict[str, Any]:
    """The signature of the page, handed on."""
    return checked(made(NewStepTrainer), None)


@detect(found=True, on="any", ranks=2)
def without_processes() -> dict[str, Any]:
    """On two ranks the count is that of both, and gradients are averaged."""
    return shortened(without_factor())


@fix("method", control="without-processes", on="any", ranks=2)
def with_processes() -> dict[str, Any]:
    """The subclass of the page."""
    return shortened(overridden())


@fix("loss-func", control="without-processes", on="any", ranks=2)
def function_on_two_ranks() -> dict[str, Any]:
    """The Trainer has the factor."""
    return shortened(Trainer, compute_loss_func=on_page("loss")["my_loss"])


@non_fix("ignore-it", control="old-signature", on="any")
def ignored() -> dict[str, Any]:
    """The argument is taken, and the mean is over the part of the batch at hand."""
    return checked(made(Ignoring))


@detect(found=True, on="any")
def multiplied() -> dict[str, Any]:
    """The Trainer does not divide, because the model takes the count."""
    return checked(made(Ignoring))


@detect(found=True, on="any")
def hidden_by_adamw() -> dict[str, Any]:
    """Its first step is as long whatever the length of the gradient."""
    return hidden()


@detect(found=True, on="any")
def divided_twice() -> dict[str, Any]:
    """The loss is divided by the count, and the Trainer is told to divide as well."""
    return checked(told(made(overridden()), "loss_is_scaled_for_ga"))


@detect(found=False, control="multiplied", on="any")
def not_accumulated() -> dict[str, Any]:
    """In one part there is nothing to divide."""
    return checked(made(Ignoring, 1))


@detect(found=False, control="divided-twice", on="any")
def divided_once() -> dict[str, Any]:
    """The subclass of the page."""
    return checked(made(overridden()))


@detect(found=False)
def sound_trainers() -> dict[str, Any]:
    """No method of a trainer of the library is outdated, and none of the page's."""
    return outdated(Seq2SeqTrainer, overridden(), type(wrapped(Rows)), NewStepTrainer)


@detect(found=False, versions=["transformers==4.45.2", *OLDER], record_once=ONCE)
def asked_4_45() -> dict[str, Any]:
    """The last release whose Trainer hands over nothing more."""
    return ask()


@detect(found=True, versions=["transformers==4.46.1", *OLDER], record_once=ONCE)
def asked_4_46() -> dict[str, Any]:
    """The first that counts tokens; 4.46.0 was withdrawn."""
    return ask()


@detect(found=True, versions=["transformers==4.47.0", *OLD], record_once=ONCE)
def asked_4_47() -> dict[str, Any]:
    """The first that tells log when the training began."""
    return ask()


@detect(found=True, versions=["transformers==4.48.3", *OLD], record_once=ONCE)
def asked_4_48() -> dict[str, Any]:
    """The last of 4.48."""
    return ask()


@detect(found=True, versions=["transformers==4.49.0", *OLD], record_once=ONCE)
def asked_4_49() -> dict[str, Any]:
    """The last whose get_batch_samples knows no device."""
    return ask()


@detect(found=True, versions=["transformers==4.50.3", *OLD], record_once=ONCE)
def asked_4_50() -> dict[str, Any]:
    """The first that knows one, but for patches."""
    return ask()


@detect(found=True, versions=["transformers==4.51.3", *OLD], record_once=ONCE)
def asked_4_51() -> dict[str, Any]:
    """The last whose sampler is not told the data set."""
    return ask()


@detect(found=True, versions=["transformers==4.52.4", *OLD], record_once=ONCE)
def asked_4_52() -> dict[str, Any]:
    """One that tells it."""
    return ask()


@detect(found=True, versions=["transformers==4.57.6", *LAST_4], record_once=ONCE)
def asked_4_57() -> dict[str, Any]:
    """The last of the 4 series."""
    return ask()


@detect(found=True, versions=["transformers==5.0.0", *FIRST_5], record_once=ONCE)
def asked_5_0() -> dict[str, Any]:
    """The first of the 5 series."""
    return ask()


@detect(found=True)
def asked_today() -> dict[str, Any]:
    """Today's."""
    return ask()


@detect(found=True, on="any", versions=["transformers==4.57.6", *LAST_4], record_once=ONCE)
def divided_on_4_57() -> dict[str, Any]:
    """Which way of telling the Trainer to divide counts on the last of the 4 series."""
    return divided()


@detect(found=True, on="any", versions=["transformers==5.18.0"], record_once=ONCE)
def divided_on_5_18() -> dict[str, Any]:
    """The last release without the attribute."""
    return divided()


@detect(found=False, on="any", versions=["transformers==5.19.0"], record_once=ONCE)
def divided_on_5_19() -> dict[str, Any]:
    """The first that has it."""
    return divided()


@reproduce(on="any", versions=["transformers==4.46.1", *OLDER], record_once=ONCE)
def old_signature_on_4_46() -> dict[str, Any]:
    """The first release that refuses it."""
    return released()


@fix(
    "release-of-the-script",
    control="old-signature-on-4-46",
    on="any",
    versions=["transformers==4.45.2", *OLDER],
    record_once=ONCE,
)
def older_release() -> dict[str, Any]:
    """The last release that takes it."""
    return released()


if __name__ == "__main__":
    main(__file__)
