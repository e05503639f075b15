"""The Trainer of transformers, plain or with an adapter, which does something for long amid its steps."""

import sys

from pauses import busy, pause
from tiny import Sentences, small_llama
from transformers import Trainer, TrainerCallback, TrainingArguments

kind, pauses = sys.argv[1], sys.argv[2:]
SETTINGS = {
    "evaluates": {"eval_strategy": "steps", "eval_steps": 8},
    "saves": {"save_strategy": "steps", "save_steps": 6, "save_total_limit": 1},
    "workers": {"dataloader_num_workers": 2},
    "checkpointing": {"gradient_checkpointing": True, "bf16": True},
    "bars": {"disable_tqdm": False, "logging_steps": 25},
    "compiles": {"torch_compile": True},
}


class Pausing(TrainerCallback):
    def on_step_end(self, args, state, control, **_):
        if state.global_step == 12 and state.is_world_process_zero:
            for one in pauses:
                pause(one)


model = small_llama()
if kind == "lora":
    from peft import LoraConfig, get_peft_model

    model = get_peft_model(model, LoraConfig(target_modules="all-linear", r=4))
common = {"max_steps": 24, "logging_steps": 1, "use_cpu": True, "report_to": "none", "disable_tqdm": True}
arguments = TrainingArguments("out", **(common | {"save_strategy": "no"} | SETTINGS.get(kind, {})))
trainer = Trainer(model, arguments, train_dataset=Sentences(400), eval_dataset=Sentences(40), callbacks=[Pausing()])
if kind == "busy":
    with busy():
        trainer.train()
else:
    trainer.train()
