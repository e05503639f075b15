from accelerate import Accelerator
from accelerate.utils import DataLoaderConfiguration

accelerator = Accelerator(
    mixed_precision="bf16", dataloader_config=DataLoaderConfiguration(even_batches=False)
)
