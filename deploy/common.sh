# Shared by the commands in this folder: what has to be installed, how it is built, how a set is started and stopped.
# Sourced, not run.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
BIN="$ROOT/.build/release"
SERVICES=(broker auth wallet payments location offers notifications gateway)

say() { printf '%s\n' "$*" >&2; }

# Debian packages that are missing. Needs root or sudo only when there are some.
install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Checks metrics and alert rules. Taken out of Debian's package, as Prometheus itself is not needed.
fetch_promtool() {
  [ -x "$ROOT/.build/tools/promtool" ] && return
  say "fetching promtool"
  mkdir -p "$ROOT/.build/tools"
  (
    cd "$ROOT/.build/tools" && apt-get download -qq prometheus 2>/dev/null \
      && dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x --strip-components=3 ./usr/bin/promtool && rm -f prometheus_*.deb
  ) || say "promtool cannot be fetched: its test is skipped"
}

require_swift() {
  command -v swift >/dev/null && return
  say "Swift 6.3 is needed and 'swift' is not on the PATH: see https://www.swift.org/install/linux/"
  exit 1
}

# Everything is built once, in release: what is tested and measured is what runs.
build() {
  require_swift
  install_missing libzmq3-dev libsodium-dev libsqlite3-dev libzint-dev
  say "building (some minutes the first time)"
  local log
  log=$(mktemp)
  if ! swift build -c release "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}

PIDS=()

# Starts every process of the set; logs go to a file each in the directory given.
start_set() {
  local logs=$1 service
  mkdir -p "$logs"
  for service in "${SERVICES[@]}"; do
    "$BIN/billfold-$service" >>"$logs/$service.log" 2>&1 &
    PIDS+=($!)
  done
}

# Stops what start_set has started; the broker last, as the others say goodbye to it. Whoever is late is ended.
stop_set() {
  [ ${#PIDS[@]} -gt 0 ] || return 0
  local deadline=$((SECONDS + 2))
  end_processes "$deadline" "${PIDS[@]:1}"
  end_processes "$deadline" "${PIDS[0]}"
  PIDS=()
}

end_processes() {
  local deadline=$1 pid
  shift
  for pid in "$@"; do kill -TERM "$pid" 2>/dev/null || true; done
  for pid in "$@"; do
    while kill -0 "$pid" 2>/dev/null && [ $SECONDS -lt "$deadline" ]; do sleep 0.02; done
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
}

# Somebody else's gateway on our port would answer in our gateway's place.
require_free() {
  (exec 9<>"/dev/tcp/${1%:*}/${1##*:}") 2>/dev/null || return 0
  say "something already listens on $1: stop it, or choose another address with BILLFOLD_HTTP"
  exit 1
}

# Waits until the gateway says that nothing is missing.
await_health() {
  local address=$1 logs=$2 attempt pid
  for attempt in $(seq 300); do
    for pid in "${PIDS[@]}"; do
      kill -0 "$pid" 2>/dev/null && continue
      say "a process has ended; its log:"
      tail -n 5 "$logs"/*.log >&2
      return 1
    done
    health_ok "$address" && return
    sleep 0.1
  done
  say "the set did not become healthy"
  tail -n 5 "$logs"/*.log >&2
  return 1
}

# One request without any client: bash opens the connection itself.
health_ok() {
  local status
  exec 9<>"/dev/tcp/${1%:*}/${1##*:}" || return 1
  printf 'GET /health HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$1" >&9
  read -r _ status _ <&9
  exec 9<&- 9>&-
  [ "$status" = 200 ]
} 2>/dev/null
