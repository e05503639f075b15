"""axolotl through its own command lines, on a model of a few thousand parameters.

It wants releases of other packages than the book's: an environment of its own, with torch of ours.
"""

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
ALL = {
    "base_model": "./model",
    "special_tokens": {"pad_token": "<pad>"},
    "datasets": [{"path": "data.jsonl", "ds_type": "json", "type": "completion"}],
    "dataset_prepared_path": "prepared",
    "output_dir": "out",
    "sequence_len": 32,
    "micro_batch_size": 2,
    "gradient_accumulation_steps": 1,
    "max_steps": 24,
    "num_epochs": 1,
    "learning_rate": 1e-4,
    "optimizer": "adamw_torch",
    "lr_scheduler": "cosine",
    "logging_steps": 1,
    "save_steps": 12,
    "val_set_size": 0.1,
    "evals_per_epoch": 2,
    "bf16": False,
    "tf32": False,
    "attn_implementation": "eager",
    "dataset_num_proc": 2,
    "plugins": ["axolotl_pauses.PausePlugin"],
}
LORA = {"adapter": "lora", "lora_r": 4, "lora_alpha": 8, "lora_target_linear": True}
KINDS = {
    "full": {},
    # Its own kernels are switched on by themselves, and want CUDA.
    "lora": LORA | dict.fromkeys(("lora_mlp_kernel", "lora_qkv_kernel", "lora_o_kernel"), False),
    "packs": {"sample_packing": True, "pad_to_sequence_len": True, "eval_sample_packing": False},
    "checkpointing": {"gradient_checkpointing": True},
    "launched": {},
}


def main():
    from tiny import small_llama, text, tokenizer

    kind, pauses = sys.argv[1], sys.argv[2:]
    small_llama().save_pretrained("model")
    tokenizer().save_pretrained("model")
    rows = [json.dumps({"text": text(at)}) for at in range(400)]
    Path("data.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    Path("tiny.yaml").write_text(json.dumps(ALL | KINDS[kind]), "utf-8")  # JSON is YAML
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    more = {"PYTHONPATH": os.pathsep.join(paths), "PAUSES": " ".join(pauses), "AXOLOTL_DO_NOT_TRACK": "1"}
    more["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # it looks for accelerate
    launch = ["axolotl.cli.main", "train"] if kind == "launched" else ["axolotl.cli.train"]
    os.execve(sys.executable, [sys.executable, "-m", *launch, "tiny.yaml"], {**os.environ, **more})


if __name__ == "__main__":
    main()
