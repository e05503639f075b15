"""A plugin of axolotl that does something for long amid its steps."""

import os

from axolotl.integrations.base import BasePlugin
from pauses import pause
from transformers import TrainerCallback


class Pausing(TrainerCallback):
    def on_step_end(self, args, state, control, **_):
        if state.global_step == 8 and state.is_world_process_zero:
            for one in os.environ["PAUSES"].split():
                pause(one)


class PausePlugin(BasePlugin):
    def add_callbacks_pre_trainer(self, cfg, model):
        return [Pausing()]
