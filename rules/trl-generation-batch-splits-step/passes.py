from trl import GRPOConfig

args = GRPOConfig(
    output_dir="out",  # here
    per_device_train_batch_size=4,
    generation_batch_size=8,
    num_generations=2,
)
