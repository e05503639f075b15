"""A GPU to compile for, on a machine that has none.

The training step, inductor's choice of blocks, its template, Triton until it has placed everything
in shared memory, and its check of the limit are real. Machine code, memory and launch are left out.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import proof_device  # noqa: F401  (before torch)

if TYPE_CHECKING:
    from collections.abc import Iterator

# Shared memory that one thread block may opt in to, in bytes, by compute capability.
LIMITS = {75: 65_536, 80: 166_912, 86: 101_376, 89: 101_376, 90: 232_448, 120: 101_376}
_BLOCK = re.compile(r"\b(BLOCK_[MN][12]?) : tl\.constexpr = (\d+)")
_KERNEL = re.compile(r"\bfunc public @(\w+)")


class SimulatedGpu:
    """Answers what PyTorch and Triton ask of a GPU; lists the attention kernels that they compile.

    Attributes:
        capability: Compute capability, such as 86; may be changed between two compilations.
        kernels: One row per compilation of an attention kernel: what it needed, in bytes.
    """

    def __init__(self, capability: int) -> None:
        _settle_down()
        self.kernels: list[dict[str, Any]] = []
        self.become(capability)
        self._answer_pytorch()
        self._answer_triton()
        _compile_only()

    def summary(self) -> dict[str, Any]:
        """Return what was compiled: bytes at first and at last, stages and blocks by direction."""
        found: dict[str, Any] = {"limit": LIMITS[self.capability], "kernels": len(self.kernels)}
        for direction in ("forward", "backward"):
            rows = [row for row in self.kernels if row["kernel"] == direction]
            if rows:
                found[direction], found[f"{direction}_first"] = rows[-1]["needs"], rows[0]["needs"]
                found[f"{direction}_stages_first"] = rows[0]["stages"]
                found[f"{direction}_block"] = min(
                    size for name, size in rows[-1].items() if name.startswith("BLOCK")
                )
        return found

    def become(self, capability: int) -> None:
        """Be a GPU of this compute capability from now on."""
        import torch
        from torch._inductor.runtime.hints import DeviceProperties
        from triton.compiler.compiler import max_shared_mem

        assert torch._C._get_accelerator().type == "cuda", "it comes before torch"
        self.capability = capability
        self.kernels.clear()
        DeviceProperties.create.cache_clear()
        max_shared_mem.cache_clear()
        torch._dynamo.reset()

    def _properties(self) -> SimpleNamespace:
        major, minor = divmod(self.capability, 10)
        return SimpleNamespace(
            name=f"sm_{self.capability}", gcnArchName="", major=major, minor=minor, warp_size=32,
            multi_processor_count=108, regs_per_multiprocessor=65_536,
            max_threads_per_multi_processor=2048, max_threads_per_block=1024,
            shared_memory_per_block_optin=LIMITS[self.capability],
        )  # fmt: skip

    def _answer_pytorch(self) -> None:
        import torch
        import torch._inductor.config as inductor
        from torch._dynamo.device_interface import CudaInterface

        answers = {
            "get_device_properties": self._properties,
            "get_device_capability": lambda: divmod(self.capability, 10),
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
        inductor.joint_graph_constant_folding = False  # it computes on the device

    def _answer_triton(self) -> None:
        import triton
        from triton.backends.nvidia.driver import CudaDriver

        _stop_at_shared_memory()
        gpu = self

        class Driver(CudaDriver):
            """Triton's own driver class, without libcuda behind it."""

            def __init__(self) -> None:
                self.utils = SimpleNamespace(
                    get_device_properties=lambda _: {"max_shared_mem": LIMITS[gpu.capability]},
                    # Module, function, registers, spills, threads per block.
                    load_binary=lambda *_: (1, 1, 32, 0, 1024),
                    unload_module=lambda _: None,
                )
                self.launcher_cls = lambda *_: lambda *_: None
                self.get_device_capability = lambda _=None: divmod(gpu.capability, 10)
                self.get_current_device = lambda: 0
                self.get_current_stream = lambda _=None: 0

        CudaDriver.is_active = staticmethod(lambda: True)
        triton.runtime.driver.set_active(Driver())
        triton.knobs.compilation.listener = self._record

    def _record(self, *, src: Any, metadata: dict[str, Any], **_: Any) -> None:
        if "flex_attention" not in metadata["name"] or "_tem_" not in metadata["name"]:
            return  # not an attention kernel
        assert metadata["target"].arch == self.capability
        row = {"gpu": f"sm_{self.capability}", "limit": LIMITS[self.capability]}
        row["kernel"] = "backward" if "backward" in metadata["name"] else "forward"
        row |= {"needs": metadata["shared"], "stages": metadata["num_stages"]}
        blocks = {name: int(size) for name, size in _BLOCK.findall(src.fn.src)}
        self.kernels.append(row | {name: blocks[name] for name in sorted(blocks)})


def _settle_down() -> None:
    """Keep what is compiled to this step."""
    for variable in ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR"):
        os.environ[variable] = str(Path(variable).resolve())
    atexit.register(_leave_at_once)


def _leave_at_once() -> None:
    """End a finished step before C++ destructors run: PyTorch's threads have no device to leave."""
    if not hasattr(sys, "last_type"):  # an exception keeps its own exit code
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _stop_at_shared_memory() -> None:
    """Leave out what follows in Triton, which is slow and moves nothing: LLVM and ptxas."""
    from triton._C.libtriton import llvm, nvidia, passes
    from triton.backends.nvidia.compiler import CUDABackend

    def make_ptx(_self: Any, source: str, metadata: dict[str, Any], *_: Any) -> str:
        metadata["name"] = _KERNEL.findall(source)[0]
        return "not translated"

    def nothing(*_: Any, **__: Any) -> bool:
        return False

    for module, names in {
        nvidia.passes.ttgpuir: ("add_to_llvmir",),
        nvidia.passes.ttnvgpuir: ("add_nvgpu_to_llvm", "add_warp_specialize_to_llvm"),
        passes.convert: ("add_nvvm_to_llvm",),
        passes.llvmir: ("add_di_scope",),
        nvidia: ("set_nvvm_reflect_ftz", "has_extern_deps"),
        llvm: ("attach_datalayout", "optimize_module"),
    }.items():
        for name in names:
            setattr(module, name, nothing)
    llvm.to_module = lambda module, _context: str(module)
    CUDABackend.make_ptx = make_ptx
    CUDABackend.make_cubin = lambda *_: b"not assembled"


@contextlib.contextmanager
def without_memory() -> Iterator[None]:
    """Let tensors have shapes and devices and no memory, and masks be made without a compiler."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from transformers import masking_utils

    create = masking_utils.create_block_mask
    masking_utils.create_block_mask = lambda **asked: create(**(asked | {"_compile": False}))
    with FakeTensorMode():
        yield


def _compile_only() -> None:
    """Let inductor compile as always, and give tensors without memory instead of launching."""
    import torch
    from torch._inductor import compile_fx

    compile_graph, compile_all = compile_fx.compile_fx_inner, compile_fx.compile_fx

    def inner_compile(graph: Any, inputs: Any, **options: Any) -> Any:
        compile_graph(graph, inputs, **options)
        nodes = graph.graph.output_node().args[0]
        outputs = [node.meta["val"] if isinstance(node, torch.fx.Node) else None for node in nodes]

        def launch(arguments: list[Any]) -> list[Any]:
            arguments.clear()
            return [
                torch.empty_strided(val.shape, val.stride(), dtype=val.dtype, device=val.device)
                if isinstance(val, torch.Tensor)
                else val
                for val in outputs
            ]

        launch._boxed_call = True  # type: ignore[attr-defined]
        return launch

    def compile_without_launch(*arguments: Any, **options: Any) -> Any:
        return compile_all(*arguments, **options, inner_compile=inner_compile)

    compile_fx.compile_fx = compile_without_launch
