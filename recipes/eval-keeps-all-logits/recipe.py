"""An evaluation keeps the logits of the whole data set, and runs out of memory."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_batches import reported
from proof_memory import evaluate, of_a_classifier, of_a_t5, of_plain_texts, weigh

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def with_metrics() -> dict[str, Any]:
    """All logits are put together for compute_metrics."""
    return evaluate()


@reproduce()
def predicted() -> dict[str, Any]:
    """What predict() returns are the logits, all of them, with metrics or without."""
    return evaluate("predict", compute_metrics=None)


@reproduce()
def predicted_per_batch() -> dict[str, Any]:
    """Metrics per batch make no difference to predict()."""
    return evaluate("predict", batched=True)


@fix("keep-predictions", control="with-metrics")
def predictions_kept() -> dict[str, Any]:
    """The argmax is taken before anything is kept."""
    return evaluate(reduced=True)


@fix("keep-predictions", control="predicted")
def predictions_returned() -> dict[str, Any]:
    """The same for predict(): what it returns are predictions."""
    return evaluate("predict", compute_metrics=None, reduced=True)


@fix("metrics-per-batch", control="with-metrics")
def metrics_per_batch() -> dict[str, Any]:
    """Each batch is counted and let go."""
    return evaluate(batched=True)


@fix("loss-only", control="with-metrics")
def loss_only() -> dict[str, Any]:
    """No logits are asked for."""
    return evaluate(prediction_loss_only=True)


@fix("loss-only", control="with-metrics")
def without_metrics() -> dict[str, Any]:
    """Nothing would read the logits, so the Trainer does not keep them."""
    return evaluate(compute_metrics=None)


@non_fix("accumulation-steps", control="with-metrics")
def moved_after_each_step() -> dict[str, Any]:
    """The logits go to host memory, all of them."""
    return evaluate(eval_accumulation_steps=1)


@non_fix("smaller-batches", control="with-metrics")
def one_row_at_a_time() -> dict[str, Any]:
    """The same logits, in smaller pieces."""
    return evaluate(per_device_eval_batch_size=1)


@detect(found=True)
def keeps_all_logits() -> dict[str, Any]:
    """What compute_metrics is given is as large as the page's estimate."""
    return weigh()


@detect(found=False, control="keeps-all-logits")
def keeps_predictions() -> dict[str, Any]:
    """One number for each token."""
    return weigh(reduced=True)


@detect(found=True, on="any")
def keeps_states_of_a_t5() -> dict[str, Any]:
    """A T5 returns its encoder's output beside the logits: that is kept as well."""
    return of_a_t5()


@detect(found=False, control="keeps-states-of-a-t5", on="any")
def keeps_predictions_of_a_t5() -> dict[str, Any]:
    """The argmax alone of a tuple."""
    return of_a_t5(reduced=True)


@detect(found=True, on="any")
def keeps_logits_of_plain_texts() -> dict[str, Any]:
    """The data has no labels: the collator adds them."""
    return of_plain_texts()


@detect(found=False, on="any")
def keeps_little_of_a_classifier() -> dict[str, Any]:
    """Two numbers for each text are no reason."""
    return of_a_classifier()


@detect(found=True, on="any")
def last_batch_alone() -> dict[str, Any]:
    """A function without a state is asked for each batch, and the last answer is reported."""
    return reported(state=False)


@detect(found=False, control="last-batch-alone", on="any")
def all_batches() -> dict[str, Any]:
    """The page's own class adds the batches up."""
    return reported(state=True)


if __name__ == "__main__":
    main(__file__)
