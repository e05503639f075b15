"""An import of a name that the installed transformers no longer has, or does not have yet."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import imported
from proof_names import (
    NEW,
    OLD,
    ask,
    checked,
    import_base,
    import_bert,
    import_class,
    loaded,
    train,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
OLDEST = ["huggingface_hub==0.36.2", "tokenizers==0.15.2", "numpy==1.26.4"]
WITH_4 = ["huggingface_hub==0.36.0", "tokenizers==0.21.4", "datasets==4.8.4", *HTTP]
LAST_4 = ["huggingface_hub==0.36.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
FIRST_5 = ["huggingface_hub==1.17.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
ON_4_49 = ["transformers==4.49.0", *WITH_4]
ON_4_50 = ["transformers==4.50.0", *WITH_4]
ON_4_56 = ["transformers==4.56.2", *LAST_4]
ON_4_57 = ["transformers==4.57.6", *LAST_4]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce()
def old_class() -> dict[str, Any]:
    """A class that has a new name."""
    return import_class()


@reproduce(on="any")
def old_import() -> dict[str, Any]:
    """A script that takes AdamW from transformers."""
    return train("transformers")


@reproduce(on="any", versions=ON_4_50, record_once=ONCE)
def old_import_on_4_50() -> dict[str, Any]:
    """The first release without AdamW."""
    return train("transformers")


@reproduce()
def old_module() -> dict[str, Any]:
    """A module that moved in 4.0."""
    return import_bert()


@reproduce()
def remote_code() -> dict[str, Any]:
    """Code that came with a model asks for is_torch_fx_available."""
    return loaded()


@reproduce(versions=ON_4_56, record_once=ONCE)
def newer_class_on_4_56() -> dict[str, Any]:
    """The other way round: a class that is newer than the release."""
    return {"name": imported("Qwen3VLForConditionalGeneration").__name__}


@reproduce(versions=ON_4_57, record_once=ONCE)
def hidden_error() -> dict[str, Any]:
    """The name is there, and its module fails as it is imported."""
    return import_base(without_dtype=True)


@detect(found=True)
def old_script() -> dict[str, Any]:
    """A script with the old import."""
    return checked(OLD)


@detect(found=False, control="old-script")
def new_script() -> dict[str, Any]:
    """The same script with the new one."""
    return checked(NEW)


@fix("new-names", control="old-class")
def new_class() -> dict[str, Any]:
    """The line of the page imports it by its new name."""
    return import_class(as_printed=True)


@fix("moved", control="old-module")
def moved_modules() -> dict[str, Any]:
    """The lines of the page import from the new modules."""
    return import_bert(as_printed=True)


@fix("adamw", control="old-import", on="any")
def new_import() -> dict[str, Any]:
    """The page's lines as they are printed."""
    return train("as-printed")


@fix("built-in-class", control="remote-code")
def built_in_class() -> dict[str, Any]:
    """The class of transformers for the same weights."""
    return loaded(as_printed=True)


@fix("real-error", control="hidden-error", versions=ON_4_57, record_once=ONCE)
def nothing_hidden() -> dict[str, Any]:
    """The same release, and a torch that has all that it asks for."""
    return import_base()


@fix("newer-release", control="newer-class-on-4-56")
def newer_class_today() -> dict[str, Any]:
    """A release that has it."""
    return {"name": imported("Qwen3VLForConditionalGeneration").__name__}


@fix(
    "release-of-the-code",
    control="old-import-on-4-50",
    on="any",
    versions=ON_4_49,
    record_once=ONCE,
)
def old_import_on_4_49() -> dict[str, Any]:
    """The last release with it."""
    return train("transformers")


@fix("release-of-the-code", control="remote-code", versions=ON_4_57, record_once=ONCE)
def remote_code_on_4_57() -> dict[str, Any]:
    """The last release with is_torch_fx_available."""
    return loaded()


@non_fix("upgrade", control="old-import-on-4-50", on="any")
def upgraded() -> dict[str, Any]:
    """A newer release, and the same script."""
    return train("transformers")


@non_fix("optimization", control="old-import", on="any")
def from_optimization() -> dict[str, Any]:
    """The module that used to define it, which is still there."""
    return train("transformers.optimization")


@detect(found=True, on="any")
def only_renamed() -> dict[str, Any]:
    """Only the import changed: torch decays weights by default."""
    return train("torch.optim")


@detect(found=False, control="only-renamed", on="any")
def renamed_and_set() -> dict[str, Any]:
    """The defaults of transformers written out."""
    return train("as-printed")


@detect(found=False, versions=["transformers==4.38.2", *OLDEST], record_once=ONCE)
def asked_4_38() -> dict[str, Any]:
    """The last with top_k_top_p_filtering."""
    return ask()


@detect(found=False, versions=["transformers==4.47.1", *WITH_4], record_once=ONCE)
def asked_4_47() -> dict[str, Any]:
    """The last with LLAMA_ATTENTION_CLASSES."""
    return ask()


@detect(found=False, versions=["transformers==4.48.0", *WITH_4], record_once=ONCE)
def asked_4_48() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=False, versions=ON_4_49, record_once=ONCE)
def asked_4_49() -> dict[str, Any]:
    """The last with AdamW."""
    return ask()


@detect(found=True, versions=ON_4_50, record_once=ONCE)
def asked_4_50() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True, versions=ON_4_57, record_once=ONCE)
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


if __name__ == "__main__":
    main(__file__)
