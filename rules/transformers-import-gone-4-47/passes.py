from transformers.integrations import HfDeepSpeedConfig

print(HfDeepSpeedConfig)
