"""The layout's promises: which way imports point, and that nothing private of scikit-learn leaks in."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "skmlogb"
FILES = sorted(PACKAGE.rglob("*.py"))

# A module imports modules of an earlier layer, or of its own layer within its own wing.
LAYERS = [
    {"_validation"},
    # What stands by itself: losses, penalties, the data as a matrix, outcomes and their rewards, radii.
    {
        *(
            f"robust.{name}"
            for name in ("losses", "penalties", "leading", "design", "inputs", "scale", "identity")
        ),
        *(f"robust.{name}" for name in ("step_sizes", "parameters", "nonconvex", "frame")),
        *(f"bandit.{name}" for name in ("outcome_model", "hyperparameters", "rewards", "radius", "optimism")),
    },
    # The recursion and its risk; the curvatures.
    {
        *(f"robust.{name}" for name in ("trajectory", "risk", "risk_sweep", "record", "sweep", "traces")),
        *(f"robust.{name}" for name in ("exact", "probes", "control", "thinning", "weights")),
        *(f"bandit.{name}" for name in ("curvature", "hessian", "projection", "dense", "sketched")),
    },
    # What a user builds.
    {
        *(
            f"robust.{name}"
            for name in ("estimators", "base", "fitting", "descent", "diagnosis", "streaming")
        ),
        *(f"bandit.{name}" for name in ("base", "mlogb", "policies")),
    },
    # What works on what a user has built.
    {"bandit.policy_checks", "robust.model_selection", "simulation.environments", "simulation.trials"},
    {"displays", "datasets"},
]
LAYER_OF = {name: layer for layer, names in enumerate(LAYERS) for name in names}


def _module(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def _imports(path):
    """Yield (module, names) for each import statement of a file, relative ones made absolute."""
    package = ["skmlogb", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield (
                ".".join([*base, *([node.module] if node.module else [])]),
                [alias.name for alias in node.names],
            )


def _own_modules(path):
    """Yield the modules of this package, without the prefix, that a file imports."""
    known = {_module(file) for file in FILES}
    for module, names in _imports(path):
        if module.split(".")[0] == "skmlogb":
            module = module.removeprefix("skmlogb").lstrip(".")
            inside = [f"{module}.{name}".lstrip(".") for name in names]
            yield from ([name for name in inside if name in known] or [module])


def test_every_module_has_a_layer():
    modules = {_module(path) for path in FILES if path.name != "__init__.py"}
    assert set(LAYER_OF) == modules


@pytest.mark.parametrize("path", FILES, ids=_module)
def test_imports_point_one_way(path):
    here = _module(path)
    for module in _own_modules(path):
        assert not (here.startswith("robust") and module.startswith("bandit"))
        assert not (here.startswith("bandit") and module.startswith("robust"))
        if here.startswith(("robust", "bandit")):
            assert not module.startswith(("simulation", "displays"))
        if here in LAYER_OF and module in LAYER_OF:
            assert LAYER_OF[module] <= LAYER_OF[here], f"{here} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=_module)
def test_nothing_private_of_scikit_learn(path):
    for module, names in _imports(path):
        if module.split(".")[0] == "sklearn" and _module(path) != "_validation":
            assert not any(part.startswith("_") for part in [*module.split("."), *names]), (module, names)


@pytest.mark.parametrize("path", FILES, ids=_module)
def test_the_global_generator_is_never_used(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
            drawn = node.value.attr == "random" and node.attr not in (
                "default_rng",
                "Generator",
                "SeedSequence",
                "RandomState",
                "BitGenerator",
            )
            assert not (drawn and ast.unparse(node.value) in ("np.random", "numpy.random")), ast.unparse(node)
