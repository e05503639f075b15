"""The Trainer looks for its best checkpoint by a metric that the evaluation does not return."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "datasets==5.2.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import Wrapper, perplexity
from proof_best import asked, best, looked, of_trl, unlabelled, wrapped

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama

ONCE = "another TRL, imported anew"
# Older ones hand on None where there is no batch.
ENDS = ["accelerate>=1.9"]
V1_8 = ["accelerate==1.8.1"]
ONCE_MORE = "another accelerate, imported anew"


@reproduce(on="any")
def two_sets() -> dict[str, Any]:
    """Each of two evaluation sets has its own loss, and none is eval_loss."""
    return best(sets=2)


@reproduce(on="any")
def labels_not_named() -> dict[str, Any]:
    """The Trainer does not see which input is the label, and computes no loss."""
    return wrapped()


@reproduce(on="any")
def metric_not_computed() -> dict[str, Any]:
    """Nothing computes the accuracy."""
    return best(metric_for_best_model="accuracy")


@reproduce(on="any")
def rows_without_labels() -> dict[str, Any]:
    """The model makes its labels itself, and the Trainer asks for no loss in evaluation."""
    return unlabelled()


@reproduce(on="any", needs=ENDS)
def less_than_a_batch() -> dict[str, Any]:
    """Eight rows are dropped, as a batch would be sixteen."""
    return best(dataloader_drop_last=True, per_device_eval_batch_size=16)


@reproduce(on="any")
def best_not_loaded() -> dict[str, Any]:
    """The metric is looked up even though no best checkpoint is loaded."""
    return best(metric_for_best_model="accuracy", load_best_model_at_end=False)


@reproduce(on="any", versions=["trl==1.4.0"], record_once=ONCE)
def logged_by_trl_1_4() -> dict[str, Any]:
    """TRL logs the metric, and adds it to a copy of what the evaluation returned."""
    return of_trl()


@fix("name-the-set", control="two-sets", on="any")
def set_named() -> dict[str, Any]:
    """The best by the loss on one of the sets."""
    return best(sets=2, **snippet("name-the-set")["options"])


@fix("label-names", control="labels-not-named", on="any")
def labels_named() -> dict[str, Any]:
    """The Trainer is told which input is the label."""
    return wrapped(**snippet("label-names")["options"])


@fix("compute-it", control="metric-not-computed", on="any")
def metric_computed() -> dict[str, Any]:
    """The function of the page returns it."""
    return best(metric_for_best_model="accuracy", compute=True)


@fix("count-the-loss", control="rows-without-labels", on="any")
def loss_without_labels() -> dict[str, Any]:
    """The Trainer is told that the model returns a loss."""
    return unlabelled(counted=True)


@reproduce(on="any", versions=V1_8, record_once=ONCE_MORE)
def less_than_a_batch_on_1_8() -> dict[str, Any]:
    """The same, with the last release that hands None to the model."""
    return best(dataloader_drop_last=True, per_device_eval_batch_size=16)


@fix("no-drop", control="less-than-a-batch", on="any", needs=ENDS)
def nothing_dropped() -> dict[str, Any]:
    """The rows are evaluated."""
    return best(dataloader_drop_last=False, per_device_eval_batch_size=16)


@fix(
    "no-drop",
    control="less-than-a-batch-on-1-8",
    on="any",
    versions=V1_8,
    record_once=ONCE_MORE,
)
def nothing_dropped_on_1_8() -> dict[str, Any]:
    """The rows are evaluated there too."""
    return best(dataloader_drop_last=False, per_device_eval_batch_size=16)


@fix(
    "newer-trl",
    control="logged-by-trl-1-4",
    on="any",
    versions=["trl==1.5.0"],
    record_once=ONCE,
)
def returned_by_trl_1_5() -> dict[str, Any]:
    """The same metric is in what the evaluation returns."""
    return of_trl()


@non_fix("one-text", control="labels-not-named", on="any")
def label_names_as_a_text() -> dict[str, Any]:
    """A text is taken letter by letter."""
    return wrapped(label_names="labels")


@detect(found=True, on="any")
def finds_no_loss() -> dict[str, Any]:
    """An evaluation before training lacks it."""
    return asked(Wrapper(tiny_llama()))


@detect(found=False, control="finds-no-loss", on="any")
def accepts_a_loss() -> dict[str, Any]:
    """This model names its labels."""
    return asked(tiny_llama())


@detect(found=True, on="any")
def finds_no_loss_of_two_sets() -> dict[str, Any]:
    """Each set has its own loss."""
    return asked(tiny_llama(), sets=2)


@detect(found=False, control="finds-no-loss-of-two-sets", on="any")
def accepts_the_named_set() -> dict[str, Any]:
    """The loss on one of them is named."""
    return asked(tiny_llama(), sets=2, **snippet("name-the-set")["options"])


@detect(found=True, on="any")
def keeps_the_worst() -> dict[str, Any]:
    """Of a metric whose name does not end in loss, more is taken for better."""
    return looked(perplexity, metric_for_best_model="perplexity")


@detect(found=False, control="keeps-the-worst", on="any")
def keeps_the_best() -> dict[str, Any]:
    """The direction is given."""
    return looked(perplexity, metric_for_best_model="perplexity", greater_is_better=False)


if __name__ == "__main__":
    main(__file__)
