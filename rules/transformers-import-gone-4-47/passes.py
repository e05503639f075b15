try:
    from transformers.modeling_utils import shard_checkpoint
except ImportError:
    shard_checkpoint = None

print(shard_checkpoint)
