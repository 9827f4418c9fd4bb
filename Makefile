PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test check docs bench clean

demo: $(VENV)/base
	$(BIN)/gleak demo --report demo.html
	@echo "demo.html is the same as a page to look at"

test: $(VENV)/dev
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term-missing:skip-covered

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) test

docs: $(VENV)/docs
	$(BIN)/mkdocs build --strict

bench: $(VENV)/dev
	for script in benchmarks/*/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean:
	rm -rf $(VENV) demo.html site build dist .coverage coverage.xml .pytest_cache .mypy_cache .ruff_cache .hypothesis

# The build back end comes from the constraints too, so that two installs are the same.
$(VENV)/base: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt hatchling editables
	$(PIP) install --constraint constraints.txt --no-build-isolation --editable .
	touch $@

$(VENV)/dev: $(VENV)/base
	$(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	touch $@

$(VENV)/docs: $(VENV)/base
	$(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[docs]'
	touch $@
