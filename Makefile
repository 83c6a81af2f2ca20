# Short targets; what they do is in tools/. PYTHON chooses the interpreter: make test PYTHON=python3.13
PYTHON ?= python3
export PYTHON
PY = .venv/bin/python

.PHONY: help demo test quick lint bundle bench screenshots clean

help:           ## list the targets
	@grep -E '^[a-z]+: .*##' Makefile | sed 's/:.*## */\t/' | expand -t 14

demo: .venv/.lab            ## JupyterLab on the quickstart (HEADLESS=1: run it and write an HTML page)
	@HEADLESS=$(HEADLESS) tools/demo

test: .venv/.test           ## everything: Python (default, newest, oldest libraries), kernel, JavaScript, browser
	@tools/test

quick: .venv/.test          ## Python tests without kernels and browser
	@$(PY) -m pytest -q -m "not kernel and not browser"

lint: .venv/.lint .venv/.test    ## format, lint and types
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy

bundle: .venv/.test         ## rebuild widget and generated types; fails if the committed ones differ
	@tools/bundle

bench: .venv/.bench         ## benchmarks beside agentscope
	@tools/bench

screenshots: .venv/.test    ## retake the pictures in tests/browser/screenshots
	@$(PY) -m tests.browser.screenshots

clean:          ## remove environments and caches
	rm -rf .venv .venv-newest .venv-lowest build dist js/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis

# One stamp per extra; installing again is cheap when nothing changed.
.venv/.%: pyproject.toml
	@tools/venv .venv "$(PYTHON)" $*
	@touch $@

.venv-newest/.ready: pyproject.toml
	@tools/venv .venv-newest "$(NEWEST)" test
	@touch $@

.venv-lowest/.ready: pyproject.toml tools/lowest.py
	@tools/venv .venv-lowest "$(PYTHON)" dask,parquet,plots $$($(PY) tools/lowest.py)
	@touch $@
