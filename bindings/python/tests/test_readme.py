"""The examples in the documentation run."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[3]


def blocks(path):
    return re.findall(r"```python\n(.*?)```", path.read_text(), re.S)


@pytest.mark.parametrize("name", ["bindings/python/README.md", "docs/bindings.md"])
def test_examples_run(name):
    found = blocks(ROOT / name)
    assert found, name
    for block in found:
        exec(compile(block, name, "exec"), {})
