from trl import DPOConfig

args = DPOConfig(
    output_dir="out",
    per_device_train_batch_size=2,
    loss_type="sigmod",
)
