/* What is wider in Polish: tables line up, and no page is wider than its window. */
#include <stdlib.h>

#include "client-cli/drawing.h"
#include "client-cli/language.h"
#include "client-cli/options.h"
#include "client-cli/prompt.h"
#include "client-cli/show_values.h"
#include "client-cli/vocabulary.h"
#include "protocol/tell.h"
#include "protocol/text.h"
#include "tests/unit/game/cmocka_all.h"

static const char *const languages[] = {"en", "pl"};

/* A page that is written to memory; its text is to be freed. */
struct page {
	char *text;
	size_t size;
	struct show show;
};

static void page_begin(struct page *page, size_t columns)
{
	*page = (struct page){.show = {.columns = columns}};
	page->show.out = open_memstream(&page->text, &page->size);
}

static void assert_fits(char *text, size_t columns)
{
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		if (text_columns(line) > columns) {
			fail_msg("%zu columns, more than %zu: %s", text_columns(line), columns,
					line);
		}
	}
}

static void page_fits(struct page *page)
{
	fclose(page->show.out);
	assert_true(page->size > 0);
	assert_fits(page->text, page->show.columns);
	free(page->text);
}

static void speak(const char *language)
{
	setenv("LC_ALL", "C.UTF-8", 1);
	language_begin(language, false, QTTT_PO);
}

static void each_width(void (*fits)(size_t columns))
{
	static const size_t widths[] = {80, 60, 40};

	for (size_t language = 0; language < 2; language++) {
		speak(languages[language]);
		for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
			fits(widths[i]);
		}
	}
}

static void texts_fit(size_t columns)
{
	struct page page;

	page_begin(&page, columns);
	show_help(&page.show, "");
	show_help(&page.show, "create");
	show_help(&page.show, "nothing");
	show_help(&page.show, "mvoe");
	show_rules(&page.show);
	show_keys(&page.show);
	page_fits(&page);
}

static void help_rules_and_keys_fit_into_every_window(void **state)
{
	(void)state;
	each_width(texts_fit);
}

static struct board measured_board(void)
{
	struct board board = {.move = 9, .turn = SEAT_O, .phase = PHASE_COLLAPSE};

	board.cycle_count = 9;
	for (uint8_t i = 0; i < 9; i++) {
		board.squares[i].spooky_count = 2;
		board.squares[i].spooky[0] = (uint8_t)(i + 1);
		board.squares[i].spooky[1] = (uint8_t)(i == 0 ? 9 : i);
		board.cycle[i] = (uint8_t)(i + 1);
	}
	board.choices[0] = 1;
	board.choices[1] = 9;
	return board;
}

static void board_fits(size_t columns)
{
	struct scene_room room = {.has_board = true, .board = measured_board()};
	struct page page;

	room.clock = (struct clock_running){
			.set = true, .x_ms = 86400000, .o_ms = 9000, .running = SEAT_O};
	page_begin(&page, columns);
	show_board(&page.show, &room);
	page_fits(&page);
}

static void a_board_with_the_longest_cycle_fits_into_every_window(void **state)
{
	(void)state;
	each_width(board_fits);
	for (size_t language = 0; language < 2; language++) {
		speak(languages[language]);
		board_fits(DRAWING_COLUMNS_MIN);
	}
}

static void lobby_fits(size_t columns)
{
	static struct scene scene;
	struct page page;

	memset(&scene, 0, sizeof(scene));
	page_begin(&page, columns);
	show_lobby(&page.show, &scene);
	scene.lobby_count = 1;
	message_copy(scene.lobby[0].room, sizeof(scene.lobby[0].room), "k7m2q");
	message_copy(scene.lobby[0].players[0], NAME_SIZE, "dwadziescia-znakow-x");
	message_copy(scene.lobby[0].players[1], NAME_SIZE, "dwadziescia-znakow-o");
	show_lobby(&page.show, &scene);
	page_fits(&page);
}

static void the_lobby_fits_into_every_window(void **state)
{
	(void)state;
	each_width(lobby_fits);
}

/* The ends that the board does not show, and what each is called in Polish, with a blank before
 * what it was worth: a cell as wide as its column would run into the next one. */
static const struct {
	enum end_reason reason;
	const char *told;
} ends[] = {
		{REASON_RESIGN, "poddanie się "},
		{REASON_FLAG, "koniec czasu "},
		{REASON_CLAIM, "nieobecność "},
		{REASON_AGREEMENT, "remis: zgoda "},
};

static void page_begin_study(struct page *page, size_t columns, enum end_reason reason)
{
	static const int8_t values[] = {1, 1, -2, 2};
	const struct ok ok = {.step_count = 3, .steps = values, .half_points = 2};
	static struct study study;
	static struct snapshot state;

	study = (struct study){.seq = 0};
	memset(&state, 0, sizeof(state));
	state.has_result = true;
	state.result = (struct result){.reason = reason, .scored = true, .half_points_x = 2};
	assert_true(study_take_item(&study, "1:X(1-5)", 8));
	assert_true(study_take_item(&study, "2:O(1-5)", 8));
	study_take_state(&study, &state);
	study_take_values(&study, &ok);
	page_begin(page, columns);
	show_study(&page->show, &study);
}

static void study_fits(size_t columns)
{
	struct page page;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		page_begin_study(&page, columns, ends[i].reason);
		page_fits(&page);
	}
}

static void what_a_game_was_worth_fits_into_every_window(void **state)
{
	(void)state;
	each_width(study_fits);
}

static void prompts_fit(size_t columns)
{
	static struct rooms rooms;
	static struct scene scene;
	struct tell_room *room;
	char text[PROMPT_SIZE];
	enum paint paint;

	memset(&rooms, 0, sizeof(rooms));
	scene_init(&scene, &rooms);
	message_copy(rooms.name, sizeof(rooms.name), "dwadziescia-znakow-x");
	room = rooms_see(&rooms, "k7m2q");
	message_copy(scene.current, sizeof(scene.current), room->id);
	for (int status = STATUS_WAITING; status <= STATUS_OVER; status++) {
		for (int seat = SEAT_NONE; seat <= SEAT_O; seat++) {
			room->status = (enum room_status)status;
			room->seat = (enum seat)seat;
			prompt_text(&scene, columns, text, &paint);
			/* A third of the row is left for what is typed. */
			assert_true(text_columns(text) <= columns - columns / 3);
			assert_true(text_is_utf8(text, strlen(text)));
		}
	}
}

static void prompts_leave_room_to_type_in_every_window(void **state)
{
	(void)state;
	each_width(prompts_fit);
}

static void the_help_of_the_command_line_has_at_most_80_columns(void **state)
{
	(void)state;
	for (size_t language = 0; language < 2; language++) {
		struct page page;

		language_begin(languages[language], false, QTTT_PO);
		page_begin(&page, 80);
		options_help(page.show.out);
		page_fits(&page);
	}
}

static void what_stands_for_a_word_to_be_typed_is_polish_in_all_the_help(void **state)
{
	static const char *const usages[] = {
			"game POKÓJ ", "games [NAZWA] ", "player NAZWA ", "top [N] "};
	struct page page;

	(void)state;
	speak("pl");
	page_begin(&page, 80);
	show_help(&page.show, "");
	fclose(page.show.out);
	for (size_t i = 0; i < sizeof(usages) / sizeof(usages[0]); i++) {
		assert_non_null(strstr(page.text, usages[i]));
	}
	free(page.text);
}

/* The last test: who types is an operator from then on. */
static void what_an_operator_types_is_the_same_in_polish(void **state)
{
	struct page page;

	(void)state;
	speak("pl");
	vocabulary_serve_operator();
	page_begin(&page, 80);
	show_help(&page.show, "");
	fclose(page.show.out);
	assert_non_null(strstr(page.text, " rooms [playing] "));
	assert_non_null(strstr(page.text, " drain [no] "));
	assert_non_null(strstr(page.text, " ban KOGO [CZAS] "));
	assert_null(strstr(page.text, "forget"));
	free(page.text);
}

/* Tables. */

/* The column in which a word of a line begins. */
static size_t column_of(const char *line, const char *word)
{
	const char *found = strstr(line, word);
	char before[512];

	assert_non_null(found);
	message_copy(before, sizeof(before), line);
	before[found - line] = '\0';
	return text_columns(before);
}

/* In both lines, the n-th word of each begins in the same column. */
static void assert_lined_up(
		const char *text, const char *const *heads, const char *const *cells, size_t count)
{
	const char *second = strchr(text, '\n');
	char first[512];

	assert_non_null(second);
	message_copy(first, sizeof(first), text);
	first[second - text] = '\0';
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(column_of(first, heads[i]), column_of(second + 1, cells[i]));
	}
}

/* What is told of it in Polish. */
static void assert_told_lined_up(const struct ok *ok, const char *const *heads,
		const char *const *cells, size_t count)
{
	struct tell tell;

	speak("pl");
	tell_init(&tell);
	tell_ok(&tell, ok);
	writer_put_char(&tell.text, '\0');
	assert_lined_up(tell.text.data, heads, cells, count);
	tell_fini(&tell);
}

static void the_table_of_the_best_lines_up_in_polish(void **state)
{
	static const char *const heads[] = {
			"NAZWA", "RANKING", "GRY", "WYGRANE", "REMISY", "PRZEGRANE"};
	static const char *const cells[] = {"zażółć", "1801", "202", "103", "54", "45"};
	struct standing row = {.rating_milli = 1801000,
			.games = 202,
			.wins = 103,
			.draws = 54,
			.losses = 45};
	struct ok ok = {.to = REQUEST_TOP, .top_count = 1, .top = &row};

	(void)state;
	message_copy(row.name, sizeof(row.name), "zażółć");
	assert_told_lined_up(&ok, heads, cells, 6);
}

static void the_table_of_games_lines_up_in_polish(void **state)
{
	static const char *const heads[] = {"POKÓJ", "KONIEC (UTC)", "ZEGAR", "X-O", "JAK"};
	static const char *const cells[] = {"k7m2q", "1970", "3+2", "1.5-0", "poddanie się"};
	static struct game_row row;
	struct ok ok = {.to = REQUEST_GAMES, .game_count = 1, .games = &row};

	(void)state;
	message_copy(row.room, sizeof(row.room), "k7m2q");
	message_copy(row.players[0], NAME_SIZE, "ala");
	message_copy(row.players[1], NAME_SIZE, "ola");
	row.agreed = (struct clock_agreed){true, 180000, 2000};
	row.has_result = true;
	row.result = (struct result){.scored = true, .half_points_x = 3, .reason = REASON_RESIGN};
	assert_told_lined_up(&ok, heads, cells, 5);
}

static void the_lobbys_table_lines_up_in_polish(void **state)
{
	static const char *const heads[] = {"POKÓJ", "RUCH", "ZEGAR", "WIDZOWIE", "TYTUŁ"};
	static const char *const cells[] = {"k7m2q", "4", "15+10", "73", "wieczór"};
	static struct scene scene;
	struct page page;

	(void)state;
	speak("pl");
	page_begin(&page, 120);
	scene.lobby_count = 1;
	scene.lobby[0].move = 4;
	scene.lobby[0].spectators = 73;
	scene.lobby[0].clock = (struct clock_agreed){true, 900000, 10000};
	message_copy(scene.lobby[0].room, sizeof(scene.lobby[0].room), "k7m2q");
	message_copy(scene.lobby[0].title, sizeof(scene.lobby[0].title), "wieczór");
	show_lobby(&page.show, &scene);
	fclose(page.show.out);
	assert_lined_up(page.text, heads, cells, 5);
	free(page.text);
}

static void what_an_end_is_called_leaves_a_blank_before_its_worth(void **state)
{
	struct page page;

	(void)state;
	speak("pl");
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		page_begin_study(&page, 80, ends[i].reason);
		fclose(page.show.out);
		assert_non_null(strstr(page.text, ends[i].told));
		free(page.text);
	}
}

static void told_fits(const struct ok *ok, size_t columns)
{
	struct tell tell;

	tell_init(&tell);
	tell.columns = columns;
	tell_ok(&tell, ok);
	writer_put_char(&tell.text, '\0');
	assert_fits(tell.text.data, columns);
	tell_fini(&tell);
}

static void tables_fit(size_t columns)
{
	static struct game_row game;
	struct standing row = {.rating_milli = 1801000, .games = 202, .online = true};
	struct ok top = {.to = REQUEST_TOP, .top_count = 1, .top = &row};
	struct ok games = {.to = REQUEST_GAMES, .game_count = 1, .games = &game};

	message_copy(row.name, sizeof(row.name), "dwadziescia-znakow-x");
	message_copy(game.room, sizeof(game.room), "k7m2q");
	message_copy(game.players[0], NAME_SIZE, "dwadziescia-znakow-x");
	message_copy(game.players[1], NAME_SIZE, "dwadziescia-znakow-o");
	game.has_result = true;
	game.result = (struct result){.scored = true, .half_points_x = 3, .reason = REASON_RESIGN};
	told_fits(&top, columns);
	told_fits(&games, columns);
}

static void the_tables_of_games_and_of_the_best_fit_into_every_window(void **state)
{
	(void)state;
	each_width(tables_fit);
}

static void numbers_about_the_server_line_up_in_polish(void **state)
{
	struct stats stats = {.uptime_ms = 1000};
	struct ok ok = {.to = REQUEST_STATS, .stats = &stats};
	struct tell tell;

	(void)state;
	message_copy(stats.version, sizeof(stats.version), "0");
	speak("pl");
	tell_init(&tell);
	tell.is_operator = true;
	tell_ok(&tell, &ok);
	writer_put_char(&tell.text, '\0');
	for (char *line = strtok(tell.text.data, "\n"); line; line = strtok(NULL, "\n")) {
		*(strrchr(line, ' ') + 1) = '\0';
		assert_int_equal(text_columns(line), 24);
	}
	tell_fini(&tell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(help_rules_and_keys_fit_into_every_window),
			cmocka_unit_test(a_board_with_the_longest_cycle_fits_into_every_window),
			cmocka_unit_test(the_lobby_fits_into_every_window),
			cmocka_unit_test(what_a_game_was_worth_fits_into_every_window),
			cmocka_unit_test(prompts_leave_room_to_type_in_every_window),
			cmocka_unit_test(the_help_of_the_command_line_has_at_most_80_columns),
			cmocka_unit_test(
					what_stands_for_a_word_to_be_typed_is_polish_in_all_the_help),
			cmocka_unit_test(the_table_of_the_best_lines_up_in_polish),
			cmocka_unit_test(the_table_of_games_lines_up_in_polish),
			cmocka_unit_test(the_lobbys_table_lines_up_in_polish),
			cmocka_unit_test(the_tables_of_games_and_of_the_best_fit_into_every_window),
			cmocka_unit_test(what_an_end_is_called_leaves_a_blank_before_its_worth),
			cmocka_unit_test(numbers_about_the_server_line_up_in_polish),
			cmocka_unit_test(what_an_operator_types_is_the_same_in_polish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
