#!/usr/bin/env bash
# Measures qtttd against a bare relay of lines on the same library, and prints one table. Takes
# about a quarter of an hour; what else runs on the machine disturbs it, and it tells how much.
#
#     tests/bench/run.sh                 everything
#     tests/bench/run.sh --quick         once and briefly, for a first look
#     tests/bench/run.sh --only PART     play, fanout, ws, idle, rooms, login, load, large, bots, store,
#                                        start, records, frozen, attack or micro; may be repeated
#     tests/bench/run.sh --only attack --attack NAME
#                                        beside this attack alone; may be repeated
#     tests/bench/run.sh --json FILE     each run's numbers, one line each, to FILE
#
# Builds what it needs in build-bench. The SQLite files are under /var/tmp, or where $QTTT_BENCH_DIR
# says: on a disk, that is, not in memory.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P) || exit 1
. "$root/deploy/packages.sh"
use_debian_tools

case ${1-} in
-h | --help)
	sed -n '2,14s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
	exit 0
	;;
esac

install_missing "${build_packages[@]}" python3
build=${QTTT_BENCH_BUILD:-$root/build-bench}
log=$build.log
{
	configure "$build" gcc --buildtype=release &&
		ninja -C "$build" server/qtttd tests/bench/bench_{driver,attacker,yardstick,micro,store,frozen}
} >"$log" 2>&1 || {
	tail -n 40 "$log"
	die "the build failed; all that it said is in $log"
}
exec /usr/bin/python3 -B "$root/tests/bench/bench.py" --build "$build" "$@"
