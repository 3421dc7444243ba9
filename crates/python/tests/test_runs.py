"""What ends a run, and runs at the same time."""

import asyncio
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor

import numpy as np
import pytest

import seawall
from conftest import ENDLESS, SAXPY, SQUARE


def endless(device="cpu"):
    return seawall.kernel(ENDLESS, runtime=seawall.Runtime(device)), np.zeros(2, np.uint32)


def test_deadline():
    kernel, v = endless()
    with pytest.raises(seawall.DeadlineError, match="still going round here") as raised:
        kernel(v=v, workgroups=1, deadline=0.05)
    assert isinstance(raised.value, (TimeoutError, seawall.DeviceError))
    kernel(v=np.array([0, 1], np.uint32), workgroups=1, deadline=60.0)


def test_stopped_by_another_thread():
    kernel, v = endless()
    control = seawall.Control()
    timer = threading.Timer(0.05, control.stop)
    timer.start()
    with pytest.raises(seawall.StoppedError, match="the run was stopped, in `main`"):
        kernel(v=v, workgroups=1, control=control)
    timer.join()
    assert control.stopped


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_interrupt():
    kernel, v = endless()
    # A shell lets what it starts in the background ignore Ctrl-C, and so does Python then.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            kernel(v=v, workgroups=1, deadline=30.0)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    kernel(v=np.array([0, 1], np.uint32), workgroups=1)


def test_many_invocations_again():
    """On a thread beside the first time, then on this one, since it was brief."""
    square = seawall.kernel(SQUARE)
    x = np.arange((1 << 20) + 100, dtype=np.float32)
    for turn in range(3):
        assert np.array_equal(square(x=x + turn, threads=x.size), (x + turn) ** 2)
    with pytest.raises(seawall.StoppedError):
        stopped = seawall.Control()
        stopped.stop()
        square(x=x, threads=x.size, control=stopped)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_what_a_handler_raises_comes_out():
    class Mine(Exception):
        pass

    def handler(_signal, _frame):
        raise Mine

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        kernel, v = endless()
        with pytest.raises(Mine):
            kernel(v=v, workgroups=1)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_handler_that_returns_stops_nothing():
    if sys.platform == "win32":
        pytest.skip("there are no such signals")
    heard = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        kernel, v = endless()
        with pytest.raises(seawall.DeadlineError):
            kernel(v=v, workgroups=1, deadline=0.5)
        assert heard == [1]
    finally:
        signal.signal(signal.SIGALRM, before)


def test_others_go_on_meanwhile():
    kernel, v = endless()
    turns = 0
    ticket = kernel.submit(v=v, workgroups=1)
    while turns < 1000:
        turns += 1
    assert not ticket.done()
    assert ticket.cancel()
    with pytest.raises(CancelledError):
        ticket.result(60)
    assert ticket.cancelled() and repr(ticket) == "<seawall.Ticket: cancelled>" and not ticket.cancel()


def test_threads(x):
    square = seawall.kernel(SQUARE)

    def work(factor):
        mine = x * factor
        for _ in range(50):
            assert np.array_equal(square(x=mine, threads=100), mine * mine)
        return factor

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == list(range(8))


def test_one_array_written_by_two(x):
    kernel, v = endless()
    ticket = kernel.submit(v=v, workgroups=1)
    while ticket.workgroups_done == 0 and not v[0]:
        time.sleep(0.001)
    with pytest.raises(seawall.BindError, match="`v` is in use"):
        seawall.kernel(ENDLESS)(v=v, workgroups=1)
    v[1] = 1
    ticket.result(60)


def test_tickets(x):
    square = seawall.kernel(SQUARE)
    tickets = [square.submit(x=x, threads=100) for _ in range(40)]
    called = threading.Event()
    tickets[0].add_done_callback(lambda ticket: called.set() if ticket is tickets[0] else None)
    assert all(np.array_equal(ticket.result(60), x * x) for ticket in tickets)
    assert called.wait(60)
    failed = square.submit(x=x.astype(np.float64), threads=100)
    assert isinstance(failed.exception(60), seawall.BindError)
    with pytest.raises(seawall.BindError):
        failed.result()


def test_await(x):
    square = seawall.kernel(SQUARE)
    kernel, v = endless()

    async def main():
        ticket = square.submit(x=x, threads=100)
        results = await asyncio.gather(ticket, square.submit(x=2 * x, threads=100))
        assert np.array_equal(results[0], x * x) and np.array_equal(results[1], 4 * x * x)
        running = kernel.submit(v=v, workgroups=1)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(running, 0.05)
        for _ in range(1000):
            if running.done():
                break
            await asyncio.sleep(0.01)
        assert running.cancelled()

    asyncio.run(main())


def test_pickling(x):
    named = seawall.Runtime("reference", seed=7)
    kernels = [
        seawall.kernel(SQUARE),
        seawall.kernel(SQUARE, runtime=named),
        seawall.kernel("override k: f32 = 1.0;" + SQUARE.replace("= x", "= k * x"), overrides={"k": 1.0}),
    ]
    for kernel in kernels:
        again = pickle.loads(pickle.dumps(kernel))
        assert (again.entry, again.overrides, again.runtime.device) == (kernel.entry, kernel.overrides, kernel.runtime.device)
        assert np.array_equal(again(x=x, threads=100), x * x)
    assert pickle.loads(pickle.dumps(kernels[0])).runtime is kernels[0].runtime
    first, second = pickle.loads(pickle.dumps((kernels[1], named)))
    assert first.runtime is second
    assert pickle.loads(pickle.dumps(seawall.program(SQUARE))).entries == ["main"]
    with pytest.raises(seawall.ProgramError) as raised:
        seawall.program("fn main(")
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork(x):
    square = seawall.kernel(SQUARE)
    square(x=x, threads=100)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            try:
                square(x=x, threads=100)
                told = "it ran"
            except seawall.DeviceError as error:
                told = str(error)
            anew = seawall.kernel(SQUARE)
            told += "; " + str(bool(np.array_equal(anew(x=x, threads=100), x * x)))
            os.write(write, told.encode())
        finally:
            os._exit(0)
    os.close(write)
    told = b"".join(iter(lambda: os.read(read, 4096), b"")).decode()
    os.waitpid(child, 0)
    assert told == (
        "device `cpu` was opened before this process was forked, and its threads are not here; open it after the fork; True"
    )


def test_other_processes(x):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert np.array_equal(pool.apply(called, (seawall.kernel(SQUARE), x)), x * x)


def called(kernel, x):
    return kernel(x=x, threads=100)


def test_runtimes(x):
    with seawall.Runtime("reference") as runtime:
        assert seawall.runtime() is runtime and seawall.kernel(SQUARE).runtime is runtime
    assert seawall.runtime() is not runtime
    assert runtime.because == "it was asked for" and runtime.caps["kind"] == "reference"
    assert repr(runtime) == "<seawall.Runtime on reference: reference interpreter>"
    assert {"cpu", "reference"} <= {device["id"] for device in seawall.devices()}
    with pytest.raises(seawall.DeviceError, match="there is no device `tpu`; this build has cpu, gpu, reference"):
        seawall.Runtime("tpu")
    with pytest.raises(seawall.DeviceError, match="a seed is for the `reference` device, but device `cpu` is asked for"):
        seawall.Runtime("cpu", seed=1)
    with pytest.raises(seawall.BindError, match="`threads` is 0"):
        seawall.Runtime("cpu", threads=0)


def test_a_program_ends_while_something_runs():
    """Tickets that are left behind do not crash the interpreter."""
    text = textwrap.dedent(
        f"""
        import numpy as np, seawall
        kernel = seawall.kernel({ENDLESS!r})
        ticket = kernel.submit(v=np.zeros(2, np.uint32), workgroups=1, deadline=0.3)
        """
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "")


def test_import_is_silent():
    done = subprocess.run([sys.executable, "-c", "import seawall"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
