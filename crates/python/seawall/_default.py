"""The runtime that is used where none is named, and what is pickled."""

from __future__ import annotations

import os
import threading
from contextvars import ContextVar
from typing import Any

from seawall._seawall import Kernel, Program, Runtime

_lock = threading.Lock()
_opened: dict[tuple[Any, ...], Runtime] = {}
_entered: ContextVar[tuple[Runtime, ...]] = ContextVar("seawall_entered", default=())


def _once(key: tuple[Any, ...], **options: Any) -> Runtime:
    # The process is part of the key: what has threads is of no use in a child.
    key = (os.getpid(), *key)
    with _lock:
        if key not in _opened:
            _opened[key] = Runtime(**options)
        return _opened[key]


def default() -> Runtime:
    """The innermost runtime that was entered by ``with``, or else the best one."""
    entered = _entered.get()
    return entered[-1] if entered else _once(())


def is_default(runtime: Runtime) -> bool:
    return _opened.get((os.getpid(),)) is runtime


def enter(runtime: Runtime) -> None:
    _entered.set((*_entered.get(), runtime))


def leave(runtime: Runtime) -> None:
    entered = _entered.get()
    assert entered and entered[-1] is runtime, "runtimes are left in the order in which they were entered"
    _entered.set(entered[:-1])


def opened(
    device: str | None,
    seed: int | None,
    threads: int | None,
    contract: bool,
    subgroup_size: int | None,
    gpu_slice: float | None,
    gpu_budget: int | None,
) -> Runtime:
    """One runtime for all that was pickled with one that was opened like this."""
    options = {
        "seed": seed,
        "threads": threads,
        "contract": contract,
        "subgroup_size": subgroup_size,
        "gpu_slice": gpu_slice,
        "gpu_budget": gpu_budget,
    }
    return _once((device, *options.values()), device=device, **options)


def program(source: str, queues: dict[str, str], name: str) -> Program:
    return Program(source, queues=queues, name=name)


def kernel_of(program: Program, entry: str, overrides: dict[str, float], runtime: Runtime) -> Kernel:
    return program.kernel(entry, overrides=overrides, runtime=runtime)


# A lock that another thread held when the process was forked would be held for ever.
def _renew() -> None:
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
