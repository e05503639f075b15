"""TRL: SFT, DPO and GRPO on a model of a few thousand parameters."""

import sys

import trl
from datasets import Dataset
from pauses import pause
from tiny import WORDS, small_llama, text, tokenizer
from transformers import TrainerCallback

kind, pauses = sys.argv[1], sys.argv[2:]
COMMON = {"max_steps": 12, "logging_steps": 1, "use_cpu": True, "bf16": False, "report_to": "none", "save_strategy": "no", "disable_tqdm": True}


class Pausing(TrainerCallback):
    def on_step_end(self, args, state, control, **_):
        if state.global_step == 6 and state.is_world_process_zero:
            for one in pauses:
                pause(one)


def adapter():
    from peft import LoraConfig

    return LoraConfig(target_modules="all-linear", r=4, task_type="CAUSAL_LM")


def sft(**more):
    rows = Dataset.from_list([{"text": text(at)} for at in range(64)])
    settings = trl.SFTConfig("out", max_length=32, **COMMON, **more)
    return trl.SFTTrainer(small_llama(), settings, train_dataset=rows, processing_class=tokenizer(), peft_config=adapter() if kind == "sft_lora" else None)


def dpo():
    rows = [{"prompt": text(at), "chosen": text(at + 1), "rejected": text(at + 2)} for at in range(64)]
    settings = trl.DPOConfig("out", max_length=48, **COMMON)
    return trl.DPOTrainer(small_llama(), None if kind == "dpo_lora" else small_llama(), args=settings, train_dataset=Dataset.from_list(rows), processing_class=tokenizer(), peft_config=adapter() if kind == "dpo_lora" else None)


def reward(completions, **_):
    if kind == "grpo_equal":  # a policy that never gets it right: neither loss nor gradient, and rightly so
        return [0.0] * len(completions)
    return [sum(one.count(word) for word in WORDS[:40]) / 10 for one in completions]


def grpo():
    rows = Dataset.from_list([{"prompt": text(at)} for at in range(64)])
    settings = trl.GRPOConfig("out", num_generations=2, per_device_train_batch_size=4, max_completion_length=8, **COMMON)
    return trl.GRPOTrainer(small_llama(), reward, args=settings, train_dataset=rows, processing_class=tokenizer())


make = {"sft_packs": lambda: sft(packing=True), "sft_evaluates": sft}.get(kind) or globals()[kind.partition("_")[0]]
trainer = make()
trainer.add_callback(Pausing())
trainer.train()
