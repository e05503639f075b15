from trl import GRPOConfig

args = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=4,
    num_generations=2,
    max_completion_length=4,
    top_p=0.9,
)
