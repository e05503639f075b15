swift sft \
    --model Qwen/Qwen3-0.6B \
    --train_type lora \
    --dataset AI-ModelScope/alpaca-gpt4-data-zh#500 \
    --lora_rank 8 \
    --output_dir output
