"""The stubs say what there is."""

import subprocess
import sys
from pathlib import Path

import pytest

import seawall

pytest.importorskip("mypy")
HERE = Path(__file__).parent


def run(*args):
    done = subprocess.run([sys.executable, "-m", *args], capture_output=True, text=True, cwd=HERE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_what_there_is():
    run("mypy.stubtest", "seawall._seawall", "--concise")


def test_typed_use(tmp_path):
    assert (Path(seawall.__file__).parent / "py.typed").exists()
    run("mypy", "--strict", "--cache-dir", str(tmp_path), str(HERE / "typed.py"))


def test_a_wrong_use_is_found(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import seawall\nseawall.Runtime(device=3)\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(wrong)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1 and "incompatible type" in done.stdout
