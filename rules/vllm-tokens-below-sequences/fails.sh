vllm serve Qwen/Qwen3-8B --max-num-batched-tokens 64 --max-num-seqs 128
