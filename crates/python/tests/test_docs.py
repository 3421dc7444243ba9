"""What the pages say is so."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import seawall

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(("name", "least"), [("python.md", 40), ("kit.md", 20), ("kit-pieces.md", 20), ("graph-algorithms.md", 8)])
def test_the_pages(name, least):
    page = (ROOT / "docs" / name).read_text(encoding="utf-8").replace("```", "")
    test = doctest.DocTestParser().get_doctest(page, {}, name, f"docs/{name}", 0)
    assert len(test.examples) > least
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0


def test_the_package_and_its_readme():
    assert doctest.testmod(seawall).failed == 0
    assert doctest.testmod(seawall.kit).failed == 0
    assert (code_of("crates/python/README.md")["y"][:3] == [1, 3, 5]).all()


def test_the_readme():
    names = code_of("README.md")
    assert (names["y"] == names["x"] ** 2).all()


def code_of(page):
    """Runs the page's first lines of Python."""
    names = {}
    exec((ROOT / page).read_text(encoding="utf-8").split("```python\n")[1].split("```")[0], names)
    return names


EXAMPLES = {
    "reaction_diffusion.py": ["--size", "64", "--steps", "200"],
    "image_filter.py": ["--size", "96"],
    "nbody.py": ["--bodies", "256", "--steps", "8"],
    "bfs.py": ["--size", "64"],
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_draw(name, tmp_path):
    path = tmp_path / "picture.png"
    args = [sys.executable, str(ROOT / "examples/python" / name), *EXAMPLES[name], "--out", str(path)]
    done = subprocess.run(args, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert path.read_bytes().startswith(b"\x89PNG")
