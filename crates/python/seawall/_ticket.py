"""Runs that go on by themselves."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from seawall._errors import StoppedError
from seawall._seawall import Control

T = TypeVar("T")

_JOBS_MAX = 16
_lock = threading.Lock()
_threads: ThreadPoolExecutor | None = None


def _pool() -> ThreadPoolExecutor:
    global _threads
    with _lock:
        if _threads is None:
            _threads = ThreadPoolExecutor(_JOBS_MAX, thread_name_prefix="seawall job")
        return _threads


def _renew() -> None:
    global _lock, _threads
    _lock, _threads = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


class Ticket(Generic[T]):
    """A run that goes on: can be waited for, awaited, and stopped.

    What is bound to it must be left alone until it is over.
    """

    def __init__(self, future: Future[T], control: Control) -> None:
        self._future = future
        self._control = control

    def result(self, timeout: float | None = None) -> T:
        """Waits for what the call gives, or raises what it raises."""
        return self._future.result(timeout)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Waits for what the call raises, if anything."""
        return self._future.exception(timeout)

    def done(self) -> bool:
        """Whether it is over."""
        return self._future.done()

    def running(self) -> bool:
        """Whether it has begun and is not over."""
        return self._future.running()

    def cancelled(self) -> bool:
        """Whether it was stopped before its end."""
        if self._future.cancelled():
            return True
        return self._future.done() and isinstance(self._future.exception(), CancelledError)

    def cancel(self) -> bool:
        """Asks it to stop. False if it is over already."""
        if self._future.done():
            return False
        self._control.stop()
        self._future.cancel()
        return True

    @property
    def workgroups_done(self) -> int:
        """Workgroups finished so far."""
        return self._control.workgroups_done

    def add_done_callback(self, call: Callable[[Ticket[T]], object]) -> None:
        """Calls this with the ticket when it is over, on the thread that ends it."""
        self._future.add_done_callback(lambda _future: call(self))

    def __await__(self) -> Generator[Any, None, T]:
        # To import it takes longer than all the rest, and few need it.
        import asyncio

        async def over() -> T:
            try:
                return await asyncio.wrap_future(self._future)
            except asyncio.CancelledError:
                # Who stops waiting wants no more of it.
                self.cancel()
                raise

        return over().__await__()

    def __repr__(self) -> str:
        state = "cancelled" if self.cancelled() else "over" if self.done() else "running" if self.running() else "waiting"
        return f"<seawall.Ticket: {state}>"


def submit(call: Callable[..., T], args: tuple[Any, ...], options: dict[str, Any] | None) -> Ticket[T]:
    options = dict(options or {})
    control = options.setdefault("control", Control())

    def work() -> T:
        try:
            return call(*args, **options)
        except StoppedError as stopped:
            raise CancelledError(str(stopped)) from stopped

    return Ticket(_pool().submit(work), control)
