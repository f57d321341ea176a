"""Sphinx configuration. The build needs no network; SKMLOGB_INTERSPHINX=1 links to other projects."""

import os
import re
import sys
from importlib.metadata import version as installed_version

project = "skmlogb"
copyright = "2026, the skmlogb developers"
author = "The skmlogb developers"
release = version = installed_version("skmlogb")

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "myst_parser",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "gallery/**/*.py.md5", "sg_execution_times.rst"]
autosummary_generate = True
numpydoc_show_class_members = False

if os.environ.get("SKMLOGB_INTERSPHINX"):
    extensions.append("sphinx.ext.intersphinx")
    intersphinx_mapping = {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "sklearn": ("https://scikit-learn.org/stable", None),
    }

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"[\\/]plot_",
    "ignore_pattern": r"demo\.py$|__init__\.py$",
    "doc_module": ("skmlogb",),
    "backreferences_dir": "gallery/backreferences",
    "reference_url": {"skmlogb": None},
    "remove_config_comments": True,
    "plot_gallery": os.environ.get("SKMLOGB_GALLERY", "1") == "1",
    "min_reported_time": 1,
    "within_subsection_order": "FileNameSortKey",
    "matplotlib_animations": False,
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "skmlogb"
html_theme_options = {
    "navigation_with_keys": False,
    "show_nav_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_show_sourcelink = False

# Examples start worker processes; they must use this interpreter's environment without warnings as errors.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def setup(app):
    """Draw up the tables; keep what scikit-learn adds to each class from leading nowhere."""
    sys.path.insert(0, os.path.dirname(__file__))
    import make_tables

    make_tables.main()
    app.connect("autodoc-skip-member", _skip_metadata_routing)
    app.connect("autodoc-process-docstring", _plain_references, priority=400)  # before numpydoc


def _skip_metadata_routing(app, what, name, obj, skip, options):
    return True if re.fullmatch(r"set_\w+_request|get_metadata_routing", name) else None


def _plain_references(app, what, name, obj, options, lines):
    """Take references to scikit-learn's own pages out of inherited docstrings."""
    if not (getattr(obj, "__module__", None) or "").startswith("skmlogb"):
        lines[:] = [re.sub(r":(?:ref|term):`([^`<]*?)(?: <[^`]*>)?`", r"\1", line) for line in lines]
