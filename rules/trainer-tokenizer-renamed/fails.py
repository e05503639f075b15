from transformers import Trainer

trainer = Trainer(
    model,  # made before
    args,
    tokenizer=tokenizer,
)
