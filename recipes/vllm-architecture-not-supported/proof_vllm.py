"""vLLM, imported before the steps; 0.27 has its options in another module."""

import sys
from importlib.metadata import version
from types import ModuleType

from fixbook.recipe.helpers.vllm_workers import know_llama

if version("vllm").startswith("0.27."):
    import vllm.platforms
    from vllm.platforms.cpu import CpuPlatform

    # Without a GPU this release wants to be told that there is none.
    vllm.platforms.current_platform = vllm.platforms._current_platform = CpuPlatform()

    import vllm.entrypoints.openai.cli_args as options

    sys.modules["vllm.entrypoints.common"] = ModuleType("common")
    sys.modules["vllm.entrypoints.common.cli_args"] = options

know_llama()
