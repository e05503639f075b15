"""However a training is started in a script, its options are read; and only those."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixbook.config.check import check
from fixbook.config.read import parse
from fixbook.config.tool import LAUNCH
from fixbook.config.tools import torchrun
from fixbook.environment import installed_version
from tests.config.test_false_alarms import found, told

FLAGS = "--output_dir out --learning_rate 1e-5 --num_train_epochs 2 --evaluation_strategy no"


def read(text: str) -> tuple[list[str], list[str]]:
    document = parse(text + "\n", Path("run.sh"))
    found = check([document]).findings
    trained = [section.tool for section in document.sections if section.schema.name != LAUNCH]
    return trained, [item.setting.key for item in found]


@pytest.mark.parametrize(
    "command",
    [
        "srun python train.py {}",
        "srun --nodes=2 --ntasks-per-node=1 torchrun --nproc_per_node 8 train.py {}",
        "srun accelerate launch --config_file a.yaml train.py {}",
        "accelerate launch --num_processes 8 train.py {}",
        "CUDA_VISIBLE_DEVICES=0 deepspeed --num_gpus 8 --master_port 29500 train.py {}",
        "python -m accelerate.commands.launch train.py {}",
        "python -m torch.distributed.run --nproc_per_node 8 train.py {}",
        "uv run train.py {}",
        "uv run --extra train accelerate launch train.py {}",
        "poetry run python train.py {}",
        "conda run -n llm python train.py {}",
        "singularity exec --nv image.sif python train.py {}",
        "nohup python -u train.py {} > log 2>&1 &",
        "time mpirun -np 8 python3.11 train.py {}",
        "sudo -E env A=1 /opt/conda/bin/python3.10 train.py {}",
        "$PYTHON train.py {}",
        "if [ 1 ]; then torchrun train.py {}\nfi",
        "for seed in 1 2; do torchrun train.py {}; done",
        'LAUNCHER="accelerate launch --num_processes 8"\n$LAUNCHER train.py {}',
        'CMD="torchrun train.py {}"\neval $CMD',
        'CMD="train.py {}"\nsrun bash -c "torchrun $CMD"',
        "bash -c 'torchrun train.py {}'",
    ],
)
def test_the_trainers_options_are_read_behind_every_launcher(command: str) -> None:
    assert read(command.format(FLAGS)) == (["transformers"], ["evaluation_strategy"])


def test_scripts_of_tools_are_recognised() -> None:
    assert read(f"trl sft {FLAGS} --max_length 512") == (["trl"], ["evaluation_strategy"])
    assert read(f"python -m trl.scripts.grpo {FLAGS}")[0] == ["trl"]
    train = "train --stage sft --template qwen"
    assert read(f"python -m llamafactory.cli {train}")[0] == ["llamafactory"]


def test_script_of_old_releases_may_use_old_names() -> None:
    text = f"srun python src/train_bash.py --stage sft --template qwen {FLAGS}\n"
    (item,) = check([parse(text, Path("run.sh"))]).findings
    assert (item.severity, item.setting.key) == ("note", "evaluation_strategy")


@pytest.mark.parametrize(
    "command",
    [
        "srun hostname",
        "docker run --rm nvcr.io/nvidia/pytorch:24.01-py3 ls",
        "bash -c",
        "eval",
        "uv run pytest -q --maxfail 1",
        "sudo nvidia-smi --query-gpu=name --format=csv",
        "srun python prepare_data.py --input a.jsonl --output b.jsonl",
    ],
)
def test_other_commands_are_none(command: str) -> None:
    assert read(command) == ([], [])


def test_command_in_itself_ends() -> None:
    nested = "bash -c " * 400 + "ls"
    assert read(nested) == ([], [])
    assert read("A='eval $A'\neval $A") == ([], [])


def test_arithmetic_of_the_shell_is_not_known() -> None:
    text = (
        "torchrun --nproc_per_node $GPUS run_clm.py --output_dir out --learning_rate 1e-5"
        " --per_device_train_batch_size $((TOTAL / GPUS)) --gradient_accumulation_steps "
        "$(( TOTAL / (GPUS * 2) )) --num_train_epochs ${EPOCHS:-3} --seed $(nproc)"
    )
    assert read(text) == (["transformers"], [])
    verl = (
        "GPUS=8\nBATCH=64\npython3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo"
        " data.train_batch_size=$((BATCH * 16)) actor_rollout_ref.rollout.n=5"
        " actor_rollout_ref.actor.ppo_mini_batch_size=$((BATCH / GPUS))"
        " actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=$((BATCH/8))"
        " actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1"
        " actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=1"
        " trainer.n_gpus_per_node=$GPUS"
    )
    assert read(verl) == (["verl"], [])


def test_one_answer_per_prompt_is_enough_to_validate() -> None:
    text = (
        "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo"
        " actor_rollout_ref.rollout.n=1 data.train_batch_size=256"
        " actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1"
        " actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1"
        " actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=1"
    )
    assert read(text)[1] == ["actor_rollout_ref.rollout.n"]
    assert read(f"{text} trainer.val_only=True")[1] == []


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ("--num_processes 8 --mixed-precision=bf16 --multi_gpu", []),
        ("--num_process 8 --config_file a.yaml", ["num_process"]),
        ("--mixed_precision bf32", ["mixed_precision"]),
        ("--config_path a.yaml --num_processes $N", ["config_path"]),
        ("--cpu --num_cpu_threads_per_process 2 -m", []),
        ("$ANY --what 1", []),
    ],
)
def test_options_of_accelerate_launch_are_its_own(options: str, keys: list[str]) -> None:
    document = parse(f"accelerate launch {options} train.py --own 1\n", Path("run.sh"))
    found = check([document]).findings
    assert [(item.severity, item.setting.key) for item in found] == [("error", key) for key in keys]


@pytest.mark.parametrize(
    "script",
    [
        "N=$((128 / (4 * 8)))\ntorchrun train.py {} --gradient_accumulation_steps $N",
        "N=`nvidia-smi -L | wc -l`\ntorchrun train.py {} --gradient_accumulation_steps $N",
        'MORE="--gradient_accumulation_steps $(( 128 / 8 )) --bf16"\ntorchrun train.py {} $MORE',
        "torchrun train.py {} --logging_steps 10 \\\n `# of LoRA` \\\n --lora_r 16",
    ],
)
def test_what_the_shell_computes_is_one_value(script: str) -> None:
    assert read(script.format(FLAGS)) == (["transformers"], ["evaluation_strategy"])


def test_a_backquote_that_is_not_closed_hides_nothing() -> None:
    assert read(f"echo `\ntorchrun train.py {FLAGS}")[1] == ["evaluation_strategy"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--nproc_per_node 4 --master_port 29501", []),
        ("--nproc-per-node=auto --nnodes=1:4 --rdzv-backend=c10d --standalone", []),
        ("--nproc=8 --tee 3 --max_restarts 1", []),  # the beginning of a name will do
        ("--nproc_per_node $GPUS --nnodes ${NODES} --rdzv_backend $BACKEND", []),
        ("--nproc_per_node {gpus} --nnodes <nodes>", []),
        ("--nproc_per_node npu", []),
        ("--nprocs_per_node 4", [("error", "nprocs_per_node")]),
        ("--nproc_per_node four", [("error", "nproc_per_node")]),
        ("--nproc_per_node 2.5", [("error", "nproc_per_node")]),
        ("--nnodes 1-4", [("error", "nnodes")]),
        ("--rdzv-backend c10", [("error", "rdzv_backend")]),
        ("--rdzv-backend own", [("warning", "rdzv_backend")]),
        ("--master_port http", [("error", "master_port")]),
    ],
)
def test_options_of_torchrun(options: str, expected: list[tuple[str, str]]) -> None:
    for start in ("torchrun", "python3 -m torch.distributed.run", "srun torchrun"):
        assert told(f"{start} {options} train.py --own 1\n", "run.sh") == expected


def test_torchrun_without_a_script() -> None:
    rules = [item.rule for item in found("torchrun --nproc_per_node 8\n", "run.sh")]
    assert rules == ["launch-without-script"]
    for text in (
        "torchrun --nproc_per_node 8 $SCRIPT\n",
        "torchrun --nproc_per_node 8 -m own.train\n",
        'torchrun "${ARGS[@]}"\n',
        "torchrun --help\n",
    ):
        assert told(text, "run.sh") == []


@pytest.mark.tools
@pytest.mark.filterwarnings("default")
def test_torchrun_itself_has_these_options_and_refuses_these_texts() -> None:
    from torch.distributed import run
    from torch.distributed.elastic.rendezvous import registry

    schema, tool = torchrun.SCHEMA, torchrun.TOOL
    assert schema.release == tool.newest
    assert str(installed_version("torch")).startswith(tool.newest)
    names = {option for item in run.get_args_parser()._actions for option in item.option_strings}
    ours = {f"--{key.replace('_', '-')}" for key in schema.valid} - {"--use-env"}
    assert ours == {name for name in names if name.startswith("--") and "_" not in name}
    assert run.parse_min_max_nnodes("1:4") == (1, 4)
    for refuse, text in (
        (run.determine_local_world_size, "four"),
        (run.parse_min_max_nnodes, "1-4"),
    ):
        with pytest.raises((ValueError, RuntimeError)):
            refuse(text)
    registry._register_default_handlers()
    assert set(torchrun.BACKENDS) <= set(vars(registry)["handler_registry"]._registry)
