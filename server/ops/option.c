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
#include "server/ops/prefix.h"

#define PATH_BYTES 4095

#define AT(member) offsetof(struct config, member)

const struct option_row option_rows[] = {
		{.name = "listen",
				.section = "net",
				.kind = OPTION_ADDRESS,
				.standard = "127.0.0.1:4242",
				.offset = AT(listen),
				.value = "ADDR:PORT",
				.help = "Listen here for players; may be given several times. IPv6 "
					"is "
					"written [::1]:4242, every address of the machine *:4242 "
					"and "
					"[::]:4242. Port 0 lets the system pick one."},
		{.name = "listen-tls",
				.section = "net",
				.kind = OPTION_ADDRESS,
				.standard = "",
				.offset = AT(listen_tls),
				.value = "ADDR:PORT",
				.help = "Listen here for players who speak TLS; may be given "
					"several times. Wants --cert and --key."},
		{.name = "cert",
				.section = "net",
				.kind = OPTION_PATH,
				.max = PATH_BYTES,
				.standard = "",
				.offset = AT(cert),
				.value = "FILE",
				.help = "The certificate for TLS in PEM, the ones that vouch for "
					"it after it. Read again, with the key, at SIGHUP."},
		{.name = "key",
				.section = "net",
				.kind = OPTION_PATH,
				.max = PATH_BYTES,
				.standard = "",
				.offset = AT(key),
				.value = "FILE",
				.help = "The certificate's key in PEM, in a file that others can't "
					"read."},
		{.name = "proxy-from",
				.section = "net",
				.kind = OPTION_PREFIX,
				.standard = "",
				.offset = AT(proxy_from),
				.value = "ADDR/BITS",
				.help = "Players' connections from these addresses come by a proxy "
					"and begin with a header of the PROXY protocol, version 2, "
					"that says from where; may be given several times."},
		{.name = "http",
				.section = "net",
				.kind = OPTION_ADDRESS,
				.standard = "",
				.offset = AT(http),
				.value = "ADDR:PORT",
				.host = "127.0.0.1",
				.help = "Serve /healthz and /metrics here by HTTP; may be given "
					"several times. A port alone is one of 127.0.0.1."},
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
		{.name = "keep-events",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 0,
				.max = 315360000,
				.standard = "86400",
				.offset = AT(keep_events_s),
				.value = "SECONDS",
				.help = "Of a game that is over for so long the database keeps the "
					"record, the players and the result, and drops the events; "
					"0 keeps them for ever."},
		{.name = "first-move",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 3600,
				.standard = "60",
				.offset = AT(first_move_s),
				.value = "SECONDS",
				.help = "A game with clocks is called off if a player takes longer "
					"than this for his first move."},
		{.name = "claim-grace",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 3600,
				.standard = "60",
				.offset = AT(claim_grace_s),
				.value = "SECONDS",
				.help = "In a game with clocks, a player who has to act and has "
					"been away for so long (or for half of his remaining time, "
					"but 10 seconds at least) may lose by a claim."},
		{.name = "claim-untimed",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 31536000,
				.standard = "86400",
				.offset = AT(claim_untimed_s),
				.value = "SECONDS",
				.help = "The same in a game without clocks."},
		{.name = "untouched",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 31536000,
				.standard = "1209600",
				.offset = AT(untouched_s),
				.value = "SECONDS",
				.help = "A game without clocks in which nothing has happened for "
					"so long is called off."},
		{.name = "lobby-away",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 86400,
				.standard = "120",
				.offset = AT(lobby_away_s),
				.value = "SECONDS",
				.help = "A room that waits is not in the lobby while its creator "
					"has been away for longer than this."},
		{.name = "close-away",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 31536000,
				.standard = "600",
				.offset = AT(close_away_s),
				.value = "SECONDS",
				.help = "A room that waits closes when its creator has been away "
					"for so long."},
		{.name = "bot-pace",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 0,
				.max = 60000,
				.standard = "600",
				.offset = AT(bot_pace_ms),
				.value = "MS",
				.help = "Milliseconds that a bot takes to answer, by chance from "
					"half of this to one and a half times as long."},
		{.name = "workers",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 0,
				.max = 64,
				.standard = "0",
				.offset = AT(workers),
				.value = "N",
				.help = "Threads for the bots' thinking and for analyses; 0 is one "
					"less than the machine has cores, at least 1 and at most "
					"4."},
		{.name = "solver-mib",
				.section = "play",
				.kind = OPTION_NUMBER,
				.min = 1,
				.max = 65536,
				.standard = "64",
				.offset = AT(solver_mib),
				.value = "MIB",
				.help = "Memory for what perfect play has found out, in MiB, "
					"shared among the threads; each is fastest with 16 or "
					"more."},
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

bool option_is_list(const struct option_row *row)
{
	return row->kind == OPTION_ADDRESS || row->kind == OPTION_PREFIX;
}

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

/* A key of the file may be set to nothing where that is what it is by itself; --config is the
 * file. */
static bool may_be_nothing(const struct option_row *row, const char *value)
{
	return value == row->standard || (row->section != NULL && row->standard[0] == '\0');
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
	if (value[0] == '\0' && !may_be_nothing(row, value)) {
		snprintf(ret_why, CONFIG_WHY_SIZE, "wants a path, not nothing");
		return false;
	}
	replace_string(member_of(row, config), path);
	return true;
}

static bool add_to_list(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	struct config_list *list = member_of(row, config);

	if (list->count == CONFIG_LIST_MAX) {
		snprintf(ret_why, CONFIG_WHY_SIZE, "can be given %d times at most",
				CONFIG_LIST_MAX);
		return false;
	}
	list->items[list->count++] = memory_string(value);
	return true;
}

static bool set_address(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	char whole[ADDRESS_HOST_SIZE];
	struct address address;

	if (value[0] == '\0' && may_be_nothing(row, value)) {
		return true;
	}
	if (row->host != NULL && value[strspn(value, "0123456789")] == '\0') {
		snprintf(whole, sizeof(whole), "%s:%.200s", row->host, value);
		value = whole;
	}
	if (!address_split(value, &address)) {
		snprintf(ret_why, CONFIG_WHY_SIZE,
				"wants an address and a port, such as 127.0.0.1:4242 or "
				"[::1]:4242, not %s",
				log_text(value));
		return false;
	}
	return add_to_list(row, config, value, ret_why);
}

static bool set_prefix(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	struct prefix prefix;

	if (value[0] == '\0' && may_be_nothing(row, value)) {
		return true;
	}
	if (!prefix_parse(value, &prefix)) {
		snprintf(ret_why, CONFIG_WHY_SIZE,
				"wants an address or a block of them, such as 10.0.0.7, "
				"10.0.0.0/8 or fd00::/8, not %s",
				log_text(value));
		return false;
	}
	return add_to_list(row, config, value, ret_why);
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
			[OPTION_PREFIX] = set_prefix,
			[OPTION_LEVEL] = set_level,
	};

	assert(row->kind != OPTION_COMMAND);
	return setters[row->kind](row, config, value, ret_why);
}
