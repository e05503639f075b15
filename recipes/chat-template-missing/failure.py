"""A tokenizer without a chat template: lost on the way, or never there."""

import json
import shutil
from pathlib import Path
from typing import Any

import torch

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
ASK = [{"role": "user", "content": "a loss goes down"}]
CHAT = [*ASK, {"role": "assistant", "content": "the model reads a text"}]


def render(tokenizer: Any) -> str:
    """Write a question as the template says."""
    return str(tokenizer.apply_chat_template(ASK, tokenize=False, add_generation_prompt=True))


def copy(tokenizer: Any, files: str) -> None:
    """Save a tokenizer with its template, and copy some of the files."""
    tokenizer.chat_template = CHATML
    tokenizer.save_pretrained("saved")
    take_out_of_the_json()
    Path("copied").mkdir()
    for path in Path("saved").glob(files):
        shutil.copy(path, "copied")


def take_out_of_the_json() -> None:
    """Leave the folder as transformers 5 saves it: with the template in a file alone."""
    settings = Path("saved/tokenizer_config.json")
    written = json.loads(settings.read_text("utf-8"))
    template = written.pop("chat_template", CHATML)
    Path("saved/chat_template.jinja").write_text(template, "utf-8")
    settings.write_text(json.dumps(written), "utf-8")


def train(model: Any, tokenizer: Any) -> float:
    """Learn one conversation by heart; return the loss."""
    text = tokenizer.apply_chat_template(CHAT, tokenize=False)
    ids = tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]
    ids = ids.to(model.device)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    loss = torch.zeros(())
    for _ in range(40):
        loss = model(ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


def answer(model: Any, tokenizer: Any) -> list[int]:
    """Ask the model, and let it write 40 tokens at most."""
    ids = tokenizer(render(tokenizer), return_tensors="pt", add_special_tokens=False)["input_ids"]
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    out = model.eval().generate(ids.to(model.device), max_new_tokens=40, do_sample=False, **ends)
    return list(out[0, ids.shape[1] :].tolist())
