from peft import BoneConfig

print(BoneConfig)
