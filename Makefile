# Everything here needs Go and nothing else; what is optional is used when it is there and named in a line when it is not.

GO            ?= go
FUZZTIME      ?= 30s
SOAK          ?= 20
STEPS         ?= 1000000
SOAKTIME      ?= 1h
STOPTIME      ?= 5m
BUSTIME       ?= 10m
LOOKTIME      ?= 1h
# Of make nightly, for everything: what random tests begin with, and how long all of it may take.
SEED          ?= $(shell date +%Y%m%d)
NIGHT         ?= 10h
GOTEST        ?= $(GO) run ./tools/gotest $(if $(KNOWN),-known $(KNOWN))
GOLANGCI_LINT ?= $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
MISSPELL      ?= $(GO) run github.com/golangci/misspell/cmd/misspell@v0.8.0

# Generated code with code that cannot be reached; go vet is told so for this package only.
GENERATED := /grammar/internal/antlr$$
# What starts no goroutine needs no race detector; internal/arch looks whether that is so. All else is raced. Tests that are too
# slow with it say so themselves, by internal/testkit/race.
UNRACED := examples|geom|grammar|motion

.DEFAULT_GOAL := build
.PHONY: build pride demo test check cyclecheck mutants figures bench fuzz plots pictures texts generate nightly wires soak hooks fmt vet lint spelling tidy generated race clean-tree optional

build: pride ## bin/rccd
	CGO_ENABLED=0 $(GO) build -o bin/ ./cmd/...

pride: ## the browser application, which is embedded; without npm, or without its packages, everything else works
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory --silent web/pride/dist/app/index.html || echo "skip: the packages of web/pride cannot be had or built: no browser application"; \
	else echo "skip: no npm: no browser application"; fi

web/pride/node_modules/.package-lock.json: web/pride/package-lock.json
	cd web/pride && npm ci --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=20000

web/pride/dist/app/index.html: web/pride/node_modules/.package-lock.json web/pride/index.html web/pride/package.json web/pride/tsconfig.json web/pride/vite.config.ts $(shell find web/pride/src -type f)
	cd web/pride && npm run --silent build -- --logLevel warn

demo: build ## builds and runs the demonstration cell, prints its address; LISTEN=127.0.0.1:0 takes any free port
	bin/rccd demo $(if $(LISTEN),--listen '$(LISTEN)')

test: optional ## every test; KNOWN=FILE lists known flakes
	$(GOTEST) -timeout 8m ./...

check: fmt vet lint spelling tidy generated race test clean-tree ## what a change must pass

cyclecheck: ## what the cycle must not call, and the way to it; a part of test
	@for arch in amd64 arm64; do $(GO) run ./tools/cyclecheck/cmd -arch $$arch || exit 1; done

mutants: ## mistakes that tests must notice, in the optimiser of nets, the checks and rules of nets, the scheduler and the sessions of drivers; hours, and no part of check
	$(GO) run ./tools/mutants -made 40 robotics/graph
	$(GO) run ./tools/mutants -made 40 rcc/rule ./rcc
	$(GO) run ./tools/mutants -made 40 rcc/net
	$(GO) run ./tools/mutants -made 40 rcc/sched ./rcc
	$(GO) run ./tools/mutants -made 40 devices/kukarsi
	$(GO) run ./tools/mutants -made 40 devices/kukafri

figures: ## the table of docs/performance.md, measured; ONLY=REGEXP, BENCHTIME=100x, MACHINE=NAME, WRITE=1 to write it
	@$(GO) run ./tools/figures $(if $(ONLY),-only '$(ONLY)') $(if $(BENCHTIME),-time $(BENCHTIME)) $(if $(MACHINE),-machine '$(MACHINE)') $(if $(WRITE),-write) docs/performance.md

bench: ## every benchmark
	$(GO) test -run '^$$' -bench . -benchmem -timeout 30m ./...

fuzz: ## every fuzz target for FUZZTIME
	@grep -rl --include='*_test.go' '^func Fuzz' . | xargs -r -n 1 dirname | sort -u | while read -r dir; do \
		for target in $$($(GO) test -list '^Fuzz' "$$dir" | grep '^Fuzz'); do \
			echo "fuzz $$dir $$target $(FUZZTIME)"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s "$$dir" || exit 1; \
		done; \
	done

plots: ## the pictures of docs/motion.md
	$(GO) run ./tools/plots docs/plots

pictures: plots ## and those of README and prIDE; those of pages with Chromium
	$(GO) run ./tools/netpicture README.md wave.dio >docs/pictures/wave.svg
	@folder=$$(mktemp -d) && RCCD_SCREENSHOTS="$$folder" $(GO) test -count=1 -run '^(TestCellPage|TestPrideOverview|TestPrideFinds)$$' ./directio/pages && \
	for name in cell pride-overview pride-palette; do [ ! -e "$$folder/$$name-light.png" ] || cp "$$folder/$$name-light.png" docs/pictures/$$name.png; done; rm -rf "$$folder"

texts: ## testdata/texts.txt: every text that a user can see, for reviewers
	$(GO) run ./tools/texts

generate: texts ## everything that is generated
	grammar/generate.sh
	$(GO) generate ./...

nightly: ## what takes hours, with one SEED, for NIGHT at most: mistakes that tests must notice, robots and a bus beyond hostile wires for 10 STEPS and STEPS cycles, programs instead of models for a tenth of STEPS, then soak
	@echo "make nightly SEED=$(SEED) NIGHT=$(NIGHT) STEPS=$(STEPS)"
	@trap 'kill $$night' INT TERM; \
	RCCD_SEED=$(SEED) timeout $(NIGHT) $(MAKE) --no-print-directory --keep-going mutants wires soak NIGHT=$(NIGHT) SEED=$(SEED) & night=$$!; \
	wait $$night; code=$$?; \
	[ $$code != 124 ] || echo "the night was over before all of it was done: NIGHT=$(NIGHT)"; exit $$code

wires:
	RCCD_STEPS=$$((10 * $(STEPS))) $(GO) test -run '^(TestNothingJumps|TestNothingJumpsWaiting|TestHostile)$$' -count=1 -v -timeout $(NIGHT) ./devices/kukarsi ./devices/kukafri
	RCCD_STEPS=$(STEPS) $(GO) test -run 'Client$$' -count=1 -v -timeout $(NIGHT) ./internal/testkit/krc
	RCCD_STEPS=$$(($(STEPS) / 10)) $(GO) test -run '^TestNothingJumpsOnWires$$' -count=1 -v -timeout $(NIGHT) ./cmd/rccd
	RCCD_STEPS=$(STEPS) $(GO) test -run 'Schedules' -count=1 -v -timeout $(NIGHT) ./ethercat
	$(GO) test -run '^TestOptimisedAlike$$' -count=1 -timeout $(NIGHT) ./robotics -rapid.checks=$$(($(STEPS) / 5)) -rapid.seed=$(SEED)

soak: pride ## the tests that look for leaks and races, SOAK times; STEPS random poses, profiles and goals; the reference model for STEPS steps, random commands and the interpreter for a hundredth of them; blended motions for a two-thousandth; a daemon that is stopped and overloaded, for STOPTIME in each form; a bus at 1 ms for BUSTIME; two pages that look at a daemon for LOOKTIME; then real-time threads beside all that a runtime does, for SOAKTIME
	$(GO) test -run 'Hammer|LeftBehind|NothingBehind|Rude|Endure|Model' -count=$(SOAK) -timeout $(NIGHT) ./...
	RCCD_STEPS=$(STEPS) $(GO) test -count=1 -timeout $(NIGHT) ./geom/... ./motion/...
	RCCD_STEPS=$(STEPS) $(GO) test -run 'AgainstReference|SetPoint' -count=1 -v -timeout $(NIGHT) ./rcc
	RCCD_STEPS=$(STEPS) $(GO) test -race -run 'SetPointsOnRealThreads' -count=1 -v -timeout $(NIGHT) ./rcc
	$(GO) test -run 'AgainstInterpreter' -count=1 -timeout $(NIGHT) ./robotics -rapid.checks=$$(($(STEPS) / 100)) -rapid.seed=$(SEED)
	RCCD_STEPS=$$(($(STEPS) / 2000)) $(GO) test -run 'Many|AnyTime' -count=1 -v -timeout $(NIGHT) ./robotics/activity
	RCCD_SOAK=$(STOPTIME) $(GO) test -run '^TestStoppedAndOverloaded$$' -count=1 -v -timeout $(NIGHT) ./cmd/rccd
	RCCD_SOAK=$(BUSTIME) $(GO) test -run '^TestNoCycleIsLost$$' -count=1 -v -timeout $(NIGHT) ./ethercat
	RCCD_LOOK=$(LOOKTIME) $(GO) test -run '^TestHourOfLooking$$' -count=1 -v -timeout $(NIGHT) ./cmd/rccd
	RCCD_SOAK=$(SOAKTIME) $(GO) test -run '^TestSoak$$' -count=1 -v -timeout $(NIGHT) ./cmd/rccd

hooks: ## the hook of git that asks for commit messages as CONTRIBUTING wants them
	@hook="$$(git rev-parse --git-path hooks)/commit-msg"; \
	if [ -e "$$hook" ] && ! grep -q '^# make hooks installs it' "$$hook"; then \
		echo "$$hook is not ours: move it away, or call tools/hooks/commit-msg from it"; exit 1; fi; \
	mkdir -p "$$(dirname "$$hook")" && cp tools/hooks/commit-msg "$$hook" && chmod +x "$$hook" && echo "installed $$hook"

fmt:
	@list=$$(gofmt -l .); \
	if [ -n "$$list" ]; then echo "not formatted:"; echo "$$list"; exit 1; fi

vet:
	$(GO) vet $$($(GO) list ./... | grep -v '$(GENERATED)')
	$(GO) vet -unreachable=false $$($(GO) list ./... | grep '$(GENERATED)')

lint:
	@if $(GOLANGCI_LINT) version >/dev/null 2>&1; then $(GOLANGCI_LINT) run ./...; \
	else echo "skip: golangci-lint is neither here nor to be had: no lint"; fi

# golangci-lint runs the same tool on Go files. SOEM is a name.
spelling:
	@if $(MISSPELL) -v >/dev/null 2>&1; then find . -name '*.md' -not -path '*/node_modules/*' -print0 | xargs -0 $(MISSPELL) -error -i SOEM; \
	else echo "skip: misspell is neither here nor to be had: no spelling of pages"; fi

tidy:
	$(GO) mod tidy -diff

generated:
	grammar/generate.sh --check

race:
	@if [ "$$($(GO) env CGO_ENABLED)" = 1 ]; then echo '$(GO) test -race ./... but not $(UNRACED)'; \
	$(GOTEST) -race -timeout 12m $$($(GO) list ./... | grep -vE "^$$($(GO) list -m)/($(UNRACED))(/|\$$)"); \
	else echo "skip: no C compiler: no race detector"; fi

clean-tree:
	@if [ -e .git ] && [ -n "$$(git status --porcelain)" ]; then echo "the tree is not clean:"; git status --short; exit 1; fi

optional:
	@command -v java >/dev/null && command -v npm >/dev/null || echo "skip: no java or npm: the grammar cannot be regenerated"
	@command -v node >/dev/null || echo "skip: no node: the modules of the pages are not tested"
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || echo "skip: no chromium: no browser tests"
	@command -v tshark >/dev/null || echo "skip: no tshark: nobody else looks at frames of EtherCAT"
	@command -v curl >/dev/null || echo "skip: no curl: the commands of README and guides are not run"
