"""What Triton does before the first kernel of a process: compile and load its driver module."""

from __future__ import annotations


def start() -> None:
    """Compile and load the module that talks to the driver."""
    try:
        from triton.backends.nvidia.driver import CudaUtils
    except ImportError:  # Triton 2
        from triton.runtime.driver import CudaUtils
    CudaUtils()
    print("the module is loaded")


if __name__ == "__main__":
    start()
