"""torch.load refuses a file whose objects are not on its list of allowed names."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "numpy==2.4.6", "deepspeed==0.19.8",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from proof_names import (
    load,
    load_loss,
    load_state_of_numpy,
    load_states,
    look,
    look_at_states,
)
from proof_resume import (
    allow_the_function,
    allow_the_name,
    delete,
    resume,
    save_again,
    set_the_variable,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def namespace_in_the_file() -> dict[str, Any]:
    """A Namespace among the tensors."""
    return load()


@reproduce(versions=["numpy==1.26.4"])
def state_of_numpy_1() -> None:
    """NumPy 1 writes numpy.core, and no NumPy is on torch's own list."""
    load_state_of_numpy()


@reproduce(on="any")
def trainer_with_a_state_of_numpy_1() -> dict[str, Any]:
    """The Trainer allows the names of the NumPy that is installed."""
    return resume()


@reproduce()
def loss_by_name() -> dict[str, Any]:
    """The class of its dtype is made while loading, and stands nowhere in the file."""
    return load_loss()


@reproduce()
def states_of_deepspeed() -> dict[str, Any]:
    """A loss scaler of DeepSpeed, and a torch.load that leaves the argument out."""
    return load_states()


@detect(found=True)
def names_with_a_namespace() -> dict[str, Any]:
    """The name, without running anything of the file."""
    return look(argparse.Namespace(lr=1e-3))


@detect(found=True)
def names_with_a_numpy_scalar() -> dict[str, Any]:
    """A loss that NumPy averaged is no number of Python."""
    return look(np.mean([0.5, 1.5]))


@detect(found=False, control="names-with-a-namespace")
def names_once_allowed() -> dict[str, Any]:
    """The list is of names that are not allowed yet."""
    return look(argparse.Namespace(lr=1e-3), allow=True)


@detect(found=False, control="names-with-a-namespace")
def names_with_plain_values() -> dict[str, Any]:
    """Numbers need no import."""
    return look({"lr": 1e-3})


@detect(found=False)
def names_in_usual_states() -> dict[str, Any]:
    """A model, an optimizer, a schedule."""
    return look_at_states()


@detect(found=True)
def names_in_an_old_file() -> dict[str, Any]:
    """The format of before torch 1.6, in which most older weights are."""
    return look(argparse.Namespace(lr=1e-3), old=True)


@detect(found=False)
def names_in_usual_old_files() -> dict[str, Any]:
    """Sound files in it."""
    return look_at_states(old=True)


@fix("allow", control="namespace-in-the-file")
def namespace_allowed_by_name() -> dict[str, Any]:
    """The same file, with what it holds allowed by name."""
    return load(code="allow")


@fix("allow", control="loss-by-name")
def loss_by_name_and_class() -> dict[str, Any]:
    """The class of the dtype besides."""
    return load_loss(type(np.dtype("float64")))


@fix("save-again", control="trainer-with-a-state-of-numpy-1", on="any")
def trainer_with_the_state_of_today() -> dict[str, Any]:
    """The NumPy of today writes the names of today."""
    return resume(save_again)


@fix("pair", control="trainer-with-a-state-of-numpy-1", on="any")
def trainer_with_a_pair() -> dict[str, Any]:
    """The function of today, by the name that the file has."""
    return resume(allow_the_name)


@fix("deepspeed", control="states-of-deepspeed")
def states_of_deepspeed_by_the_variable() -> dict[str, Any]:
    """The variable turns the default of torch.load around."""
    return load_states(variable=True)


@fix("deepspeed", control="namespace-in-the-file")
def namespace_by_the_variable() -> dict[str, Any]:
    """The same for any call that leaves the argument out."""
    return load(variable=True)


@fix("deepspeed", control="states-of-deepspeed")
def states_of_deepspeed_by_itself() -> dict[str, Any]:
    """The DeepSpeed of today passes the argument."""
    return load_states(engine=True)


@fix("plain-values", control="namespace-in-the-file")
def plain_values_in_the_file() -> dict[str, Any]:
    """A dict of numbers instead of the Namespace."""
    return load(plain=True)


@fix("trust", control="namespace-in-the-file")
def namespace_without_the_list() -> dict[str, Any]:
    """The same file, unpickled whatever it holds."""
    return load(code="trust")


@non_fix("printed-advice", control="trainer-with-a-state-of-numpy-1", on="any")
def trainer_as_the_message_says() -> dict[str, Any]:
    """What is allowed is known by its name of today."""
    return resume(allow_the_function)


@non_fix("variable-for-a-trainer", control="trainer-with-a-state-of-numpy-1", on="any")
def trainer_with_the_variable() -> dict[str, Any]:
    """The variable sets a default; the Trainer says what it wants."""
    return resume(set_the_variable)


@detect(found=True, on="any")
def trainer_without_its_state() -> dict[str, Any]:
    """No error, and another dropout."""
    return resume(delete, rename=False)


@detect(found=False, control="trainer-without-its-state", on="any")
def trainer_with_its_state() -> dict[str, Any]:
    """The same steps as without an interruption."""
    return resume(rename=False)


if __name__ == "__main__":
    main(__file__)
