ray job submit --runtime-env-json '{"working_dir": "."}' -- python3 train.py
