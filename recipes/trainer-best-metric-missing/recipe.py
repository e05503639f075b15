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
from proof_best import asked, best, looked, unlabelled, wrapped

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama


@reproduce()
def two_sets() -> dict[str, Any]:
    """Each of two evaluation sets has its own loss, and none is eval_loss."""
    return best(sets=2)


@reproduce()
def labels_not_named() -> dict[str, Any]:
    """The Trainer does not see which input is the label, and computes no loss."""
    return wrapped()


@reproduce()
def metric_not_computed() -> dict[str, Any]:
    """Nothing computes the accuracy."""
    return best(metric_for_best_model="accuracy")


@reproduce()
def rows_without_labels() -> dict[str, Any]:
    """The model makes its labels itself, and the Trainer asks for no loss in evaluation."""
    return unlabelled()


@reproduce()
def less_than_a_batch() -> dict[str, Any]:
    """Eight rows are dropped, as a batch would be sixteen."""
    return best(dataloader_drop_last=True, per_device_eval_batch_size=16)


@reproduce()
def best_not_loaded() -> dict[str, Any]:
    """The metric is looked up even though no best checkpoint is loaded."""
    return best(metric_for_best_model="accuracy", load_best_model_at_end=False)


@fix("name-the-set", control="two-sets")
def set_named() -> dict[str, Any]:
    """The best by the loss on one of the sets."""
    return best(sets=2, **snippet("name-the-set")["options"])


@fix("label-names", control="labels-not-named")
def labels_named() -> dict[str, Any]:
    """The Trainer is told which input is the label."""
    return wrapped(**snippet("label-names")["options"])


@fix("compute-it", control="metric-not-computed")
def metric_computed() -> dict[str, Any]:
    """The function of the page returns it."""
    return best(metric_for_best_model="accuracy", compute=True)


@fix("count-the-loss", control="rows-without-labels")
def loss_without_labels() -> dict[str, Any]:
    """The Trainer is told that the model returns a loss."""
    return unlabelled(counted=True)


@fix("no-drop", control="less-than-a-batch")
def nothing_dropped() -> dict[str, Any]:
    """The rows are evaluated."""
    return best(dataloader_drop_last=False, per_device_eval_batch_size=16)


@non_fix("one-text", control="labels-not-named")
def label_names_as_a_text() -> dict[str, Any]:
    """A text is taken letter by letter."""
    return wrapped(label_names="labels")


@detect(found=True)
def finds_no_loss() -> dict[str, Any]:
    """An evaluation before training lacks it."""
    return asked(Wrapper(tiny_llama()))


@detect(found=False, control="finds-no-loss")
def accepts_a_loss() -> dict[str, Any]:
    """This model names its labels."""
    return asked(tiny_llama())


@detect(found=True)
def finds_no_loss_of_two_sets() -> dict[str, Any]:
    """Each set has its own loss."""
    return asked(tiny_llama(), sets=2)


@detect(found=False, control="finds-no-loss-of-two-sets")
def accepts_the_named_set() -> dict[str, Any]:
    """The loss on one of them is named."""
    return asked(tiny_llama(), sets=2, **snippet("name-the-set")["options"])


@detect(found=True)
def keeps_the_worst() -> dict[str, Any]:
    """Of a metric whose name does not end in loss, more is taken for better."""
    return looked(metrics=perplexity, metric_for_best_model="perplexity")


@detect(found=False, control="keeps-the-worst")
def keeps_the_best() -> dict[str, Any]:
    """The direction is given."""
    return looked(metrics=perplexity, metric_for_best_model="perplexity", greater_is_better=False)


if __name__ == "__main__":
    main(__file__)
