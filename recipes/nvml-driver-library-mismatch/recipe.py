"""The driver's library is of another release than the module that the kernel has loaded."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import re
from typing import Any

from failure import GOES_ON, NAMES, TORCH
from proof_driver import LIBRARIES, chosen, link, load_module, on_path, put

from fixbook.recipe import (
    detect,
    fix,
    main,
    measure,
    non_fix,
    reproduce,
    run_snippet,
    snippet_text,
)
from fixbook.recipe.helpers import NcclRank, nccl_ranks, run_python

NVML: dict[str, Any] = {"versions": ["nvidia-ml-py==13.615.71"], "programs": ["cc", "ldconfig"]}
OLDER: dict[str, Any] = NVML | {"versions": ["nvidia-ml-py==12.570.172"]}
NCCL: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu13==2.29.7"],
    "programs": ["cc"],
    "record_once": "NCCL alone is a download of 200 MB",
}
BEFORE, AFTER, IMAGE = "570.158.01", "570.195.03", "580.95.05"


def look() -> dict[str, Any]:
    """Run the page's check."""
    said = run_python(snippet_text("compare"), env=on_path()).stdout.strip()
    return {"found": "differ" in said, "said": said.replace(str(LIBRARIES), "…")}


def ask(module: str, *libraries: str, relink: bool = False, clean: bool = False) -> dict[str, Any]:
    """Ask for the GPUs, with these files in the folder, of which ldconfig chooses one.

    Args:
        module: Release of the module that is loaded.
        *libraries: Releases of the files; the first is the host's.
        relink: Whether somebody leads the name to the host's, and a program runs ldconfig later.
        clean: Whether the page's lines have run.
    """
    load_module(module)
    files = [put(release) for release in libraries]
    measure(linked=link())
    if relink:
        (LIBRARIES / "libnvidia-ml.so.1").unlink()
        (LIBRARIES / "libnvidia-ml.so.1").symlink_to(files[0].name)
        measure(by_hand=chosen())
        link()
    if clean:
        run_snippet("clean", env=on_path()).check_returncode()
    measure(module=module, library=chosen(), **look())
    done = run_python(NAMES, env=on_path())
    measure(bindings=re.findall(r"nvidia-ml-py (\S+)", done.stdout)[0])
    if done.returncode:
        raise SystemExit(done.returncode)
    return {"sees": int(re.findall(r"sees (\d+)", done.stdout)[0])}


@reproduce(**NVML)
def upgraded() -> dict[str, Any]:
    """The packages were upgraded; the kernel keeps the old module."""
    return ask(BEFORE, AFTER)


@reproduce(**NCCL)
def nccl_asks() -> Any:
    """NCCL asks the library as well."""
    ends = nccl_ranks(*[NcclRank(number, {"FIXBOOK_NVML_INIT": "18"}) for number in range(2)])
    measure(code=ends[0].code)
    raise RuntimeError(f"NCCL error: {ends[0].error}")


@reproduce(**NVML)
def image_has_a_newer_one() -> dict[str, Any]:
    """In a container, the host's library is mounted beside a newer one of the image."""
    return ask(AFTER, AFTER, IMAGE)


def watch(upgrade_to: str) -> dict[str, Any]:
    """Look while a monitor runs, after the packages of a release were installed beside it."""
    load_module(BEFORE)
    put(BEFORE)
    link()
    script = (
        f"rm {LIBRARIES}/libnvidia-ml.so.{BEFORE}; cp new {LIBRARIES}/libnvidia-ml.so.{upgrade_to}"
    )
    put(upgrade_to).rename("new")
    put(BEFORE)
    said = run_python(GOES_ON, "bash", "-c", f"{script}; ldconfig -n {LIBRARIES}", env=on_path())
    said.check_returncode()
    torch = run_python(TORCH, env=on_path()).stdout
    return {
        **look(),
        "goes_on": int(re.findall(r"still sees (\d+)", said.stdout)[0]),
        "torch": int(re.findall(r"counts (-?\d+)", torch)[0]),
        "warned": "Can't initialize NVML" in torch,
    }


@detect(found=True, **NVML)
def job_goes_on() -> dict[str, Any]:
    """A process that was started before the upgrade does not notice it."""
    return watch(AFTER)


@detect(found=False, control="job-goes-on", **NVML)
def halves_agree() -> dict[str, Any]:
    """The packages were installed again, of the same release."""
    return watch(BEFORE)


@fix("reload", control="upgraded", **NVML)
def module_loaded_anew() -> dict[str, Any]:
    """The kernel has the module of the packages' release."""
    return ask(AFTER, AFTER)


@fix("clean", control="image-has-a-newer-one", **NVML)
def image_cleaned() -> dict[str, Any]:
    """The page's lines delete what is not of the module's release."""
    return ask(AFTER, AFTER, IMAGE, clean=True)


@non_fix("another-pynvml", control="upgraded", **OLDER)
def another_pynvml() -> dict[str, Any]:
    """The bindings of the driver's own branch."""
    return ask(BEFORE, AFTER)


@non_fix("by-hand", control="image-has-a-newer-one", **NVML)
def linked_by_hand() -> dict[str, Any]:
    """The name is led to the host's file, until ldconfig runs again."""
    return ask(AFTER, AFTER, IMAGE, relink=True)


if __name__ == "__main__":
    main(__file__)
