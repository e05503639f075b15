"""A small Qwen2-VL with its processor: rows of one image and some words."""

from typing import Any

from PIL import Image
from torch import cat
from torch.nn.functional import pad
from transformers import ProcessorMixin, Qwen2VLProcessor

try:
    from transformers import Qwen2VLImageProcessorPil as ImageProcessor
except ImportError:  # before transformers 5
    from transformers import Qwen2VLImageProcessor as ImageProcessor

START, IMAGE, END = "<|vision_start|>", "<|image_pad|>", "<|vision_end|>"
PER_TOKEN = ("input_ids", "attention_mask", "mm_token_type_ids")


class Processor(Qwen2VLProcessor):
    """Qwen2VLProcessor without the part for videos, which needs torchvision."""

    attributes = ("image_processor", "tokenizer")  # these two are read before transformers 5
    tokenizer_class = "AutoTokenizer"

    def __init__(self, image_processor: Any, tokenizer: Any, chat_template: Any = None) -> None:
        """Keep an image processor and a tokenizer."""
        self.image_token, self.video_token = IMAGE, "<|video_pad|>"
        self.image_token_id = tokenizer.convert_tokens_to_ids(IMAGE)
        self.video_token_id = tokenizer.convert_tokens_to_ids(self.video_token)
        ProcessorMixin.__init__(self, image_processor, tokenizer, chat_template=chat_template)


def make_processor(tokenizer: Any, *, max_pixels: int = 1024) -> Any:
    """Return the processor; an image has one feature for every 8 by 8 pixels."""
    tokenizer.add_special_tokens(
        {"additional_special_tokens": [START, END, IMAGE, "<|video_pad|>"]}
    )
    tokenizer.padding_side = "right"
    size = {"shortest_edge": 64, "longest_edge": max_pixels}
    patches = {"patch_size": 4, "merge_size": 2, "temporal_patch_size": 2}
    return Processor(ImageProcessor(size=size, **patches), tokenizer)


def images() -> list[Any]:
    """Return two images: 32 by 32 pixels, and 16 by 16."""
    return [Image.linear_gradient("L").resize((n, n)).convert("RGB") for n in (32, 16)]


def collate(processor: Any, texts: list[str], *, limit: int | None = None, **options: Any) -> Any:
    """Process texts and images, and then cut every row to a limit, as trainers do."""
    batch = processor(text=texts, images=images(), padding=True, return_tensors="pt", **options)
    return {name: x[:, :limit] if name in PER_TOKEN else x for name, x in batch.items()}


def separately(processor: Any, texts: list[str]) -> Any:
    """Call the tokenizer and the image processor, as scripts of one's own do."""
    pixels = processor.image_processor(images(), return_tensors="pt")
    return {**processor.tokenizer(texts, padding=True, return_tensors="pt"), **pixels}


def with_answers(processor: Any, texts: list[str], answers: list[str]) -> Any:
    """Process questions, tokenize answers alone, and put them behind, as scripts for SFT do."""
    batch = collate(processor, texts)
    made = processor.tokenizer(answers, padding=True, return_tensors="pt")
    more = made["input_ids"].shape[1]
    batch["mm_token_type_ids"] = pad(batch["mm_token_type_ids"], (0, more))  # an answer is text
    for name in ("input_ids", "attention_mask"):
        batch[name] = cat((batch[name], made[name]), 1)
    return batch


def rollout(model: Any, batch: Any, **options: Any) -> Any:
    """Let the model answer, and make the batch of which the loss is computed."""
    ids = model.generate(**batch, max_new_tokens=6, do_sample=True, top_k=0, **options)
    more = (0, ids.shape[1] - batch["input_ids"].shape[1])
    mask = pad(batch["attention_mask"], more, value=1)
    kinds = pad(batch["mm_token_type_ids"], more)  # an answer is text
    return {**batch, "input_ids": ids, "attention_mask": mask, "mm_token_type_ids": kinds}
