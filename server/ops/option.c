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

bool option_is_list(const struct option_row *row)
{
	return row->kind == OPTION_ADDRESS || row->kind == OPTION_PREFIX ||
	       row->kind == OPTION_ORIGIN;
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
	char path[OPTION_PATH_BYTES + 1];
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

/* As browsers tell it: neither a path nor a slash at its end. */
static bool is_origin(const char *value)
{
	static const char *const schemes[] = {"http://", "https://"};

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		const size_t length = strlen(schemes[i]);

		if (strncasecmp(value, schemes[i], length) == 0) {
			return value[length] != '\0' && strpbrk(value + length, "/ ?#@*") == NULL;
		}
	}
	return strcmp(value, "*") == 0;
}

static bool set_origin(const struct option_row *row, struct config *config, const char *value,
		char *ret_why)
{
	if (value[0] == '\0' && may_be_nothing(row, value)) {
		return true;
	}
	if (!is_origin(value) || has_control_character(value)) {
		snprintf(ret_why, CONFIG_WHY_SIZE,
				"wants where a page is from, such as https://example.org or "
				"http://127.0.0.1:8000, or *, not %s",
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
			[OPTION_ORIGIN] = set_origin,
			[OPTION_LEVEL] = set_level,
	};

	assert(row->kind != OPTION_COMMAND);
	return setters[row->kind](row, config, value, ret_why);
}

/* Of its member. */
static size_t size_of(const struct option_row *row)
{
	static const size_t sizes[] = {
			[OPTION_SWITCH] = sizeof(bool),
			[OPTION_NUMBER] = sizeof(int64_t),
			[OPTION_TEXT] = sizeof(char *),
			[OPTION_PATH] = sizeof(char *),
			[OPTION_LEVEL] = sizeof(enum log_level),
	};

	assert(row->kind != OPTION_COMMAND);
	return option_is_list(row) ? sizeof(struct config_list) : sizes[row->kind];
}

static bool lists_differ(const struct config_list *one, const struct config_list *other)
{
	if (one->count != other->count) {
		return true;
	}
	for (size_t i = 0; i < one->count; i++) {
		if (strcmp(one->items[i], other->items[i]) != 0) {
			return true;
		}
	}
	return false;
}

bool option_differs(const struct option_row *row, struct config *one, struct config *other)
{
	const void *mine = member_of(row, one);
	const void *theirs = member_of(row, other);

	if (option_is_list(row)) {
		return lists_differ(mine, theirs);
	}
	if (row->kind == OPTION_TEXT || row->kind == OPTION_PATH) {
		return strcmp(*(char *const *)mine, *(char *const *)theirs) != 0;
	}
	return memcmp(mine, theirs, size_of(row)) != 0;
}

void option_swap(const struct option_row *row, struct config *one, struct config *other)
{
	char kept[sizeof(struct config_list)];
	const size_t size = size_of(row);

	memcpy(kept, member_of(row, one), size);
	memcpy(member_of(row, one), member_of(row, other), size);
	memcpy(member_of(row, other), kept, size);
}
