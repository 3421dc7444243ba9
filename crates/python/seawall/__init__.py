"""Seawall runs multi-stage WGSL compute programs on the machine at hand, on NumPy arrays in place.

>>> import numpy as np, seawall
>>> double = seawall.kernel('''
...     @group(0) @binding(0) var<storage, read_write> v: array<f32>;
...     @compute @workgroup_size(64)
...     fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 2.0; }
... ''')
>>> v = np.array([1, 2, 3], dtype=np.float32)
>>> double(v=v, threads=3)
>>> v
array([2., 4., 6.], dtype=float32)
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from seawall import kit
from seawall._default import default as runtime
from seawall._errors import (
    BindError,
    DeadlineError,
    DeviceError,
    Diagnostic,
    Error,
    GraphError,
    LimitError,
    ProgramError,
    Span,
    StoppedError,
)
from seawall._graph import Graph
from seawall._results import out
from seawall._seawall import VERSION as __version__
from seawall._seawall import Buffer, Compiled, Control, Finished, Kernel, Plan, Program, Runtime, devices
from seawall._ticket import Ticket

__all__ = [
    "BindError",
    "Buffer",
    "Compiled",
    "Control",
    "DeadlineError",
    "DeviceError",
    "Diagnostic",
    "Error",
    "Finished",
    "Graph",
    "GraphError",
    "Kernel",
    "LimitError",
    "Plan",
    "Program",
    "ProgramError",
    "Runtime",
    "Span",
    "StoppedError",
    "Ticket",
    "__version__",
    "devices",
    "kernel",
    "kit",
    "out",
    "program",
    "runtime",
]


def program(source: str | os.PathLike[str], *, queues: Mapping[str, str] | None = None) -> Program:
    """Reads WGSL: a text, or the file at a path."""
    if isinstance(source, os.PathLike):
        with open(source, encoding="utf-8") as file:
            return Program(file.read(), queues=queues, name=os.fspath(source))
    return Program(source, queues=queues)


def kernel(
    source: str | os.PathLike[str],
    entry: str | None = None,
    *,
    overrides: Mapping[str, float] | None = None,
    queues: Mapping[str, str] | None = None,
    runtime: Runtime | None = None,
) -> Kernel:
    """One entry point of a program, ready to be called.

    ``entry`` may be left out if there is only one. ``overrides`` are values for the program's overrides.
    ``queues`` are the work queues that it uses, and what each holds: ``{"work": "u32"}``.
    """
    return program(source, queues=queues).kernel(entry, overrides=overrides, runtime=runtime)
