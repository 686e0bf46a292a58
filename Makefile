# Sanqi: `make run` builds and starts the engine, `make test` tests it. `make help` lists the rest.
#
# EXE       the executable to make (default: sanqi)
# EVALFILE  a chess net to embed instead of the one in nnue/
# ARCH      the CPU to compile for (default: native); every build picks its kernels when it starts

EXE      ?= sanqi
ARCH     ?= native
CARGO    ?= cargo
SOURCES  := $(shell find src nnue -type f 2>/dev/null)
TOOLS    := target/tools
PYTHON   := $(TOOLS)/venv/bin/python
PROFILE  := $(CURDIR)/target/profile
PROFDATA  = $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/*/bin/llvm-profdata))

# What the tests drive the engine with; all of it optional.
APT_TOOLS := stockfish gnugo xboard xvfb xauth xfonts-base xfonts-100dpi uci2wb polyglot hoichess python3-venv \
             $(if $(shell command -v npm),,nodejs npm)
PIP_TOOLS := chess==1.11.2 cchess==1.25.5 pyffish sgfmill
NPM_TOOLS := @sabaki/gtp@3.0.0 @sabaki/go-board@1.4.3

ifdef EVALFILE
export EVALFILE
endif

.DEFAULT_GOAL := $(EXE)
.PHONY: run test test-long check bench microbench portable pgo tools clean help

$(EXE): $(SOURCES) build.rs Cargo.toml Cargo.lock $(EVALFILE)
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=$(ARCH))" $(CARGO) build --release --locked --target-dir target/$(ARCH) --bin sanqi
	install target/$(ARCH)/release/sanqi $@

run: $(EXE) ## build the engine and start it
	./$(EXE)

test: $(EXE) tools ## install what the tests need, run them all (but the long ones)
	SANQI=$(abspath $(EXE)) $(CARGO) test --locked -q

test-long: $(EXE) tools ## the tests that take minutes: deep perft, every build alike
	SANQI=$(abspath $(EXE)) $(CARGO) test --locked -q -- --ignored

check: ## what a change must pass: format, lints, tests
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets --all-features -- -D warnings
	$(CARGO) test --locked -q

bench: $(EXE) ## the signature and speed of chess, xiangqi and Go
	@for game in chess xiangqi go; do printf '%-8s' $$game; ./$(EXE) bench $$game 2>/dev/null | tail -n 1; done

microbench: ## criterion's measurements of the parts
	$(CARGO) bench --locked

portable: ## a binary for any x86-64 of the last fifteen years: sanqi-portable
	$(MAKE) EXE=sanqi-portable ARCH=x86-64-v2

# Built twice: the first build counts what its bench does, the second is laid out for that.
pgo: ## build ./sanqi a second time for what its own bench showed: some percent faster
	@test -n "$(PROFDATA)" || { echo "make pgo needs llvm-profdata: rustup component add llvm-tools"; exit 1; }
	rm -rf $(PROFILE)
	$(MAKE) --always-make EXE=target/sanqi-counting RUSTFLAGS="$(strip $(RUSTFLAGS) -C profile-generate=$(PROFILE))"
	$(MAKE) EXE=target/sanqi-counting bench
	$(PROFDATA) merge --output $(PROFILE)/all.profdata $(PROFILE)
	$(MAKE) --always-make EXE=$(EXE) RUSTFLAGS="$(strip $(RUSTFLAGS) -C profile-use=$(PROFILE)/all.profdata)"

# Each kind is tried alone and may fail: a test says what it had to skip. The stamp keeps a second run quick.
tools: $(TOOLS)/stamp ## install the clients and opponents that the tests use

$(TOOLS)/stamp: Makefile
	@mkdir -p $(TOOLS)
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! dpkg -s $(APT_TOOLS) >/dev/null 2>&1; then \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $(APT_TOOLS); } >$(TOOLS)/apt.log 2>&1 \
		|| echo "note: apt-get failed, see $(TOOLS)/apt.log"; fi
	@{ python3 -m venv $(TOOLS)/venv && $(TOOLS)/venv/bin/pip install -q --disable-pip-version-check $(PIP_TOOLS); } >$(TOOLS)/pip.log 2>&1 \
		|| echo "note: no Python packages, see $(TOOLS)/pip.log"
	@if command -v npm >/dev/null; then npm install --silent --no-audit --no-fund --prefix $(TOOLS) $(NPM_TOOLS) >$(TOOLS)/npm.log 2>&1 \
		|| echo "note: no Node packages, see $(TOOLS)/npm.log"; fi
	@touch $@

clean: ## delete everything that was built
	$(CARGO) clean
	rm -f $(EXE) sanqi-portable

help: ## this list
	@echo "make            build ./$(EXE)"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | while IFS="$$(printf '\t')" read -r target text; do printf 'make %-10s %s\n' "$$target" "$$text"; done
