"""Any shape and strides: the right answer, or a refusal by name."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import seawall
from conftest import SQUARE

square = seawall.kernel(SQUARE)


@st.composite
def arrays(draw):
    shape = draw(st.lists(st.integers(0, 6), min_size=1, max_size=4))
    base = np.arange(max(int(np.prod(shape)), 1) * 4 + 8, dtype=np.float32)
    array = base[draw(st.integers(0, 3)) :][: int(np.prod(shape))].reshape(shape)
    if draw(st.booleans()):
        array = array.transpose(draw(st.permutations(range(array.ndim))))
    for axis in range(array.ndim):
        step = draw(st.sampled_from([1, 1, 1, 2, -1]))
        start = draw(st.integers(0, 2))
        index = [slice(None)] * array.ndim
        index[axis] = slice(None, None, step) if step < 0 else slice(start, None, step)
        array = array[tuple(index)]
    return array


@settings(max_examples=300, deadline=None)
@given(arrays())
def test_any_strides(x):
    try:
        y = square(x=x, y=seawall.out(x.shape), threads=x.size)
    except seawall.BindError as error:
        assert not x.flags.c_contiguous or x.size == 0, error
        return
    assert x.flags.c_contiguous and x.size > 0
    assert y.shape == x.shape and np.array_equal(y, x * x)
