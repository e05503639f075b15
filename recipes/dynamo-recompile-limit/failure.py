"""What changes from call to call, and is compiled for anew: a counter, a length, a weight."""

import os
from typing import Any

import torch
import transformers
from accelerate.commands.launch import _validate_launch_command, launch_command_parser
from accelerate.utils.launch import prepare_simple_launcher_cmd_env
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

from fixbook.recipe import device

TIMES = 10


def as_integer(self: Any) -> None:
    """Keep the counter as a plain attribute."""
    self.step = 0


class Warmup(nn.Module):
    """A layer that scales what it gives by how often it was called."""

    def __init__(self, keep: Any) -> None:
        """Keep the counter in one of two ways."""
        super().__init__()
        self.linear = nn.Linear(8, 8)
        keep(self)

    def forward(self, x: torch.Tensor) -> Any:
        """Count, and scale."""
        self.step += 1
        return self.linear(x) * (self.step / 100)


def warm_up(*, keep: Any = as_integer, dynamic: bool | None = None) -> None:
    """Call it ten times."""
    layer: Any = Warmup(keep).to(device())
    layer = torch.compile(layer, backend="eager", fullgraph=True, dynamic=dynamic)
    for _ in range(TIMES):
        layer(torch.ones(2, 8, device=device()))


def normalize(weight: torch.Tensor) -> Any:
    """Do what an optimizer such as Muon does to each weight."""
    return weight @ weight.T @ weight / weight.norm()


def compiled(function: Any) -> Any:
    """Compile it as optimizers do."""
    return torch.compile(function, backend="eager", fullgraph=True)


def orthogonalize(*, compile_it: Any = compiled, call: Any = None) -> None:
    """Normalize weights of ten shapes, in two steps."""
    update = compile_it(normalize)
    weights = [nn.Parameter(torch.ones(4 + n, 8 + 2 * n, device=device())) for n in range(TIMES)]
    for weight in weights * 2:
        call(update, weight) if call else update(weight)


class Layer(nn.Module):
    """A layer that knows its number, as those of transformers do."""

    def __init__(self, layer_idx: int) -> None:
        """Keep the number."""
        super().__init__()
        self.layer_idx = layer_idx
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> Any:
        """Scale by the depth."""
        return self.linear(x) / (self.layer_idx + 1)


def one_layer(layer: Any, x: torch.Tensor) -> Any:
    """Run a layer; this is what is compiled."""
    return layer(x)


def stack(*, compile_it: Any = compiled) -> None:
    """Run ten layers by one compiled function."""
    run = compile_it(one_layer)
    x = torch.ones(2, 8, device=device())
    for number in range(TIMES):
        x = run(Layer(number).to(device()), x)


def train(file: Any, folder: Any, *, padded: bool = False) -> None:
    """Train on ten lengths with the Trainer, as `accelerate launch --config_file` starts it."""
    asked = launch_command_parser().parse_args(["--config_file", str(file), "train.py"])
    os.environ.update(prepare_simple_launcher_cmd_env(_validate_launch_command(asked)[0])[1])
    size: Any = {"hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 2}
    model = LlamaForCausalLM(LlamaConfig(vocab_size=64, num_hidden_layers=1, **size))
    texts = [torch.ones(TIMES + 8 if padded else 8 + n, dtype=torch.long) for n in range(TIMES)]
    options: Any = {"per_device_train_batch_size": 1, "num_train_epochs": 1, "report_to": []}
    with_compile: Any = {"torch_compile": True, "torch_compile_backend": "eager", "use_cpu": True}
    args = transformers.TrainingArguments(folder, save_strategy="no", **options, **with_compile)
    data: Any = [{"input_ids": text, "labels": text} for text in texts]
    transformers.Trainer(model, args, train_dataset=data).train()
