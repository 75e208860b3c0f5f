/* Ratings as they are written and told. */
#include <stdio.h>
#include <string.h>

#include "protocol/tell.h"
#include "protocol/tell_parts.h"
#include "writing.h"

#define BOARD                                                                                      \
	"{\"move\":0,\"turn\":null,\"phase\":\"over\",\"squares\":[[],[],[],[],[],[],[],[],[]],"   \
	"\"choices\":null,\"cycle\":null,\"outcomes\":null}"

static struct event ended(int64_t x_after, int64_t o_after)
{
	struct event event = {.type = EVENT_ENDED, .room = "k7m2q", .seq = 12, .at_ms = 5};

	event.ended.result = (struct result){
			.reason = REASON_RESIGN, .scored = true, .half_points_x = 2};
	event.ended.board.phase = PHASE_OVER;
	event.ended.ratings =
			(struct ratings_changed){true, {1500000, 1500000}, {x_after, o_after}};
	return event;
}

static void what_a_game_made_of_ratings_is_the_last_member_of_ended(void **state)
{
	struct event event = ended(1662212, 1337790);

	(void)state;
	assert_line(encode_event(&event),
			"{\"type\":\"ended\",\"room\":\"k7m2q\",\"seq\":12,\"at_ms\":5,"
			"\"reason\":\"resign\",\"score\":{\"X\":1,\"O\":0},\"lines\":[],"
			"\"board\":" BOARD
			",\"ratings\":{\"X\":{\"before\":1500,\"after\":1662.212},"
			"\"O\":{\"before\":1500,\"after\":1337.79}}}");
}

static void a_rating_has_no_needless_digits(void **state)
{
	static const struct {
		int64_t milli;
		const char *text;
	} ratings[] = {{0, "0"}, {1, "0.001"}, {10, "0.01"}, {100, "0.1"}, {1000, "1"},
			{1500050, "1500.05"}, {2000000, "2000"}, {-1, "-0.001"},
			{-1500500, "-1500.5"}};
	char line[128];

	(void)state;
	for (size_t i = 0; i < sizeof(ratings) / sizeof(ratings[0]); i++) {
		const struct who_row row = {{true, ratings[i].milli}, "Ala", ""};
		const struct ok ok = {.to = REQUEST_WHO,
				.player_count = 1,
				.players = &row,
				.carries = OK_PLAYERS};

		snprintf(line, sizeof(line),
				"{\"type\":\"ok\",\"to\":\"who\",\"players\":[{\"name\":\"Ala\","
				"\"rating\":%s}]}",
				ratings[i].text);
		assert_line(encode_ok(&ok), line);
	}
}

static void a_snapshot_shows_ratings_and_that_a_game_is_not_to_count(void **state)
{
	struct event event = {.type = EVENT_STATE};
	struct bytes *line;

	(void)state;
	strcpy(event.state.room, "k7m2q");
	event.state.players[0] = (struct seat_shown){true, "Ala", true, {true, 1512500}};
	event.state.players[1] = (struct seat_shown){true, "guest-k7m2q", false, {0}};
	event.state.rated = (struct rated_asked){true, false};
	event.state.board.phase = PHASE_OVER;
	line = encode_event(&event);
	assert_non_null(memmem(line->data, line->length,
			"\"X\":{\"name\":\"Ala\",\"online\":true,\"rating\":1512.5}", 48));
	assert_non_null(memmem(line->data, line->length,
			"\"settings\":{\"clock\":null,\"rated\":false}", 39));
	bytes_unref(line);
}

static void that_a_game_is_not_to_count_is_told_where_its_clock_is(void **state)
{
	struct event event = {.type = EVENT_OPENED, .room = "k7m2q", .seq = 1, .at_ms = 5};

	(void)state;
	strcpy(event.opened.player, "Ala");
	event.opened.rated = (struct rated_asked){true, false};
	assert_line(encode_event(&event), "{\"type\":\"opened\",\"room\":\"k7m2q\",\"seq\":1,\"at_"
					  "ms\":5,\"player\":\"Ala\","
					  "\"private\":false,\"clock\":null,\"rated\":false}");
	event = (struct event){.type = EVENT_INVITED, .room = "k7m2q"};
	strcpy(event.invited.player, "Ala");
	event.invited.rated = (struct rated_asked){true, true};
	assert_line(encode_event(&event),
			"{\"type\":\"invited\",\"room\":\"k7m2q\",\"player\":\"Ala\","
			"\"clock\":null,\"rated\":true}");
	event = (struct event){.type = EVENT_LOBBY};
	strcpy(event.lobby.summary.room, "k7m2q");
	event.lobby.summary.rated.set = true;
	assert_line(encode_event(&event), "{\"type\":\"lobby\",\"change\":\"added\",\"room\":"
					  "\"k7m2q\",\"status\":\"waiting\","
					  "\"players\":{\"X\":null,\"O\":null},\"clock\":null,"
					  "\"rated\":false,\"move\":0,"
					  "\"spectators\":0,\"created_ms\":0}");
}

static void what_is_no_rating_is_not_read(void **state)
{
	static const char *const ratings[] = {"\"1500\"", "1e300", "-1e300", "true", "[]"};
	char line[128];
	struct message message;

	(void)state;
	for (size_t i = 0; i < sizeof(ratings) / sizeof(ratings[0]); i++) {
		snprintf(line, sizeof(line),
				"{\"type\":\"ok\",\"to\":\"who\",\"players\":[{\"name\":\"Ala\","
				"\"rating\":%s}]}",
				ratings[i]);
		assert_false(decode_message(line, strlen(line), &message));
		message_fini(&message);
	}
}

/* In words. */

static void assert_tells(struct tell *tell, const char *expected)
{
	char text[1024];

	assert_true(tell->text.length < sizeof(text));
	memcpy(text, tell->text.data, tell->text.length);
	text[tell->text.length] = '\0';
	if (strstr(text, expected) == NULL) {
		fail_msg("%s is not in %s", expected, text);
	}
	tell->text.length = 0;
}

static void ratings_are_told_in_whole_points_that_add_up(void **state)
{
	struct event event = ended(1662500, 1337499);
	const struct who_row rows[] = {{{true, 1499500}, "Ala", "k7m2q"}, {{0}, "Ola", ""}};
	const struct ok who = {.to = REQUEST_WHO, .player_count = 2, .players = rows};
	struct tell_room room = {.players = {"Ala", "Ola"}};
	struct tell tell;

	(void)state;
	tell_init(&tell);
	tell.room = &room;
	tell_event(&tell, &event);
	assert_tells(&tell, "Rating: Ala (X) 1663 (+163), Ola (O) 1337 (-163).\n");
	tell_ok(&tell, &who);
	assert_tells(&tell, "  Ala (1500) in room k7m2q\n  Ola\n");
	event.ended.ratings.set = false;
	tell_event(&tell, &event);
	assert_null(memmem(tell.text.data, tell.text.length, "Rating", 6));
	tell_fini(&tell);
}

static void a_room_is_told_with_its_players_ratings(void **state)
{
	struct snapshot snapshot = {.room = "k7m2q",
			.status = STATUS_PLAYING,
			.players = {{true, "Ala", true, {true, 1512000}},
					{true, "Ola", true, {true, -400}}}};
	const struct ok ok = {.to = REQUEST_STATE, .state = &snapshot};
	struct tell tell;

	(void)state;
	tell_init(&tell);
	tell_ok(&tell, &ok);
	assert_tells(&tell, "Rating: Ala 1512, Ola 0.\n");
	snapshot.rated.set = true;
	snapshot.players[0].rating.set = false;
	tell_ok(&tell, &ok);
	assert_tells(&tell, "Rating: Ola 0.\nThis game is not rated.\n");
	tell_fini(&tell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(what_a_game_made_of_ratings_is_the_last_member_of_ended),
			cmocka_unit_test(a_rating_has_no_needless_digits),
			cmocka_unit_test(a_snapshot_shows_ratings_and_that_a_game_is_not_to_count),
			cmocka_unit_test(that_a_game_is_not_to_count_is_told_where_its_clock_is),
			cmocka_unit_test(what_is_no_rating_is_not_read),
			cmocka_unit_test(ratings_are_told_in_whole_points_that_add_up),
			cmocka_unit_test(a_room_is_told_with_its_players_ratings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
