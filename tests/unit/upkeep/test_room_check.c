/* Rooms as a server makes them are sound; with a byte changed they are not. */
#include <stdlib.h>

#include "protocol/encode.h"
#include "server/game/notation.h"
#include "server/upkeep/room_check.h"
#include "tests/unit/game/rooms.h"

#define EVENTS_MAX 40
#define FOUND_SIZE 2000

/* What a store has of a room. */
struct stored {
	struct room room;
	size_t count;
	struct bytes *lines[EVENTS_MAX];
	char record[NOTATION_SIZE];
	char *result;
	struct store_finished finished;
	struct store_reader_room row;
};

static char found[FOUND_SIZE];

static void add_found(const char *text)
{
	strncat(found, text, sizeof(found) - 1 - strlen(found));
}

static void note_found(void *arg, const char *room, const char *sentence)
{
	(void)arg;
	add_found(room);
	add_found(": ");
	add_found(sentence);
	add_found("\n");
}

static bool has_room(void *arg, const char *id)
{
	(void)arg;
	return strcmp(id, NEXT_ID) == 0;
}

/* The row of the game, once it has ended. */
static void note_ended(struct stored *stored, const struct bytes *line)
{
	const struct room *room = &stored->room;

	notation_write(room->actions, room->action_count, stored->record);
	stored->result = calloc(1, line->length);
	assert_non_null(stored->result);
	memcpy(stored->result, line->data, line->length - 1);
	stored->finished.game = (struct store_game){
			.room = room->id,
			.ended_seq = room->seq,
			.x_key = ALA,
			.o_key = DAN,
			.is_private = room->is_private,
			.started_ms = room->started_ms,
			.ended_ms = room->ended_ms,
			.has_clock = room->left.set,
			.base_ms = room->clock.base_ms,
			.increment_ms = room->clock.increment_ms,
			.left_ms = {room->left.x_ms, room->left.o_ms},
			.result = stored->result,
			.record = stored->record,
	};
	stored->row.over_ms = room->ended_ms;
	if (room->started_ms != 0) {
		stored->row.finished = &stored->finished;
	}
}

static void store(struct stored *stored, const struct room_command *command)
{
	struct room_decision decision;

	room_decide(&stored->room, command, &decision);
	if (decision.count == 0) {
		fail_msg("it is answered %s", rooms_told(&decision));
	}
	for (int i = 0; i < decision.count; i++) {
		const struct event *event = &decision.events[i];

		assert_true(stored->count < EVENTS_MAX);
		stored->lines[stored->count] = encode_event(event);
		assert_true(room_apply(&stored->room, event));
		if (event->type == EVENT_ENDED) {
			note_ended(stored, stored->lines[stored->count]);
		}
		stored->count++;
	}
	stored->row.state = (int)stored->room.status;
	stored->row.id = stored->room.id;
}

/* Words as rooms_read has them; "clock-" before them: with clocks, and a title. */
static void make(struct stored *ret, const char *words)
{
	const bool has_clock = rooms_word_is(words, "clock-");

	memset(ret, 0, sizeof(*ret));
	words += has_clock ? strlen("clock-") : 0;
	for (; *words != '\0'; words += strcspn(words, " "), words += strspn(words, " ")) {
		struct room_command command = rooms_read(&ret->room, words);

		if (has_clock && command.kind == ROOM_OPEN) {
			command.clock = (struct clock_agreed){true, 300000, 2000};
			command.title = "Title";
		}
		store(ret, &command);
	}
}

static void stored_fini(struct stored *stored)
{
	for (size_t i = 0; i < stored->count; i++) {
		bytes_unref(stored->lines[i]);
	}
	free(stored->result);
}

/* What is found, from event `from` on when the events between the first and that are dropped. */
static const char *check(const struct stored *stored, size_t from)
{
	const struct room_check_config config = {.find = note_found, .has_room = has_room};
	struct room_check *room_check = room_check_new(&config);

	found[0] = '\0';
	room_check_begin(room_check, &stored->row);
	for (size_t i = 0; i < stored->count; i++) {
		if (i == 0 || i >= from) {
			room_check_event(room_check, (int64_t)i + 1, stored->lines[i]);
		}
	}
	room_check_end(room_check);
	room_check_free(room_check);
	return found;
}

static const char *const games[] = {
		"open",
		"open=dan",
		"open X:leave",
		"open=dan O:decline",
		"open join",
		"clock-open join 1-2 1-2",
		"open join X:abort",
		"open join 1-2 O:resign",
		"clock-open join 1-2 2-3 X:draw O:no X:draw O:draw",
		"clock-open=dan join 1-7 6-8 2-8 5-9 1-6 7-9 2-3 3-5 c5 X:rematch O:rematch",
		"open join 1-7 1-6 1-4 4-6 c6 2-5 8-9 8-9 c9 3-5 2-3 c2",
		"open join 2-7 7-9 4-6 5-9 1-5 6-9 2-8 2-9 c9 3-3",
};
#define GAME_COUNT (sizeof(games) / sizeof(games[0]))

static void what_a_room_decides_is_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < GAME_COUNT; i++) {
		struct stored stored;

		make(&stored, games[i]);
		if (check(&stored, 0)[0] != '\0') {
			fail_msg("\"%s\": %s", games[i], found);
		}
		stored_fini(&stored);
	}
}

static void what_is_left_of_a_game_long_over_is_sound(void **state)
{
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < GAME_COUNT; i++) {
		struct stored stored;

		make(&stored, games[i]);
		if (stored.row.finished != NULL) {
			stored.row.state = STORE_READER_THINNED;
			assert_string_equal(
					check(&stored, (size_t)stored.finished.game.ended_seq - 1),
					"");
			count++;
		}
		stored_fini(&stored);
	}
	assert_int_equal(count, 6);
}

static size_t end_of(const struct bytes *line, size_t begin, const char *allowed)
{
	while (begin < line->length &&
			memchr(allowed, line->data[begin], strlen(allowed)) != NULL) {
		begin++;
	}
	return begin;
}

/* Does a byte stand in what is somebody's to choose: a number after "…_ms":, or a title? */
static bool is_free(const struct bytes *line, size_t at)
{
	static const char *const before[] = {
			"\"at_ms\":", "\"X_ms\":", "\"O_ms\":", "\"title\":\""};
	static const char *const allowed[] = {"0123456789", "0123456789", "0123456789", "Title"};

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		const char *place = memmem(line->data, line->length, before[i], strlen(before[i]));
		size_t begin;

		if (place == NULL) {
			continue;
		}
		begin = (size_t)(place - line->data) + strlen(before[i]);
		if (at >= begin && at < end_of(line, begin, allowed[i])) {
			return true;
		}
	}
	return false;
}

/* Flip a bit of each byte of an event. Returns how many stayed unnoticed. */
static size_t flip_all(struct stored *stored, size_t which)
{
	struct bytes *line = stored->lines[which];
	size_t unnoticed = 0;

	for (size_t at = 0; at < line->length; at++) {
		char was = line->data[at];
		bool may_pass = is_free(line, at);

		line->data[at] = (char)(was ^ 1);
		if (check(stored, 0)[0] == '\0') {
			unnoticed++;
			if (!may_pass) {
				fail_msg("nothing is found in %.*s at %zu", (int)line->length,
						line->data, at);
			}
		}
		line->data[at] = was;
	}
	return unnoticed;
}

static void a_byte_that_is_changed_is_found_wherever_it_makes_a_difference(void **state)
{
	size_t unnoticed = 0;
	size_t bytes = 0;

	(void)state;
	for (size_t i = 0; i < GAME_COUNT; i++) {
		struct stored stored;

		make(&stored, games[i]);
		for (size_t j = 0; stored.row.finished != NULL && j < stored.count; j++) {
			unnoticed += flip_all(&stored, j);
			bytes += stored.lines[j]->length;
		}
		stored_fini(&stored);
	}
	assert_true(bytes > 5000);
	assert_in_range(unnoticed, 1, bytes / 20);
}

/* A line with a word in place of another. */
static void replace(struct stored *stored, size_t which, const char *old, const char *new)
{
	struct bytes *line = stored->lines[which];
	const char *place = memmem(line->data, line->length, old, strlen(old));
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(place);
	fwrite(line->data, 1, (size_t)(place - line->data), out);
	fputs(new, out);
	place += strlen(old);
	fwrite(place, 1, (size_t)(line->data + line->length - place), out);
	fclose(out);
	stored->lines[which] = bytes_new(text, length);
	bytes_unref(line);
	free(text);
}

static void what_differs_is_told_with_the_event_and_the_place(void **state)
{
	struct stored stored;

	(void)state;
	make(&stored, "open join 1-2 O:resign");
	replace(&stored, 5, "\"X\":1,\"O\":0", "\"X\":1,\"O\":1");
	assert_string_equal(check(&stored, 0),
			"k7m2q: event 6 says \":{\\\"X\\\":1,\\\"O\\\":1},"
			"\\\"lines\\\":[],\\\"board\\\":{\\\"move\\\":1,\\\"tu\" at byte 87 where "
			"\":{\\\"X\\\":1,\\\"O\\\":0},\\\"lines\\\":[],\\\"board\\\":{\\\"move\\\":"
			"1,"
			"\\\"tu\" follows from what was before\n"
			"k7m2q: result: its row has another than event 6\n");
	stored_fini(&stored);
}

static void a_clock_may_lose_any_time_and_gain_none(void **state)
{
	/* O's first action takes none of his time, his second one may. */
	static const struct {
		size_t event;
		const char *was;
		const char *is;
		bool is_sound;
	} cases[] = {
			{7, "\"O_ms\":304000", "\"O_ms\":304000", true},
			{7, "\"O_ms\":304000", "\"O_ms\":304001", false},
			{7, "\"O_ms\":304000", "\"O_ms\":2000", true},
			{7, "\"O_ms\":304000", "\"O_ms\":1999", false},
			{7, "\"O_ms\":304000", "\"O_ms\":-1", false},
			{7, "\"X_ms\":304000", "\"X_ms\":303999", false},
			{5, "\"O_ms\":302000", "\"O_ms\":301999", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stored stored;

		make(&stored, "clock-open join 1-2 3-4 5-6 7-8");
		replace(&stored, cases[i].event, cases[i].was, cases[i].is);
		assert_int_equal(check(&stored, 0)[0] == '\0', cases[i].is_sound);
		stored_fini(&stored);
	}
}

static void players_of_the_row_may_have_new_names(void **state)
{
	struct player_record record = {.name = "Ann", .guest = false, .former = ALA};
	struct store_player player = {.id = 1, .version = 1, .key = "ann"};
	struct stored stored;

	(void)state;
	make(&stored, "open join 1-2 O:resign");
	stored.finished.players[0] = &player;
	player.record = encode_player(&record);
	assert_string_equal(check(&stored, 0), "");
	bytes_unref(player.record);
	strcpy(record.former, "guest-else");
	player.record = encode_player(&record);
	assert_string_equal(check(&stored, 0),
			"k7m2q: its game's row has another X than ala\n"
			"k7m2q: it was opened by ala, who is no player of its game's row\n");
	bytes_unref(player.record);
	stored_fini(&stored);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
			cmocka_unit_test(what_a_room_decides_is_sound),
			cmocka_unit_test(what_is_left_of_a_game_long_over_is_sound),
			cmocka_unit_test(
					a_byte_that_is_changed_is_found_wherever_it_makes_a_difference),
			cmocka_unit_test(what_differs_is_told_with_the_event_and_the_place),
			cmocka_unit_test(a_clock_may_lose_any_time_and_gain_none),
			cmocka_unit_test(players_of_the_row_may_have_new_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
