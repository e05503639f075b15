from accelerate import Accelerator

accelerator = Accelerator(log_with="tensorboard", logging_dir="logs")
