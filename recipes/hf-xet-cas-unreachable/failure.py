"""A file is downloaded through a mirror, as every script does."""

DOWNLOAD = """
import os
from huggingface_hub import hf_hub_download

LATE
path = hf_hub_download("team/model", "model.bin")
print("size", os.path.getsize(path))
"""
