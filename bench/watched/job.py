"""One job: it breaks in the way that it is asked for, or it does not."""

import sys

import crashes
import deaths
import hangs
import loader
import ranks
import silent
import steady

kind = sys.argv[1]
# Without torch a process starts and ends in no time, which some of these are about.
WITHOUT_TORCH = {"killed", "memory", "plain_lock", "nan", "all_masked", "rate_zero", "no_gradient", "leak"}

if kind != "nan_filtered" and not (ranks.world == 1 and kind in WITHOUT_TORCH):
    ranks.begin()
if ranks.rank == 0:
    print("begun", flush=True)
if kind not in ("plain", "pauses"):
    ranks.step()
next(getattr(one, kind) for one in (hangs, loader, deaths, silent, crashes, steady) if hasattr(one, kind))()
ranks.end()
