from transformers.deepspeed import HfDeepSpeedConfig

print(HfDeepSpeedConfig)
