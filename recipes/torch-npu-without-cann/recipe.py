"""torch_npu is installed, CANN is not loaded: import torch itself fails."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_cann import asked, imported, stand_in

from fixbook.recipe import detect, fix, main, non_fix, reproduce

NPU: dict[str, Any] = {
    "versions": ["torch_npu==2.13.0"],
    "record_once": "torch_npu, which is a large download, beside torch's build for the CPU",
    "start": "cold",
    "programs": ["cc", "nm", "ldd"],
}
OFF = {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}


@reproduce(**NPU)
def cann_not_loaded() -> dict[str, Any]:
    """The script, in a shell without CANN."""
    return imported()


@reproduce(**NPU)
def older_cann() -> dict[str, Any]:
    """CANN is loaded, and lacks functions that torch_npu asks for."""
    return imported("set-env", older=True)


@detect(found=True, **NPU)
def asked_before() -> dict[str, Any]:
    """The libraries that are not found."""
    return asked()


@detect(found=False, control="asked-before", **NPU)
def asked_after() -> dict[str, Any]:
    """The same after set_env.sh."""
    return asked(str(stand_in()))


@fix("set-env", control="cann-not-loaded", **NPU)
def cann_loaded() -> dict[str, Any]:
    """The lines of the page, with a stand-in for CANN."""
    return imported("set-env")


@fix("matching", control="older-cann", **NPU)
def matching_cann() -> dict[str, Any]:
    """CANN has all that this torch_npu asks for."""
    return imported("set-env")


@fix("no-npu", control="cann-not-loaded", **NPU)
def not_loaded_by_torch() -> dict[str, Any]:
    """The lines of the page for a machine without an NPU."""
    return imported("no-npu")


@non_fix("autoload-off", control="cann-not-loaded", env=OFF, **NPU)
def autoload_off() -> dict[str, Any]:
    """Torch does not load torch_npu, and the script does."""
    return imported()


if __name__ == "__main__":
    main(__file__)
