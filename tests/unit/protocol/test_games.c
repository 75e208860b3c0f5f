/* Games that are over and standings, written and read. */
#include <string.h>

#include "writing.h"

#define GAME_MEMBERS                                                                               \
	"\"players\":{\"X\":\"ala\",\"O\":\"Ola\"},\"settings\":{\"clock\":"                       \
	"{\"base_ms\":180000,\"increment_ms\":2000},\"rated\":true},\"result\":"                   \
	"{\"reason\":\"resign\",\"score\":{\"X\":0,\"O\":1},\"lines\":[]},"                        \
	"\"started_ms\":5,\"ended_ms\":9,\"record\":\"1:X(1-5)\"}"
#define STANDING_MEMBERS                                                                           \
	"\"online\":true,\"rating\":1500.5,\"deviation\":60,\"games\":9,\"wins\":4,\"draws\":3,"   \
	"\"losses\":2}"

static const struct game_row game = {.room = "k7m2q",
		.players = {"ala", "Ola"},
		.is_private = true,
		.agreed = {true, 180000, 2000},
		.rated = {true, true},
		.has_result = true,
		.result = {.reason = REASON_RESIGN, .scored = true, .half_points_o = 2},
		.started_ms = 5,
		.ended_ms = 9,
		.record = "1:X(1-5)"};
static const struct standing standing = {"ala", true, 1500500, 60000, 9, 4, 3, 2};

static void a_game_is_told_beside_its_room(void **state)
{
	const struct ok ok = {.to = REQUEST_GAME,
			.carries = OK_ROOM | OK_GAME,
			.room = "k7m2q",
			.game = &game};
	const struct game_row running = {.players = {"ala", "Ola"}, .started_ms = 5};
	const struct ok now = {.to = REQUEST_GAME,
			.carries = OK_ROOM | OK_GAME,
			.room = "k7m2q",
			.game = &running};

	(void)state;
	assert_line(encode_ok(&ok),
			"{\"type\":\"ok\",\"to\":\"game\",\"room\":\"k7m2q\"," GAME_MEMBERS);
	assert_line(encode_ok(&now),
			"{\"type\":\"ok\",\"to\":\"game\",\"room\":\"k7m2q\","
			"\"players\":{\"X\":\"ala\",\"O\":\"Ola\"},\"settings\":{\"clock\":null},"
			"\"result\":null,\"started_ms\":5,\"ended_ms\":null,\"record\":\"\"}");
}

static void games_are_told_each_with_its_room(void **state)
{
	const struct ok ok = {.to = REQUEST_GAMES,
			.carries = OK_GAMES | OK_NEXT,
			.game_count = 1,
			.games = &game,
			.next = "g7"};
	const struct ok none = {.to = REQUEST_GAMES, .carries = OK_GAMES};

	(void)state;
	assert_line(encode_ok(&ok), "{\"type\":\"ok\",\"to\":\"games\",\"games\":[{\"room\":"
				    "\"k7m2q\"," GAME_MEMBERS "],\"next\":\"g7\"}");
	assert_line(encode_ok(&none), "{\"type\":\"ok\",\"to\":\"games\",\"games\":[]}");
}

static void a_player_and_the_highest_are_told_alike(void **state)
{
	const struct ok player = {.to = REQUEST_PLAYER,
			.carries = OK_NAME | OK_STANDING,
			.name = "ala",
			.standing = &standing};
	const struct ok top = {
			.to = REQUEST_TOP, .carries = OK_TOP, .top_count = 1, .top = &standing};

	(void)state;
	assert_line(encode_ok(&player),
			"{\"type\":\"ok\",\"to\":\"player\",\"name\":\"ala\"," STANDING_MEMBERS);
	assert_line(encode_ok(&top), "{\"type\":\"ok\",\"to\":\"top\",\"players\":[{\"name\":"
				     "\"ala\"," STANDING_MEMBERS "]}");
}

static void a_game_out_of_its_database_says_whether_it_was_private(void **state)
{
	static const char line[] = "{\"room\":\"k7m2q\",\"private\":true," GAME_MEMBERS "\n";
	struct bytes *bytes = encode_game(&game);

	(void)state;
	assert_int_equal(bytes->length, strlen(line));
	assert_memory_equal(bytes->data, line, bytes->length);
	bytes_unref(bytes);
}

/* What one reply has under a name is no part of another that has something else there. */
static void members_of_one_name_are_not_mixed_up(void **state)
{
	static const char top[] =
			"{\"type\":\"ok\",\"to\":\"top\",\"players\":{\"X\":\"a1\",\"O\":\"b1\"}}";
	static const char player[] = "{\"type\":\"ok\",\"to\":\"player\",\"games\":[],\"wins\":1}";
	static const char played[] =
			"{\"type\":\"ok\",\"to\":\"game\",\"players\":[],\"record\":\"\"}";
	static const char *const lines[] = {top, player, played};
	struct message message;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_false(decode_message(lines[i], strlen(lines[i]), &message));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_game_is_told_beside_its_room),
			cmocka_unit_test(games_are_told_each_with_its_room),
			cmocka_unit_test(a_player_and_the_highest_are_told_alike),
			cmocka_unit_test(a_game_out_of_its_database_says_whether_it_was_private),
			cmocka_unit_test(members_of_one_name_are_not_mixed_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
