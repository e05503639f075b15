"""What recipes compile for a GPU is compiled for three generations of them, without one."""

from __future__ import annotations

import dataclasses

import pytest

from bench.kernels import ARCHITECTURES, Kernel, are_there, compiler, kernels, kernels_in
from bench.triton_kernels import compiled
from tests.real_book import real_book

installed = pytest.mark.skipif(
    not are_there(real_book()), reason="CUDA's compiler is not there: verify cuda-home-not-set"
)
ON_HOPPER = '#if __CUDA_ARCH__ >= 900\n  asm volatile("wgmma.fence.sync.aligned;");\n#endif\n'


@installed
def test_every_kernel_of_a_recipe_compiles_everywhere() -> None:
    """A reader's card decides which of them is used; a recipe cannot try it on ours."""
    compile_one = compiler(real_book())
    found = list(kernels(real_book()))
    assert len({kernel.slug for kernel in found}) >= 4
    refused = [
        f"{kernel.slug} {kernel.name} for {architecture}: {said}"
        for kernel in found
        for architecture in ARCHITECTURES
        if (said := compile_one(kernel, architecture).refused)
    ]
    assert refused == []


@installed
def test_what_one_generation_lacks_is_found() -> None:
    """An A100 has the kernel compiled without the statement, newer ones refuse it."""
    text = f'extern "C" __global__ void twice(float *x) {{\n{ON_HOPPER}  *x *= 2;\n}}\n'
    compile_one, kernel = compiler(real_book()), Kernel("one", "kernel.cu", text)
    said = {one: compile_one(kernel, one).refused for one in ARCHITECTURES}
    assert not said["sm_80"]
    assert "sm_120" in said["sm_120"]
    broken = dataclasses.replace(kernel, text=text.replace("*x *= 2;", "*x *= 2"))
    assert "expected" in compile_one(broken, "sm_80").refused


def test_kernels_are_found_where_they_stand() -> None:
    """As text of a recipe; a function for torch's jiterator gets a kernel that calls it."""
    folder = real_book().get("vllm-illegal-access-noticed-in-sampler").folder
    (found,) = kernels_in(folder)
    assert found.name.startswith("failure_kernel.py:")
    assert "__device__ T stray_kernel(T x)" in found.text
    assert list(kernels_in(real_book().get("nan-loss-fp16").folder)) == []


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_what_triton_writes_is_machine_code(architecture: str) -> None:
    """FlexAttention's forward and backward, for GPUs that are simulated; one a day."""
    capability = int(architecture.removeprefix("sm_"))
    found = compiled(capability)
    assert {one["capability"] for one in found} == {capability}
    attention = [one for one in found if "_tem_" in one["name"]]
    assert len(attention) == 2
    assert all(one["bytes"] > 10_000 for one in attention)
