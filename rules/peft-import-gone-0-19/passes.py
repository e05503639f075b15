try:
    from peft import BoneConfig
except ImportError:
    BoneConfig = None

print(BoneConfig)
