from accelerate.utils import shard_checkpoint

print(shard_checkpoint)
