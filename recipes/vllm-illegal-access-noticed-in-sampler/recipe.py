"""An illegal memory access that vLLM's sampler only notices: find out where it really happened."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "ray==2.60.0", "psutil==7.2.2",
#     "transformers==5.23.0", "deepspeed==0.19.8", "peft==0.21.2", "datasets==5.2.0",
#     "accelerate==1.15.0", "einops==0.8.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import ctypes
import os
import runpy
import shlex
import shutil
import sys
import tempfile
import time
from functools import partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import mock

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch

LOGS = Path(__file__).parent / "logs"
VARIABLE = "CUDA_LAUNCH_BLOCKING"
HINT = f"For debugging consider passing {VARIABLE}=1"

# Ray binds to 127.0.0.1 only where it does not expect other nodes to join. A token that an
# earlier Ray left in the home directory would be asked of the driver, and not found by it.
RAY = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",
}


# --- Does the variable reach the actors? -----------------------------------------------------


@contextlib.contextmanager
def ray_cluster(**variables: str) -> Iterator[str]:
    """Start `ray start --head` with these variables; yield its address and end its processes."""
    import psutil

    os.environ.update(RAY)
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # socket paths must be short
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"]
    command += ["--port=0", f"--temp-dir={folder}", "--node-ip-address=127.0.0.1", "--num-cpus=2"]
    command += ["--num-gpus=0", "--object-store-memory=80000000", "--disable-usage-stats"]
    command += ["--include-dashboard=false", "--include-log-monitor=false"]
    inherited = {name: value for name, value in os.environ.items() if name != VARIABLE}
    with (folder / "output").open("w") as output:
        head = psutil.Popen(command, env=inherited | variables, stdout=output, stderr=output)
    address, deadline = folder / "ray_current_cluster", time.monotonic() + 60
    try:
        while not (address.exists() and address.read_text()):
            if head.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((folder / "output").read_text())
            time.sleep(0.1)
        yield address.read_text()
    finally:
        tree = [head, *head.children(recursive=True)]
        head.terminate()
        for process in psutil.wait_procs(tree, timeout=10)[1]:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def seen_by_actors(address: str, job: dict | None = None, actor: dict | None = None) -> dict:
    """Export the variable in the driver, connect, and ask an actor and an actor it starts."""
    os.environ[VARIABLE] = "1"
    import ray

    @ray.remote(num_cpus=0)
    class Engine:
        def variable(self) -> str:
            return os.environ.get(VARIABLE, "")

        def variable_in_worker(self) -> str:
            return ray.get(Engine.remote().variable.remote())

    ray.init(address, runtime_env=job, log_to_driver=False, logging_level="error")
    try:
        engine = Engine.options(runtime_env=actor).remote()
        return {
            "driver": os.environ[VARIABLE],
            "actor": ray.get(engine.variable.remote()),
            "actor_started_by_actor": ray.get(engine.variable_in_worker.remote()),
        }
    finally:
        ray.shutdown()


@detect(found=True, needs=["ray", "psutil"], timeout_s=120)
def only_the_driver_has_it() -> dict:
    """A cluster that runs already; the variable is exported where the job starts."""
    with ray_cluster() as address:
        seen = seen_by_actors(address)
    return {"found": seen["actor"] != "1", **seen}


@detect(found=False, needs=["ray", "psutil"], timeout_s=120)
def the_actor_has_it() -> dict:
    """The same cluster; the actor asks for the variable itself."""
    with ray_cluster() as address:
        seen = seen_by_actors(address, actor={"env_vars": {VARIABLE: "1"}})
    return {"found": seen["actor"] != "1", **seen}


@fix("variable-in-the-actors", needs=["ray", "psutil"], timeout_s=120)
def runtime_env_of_the_job() -> dict:
    """`env_vars` in the job's runtime environment, as `--runtime-env-json` sets it."""
    with ray_cluster() as address:
        return seen_by_actors(address, job={"env_vars": {VARIABLE: "1"}})


@fix("variable-in-the-actors", needs=["ray", "psutil"], timeout_s=120)
def set_before_ray_start() -> dict:
    """The variable is in the environment of `ray start`; workers inherit it."""
    with ray_cluster(**{VARIABLE: "1"}) as address:
        return seen_by_actors(address)


@non_fix("export-in-the-shell", needs=["ray", "psutil"], timeout_s=120)
def export_and_working_dir() -> dict:
    """The report's way: export, and a runtime environment that names only a working directory."""
    Path("job").mkdir()
    Path("job/train.py").touch()
    with ray_cluster() as address:
        return seen_by_actors(address, job={"working_dir": "job", "excludes": [".git"]})


# --- What the log says about the variable ----------------------------------------------------


def launches_were_asynchronous(log: str) -> bool:
    """Tell from a log whether the failing process lacked the variable."""
    return "CUDA error:" in log and HINT in log


@detect(found=True)
def hint_in_the_log() -> dict:
    """Real logs with the hint: whatever was exported, the failing process did not have it."""
    logs = ["vllm-13939.txt", "recall-54-empty-cache.txt"]
    rows = [{"log": name, "hint": HINT in (LOGS / name).read_text()} for name in logs]
    measure(logs=rows)
    return {"found": all(launches_were_asynchronous((LOGS / name).read_text()) for name in logs)}


@detect(found=False)
def no_hint_in_the_log() -> dict:
    """A real log of the same error without the hint: launches were blocking."""
    log = (LOGS / "recall-54-launch-blocking.txt").read_text()
    return {"found": launches_were_asynchronous(log), "cuda_error": "CUDA error:" in log}


@detect(found=True, env={"CUDA_VISIBLE_DEVICES": ""})
def a_cpu_tensor_that_asks_the_device() -> dict:
    """The sampler's statement makes a CPU tensor, yet fails where no device answers."""
    import torch

    def error(*, pin_memory: bool) -> str:
        try:
            torch.tensor([0.7], device="cpu", dtype=torch.float32, pin_memory=pin_memory)
        except RuntimeError as failure:
            return str(failure).partition("\n")[0]
        return ""

    pinned, pageable = error(pin_memory=True), error(pin_memory=False)
    return {"found": bool(pinned) and not pageable, "pinned": pinned, "pageable": pageable}


# --- What OpenRLHF's settings change for the engines -----------------------------------------

# The command of the report (OpenRLHF issue 815), for the release that still has all its options.
COMMAND = """
    --ref_num_nodes 1 --ref_num_gpus_per_node 2 --reward_num_nodes 0 --reward_num_gpus_per_node 0
    --actor_num_nodes 1 --actor_num_gpus_per_node 2 --colocate_actor_ref --vllm_num_engines 2
    --vllm_tensor_parallel_size 1 --enforce_eager --pretrain Qwen2.5-1.5B --remote_rm_url reward.py
    --save_path /tmp --train_batch_size 128 --micro_rollout_batch_size 8 --rollout_batch_size 1024
    --n_samples_per_prompt 8 --max_epochs 1 --prompt_max_len 1024 --max_samples 50000
    --generate_max_len 1024 --init_kl_coef 1e-3 --gamma 1.0 --use_kl_loss --use_kl_estimator_k3
    --advantage_estimator group_norm --zero_stage 2 --flash_attn --bf16 --actor_learning_rate 5e-7
    --prompt_data prompts.json --input_key context_messages --apply_chat_template
    --normalize_reward --gradient_checkpointing --packing_samples --save_steps -1
"""
GRADIENT_CHECKPOINTING = "--gradient_checkpointing "
Call = tuple[str, tuple, dict]


class Recorder:
    """Stands in for a Ray actor or actor class: keeps the calls it is sent."""

    def __init__(self, calls: list[Call]) -> None:
        self.calls = calls

    def __getattr__(self, name: str) -> Any:
        if name == "options":
            return partial(self._keep, "options", self)
        return SimpleNamespace(remote=partial(self._keep, name, []))

    def remote(self, *args: Any, **kwargs: Any) -> Recorder:
        """Make an actor, as a Ray actor class does."""
        return self._keep("remote", self, *args, **kwargs)

    def _keep(self, name: str, answer: Any, *args: Any, **kwargs: Any) -> Any:
        self.calls.append((name, args, kwargs))
        return answer


class Enough(Exception):  # noqa: N818
    """Ends the real code where a GPU would be needed."""


def enough(*_: Any, **__: Any) -> None:
    """Raise `Enough`."""
    raise Enough


def stand_in_for_gpu_packages() -> None:
    """Make vLLM and FlashAttention importable; nothing of them is executed."""
    names = ("vllm", "flash_attn", "flash_attn.utils", "flash_attn.utils.distributed")
    if names[0] in sys.modules:
        return
    for name in names:
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__spec__ = ModuleSpec(name, None)
    vars(sys.modules["vllm"]).update(__version__="0.7.2", LLM=object, SamplingParams=dict)
    vars(sys.modules[names[-1]])["all_gather"] = enough


def engines_of(command: str) -> tuple[SimpleNamespace, list[Call]]:
    """Run OpenRLHF's command line up to its engines; return its options and the engines' calls."""
    stand_in_for_gpu_packages()
    import openrlhf.trainer.ray.vllm_engine as engine
    import openrlhf.utils
    import ray

    calls: list[Call] = []
    options: list[SimpleNamespace] = []
    with (
        mock.patch.object(sys, "argv", ["train_ppo_ray", *shlex.split(command)]),
        mock.patch.object(openrlhf.utils, "get_strategy", options.append),
        mock.patch.object(ray, "get", list),
        mock.patch("ray.util.placement_group.placement_group"),
        mock.patch.object(engine, "LLMRayActor", Recorder(calls)),
        mock.patch.object(openrlhf.trainer.ray, "PPORayActorGroup", enough),
        contextlib.suppress(Enough),
    ):
        sys.modules.pop("openrlhf.cli.train_ppo_ray", None)
        runpy.run_module("openrlhf.cli.train_ppo_ray", run_name="__main__")
    return options[0], calls


def one_rollout(options: SimpleNamespace, events: list[Call], engines: int = 2) -> None:
    """Run OpenRLHF's `make_experience_list` on recording engines, up to the rewards."""
    stand_in_for_gpu_packages()
    import ray
    import torch
    import torch.distributed as dist
    from openrlhf.trainer.ppo_utils.experience_maker import RemoteExperienceMaker

    maker = object.__new__(RemoteExperienceMaker)
    maker.strategy = SimpleNamespace(
        args=options, ring_attn_group=None, ring_attn_size=1, is_rank_0=lambda: False
    )
    maker.vllm_engines = [Recorder(events) for _ in range(engines)]
    maker.packing_samples, maker.prompt_max_len, maker.critic = True, 1024, None
    maker.tokenize_fn = lambda texts, *_, **__: {"input_ids": [[0]] * len(texts)}
    maker.process_experiences = enough
    barrier = dist.barrier

    def recorded_barrier() -> None:
        events.append(("barrier", (), {}))
        barrier()

    def recorded_synchronize() -> None:
        events.append(("synchronize", (), {}))

    with (
        mock.patch.object(ray, "get", list),
        mock.patch.object(dist, "barrier", recorded_barrier),
        mock.patch.object(torch.cuda, "synchronize", recorded_synchronize),
        contextlib.suppress(Enough),
    ):
        maker.make_experience_list(["prompt"] * options.rollout_batch_size, [""] * 10_000)


def requests_for(options: SimpleNamespace) -> list[int]:
    """Return how many prompts each engine is sent in one rollout."""
    events: list[Call] = []
    one_rollout(options, events)
    return [len(call[2]["prompt_token_ids"]) for call in events if call[0] == "add_requests"]


@non_fix(
    "gradient-checkpointing",
    versions=["openrlhf==0.6.0"],
    needs=["ray", "deepspeed"],
    timeout_s=120,
)
def engines_with_and_without_checkpointing() -> dict:
    """Compare what the engines are built with."""
    with_it, engines = engines_of(COMMAND)
    without, other_engines = engines_of(COMMAND.replace(GRADIENT_CHECKPOINTING, ""))
    calls = {name: sorted(kwargs) for name, _, kwargs in engines}
    return {
        "option_with": with_it.gradient_checkpointing,
        "option_without": without.gradient_checkpointing,
        "engines": len(engines) // 2,
        "engines_equal": engines == other_engines,
        "actor_options": calls["options"],
        "engine_arguments": calls["remote"],
    }


@non_fix(
    "smaller-rollout-batch", versions=["openrlhf==0.6.0"], needs=["ray", "deepspeed"], timeout_s=120
)
def requests_with_smaller_batches() -> dict:
    """Compare the engines and what they are sent in one rollout."""
    import torch.distributed as dist

    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    rows, built = [], []
    for micro, rollout in ((8, 1024), (1, 1024), (8, 512)):
        command = COMMAND.replace("micro_rollout_batch_size 8", f"micro_rollout_batch_size {micro}")
        command = command.replace("--rollout_batch_size 1024", f"--rollout_batch_size {rollout}")
        options, engines = engines_of(command)
        first, second = requests_for(options)
        built.append(engines)
        rows.append({"micro": micro, "rollout": rollout, "engine_0": first, "engine_1": second})
    return {
        "batches": rows,
        "engines_equal": built[0] == built[1] == built[2],
        "requests_equal_for_smaller_micro_batch": rows[0]["engine_0"] == rows[1]["engine_0"],
        "requests_per_engine": rows[0]["engine_0"],
        "requests_per_engine_at_half": rows[2]["engine_0"],
    }


# --- Sleep mode: who wakes the engines, and who waits for it? --------------------------------

ROLLOUT = {"n_samples_per_prompt": 1, "rollout_batch_size": 4, "micro_rollout_batch_size": 1}


class Clocked(list):
    """Calls with the time at which each was made; sent requests leave a mark for the other rank."""

    SENT = Path("requests-sent")

    def append(self, call: Call) -> None:
        """Keep the call's name and the time."""
        super().append((call[0], time.monotonic()))
        if call[0] == "add_requests":
            self.SENT.touch()


def wait_for_requests_of_the_other_rank(seconds: float) -> None:
    """Be late: return as soon as the other rank has sent its requests, or when time is up."""
    deadline = time.monotonic() + seconds
    while not Clocked.SENT.exists() and time.monotonic() < deadline:
        time.sleep(0.05)


def rollout_with_a_late_first_rank(*, sleep: bool) -> dict:
    """Rank 0, which wakes the engines, comes late: does rank 1 send its requests before that?"""
    stand_in_for_gpu_packages()
    import openrlhf.trainer.ppo_utils.experience_maker  # noqa: F401  before the clock runs
    import torch.distributed as dist

    dist.init_process_group("gloo")
    rank, events = dist.get_rank(), Clocked()
    options = SimpleNamespace(vllm_enable_sleep=sleep, perf=False, ring_attn_size=1, **ROLLOUT)
    dist.barrier()
    if rank == 0:
        wait_for_requests_of_the_other_rank(seconds=4)
    one_rollout(options, events)
    clocks: list[Any] = [None, None]
    dist.all_gather_object(clocks, list(events))
    dist.destroy_process_group()
    awake = [moment for name, moment in clocks[0] if name == "wake_up"]
    sent = [moment for name, moment in clocks[1] if name == "add_requests"]
    return {
        "calls": [name for name, _ in clocks[rank]],
        "requests_before_wake_up": bool(awake) and min(sent) < max(awake),
    }


@detect(
    found=True,
    versions=["openrlhf==0.6.0.post1"],
    ranks=2,
    needs=["ray", "deepspeed"],
    timeout_s=120,
)
def requests_before_wake_up() -> dict:
    """OpenRLHF before the change: nothing holds rank 1 back."""
    seen = rollout_with_a_late_first_rank(sleep=True)
    return {"found": seen["requests_before_wake_up"], **seen}


@fix(
    "synchronise-around-sleep",
    versions=["openrlhf==0.6.0.post2"],
    ranks=2,
    needs=["ray", "deepspeed"],
)
def barrier_after_wake_up() -> dict:
    """OpenRLHF after the change: a barrier follows the wake-up on every rank."""
    return rollout_with_a_late_first_rank(sleep=True)


@non_fix(
    "upgrade-openrlhf", versions=["openrlhf==0.6.0.post2"], ranks=2, needs=["ray", "deepspeed"]
)
def the_change_without_sleep() -> dict:
    """The same release as the report runs it, without sleep: one synchronize, in the trainer."""
    return rollout_with_a_late_first_rank(sleep=False)


# --- On a GPU --------------------------------------------------------------------------------

BYTES = 4 * 1024 * 1024


class _Location(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("id", ctypes.c_int))


class _Properties(ctypes.Structure):  # CUmemAllocationProp
    _fields_ = (
        ("type", ctypes.c_int),
        ("handle_types", ctypes.c_int),
        ("location", _Location),
        ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_ubyte * 8),
    )


class _Access(ctypes.Structure):  # CUmemAccessDesc
    _fields_ = (("location", _Location), ("flags", ctypes.c_int))


class MappedRange:
    """Device memory mapped with the driver's virtual memory calls, as vLLM's sleep mode maps it."""

    def __init__(self) -> None:
        self._driver = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()  # torch works in the device's primary context
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self._call("cuCtxSetCurrent", context)
        device = _Location(1, 0)  # CU_MEM_LOCATION_TYPE_DEVICE
        pinned = _Properties(type=1, location=device)  # CU_MEM_ALLOCATION_TYPE_PINNED
        address, handle, size = (ctypes.c_ulonglong(), ctypes.c_ulonglong(), ctypes.c_size_t())
        self._call("cuMemGetAllocationGranularity", ctypes.byref(size), ctypes.byref(pinned), 0)
        self._size = ctypes.c_size_t(-(-BYTES // size.value) * size.value)
        none = ctypes.c_ulonglong(0)
        self._call(
            "cuMemAddressReserve", ctypes.byref(address), self._size, ctypes.c_size_t(0), none, none
        )
        self._call("cuMemCreate", ctypes.byref(handle), self._size, ctypes.byref(pinned), none)
        self._call("cuMemMap", address, self._size, ctypes.c_size_t(0), handle, none)
        access = _Access(device, 3)  # CU_MEM_ACCESS_FLAGS_PROT_READWRITE
        self._call("cuMemSetAccess", address, self._size, ctypes.byref(access), ctypes.c_size_t(1))
        self._address = address

    def _call(self, name: str, *args: Any) -> None:
        code = getattr(self._driver, name)(*args)
        if code:
            raise RuntimeError(f"{name} returned CUresult {code}")

    def tensor(self) -> torch.Tensor:
        """View the range as a tensor."""
        import torch

        interface = {"shape": (BYTES // 4,), "typestr": "<f4", "version": 3}
        interface["data"] = (self._address.value, False)
        return torch.as_tensor(SimpleNamespace(__cuda_array_interface__=interface), device="cuda")

    def unmap(self) -> None:
        """Take the memory away from its address, at once and from the host."""
        self._call("cuMemUnmap", self._address, self._size)


def mapped_tensor() -> tuple[MappedRange, torch.Tensor]:
    """Return a range and its tensor, with the kernels loaded that the step will launch.

    A kernel's first launch loads its code, which may wait for the device and hide a race.
    """
    import torch

    torch.zeros(4, device="cuda").fill_(1.0)
    torch.cuda._sleep(1)
    memory = MappedRange()
    tensor = memory.tensor()
    tensor.fill_(1.0)
    torch.cuda.synchronize()
    return memory, tensor


def bad_kernel_then_sampling_tensors() -> Iterator[str]:
    """Write to unmapped memory, then make a pinned CPU tensor; name each statement before it."""
    import torch

    memory, tensor = mapped_tensor()
    memory.unmap()
    yield "launch"
    tensor.fill_(2.0)
    time.sleep(1)  # the kernel has failed by now; nothing has asked the device yet
    yield "pinned allocation"
    torch.tensor([0.7] * 256, device="cpu", dtype=torch.float32, pin_memory=True)


def where_it_is_noticed() -> dict:
    """Return the statement that raised and whether its message carries the hint."""
    statement = "nothing"
    try:
        for statement in bad_kernel_then_sampling_tensors():  # noqa: B007  read after the error
            pass
    except RuntimeError as failure:
        if "illegal memory access" not in str(failure):
            raise
        hint = HINT in str(failure)
        measure(statement=statement, hint=hint, found=statement != "launch" and hint)
    sys.stdout.flush()
    os._exit(0)  # the context is dead: destructors that call CUDA would abort the process


@reproduce(on="cuda", env={"CUDA_LAUNCH_BLOCKING": "0"})
def noticed_by_a_pinned_allocation() -> None:
    """An earlier kernel is to blame; the traceback ends at a CPU tensor."""
    for _ in bad_kernel_then_sampling_tensors():
        pass


@detect(found=True, on="cuda", env={"CUDA_LAUNCH_BLOCKING": "0"})
def asynchronous_launches() -> dict:
    """Without the variable: raised at the pinned allocation, with the hint."""
    return where_it_is_noticed()


@detect(found=False, on="cuda", env={"CUDA_LAUNCH_BLOCKING": "1"})
def blocking_launches() -> dict:
    """With the variable: raised at the launch, without the hint."""
    return where_it_is_noticed()


def unmap_while_a_kernel_waits(*, synchronize: bool) -> None:
    """Queue a kernel behind a long one, unmap its memory from the host, then look."""
    import torch

    memory, tensor = mapped_tensor()
    torch.cuda._sleep(2_000_000_000)
    tensor.fill_(2.0)
    if synchronize:
        torch.cuda.synchronize()
    memory.unmap()
    torch.cuda.synchronize()


@reproduce(on="cuda", env={"CUDA_LAUNCH_BLOCKING": "0"})
def unmapped_while_a_kernel_waits() -> None:
    """What sleep mode does if it frees before the device has finished."""
    unmap_while_a_kernel_waits(synchronize=False)


@fix("synchronise-around-sleep", on="cuda")
def unmapped_after_synchronize() -> dict:
    """The same calls with a synchronize before the unmap."""
    unmap_while_a_kernel_waits(synchronize=True)
    return {"finished": True}


if __name__ == "__main__":
    main(__file__)
