# The orders of this repository. `make` alone lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
JOBS ?= 2
PAGES := $(wildcard docs/reference/*.md)
COG := $(BIN)/cog -U -I . -I src --verbosity=1

.DEFAULT_GOAL := help
.PHONY: help check test lint format types floors sizes docs docs-check bench bench-scale live venv clean

help: ## list what can be made (this)
	@echo "make TARGET, where TARGET is one of:"
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

check: lint types floors docs-check test ## everything that must be green: lint, types, floors, docs, and the tests with the sizes

test: $(READY) ## the tests, on every engine; ARGS="-k name" narrows them
	$(BIN)/pytest -n $(JOBS) $(ARGS)

lint: $(READY) ## style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY) ## put imports and format right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(READY) ## mypy, strict
	$(BIN)/mypy
	MYPYPATH=src $(BIN)/mypy --strict --explicit-package-bases tests docs/_generate.py

floors: $(READY) ## which room may import which
	$(BIN)/lint-imports

sizes: $(READY) ## lengths of modules, classes, functions and packages
	$(BIN)/pytest tests/house/test_sizes.py

docs: $(READY) ## write the generated parts of docs/reference anew
	$(COG) -r $(PAGES)

docs-check: $(READY) ## fail where a generated part is stale
	$(COG) --check --check-fail-msg "run: make docs" $(PAGES)

bench: $(READY) ## the benchmarks; ARGS are theirs
	$(BIN)/python -m bench $(ARGS)
bench-scale: $(READY) ## 1,000,000 events in 10,000 sessions beside raw SQLite; ARGS="--events 5000000" for more
	$(BIN)/python -m bench scale $(ARGS)

live: $(READY) ## the trials with real hosts; ARGS are theirs
	$(BIN)/python -m live $(ARGS)

venv: $(READY) ## make .venv with everything that the checks need

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev,postgres]'
	@touch $@

clean: ## remove .venv and every cache
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
