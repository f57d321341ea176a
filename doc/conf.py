"""Sphinx configuration. The build needs no network; SKMLOGB_INTERSPHINX=1 links to other projects."""

import os
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
sys.path.insert(0, os.path.abspath(".."))
