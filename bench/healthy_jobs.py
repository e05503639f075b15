"""The runs that make the corpus of healthy logs: name, command, and what is switched on."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Job:
    """One run.

    Attributes:
        name: Name of its log.
        command: Script in ``bench/healthy`` or a command of the environment, with arguments.
        ranks: Processes under torchrun; 0 for a plain process.
        variables: Environment variables.
        launcher: Further arguments of torchrun.
    """

    name: str
    command: tuple[str, ...]
    ranks: int = 0
    variables: dict[str, str] = field(default_factory=dict)
    launcher: tuple[str, ...] = ()


def _trainer(name: str, *flags: str, ranks: int = 0, steps: int = 1500, **variables: str) -> Job:
    command = ("train_with_trainer.py", "--steps", str(steps), *flags)
    return Job(f"trainer-{name}", command, ranks, variables)


def _ddp(name: str, *flags: str, steps: int = 800, launcher: str = "", **variables: str) -> Job:
    command = ("train_with_ddp.py", "--steps", str(steps), *flags)
    return Job(f"ddp-{name}", command, 2, variables, tuple(launcher.split()))


def _zero(stage: int, *flags: str, ranks: int = 2, steps: int = 400, **variables: str) -> Job:
    name = "-".join(["zero", str(stage), *(flag.strip("-") for flag in flags), f"{ranks}-ranks"])
    command = ("train_with_deepspeed.py", "--stage", str(stage), "--steps", str(steps), *flags)
    return Job(name, command, ranks, variables)


def _compile(name: str, *arguments: str, **variables: str) -> Job:
    return Job(f"compile-{name}", ("compile_things.py", *arguments), 0, variables)


def _thing(name: str, **variables: str) -> Job:
    return Job(name.replace("_", "-"), ("assorted.py", name), 0, variables)


JOBS: tuple[Job, ...] = (
    _trainer("plain"),
    _trainer("no-bar", "--no-bar"),
    _trainer("lora", "--lora"),
    _trainer("checkpointing-info", "--checkpointing", "--verbosity", "info"),
    _trainer("lora-checkpointing-debug", "--lora", "--checkpointing", "--verbosity", "debug"),
    _trainer("evaluate-info", "--evaluate", "--verbosity", "info", steps=600),
    _trainer("save", "--save", steps=600),
    _trainer("resume", "--resume", "--verbosity", "info", steps=400),
    _trainer("workers", "--workers", "2", steps=600),
    _trainer("forked-workers", "--workers", "4", steps=100, TOKENIZERS_PARALLELISM="true"),
    _trainer("bf16", "--bf16"),
    _trainer("compiled", "--compile", steps=200),
    _trainer("two-ranks", ranks=2, steps=400),
    _trainer("two-ranks-save", "--save", "--lora", ranks=2, steps=300),
    _trainer("four-ranks-info", "--verbosity", "info", ranks=4, steps=150),
    _ddp("plain"),
    _ddp("save", "--save", steps=300),
    _ddp("find-unused", "--find-unused"),
    _ddp("static-graph", "--static-graph"),
    _ddp("bucket-view", "--mismatched-strides"),
    _ddp("old-api", "--old-api"),
    _ddp("detail", steps=400, TORCH_DISTRIBUTED_DEBUG="DETAIL"),
    _ddp("c10d-info", steps=300, TORCH_CPP_LOG_LEVEL="INFO", TORCH_DISTRIBUTED_DEBUG="INFO"),
    _ddp("show-stacks", steps=100, TORCH_SHOW_CPP_STACKTRACES="1", TORCH_CPP_LOG_LEVEL="INFO"),
    _ddp("tee", launcher="--tee 3 --log-dir logs"),
    _ddp("rendezvous", launcher="--rdzv-backend c10d --rdzv-endpoint localhost:0", steps=200),
    _ddp("elastic-debug", steps=100, LOGLEVEL="DEBUG", TORCH_DISTRIBUTED_DEBUG="INFO"),
    _ddp("faulthandler", steps=100, PYTHONFAULTHANDLER="1", PYTHONWARNINGS="always"),
    _ddp("fsdp2", "--fsdp2"),
    _ddp("fsdp2-save", "--fsdp2", "--save", steps=200),
    _ddp("fsdp2-logs", "--fsdp2", steps=40, TORCH_LOGS="+fsdp,+distributed,+c10d"),
    _ddp("fsdp2-warnings", "--fsdp2", "--save", steps=100, PYTHONWARNINGS="always"),
    _zero(1),
    _zero(2),
    _zero(3),
    _zero(2, "--bf16"),
    _zero(3, ranks=1, steps=800),
    _zero(2, ranks=4, steps=150, TORCH_CPP_LOG_LEVEL="INFO"),
    _compile("output-code", "model", TORCH_LOGS="output_code,graph_breaks,recompiles"),
    _compile("dynamo", "model", TORCH_LOGS="+dynamo"),
    _compile("schedule", "dynamic", TORCH_LOGS="schedule,fusion,guards"),
    _compile("recompiles", "breaks", TORCH_LOGS="recompiles_verbose,graph_breaks,+aot"),
    _compile("quiet", "breaks"),
    _compile("inductor", "dynamic", TORCH_LOGS="+inductor,perf_hints"),
    _compile("triton-sm80", "kernels", "--capability", "80", MLIR_ENABLE_DUMP="1"),
    _compile("triton-sm90", "kernels", "--capability", "90", TRITON_KERNEL_DUMP="1"),
    _compile("triton-sm120", "kernels", "--capability", "120", MLIR_ENABLE_DUMP="1"),
    _thing("ray_tasks", RAY_DEDUP_LOGS="0", PYTHONUNBUFFERED="1"),
    _thing("datasets_map"),
    _thing("dead_ends"),
    _thing("stacks"),
    _thing("profile"),
    _thing("deprecations"),
    _thing("build", TORCH_CPP_LOG_LEVEL="INFO", VERBOSE="1"),
    _thing("bars"),
    Job("help-torchrun", ("torchrun", "--help")),
    Job("help-accelerate", ("accelerate", "launch", "--help")),
    Job("help-deepspeed", ("deepspeed", "--help")),
    Job("report-accelerate", ("accelerate", "env")),
    Job("report-deepspeed", ("ds_report",)),
    Job("report-torch", ("python", "-m", "torch.utils.collect_env")),
    Job("imports", ("python", "-X", "importtime", "-v", "-c", "import transformers, torch")),
)
