try:
    from transformers import top_k_top_p_filtering
except ImportError:
    top_k_top_p_filtering = None

print(top_k_top_p_filtering)
