from transformers import top_k_top_p_filtering

print(top_k_top_p_filtering)
