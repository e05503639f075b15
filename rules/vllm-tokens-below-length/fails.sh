vllm serve Qwen/Qwen3-8B --max-model-len 8192 --max-num-batched-tokens 2048 --no-enable-chunked-prefill
