#include <stdlib.h>
#include <string.h>

#include "client-cli/clocks.h"
#include "client-cli/prompt.h"
#include "client-cli/view.h"
#include "protocol/decode.h"
#include "tests/unit/game/cmocka_all.h"

static const struct clock_running told = {
		.set = true, .x_ms = 65500, .o_ms = 21000, .running = SEAT_O};

static void the_one_that_runs_is_counted_down_and_no_further_than_nothing(void **state)
{
	struct clock_running left = clocks_left(&told, 1000, 1000 + 1001);

	(void)state;
	assert_int_equal(left.x_ms, 65500);
	assert_int_equal(left.o_ms, 19999);
	left = clocks_left(&told, 1000, 1000000);
	assert_int_equal(left.o_ms, 0);
	left = clocks_left(&told, 1000, 0);
	assert_int_equal(left.o_ms, 21000);
	left = told;
	left.running = SEAT_NONE;
	assert_int_equal(clocks_left(&left, 1000, 1000000).o_ms, 21000);
}

static void they_are_looked_at_when_they_show_something_else(void **state)
{
	struct clock_running still = told;
	char before[CLOCKS_TEXT_SIZE];
	char after[CLOCKS_TEXT_SIZE];
	int64_t now_ms = 7;

	(void)state;
	for (int i = 0; i < 22; i++) {
		int64_t change_ms = clocks_change_ms(&told, 7, now_ms);
		struct clock_running left = clocks_left(&told, 7, now_ms + change_ms - 1);

		assert_in_range(change_ms, 1, 1000);
		clocks_text(&left, before);
		now_ms += change_ms;
		left = clocks_left(&told, 7, now_ms);
		clocks_text(&left, after);
		if (left.o_ms > 0) {
			assert_string_not_equal(before, after);
		}
		if (clocks_change_ms(&told, 7, now_ms) < 0) {
			break;
		}
	}
	assert_int_equal(clocks_change_ms(&told, 7, now_ms + 30000), -1);
	still.running = SEAT_NONE;
	assert_int_equal(clocks_change_ms(&still, 7, 8), -1);
	still.set = false;
	assert_int_equal(clocks_change_ms(&still, 7, 8), -1);
}

static void little_time_is_marked(void **state)
{
	struct clock_running left = told;
	char text[CLOCKS_TEXT_SIZE];

	(void)state;
	clocks_text(&left, text);
	assert_string_equal(text, "X 1:05 O 0:21");
	assert_false(clocks_low(&left));
	left.o_ms = CLOCKS_LOW_MS;
	assert_false(clocks_low(&left));
	left.o_ms = CLOCKS_LOW_MS - 1;
	assert_true(clocks_low(&left));
	clocks_text(&left, text);
	assert_string_equal(text, "X 1:05 O 0:19!");
	left.running = SEAT_X;
	assert_false(clocks_low(&left));
	left.set = false;
	clocks_text(&left, text);
	assert_string_equal(text, "");
}

static void waits_are_told_in_what_fits_them(void **state)
{
	char text[CLOCKS_TEXT_SIZE];

	(void)state;
	clocks_wait_text(1, text);
	assert_string_equal(text, "1 s");
	clocks_wait_text(60000, text);
	assert_string_equal(text, "60 s");
	clocks_wait_text(120001, text);
	assert_string_equal(text, "3 min");
	clocks_wait_text(86399999, text);
	assert_string_equal(text, "24 h");
}

/* In the prompt. */

struct stage {
	struct view view;
	struct scene scene;
};

static void hear(struct stage *stage, const char *line)
{
	struct message message;

	assert_true(decode_message(line, strlen(line), &message));
	view_message(&stage->view, &message, NULL);
	scene_learn(&stage->scene, &message, "k7m2q");
	message_fini(&message);
}

static void assert_prompt_in(
		struct stage *stage, size_t columns, int64_t now_ms, const char *expected)
{
	char text[PROMPT_SIZE];
	enum paint paint;

	stage->scene.now_ms = now_ms;
	prompt_text(&stage->scene, columns, text, &paint);
	assert_string_equal(text, expected);
}

static void assert_prompt(struct stage *stage, int64_t now_ms, const char *expected)
{
	assert_prompt_in(stage, 120, now_ms, expected);
}

#define BOARD(turn, running)                                                                       \
	"\"board\":{\"move\":1,\"turn\":\"" turn "\",\"phase\":\"move\",\"squares\":[[],[],[],"    \
	"[],[],[],[],[],[]],\"choices\":null,\"cycle\":null,\"outcomes\":null},"                   \
	"\"clock\":{\"X_ms\":180000,\"O_ms\":30000,\"running\":" running "}}"
#define STARTED                                                                                    \
	"{\"type\":\"started\",\"room\":\"k7m2q\",\"seq\":4,\"at_ms\":1,"                          \
	"\"players\":{\"X\":\"ala\",\"O\":\"ola\"}," BOARD("X", "\"X\"")
#define MOVED                                                                                      \
	"{\"type\":\"moved\",\"room\":\"k7m2q\",\"seq\":5,\"at_ms\":1,\"by\":\"X\",\"move\":1,"    \
	"\"squares\":[1,5]," BOARD("O", "\"O\"")
#define PRESENCE(more)                                                                             \
	"{\"type\":\"presence\",\"room\":\"k7m2q\",\"player\":\"ala\"," more "\"spectators\":0}"

static struct stage *open_stage(void)
{
	struct stage *stage = calloc(1, sizeof(*stage));

	view_init(&stage->view, fopen("/dev/null", "w"), false, true);
	snprintf(stage->view.rooms.name, NAME_SIZE, "ola");
	scene_init(&stage->scene, &stage->view.rooms);
	stage->scene.now_ms = 1000;
	return stage;
}

static void close_stage(struct stage *stage)
{
	fclose(stage->view.out);
	free(stage);
}

static void the_prompt_counts_the_clocks_down(void **state)
{
	struct stage *stage = open_stage();

	(void)state;
	hear(stage, STARTED);
	assert_prompt(stage, 1000, "X 3:00 O 0:30, waiting for ala> ");
	assert_prompt(stage, 2500, "X 2:58 O 0:30, waiting for ala> ");
	assert_int_equal(scene_change_ms(&stage->scene), 501);
	hear(stage, MOVED);
	assert_prompt(stage, 2500 + 15000, "X 3:00 O 0:15!, ola (O), move 1: two squares> ");
	close_stage(stage);
}

static void an_offer_hides_no_clock(void **state)
{
	struct stage *stage = open_stage();

	(void)state;
	hear(stage, STARTED);
	hear(stage, MOVED);
	hear(stage, "{\"type\":\"draw_offered\",\"room\":\"k7m2q\",\"seq\":6,\"at_ms\":1,\"by\":"
		    "\"X\"}");
	assert_prompt(stage, 1000, "X 3:00 O 0:30, ala offers a draw: y or n> ");
	assert_prompt(stage, 1000 + 15000, "X 3:00 O 0:15!, ala offers a draw: y or n> ");
	close_stage(stage);
}

static void the_prompt_offers_to_claim_once_it_can_be_and_tells_the_wait(void **state)
{
	struct stage *stage = open_stage();

	(void)state;
	hear(stage, STARTED);
	hear(stage, PRESENCE("\"online\":false,\"claim_in_ms\":60000,"));
	assert_prompt(stage, 1001, "X 2:59 O 0:30, ala is away, claim in 60 s> ");
	assert_prompt(stage, 60999, "X 2:00 O 0:30, ala is away, claim in 1 s> ");
	assert_prompt(stage, 61000, "X 2:00 O 0:30, ala is away, claim wins> ");
	assert_prompt_in(stage, 40, 1001, "claim in 60 s> ");
	assert_prompt_in(stage, 40, 61000, "X 2:00 O 0:30, claim wins> ");
	hear(stage, "{\"type\":\"error\",\"to\":\"claim\",\"code\":\"too_early\",\"message\":\"No."
		    "\",\"retry_ms\":5000}");
	assert_prompt(stage, 61000, "X 2:00 O 0:30, ala is away, claim in 5 s> ");
	assert_int_equal(scene_change_ms(&stage->scene), 1);
	hear(stage, PRESENCE("\"online\":true,"));
	assert_prompt(stage, 61000, "X 2:00 O 0:30, waiting for ala> ");
	hear(stage, PRESENCE("\"online\":false,\"claim_in_ms\":10000,"));
	hear(stage, MOVED);
	assert_prompt(stage, 61000, "X 3:00 O 0:30, ola (O), move 1: two squares> ");
	close_stage(stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(
					the_one_that_runs_is_counted_down_and_no_further_than_nothing),
			cmocka_unit_test(they_are_looked_at_when_they_show_something_else),
			cmocka_unit_test(little_time_is_marked),
			cmocka_unit_test(waits_are_told_in_what_fits_them),
			cmocka_unit_test(the_prompt_counts_the_clocks_down),
			cmocka_unit_test(
					the_prompt_offers_to_claim_once_it_can_be_and_tells_the_wait),
			cmocka_unit_test(an_offer_hides_no_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
