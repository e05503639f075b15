"""A name that the installed huggingface_hub no longer has, or does not have yet."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "huggingface_hub==2.4.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_names import (
    GUARDED,
    NEW,
    OLD,
    ask,
    asked_for_token,
    checked,
    checked_library,
    diffusers,
    fetched,
    transformers,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

HUB = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_XET": "1"}
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
HUB_025 = ["huggingface_hub==0.25.2"]
HUB_026 = ["huggingface_hub==0.26.0"]
HUB_036 = ["huggingface_hub==0.36.2", *HTTP]
HUB_1 = ["huggingface_hub==1.0.0", *HTTP]
BEFORE = ["transformers==4.57.6", "tokenizers==0.22.1"]
DIFFUSERS = ["importlib_metadata==8.7.0", "zipp==3.23.0"]
ONCE = "another huggingface_hub or diffusers, imported anew"


@reproduce(env=HUB)
def old_download() -> dict[str, Any]:
    """A script downloads as in 2023, beside transformers 5."""
    return fetched(beside="transformers")


@reproduce()
def old_token() -> dict[str, Any]:
    """A script asks for the token by a class that is gone."""
    return asked_for_token()


@reproduce(versions=["diffusers==0.27.2", *DIFFUSERS], record_once=ONCE)
def old_diffusers() -> dict[str, Any]:
    """No name of the script is missing, but one that an old library imports."""
    return diffusers()


@reproduce(env=HUB, versions=HUB_026, record_once=ONCE)
def download_on_0_26() -> dict[str, Any]:
    """The first release without cached_download."""
    return fetched()


@reproduce(versions=HUB_1, record_once=ONCE)
def token_on_1_0() -> dict[str, Any]:
    """The first release without HfFolder."""
    return asked_for_token()


@fix(
    "library", control="old-diffusers", versions=["diffusers==0.42.1", *DIFFUSERS], record_once=ONCE
)
def newer_diffusers() -> dict[str, Any]:
    """The same import in a diffusers of today."""
    return diffusers()


@reproduce(versions=HUB_025, record_once=ONCE)
def too_old_for_transformers() -> dict[str, Any]:
    """Here the library is the newer one."""
    return transformers()


@fix("newer", control="too-old-for-transformers")
def new_enough_for_transformers() -> dict[str, Any]:
    """The huggingface_hub of today."""
    return transformers()


@fix("new-name", control="old-download", env=HUB)
def new_download() -> dict[str, Any]:
    """The page's line downloads the file."""
    return fetched(new=True, beside="transformers")


@fix("new-name", control="old-token")
def new_token() -> dict[str, Any]:
    """The page's line gets the token."""
    return asked_for_token(new=True)


@fix("older", control="download-on-0-26", env=HUB, versions=HUB_025, record_once=ONCE)
def download_on_0_25() -> dict[str, Any]:
    """The last release with cached_download."""
    return fetched()


@fix("older", control="token-on-1-0", versions=HUB_036, record_once=ONCE)
def token_on_0_36() -> dict[str, Any]:
    """The last release with HfFolder."""
    return asked_for_token()


@non_fix("below-026", control="old-download", env=HUB, versions=HUB_025, record_once=ONCE)
def older_beside_transformers_5() -> dict[str, Any]:
    """The name is back, and transformers 5 does not import."""
    return fetched(beside="transformers")


@reproduce(env=HUB, versions=[*HUB_036, *BEFORE], record_once=ONCE)
def download_beside_4_57() -> dict[str, Any]:
    """The same script beside the last transformers 4."""
    return fetched(beside="transformers")


@non_fix(
    "below-026",
    control="download-beside-4-57",
    env=HUB,
    versions=[*HUB_025, *HTTP, *BEFORE],
    record_once=ONCE,
)
def older_beside_transformers_4_57() -> dict[str, Any]:
    """The name is back, and transformers 4.57.6 wants a newer huggingface_hub."""
    return fetched(beside="transformers")


@detect(found=True, versions=["diffusers==0.27.2", *DIFFUSERS], record_once=ONCE)
def file_of_old_diffusers() -> dict[str, Any]:
    """The file that the traceback ends in."""
    return checked_library()


@detect(found=True)
def old_script() -> dict[str, Any]:
    """A script with the old import."""
    return checked(OLD)


@detect(found=False, control="old-script")
def new_script() -> dict[str, Any]:
    """The same script with the new one."""
    return checked(NEW)


@detect(found=False, control="old-script")
def guarded_script() -> dict[str, Any]:
    """A script that does without the old name."""
    return checked(GUARDED)


@detect(found=False, versions=HUB_025, record_once=ONCE)
def asked_0_25() -> dict[str, Any]:
    """The last with cached_download."""
    return ask()


@detect(found=True, versions=HUB_026, record_once=ONCE)
def asked_0_26() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True, versions=HUB_036, record_once=ONCE)
def asked_0_36() -> dict[str, Any]:
    """The last with HfFolder."""
    return ask()


@detect(found=True, versions=HUB_1, record_once=ONCE)
def asked_1_0() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True)
def asked_today() -> dict[str, Any]:
    """Today's."""
    return ask()


if __name__ == "__main__":
    main(__file__)
