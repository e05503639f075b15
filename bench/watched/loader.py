"""A worker of a DataLoader that stands still, or raises."""

import time

import ranks


class Data:
    def __init__(self, stuck): self.stuck = stuck

    def __len__(self): return 64

    def __getitem__(self, at):
        if ranks.bad and at > 8:
            time.sleep(10_000) if self.stuck else 1 / 0
        return ranks.torch.ones(4)


def _through(stuck):
    from torch.utils.data import DataLoader
    for _ in DataLoader(Data(stuck), batch_size=4, num_workers=1):
        ranks.step()


def worker_stuck(): _through(True)


def worker_raises(): _through(False)
