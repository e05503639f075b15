from accelerate import Accelerator

accelerator = Accelerator(log_with="tensorboard", project_dir="logs")
