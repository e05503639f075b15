"""Put first on PYTHONPATH by `fixbook watch --hook`: stacks on a signal, the recorder on request.

The signal is answered in C, also by a thread that is blocked there, and needs no right to trace.
It runs in the Python of the watched run, whatever its version; it must never fail there.
"""

import os
import sys

PLACE = "FIXBOOK_STACKS"
_SIGNAL = 6  # above SIGRTMIN: what schedulers and trainers use are SIGUSR1, SIGUSR2 and SIGTERM
_kept = []  # type: ignore[var-annotated]


def _register() -> None:
    import faulthandler
    import signal
    import threading

    path = os.path.join(os.environ[PLACE], str(os.getpid()))
    file = open(path, "a")  # appended to, so that the reader may empty it
    file.write("main %x\n" % threading.get_ident())
    file.flush()
    faulthandler.register(signal.SIGRTMIN + _SIGNAL, file=file, all_threads=True, chain=False)
    _kept[:] = [file]


def _again() -> None:  # a forked process must not write into the file of its parent
    try:
        _register()
    except Exception:
        pass


def _dump(place: str) -> None:
    """Wait in a thread to be asked; then write what torch's flight recorder holds."""
    ask = os.path.join(place, "%d.ask" % os.getpid())
    os.mkfifo(ask, 0o600)
    while True:
        with open(ask, "rb") as asked:
            if not asked.read(1):
                continue
        distributed = sys.modules.get("torch.distributed")
        if distributed is None or not distributed.is_initialized():
            continue
        held = sys.modules["torch._C._distributed_c10d"]._dump_fr_trace()
        name = os.path.join(place, "nccl_trace_rank_%d" % distributed.get_rank())
        with open(name + ".part", "wb") as file:
            file.write(held)
        os.replace(name + ".part", name)


def _answers() -> bool:
    """Whether it is a rank, which may be asked for the recorder: launchers and tools are none."""
    if "RANK" in os.environ or _numbered():
        return True
    return "--multiprocessing-fork" in getattr(sys, "orig_argv", ())


def _numbered() -> bool:
    """Whether MPI or Slurm has given it a rank, by the table of the watcher beside this folder."""
    import importlib.util

    here = os.path.dirname(os.path.abspath(__file__))
    place = os.path.join(os.path.dirname(here), "ranks.py")
    spec = importlib.util.spec_from_file_location("fixbook_ranks", place)
    if spec is None or spec.loader is None:
        return False
    table = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(table)
    return table.given(os.environ) is not None


def _begin() -> None:
    place = os.environ.get(PLACE)
    if not place or not os.path.isdir(place):
        return
    import signal

    # A process that ends gives up its handler; by then the signal may be on its way, and would kill.
    signal.signal(signal.SIGRTMIN + _SIGNAL, signal.SIG_IGN)
    _register()
    os.register_at_fork(after_in_child=_again)
    if _answers():
        import threading

        def wait() -> None:
            try:
                _dump(place)
            except Exception:
                pass

        threading.Thread(target=wait, name="fixbook", daemon=True).start()


def _hidden() -> None:
    """Load the reader's own sitecustomize, which ours hides."""
    import importlib.machinery
    import importlib.util

    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path or ".") != here]
    found = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if found is not None and found.loader is not None:
        found.loader.exec_module(importlib.util.module_from_spec(found))


try:
    _begin()
except Exception:
    pass
_hidden()
