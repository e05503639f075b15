"""A script that logs to wandb, in a job without a terminal and without a key."""

from typing import Any

import wandb  # type: ignore[import-not-found]


def train(project: str = "tiny") -> dict[str, Any]:
    """Log three losses, as a training loop does."""
    run = wandb.init(project=project)
    for step in range(3):
        run.log({"loss": 1 / (step + 1)})
    run.finish()
    return {"mode": run.settings.mode}


if __name__ == "__main__":
    train()
