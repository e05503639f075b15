from transformers import GenerationConfig

print(GenerationConfig(num_beams=2))
