swift sft --model any/model --dataset any/data --output_dir out --tuner_type lora
