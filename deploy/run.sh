#!/usr/bin/env bash
# Builds qttt and starts its server on this machine, from nothing but Debian 12:
#
#     deploy/run.sh                                            on 127.0.0.1:4242, games kept
#     deploy/run.sh -- --listen 127.0.0.1:0 --db none          options after -- go to the server
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P) || exit 1
. "$root/deploy/packages.sh"
use_debian_tools

address=127.0.0.1:4242

usage() {
	say "Usage: deploy/run.sh [-- OPTIONS OF qtttd]"
	say "Installs what is missing, builds into build/, starts the server on $address."
	say "build/server/qtttd --help tells its options."
}

# given NAME ARGUMENT…: is the option --NAME among them?
given() {
	local name=$1 argument
	shift
	for argument in "$@"; do
		case $argument in
		"--$name" | "--$name="*) return 0 ;;
		esac
	done
	return 1
}

build() {
	local said
	say "Building in build/ ..."
	said=$(configure "$root/build" gcc --buildtype=release 2>&1 &&
		meson compile -C "$root/build" 2>&1) && return
	printf '%s\n' "$said" >&2
	die "the build failed (above)"
}

# Where the games are kept: the state folder of whoever runs this, as XDG has it.
database_file() {
	local folder
	if [ -n "${XDG_STATE_HOME:-}" ]; then
		folder=$XDG_STATE_HOME/qttt
	elif [ -n "${HOME:-}" ]; then
		folder=$HOME/.local/state/qttt
	else
		folder=/var/lib/qttt
	fi
	mkdir -p "$folder" || die "can't make the folder for the games: $folder"
	printf '%s/qttt.db\n' "$folder"
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
	say "Ctrl-C stops the server${database:+; the games are in $database}."
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

# What is not said is filled in; a configuration file says it all itself.
database=
if ! given config "$@"; then
	if ! given db "$@"; then
		database=$(database_file) || exit 1
		set -- --db "$database" "$@"
	fi
	given listen "$@" || { tell_how_to_play; set -- --listen "$address" "$@"; }
fi
exec "$root/build/server/qtttd" "$@"
