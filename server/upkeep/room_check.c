#include "server/upkeep/room_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/encode.h"
#include "server/game/notation.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/play/name.h"
#include "server/play/replay.h"
#include "server/upkeep/expect.h"

#define SENTENCE_SIZE 400
/* Of a line, about the place where it differs. */
#define EXCERPT_BEFORE 12
#define EXCERPT_SIZE 48
/* Events of a game besides its actions: opened, two seated, started, ended. */
#define EVENTS_MIN 5

struct room_check {
	struct room_check_config config;
	const struct store_reader_room *stored;
	struct room room;
	struct bytes *ended; /* the line that ended it */
	int64_t ended_seq;
	bool ended_ratings; /* that line has ratings */
	bool broken;	    /* what comes now can't be replayed */
};

struct room_check *room_check_new(const struct room_check_config *config)
{
	struct room_check *check = memory_new(1, sizeof(*check));

	check->config = *config;
	return check;
}

void room_check_free(struct room_check *check)
{
	if (check != NULL) {
		bytes_unref(check->ended);
		free(check);
	}
}

static void find(const struct room_check *check, const char *format, ...)
		__attribute__((format(printf, 2, 3)));

static void find(const struct room_check *check, const char *format, ...)
{
	char sentence[SENTENCE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	check->config.find(check->config.arg, check->stored->id, sentence);
}

/* Events. */

static const char *excerpt(const struct bytes *line, size_t at)
{
	char text[EXCERPT_SIZE];
	size_t from = at > EXCERPT_BEFORE ? at - EXCERPT_BEFORE : 0;
	size_t length = line->length > from ? line->length - from : 0;

	length = length < sizeof(text) - 1 ? length : sizeof(text) - 1;
	memcpy(text, line->data + from, length);
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return log_text(text);
}

static void compare(const struct room_check *check, int64_t seq, const struct bytes *line,
		const struct bytes *expected)
{
	size_t at = 0;

	if (line->length == expected->length &&
			memcmp(line->data, expected->data, line->length) == 0) {
		return;
	}
	while (at < line->length && at < expected->length && line->data[at] == expected->data[at]) {
		at++;
	}
	find(check, "event %lld says %s at byte %zu where %s follows from what was before",
			(long long)seq, excerpt(line, at), at, excerpt(expected, at));
}

static bool is_thinned(const struct room_check *check)
{
	return check->stored->state == STORE_READER_THINNED && check->stored->finished != NULL;
}

/* Of a room whose events were dropped the row stands for what is not there. */
static bool pass_dropped(struct room_check *check)
{
	const struct store_game *game = &check->stored->finished->game;

	if (game->ended_seq < EVENTS_MIN || !replay_past(&check->room, check->stored->finished)) {
		find(check, "its game's row can't be replayed");
		return false;
	}
	if (game->ended_seq < EVENTS_MIN + check->room.action_count) {
		find(check, "its game ended at event %lld, too early for %d actions",
				(long long)game->ended_seq, check->room.action_count);
	}
	return true;
}

static bool follows(struct room_check *check, int64_t seq)
{
	if (seq == check->room.seq + 1) {
		return true;
	}
	if (seq <= check->room.seq) {
		find(check, "event %lld is there more than once", (long long)seq);
	} else if (seq == check->room.seq + 2) {
		find(check, "event %lld is missing", (long long)seq - 1);
	} else {
		find(check, "events %lld to %lld are missing", (long long)check->room.seq + 1,
				(long long)seq - 1);
	}
	return false;
}

static void note_ended(struct room_check *check, int64_t seq, const struct bytes *line)
{
	bytes_unref(check->ended);
	check->ended = bytes_new(line->data, line->length);
	check->ended_seq = seq;
}

static bool replay(struct room_check *check, int64_t seq, const struct bytes *line)
{
	struct room after = check->room;
	struct message message;
	struct event expected;

	if (!replay_read(line, &message)) {
		find(check, "event %lld is none that can be read: %s", (long long)seq,
				excerpt(line, 0));
		message_fini(&message);
		return false;
	}
	if (!room_apply(&after, &message.event)) {
		find(check, "event %lld can't follow what was before: %s", (long long)seq,
				excerpt(line, 0));
		message_fini(&message);
		return false;
	}
	expect_event(&check->room, &after, &message.event, &expected);
	struct bytes *made = encode_event(&expected);
	compare(check, seq, line, made);
	bytes_unref(made);
	if (message.event.type == EVENT_ENDED) {
		note_ended(check, seq, line);
		check->ended_ratings = message.event.ended.ratings.set;
	}
	check->room = after;
	message_fini(&message);
	return true;
}

void room_check_begin(struct room_check *check, const struct store_reader_room *room)
{
	bytes_unref(check->ended);
	check->ended = NULL;
	check->ended_seq = 0;
	check->ended_ratings = false;
	check->broken = false;
	check->stored = room;
	check->room = (struct room){0};
}

void room_check_event(struct room_check *check, int64_t seq, const struct bytes *line)
{
	if (check->broken) {
		return;
	}
	if (check->room.seq == 1 && is_thinned(check)) {
		check->broken = !pass_dropped(check);
	}
	check->broken = check->broken || !follows(check, seq) || !replay(check, seq, line);
	if (!check->broken && seq == 1 && strcmp(check->room.id, check->stored->id) != 0) {
		find(check, "its events are room %s's", log_text(check->room.id));
		check->broken = true;
	}
}

/* The game's row. */

/* Was he called so, or is he now? Who gave his name up may have had any. */
static bool was_called(const struct store_player *player, const char *name)
{
	struct player_record record;
	bool was;

	if (!decode_player(player->record->data, player->record->length, &record)) {
		/* That is told of the player. */
		return true;
	}
	was = strcmp(record.name, name) == 0 || strcmp(record.former, name) == 0 ||
	      room_is_gone(record.name);
	player_record_fini(&record);
	return was;
}

/* Did this seat's player of the row have that name? */
static bool is_player(const struct room_check *check, int seat, const char *name)
{
	const struct store_finished *finished = check->stored->finished;
	const char *row_key = seat == 0 ? finished->game.x_key : finished->game.o_key;
	char key[NAME_KEY_SIZE];

	if (finished->players[seat] != NULL) {
		return was_called(finished->players[seat], name);
	}
	name_key(name, key);
	return row_key != NULL && strcmp(row_key, key) == 0;
}

/* Who opened it, and for whom it was, played in it. Of a room whose events were dropped that is all
 * that the row's players can be held against. */
static void check_named(const struct room_check *check, const char *name, const char *as)
{
	if (name[0] != '\0' && !is_player(check, 0, name) && !is_player(check, 1, name)) {
		find(check, "it was %s %s, who is no player of its game's row", as, name);
	}
}

static void check_players(const struct room_check *check)
{
	static const char *const seats[] = {"X", "O"};

	for (int i = 0; i < 2; i++) {
		if (!is_player(check, i, check->room.players[i])) {
			find(check, "its game's row has another %s than %s", seats[i],
					check->room.players[i]);
		}
	}
	check_named(check, check->room.creator, "opened by");
	check_named(check, check->room.opponent, "kept for");
}

static void check_number(
		const struct room_check *check, const char *what, int64_t stored, int64_t replayed)
{
	if (stored != replayed) {
		find(check, "%s: its row has %lld, its events have %lld", what, (long long)stored,
				(long long)replayed);
	}
}

static void check_texts(const struct room_check *check)
{
	const struct store_game *game = &check->stored->finished->game;
	const size_t result_length = check->ended->length - 1;
	char record[NOTATION_SIZE];

	if (strlen(game->result) != result_length ||
			memcmp(game->result, check->ended->data, result_length) != 0) {
		find(check, "result: its row has another than event %lld",
				(long long)check->ended_seq);
	}
	notation_write(check->room.actions, check->room.action_count, record);
	if (strcmp(game->record, record) != 0) {
		find(check, "record: its row has %s, its events have %s", log_text(game->record),
				log_text(record));
	}
}

/* Did it count, and for how much? */
static void check_rated(const struct room_check *check)
{
	const struct store_game *game = &check->stored->finished->game;
	const struct result *result = &check->room.result;

	check_number(check, "rated", game->is_rated, check->ended_ratings);
	if (game->is_rated && check->ended_ratings) {
		check_number(check, "half points ahead", game->ahead,
				result->half_points_x - result->half_points_o);
	}
}

static void check_game(const struct room_check *check)
{
	const struct store_game *game = &check->stored->finished->game;
	const struct room *room = &check->room;

	check_number(check, "the event that ended it", game->ended_seq, check->ended_seq);
	check_number(check, "start", game->started_ms, room->started_ms);
	check_number(check, "end", game->ended_ms, room->ended_ms);
	check_number(check, "when it got over", check->stored->over_ms, room->ended_ms);
	check_number(check, "private", game->is_private, room->is_private);
	check_number(check, "clocks", game->has_clock, room->left.set);
	check_number(check, "the clock's base", game->base_ms, room->clock.base_ms);
	check_number(check, "the clock's increment", game->increment_ms, room->clock.increment_ms);
	check_number(check, "X's clock", game->left_ms[0], room->left.x_ms);
	check_number(check, "O's clock", game->left_ms[1], room->left.o_ms);
	if (room->started_ms < room->created_ms || room->started_ms > room->ended_ms) {
		find(check, "its game started before the room opened, or after it ended");
	}
	check_texts(check);
	check_rated(check);
	check_players(check);
}

/* The room's row. */

static const char *state_word(int state)
{
	static const char *const words[] = {
			[STORE_ROOM_WAITING] = "waits",
			[STORE_ROOM_PLAYING] = "plays",
			[STORE_ROOM_OVER] = "is over",
	};

	return state >= 0 && state <= STORE_ROOM_OVER ? words[state] : "is nothing known";
}

static void check_state(const struct room_check *check)
{
	static const int state_of[] = {
			[STATUS_WAITING] = STORE_ROOM_WAITING,
			[STATUS_PLAYING] = STORE_ROOM_PLAYING,
			[STATUS_OVER] = STORE_ROOM_OVER,
	};
	const int stored = check->stored->state == STORE_READER_THINNED ? STORE_ROOM_OVER
									: check->stored->state;
	const int replayed = state_of[check->room.status];

	if (stored != replayed) {
		find(check, "by its row it %s, by its events it %s", state_word(stored),
				state_word(replayed));
	}
	if ((replayed == STORE_ROOM_OVER) != (check->stored->over_ms != 0)) {
		find(check, "when it got over: its row has %lld",
				(long long)check->stored->over_ms);
	}
	if (replayed == STORE_ROOM_PLAYING && rules_phase(&check->room.game) == RULES_OVER) {
		find(check, "its game is over on the board, and did not end");
	}
}

void room_check_end(struct room_check *check)
{
	const struct room *room = &check->room;
	const bool has_game = check->stored->finished != NULL;
	const bool wants_game = room->status == STATUS_OVER && room->started_ms != 0;

	if (check->broken) {
		return;
	}
	if (room->seq == 0) {
		find(check, "it has no events");
		return;
	}
	check_state(check);
	if (wants_game && has_game) {
		check_game(check);
	} else if (wants_game != has_game) {
		find(check, has_game ? "it has a game's row, and no game that ended"
				     : "its game ended, and has no row");
	}
	if (room->rematch[0] != '\0' && !check->config.has_room(check->config.arg, room->rematch)) {
		find(check, "the room of its rematch, %s, is not there", room->rematch);
	}
}
