from transformers import TrainingArguments

args = TrainingArguments(  # here
    output_dir="out",
    train_sampling_strategy="group_by_length",
)
