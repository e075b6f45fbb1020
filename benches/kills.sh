#!/usr/bin/env bash
# Kills a server with SIGKILL at 50 random moments while it takes uploads, scores them and keeps boards, then looks whether
# everything that it acknowledged is there and nothing is left over. ./test.sh does the same with fewer kills.
#
#     benches/kills.sh [KILLS]
set -euo pipefail
cd "$(dirname "$0")/.."
KARAT_KILLS="${1:-50}" cargo nextest run -p karat-cli --no-capture nothing_acknowledged_is_lost
