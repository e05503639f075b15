try:
    from peft import prepare_model_for_int8_training
except ImportError:
    prepare_model_for_int8_training = None

print(prepare_model_for_int8_training)
