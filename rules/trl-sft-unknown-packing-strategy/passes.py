from trl import SFTConfig

args = SFTConfig(
    output_dir="out",
    per_device_train_batch_size=2,
    max_length=8,
    packing=True,
    packing_strategy="wrapped",
)
