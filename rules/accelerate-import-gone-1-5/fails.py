from accelerate.utils import check_fp8_capability

print(check_fp8_capability)
