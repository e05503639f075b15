from transformers.modeling_utils import shard_checkpoint

print(shard_checkpoint)
