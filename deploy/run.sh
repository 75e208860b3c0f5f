#!/usr/bin/env bash
# Builds qttt and starts its server on this machine, from nothing but Debian 12:
#
#     deploy/run.sh                                            on 127.0.0.1:4242, games kept,
#                                                              and a page on 127.0.0.1:8080
#     deploy/run.sh -- --listen 127.0.0.1:0 --db none          options after -- go to the server
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P) || exit 1
. "$root/deploy/packages.sh"
use_debian_tools

# The server's own default.
address=127.0.0.1:4242
# Where the page for browsers is; nothing: an option says where, or whether.
page=

usage() {
	say "Usage: deploy/run.sh [-- OPTIONS OF qtttd]"
	say "Installs what is missing, builds into build/, starts the server on $address,"
	say "and its page for browsers on http://127.0.0.1:8080/ or the next free port, unless"
	say "an option says where (--http)."
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
	[ -n "$page" ] && say "To play in a browser: http://$page/" && say ""
	say "To play in another terminal, with a name that is still free:"
	say "    $(printf %q "$root/build/client-cli/qttt") --name ala --match"
	say "Your opponent does the same in one more, as ola say. With nothing but netcat:"
	say "    nc ${address%:*} ${address##*:}"
	say "and type:"
	say "    text only"
	say "    hello ala"
	say "    match"
	say "Then each in turn names two squares of 1 to 9:"
	say "    move 1 5"
	say "Ctrl-C stops the server."
	say ""
}

case ${1:-} in
-h | --help) usage; exit 0 ;;
--) shift ;;
"") ;;
*)
	say "${0##*/}: what is \"$1\"? The server's options stand after --" >&2
	usage >&2
	exit 64
	;;
esac

# Standard output is the server's alone: --print-config goes into a file.
{
	install_missing "${build_packages[@]}" "${play_packages[@]}"
	build
} >&2

# The first port from 8080 on at which nobody listens.
find_page() {
	local port
	for port in {8080..8099}; do
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
	done
	page=127.0.0.1:$port
}

server=$root/build/server/qtttd
case " $* " in
*" --help "* | *" --version "* | *-config" "* | *" --backup"* | *" --check-db "*) exec "$server" "$@" ;; # not to be played on
*" --http"* | *" --config"*) ;; # the server tells where it listens, as below
*) find_page && set -- --http "$page" "$@" ;;
esac
case " $* " in
*" --listen"* | *" --config"*) ;;
*) "$server" "$@" --check-config >/dev/null && tell_how_to_play >&2 || exit ;;
esac
exec "$server" "$@"
