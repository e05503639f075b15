"""An illegal memory access in vLLM: what names its kernel, and what reaches the engine."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "ray==2.60.0", "psutil==7.2.2", "pyyaml==6.0.3", "torch==2.13.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_cuda import dumped, stray_kernel, unmap_under_a_kernel
from proof_openrlhf import rollout
from proof_ray import job
from proof_serve import serve

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet_text

RAY = {
    "env": {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "disabled",
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # Ray binds to 127.0.0.1 alone
    },
    "needs": ["ray"],
    "timeout_s": 180,
}
POST1 = {"versions": ["openrlhf==0.6.0.post1"], "ranks": 2, "needs": ["ray"]}
POST2 = {"versions": ["openrlhf==0.6.0.post2"], "ranks": 2, "needs": ["ray"]}


# --- The line that reports it, and the kernel ---------------------------------------------------


@reproduce(on="cuda")
def noticed_by_a_pinned_allocation() -> dict[str, Any]:
    """Nothing set: the traceback ends at a CPU tensor, and nothing names the kernel."""
    return stray_kernel()


@fix("into-the-process", control="noticed-by-a-pinned-allocation", on="cuda")
def dumped_at_the_kernel() -> dict[str, Any]:
    """The variables of the page: the driver dumps the kernel that went astray."""
    return stray_kernel(**dumped())


@fix("into-the-process", control="noticed-by-a-pinned-allocation", on="cuda")
def raised_at_the_launch() -> dict[str, Any]:
    """Blocking launches: the traceback ends at the kernel."""
    return stray_kernel(CUDA_LAUNCH_BLOCKING="1")


@detect(found=True)
def served_plainly() -> dict[str, Any]:
    """The engine has none of the variables."""
    return serve("vllm serve MODEL")


@fix("into-the-process", control="served-plainly")
def served_as_printed() -> dict[str, Any]:
    """The commands of the page: the engine inherits what they export."""
    return serve(snippet_text("serve"))


# --- Sleep --------------------------------------------------------------------------------------


@reproduce(on="cuda", start="cold")
def unmapped_under_a_kernel() -> dict[str, Any]:
    """Memory is unmapped while a queued kernel is about to write to it."""
    return unmap_under_a_kernel()


@fix("drain-before-sleep", control="unmapped-under-a-kernel", on="cuda", start="cold")
def unmapped_after_synchronize() -> dict[str, Any]:
    """The same calls, and the device is waited for."""
    return unmap_under_a_kernel(synchronize=True)


@detect(found=True, **POST1)
def requests_before_wake_up() -> dict[str, Any]:
    """Before the change, nothing holds rank 1 back."""
    return rollout()


@fix("drain-before-sleep", control="requests-before-wake-up", **POST2)
def barrier_after_wake_up() -> dict[str, Any]:
    """After it, a barrier follows the wake-up on every rank."""
    return rollout()


# --- A Ray cluster that already runs ------------------------------------------------------------


@detect(found=True, **RAY)
def nothing_set() -> dict[str, Any]:
    """Nobody set anything: the engine has neither variable."""
    return job()


@detect(found=False, control="nothing-set", **RAY)
def set_before_ray_start() -> dict[str, Any]:
    """The shell of `ray start` has them, and so has every engine."""
    return job(started_with=True)


@fix("runtime-environment", control="nothing-set", **RAY)
def runtime_environment_of_the_job() -> dict[str, Any]:
    """The file of the page, handed over as `ray job submit` does."""
    return job(submitted_with="runtime-env")


@non_fix("export-in-the-shell", control="nothing-set", **RAY)
def exported_by_the_job() -> dict[str, Any]:
    """The shell that starts the job has them."""
    return job(exported=True)


if __name__ == "__main__":
    main(__file__)
