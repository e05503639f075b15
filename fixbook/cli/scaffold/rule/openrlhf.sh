python3 -m openrlhf.cli.train_ppo_ray \
   --actor.model_name_or_path any/model \
   --reward.remote_url http://localhost/reward \
   --vllm.num_engines 2
