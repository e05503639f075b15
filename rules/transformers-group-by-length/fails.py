from transformers import TrainingArguments

args = TrainingArguments(
    output_dir="out",  # here
    group_by_length=True,
)
