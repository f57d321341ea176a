# make demo | test | doc | bench | lint: each makes its own .venv and installs what it needs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test doc bench lint test-oldest clean
demo: $(VENV)/plot.stamp
	$(BIN)/python examples/demo.py

test: $(VENV)/test.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal -q $(PYTEST_ARGS)

doc: $(VENV)/doc.stamp
	$(BIN)/python -m sphinx -W --keep-going -b html doc doc/_build/html

bench: $(VENV)/plot.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.run_all $(BENCH_ARGS)

lint: $(VENV)/lint.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The same suite on the oldest versions that pyproject.toml allows.
test-oldest:
	$(MAKE) test VENV=.venv-oldest CONSTRAINT="-c tests/oldest.txt"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp an extra: pip runs again only when pyproject.toml changes.
$(VENV)/%.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet $(CONSTRAINT) -e ".[$*]"
	@touch $@

clean:
	rm -rf .venv .venv-oldest doc/_build doc/gallery doc/tables doc/api/generated
