"""Columns in Arrow's memory format, in place, by its C data interface.

The interface is four structs that every library with Arrow's memory hands out, so that none of those
libraries is needed to read them.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from typing import Any

import numpy as np

from seawall._errors import BindError

_NUMBERS = {"e": "<f2", "f": "<f4", "g": "<f8", "i": "<i4", "I": "<u4", "l": "<i8", "L": "<u8"}


class _Schema(Structure):
    pass


_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", c_void_p),
    ("release", CFUNCTYPE(None, POINTER(_Schema))),
    ("private_data", c_void_p),
]


class _Array(Structure):
    pass


_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", c_void_p),
    ("release", CFUNCTYPE(None, POINTER(_Array))),
    ("private_data", c_void_p),
]


class _Stream(Structure):
    pass


_Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(_Stream))),
    ("release", CFUNCTYPE(None, POINTER(_Stream))),
    ("private_data", c_void_p),
]

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = c_void_p
_pointer.argtypes = [ctypes.py_object, c_char_p]


class _Owned:
    """A struct that is ours: released with this."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    def __del__(self) -> None:
        if self.struct.release:
            self.struct.release(ctypes.byref(self.struct))


class _Column:
    """A column's numbers as NumPy takes them, with whoever keeps them alive."""

    def __init__(self, owner: Any, address: int, shape: tuple[int, ...], typestr: str) -> None:
        self.owner = owner
        # Arrow's memory is shared and never changed: it is read-only.
        self.__array_interface__ = {"data": (address, True), "shape": shape, "typestr": typestr, "version": 3}


def array(name: str, given: Any) -> Any:
    """A column's numbers, in place."""
    if hasattr(given, "__arrow_c_array__"):
        capsules = given.__arrow_c_array__()
        schema = ctypes.cast(_pointer(capsules[0], b"arrow_schema"), POINTER(_Schema)).contents
        column = ctypes.cast(_pointer(capsules[1], b"arrow_array"), POINTER(_Array)).contents
        return _numbers(name, capsules, schema, column)
    capsule = given.__arrow_c_stream__()
    stream = ctypes.cast(_pointer(capsule, b"arrow_array_stream"), POINTER(_Stream)).contents
    owned = _Owned(_Schema())
    _must(name, stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(owned.struct)))
    chunks = [_next(name, stream)]
    while chunks[-1].struct.release and len(chunks) < 3:
        chunks.append(_next(name, stream))
    if len(chunks) != 2:
        how = "no chunks" if len(chunks) < 2 else "several chunks"
        raise BindError(
            f"`{name}` is in {how}, which have no one memory: make it one, as by `.combine_chunks()` or `.rechunk()`"
        )
    return _numbers(name, (chunks[0], owned), owned.struct, chunks[0].struct)


def _next(name: str, stream: Any) -> _Owned:
    owned = _Owned(_Array())
    _must(name, stream, stream.get_next(ctypes.byref(stream), ctypes.byref(owned.struct)))
    return owned


def _must(name: str, stream: Any, status: int) -> None:
    if status != 0:
        told = stream.get_last_error(ctypes.byref(stream)) or b"no reason is given"
        raise BindError(f"`{name}` cannot be read: {told.decode(errors='replace')}")


def _numbers(name: str, owner: Any, schema: Any, column: Any) -> Any:
    width, numbers = 1, (schema, column)
    shape: tuple[int, ...] = (column.length,)
    start = column.offset
    kind = schema.format.decode()
    _whole(name, column)
    if kind.startswith("+w:") and schema.n_children == 1:
        # Lists of one length each are rows.
        width = int(kind[3:])
        numbers = (schema.children[0].contents, column.children[0].contents)
        _whole(name, numbers[1])
        shape = (column.length, width)
        start = column.offset * width + numbers[1].offset
        kind = numbers[0].format.decode()
    if kind not in _NUMBERS or schema.dictionary:
        what = "a table: bind a column of it" if kind == "+s" else f"of Arrow's type `{kind}`, which no buffer holds"
        raise BindError(f"`{name}` is {what}")
    typestr = _NUMBERS[kind]
    address = (numbers[1].buffers[1] or 0) + start * np.dtype(typestr).itemsize
    if column.length * width == 0:
        return np.zeros(shape, typestr)
    return np.asarray(_Column(owner, address, shape, typestr))


def _whole(name: str, column: Any) -> None:
    """Refuses a column in which something is missing."""
    if column.null_count == 0 or column.n_buffers == 0 or not column.buffers[0]:
        return
    if column.null_count < 0:
        bits = column.offset + column.length
        valid = np.ctypeslib.as_array((ctypes.c_uint8 * ((bits + 7) // 8)).from_address(column.buffers[0]))
        if np.unpackbits(valid, bitorder="little")[column.offset : bits].all():
            return
    raise BindError(f"`{name}` has nulls, which WGSL has not: fill them first")
