"""Arrays of other libraries as NumPy's, in the same memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from seawall._errors import BindError


def array(name: str, given: Any) -> Any:
    """``given`` as an array over its own memory; ``None`` if it has none."""
    if isinstance(given, (int, float, complex, str, dict, list, tuple)):
        return None
    if isinstance(given, np.generic):
        # A scalar is a value, but for a struct, whose bytes are there already.
        return np.asarray(given) if isinstance(given, np.void) else None
    if hasattr(given, "__array_interface__") or hasattr(given, "__array_struct__"):
        return np.asarray(given)
    if hasattr(given, "__arrow_c_array__") or hasattr(given, "__arrow_c_stream__"):
        from seawall import _arrow

        return _arrow.array(name, given)
    if hasattr(given, "__dlpack__"):
        return _dlpack(name, given)
    try:
        return np.asarray(memoryview(given))
    except TypeError:
        return None


# Of DLPack's kinds of memory, those that the host reads like its own.
_HOST_KINDS = (1, 3, 11)


def _dlpack(name: str, given: Any) -> Any:
    try:
        kind = int(given.__dlpack_device__()[0])
        if kind not in _HOST_KINDS:
            raise BufferError(f"DLPack's kind of device is {kind}")
        return _writable(given, np.from_dlpack(given))
    except (BufferError, RuntimeError, ValueError, TypeError) as error:
        raise BindError(
            f"`{name}`: the memory of this {type(given).__name__} cannot be used in place ({error}); "
            "bring it to the host first, as by `.cpu()`, and detach it from what computes gradients"
        ) from error


def _writable(given: Any, array: Any) -> Any:
    """The same memory by ``__array__``, where DLPack does not say that it may be written.

    Before version 1 it had no way to say so, and NumPy takes such memory for read-only.
    """
    if array.flags.writeable or not hasattr(given, "__array__"):
        return array
    other = np.asarray(given)
    same = other.__array_interface__["data"] == (array.ctypes.data, False) and other.dtype == array.dtype
    return other if same and other.shape == array.shape and other.strides == array.strides else array
