#!/usr/bin/env bash
# Runs every test twice: in a gcc build, and in a clang build that watches memory and undefined
# behaviour. The last line is "N passed, M failed, K skipped"; the exit status is 0 if M is 0.
#
#     tests/run.sh                  everything
#     tests/run.sh --quick          the gcc build only
#     tests/run.sh unit world       these suites only (unit, world, fuzz, lint, system, web)
#
# The builds are build-tests/gcc and build-tests/asan; they stay, so the next run is quicker.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P) || exit 1
. "$root/deploy/packages.sh"
use_debian_tools
unset QTTTD_TEST_SERVER MESON_TESTTHREADS

builds=$root/build-tests
export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-14
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1

usage() {
	sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

# build_and_test NAME COMPILER OPTION…: what came of it is for summary.py to tell, from the build
# folder; a build that failed leaves no log of tests there.
build_and_test() {
	local name=$1 folder=$builds/$1
	shift
	say ""
	say "== $name: build"
	rm -f "$folder"/meson-logs/testlog*
	configure "$folder" "$@" >"$builds/$name.log" 2>&1 &&
		meson compile -C "$folder" >>"$builds/$name.log" 2>&1 || {
		tail -n 60 "$builds/$name.log"
		say "== $name: the build FAILED; all that it said is in $builds/$name.log"
		return
	}
	say "== $name: tests"
	meson test -C "$folder" --no-rebuild --timeout-multiplier "$patience" "${chosen[@]}" 3>&- || :
}

# Whatever still runs from the build folders outlived its test; it is ended, and named as a failure.
end_left_running() {
	local link program
	for link in /proc/[0-9]*/exe; do
		program=$(readlink "$link" 2>/dev/null) || continue
		case $program in
		"$builds"/*)
			link=${link#/proc/}
			say "Left running: $program (${link%/exe})" >&2
			kill -KILL "${link%/exe}" 2>/dev/null
			left_running+=("${program#"$builds/"}")
			;;
		esac
	done
}

# What drives the browser, once for each state of the lock file.
prepare_browser() {
	local folder=$root/tests/web said
	install_missing "${web_packages[@]}"
	cmp -s "$folder/package-lock.json" "$folder/node_modules/made-for" && return
	say "Installing what tests/web/package-lock.json names"
	said=$(npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund 2>&1 </dev/null) &&
		cp "$folder/package-lock.json" "$folder/node_modules/made-for" && return
	printf '%s\n' "$said" >&2
	die "npm ci failed (above): the tests of the suite web need it"
}

patience=1
names=(gcc asan)
suites=()
while [ $# -gt 0 ]; do
	case $1 in
	--quick) names=(gcc) ;;
	-h | --help) usage; exit 0 ;;
	unit | world | fuzz | lint | system | web) suites+=("$1") ;;
	*)
		say "${0##*/}: what is \"$1\"?" >&2
		usage >&2
		exit 64
		;;
	esac
	shift
done
chosen=()
for suite in "${suites[@]}"; do
	chosen+=(--suite "$suite")
done

install_missing "${build_packages[@]}" "${play_packages[@]}" "${test_packages[@]}"
case " ${suites[*]} " in
*" web "* | "  ") prepare_browser ;;
esac
mkdir -p "$builds" || exit 1
exec 3>"$builds/lock"
flock -n 3 || die "another tests/run.sh is at work in $builds"

left_running=()
trap 'end_left_running; exit 130' INT TERM HUP
for name in "${names[@]}"; do
	case $name in
	gcc) build_and_test gcc gcc --werror ;;
	asan)
		patience=3
		build_and_test asan clang --werror --native-file "$root/tests/asan.ini"
		;;
	esac
done
end_left_running

say ""
left_running=("${left_running[@]/#/--left-running=}")
/usr/bin/python3 -B "$root/tests/summary.py" "${suites[@]/#/--suite=}" "${left_running[@]}" \
	"${names[@]/#/$builds/}"
