"""A rank that ends without a word."""

import os
import signal
import time

import ranks


def _by(number):
    time.sleep(3)
    if ranks.bad:
        os.kill(os.getpid(), number)
    time.sleep(10_000 if ranks.world > 1 else 0)


def killed(): _by(signal.SIGKILL)


def segfault(): _by(signal.SIGSEGV)


def abort(): _by(signal.SIGABRT)


def bus(): _by(signal.SIGBUS)


def terminated(): _by(signal.SIGTERM)


def memory(): _by(signal.SIGKILL)


def exits():
    time.sleep(3)
    os._exit(3) if ranks.bad else time.sleep(10_000)
