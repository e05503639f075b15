python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --context-length 8192
