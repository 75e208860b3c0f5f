# What the project needs of Debian 12, and how to get what is missing. For deploy/run.sh,
# tests/run.sh and deploy/Dockerfile, which source it with bash; $root is the top of the tree.

build_packages=(gcc libc6-dev meson ninja-build pkg-config gettext libevent-dev libjansson-dev
	libsqlite3-dev libsodium-dev libssl-dev libutf8proc-dev libinih-dev libwslay-dev
	libsystemd-dev)
# What the two programs need to run, where they were built elsewhere.
run_packages=(libevent-core-2.1-7 libjansson4 libsqlite3-0 libsodium23 libssl3 libutf8proc2 libinih1
	libwslay1 libsystemd0)
# netcat for the hands that the hints of deploy/run.sh and the README speak to.
play_packages=(netcat-openbsd)
test_packages=(libcmocka-dev clang libclang-rt-14-dev llvm-14 clang-format clang-tidy cppcheck
	python3 python3-pytest openssl systemd haproxy nodejs)
# A browser that plays, with letters to show. npm may come with a nodejs from elsewhere.
web_packages=(chromium fonts-dejavu-core)
[ -x /usr/bin/npm ] || web_packages+=(npm)

# Debian's own tools, whatever else is in front of them: another python3 has no pytest, and another
# compiler other warnings. Options for compilers come from meson.build alone.
use_debian_tools() {
	export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
	unset LANGUAGE PYTHONPATH PYTHONHOME PYTEST_ADDOPTS CFLAGS CPPFLAGS LDFLAGS DESTDIR CC_LD
}

say() {
	printf '%s\n' "$*"
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# as_root COMMAND…: as it is for root, else by sudo, which asks for a password only at a terminal. The
# command itself is given nothing to read.
as_root() {
	local by=()
	if [ "$(id -u)" -ne 0 ]; then
		[ -t 0 ] && by=(sudo) || by=(sudo -n)
	fi
	"${by[@]}" "$@" </dev/null
}

# install_missing PACKAGE…: asks dpkg first, so that nothing missing means no network and no root.
install_missing() {
	local installed package missing=()
	installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null)
	for package in "$@"; do
		grep -qxF "$package installed" <<<"$installed" || missing+=("$package")
	done
	[ ${#missing[@]} -eq 0 ] && return
	say "Installing: ${missing[*]}"
	if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
		die "not root, and there is no sudo. As root: apt-get update && apt-get install ${missing[*]}"
	fi
	apt_quietly update || die "apt-get update failed (above); needed: ${missing[*]}"
	apt_quietly install -y --no-install-recommends "${missing[@]}" ||
		die "apt-get install failed (above); needed: ${missing[*]}"
}

# Tells what apt said only when it failed, and then all of it: without a network `update` merely warns.
# Waits for another apt that holds the lock.
apt_said=
apt_quietly() {
	apt_said+=$(as_root env DEBIAN_FRONTEND=noninteractive apt-get -q \
		-o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
		"$@" 2>&1)$'\n' && return
	printf '%s' "$apt_said" >&2
	return 1
}

# configure FOLDER COMPILER OPTION…: a build folder made by the same call is left as it is, one that
# was made for other options or another place is made anew, one made by hand is used as it is.
configure() {
	local folder=$1 compiler=$2 made_for
	shift 2
	made_for="$root $compiler $*"
	if [ -f "$folder/build.ninja" ]; then
		[ -f "$folder/made-for" ] || return 0
		[ "$(cat "$folder/made-for")" = "$made_for" ] && return 0
	fi
	[ -d "$folder/meson-private" ] && rm -rf "$folder"
	CC=$compiler meson setup "$folder" "$root" "$@" || return 1
	printf '%s\n' "$made_for" >"$folder/made-for"
}
