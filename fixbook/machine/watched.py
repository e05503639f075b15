"""The names that a report is about: distributions, variables, commands and folders."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fixbook.hub_cache import hub_cache

# Each is in a report, as a version or as not installed.
PACKAGES = (
    *("torch", "torchvision", "torchaudio", "triton", "numpy"),
    *("transformers", "tokenizers", "safetensors", "huggingface-hub", "datasets", "accelerate"),
    *("peft", "trl", "axolotl", "llamafactory", "unsloth", "deepspeed", "bitsandbytes"),
    *("flash-attn", "flashinfer-python", "xformers", "apex", "transformer-engine", "liger-kernel"),
    *("vllm", "sglang", "ray", "verl", "openrlhf"),
    *("pandas", "pyarrow", "protobuf", "pydantic", "ninja", "setuptools", "packaging", "pip"),
)
MORE_PACKAGES = re.compile(r"nvidia-[\w-]+|pytorch-triton[\w-]*|cuda-(?:python|bindings)")

# Of these it says too that they are not set.
VARIABLES = (
    *("CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"),
    *("LD_LIBRARY_PATH", "LD_PRELOAD", "CC", "CXX", "MAX_JOBS", "OMP_NUM_THREADS", "PYTHONPATH"),
    *("HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_ENDPOINT"),
    *("TORCH_CUDA_ARCH_LIST", "TORCH_EXTENSIONS_DIR", "PYTORCH_CUDA_ALLOC_CONF", "TMPDIR"),
    *("MASTER_ADDR", "MASTER_PORT", "NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME"),
)
MORE_VARIABLES = re.compile(
    r"(?:NCCL|CUDA|CUBLAS|CUDNN|HF|HUGGINGFACE|TRANSFORMERS|TORCH|TORCHINDUCTOR|PYTORCH|TRITON|GLOO"
    r"|MASTER|VLLM|SGLANG|RAY|DS|DEEPSPEED|ACCELERATE|BNB|OMP|MKL|NVIDIA|ROCR|HIP|FLASH|FLASHINFER"
    r"|MODELSCOPE|SLURM_(?:JOB_ID|NNODES|NTASKS|GPUS))(?:_\w+)?"
    r"|WANDB_(?:MODE|DISABLED)|WORLD_SIZE|RANK|LOCAL_RANK|LOCAL_WORLD_SIZE|CONDA_DEFAULT_ENV|(?:https?|all)_proxy",
    re.IGNORECASE,
)
SECRET = re.compile(
    r"TOKEN|SECRET|PASS|CREDENTIAL|(?:^|_)KEY$|API_?KEY|AUTH|USER(?:NAME)?$|EMAIL", re.IGNORECASE
)


def home() -> Path:
    """Return the user's folder; a machine may know none."""
    return Path(os.environ.get("HOME") or Path("~").expanduser())


def cache() -> Path:
    """Return the folder of caches, as torch finds it."""
    return Path(os.environ.get("XDG_CACHE_HOME") or home() / ".cache")


def extensions() -> Path:
    """Return where torch compiles extensions."""
    return Path(os.environ.get("TORCH_EXTENSIONS_DIR") or cache() / "torch_extensions")


def temporary() -> Path:
    """Return the folder of temporary files, as `tempfile` begins to look for it."""
    return Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108  (nothing is written)


FOLDERS = {"cwd": Path, "hub": hub_cache, "tmp": temporary, "home": home}
