#!/usr/bin/env bash
# Keeps two servers busy for so many minutes, with players, watchers, chat, people who come and go and
# who stop to read. One server runs all the time: every half a minute all rest for a moment, and then
# its descriptors must be as many as before and its memory may have grown by 1 MiB an hour at most.
# The other is killed (kill -9) or restarted every half a minute. Every action that either has
# acknowledged, and every event that anybody was told, must be given again by `since`, byte for
# byte. Ends with what was seen; the exit status is 0 if all of it was as it has to be.
#
#     tests/bench/soak.sh MINUTES
#
# Of a run shorter than half an hour the memory's slope says little: then what is not more than
# half a MiB in all counts as the allocator's own. QTTT_SEED repeats a run's choices.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P) || exit 1
. "$root/deploy/packages.sh"
use_debian_tools

case ${1-} in
-h | --help)
	sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
	exit 0
	;;
*[!0-9]* | "" | 0)
	sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
	exit 64
	;;
esac

install_missing "${build_packages[@]}" python3 python3-pytest
build=${QTTT_BENCH_BUILD:-$root/build-bench}
log=$build.log
{
	configure "$build" gcc --buildtype=release && ninja -C "$build" server/qtttd
} >"$log" 2>&1 || {
	tail -n 40 "$log"
	die "the build failed; all that it said is in $log"
}
QTTTD=${QTTTD-$build/server/qtttd} exec /usr/bin/python3 -B "$root/tests/bench/soak.py" "$1"
