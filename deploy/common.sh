# Shared by the commands in this folder: what has to be installed, and how it is built. Sourced, not run.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
BIN="$ROOT/.build/release"
# The processes of the set, as docker-compose.yml starts them.
mapfile -t SERVICES < <(sed -n 's/^    command: \[billfold-\([a-z]*\)\]$/\1/p' docker-compose.yml)

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

# Debian starts the servers that it installs. Tests start their own, so that these are not to run.
install_without_starting() {
  local policy=/usr/sbin/policy-rc.d made=
  if [ "$(id -u)" -eq 0 ] && [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' >$policy && chmod +x $policy && made=1
  fi
  local status=0
  (install_missing "$@") || status=$?
  [ -z "$made" ] || rm -f $policy
  return $status
}

# Starts a PostgreSQL server for tests in a temporary directory, as a user who is not root, and names it in
# BILLFOLD_TEST_STORE. `stop_postgres` ends it. What its tests write needs not survive a loss of power.
start_postgres() {
  install_without_starting postgresql-15
  postgres=$(mktemp -d)
  as_postgres=()
  if [ "$(id -u)" -eq 0 ]; then
    as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups)
    chown postgres:postgres "$postgres"
  fi
  local programs=/usr/lib/postgresql/15/bin
  (
    cd "$postgres"
    "${as_postgres[@]}" $programs/initdb -D data -A trust -U billfold --no-locale -E UTF8 >/dev/null
    "${as_postgres[@]}" $programs/pg_ctl -w -D data -l log start >/dev/null \
      -o "-k $postgres -c listen_addresses= -c fsync=off -c max_connections=1000"
  )
  $programs/createdb -h "$postgres" -U billfold billfold
  export BILLFOLD_TEST_STORE="postgres://billfold@/billfold?host=$postgres"
}

stop_postgres() {
  (cd "$postgres" && "${as_postgres[@]}" /usr/lib/postgresql/15/bin/pg_ctl -D data -m immediate stop >/dev/null)
  rm -rf "$postgres"
  unset BILLFOLD_TEST_STORE
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

# An environment with the packages of the tests in Python.
set_up_python() {
  install_missing python3 python3-venv
  venv=$ROOT/.build/venv
  if [ ! -x "$venv/bin/pytest" ] || [ Tests/requirements.txt -nt "$venv/bin/pytest" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r Tests/requirements.txt
    touch "$venv/bin/pytest"
  fi
}

require_swift() {
  command -v swift >/dev/null && return
  say "Swift 6.3 is needed and 'swift' is not on the PATH: see https://www.swift.org/install/linux/"
  exit 1
}

# Everything is built once, in release: what is tested and measured is what runs.
build() {
  require_swift
  install_missing libzmq3-dev libpq-dev libsodium-dev libsqlite3-dev libssl-dev libzint-dev libjs-leaflet
  say "building (some minutes the first time)"
  local log
  log=$(mktemp)
  if ! swift build -c release --explicit-target-dependency-import-check error "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}
