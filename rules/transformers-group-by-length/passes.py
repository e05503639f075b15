from transformers import TrainingArguments

args = TrainingArguments(
    output_dir="out",  # here
    train_sampling_strategy="group_by_length",
)
