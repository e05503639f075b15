"""Runs that end well, and have learned nothing or will not last."""

import os
import time

import ranks


def nan():
    for _ in range(5): ranks.row(loss=float("nan"), grad_norm=float("nan"))


def nan_filtered():
    for _ in range(5): ranks.row(loss=0.0, grad_norm=float("nan"))


def all_masked():
    for _ in range(5): ranks.row(loss=0.0, grad_norm=0.0)


def rate_zero():
    for _ in range(5): ranks.row(learning_rate=0.0)


def no_gradient():
    for _ in range(5): ranks.row(grad_norm=0.0)


def leak():
    kept = []
    for at in range(150):
        kept.append(bytearray(os.urandom(1) * 20_000_000))
        ranks.row(loss=2.0 - at / 1000)
        time.sleep(0.1)


def _model(at, **more):
    from safetensors.torch import save_file
    ranks.torch.manual_seed(0)
    folder = f"out/checkpoint-{at}"
    os.makedirs(folder, exist_ok=True)
    held = {"model.a.weight": ranks.torch.randn(8, 8), "model.b.weight": ranks.torch.randn(8, 8)} | more
    save_file(held, f"{folder}/model.safetensors")
    open(f"{folder}/config.json", "w").write("{}")


def frozen():
    for at in (10, 20):
        ranks.row(), _model(at)


empty_optimizer = frozen


def nan_weights():
    _model(10), ranks.row()
    _model(20, **{"model.a.weight": ranks.torch.full((8, 8), float("nan"))})


def adapter_cut_off():
    from safetensors.torch import save_file
    for at in (10, 20):
        os.makedirs(f"out/checkpoint-{at}", exist_ok=True)
        held = {f"base_model.model.q_proj.lora_{one}.weight": ranks.torch.zeros(4, 4) if one == "B" else ranks.torch.randn(4, 4) for one in "AB"}
        save_file(held, f"out/checkpoint-{at}/adapter_model.safetensors")
        open(f"out/checkpoint-{at}/adapter_config.json", "w").write('{"peft_type": "LORA", "r": 4}')
        ranks.row()
