from trl import SFTConfig, SFTTrainer

args = SFTConfig(output_dir="out")  # here
trainer = SFTTrainer(
    model,
    args=args,
    max_seq_length=512,
)
