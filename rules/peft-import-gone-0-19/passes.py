from peft import MissConfig

print(MissConfig)
