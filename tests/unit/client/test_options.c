#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/options.h"
#include "tests/unit/game/cmocka_all.h"

#define ARGUMENTS_MAX 12

/* Parse a NULL-ended list as what follows the program's name. The options point into what the last
 * call copied. */
static bool parse(const char *const *words, struct options *options, char problem[PROBLEM_SIZE])
{
	static char texts[ARGUMENTS_MAX][64] = {"qttt"};
	char *argv[ARGUMENTS_MAX + 1] = {texts[0]};
	int argc = 1;

	for (; words[argc - 1]; argc++) {
		snprintf(texts[argc], sizeof(texts[argc]), "%s", words[argc - 1]);
		argv[argc] = texts[argc];
	}
	problem[0] = '\0';
	return options_parse(argc, argv, options, problem);
}

static void without_arguments_the_server_is_local(void **state)
{
	struct options options;
	char problem[PROBLEM_SIZE];

	(void)state;
	assert_true(parse((const char *const[]){NULL}, &options, problem));
	assert_string_equal(options.host, "127.0.0.1");
	assert_string_equal(options.port, "4242");
	assert_false(options.json || options.ascii || options.help || options.version);
	assert_null(options.name);
	assert_null(options.token_file);
}

static void every_option_is_read(void **state)
{
	struct options options;
	char problem[PROBLEM_SIZE];

	(void)state;
	assert_true(parse((const char *const[]){"--json", "--name", "ala", "--token-file=/t",
					  "--ascii", "--tls", "--ca", "/ca.pem", "qttt.example:99",
					  NULL},
			&options, problem));
	assert_true(options_target(&options).tls);
	assert_string_equal(options_target(&options).ca, "/ca.pem");
	assert_string_equal(options_target(&options).host, "qttt.example");
	assert_true(options.json && options.ascii);
	assert_string_equal(options.name, "ala");
	assert_string_equal(options.token_file, "/t");
	assert_string_equal(options.host, "qttt.example");
	assert_string_equal(options.port, "99");
}

static void wrong_arguments_are_told_in_a_sentence(void **state)
{
	static const struct {
		const char *words[3];
		const char *problem;
	} cases[] = {
			{{"--colour"}, "There is no option --colour."},
			{{"-j"}, "There is no option -j."},
			{{"--json=1"}, "The option --json takes no value."},
			{{"--name"}, "The option --name needs a value: --name NAME."},
			{{"--name="}, "The option --name needs a value: --name NAME."},
			{{"a", "b"}, "One server is enough: what is b?"},
			{{"--ca", "/ca.pem"}, "--ca goes with --tls."},
			{{"--admin"}, "The option --admin needs a value: --admin PATH."},
			{{"--admin=/a", "host"}, "--admin goes with no server: host is one."},
			{{"--admin=/a", "--match"},
					"--admin goes with no server, name, game or TLS: an "
					"operator does not play."},
			{{"host:"}, "host: is no address like HOST or HOST:PORT."},
			{{"--bot=strong"}, "The option --bot can't be strong: it is one of random, "
					   "good, perfect."},
			{{"--side=X"}, "--side goes with --bot: --bot good --side X."},
			{{""}, " is no address like HOST or HOST:PORT."},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct options options = {.port = "kept"};
		char problem[PROBLEM_SIZE];

		assert_false(parse(cases[i].words, &options, problem));
		assert_string_equal(problem, cases[i].problem);
		assert_string_equal(options.port, "kept");
	}
}

static void addresses_of_every_form_are_split(void **state)
{
	static const struct {
		const char *text, *host, *port; /* host NULL: no address */
	} cases[] = {
			{"localhost", "localhost", "4242"},
			{"localhost:1", "localhost", "1"},
			{"10.0.0.1:65535", "10.0.0.1", "65535"},
			{"[::1]:4243", "::1", "4243"},
			{"[::1]", "::1", "4242"},
			{"::1", "::1", "4242"},
			{"h:65536", NULL, NULL},
			{"h:0", NULL, NULL},
			{"h:-1", NULL, NULL},
			{"h:http", NULL, NULL},
			{"h:000001", NULL, NULL},
			{":4242", NULL, NULL},
			{"[::1", NULL, NULL},
			{"[]:1", NULL, NULL},
			{"[::1]4242", NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char host[HOST_SIZE];
		char port[PORT_SIZE];
		bool fine = options_address(cases[i].text, host, port);

		assert_int_equal(fine, cases[i].host != NULL);
		if (fine) {
			assert_string_equal(host, cases[i].host);
			assert_string_equal(port, cases[i].port);
		}
	}
}

static void what_is_done_first_and_colours_are_options(void **state)
{
	struct options options;
	char problem[PROBLEM_SIZE];

	(void)state;
	assert_true(parse((const char *const[]){"--match", "--color=never", NULL}, &options,
			problem));
	assert_true(options.match);
	assert_int_equal(options.color, PAINT_NEVER);
	assert_true(parse((const char *const[]){"--join", "k7m2q", "--color", "always", NULL},
			&options, problem));
	assert_string_equal(options.join, "k7m2q");
	assert_int_equal(options.color, PAINT_ALWAYS);
	assert_false(parse((const char *const[]){"--color", "green", NULL}, &options, problem));
	assert_string_equal(problem,
			"The option --color can't be green: it is one of auto, always, "
			"never.");
	assert_false(parse((const char *const[]){"--match", "--watch", "k7m2q", NULL}, &options,
			problem));
	assert_string_equal(problem, "Only one of --match, --bot, --join, --watch, --replay and "
				     "--export can be done first.");
	assert_false(parse((const char *const[]){"--bot=good", "--replay=-", NULL}, &options,
			problem));
	assert_true(parse((const char *const[]){"--bot", "good", "--side=O", NULL}, &options,
			problem));
	assert_string_equal(options.bot, "good");
	assert_string_equal(options.side, "O");
	assert_true(parse((const char *const[]){"--replay", "-", NULL}, &options, problem));
	assert_string_equal(options.replay, "-");
	assert_int_equal(options.game, 0);
}

static void games_are_replayed_by_number_and_exported_by_name(void **state)
{
	struct options options;
	char problem[PROBLEM_SIZE];

	(void)state;
	assert_true(parse(
			(const char *const[]){"--replay=-", "--game=12", NULL}, &options, problem));
	assert_int_equal(options.game, 12);
	assert_false(parse(
			(const char *const[]){"--replay=-", "--game=0", NULL}, &options, problem));
	assert_string_equal(problem, "The option --game takes a number from 1 to 1000000.");
	assert_false(parse((const char *const[]){"--game=1", NULL}, &options, problem));
	assert_string_equal(problem, "--game goes with --replay.");
	assert_true(parse((const char *const[]){"--export", "ala", NULL}, &options, problem));
	assert_string_equal(options.export, "ala");
	assert_false(parse(
			(const char *const[]){"--export=ala", "--match", NULL}, &options, problem));
}

static void help_names_every_option_and_fits_the_screen(void **state)
{
	static const char *const names[] = {"--json", "--ascii", "--name NAME", "--token-file FILE",
			"--match", "--join ROOM", "--watch ROOM", "--admin PATH", "--color WHEN",
			"--completion SHELL", "--help", "--version"};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	options_help(out);
	fclose(out);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_non_null(strstr(text, names[i]));
	}
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		assert_true(strcspn(line, "\n") <= 79);
	}
	free(text);
}

static void an_option_can_be_read_before_the_command_line_is_known_to_be_right(void **state)
{
	char words[][16] = {"qttt", "--bogus", "--language", "pl", "--ascii", "--language=xx",
			"--languages", "--", "--language", "en"};
	char *line[11] = {NULL};

	for (size_t i = 0; i < 10; i++) {
		line[i] = words[i];
	}
	(void)state;
	assert_string_equal(options_scan(10, line, "language"), "pl");
	assert_string_equal(options_scan(10, line, "ascii"), "");
	assert_null(options_scan(10, line, "json"));
	assert_null(options_scan(3, line, "language"));
	assert_null(options_scan(0, line, "language"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(
					an_option_can_be_read_before_the_command_line_is_known_to_be_right),
			cmocka_unit_test(without_arguments_the_server_is_local),
			cmocka_unit_test(every_option_is_read),
			cmocka_unit_test(wrong_arguments_are_told_in_a_sentence),
			cmocka_unit_test(addresses_of_every_form_are_split),
			cmocka_unit_test(what_is_done_first_and_colours_are_options),
			cmocka_unit_test(games_are_replayed_by_number_and_exported_by_name),
			cmocka_unit_test(help_names_every_option_and_fits_the_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
