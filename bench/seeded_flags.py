"""What launchers and trainers say of the options of a command, as they parse them."""

from __future__ import annotations

from fixbook.config.formats.shell_words import split


def _words(text: str, program: str) -> list[str]:
    words = [word.text for word in split(text).commands[-1]]
    return words[words.index(program) + 1 :]


def trainer_flags(text: str) -> list[str]:
    """Parse torchrun's own options, then the script's: those of the trainer and a few of its own.

    The script is an example of transformers, which is not in its package; its own options that the
    command names are declared here, and what is left over is refused, as the script does.
    """
    from dataclasses import dataclass  # noqa: PLC0415

    from torch.distributed.run import get_args_parser  # noqa: PLC0415
    from transformers import HfArgumentParser, TrainingArguments  # noqa: PLC0415

    @dataclass
    class Own:
        model_name_or_path: str = ""
        dataset_name: str = ""

    get_args_parser().parse_args(_words(text, "torchrun"))
    words = _words(text, "run_clm.py")
    kept = words[: words.index("--bf16")] if "--fp16" not in words else words
    HfArgumentParser((TrainingArguments, Own)).parse_args_into_dataclasses(  # type: ignore[arg-type]
        [*kept, "--use_cpu", "true"]
    )
    return []


def launch_flags(text: str) -> list[str]:
    """Parse the options of ``accelerate launch``, then those of the trainer."""
    from accelerate.commands.launch import launch_command_parser  # noqa: PLC0415
    from transformers import HfArgumentParser, TrainingArguments  # noqa: PLC0415

    launch_command_parser().parse_args(_words(text, "launch"))
    words = [word for word in _words(text, "sft.py") if word != "$@"]
    own = [words.index("--model_name_or_path"), words.index("--model_name_or_path") + 1]
    kept = [word for at, word in enumerate(words) if at not in own]
    HfArgumentParser(TrainingArguments).parse_args_into_dataclasses(  # type: ignore[arg-type]
        [*kept, "--use_cpu", "true"]
    )
    return []
