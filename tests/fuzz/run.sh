#!/usr/bin/env bash
# Looks for bytes that the server or the client does not stand, with clang's libFuzzer under the
# sanitizers, beginning with the corpora in tests/fuzz/corpus. The last lines say what was found; the
# exit status is 0 if that is nothing and the corpora reach 95 % of the lines of protocol/.
#
#     tests/fuzz/run.sh MINUTES [TARGET…]   so long for each target (or for those named, of line,
#                                           request, message, encode, notation, config, frames,
#                                           play)
#     tests/fuzz/run.sh --merge             take what is new into tests/fuzz/corpus, minimised
#     tests/fuzz/run.sh --coverage          only tell what the corpora reach
#
# What ends a target is written to build-tests/fuzz-found, inputs that go new ways to
# build-tests/fuzz-new; both stay. To see a finding again:
#     build-tests/fuzz/tests/fuzz/fuzz_TARGET build-tests/fuzz-found/FILE
# Once it is mended, its input (under a name that says what it was) belongs in the corpus.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P) || exit 1
. "$root/deploy/packages.sh"
use_debian_tools

builds=$root/build-tests
here=$root/tests/fuzz
found=$builds/fuzz-found
new=$builds/fuzz-new
all_targets=(line request message encode notation config frames play)
export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-14
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
# How long inputs may be. (The library's usual schedule, entropic, is slower than the play itself,
# which has so many ways.)
declare -A bounds=([line]=-max_len=2000 [request]=-max_len=4200 [message]=-max_len=8000
	[encode]=-max_len=2000 [notation]=-max_len=400 [config]=-max_len=2000 [frames]=-max_len=1500
	[play]=-max_len=3000)

usage() {
	sed -n '2,18s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

# build NAME NINJA-TARGETS… -- OPTION…
build() {
	local name=$1 wanted=()
	shift
	while [ "$1" != -- ]; do
		wanted+=("$1")
		shift
	done
	shift
	{
		configure "$builds/$name" clang "$@" && ninja -C "$builds/$name" "${wanted[@]}"
	} >"$builds/$name.log" 2>&1 || {
		tail -n 40 "$builds/$name.log"
		die "the build failed; all that it said is in $builds/$name.log"
	}
}

build_targets() {
	local ignored=$here/ignored.txt
	build fuzz "${all_targets[@]/#/tests/fuzz/fuzz_}" -- --native-file "$root/tests/fuzz.ini" \
		-Dc_args="-fsanitize=fuzzer-no-link -fsanitize-coverage-ignorelist=$ignored \
-fsanitize-ignorelist=$ignored"
}

# run_target TARGET OPTION-OR-FOLDER…
run_target() {
	local target=$1 words=()
	shift
	[ -f "$here/dictionaries/$target.txt" ] && words=("-dict=$here/dictionaries/$target.txt")
	nice "$builds/fuzz/tests/fuzz/fuzz_$target" "${bounds[$target]}" "${words[@]}" -entropic=0 \
		-timeout=60 -report_slow_units=60 -rss_limit_mb=2048 \
		-artifact_prefix="$found/$target-" "$@"
}

fuzz() {
	local target=$1 seconds=$2 log=$builds/fuzz-$1.log
	mkdir -p "$new/$target" "$found"
	if run_target "$target" -max_total_time="$seconds" "$new/$target" "$here/corpus/$target" \
		>"$log" 2>&1; then
		sed -n "s/^#\([0-9]*\)\s*DONE .*cov: \([0-9]*\) .*/$target: \1 inputs, \2 ways, nothing/p" \
			"$log"
	else
		say "$target: FOUND something, see $log:"
		grep -m 5 -E 'not so:|ERROR|SUMMARY|runtime error|Test unit written' "$log"
		return 1
	fi
}

merge() {
	local target folder
	for target in "${all_targets[@]}"; do
		mkdir -p "$new/$target" "$found"
		folder=$(mktemp -d "$builds/merge-XXXXXX") || exit 1
		# Which ways are gone, not how often, so that the corpus stays small.
		run_target "$target" -merge=1 -use_counters=0 "$folder" "$here/corpus/$target" \
			"$new/$target" >"$builds/fuzz-$target.log" 2>&1 ||
			die "merging $target failed, see $builds/fuzz-$target.log"
		# Findings that were mended have names, and stay.
		find "$here/corpus/$target" -type f -regextype egrep -regex '.*/[0-9a-f]{40}' -delete
		cp "$folder"/* "$here/corpus/$target"
		rm -r "$folder"
		say "$target: $(find "$here/corpus/$target" -type f | wc -l) inputs"
	done
}

# Prints how many of the lines of protocol/ the committed corpora reach; false if too few.
tell_coverage() {
	local target folder=$builds/coverage programs=()
	build coverage "${all_targets[@]/#/tests/fuzz/replay_}" -- --buildtype=debug \
		-Dc_args='-fprofile-instr-generate -fcoverage-mapping' \
		-Dc_link_args=-fprofile-instr-generate
	rm -f "$folder"/*.profraw
	for target in "${all_targets[@]}"; do
		LLVM_PROFILE_FILE=$folder/$target.profraw "$folder/tests/fuzz/replay_$target" \
			"$here/corpus/$target" >/dev/null || die "$target does not stand its corpus"
		programs+=(-object "$folder/tests/fuzz/replay_$target")
	done
	llvm-profdata-14 merge -o "$folder/all.profdata" "$folder"/*.profraw || exit 1
	llvm-cov-14 export -summary-only -instr-profile="$folder/all.profdata" "${programs[@]}" \
		2>/dev/null | /usr/bin/python3 -B "$here/coverage.py" protocol/ 95
}

case ${1-} in
-h | --help)
	usage
	exit 0
	;;
--merge | --coverage) minutes=0 ;;
*[!0-9]* | "")
	usage >&2
	exit 64
	;;
*) minutes=$1 ;;
esac
install_missing "${build_packages[@]}" "${test_packages[@]}"
mkdir -p "$builds" || exit 1
if [ "$1" = --merge ]; then
	build_targets
	merge
elif [ "$minutes" -gt 0 ]; then
	shift
	[ $# -gt 0 ] || set -- "${all_targets[@]}"
	build_targets
	failed=0
	for target; do
		[ -n "${bounds[$target]-}" ] || die "there is no target $target"
		fuzz "$target" $((60 * minutes)) || failed=1
	done
	say "New inputs are in $new; findings, if any, in $found."
	tell_coverage || failed=1
	exit "$failed"
fi
tell_coverage
