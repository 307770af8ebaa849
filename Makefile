# Commands for daily work. README.md explains `make site` and `make test`, CONTRIBUTING.md the others.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools
PYTEST := $(BIN)/python -m pytest --numprocesses logical --dist worksteal

unexport PYTHONDONTWRITEBYTECODE  # with it, each of the many processes of the tests compiles the code

.PHONY: setup tools site check fmt-events test test-slow test-all lint format update-golden fonts bench validator clean

# Build the site into the folder site/.
site: setup
	$(BIN)/python build.py

# Check the event files without building anything.
check: setup
	$(BIN)/python build.py --only check

# Rewrite all event files and registries in their canonical form.
fmt-events: setup
	$(BIN)/python -m edo fmt

# Run the linter, the type checker and all tests but the long ones.
test: tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST)

# Run the long tests only: those marked `slow`.
test-slow: tools
	$(PYTEST) -m slow

# Run everything, as CI does.
test-all: test test-slow

# Run the linter and the type checker.
lint: tools
	$(BIN)/ruff check .
	$(BIN)/mypy

# Fix and format the code.
format: tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Replace the expected output of the minisite by today's; read the difference before you commit it.
update-golden: tools
	$(BIN)/python -m pytest tests/test_minisite.py tests/test_imports.py --update-golden

# Cut the site's fonts from the whole fonts of npm packages; see tests/fonts/README.md.
fonts: tools
	npm install --silent --no-audit --no-fund --no-save --prefix $(VENV)/fonts $$($(BIN)/python tests/fonts/cut_fonts.py)
	$(BIN)/python tests/fonts/cut_fonts.py $(VENV)/fonts

# Measure the time and memory of each step of a build.
bench: setup
	$(BIN)/python -m tests.bench

# Install the W3C's HTML checker, which needs Java; the tests that use it are skipped without it.
validator: tools
	npm install --silent --no-audit --no-fund --no-save --prefix $(VENV)/npm vnu-jar@26.9.27

# Install what the program needs.
setup: $(READY)

# Install what the tests need as well.
tools: $(TOOLS)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	touch $@

$(TOOLS): $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test]'
	touch $@

clean:
	rm -rf site $(VENV) bench.json
