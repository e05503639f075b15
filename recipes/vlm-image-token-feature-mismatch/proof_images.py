"""The model and the batches, and what is measured of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from failure import (
    END,
    IMAGE,
    START,
    collate,
    images,
    make_processor,
    rollout,
    separately,
)
from transformers import Qwen2VLConfig, Qwen2VLForConditionalGeneration
from transformers.models.qwen2_vl import modeling_qwen2_vl

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer

TEXTS = [
    f"{START}{IMAGE}{END}{words}" for words in ("the model reads a text", "the loss goes down")
]
TEMPLATE = (
    "{% for part in messages[0]['content'] %}{% if part['type'] == 'image' %}"
    + START
    + IMAGE
    + END
    + "{% else %}{{ part['text'] }}{% endif %}{% endfor %}"
)


def tiny(processor: Any) -> Any:
    """Return a model of one layer with random weights."""
    torch.manual_seed(0)
    known = {"bos_token_id": 2, "eos_token_id": 3, "pad_token_id": 0}
    wide = {"hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 64}
    rope = {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [2, 3, 3]}
    text = {**wide, **known, "vocab_size": len(processor.tokenizer), "num_hidden_layers": 1}
    text |= {"num_key_value_heads": 2, "rope_parameters": rope, "rope_scaling": rope}
    vision = {"depth": 1, "embed_dim": 16, "hidden_size": 32, "num_heads": 2, "mlp_ratio": 2}
    vision |= {"patch_size": 4, "spatial_merge_size": 2, "temporal_patch_size": 2}
    names = {
        "image_token_id": IMAGE,
        "vision_start_token_id": START,
        "vision_end_token_id": END,
        "video_token_id": "<|video_pad|>",
    }
    ids = {name: processor.tokenizer.convert_tokens_to_ids(token) for name, token in names.items()}
    make: Any = Qwen2VLForConditionalGeneration
    return make(Qwen2VLConfig(text_config=text, vision_config=vision, **known, **ids)).eval()


def ready(**pixels: int) -> tuple[Any, Any]:
    """Return a processor and its model."""
    processor = make_processor(tiny_tokenizer(), **pixels)
    return processor, tiny(processor)


def judged(model: Any, batch: Any) -> dict[str, Any]:
    """Run a batch; say how many features it used, and how far row 2 is from itself alone."""
    torch.backends.cudnn.allow_tf32 = False  # what differs is to be the batch alone
    batch = {name: x.to(model.device) for name, x in batch.items()}
    with torch.no_grad():
        together = model(**batch).logits[1]
        of_two = int(batch["image_grid_thw"][1].prod())
        alone = {name: x[1:] for name, x in batch.items()}
        alone["pixel_values"] = batch["pixel_values"][-of_two:]
        right = model(**alone).logits[0]
    used = (batch["input_ids"] == model.config.image_token_id).sum().item()
    return {
        "used": used,
        "row_two_off": ((together - right).abs().mean() / right.abs().mean()).item(),
    }


def forward(pixels: int = 1024, *, check: bool = True, **options: Any) -> dict[str, Any]:
    """Collate and run a forward; ``check=False`` takes the model's check out."""
    processor, model = ready(max_pixels=pixels)
    if not check:
        modeling_qwen2_vl.torch_compilable_check = lambda *_: measure(check="skipped")
    batch = collate(processor, TEXTS, **options)
    measure(found=looked(batch, model)["found"])
    return judged(model.to(device()), batch)


def asked(*, placeholder: bool) -> dict[str, Any]:
    """Ask about images, in a text of one's own or in one that the chat template wrote."""
    processor, model = ready()
    processor.chat_template = TEMPLATE
    written = partial(snippet, "chat-template", processor=processor)
    texts = [text.removeprefix(f"{START}{IMAGE}{END}") for text in TEXTS]
    if placeholder:
        texts = [
            written(image=image, question=text)["text"]
            for text, image in zip(texts, images(), strict=True)
        ]
    return judged(model.to(device()), collate(processor, texts))


def processed(*, together: bool) -> dict[str, Any]:
    """Process texts and images as the page does, or each alone."""
    processor, model = ready()
    given = {"processor": processor, "texts": TEXTS, "images": images()}
    batch = snippet("expand", **given)["batch"] if together else separately(processor, TEXTS)
    return judged(model.to(device()), batch)


def without_images() -> dict[str, Any]:
    """Process texts that have placeholders, and pass no images."""
    processor, _ = ready()
    return {"made": len(processor(text=TEXTS, padding=True, return_tensors="pt")["input_ids"])}


def answered(*, align: bool = False, suppress: bool = False) -> dict[str, Any]:
    """Sample answers, and run the forward of which the loss is computed."""
    processor, model = ready()
    processor.tokenizer.padding_side = "left"
    prompts = collate(processor, TEXTS)
    torch.manual_seed(2)
    batch = rollout(
        model, prompts, **(snippet("suppress", model=model)["options"] if suppress else {})
    )
    if align:
        model.model.get_image_features = partial(
            aligned,
            model.model.get_image_features,
            batch["input_ids"] == model.config.image_token_id,
        )
    return judged(model, batch)


def aligned(get: Any, placeholders: Any, *given: Any, **options: Any) -> Any:
    """Fill the features up with zeros to as many as there are placeholders, as in verl 3469."""
    output = get(*given, **options)
    features = torch.cat(tuple(output.pooler_output))
    wanted = int(placeholders.sum()) if len(output.pooler_output) > 1 else len(features)
    if wanted > len(features):
        measure(zeros=wanted - len(features))
    output.pooler_output = (torch.nn.functional.pad(features, (0, 0, 0, wanted - len(features))),)
    return output


def looked(batch: Any, model: Any) -> dict[str, Any]:
    """Put a batch to the page's question."""
    try:
        snippet("check", batch=batch, config=model.config)["check"](batch, model.config)
    except AssertionError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}


def collated(limit: int | None = None) -> dict[str, Any]:
    """Ask it of a batch cut to a limit, or whole."""
    processor, model = ready()
    return looked(collate(processor, TEXTS, limit=limit), model)


def text_alone() -> dict[str, Any]:
    """Ask it of a batch that has no image at all."""
    processor, model = ready()
    batch = processor.tokenizer(["the model reads", "a loss"], padding=True, return_tensors="pt")
    return looked(dict(batch), model)
