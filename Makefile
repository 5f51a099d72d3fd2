# Everything runs in .venv; nothing is installed twice while pyproject.toml has not changed.
PYTHON ?= python3
BIN := .venv/bin
# Tests are compiled once, and so is the bot, which they start many times, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: install run test lint types browser wheel torture mutants bench calls gallery pages lock audit

install: .venv/.installed

# What running needs, and no more.
.venv/.running: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Stationmaster needs Python 3.11 or newer; $(PYTHON) is %d.%d. Say which to take: make PYTHON=python3.12" % sys.version_info[:2])'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/.installed: .venv/.running
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

run: .venv/.running
	$(BIN)/stationmaster run

test: install lint types
	$(BIN)/pytest

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

# What tests of the sandbox's page need beside a Chromium of the system; without it they say why they are skipped.
browser: .venv/.browser

.venv/.browser: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[browser]"
	touch $@

# The wheel, built as for a release and tried as its users have it: apart from the checkout, with what the lock names.
wheel: install
	rm -rf build dist .venv-wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(PYTHON) -m venv .venv-wheel
	.venv-wheel/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	.venv-wheel/bin/python -m pip install --quiet --disable-pip-version-check --no-deps dist/*.whl
	$(BIN)/pytest tests/installed -n 1 --stationmaster $(CURDIR)/.venv-wheel/bin/stationmaster

# Long runs, apart from `make test`: random games to the end, with every invariant after every action and
# second statements of the rules that play along, and routes on random boards against trying everything; recorded games by
# commands and buttons from the first move to the last, and what else `make test` does in part; processes that are killed
# and stopped at random instants, on both databases, many tables that catch up after an outage, games during which
# everything happens to thread, channel, permissions and process, and a week at many tables in simulated time, in which
# everybody is called rightly.
GAMES ?= 36
BOARDS ?= 20000
KILLS ?= 300
TABLES ?= 200
ROUGH ?= 20
WEEK ?= --week-tables 30 --week-days 7
IN_PARTS := tests/bot/past/test_recorded_titles.py $(wildcard tests/bot/past/test_c2c_recorded.py tests/bot/running/test_c2c_event_loop.py) tests/bot/moves/test_whole_game.py tests/render/hexes/test_every_hex.py \
	tests/engine/caretaker/test_choosing.py tests/engine/tell/test_trying.py
torture: install
	$(BIN)/pytest tests/properties tests/referees tests/torture $(IN_PARTS) --games $(GAMES) --boards $(BOARDS) --kills $(KILLS) --tables $(TABLES) --rough $(ROUGH) $(WEEK)

# Faults put into the engine one after the other, to see which no test notices; results are kept in mutants/. A sample of
# so many for each module, always the same ones, is tried of the whole engine; 0: all, which takes hours there.
ONLY ?= engine
SAMPLE ?= $(if $(filter engine,$(ONLY)),12,0)
mutants: install .venv/.mutation
	$(BIN)/python -m tests.support.mutants $(ONLY) --sample $(SAMPLE)

.venv/.mutation: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[mutation]"
	touch $@

# Exact versions with hashes, for the container and for whoever wants the same twice. Versions that are in the file stay
# unless pyproject.toml forbids them; `make lock NEWER=--upgrade` takes the newest. `make audit` asks for known holes.
lock: install .venv/.locking
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate $(NEWER) \
		--custom-compile-command "make lock" --extra postgres --output-file requirements.lock pyproject.toml

audit: install .venv/.locking
	$(BIN)/pip-audit --strict --require-hashes --disable-pip --requirement requirements.lock

.venv/.locking: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[locking]"
	touch $@

# Measured on the recorded games where they are at hand, else on our own.
RECORDED := $(wildcard ../shared/conformance/*/*.json)
bench: install
	$(BIN)/python -m benchmarks $(or $(RECORDED),$(wildcard tests/golden/*.json)) --developed 200 --reloads 3000 --cold 200 \
		--pictures $(wildcard tests/golden/*-bank-*.json)

# Messages, pings and calls to Discord in one operating round of four players.
calls: install
	$(BIN)/python -m benchmarks.calls
	$(BIN)/python -m benchmarks.presses

# Pictures for looking: our own games, and the first recorded one of each title where they are at hand.
FIRSTS := $(foreach folder,$(wildcard ../shared/conformance/*),$(firstword $(wildcard $(folder)/*.json)))
gallery: install
	$(BIN)/python -m tests.render.showpieces docs/pictures
	$(BIN)/python -m tests.render.gallery gallery $(wildcard tests/golden/*.json) $(FIRSTS)

# The page of the sandbox, played by clicks, wide and narrow: what was seen, for looking.
pages: browser
	mkdir -p gallery
	$(BIN)/pytest tests/browser -n 0 --basetemp gallery/pages
