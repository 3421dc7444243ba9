"""Graphs, as they are described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from seawall._errors import GraphError
from seawall._seawall import Compiled, Kernel, Plan, Runtime, plan

if TYPE_CHECKING:
    import numpy.typing as npt

    from seawall._types import Grid

    Shape = int | tuple[int, ...]
    Word = str | tuple[str, int]


class Graph:
    """Data and waves over it.

    The waves mean what they would mean one after the other, in the order in which they are added. Which of
    them can run at once, and what must be brought and put aside within ``budget`` bytes on the device, is found
    when it is planned.
    """

    def __init__(self, *, budget: int | None = None) -> None:
        self.budget = budget
        self._steps: list[tuple[Any, ...]] = []
        self._open = [self._steps]

    def _say(self, *step: Any) -> Graph:
        self._open[-1].append(step)
        return self

    def input(self, name: str, shape: Shape, dtype: npt.DTypeLike) -> Graph:
        """Data that each run gets from the caller. No wave may change it."""
        return self._say("data", name, "input", shape, dtype, None)

    def output(self, name: str, shape: Shape, dtype: npt.DTypeLike, *, count: str | None = None) -> Graph:
        """Data that each run gives to the caller; it starts as zeros.

        With ``count``, only as many elements come back as the first ``u32`` of that data says in the end. Those
        of the first dimension are counted, whatever each of them holds.
        """
        return self._say("data", name, "output", shape, dtype, count)

    def in_out(self, name: str, shape: Shape, dtype: npt.DTypeLike) -> Graph:
        """Data that each run gets from the caller and gives back."""
        return self._say("data", name, "in_out", shape, dtype, None)

    def persistent(self, name: str, shape: Shape, dtype: npt.DTypeLike) -> Graph:
        """Data that stays on the device from run to run; zeros before the first."""
        return self._say("data", name, "persistent", shape, dtype, None)

    def transient(self, name: str, shape: Shape, dtype: npt.DTypeLike) -> Graph:
        """Data that lives within a run; it starts as zeros."""
        return self._say("data", name, "transient", shape, dtype, None)

    def value(self, name: str, dtype: npt.DTypeLike) -> Graph:
        """One value that each run sets, for waves to read: a uniform, most likely."""
        return self._say("data", name, "value", (), dtype, None)

    def queue(
        self, name: str, capacity: int, dtype: npt.DTypeLike, *, window: int | None = None, initial: int = 0
    ) -> Graph:
        """A work queue. ``initial`` items are the input of its name; ``window`` of them are taken at once."""
        return self._say("queue", name, capacity, dtype, window, initial)

    def wave(
        self,
        name: str,
        kernel: Kernel,
        bindings: Mapping[str, Any] | None = None,
        /,
        *,
        threads: Grid | None = None,
        workgroups: Grid | None = None,
        over: str | None = None,
        indirect: str | None = None,
        limit: Grid | None = None,
        items: str | None = None,
        queues: Mapping[str, str] | None = None,
        after: str | Sequence[str] = (),
        **buffers: Any,
    ) -> Graph:
        """Adds a run of a kernel. Its buffers are bound to data by name, or to values.

        A part of some data is ``(name, start, end)``, in bytes. ``items`` runs an invocation for each item of a
        queue's window, ``queues`` says which queue of the graph each queue of the program is, and ``indirect``
        takes the grid from the first three words of some data, up to ``limit``.
        """
        grids = {"threads": threads, "workgroups": workgroups, "over": over, "indirect": indirect, "items": items}
        given = [grid for grid, value in grids.items() if value is not None]
        if len(given) > 1:
            raise GraphError(f"wave `{name}` has several grids: {', '.join(given)}")
        twice = set(bindings or {}) & set(buffers)
        if twice:
            raise GraphError(f"wave `{name}` binds `{min(twice)}` twice")
        options = {
            **grids,
            "limit": limit,
            "queues": list((queues or {}).items()),
            "after": [after] if isinstance(after, str) else list(after),
        }
        return self._say("wave", name, kernel, {**(bindings or {}), **buffers}, options)

    def swap(self, first: str, second: str) -> Graph:
        """In a loop: the two exchange what they hold at the end of each turn, at no cost."""
        return self._say("swap", first, second)

    @contextmanager
    def _block(self, kind: str, name: str, options: dict[str, Any]) -> Iterator[Graph]:
        body: list[tuple[Any, ...]] = []
        self._open.append(body)
        try:
            yield self
        finally:
            self._open.pop()
        self._say(kind, name, options, body)

    @contextmanager
    def repeat(
        self,
        name: str,
        *,
        while_nonzero: Word | None = None,
        while_zero: Word | None = None,
        limit: int | None = None,
        times: int | None = None,
        must_end: bool = False,
    ) -> Iterator[Graph]:
        """What is added in the block runs turn after turn, as long as a word of the device says so."""
        options = {
            "while_nonzero": while_nonzero,
            "while_zero": while_zero,
            "limit": limit if times is None else times,
            "must_end": must_end,
        }
        with self._block("repeat", name, options):
            yield self

    @contextmanager
    def when(self, name: str, *, nonzero: Word | None = None, zero: Word | None = None) -> Iterator[Graph]:
        """What is added in the block runs only if a word of the device says so."""
        with self._block("when", name, {"nonzero": nonzero, "zero": zero}):
            yield self

    @contextmanager
    def drain(
        self, name: str, queues: str | Sequence[str], *, limit: int | None = None, must_end: bool = False
    ) -> Iterator[Graph]:
        """What is added in the block runs for a window of items after the other, until the queues are empty."""
        queues = [queues] if isinstance(queues, str) else list(queues)
        with self._block("drain", name, {"queues": queues, "limit": limit, "must_end": must_end}):
            yield self

    def plan(self) -> Plan:
        """What runs together and what is staged, and why; nothing is compiled or run for it."""
        return plan(self)

    def compile(self, *, runtime: Runtime | None = None) -> Compiled:
        """Plans it and compiles its kernels, to be run any number of times."""
        return Compiled(self, runtime=runtime)

    def copy(self) -> Graph:
        """Another one that says the same."""
        if len(self._open) > 1:
            raise GraphError("a loop or a branch of the graph is still being described")
        other = Graph(budget=self.budget)
        other._steps.extend(self._steps)
        return other

    def _repr_svg_(self) -> str:
        return self.plan().svg()

    def __repr__(self) -> str:
        def count(steps: list[tuple[Any, ...]], kind: str) -> int:
            bodies: list[list[tuple[Any, ...]]] = [step[3] for step in steps if step[0] in ("repeat", "when", "drain")]
            return sum(count(body, kind) for body in bodies) + len([step for step in steps if step[0] == kind])

        budget = "" if self.budget is None else f", within {self.budget} bytes"
        return f"<seawall.Graph: {count(self._steps, 'wave')} waves over {count(self._steps, 'data')} data{budget}>"

    def __getstate__(self) -> tuple[int | None, list[tuple[Any, ...]]]:
        return self.budget, self.copy()._steps

    def __setstate__(self, state: tuple[int | None, list[tuple[Any, ...]]]) -> None:
        self.budget, self._steps = state
        self._open = [self._steps]


def compiled(graph: Graph, runtime: Runtime) -> Compiled:
    return graph.compile(runtime=runtime)
