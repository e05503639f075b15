"""A GPU to compile for, on a machine that has none."""

from __future__ import annotations

import atexit
import ctypes
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

# Shared memory that one thread block may opt in to, in bytes, by compute capability.
LIMITS = {80: 166_912, 86: 101_376, 89: 101_376, 90: 232_448, 120: 101_376}
SOURCE = Path(__file__).with_name("simulated_cuda.cpp")


def load_simulated_device() -> None:
    """Register a CUDA device with PyTorch; this must come before `import torch`."""
    spec = importlib.util.find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    command = [
        os.environ.get("CXX", "c++"), "-std=c++20", "-shared", "-fPIC", "-w",
        str(SOURCE), "-o", "simulated_cuda.so",
        f"-I{root / 'include'}", f"-L{root / 'lib'}", f"-Wl,-rpath,{root / 'lib'}",
        "-lc10", "-ltorch_cpu",
    ]  # fmt: skip
    subprocess.run(command, check=True)
    ctypes.CDLL(str(Path("simulated_cuda.so").resolve()), ctypes.RTLD_GLOBAL)


def _leave_at_once() -> None:
    """End a finished step before C++ destructors run.

    Threads that PyTorch made for the device have nothing to end them, and destroying them aborts
    the process now and then, after all is done. An exception keeps its own exit code.
    """
    if not hasattr(sys, "last_type"):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


class SimulatedGpu:
    """Answers what PyTorch and Triton ask of a GPU; lists what Triton compiles for it.

    Dynamo, AOTAutograd, inductor's choice of blocks, its templates, Triton, ptxas and the check
    against the limit are the real ones. A kernel that passes the check is loaded nowhere.
    """

    def __init__(self, architecture: int) -> None:
        os.environ["TRITON_CACHE_DIR"] = str(Path("triton").resolve())
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path("inductor").resolve())
        load_simulated_device()
        atexit.register(_leave_at_once)
        self.kernels: list[dict[str, Any]] = []
        self.become(architecture)
        self._answer_pytorch()
        self._answer_triton()

    def become(self, architecture: int) -> None:
        """Be a GPU of this compute capability from now on."""
        from torch._inductor.runtime.hints import DeviceProperties
        from triton.compiler.compiler import max_shared_mem

        self.architecture = architecture
        DeviceProperties.create.cache_clear()
        max_shared_mem.cache_clear()
        self.kernels.clear()

    def properties(self) -> SimpleNamespace:
        """The properties that inductor reads; only the compute capability matters here."""
        major, minor = divmod(self.architecture, 10)
        return SimpleNamespace(
            name=f"sm_{self.architecture}", gcnArchName="", major=major, minor=minor, warp_size=32,
            multi_processor_count=108, regs_per_multiprocessor=65_536,
            max_threads_per_multi_processor=2048, max_threads_per_block=1024,
        )  # fmt: skip

    def _answer_pytorch(self) -> None:
        import torch
        import torch._inductor.config as inductor
        from torch._dynamo.device_interface import CudaInterface

        answers = {
            "get_device_properties": self.properties,
            "get_device_capability": lambda: divmod(self.architecture, 10),
            "current_device": lambda: 0,
            "device_count": lambda: 1,
        }
        tracing = {
            "is_available": lambda: True,
            "is_bf16_supported": lambda: True,
            "exchange_device": lambda: 0,
            "maybe_exchange_device": lambda: 0,
            "synchronize": lambda: None,
        }
        for name, answer in (answers | tracing).items():
            always = staticmethod(lambda *_, answer=answer, **__: answer())
            setattr(CudaInterface, name, always)
            if name in answers:
                setattr(torch.cuda, name, always)
        torch._C._cuda_getCurrentRawStream = lambda _: 0  # type: ignore[attr-defined]
        inductor.force_disable_caches = True  # they are keyed by a device that is not there
        inductor.compile_threads = 1  # a worker process would look for the real device
        inductor.use_static_triton_launcher = False  # part of CUDA builds only

    def _answer_triton(self) -> None:
        import triton
        from triton.backends.nvidia.driver import CudaDriver

        gpu = self

        class Driver(CudaDriver):
            """Triton's own driver class, without libcuda behind it."""

            def __init__(self) -> None:
                self.utils = SimpleNamespace(
                    get_device_properties=lambda _: {"max_shared_mem": LIMITS[gpu.architecture]},
                    # Module, function, registers, spills, threads per block.
                    load_binary=lambda *_: (1, 1, 32, 0, 1024),
                    unload_module=lambda _: None,
                )
                self.launcher_cls = lambda *_: lambda *_: None
                self.get_device_capability = lambda _=None: divmod(gpu.architecture, 10)
                self.get_current_device = lambda: 0
                self.get_current_stream = lambda _=None: 0
                self.set_current_device = lambda _: None

        CudaDriver.is_active = staticmethod(lambda: True)
        triton.runtime.driver.set_active(Driver())
        triton.knobs.compilation.listener = self._record

    def _record(self, *, metadata: dict[str, Any], **_: Any) -> None:
        if "tem_fused_flex_attention" not in metadata["name"]:
            return  # a reduction beside the attention kernels
        assert metadata["target"].arch == self.architecture
        direction = "backward" if "backward" in metadata["name"] else "forward"
        self.kernels.append(
            {"kernel": direction, "shared": metadata["shared"], "stages": metadata["num_stages"]}
        )
