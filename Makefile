# What people type: `make site`, `make test`, `make check`. See README.md.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools

.PHONY: setup tools site check fmt-events test lint format types update-golden bench validator clean

site: setup
	$(BIN)/python build.py

check: setup
	$(BIN)/python build.py --only check

# Give all event files and registries their canonical form.
fmt-events: setup
	$(BIN)/python -m edo fmt

test: tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --numprocesses logical --dist loadfile

lint: tools
	$(BIN)/ruff check .
	$(BIN)/mypy

format: tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Take the minisite's output of today as the expected one; look at the difference before committing it.
update-golden: tools
	$(BIN)/python -m pytest tests/test_minisite.py --update-golden

bench: setup
	$(BIN)/python -m edo bench

setup: $(READY)

# The W3C's HTML checker, which runs on Java; the tests that need it are skipped where it is missing.
validator: tools
	npm install --silent --no-audit --no-fund --no-save --prefix $(VENV)/npm vnu-jar@26.9.27

# What the program needs; and what its tests need besides.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	touch $@

tools: $(TOOLS)

$(TOOLS): $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test]'
	touch $@

clean:
	rm -rf site $(VENV) bench.json
