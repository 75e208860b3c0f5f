#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/ops/config.h"
#include "server/ops/memory.h"
#include "tests/unit/game/cmocka_all.h"

#define ARGS_MAX 40

struct fixture {
	struct config config;
	char why[CONFIG_WHY_SIZE];
	char path[64];
};

static int set_up(void **state)
{
	struct fixture *fixture = memory_new(1, sizeof(*fixture));
	int fd;

	strcpy(fixture->path, "/tmp/qttt-config-XXXXXX");
	fd = mkstemp(fixture->path);
	assert_true(fd >= 0);
	close(fd);
	setenv("HOME", "/home/ala", 1);
	unsetenv("XDG_STATE_HOME");
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	config_fini(&fixture->config);
	unlink(fixture->path);
	free(fixture);
	return 0;
}

/* Read these flags, given as one text with blanks between; '_' stands for a blank in a value. */
static enum config_result read_args(struct fixture *fixture, const char *flags)
{
	char *text = memory_string(flags);
	char *argv[ARGS_MAX] = {text + strlen(text)};
	int argc = 1;
	enum config_result result;

	for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
		for (char *blank = word; (blank = strchr(blank, '_')) != NULL;) {
			*blank = ' ';
		}
		argv[argc++] = word;
	}
	config_fini(&fixture->config);
	fixture->why[0] = '\0';
	result = config_read(argc, argv, &fixture->config, fixture->why);
	free(text);
	return result;
}

static enum config_result read_file(struct fixture *fixture, const char *content, const char *flags)
{
	FILE *file = fopen(fixture->path, "w");
	char all[512];

	fputs(content, file);
	fclose(file);
	snprintf(all, sizeof(all), "--config %s %s", fixture->path, flags);
	return read_args(fixture, all);
}

static void expect_bad_file(
		struct fixture *fixture, const char *content, int line, const char *sentence)
{
	char expected[CONFIG_WHY_SIZE];

	assert_int_equal(read_file(fixture, content, ""), CONFIG_BAD_FILE);
	snprintf(expected, sizeof(expected), "%s:%d: %s", fixture->path, line, sentence);
	assert_string_equal(fixture->why, expected);
}

static void expect_bad_args(struct fixture *fixture, const char *flags, const char *sentence)
{
	assert_int_equal(read_args(fixture, flags), CONFIG_BAD_ARGS);
	assert_string_equal(fixture->why, sentence);
}

static void without_flags_all_is_as_the_table_says(void **state)
{
	struct fixture *fixture = *state;
	const struct config *config = &fixture->config;

	assert_int_equal(read_args(fixture, ""), CONFIG_RUN);
	assert_int_equal(config->listen.count, 1);
	assert_string_equal(config->listen.items[0], "127.0.0.1:4242");
	assert_string_equal(config->db, "/home/ala/.local/state/qttt/qttt.db");
	assert_string_equal(config->name, "qttt");
	assert_string_equal(config->motd, "");
	assert_string_equal(config->file, "");
	assert_int_equal(config->log_level, LOG_INFO);
	assert_int_equal(config->behind_bytes, 131072);
	assert_int_equal(config->keep_over_s, 600);
	assert_int_equal(config->keep_events_s, 86400);
	assert_int_equal(config->first_move_s, 60);
	assert_int_equal(config->claim_grace_s, 60);
	assert_int_equal(config->claim_untimed_s, 86400);
	assert_int_equal(config->untouched_s, 1209600);
	assert_int_equal(config->lobby_away_s, 120);
	assert_int_equal(config->close_away_s, 600);
	assert_int_equal(config->max_connections, 10000);
	assert_false(config->no_limits);
}

static void every_flag_reaches_its_member(void **state)
{
	struct fixture *fixture = *state;
	const struct config *config = &fixture->config;

	assert_int_equal(read_args(fixture, "--listen 127.0.0.1:1 --listen=[::1]:0 --db none "
					    "--name Ala --motd=A_b --log-level debug "
					    "--behind-bytes 4096 --keep-over 0 --no-limits "
					    "--first-move 1 --claim-grace 2 --claim-untimed 3 "
					    "--untouched 4 --lobby-away 5 --close-away 6 "
					    "--keep-events 0 --max-connections 1"),
			CONFIG_RUN);
	assert_int_equal(config->listen.count, 2);
	assert_string_equal(config->listen.items[0], "127.0.0.1:1");
	assert_string_equal(config->listen.items[1], "[::1]:0");
	assert_string_equal(config->db, "none");
	assert_string_equal(config->name, "Ala");
	assert_string_equal(config->motd, "A b");
	assert_int_equal(config->log_level, LOG_DEBUG);
	assert_int_equal(config->behind_bytes, 4096);
	assert_int_equal(config->keep_over_s, 0);
	assert_int_equal(config->keep_events_s, 0);
	assert_int_equal(config->first_move_s, 1);
	assert_int_equal(config->claim_grace_s, 2);
	assert_int_equal(config->claim_untimed_s, 3);
	assert_int_equal(config->untouched_s, 4);
	assert_int_equal(config->lobby_away_s, 5);
	assert_int_equal(config->close_away_s, 6);
	assert_int_equal(config->max_connections, 1);
	assert_true(config->no_limits);
}

static void every_key_of_the_file_reaches_its_member(void **state)
{
	struct fixture *fixture = *state;
	const struct config *config = &fixture->config;

	assert_int_equal(read_file(fixture,
					 "# a comment\n[net]\nlisten = localhost:1\n  listen=*:2\n"
					 "max-connections = 7\n[store]\ndb = ~/a.db\n[server]\n"
					 "name = A ; b\nmotd =\nlog-level = error\n[play]\r\n"
					 "behind-bytes=5000\r\nkeep-over : 1\nno-limits = on\n"
					 "first-move = 7\nclaim-grace=8\nclaim-untimed = 9\n"
					 "untouched=10\nlobby-away = "
					 "11\nclose-away=12\nkeep-events=60",
					 ""),
			CONFIG_RUN);
	assert_int_equal(config->listen.count, 2);
	assert_string_equal(config->listen.items[0], "localhost:1");
	assert_string_equal(config->listen.items[1], "*:2");
	assert_int_equal(config->max_connections, 7);
	assert_string_equal(config->db, "/home/ala/a.db");
	assert_string_equal(config->name, "A ; b");
	assert_string_equal(config->motd, "");
	assert_int_equal(config->log_level, LOG_ERROR);
	assert_int_equal(config->behind_bytes, 5000);
	assert_int_equal(config->keep_over_s, 1);
	assert_int_equal(config->keep_events_s, 60);
	assert_int_equal(config->first_move_s, 7);
	assert_int_equal(config->claim_grace_s, 8);
	assert_int_equal(config->claim_untimed_s, 9);
	assert_int_equal(config->untouched_s, 10);
	assert_int_equal(config->lobby_away_s, 11);
	assert_int_equal(config->close_away_s, 12);
	assert_true(config->no_limits);
}

static void flags_override_the_file(void **state)
{
	struct fixture *fixture = *state;
	const struct config *config = &fixture->config;
	const char *file = "[net]\nlisten = a:1\nlisten = b:2\nmax-connections = 5\n"
			   "[server]\nname = file\n";

	assert_int_equal(read_file(fixture, file, "--listen c:3 --name flag"), CONFIG_RUN);
	assert_int_equal(config->listen.count, 1);
	assert_string_equal(config->listen.items[0], "c:3");
	assert_string_equal(config->name, "flag");
	assert_int_equal(config->max_connections, 5);
	expect_bad_file(fixture, "\n[server]\nname =\n", 3,
			"name wants 1 to 63 bytes of text, not 0");
	assert_int_equal(read_file(fixture, "[net]\nlisten = nonsense\n", "--listen c:3"),
			CONFIG_BAD_FILE);
}

static void the_last_of_a_repeated_flag_counts(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(read_args(fixture, "--name a --name b"), CONFIG_RUN);
	assert_string_equal(fixture->config.name, "b");
}

static void xdg_state_home_moves_the_database(void **state)
{
	struct fixture *fixture = *state;

	setenv("XDG_STATE_HOME", "/var/state", 1);
	assert_int_equal(read_args(fixture, ""), CONFIG_RUN);
	assert_string_equal(fixture->config.db, "/var/state/qttt/qttt.db");
	setenv("XDG_STATE_HOME", "not/absolute", 1);
	assert_int_equal(read_args(fixture, ""), CONFIG_RUN);
	assert_string_equal(fixture->config.db, "/home/ala/.local/state/qttt/qttt.db");
}

static void bad_flags_are_told_in_a_sentence(void **state)
{
	struct fixture *fixture = *state;

	expect_bad_args(fixture, "--spam 1:2", "there is no option \"--spam\"");
	expect_bad_args(fixture, "-x", "there is no option \"-x\"");
	expect_bad_args(fixture, "--name", "--name wants TEXT after it");
	expect_bad_args(fixture, "--no-limits=yes", "--no-limits takes no value");
	expect_bad_args(fixture, "stray", "there are only options here, what is \"stray\"");
	expect_bad_args(fixture, "--keep-over 86401",
			"--keep-over wants a whole number from 0 to 86400, not \"86401\"");
	expect_bad_args(fixture, "--keep-over 99999999999999999999",
			"--keep-over wants a whole number from 0 to 86400, not "
			"\"99999999999999999999\"");
	expect_bad_args(fixture, "--max-connections 0",
			"--max-connections wants a whole number from 1 to 1000000, not \"0\"");
	expect_bad_args(fixture, "--behind-bytes 1e5",
			"--behind-bytes wants a whole number from 4096 to 1048576, not \"1e5\"");
	expect_bad_args(fixture, "--behind-bytes=-1",
			"--behind-bytes wants a whole number from 4096 to 1048576, not \"-1\"");
	expect_bad_args(fixture, "--log-level loud",
			"--log-level wants error, warn, info or debug, not \"loud\"");
	expect_bad_args(fixture, "--motd a\001b",
			"--motd wants text without control characters, not \"a\\x01b\"");
	expect_bad_args(fixture, "--listen 4242",
			"--listen wants an address and a port, such as 127.0.0.1:4242 or "
			"[::1]:4242, not \"4242\"");
	expect_bad_args(fixture, "--db=", "--db wants a path, not nothing");
}

static void texts_are_as_long_as_their_limit_at_most(void **state)
{
	struct fixture *fixture = *state;
	char flags[400] = "--motd ";

	memset(flags + strlen(flags), 'x', CONFIG_MOTD_BYTES);
	assert_int_equal(read_args(fixture, flags), CONFIG_RUN);
	strcat(flags, "x");
	expect_bad_args(fixture, flags, "--motd wants 0 to 255 bytes of text, not 256");
}

static void there_are_as_many_addresses_as_their_limit_at_most(void **state)
{
	struct fixture *fixture = *state;
	char flags[400] = "";

	for (int i = 0; i < CONFIG_LIST_MAX; i++) {
		strcat(flags, "--listen=a:1 ");
	}
	assert_int_equal(read_args(fixture, flags), CONFIG_RUN);
	strcat(flags, "--listen=a:1");
	expect_bad_args(fixture, flags, "--listen can be given 16 times at most");
}

static void a_bad_file_is_told_with_its_line(void **state)
{
	struct fixture *fixture = *state;
	char line[2048] = "[server]\nmotd = ";

	expect_bad_file(fixture, "[net]\n\nport = 1\n", 3,
			"there is no key \"port\" in section "
			"[\"net\"]");
	expect_bad_file(fixture, "name = x\n", 1, "name belongs in section [server]");
	expect_bad_file(fixture, "[net]\nname = x\n", 2, "name belongs in section [server]");
	expect_bad_file(fixture, "port = x\n", 1, "there is no key \"port\"");
	expect_bad_file(fixture, "[server]\nname = a\nname = b\n", 3, "name is there twice");
	expect_bad_file(fixture, "[play]\n; no\nno-limits = maybe\n", 3,
			"no-limits wants yes or no, not \"maybe\"");
	expect_bad_file(fixture, "[play]\nno-limits\nfoo = 1\n", 2,
			"neither [section] nor key = value nor a # comment");
	expect_bad_file(fixture, "[server]\nname = a\n  and more\n", 3,
			"neither [section] nor key = value nor a # comment");
	memset(line + strlen(line), 'x', 1100);
	strcat(line, "\nfoo = 1\n");
	expect_bad_file(fixture, line, 2, "the line is too long, or has a NUL byte");
}

static void only_the_first_mistake_of_a_file_is_told(void **state)
{
	expect_bad_file(*state, "[net]\nlisten = x\nfoo = 1\nbar\n", 2,
			"listen wants an address and a port, such as 127.0.0.1:4242 or [::1]:4242, "
			"not \"x\"");
}

static void a_file_that_is_not_there_is_a_bad_file(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(read_args(fixture, "--config /nonexistent/x.conf"), CONFIG_BAD_FILE);
	assert_string_equal(fixture->why, "/nonexistent/x.conf: No such file or directory");
	assert_int_equal(read_args(fixture, "--config /tmp"), CONFIG_BAD_FILE);
	assert_string_equal(fixture->why, "/tmp:1: Is a directory");
}

static void commands_are_told_from_serving(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(read_args(fixture, "--help"), CONFIG_HELP);
	assert_int_equal(read_args(fixture, "--version --name x"), CONFIG_VERSION);
	assert_int_equal(read_args(fixture, "--print-config"), CONFIG_SAMPLE);
	assert_int_equal(read_args(fixture, "--check-config"), CONFIG_CHECK);
	assert_int_equal(read_file(fixture, "[net]\nx = 1\n", "--check-config"), CONFIG_BAD_FILE);
	assert_int_equal(read_args(fixture, "--help --nonsense"), CONFIG_BAD_ARGS);
	assert_int_equal(read_args(fixture, "--check-db --db here.db"), CONFIG_CHECK_DB);
	assert_string_equal(fixture->config.db, "here.db");
}

static void a_backup_is_a_command_with_a_value(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(read_args(fixture, "--backup copy.db --db here.db"), CONFIG_BACKUP);
	assert_string_equal(fixture->config.backup, "copy.db");
	assert_string_equal(fixture->config.db, "here.db");
	assert_int_equal(read_args(fixture, "--check-db --backup copy.db"), CONFIG_CHECK_DB);
	assert_int_equal(read_args(fixture, "--export-db games.json"), CONFIG_EXPORT);
	assert_string_equal(fixture->config.export, "games.json");
	assert_int_equal(read_args(fixture, "--backup"), CONFIG_BAD_ARGS);
	assert_string_equal(fixture->why, "--backup wants FILE after it");
	assert_int_equal(read_file(fixture, "[store]\ndb = there.db\n", "--backup copy.db"),
			CONFIG_BACKUP);
	assert_string_equal(fixture->config.db, "there.db");
	assert_int_equal(read_file(fixture, "[store]\nbackup = copy.db\n", ""), CONFIG_BAD_FILE);
}

static void what_is_kept_nowhere_can_neither_be_copied_nor_checked(void **state)
{
	static const char *const flags[] = {"--backup copy.db --db none", "--check-db --db none",
			"--export-db - --db none"};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		assert_int_equal(read_args(fixture, flags[i]), CONFIG_BAD_ARGS);
		assert_string_equal(fixture->why, "with --db none there is no database to copy, to "
						  "check or to export");
	}
	assert_int_equal(read_file(fixture, "[store]\ndb = none\n", "--check-db"), CONFIG_BAD_ARGS);
}

/* What a printing function prints; the caller frees it. */
static char *printed(void (*print)(FILE *out))
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	print(out);
	fclose(out);
	return text;
}

static void the_sample_is_the_committed_file(void **state)
{
	char *sample = printed(config_print_sample);
	FILE *file = fopen(getenv("QTTT_SAMPLE_CONFIG"), "r");
	static char committed[16384];

	(void)state;
	assert_non_null(file);
	assert_true(fread(committed, 1, sizeof(committed) - 1, file) > 0);
	fclose(file);
	assert_string_equal(sample, committed);
	free(sample);
}

static void the_sample_uncommented_changes_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct config standard = {0};
	char *argv[] = {fixture->path, NULL};
	char *sample = printed(config_print_sample);

	for (char *mark = sample; (mark = strstr(mark, "\n#")) != NULL; mark++) {
		if (mark[2] != ' ') {
			mark[1] = ' ';
		}
	}
	assert_int_equal(config_read(1, argv, &standard, fixture->why), CONFIG_RUN);
	assert_int_equal(read_file(fixture, sample, ""), CONFIG_RUN);
	assert_int_equal(fixture->config.listen.count, standard.listen.count);
	assert_string_equal(fixture->config.listen.items[0], standard.listen.items[0]);
	assert_string_equal(fixture->config.db, standard.db);
	assert_string_equal(fixture->config.name, standard.name);
	assert_string_equal(fixture->config.motd, standard.motd);
	assert_int_equal(fixture->config.log_level, standard.log_level);
	assert_int_equal(fixture->config.behind_bytes, standard.behind_bytes);
	assert_int_equal(fixture->config.keep_over_s, standard.keep_over_s);
	assert_int_equal(fixture->config.first_move_s, standard.first_move_s);
	assert_int_equal(fixture->config.claim_grace_s, standard.claim_grace_s);
	assert_int_equal(fixture->config.claim_untimed_s, standard.claim_untimed_s);
	assert_int_equal(fixture->config.untouched_s, standard.untouched_s);
	assert_int_equal(fixture->config.lobby_away_s, standard.lobby_away_s);
	assert_int_equal(fixture->config.close_away_s, standard.close_away_s);
	assert_int_equal(fixture->config.max_connections, standard.max_connections);
	assert_int_equal(fixture->config.no_limits, standard.no_limits);
	config_fini(&standard);
	free(sample);
}

static void the_help_is_no_wider_than_a_terminal(void **state)
{
	char *help = printed(config_print_help);

	(void)state;
	assert_non_null(strstr(help, "  --listen ADDR:PORT "));
	assert_non_null(strstr(help, "Default: 127.0.0.1:4242\n"));
	for (char *line = strtok(help, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		assert_in_range(strlen(line), 0, 80);
	}
	free(help);
}

static void note_change(void *arg, const char *name, bool now)
{
	char *told = arg;

	strcat(told, name);
	strcat(told, now ? " now; " : " later; ");
}

static void only_what_may_change_is_taken_over_and_each_change_is_told(void **state)
{
	struct fixture *fixture = *state;
	struct config *config = &fixture->config;
	char no_flags[] = "";
	char *argv[] = {no_flags, NULL};
	char told[200] = "";
	struct config fresh;

	assert_int_equal(read_file(fixture,
					 "[net]\nlisten = a:1\nproxy-from = 10.0.0.0/8\n"
					 "[server]\nmotd = Here\nlog-level = warn\n"
					 "[play]\nworkers = 2\nallowance = 3\n",
					 ""),
			CONFIG_RUN);
	assert_int_equal(config_read(1, argv, &fresh, fixture->why), CONFIG_RUN);
	config_take_changes(config, &fresh, note_change, told);
	config_fini(&fresh);
	assert_string_equal(told, "listen later; proxy-from now; motd now; log-level now; "
				  "workers later; allowance now; ");
	assert_string_equal(config->listen.items[0], "a:1");
	assert_int_equal(config->proxy_from.count, 0);
	assert_string_equal(config->motd, "");
	assert_int_equal(config->log_level, LOG_INFO);
	assert_int_equal(config->workers, 2);
	assert_int_equal(config->allowance, 200);
}

#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
			SENTENCE(without_flags_all_is_as_the_table_says),
			SENTENCE(every_flag_reaches_its_member),
			SENTENCE(every_key_of_the_file_reaches_its_member),
			SENTENCE(flags_override_the_file),
			SENTENCE(the_last_of_a_repeated_flag_counts),
			SENTENCE(xdg_state_home_moves_the_database),
			SENTENCE(bad_flags_are_told_in_a_sentence),
			SENTENCE(texts_are_as_long_as_their_limit_at_most),
			SENTENCE(there_are_as_many_addresses_as_their_limit_at_most),
			SENTENCE(a_bad_file_is_told_with_its_line),
			SENTENCE(only_the_first_mistake_of_a_file_is_told),
			SENTENCE(a_file_that_is_not_there_is_a_bad_file),
			SENTENCE(commands_are_told_from_serving),
			SENTENCE(a_backup_is_a_command_with_a_value),
			SENTENCE(what_is_kept_nowhere_can_neither_be_copied_nor_checked),
			SENTENCE(the_sample_is_the_committed_file),
			SENTENCE(the_sample_uncommented_changes_nothing),
			SENTENCE(the_help_is_no_wider_than_a_terminal),
			SENTENCE(only_what_may_change_is_taken_over_and_each_change_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
