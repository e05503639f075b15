"""A script that was written for Lightning 1."""

from pathlib import Path
from typing import Any

import pytorch_lightning as pl  # type: ignore[import-not-found]
import torch
from torch.utils.data import DataLoader


class Model(pl.LightningModule):  # type: ignore[misc]
    """One layer; what it should do at the end of a step or an epoch is added below."""

    def __init__(self) -> None:
        """Begin with ones."""
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
        torch.nn.init.ones_(self.layer.weight)
        self.losses: list[Any] = []

    def training_step(self, batch: Any, _: int) -> Any:
        """Return the loss of a batch."""
        return self.layer(batch).pow(2).mean()

    def configure_optimizers(self) -> Any:
        """Return plain SGD."""
        return torch.optim.SGD(self.parameters(), lr=0.001)


class MeanOfEpoch(Model):
    """The mean loss of an epoch."""

    def training_epoch_end(self, outputs: Any) -> None:
        """Take the mean of what the steps returned."""
        self.losses.append(torch.stack([one["loss"] for one in outputs]).mean())


class Renamed(Model):
    """The same under the name that the message gives."""

    def on_train_epoch_end(self, outputs: Any) -> None:
        """Take the mean of what the steps returned."""
        self.losses.append(torch.stack([one["loss"] for one in outputs]).mean())


class Penalty(Model):
    """A penalty on large weights, added after the step."""

    def training_step_end(self, loss: Any) -> Any:
        """Add the penalty to the loss."""
        return loss + 100 * self.layer.weight.abs().sum()


class Several(Model):
    """Two optimizers, as a GAN has."""

    def configure_optimizers(self) -> Any:
        """Return plain SGD, twice."""
        return [torch.optim.SGD(self.parameters(), lr=0.001) for _ in range(2)]


class EpochsInFile(pl.Callback):  # type: ignore[misc]
    """A note in a file after each epoch."""

    def on_epoch_end(self, trainer: Any, _: Any) -> None:
        """Write the number of the epoch."""
        Path("epochs.txt").write_text(f"{trainer.current_epoch}\n")


def trainer(**options: Any) -> Any:
    """Make a trainer that only trains."""
    quiet = {"enable_checkpointing": False, "enable_progress_bar": False}
    return pl.Trainer(max_epochs=1, logger=False, enable_model_summary=False, **quiet, **options)


def rank_zero_only() -> Any:
    """Import what runs on the first rank alone."""
    from pytorch_lightning.utilities.distributed import rank_zero_only  # type: ignore[import-not-found]

    return rank_zero_only


def ddp_plugin() -> Any:
    """Import what held the settings of DDP."""
    from pytorch_lightning.plugins import DDPPlugin

    return DDPPlugin


def rows() -> Any:
    """Return four batches of ones."""
    return DataLoader(torch.ones(8, 4), batch_size=2)  # type: ignore[arg-type]
