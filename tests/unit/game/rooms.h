/* Rooms for tests, made as a server makes them: by commands that are decided and applied. */
#ifndef TEST_ROOMS_H
#define TEST_ROOMS_H

#include <stdio.h>
#include <string.h>

#include "server/game/room.h"
#include "tests/unit/game/cmocka_all.h"

/* Ala opens the rooms and has X, Dan has O; he was once called guest-dan. */
#define ALA "ala"
#define DAN "dan"
#define FORMER_DAN "guest-dan"
#define CYD "cyd"
#define NOBODY ""
#define ROOM_ID "k7m2q"
#define NEXT_ID "k7m2r"

static const struct room_limits rooms_limits = {
		.first_move_ms = 60000,
		.claim_ms = 60000,
		.claim_untimed_ms = 24 * 3600 * 1000,
		.untouched_ms = INT64_C(14) * 24 * 3600 * 1000,
		.creator_away_ms = 600000,
};

/* Both are here, and nothing falls due at the time 0. */
static const struct room_watch rooms_watch = {
		.limits = &rooms_limits, .away_ms = {ROOM_HERE, ROOM_HERE}};

static const char *const rooms_event_words[EVENT_COUNT] = {
		[EVENT_OPENED] = "opened",
		[EVENT_SEATED] = "seated",
		[EVENT_STARTED] = "started",
		[EVENT_MOVED] = "moved",
		[EVENT_COLLAPSED] = "collapsed",
		[EVENT_DRAW_OFFERED] = "draw_offered",
		[EVENT_DRAW_DECLINED] = "draw_declined",
		[EVENT_ENDED] = "ended",
		[EVENT_REMATCH_OFFERED] = "rematch_offered",
		[EVENT_REMATCH] = "rematch",
};

/* A command with all that does not depend on its kind. */
static inline struct room_command rooms_command(
		const struct room *room, enum room_command_kind kind, const char *player)
{
	return (struct room_command){
			.kind = kind,
			.player = player,
			.now_ms = room->at_ms + 10,
			.watch = &rooms_watch,
			.former = strcmp(player, DAN) == 0 ? FORMER_DAN : NULL,
			.new_room = room->seq == 0 ? ROOM_ID : NEXT_ID,
	};
}

/* The refusal's word, or the events' words with blanks between; "-" if there is nothing to do.
 * Lives until the next call. */
static inline const char *rooms_told(const struct room_decision *decision)
{
	static char text[100];
	size_t length = 0;

	if (decision->code != CODE_NONE) {
		return code_word(decision->code);
	}
	if (decision->count == 0) {
		return "-";
	}
	for (int i = 0; i < decision->count; i++) {
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
				i == 0 ? "" : " ", rooms_event_words[decision->events[i].type]);
	}
	return text;
}

/* What must hold for every decision: the events carry on where the room is, and can be applied. */
static inline void rooms_apply_all(struct room *room, const struct room_command *command,
		const struct room_decision *decision)
{
	int64_t seq = room->seq;
	int64_t at_ms = command->now_ms > room->at_ms ? command->now_ms : room->at_ms;

	if (decision->code != CODE_NONE) {
		assert_int_equal(decision->count, 0);
		assert_false(decision->opens_rematch);
	}
	assert_int_equal(decision->field != NULL, decision->code == CODE_BAD_REQUEST);
	for (int i = 0; i < decision->count; i++) {
		const struct event *event = &decision->events[i];

		assert_string_equal(event->room, ROOM_ID);
		assert_int_equal(event->seq, seq + 1 + i);
		assert_int_equal(event->at_ms, at_ms);
		assert_true(room_apply(room, event));
		assert_int_equal(room->seq, event->seq);
		assert_int_equal(room->at_ms, at_ms);
	}
}

/* Decide and apply; returns rooms_told. */
static inline const char *rooms_do(struct room *room, const struct room_command *command,
		struct room_decision *ret_decision)
{
	memset(ret_decision, 0xa5, sizeof(*ret_decision));
	room_decide(room, command, ret_decision);
	rooms_apply_all(room, command, ret_decision);
	return rooms_told(ret_decision);
}

static inline const char *rooms_turn(const struct room *room)
{
	return rules_turn(&room->game) == RULES_O ? room->players[1] : room->players[0];
}

static inline void rooms_read_action(const char *word, struct room_command *command)
{
	if (word[0] == 'c') {
		command->kind = ROOM_COLLAPSE;
		command->squares[0] = word[1] - '0';
	} else {
		command->kind = ROOM_MOVE;
		command->square_count = 2;
		command->squares[0] = word[0] - '0';
		command->squares[1] = word[2] - '0';
	}
}

static inline bool rooms_word_is(const char *word, const char *other)
{
	return strncmp(word, other, strlen(other)) == 0;
}

/* "open", "open=dan", "join"; "1-5", "c5" by whose turn it is; "X:resign" and the like. */
static inline struct room_command rooms_read(const struct room *room, const char *word)
{
	static const struct {
		const char *word;
		enum room_command_kind kind;
		bool has_accept;
	} verbs[] = {{"resign", ROOM_RESIGN, false}, {"abort", ROOM_ABORT, false},
			{"draw", ROOM_DRAW, false}, {"no", ROOM_DRAW, true},
			{"leave", ROOM_LEAVE, false}, {"decline", ROOM_DECLINE, false},
			{"rematch", ROOM_REMATCH, false}};
	static char opponent[NAME_SIZE];
	struct room_command command;

	if (rooms_word_is(word, "open")) {
		command = rooms_command(room, ROOM_OPEN, ALA);
		command.side = SEAT_X;
		if (word[4] == '=') {
			message_copy(opponent, strcspn(word + 5, " ") + 1, word + 5);
			command.opponent = opponent;
		}
		return command;
	}
	if (rooms_word_is(word, "join")) {
		return rooms_command(room, ROOM_JOIN, DAN);
	}
	if (word[1] != ':') {
		command = rooms_command(room, ROOM_MOVE, rooms_turn(room));
		rooms_read_action(word, &command);
		return command;
	}
	command = rooms_command(room, ROOM_MOVE, word[0] == 'X' ? ALA : DAN);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (rooms_word_is(word + 2, verbs[i].word)) {
			command.kind = verbs[i].kind;
			command.has_accept = verbs[i].has_accept;
		}
	}
	assert_int_not_equal(command.kind, ROOM_MOVE);
	return command;
}

/* Words parted by blanks; each must cause something. */
static inline void rooms_run(struct room *room, const char *words)
{
	for (; *words != '\0'; words += strcspn(words, " "), words += strspn(words, " ")) {
		struct room_command command = rooms_read(room, words);
		struct room_decision decision;

		rooms_do(room, &command, &decision);
		if (decision.count == 0) {
			fail_msg("\"%s\" is answered %s", words, rooms_told(&decision));
		}
	}
}

static inline struct room rooms_make(const char *words)
{
	struct room room;

	memset(&room, 0, sizeof(room));
	rooms_run(&room, words);
	return room;
}

#endif
