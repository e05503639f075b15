from safetensors.torch import load_file

print(load_file)
