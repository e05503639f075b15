"""Jobs to be watched that are well: an alarm on any of them is a fault of the watcher."""

from __future__ import annotations

from bench.watched_jobs import Watched

_STEADY = (
    *("plain", "pauses", "evaluates", "saves", "warm_up"),
    *("compiles_long", "loads_long", "downloads"),
)
_LOGS = ("--redirects", "3", "--log-dir", "logs")
_TEE = ("--tee", "3", "--log_dir", "logs")
# Without it most restarts of two ranks hang: see the entry torchrun-restart-stale-addresses.
_STORE_APART = (("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1"),)


def _with(
    script: str,
    kind: str,
    *pauses: str,
    ranks: int = 0,
    layout: tuple[str, ...] = (),
    launcher: str = "torchrun",
    env: tuple[tuple[str, str], ...] = (),
) -> Watched:
    return Watched(
        *(kind, "healthy", ranks),
        layout=layout,
        options=pauses,
        script=f"with_{script}.py",
        launcher=launcher,
        env=env,
    )


HEALTHY = (
    *(Watched(kind, "healthy", ranks) for ranks in (0, 1, 2) for kind in _STEADY),
    _with("trainer", "plain"),
    _with("trainer", "lora", "one_call"),
    _with("trainer", "evaluates", "compute"),
    _with("trainer", "saves", "save"),
    _with("trainer", "workers", "wait"),
    _with("trainer", "checkpointing"),
    _with("trainer", "compiles"),
    _with("trainer", "busy"),
    _with("trainer", "bars", "build"),
    _with("trainer", "saves", "save", ranks=2),
    _with("trainer", "plain", "tokenise", ranks=2),
    _with("trl", "sft"),
    _with("trl", "sft_lora", "save"),
    _with("trl", "sft_packs", "tokenise"),
    _with("trl", "dpo"),
    _with("trl", "dpo_lora", "compute"),
    _with("trl", "grpo"),
    _with("trl", "grpo_equal"),
    _with("trl", "grpo", "stream"),
    _with("accelerate", "plain", launcher="accelerate"),
    _with("accelerate", "accumulates", "build", launcher="accelerate"),
    _with("accelerate", "plain", "download", ranks=2, launcher="accelerate"),
    _with("accelerate", "saves", "save", ranks=2, launcher="accelerate"),
    _with("accelerate", "gathers", "compute", ranks=2, launcher="accelerate", layout=_TEE),
    _with("deepspeed", "zero1", "save", ranks=2),
    _with("deepspeed", "zero2", "build", ranks=2),
    _with("deepspeed", "zero2_bf16", ranks=2),
    _with("deepspeed", "zero3", "compute", ranks=2),
    _with("torchrun", "ddp", "compute", ranks=4),
    _with("torchrun", "ddp", "stream", ranks=2, layout=_LOGS),
    _with(*("torchrun", "ddp_recovers"), ranks=2, layout=("--max-restarts", "1"), env=_STORE_APART),
    _with("torchrun", "fsdp", "one_call", ranks=2),
    _with("torchrun", "fsdp_saves", "save", ranks=2),
    _with("axolotl", "full"),
    _with("axolotl", "lora", "save"),
    _with("axolotl", "packs", "compute"),
    _with("axolotl", "checkpointing", "stream"),
    _with("axolotl", "launched", "wait"),
    _with("loop", "plain", "build"),
    _with("loop", "plain", "stream"),
    _with("loop", "plain", "one_call"),
    _with("loop", "busy", "tokenise"),
    _with("loop", "silent", "compute"),
    _with("loop", "rewrites", "download"),
    _with("loop", "overflows", "wait"),
    _with("loop", "caches"),
)
