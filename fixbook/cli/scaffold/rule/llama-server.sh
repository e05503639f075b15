llama-server --model model.gguf --ctx-size 8192
