"""What people hand in, for type checkers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from seawall._results import out

if TYPE_CHECKING:
    from seawall._seawall import Buffer


class HasArrayInterface(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...


class HasDlpack(Protocol):
    def __dlpack__(self, **options: Any) -> Any: ...


class HasArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...


class HasArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


Array: TypeAlias = Union[
    npt.NDArray[Any], HasArrayInterface, HasDlpack, HasArrowArray, HasArrowStream, memoryview
]
"""Memory of the host: NumPy's, or another library's in place."""

Bindable: TypeAlias = Union[
    Array, "Buffer", out, np.generic, float, Mapping[str, Any], list[Any], tuple[Any, ...], Any
]
"""What can be bound: memory, or a value as numbers, sequences, dicts and dataclasses."""

Grid: TypeAlias = Union[int, tuple[int, ...], list[int]]
"""Invocations or workgroups in up to three dimensions."""
