from transformers import Trainer

trainer = Trainer(
    model,  # made before
    args,
    processing_class=tokenizer,
)
