"""The API page lists exactly what is exported, and every docstring on it is complete numpydoc."""

import ast
import dataclasses
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from numpydoc.validate import validate

import skmlogb

ROOT = Path(__file__).parents[1]
SUBMODULES = ["robust", "bandit", "simulation", "displays", "datasets"]
EXPORTED = [
    f"skmlogb.{module}.{name}"
    for module in SUBMODULES
    for name in importlib.import_module(f"skmlogb.{module}").__all__
]

# numpydoc's checks that this project does not follow, with the reason.
IGNORED = {
    "GL01",  # the summary starts on the line of the quotes
    "GL02",  # the closing quotes may share a line with a one-line summary
    "GL08",  # inherited scikit-learn methods without docstring are not ours
    "SA01",  # See Also only where there is something to see
    "SA04",
    "ES01",  # an extended summary only where the summary is not enough
    "EX01",  # examples are required below for objects, not for every method
    "YD01",
    "SS06",  # the summary may need two lines
    "RT02",
    "PR08",  # a parameter's description may start with a formula
    "PR09",
    "RT04",
    "RT05",
}


def _listed():
    module, names = None, []
    for line in (ROOT / "doc/api.rst").read_text().splitlines():
        if found := re.match(r"\.\. currentmodule:: (\S+)", line):
            module = found[1]
        elif found := re.match(r"   (\w+)$", line):
            names.append(f"{module}.{found[1]}")
    return names


def test_the_api_page_lists_what_is_exported():
    assert sorted(_listed()) == sorted(EXPORTED)


def test_every_public_name_can_be_imported_from_the_top():
    assert sorted(skmlogb.__all__) == sorted([*(name.split(".")[-1] for name in EXPORTED), "__version__"])


def _find(name):
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError:  # a method of a class
        return getattr(_find(module), attribute)


def _documented():
    for name in EXPORTED:
        yield name
        obj = _find(name)
        if inspect.isclass(obj):
            for method, member in vars(obj).items():
                if not method.startswith("_") and inspect.isfunction(member):
                    yield f"{name}.{method}"


def _does_not_apply(code, name, docstring):
    """Whether a finding is numpydoc's misunderstanding."""
    if code == "RT01":  # a method that returns a generator says what that yields
        return "Yields\n------" in docstring
    if code == "PR01" and dataclasses.is_dataclass(obj := _find(name)):  # described as its attributes
        described = re.findall(r"\w+", " ".join(re.findall(r"^([\w, ]+) : ", docstring, flags=re.MULTILINE)))
        return {field.name for field in dataclasses.fields(obj) if field.init} <= set(described)
    return False


@pytest.mark.parametrize("name", list(_documented()))
def test_docstrings_are_complete(name):
    found = validate(name)
    errors = [
        f"{code}: {text}"
        for code, text in found["errors"]
        if code not in IGNORED and not _does_not_apply(code, name, inspect.getdoc(_find(name)))
    ]
    if name in EXPORTED and ">>>" not in found["docstring"]:
        errors.append("no example")
    assert not errors, f"{found['file']}:{found['file_line']}: {name}\n" + "\n".join(errors)


def test_the_changelog_names_this_version():
    assert f"## {skmlogb.__version__}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("plot_*.py")), ids=lambda path: path.stem)
def test_examples_use_public_names_only(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "skmlogb":
            exported = importlib.import_module(node.module).__all__
            assert {alias.name for alias in node.names} <= set(exported), node.module


def test_what_is_optional_is_not_imported():
    """The package imports where matplotlib, pandas and dask cannot be."""
    blocked = "import sys; sys.modules.update(dict.fromkeys(['matplotlib', 'pandas', 'distributed', 'ray']))"
    subprocess.run([sys.executable, "-c", f"{blocked}; import skmlogb"], check=True)
