from transformers import TrainingArguments

args = TrainingArguments(  # here
    output_dir="out",
    group_by_length=True,
)
