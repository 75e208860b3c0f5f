#include "server/ops/option.h"

#include <assert.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "server/ops/address.h"
#include "server/ops/memory.h"

#define PATH_BYTES 4095

#define AT(member) offsetof(struct config, member)

const struct option_row option_rows[] = {
		{.name = "listen",
				.section = "net",
				.kind = OPTION_ADDRESS,
				.standard = "127.0.0.1:4242",
				.value = "ADDR:PORT",
				.help = "Listen here for players; may be given several times. IPv6 "
					"is "
					"written [::1]:4242, every address of the machine *:4242 "
					"and "
					"[::]:4242. Port 0 lets the system pick one."},
		{.name = "max-connections",
				.section = "net",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "10000",
				.offset = AT(max_connections),
				.value = "N",
				.help = "Connections at a time, as far as the system's limit of "
					"open files "
					"allows."},
		{.name = "connections-per-address",
				.section = "net",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "100",
				.offset = AT(connections_per_address),
				.value = "N",
				.help = "Connections at a time from one address, an IPv4 address "
					"or "
					"the first half of an IPv6 address."},
		{.name = "max-output",
				.section = "net",
				.kind = OPTION_NUMBER,
				.min = 524288,
				.max = 1073741824,
				.standard = "4194304",
				.offset = AT(max_output),
				.value = "BYTES",
				.help = "A connection with more bytes than this waiting to be read "
					"is closed."},
		{.name = "max-output-all",
				.section = "net",
				.kind = OPTION_NUMBER,
				.min = 1048576,
				.max = 1099511627776,
				.standard = "268435456",
				.offset = AT(max_output_all),
				.value = "BYTES",
				.help = "When more bytes than this wait to be read by all "
					"connections, those with the most waiting are closed."},
		{.name = "slow-reader",
				.section = "net",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 86400,
				.standard = "30",
				.offset = AT(slow_reader_s),
				.value = "SECONDS",
				.help = "A connection for which bytes wait, and that reads none "
					"for "
					"so long, is closed."},
		{.name = "db",
				.section = "store",
				.kind = OPTION_PATH,
				.max = PATH_BYTES,
				.standard = "$XDG_STATE_HOME/qttt/qttt.db",
				.offset = AT(db),
				.value = "PATH",
				.help = "The database; none keeps everything in memory alone. A "
					"leading ~/ "
					"is the home folder; a leading $XDG_STATE_HOME/ is that, "
					"or "
					"~/.local/state/ where it is not set."},
		{.name = "name",
				.section = "server",
				.kind = OPTION_TEXT,
				.min = 1,
				.max = CONFIG_NAME_BYTES,
				.standard = "qttt",
				.offset = AT(name),
				.value = "TEXT",
				.help = "The server's name, told to whoever connects."},
		{.name = "motd",
				.section = "server",
				.kind = OPTION_TEXT,
				.max = CONFIG_MOTD_BYTES,
				.standard = "",
				.offset = AT(motd),
				.value = "TEXT",
				.help = "A message of the day, told to whoever connects."},
		{.name = "log-level",
				.section = "server",
				.kind = OPTION_LEVEL,
				.standard = "info",
				.offset = AT(log_level),
				.value = "LEVEL",
				.help = "What is logged to standard error: error, warn, info or "
					"debug, each "
					"with the graver ones."},
		{.name = "behind-bytes",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 4096,
				.max = 1048576,
				.standard = "131072",
				.offset = AT(behind_bytes),
				.value = "N",
				.help = "A connection with more bytes waiting than this misses "
					"events of "
					"rooms until it reads again, and gets their state "
					"instead."},
		{.name = "keep-over",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 0,
				.max = 86400,
				.standard = "600",
				.offset = AT(keep_over_s),
				.value = "SECONDS",
				.help = "A room that is over for so long, and that nobody follows, "
					"leaves "
					"memory."},
		{.name = "first-line",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 86400,
				.standard = "120",
				.offset = AT(first_line_s),
				.value = "SECONDS",
				.help = "A connection that has said no line after so long is "
					"closed."},
		{.name = "idle",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 31536000,
				.standard = "3600",
				.offset = AT(idle_s),
				.value = "SECONDS",
				.help = "A connection that follows no room that waits or plays, "
					"and "
					"has asked nothing for so long, is closed."},
		{.name = "max-rooms",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 10000000,
				.standard = "20000",
				.offset = AT(max_rooms),
				.value = "N",
				.help = "Rooms in memory at a time: those that wait or play, and "
					"those that are over and still followed."},
		{.name = "rooms-per-name",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 10000000,
				.standard = "32",
				.offset = AT(rooms_per_name),
				.value = "N",
				.help = "Rooms that wait or play in which one name may sit."},
		{.name = "connections-per-name",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "16",
				.offset = AT(connections_per_name),
				.value = "N",
				.help = "Connections at a time under one name."},
		{.name = "watchers-per-room",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "2000",
				.offset = AT(watchers_per_room),
				.value = "N",
				.help = "Connections that watch a room at a time."},
		{.name = "opens-per-minute",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "30",
				.offset = AT(opens_per_minute),
				.value = "N",
				.help = "Rooms that a name may ask for in a minute by create, "
					"match "
					"and rematch; an address ten times as many."},
		{.name = "says-per-minute",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "30",
				.offset = AT(says_per_minute),
				.value = "N",
				.help = "Lines of chat that a name may say in a minute; an address "
					"ten times as many."},
		{.name = "invites-per-minute",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "10",
				.offset = AT(invites_per_minute),
				.value = "N",
				.help = "Players that a name may invite in a minute; an address "
					"ten "
					"times as many."},
		{.name = "invites-per-name",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "32",
				.offset = AT(invites_per_name),
				.value = "N",
				.help = "Invitations that may wait for one name."},
		{.name = "names-per-hour",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "100",
				.offset = AT(names_per_hour),
				.value = "N",
				.help = "Names that an address may make in an hour, those of "
					"guests "
					"too."},
		{.name = "allowance",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 1000000,
				.standard = "200",
				.offset = AT(allowance),
				.value = "N",
				.help = "What a connection may ask for in a second, in units of "
					"the "
					"least request; beyond, it is read more slowly."},
		{.name = "allowance-per-address",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 10000000,
				.standard = "2000",
				.offset = AT(address_allowance),
				.value = "N",
				.help = "The same for all connections from one address."},
		{.name = "no-limits",
				.section = "play",
				.kind = OPTION_SWITCH,
				.standard = "no",
				.offset = AT(no_limits),
				.help = "No limits on rates, names, rooms and connections, for "
					"tests and "
					"benchmarks."},
		{.name = "config",
				.kind = OPTION_PATH,
				.max = PATH_BYTES,
				.standard = "",
				.offset = AT(file),
				.value = "FILE",
				.help = "Read options from this file; flags override it."},
		{.name = "check-config",
				.kind = OPTION_COMMAND,
				.command = CONFIG_CHECK,
				.help = "Say whether flags and file are right, and exit."},
		{.name = "print-config",
				.kind = OPTION_COMMAND,
				.command = CONFIG_SAMPLE,
				.help = "Print a commented configuration file, and exit."},
		{.name = "help",
				.kind = OPTION_COMMAND,
				.command = CONFIG_HELP,
				.help = "Print this, and exit."},
		{.name = "version",
				.kind = OPTION_COMMAND,
				.command = CONFIG_VERSION,
				.help = "Print the version, and exit."},
};
const size_t option_count = sizeof(option_rows) / sizeof(option_rows[0]);

static void *member_of(const struct option_row *row, struct config *config)
{
	return (char *)config + row->offset;
}

static void replace_string(char **member, const char *value)
{
	free(*member);
	*member = memory_string(value);
}

static bool set_switch(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	static const struct {
		const char *word;
		bool on;
	} words[] = {{"yes", true}, {"no", false}, {"on", true}, {"off", false}, {"true", true},
			{"false", false}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(value, words[i].word) == 0) {
			*(bool *)member_of(row, config) = words[i].on;
			return true;
		}
	}
	snprintf(ret_why, CONFIG_WHY_SIZE, "wants yes or no, not %s", log_text(value));
	return false;
}

static bool set_number(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	const size_t length = strlen(value);
	char *end = NULL;
	long long number;

	errno = 0;
	number = strtoll(value, &end, 10);
	if (length == 0 || strspn(value, "0123456789") != length || errno != 0 ||
			number < row->min || number > row->max) {
		snprintf(ret_why, CONFIG_WHY_SIZE, "wants a whole number from %lld to %lld, not %s",
				(long long)row->min, (long long)row->max, log_text(value));
		return false;
	}
	*(int64_t *)member_of(row, config) = number;
	return true;
}

static bool has_control_character(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < 0x20 || *text == 0x7f) {
			return true;
		}
	}
	return false;
}

static bool set_text(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	const size_t length = strlen(value);

	if ((int64_t)length < row->min || (int64_t)length > row->max) {
		snprintf(ret_why, CONFIG_WHY_SIZE, "wants %lld to %lld bytes of text, not %zu",
				(long long)row->min, (long long)row->max, length);
		return false;
	}
	if (has_control_character(value)) {
		snprintf(ret_why, CONFIG_WHY_SIZE, "wants text without control characters, not %s",
				log_text(value));
		return false;
	}
	replace_string(member_of(row, config), value);
	return true;
}

/* NULL where there is none. */
static const char *home_folder(void)
{
	const char *home = getenv("HOME");

	if (home == NULL || home[0] != '/') {
		const struct passwd *user = getpwuid(getuid());

		home = user == NULL ? NULL : user->pw_dir;
	}
	return home;
}

/* The folder that a path's beginning stands for, *ret_rest being what follows it. */
static const char *base_folder(const char *path, const char **ret_middle, const char **ret_rest)
{
	static const char in_home[] = "~/";
	static const char in_state[] = "$XDG_STATE_HOME/";
	const char *state = getenv("XDG_STATE_HOME");

	*ret_middle = "/";
	if (strncmp(path, in_home, strlen(in_home)) == 0) {
		*ret_rest = path + strlen(in_home);
		return home_folder();
	}
	if (strncmp(path, in_state, strlen(in_state)) == 0) {
		*ret_rest = path + strlen(in_state);
		if (state != NULL && state[0] == '/') {
			return state;
		}
		*ret_middle = "/.local/state/";
		return home_folder();
	}
	*ret_middle = "";
	*ret_rest = path;
	return "";
}

static bool set_path(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	const char *middle = NULL;
	const char *rest = NULL;
	const char *base = base_folder(value, &middle, &rest);
	char path[PATH_BYTES + 1];
	int length;

	if (base == NULL) {
		snprintf(ret_why, CONFIG_WHY_SIZE, "can't be %s: there is no home folder",
				log_text(value));
		return false;
	}
	length = snprintf(path, sizeof(path), "%s%s%s", base, middle, rest);
	if (length < 0 || length > row->max) {
		snprintf(ret_why, CONFIG_WHY_SIZE, "wants a path of at most %lld bytes",
				(long long)row->max);
		return false;
	}
	/* The table's own "" means that there is no file; nobody else may say so. */
	if (value[0] == '\0' && value != row->standard) {
		snprintf(ret_why, CONFIG_WHY_SIZE, "wants a path, not nothing");
		return false;
	}
	replace_string(member_of(row, config), path);
	return true;
}

static bool set_address(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	struct address address;

	(void)row;
	if (!address_split(value, &address)) {
		snprintf(ret_why, CONFIG_WHY_SIZE,
				"wants an address and a port, such as 127.0.0.1:4242 or "
				"[::1]:4242, not %s",
				log_text(value));
		return false;
	}
	if (config->listen_count == CONFIG_LISTEN_MAX) {
		snprintf(ret_why, CONFIG_WHY_SIZE, "can be given %d times at most",
				CONFIG_LISTEN_MAX);
		return false;
	}
	config->listen[config->listen_count++] = memory_string(value);
	return true;
}

static bool set_level(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	for (enum log_level level = LOG_ERROR; level <= LOG_DEBUG; level++) {
		if (strcasecmp(value, log_level_word(level)) == 0) {
			*(enum log_level *)member_of(row, config) = level;
			return true;
		}
	}
	snprintf(ret_why, CONFIG_WHY_SIZE, "wants error, warn, info or debug, not %s",
			log_text(value));
	return false;
}

bool option_set(const struct option_row *row, struct config *config, const char *value,
		char ret_why[CONFIG_WHY_SIZE])
{
	static bool (*const setters[])(const struct option_row *row, struct config *config,
			const char *value, char *ret_why) = {
			[OPTION_SWITCH] = set_switch,
			[OPTION_NUMBER] = set_number,
			[OPTION_TEXT] = set_text,
			[OPTION_PATH] = set_path,
			[OPTION_ADDRESS] = set_address,
			[OPTION_LEVEL] = set_level,
	};

	assert(row->kind != OPTION_COMMAND);
	return setters[row->kind](row, config, value, ret_why);
}
