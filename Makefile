# Everything runs inside .venv, which these targets make and keep current by themselves.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
# Which steps `make test` runs: "all", "today" or a day such as 2026-11-23; see tests/portion.py.
FIXBOOK_STEPS ?= today
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help site build archive env check check-types check-form test coverage mutants verify record gpu rehearse kernels kernel-texts planted-gpu reverify bundle bench bench-find bench-untruths bench-synthetic notebooks fuzz messages lighthouse clean
help: ## show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

site: .venv/.site ## build both languages and serve them on http://127.0.0.1:8000
	$(BIN)/python -m generator serve --port $(PORT)

build: .venv/.site ## build both languages into site/
	$(BIN)/python -m generator build

archive: build ## pack the site and the command into fixbook.pyz, for machines without a network
	$(BIN)/python -m generator archive fixbook.pyz

env: .venv/.full ## install everything that the recipes need

check: .venv/.full ## formatting, lint and types, of Python, JavaScript and the book
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-types check-form

check-types: .venv/.full
	$(BIN)/mypy

check-form: .venv/.full
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/fixbook fmt --check
	scripts/check-javascript

test: check ## checks, gates, site in a real browser, today's part of recipes and long tests; FIXBOOK_STEPS=all
	scripts/install-browser
	scripts/in-turn 'FIXBOOK_STEPS=$(FIXBOOK_STEPS) $(BIN)/python -m pytest -m "not recipes" -n auto --dist loadfile --no-loadscope-reorder' \
	  'FIXBOOK_STEPS=$(FIXBOOK_STEPS) $(BIN)/python -m pytest -m recipes'

coverage: .venv/.full ## branches of the core that the tests of its own modules take; fails below the floor
	$(BIN)/python -m coverage run -m pytest -q -n 0 $$($(BIN)/python -m bench.mutants.modules tests)
	$(BIN)/python -m coverage report --include=$$($(BIN)/python -m bench.mutants.modules)

mutants: .venv/.full .cache/mutants/venv/.done ## seed mistakes into the core, run each module's tests; docs/mutants.md
	$(BIN)/python -m bench.mutants

verify: .venv/.full ## run every step of every entry
	$(BIN)/fixbook verify

record: .venv/.full ## run every step and write the evidence of this machine
	$(BIN)/fixbook verify --record

MINUTES ?= 60
gpu: .venv/.full ## run on this machine's GPU what is not recorded there, the most telling first; MINUTES=9 NAME=two-h100
	$(BIN)/fixbook verify --on cuda --results results --budget $$(($(MINUTES) * 60)) $(if $(NAME),--machine $(NAME)); \
	code=$$?; cat results/summary.txt; exit $$code

rehearse: .venv/.full ## run changed GPU steps on GPUs that stand in (ALL=1: every one); docs/rehearsal.md
	$(BIN)/python -m bench.rehearsal $(if $(ALL),--all)

kernels: .venv/.full ## compile what recipes compile for a GPU, for sm_80, sm_90 and sm_120, without one
	$(BIN)/python -m bench.kernels
	$(BIN)/python -m bench.triton_kernels

kernel-texts: .venv/.full ## look up texts of kernels in torch's builds that are installed; docs/kernel-texts.md
	$(BIN)/python -m bench.kernel_texts

planted-gpu: .venv/.full ## plant mistakes into GPU code, see what finds each without a card; docs/planted-gpu.md
	$(BIN)/python -m bench.planted_gpu

VERSIONS ?=
reverify: .venv/.full ## run the steps that import a library on other releases; VERSIONS="peft==0.17.1"
	$(BIN)/python -m bench.reverify $(VERSIONS)

bundle: .venv/.full ## pack the book for a GPU machine without a network
	$(BIN)/fixbook bundle bundle

bench: .venv/.full ## cold start, patterns on hard lines, the engine in a browser, throughput, scaling
	$(BIN)/python -m bench.cold_start
	$(BIN)/python -m bench.patterns
	$(BIN)/python -m bench.browser
	$(BIN)/python -m bench.throughput
	$(BIN)/python -m bench.checking_scale
	$(BIN)/python -m bench.redaction
	$(BIN)/python -m bench.serving

bench-find: .venv/.full ## how well failures are found, beside other searches, and how often the first fix fits
	$(BIN)/python -m bench.find --write
	$(BIN)/python -m bench.first_fix

bench-synthetic: .venv/.site ## how lint, diagnosis, checks and the build grow with the book
	$(BIN)/python -m bench.synthetic

bench-untruths: .venv/.full ## plant untruths into a copy of the book, and see what catches each
	$(BIN)/python -m bench.untruths

notebooks: .venv/.full ## run twelve notebooks as a reader's Jupyter does, and print what each took
	$(BIN)/python -m bench.notebooks

fuzz: .venv/.full ## made-up input, run and judged; FUZZ_SEED=7 FUZZ_CASES=5000
	$(BIN)/python -m tests.fuzz

messages: .venv/.site ## collect the command's messages and compile their Chinese
	$(BIN)/python scripts/update-messages

lighthouse: .venv/.site ## Lighthouse scores of an article (needs npx and Chrome)
	@mkdir -p .cache
	scripts/lighthouse

clean: ## remove the environment and what was built
	rm -rf .venv site build .cache

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Fixbook needs Python 3.11 or newer; set PYTHON=python3.x" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv

.venv/.site: requirements-site.txt pyproject.toml package-lock.json | .venv/bin/python
	$(PIP) install -r requirements-site.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	$(BIN)/python scripts/install-javascript
	touch $@

.cache/mutants/venv/.done: requirements-mutants.txt | .venv/bin/python
	$(BIN)/python -m venv .cache/mutants/venv
	.cache/mutants/venv/bin/python -m pip --disable-pip-version-check --quiet install -r $<
	touch $@

# DeepSpeed builds from source against the torch that is installed, without compiling its kernels.
.venv/.full: requirements.txt requirements-nodeps.txt | .venv/.site
	$(PIP) install -r requirements.txt
	DS_BUILD_OPS=0 $(PIP) install --no-deps --no-build-isolation -r requirements-nodeps.txt
	touch $@
