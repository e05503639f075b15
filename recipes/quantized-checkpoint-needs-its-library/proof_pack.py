"""Four bits a weight, eight of them in an integer: the layouts of AWQ and of GPTQ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUP = 32
AWQ_ORDER = [0, 2, 4, 6, 1, 3, 5, 7]  # AWQ's kernels read every second value first


def packed(weights: Mapping[str, torch.Tensor], kind: str) -> dict[str, torch.Tensor]:
    """Return the weights with those of the projections rounded to four bits and packed.

    Args:
        weights: A state dict; the projections' weights are (out, in).
        kind: ``awq`` or ``gptq``.
    """
    result = dict(weights)
    for name in [name for name in weights if name.endswith("_proj.weight")]:
        layer = name.removesuffix(".weight")
        whole = result.pop(name).T  # (in, out)
        groups = whole.reshape(-1, GROUP, whole.shape[1])
        low, high = groups.amin(1), groups.amax(1)
        scales = (high - low) / 15
        zeros = (-low / scales).round().clamp(0, 15)
        rows = scales.repeat_interleave(GROUP, 0), zeros.repeat_interleave(GROUP, 0)
        values = ((whole / rows[0]).round() + rows[1]).clamp(0, 15)
        result[f"{layer}.scales"] = scales.half()
        if kind == "awq":
            result[f"{layer}.qweight"] = _eights(values, AWQ_ORDER)
            result[f"{layer}.qzeros"] = _eights(zeros, AWQ_ORDER)
        else:
            result[f"{layer}.qweight"] = _eights(values.T, range(8)).T.contiguous()
            result[f"{layer}.qzeros"] = _eights(zeros - 1, range(8))  # the format's own offset
            result[f"{layer}.g_idx"] = torch.arange(len(whole), dtype=torch.int32) // GROUP
    return result


def _eights(values: torch.Tensor, order: object) -> torch.Tensor:
    """Pack eight columns into one of int32."""
    parts = values.long().reshape(len(values), -1, 8) & 15
    whole = sum(parts[:, :, at] << 4 * place for place, at in enumerate(order))  # type: ignore[call-overload]
    return (whole - ((whole >> 31) << 32)).int()
