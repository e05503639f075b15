from trl import SFTConfig

args = SFTConfig(
    output_dir="out",
    logging_steps=10,
)
