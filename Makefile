# Most people need `make play` and `make test` only. Each target but help, audit and lock first sets up the environment
# .venv, and sets it up again only when pyproject.toml or a file of locks/ has changed. To choose a Python:
# make play PYTHON=/path/to/python3.11

ifndef PYTHON
PYTHON := $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
endif

# Arguments for the command itself: make play ARGS='--port 9000', make test ARGS='tests/store -x'.
# The tests run on all cores; for one: make test ARGS='-n 0'
ARGS :=

.PHONY: help play run site docs pages quick test lint messages weights translate release-check bench figures audit lock
.DELETE_ON_ERROR:
# Where Python is told to write no compiled files, each process that is started here would compile everything again.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make play   play with the bot in a simulated Discord, in your browser; needs no token"
	@echo "make run    run the bot on Discord; needs DISCORD_TOKEN, see .env.example"
	@echo "make site   make the page of odds as plain files in dist/site, and show it on this computer"
	@echo "make docs   build the documentation as a site in dist/docs, and check its links"
	@echo "make pages  the same with the page of odds in dist/docs/odds: what is published on the web"
	@echo "make quick  run the tests of rules, odds, cards and settings: what one runs at each change"
	@echo "make test   run every test, on all cores; of long walks a share, see CONTRIBUTING.md"
	@echo "make lint   check style, spelling, types and the import contracts"
	@echo "make messages  write the messages of the code into the catalogs of languages"
	@echo "make weights  count again how often each message is said, for the notes above the messages; takes minutes"
	@echo "make translate LANG=de GAME=xwing  write a page with each sentence beside a card that shows it, in dist/translate"
	@echo "make release-check  build what a release is made of, and check that it may go out; needs no tag"
	@echo "make bench  measure how fast it is"
	@echo "make figures  print how large the code is, and how many of its files an action visits"
	@echo "make audit  ask for known holes in the packages that the bot runs on"
	@echo "make lock   write the lock files anew; needs uv"

play: .venv/for-play
	@echo "Starting the bot in a simulated Discord; stop it with Ctrl-C."
	@$(COMPILE)
	@.venv/bin/python -m bot play $(ARGS)

run: .venv/for-run
	@echo "Starting the bot on Discord; stop it with Ctrl-C."
	@$(COMPILE)
	@.venv/bin/python -m bot run $(ARGS)

# Further arguments: make site ARGS='--client-id 123'
site: .venv/for-run
	@$(COMPILE)
	@.venv/bin/python -m bot.odds_site.build dist/site --serve 0 $(ARGS)

# A link that leads nowhere is an error. To read it with changes as you type: make docs ARGS=--serve
docs: .venv/for-dev
	@.venv/bin/python -m docs.website $(ARGS)

pages: docs
	@$(COMPILE)
	@.venv/bin/python -m bot.odds_site.build dist/docs/odds $(if $(PAGES_URL),--url $(PAGES_URL)/odds/)

quick: .venv/for-dev
	@echo "Running the tests of rules, odds, cards and settings."
	@$(COMPILE)
	@.venv/bin/python -m pytest -n logical --dist worksteal --hypothesis-profile quick -m 'not long and not slow' tests/rules tests/odds tests/render tests/ruleset $(ARGS)

# No test fails because a message has no translation yet: one line says how many are missing, and a release needs all.
test: .venv/for-dev
	@echo "Running the tests."
	@$(COMPILE)
	@.venv/bin/python -m bot.languages.catalogs --check || true
	@.venv/bin/python -m pytest -n auto --dist worksteal $(ARGS)

lint: .venv/for-dev
	@echo "Checking style and spelling."
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/codespell
	@echo "Checking types."
	@.venv/bin/mypy
	@echo "Checking the import contracts."
	@.venv/bin/lint-imports --no-cache

# The templates hold every message of the code; each catalog keeps its entries, gets the new ones, and loses those that
# nobody says any more. What is not translated is English. How to translate: bot/languages/README.md
COMPILE = .venv/bin/python -m bot.languages.compiling
messages: .venv/for-dev
	@.venv/bin/python -m bot.languages.catalogs
	@$(COMPILE)

# Counts are data, so that nothing waits for them: the crawler and twenty matches run only here.
weights: .venv/for-dev
	@.venv/bin/python -m tests.weights
	@.venv/bin/python -m bot.languages.catalogs
	@$(COMPILE)

# What the workflow of a release does before it publishes; the version is that of pyproject.toml.
release-check: .venv/for-dev
	@.ci/release "v$$(sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml)"

# LANG is one of the languages, as de or pt-BR, GAME a catalog: xwing, infinity, warsurge, albion, anydice, rollcall
translate: .venv/for-dev
	@$(COMPILE)
	@.venv/bin/python -m docs.translate $(LANG) $(GAME)

# Runs every module of benchmarks/ that has a main function; the others are parts of these.
bench: .venv/for-dev
	@for file in $$(grep -l '^def main()' benchmarks/*.py); do \
		module=benchmarks.$$(basename $$file .py); \
		echo "Measuring: $$module"; \
		.venv/bin/python -m $$module $(ARGS) || exit 1; \
	done

figures: .venv/for-dev
	@.venv/bin/python -m benchmarks.house

audit:
	@$(PYTHON) locks/audit.py locks/run.txt $(ARGS)

# The exact versions that every environment gets, each with the hashes of its files; the ranges that would do are in
# pyproject.toml. Extras stand beside the names, since pip 23 looks for a newer release of a package whose extra is not
# pinned. Versions stay as they are in the lock files; for the newest: make lock ARGS=--upgrade
LOCK = uv pip compile -q --generate-hashes --universal --python-version 3.11 --no-annotate --no-header --no-strip-extras $(ARGS) \
	pyproject.toml locks/build.in
lock:
	@$(LOCK) --extra dev --extra postgres --extra speed -o locks/dev.txt
	@$(LOCK) --extra play -c locks/dev.txt -o locks/play.txt
	@$(LOCK) --extra postgres --extra speed -c locks/dev.txt -o locks/run.txt

# The files for-play, for-run and for-dev note when each set of packages was installed. The environment has no pip of its
# own, because Debian's Python needs one more package to put it there; the pip of $(PYTHON) installs into it from outside.
.venv/for-%: pyproject.toml locks/%.txt
	@test -n "$(PYTHON)" || { echo "Rollcall needs Python 3.11 or newer. Name yours: make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -m pip --version >/dev/null || { echo "Rollcall needs pip for $(PYTHON)."; exit 1; }
	@echo "Setting up .venv for '$*' with $$($(PYTHON) --version); this is done once and takes about a minute."
	@test -x .venv/bin/python || $(PYTHON) -m venv --without-pip .venv
	@$(INSTALL) --require-hashes -r locks/$*.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@ $(ALSO)

INSTALL = PIP_DISABLE_PIP_VERSION_CHECK=1 $(PYTHON) -m pip --python .venv/bin/python install -qq --no-input
.venv/for-dev: ALSO := .venv/for-play
