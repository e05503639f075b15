"""Whether the head of a cluster still answers.

Ray itself ends a driver a minute after its cluster is gone, and says nothing that a reader of ours
would understand. This is sooner: the main thread is interrupted, as by Ctrl-C; and where Ray holds
that thread fast, somebody else has the last word.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EVERY_S = 2.0
LOST_AFTER_S = 30.0  # a head that is started again is there by then, and Ray goes on
PATIENCE_S = 15.0  # with a thread that is interrupted; Ray itself ends it after a minute
_CONNECT_S = 10.0


def place_of(address: str) -> tuple[str, int] | None:
    """Return host and port of an address; None if it is another kind of name."""
    host, _colon, port = address.rpartition("://")[2].rpartition(":")
    return (host.strip("[]"), int(port)) if host and port.isdecimal() else None


def knock(place: tuple[str, int]) -> None:
    """Ask whether somebody listens.

    Raises:
        OSError: Nobody does.
    """
    with socket.create_connection(place, timeout=_CONNECT_S):
        pass


class Pulse:
    """Asks again and again while a block lasts.

    Attributes:
        lost: What was answered last, once that was nothing for too long.
    """

    def __init__(self, place: tuple[str, int], give_up: Callable[[OSError], None]) -> None:
        """Prepare to ask.

        Args:
            place: Where the head listens.
            give_up: Is called where the main thread has not heard that it is gone.
        """
        self.lost: OSError | None = None
        self._place = place
        self._give_up = give_up
        self._over = threading.Event()

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Interrupt the main thread when the head is gone; it may have to be told twice."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        threading.Thread(target=self._ask, daemon=True).start()
        try:
            yield
        finally:
            self._over.set()

    def _ask(self) -> None:
        heard = time.monotonic()
        while not self._over.wait(EVERY_S):
            try:
                knock(self._place)
                heard = time.monotonic()
            except OSError as error:
                silent = time.monotonic() - heard - LOST_AFTER_S
                if silent > 0:
                    self.lost = error
                    os.kill(os.getpid(), signal.SIGINT)
                if silent > PATIENCE_S:
                    self._give_up(error)
