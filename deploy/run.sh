#!/usr/bin/env bash
# Builds qttt and starts its server on this machine, from nothing but Debian 12:
#
#     deploy/run.sh                                            on 127.0.0.1:4242, games kept
#     deploy/run.sh -- --listen 127.0.0.1:0 --db none          options after -- go to the server
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P) || exit 1
. "$root/deploy/packages.sh"
use_debian_tools

# The server's own default.
address=127.0.0.1:4242

usage() {
	say "Usage: deploy/run.sh [-- OPTIONS OF qtttd]"
	say "Installs what is missing, builds into build/, starts the server on $address."
	say "build/server/qtttd --help tells its options."
}

build() {
	local said
	say "Building in build/ ..."
	said=$(configure "$root/build" gcc --buildtype=release -Dtests=false 2>&1 &&
		meson compile -C "$root/build" 2>&1) && return
	printf '%s\n' "$said" >&2
	die "the build failed (above)"
}

tell_how_to_play() {
	say ""
	say "To play, in another terminal:"
	say "    nc ${address%:*} ${address##*:}"
	say "and type:"
	say "    hello ala"
	say "    create X"
	say "Your opponent does the same with another name, and \`join\` with the room's id; then"
	say "    move 1 5"
	say "With drawings:"
	say "    $root/build/client-cli/qttt"
	say "Ctrl-C stops the server."
	say ""
}

case ${1:-} in
-h | --help) usage; exit 0 ;;
--) shift ;;
"") ;;
*) usage >&2; exit 2 ;;
esac

install_missing "${build_packages[@]}" "${play_packages[@]}"
build

case " $* " in
*" --listen"* | *" --config"*) ;; # elsewhere: the server tells where it listens
*) tell_how_to_play ;;
esac
exec "$root/build/server/qtttd" "$@"
