from torch.optim import AdamW
from transformers import get_linear_schedule_with_warmup

print(AdamW, get_linear_schedule_with_warmup)
