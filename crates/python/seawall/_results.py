"""Outputs that Seawall makes."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from functools import lru_cache
from typing import Any


@dataclass(frozen=True)
class out:
    """Stands for an array of zeros that the call makes and gives back.

    The shape may be left out where the program says it, or ``threads`` does.
    """

    shape: int | tuple[int, ...] | None = None


@lru_cache(maxsize=256)
def _class(names: tuple[str, ...]) -> Any:
    return namedtuple("Results", names, rename=True)


def results(names: tuple[str, ...], arrays: tuple[Any, ...]) -> Any:
    return _class(names)(*arrays)
