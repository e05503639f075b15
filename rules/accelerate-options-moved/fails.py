from accelerate import Accelerator

accelerator = Accelerator(mixed_precision="bf16", even_batches=False)
