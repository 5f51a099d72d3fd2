# Everything runs in .venv; packages are installed again only when pyproject.toml has changed.
PYTHON ?= python3
BIN := .venv/bin
# Keep bytecode whatever the environment says: tests start the bot many times.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: install run test tests lint types scripts checked-scripts wheel torture mutants bench calls gallery pages lock audit

install: .venv/.installed

# What is installed, with its extra and the marks of that. One installation has all that a target needs. uv installs in a
# third of pip's time; pip does it where uv fails, as behind an index that only pip's configuration names. Modules are
# compiled when they are imported, on all processors.
define installed
@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Stationmaster needs Python 3.11 or newer; $(PYTHON) is %d.%d. Say which to take: make PYTHON=python3.12" % sys.version_info[:2])'
@echo "Installing $(1) into .venv, once: about a minute."
@$(PYTHON) -m venv .venv
@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile uv
@UV_SYSTEM_CERTS=1 $(BIN)/uv pip install --quiet --python .venv --editable ".$(2)" || \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable ".$(2)"
@touch $(3)
endef

.venv/.running: pyproject.toml
	$(call installed,Stationmaster,,$@)

.venv/.installed: pyproject.toml
	$(call installed,Stationmaster with its tests and checks,[dev],.venv/.running $@)

run: .venv/.running
	$(BIN)/stationmaster run

# Form and types are checked while the first tests run: each process takes one processor. npm installs beside Python.
test:
	$(MAKE) --no-print-directory --jobs lint types tests

tests: install
	$(BIN)/pytest

lint: install scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell engine render storage bot benchmarks tests deploy docs README.md CHANGELOG.md CONTRIBUTING.md
	$(BIN)/codespell --dictionary docs/glossary.txt deploy docs README.md CHANGELOG.md CONTRIBUTING.md .env.example engine/tell/english.toml

types: install
	$(BIN)/mypy

# The scripts of the board page: their form, their types against those of the answers, and unit tests; by Node, where it is.
# npm trusts the certificates of the system, as pip does.
NODE := $(shell command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); if (a > 20 || (a == 20 && b > 18)) console.log("node")' 2>/dev/null)
PAGE_BIN := .venv/page/node_modules/.bin
ifdef NODE
scripts: install .venv/page/.tried
	@if [ -x $(PAGE_BIN)/tsc ]; then $(MAKE) --no-print-directory checked-scripts; \
	else echo "The scripts of the board page are not checked: npm could not install what checks them."; fi
else
scripts:
	@echo "The scripts of the board page are not checked: that needs npm, and Node 20.19 or newer."
endif

checked-scripts:
	$(BIN)/python -m tests.page.answer_types > .venv/page/answers.d.ts
	$(PAGE_BIN)/prettier --config tests/page/package.json --log-level warn --check "bot/web/page/*.js" "tests/page/*.js"
	$(PAGE_BIN)/eslint --config tests/page/eslint.config.js "bot/web/page/*.js" "tests/page/*.js"
	$(PAGE_BIN)/tsc --project tests/page
	node --test --test-reporter=dot tests/page/*.test.js

.venv/page/.tried: tests/page/package-lock.json
	mkdir -p .venv/page
	cp tests/page/package.json tests/page/package-lock.json .venv/page
	NODE_OPTIONS=--use-openssl-ca npm ci --prefix .venv/page --no-audit --no-fund --loglevel error && touch $@ || true

# The wheel, built as for a release and tested as its users have it: outside the checkout, with the locked versions.
wheel: install
	rm -rf build dist .venv-wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(PYTHON) -m venv .venv-wheel
	.venv-wheel/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	.venv-wheel/bin/python -m pip install --quiet --disable-pip-version-check --no-deps dist/*.whl
	$(BIN)/pytest tests/installed -n 1 --stationmaster $(CURDIR)/.venv-wheel/bin/stationmaster

# Long runs that `make test` leaves out: random games to the end, with every invariant and a second statement of the rules
# checked after each action; routes on random boards against brute force; recorded games by commands and buttons, whole;
# processes killed and stopped at random on both databases; a season of seven groups whose bot is killed; many tables that
# catch up after an outage; games during which thread, channel, permissions and process fail; and a simulated week at many
# tables, in which every ping is right.
GAMES ?= 36
BOARDS ?= 20000
KILLS ?= 300
TABLES ?= 200
ROUGH ?= 20
SEASON ?= 49
WEEK ?= --week-tables 30 --week-days 7
IN_PARTS := tests/browser tests/test_benchmarks.py tests/bot/past/test_recorded_titles.py tests/bot/entry/test_flood.py tests/bot/orders/test_caretaker_moves.py tests/engine/caretaker/test_choosing.py $(wildcard tests/titles/t18c2c/test_coast_to_coast.py) tests/bot/orders/test_end_of_turn.py tests/bot/moves/test_why.py $(wildcard tests/bot/past/test_c2c_recorded.py tests/bot/web/test_c2c_recorded.py) tests/bot/web/test_recorded.py tests/bot/workers/test_event_loop.py tests/bot/workers/test_places_have_pictures.py tests/render/hexes/test_every_hex.py \
	tests/bot/moves/test_picking.py tests/engine/orders/test_timeout_moves.py tests/engine/tell \
	tests/engine/interchange/test_written_logs.py tests/golden/test_event_facts.py tests/bot/moves/test_what_ifs.py tests/bot/undo/test_redo_at_random.py tests/engine/routes tests/engine/board tests/bot/running/test_memory.py tests/conformance
torture: install
	$(BIN)/pytest tests/properties tests/referees tests/torture $(IN_PARTS) --games $(GAMES) --boards $(BOARDS) --kills $(KILLS) --tables $(TABLES) --rough $(ROUGH) --season-players $(SEASON) $(WEEK)

# Mutation testing: faults that no test notices; results are in mutants/. ONLY are modules and packages, SAMPLE how many faults
# of each module are tried, always the same ones; 0: all, which takes hours for large packages.
ONLY ?= engine storage render bot
SAMPLE ?= $(if $(filter %.py,$(ONLY)),0,5)
mutants: install .venv/.mutation
	$(BIN)/python -m tests.support.mutants $(ONLY) --sample $(SAMPLE)

.venv/.mutation: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[mutation]"
	touch $@

# Exact versions with hashes, for the container and for reproducible installs. Versions in the file stay unless
# pyproject.toml forbids them; `make lock NEWER=--upgrade` takes the newest. `make audit` checks for known vulnerabilities.
lock: install .venv/.locking
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate $(NEWER) \
		--custom-compile-command "make lock" --extra postgres --output-file requirements.lock pyproject.toml

audit: install .venv/.locking
	$(BIN)/pip-audit --strict --require-hashes --disable-pip --requirement requirements.lock

.venv/.locking: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[locking]"
	touch $@

# Benchmarks on the recorded games if they are there, else on our own; game 67889 was played by rules of another day.
RECORDED_TITLES := ../shared/conformance/* $(addprefix ../shared/more-titles/conformance/,1830 1882 1889 18ga 18ms)
RECORDED := $(filter-out %/67889.json,$(wildcard $(addsuffix /*.json,$(RECORDED_TITLES))))
bench: install
	$(BIN)/python -m benchmarks $(or $(RECORDED),$(wildcard tests/golden/*.json)) --developed 200 --reloads 3000 --cold 200 \
		--pictures $(wildcard tests/golden/*-bank-*.json) --pages $(wildcard tests/golden/*-bank-*.json)

# Messages, pings and requests to Discord in one operating round of four players, and for the start of a season.
calls: install
	$(BIN)/python -m benchmarks.calls
	$(BIN)/python -m benchmarks.presses
	$(BIN)/python -m benchmarks.season_calls

# Pictures to look at: our own games, and the first recorded game of each title if they are there.
FIRSTS := $(foreach folder,$(wildcard $(RECORDED_TITLES)),$(firstword $(wildcard $(folder)/*.json)))
gallery: install
	$(BIN)/python -m tests.render.gallery docs/pictures gallery $(wildcard tests/golden/*.json) $(FIRSTS)

# Screenshots of the sandbox's page, played by clicks, wide and narrow.
pages: install
	mkdir -p gallery
	$(BIN)/pytest tests/browser -n 0 --games 2 --basetemp gallery/pages
