"""A model that ZeRO-3 has partitioned and that no engine serves, in a forward and in an update."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook",
#     "torch==2.13.0",
#     "transformers==5.23.0",
#     "deepspeed==0.19.8",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_models import ask_student, average, look, outside, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any", ranks=2)
def teacher_without_engine() -> Any:
    """Its weights are partitioned, and no hook gathers them."""
    return run()


@reproduce(on="any", ranks=2)
def head_without_engine() -> Any:
    """Another layer comes first, and finds its weight empty in its own words."""
    return run(head=True)


@reproduce(on="any", ranks=2)
def teacher_beside_an_accelerator() -> Any:
    """The Accelerator has transformers partition whatever is loaded."""
    return outside()


@reproduce(on="any", ranks=2)
def student_before_its_engine() -> Any:
    """The model being trained is no better off before it is initialised."""
    return ask_student(initialize=False)


@reproduce(on="any")
def started_by_python() -> Any:
    """One process alone, without a launcher."""
    return run()


@detect(found=True, on="any", ranks=2)
def listed_without_engine() -> Any:
    """Everything the teacher has is listed."""
    return look()


@detect(found=False, control="listed-without-engine", on="any", ranks=2)
def listed_with_engine() -> Any:
    """Its engine gathers it: nothing is listed."""
    return look(served=True)


@detect(found=False, control="listed-without-engine", on="any", ranks=2)
def listed_if_whole() -> Any:
    """A whole model needs no engine: nothing is listed."""
    return look(whole=True)


@fix("an-engine-of-its-own", control="teacher-without-engine", on="any", ranks=2)
def teacher_with_engine() -> Any:
    """DeepSpeed installs its hooks in the teacher too."""
    return run(served=True)


@fix("keep-it-whole", control="teacher-beside-an-accelerator", on="any", ranks=2)
def teacher_loaded_outside() -> Any:
    """Transformers partitions nothing meanwhile."""
    return outside("whole")


@fix("keep-it-whole", control="teacher-without-engine", on="any", ranks=2)
def teacher_loaded_first() -> Any:
    """No configuration asks transformers for a partition yet."""
    return run(early=True)


@fix("keep-it-whole", control="teacher-without-engine", on="any", ranks=2)
def zero_2() -> Any:
    """ZeRO-2 leaves weights whole."""
    return run(stage=2)


@fix("gather-around-it", control="teacher-without-engine", on="any", ranks=2)
def teacher_gathered() -> Any:
    """The weights are whole while the teacher is asked."""
    return run(gather=True)


@fix("engine-first", control="student-before-its-engine", on="any", ranks=2)
def student_after_its_engine() -> Any:
    """Its engine gathers the weights."""
    return ask_student(initialize=True)


@non_fix("launcher", control="started-by-python", on="any", ranks=2)
def started_by_torchrun() -> Any:
    """Two ranks have two partitions, and still nobody to gather them."""
    return run()


@non_fix("init-context", control="teacher-beside-an-accelerator", on="any", ranks=2)
def teacher_in_the_context() -> Any:
    """It replaces one configuration by another, and both partition."""
    return outside("context")


@non_fix("copy-the-student", control="teacher-without-engine", on="any", ranks=2)
def student_copied() -> Any:
    """The copy is empty too."""
    return run(copied=True)


@detect(found=True, on="any", ranks=2)
def averaged_bare() -> Any:
    """Empty tensors are averaged, and nothing raises."""
    return average(gathered=False)


@detect(found=False, control="averaged-bare", on="any", ranks=2)
def averaged_gathered() -> Any:
    """Rank 0 writes, and the write is partitioned again."""
    return average(gathered=True)


if __name__ == "__main__":
    main(__file__)
