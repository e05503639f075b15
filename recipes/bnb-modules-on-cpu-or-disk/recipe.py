"""bitsandbytes: parts of the quantised model would lie on the CPU or the disk."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "bitsandbytes==0.50.2",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_places import asked, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def too_large_in_4_bits() -> dict[str, Any]:
    """Auto puts the rest on the disk."""
    return run()


@reproduce()
def too_large_in_8_bits() -> dict[str, Any]:
    """More memory, and twice the bits."""
    return run(kilobytes=250, bits=8)


@reproduce()
def own_map_names_the_disk() -> dict[str, Any]:
    """A map of one's own with one part elsewhere."""
    return run(kilobytes=10_000, place={"": "cpu", "lm_head": "disk"})


@reproduce()
def saved_in_4_bits() -> dict[str, Any]:
    """The checkpoint itself says that it is quantised."""
    return run(kilobytes=100, saved_in_4_bits=True)


@detect(found=True)
def finds_too_little() -> dict[str, Any]:
    """What the model needs is more than nine tenths of the memory."""
    return asked(150)


@detect(found=True)
def finds_too_little_for_8_bits() -> dict[str, Any]:
    """The same in 8 bits."""
    return asked(250, 8)


@detect(found=False, control="finds-too-little")
def finds_enough() -> dict[str, Any]:
    """Half as much again is enough for 4 bits."""
    return asked(300)


@detect(found=True)
def spills_without_a_word() -> dict[str, Any]:
    """A model that is not quantised goes to the disk, and runs."""
    done = run(bits=16, kilobytes=600)
    return done | {"found": "disk" in done["places"]}


@fix("more-memory", control="too-large-in-4-bits")
def more_memory() -> dict[str, Any]:
    """As much as the page's sum asks for."""
    return run(kilobytes=300) | asked(300)


@fix("one-device", control="too-large-in-4-bits")
def on_one_device() -> dict[str, Any]:
    """No estimate is made: the device takes it, or runs out of memory."""
    return run(lines="one")


@fix("fewer-bits", control="too-large-in-8-bits")
def in_4_bits() -> dict[str, Any]:
    """The same memory is enough for 4 bits."""
    return run(kilobytes=250, bits=4)


@fix("offload", control="too-large-in-4-bits")
def offloaded() -> dict[str, Any]:
    """The flag, under its right name."""
    return run(lines="offload")


@non_fix("name-of-old", control="too-large-in-4-bits")
def name_of_old() -> dict[str, Any]:
    """No such flag, and nobody says so."""
    return run(load_in_8bit_fp32_cpu_offload=True)


@non_fix("flag-beside-a-saved-config", control="saved-in-4-bits")
def flag_beside_a_saved_config() -> dict[str, Any]:
    """The configuration in the checkpoint wins."""
    return run(kilobytes=100, saved_in_4_bits=True, llm_int8_enable_fp32_cpu_offload=True)


if __name__ == "__main__":
    main(__file__)
