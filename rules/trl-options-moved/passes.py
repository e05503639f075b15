from trl import SFTConfig, SFTTrainer

args = SFTConfig(output_dir="out", max_length=512)  # here
trainer = SFTTrainer(
    model,
    args=args,
)
