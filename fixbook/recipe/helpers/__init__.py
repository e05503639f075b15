"""What many recipes need beside their own failure: small models, limits, mounts, stand-ins.

Importing any of this imports the standard library only; large libraries are loaded when they are
used. A change here that changes what a step does makes exactly the steps that use it stale.
"""

from fixbook.recipe.helpers.beside import beside, end, exit_code, free_port, listens, until
from fixbook.recipe.helpers.child import run_python, with_preload
from fixbook.recipe.helpers.cuda_build import stand_in_cuda
from fixbook.recipe.helpers.deepspeed_on_cpu import (
    join_gloo,
    join_ranks,
    without_shared_memory_kernels,
)
from fixbook.recipe.helpers.gpu import NoStandInError, stand_in_gpu, stand_in_libraries
from fixbook.recipe.helpers.hosts import on_hosts
from fixbook.recipe.helpers.limits import limits
from fixbook.recipe.helpers.local_http import local_http
from fixbook.recipe.helpers.local_hub import local_hub
from fixbook.recipe.helpers.models import tiny_llama, tiny_lora, tiny_tokenizer
from fixbook.recipe.helpers.mounts import private_mount
from fixbook.recipe.helpers.nccl import NcclEnd, NcclRank, nccl_ranks
from fixbook.recipe.helpers.own_program import program
from fixbook.recipe.helpers.programs import path_without

__all__ = [
    "NcclEnd",
    "NcclRank",
    "NoStandInError",
    "beside",
    "end",
    "exit_code",
    "free_port",
    "join_gloo",
    "join_ranks",
    "limits",
    "listens",
    "local_http",
    "local_hub",
    "nccl_ranks",
    "on_hosts",
    "path_without",
    "private_mount",
    "program",
    "run_python",
    "stand_in_cuda",
    "stand_in_gpu",
    "stand_in_libraries",
    "tiny_llama",
    "tiny_lora",
    "tiny_tokenizer",
    "until",
    "with_preload",
    "without_shared_memory_kernels",
]
