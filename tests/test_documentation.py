"""The API page lists exactly what is exported, and every docstring on it is complete numpydoc."""

import importlib
import inspect
import re
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


def _documented():
    for name in EXPORTED:
        yield name
        obj = getattr(importlib.import_module(name.rpartition(".")[0]), name.rpartition(".")[2])
        if inspect.isclass(obj):
            for method, member in vars(obj).items():
                if not method.startswith("_") and inspect.isfunction(member):
                    yield f"{name}.{method}"


@pytest.mark.parametrize("name", list(_documented()))
def test_docstrings_are_complete(name):
    found = validate(name)
    errors = [f"{code}: {text}" for code, text in found["errors"] if code not in IGNORED]
    if name in EXPORTED and ">>>" not in found["docstring"]:
        errors.append("no example")
    assert not errors, f"{found['file']}:{found['file_line']}: {name}\n" + "\n".join(errors)


def test_the_changelog_names_this_version():
    assert f"## {skmlogb.__version__}" in (ROOT / "CHANGELOG.md").read_text()
