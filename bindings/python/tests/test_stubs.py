"""The type stubs name what is there, and nothing else."""

import ast
import inspect
import pathlib

import threshold

STUB = pathlib.Path(threshold.__file__).with_name("__init__.pyi")


def members(node):
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
            yield item.name, item
        elif isinstance(item, ast.AnnAssign):
            yield item.target.id, item


def test_stubs_and_module_agree():
    assert STUB.with_name("py.typed").exists()
    stub = {name: node for name, node in members(ast.parse(STUB.read_text())) if not name.startswith("_")}
    assert set(stub) == set(threshold.__all__)
    for name, node in stub.items():
        if not isinstance(node, ast.ClassDef):
            continue
        cls = getattr(threshold, name)
        written = {member for member, _ in members(node) if not member.startswith("_")}
        present = {member for member in vars(cls) if not member.startswith("_")}
        assert written == present, name


def test_stubs_and_signatures_agree():
    for name, node in members(ast.parse(STUB.read_text())):
        if not isinstance(node, ast.ClassDef):
            continue
        for member, item in members(node):
            if not isinstance(item, ast.FunctionDef) or member.startswith("_") or item.args.vararg:
                continue
            if any(isinstance(d, ast.Name) and d.id == "property" for d in item.decorator_list):
                continue
            present = [p for p in inspect.signature(getattr(getattr(threshold, name), member)).parameters if p != "self"]
            written = [a.arg for a in item.args.args + item.args.kwonlyargs if a.arg != "self"]
            assert written == present, f"{name}.{member}"
