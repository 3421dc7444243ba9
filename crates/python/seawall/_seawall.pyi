"""The half of the package that is Rust."""

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, final

import numpy as np
import numpy.typing as npt

from seawall._graph import Graph
from seawall._ticket import Ticket
from seawall._types import Array, Bindable, Grid

__all__ = [
    "Buffer",
    "Compiled",
    "Control",
    "Finished",
    "Kernel",
    "Plan",
    "Program",
    "Runtime",
    "VERSION",
    "devices",
    "plan",
]

VERSION: str

@final
class Control:
    """Another thread's hand on a run."""

    def __new__(cls) -> Control: ...
    def stop(self) -> None: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def workgroups_done(self) -> int: ...

@final
class Runtime:
    """Devices, one of them open."""

    def __new__(
        cls,
        device: str | None = None,
        *,
        seed: int | None = None,
        threads: int | None = None,
        contract: bool = False,
        subgroup_size: int | None = None,
        gpu_slice: float | None = None,
        gpu_budget: int | None = None,
    ) -> Runtime: ...
    @property
    def device(self) -> str: ...
    @property
    def because(self) -> str: ...
    @property
    def caps(self) -> dict[str, Any]: ...
    def __enter__(self) -> Runtime: ...
    def __exit__(
        self, _type: type[BaseException] | None, _raised: BaseException | None, _trace: TracebackType | None, /
    ) -> None: ...

def devices() -> list[dict[str, Any]]: ...
@final
class Buffer:
    """Elements of a dtype on a device, in a shape.

    What the host gets of them is always a copy of the time at which it asked: a kernel may write them at any time,
    and on a GPU they are not in the host's memory at all.
    """

    def __new__(
        cls,
        like: int | tuple[int, ...] | Array,
        dtype: npt.DTypeLike | None = None,
        *,
        runtime: Runtime | None = None,
    ) -> Buffer: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def numpy(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """A copy of it, in a new array or in ``out``. To change the copy changes nothing here."""

    def copy_from(self, other: Array | Buffer) -> None: ...
    def fill(self, value: Any) -> None: ...
    def clear(self) -> None: ...
    def reshape(self, shape: int | tuple[int, ...]) -> Buffer: ...
    def view(self, dtype: npt.DTypeLike) -> Buffer: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int | slice, /) -> Buffer: ...
    def __setitem__(self, index: int | slice, value: npt.ArrayLike, /) -> None: ...
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """A copy of it; ``copy=False`` raises ``ValueError``."""

    def __dlpack__(self, **options: Any) -> Any:
        """A copy of it in the host's memory; ``copy=False`` raises ``BufferError``."""

    def __dlpack_device__(self) -> tuple[int, int]: ...

@final
class Program:
    """A text that was read: its entry points and overrides."""

    def __new__(cls, source: str, *, queues: Mapping[str, str] | None = None, name: str = "<wgsl>") -> Program: ...
    @property
    def entries(self) -> list[str]: ...
    @property
    def overrides(self) -> dict[str, bool]: ...
    @property
    def source(self) -> str: ...
    def kernel(
        self,
        entry: str | None = None,
        *,
        overrides: Mapping[str, float] | None = None,
        runtime: Runtime | None = None,
    ) -> Kernel: ...

@final
class Kernel:
    """One entry point, to be called on arrays."""

    @property
    def entry(self) -> str: ...
    @property
    def workgroup_size(self) -> tuple[int, int, int]: ...
    @property
    def overrides(self) -> dict[str, float]: ...
    @property
    def program(self) -> Program: ...
    @property
    def runtime(self) -> Runtime: ...
    @property
    def buffers(self) -> dict[str, str]: ...
    @property
    def needs(self) -> list[str]: ...
    def dtype(self, buffer: str) -> np.dtype[Any]: ...
    def __call__(
        self,
        bindings: Mapping[str, Bindable] | None = None,
        /,
        *,
        threads: Grid | None = None,
        workgroups: Grid | None = None,
        over: str | None = None,
        indirect: Buffer | None = None,
        limit: Grid | None = None,
        deadline: float | None = None,
        control: Control | None = None,
        trace: str | os.PathLike[str] | None = None,
        **buffers: Bindable,
    ) -> Any: ...
    def submit(self, *args: Mapping[str, Bindable], **options: Any) -> Ticket[Any]: ...

@final
class Plan:
    """The schedule of a graph, with the reasons for it."""

    @property
    def groups(self) -> list[list[str]]: ...
    @property
    def reasons(self) -> list[str]: ...
    @property
    def steps(self) -> list[str]: ...
    @property
    def budget_bytes(self) -> int | None: ...
    @property
    def peak_bytes(self) -> int: ...
    @property
    def evicted_bytes(self) -> int: ...
    def svg(self, title: str = "plan") -> str: ...
    def _repr_svg_(self) -> str: ...

def plan(graph: Graph) -> Plan: ...
@final
class Compiled:
    """A graph that was planned and compiled for a device."""

    def __new__(cls, graph: Graph, *, runtime: Runtime | None = None) -> Compiled: ...
    def __call__(
        self,
        bindings: Mapping[str, Bindable] | None = None,
        /,
        *,
        deadline: float | None = None,
        control: Control | None = None,
        trace: str | os.PathLike[str] | None = None,
        **data: Bindable,
    ) -> Finished: ...
    def submit(self, *args: Mapping[str, Bindable], **options: Any) -> Ticket[Finished]: ...
    def persistent(self, name: str) -> Buffer: ...
    @property
    def plan(self) -> Plan: ...
    @property
    def device(self) -> str: ...
    @property
    def because(self) -> str: ...
    @property
    def runtime(self) -> Runtime: ...
    @property
    def peak_bytes(self) -> int: ...

@final
class Finished:
    """What a run of a graph did, and the outputs that it made."""

    def __getitem__(self, name: str, /) -> npt.NDArray[Any]: ...
    @property
    def outputs(self) -> dict[str, npt.NDArray[Any]]: ...
    @property
    def device(self) -> str: ...
    @property
    def elapsed(self) -> float: ...
    def count(self, output: str) -> int | None: ...
    def turns(self, name: str) -> int | None: ...
    def queue(self, name: str) -> dict[str, int] | None: ...
    @property
    def stats(self) -> dict[str, int]: ...
