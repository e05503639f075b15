"""A machine with GPUs that stands in, for torch's build for CUDA: one room, and this its door.

    runtime.c    CUDA's runtime: GPUs, errors, chosen answers, calls counted
    memory.h     device memory and pinned memory, both of the host
    streams.h    streams, events, kernels that are counted and do nothing
    driver.c     the few functions of CUDA's driver that torch asks for
    compiler.c   NVRTC, for which every source compiles
    libraries.c  the few of cuBLAS, NCCL and cuDNN that must answer more than a 0
    build.py     compiles all that for one torch, once, into a cache
    load.py      loads it into this process, before torch
    values.py    computes on the CPU what the kernels leave out
    arrivals.py  watches copies to the host that do not block
    groups.py    lets the ranks of a process group that asks for NCCL talk by gloo
    forks.py     lets steps be forked from a process that has imported torch

What runs above it is the published build, none of it changed: its allocator, its checks, its texts.
To let one more call answer something, write it into a source of the first six; a call that is not
there answers 0, success. To let a call fail, set FIXBOOK_GPU_ANSWERS (see runtime.c).
"""

from fixbook.recipe.helpers.gpu.build import NoStandInError, stand_in_libraries
from fixbook.recipe.helpers.gpu.load import load, stand_in_gpu

__all__ = ["NoStandInError", "load", "stand_in_gpu", "stand_in_libraries"]
