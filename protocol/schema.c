#include "protocol/schema.h"

#include <assert.h>

#include "protocol/decode.h"
#include "protocol/schema_rows.h"

static_assert(sizeof(enum seat) == sizeof(uint32_t), "the tables load enums as 32 bits");
static_assert(sizeof(bool) == 1, "the tables look at bools as bytes");

/* Shapes that messages share. */

static const struct field agreed_fields[] = {
		PLAIN("base_ms", FIELD_INTEGER, struct clock_agreed, base_ms, ALWAYS),
		PLAIN("increment_ms", FIELD_INTEGER, struct clock_agreed, increment_ms, ALWAYS),
		END,
};

static const struct field running_fields[] = {
		PLAIN("X_ms", FIELD_INTEGER, struct clock_running, x_ms, ALWAYS),
		PLAIN("O_ms", FIELD_INTEGER, struct clock_running, o_ms, ALWAYS),
		WORD("running", seat, struct clock_running, running,
				CHOSEN(struct clock_running, running), OR_NULL),
		END,
};

/* Members that a struct has one of, as they are told wherever it is. */
#define RATED(type, on, set) PLAIN("rated", FIELD_BOOL, type, on, TOLD(type, set))
#define RATING(type, milli, set) PLAIN("rating", FIELD_MILLI, type, milli, TOLD(type, set))

static const struct field board_fields[] = {
		PLAIN("move", FIELD_SMALL, struct board, move, ALWAYS),
		WORD("turn", seat, struct board, turn, CHOSEN(struct board, turn), OR_NULL),
		WORD("phase", phase, struct board, phase, ALWAYS),
		PLAIN("squares", FIELD_BOARD, struct board, squares, ALWAYS),
		SQUARES("choices", struct board, choices, FILLED(struct board, choices), OR_NULL,
				.count_offset = NO_COUNT),
		SQUARES("cycle", struct board, cycle, FILLED(struct board, cycle_count), OR_NULL,
				.count_offset = offsetof(struct board, cycle_count)),
		PLAIN("outcomes", FIELD_OUTCOMES, struct board, outcomes,
				FILLED(struct board, outcomes), OR_NULL),
		END,
};

static const struct field score_fields[] = {
		PLAIN("X", FIELD_HALF, struct result, half_points_x, ALWAYS),
		PLAIN("O", FIELD_HALF, struct result, half_points_o, ALWAYS),
		END,
};

static const struct field line_fields[] = {
		WORD("mark", seat, struct line_made, seat, ALWAYS),
		SQUARES("squares", struct line_made, squares, ALWAYS, .count_offset = NO_COUNT),
		PLAIN("max", FIELD_SMALL, struct line_made, max, ALWAYS),
		END,
};

static const struct field line_element = {
		.kind = FIELD_OBJECT, .size = sizeof(struct line_made), .fields = line_fields};

static const struct field result_fields[] = {
		WORD("reason", reason, struct result, reason, ALWAYS),
		WORD("cause", cause, struct result, cause, CHOSEN(struct result, cause)),
		GROUP("score", score_fields, TOLD(struct result, scored), OR_NULL),
		ROWS("lines", &line_element, struct result, lines, line_count, ALWAYS),
		END,
};

/* Snapshots and summaries. */

static const struct field seat_shown_fields[] = {
		STRING("name", struct seat_shown, name, ALWAYS),
		PLAIN("online", FIELD_BOOL, struct seat_shown, online, ALWAYS),
		RATING(struct seat_shown, rating.milli, rating.set),
		END,
};

static const struct field seats_shown_fields[] = {
		OBJECT("X", seat_shown_fields, struct snapshot, players[0],
				TOLD(struct snapshot, players[0].taken), OR_NULL),
		OBJECT("O", seat_shown_fields, struct snapshot, players[1],
				TOLD(struct snapshot, players[1].taken), OR_NULL),
		END,
};

static const struct field settings_fields[] = {
		OBJECT("clock", agreed_fields, struct snapshot, agreed,
				TOLD(struct snapshot, agreed.set), OR_NULL),
		RATED(struct snapshot, rated.on, rated.set),
		END,
};

static const struct field chat_fields[] = {
		STRING("player", struct chat_line, player, ALWAYS),
		WORD("seat", seat, struct chat_line, seat, CHOSEN(struct chat_line, seat), OR_NULL),
		PROSE("text", struct chat_line, text, ALWAYS),
		END,
};

static const struct field chat_element = {
		.kind = FIELD_OBJECT, .size = sizeof(struct chat_line), .fields = chat_fields};

static const struct field snapshot_fields[] = {
		STRING("room", struct snapshot, room, ALWAYS),
		PLAIN("seq", FIELD_INTEGER, struct snapshot, seq, ALWAYS),
		PLAIN("at_ms", FIELD_INTEGER, struct snapshot, at_ms, ALWAYS),
		WORD("status", status, struct snapshot, status, ALWAYS),
		GROUP("players", seats_shown_fields, ALWAYS),
		PLAIN("private", FIELD_BOOL, struct snapshot, is_private, ALWAYS),
		PROSE("title", struct snapshot, title, FILLED(struct snapshot, title)),
		GROUP("settings", settings_fields, ALWAYS),
		OBJECT("clock", running_fields, struct snapshot, clock,
				TOLD(struct snapshot, clock.set), OR_NULL),
		PLAIN("spectators", FIELD_INTEGER, struct snapshot, spectators, ALWAYS),
		WORD("draw_offer", seat, struct snapshot, draw_offer,
				CHOSEN(struct snapshot, draw_offer), OR_NULL),
		OBJECT("board", board_fields, struct snapshot, board, ALWAYS),
		OBJECT("result", result_fields, struct snapshot, result,
				TOLD(struct snapshot, has_result), OR_NULL),
		LIST("chat", FIELD_LIST, &chat_element, struct snapshot, chat, chat_count, ALWAYS),
		END,
};

static const struct field names_or_null_fields[] = {
		STRING("X", struct summary, players[0], FILLED(struct summary, players[0]),
				OR_NULL),
		STRING("O", struct summary, players[1], FILLED(struct summary, players[1]),
				OR_NULL),
		END,
};

static const struct field summary_fields[] = {
		STRING("room", struct summary, room, ALWAYS),
		WORD("status", status, struct summary, status, ALWAYS),
		GROUP("players", names_or_null_fields, ALWAYS),
		OBJECT("clock", agreed_fields, struct summary, clock,
				TOLD(struct summary, clock.set), OR_NULL),
		RATED(struct summary, rated.on, rated.set),
		PROSE("title", struct summary, title, FILLED(struct summary, title)),
		PLAIN("move", FIELD_INTEGER, struct summary, move, ALWAYS),
		PLAIN("spectators", FIELD_INTEGER, struct summary, spectators, ALWAYS),
		PLAIN("created_ms", FIELD_INTEGER, struct summary, created_ms, ALWAYS),
		END,
};

/* Events that are stored. */

static const struct field stored_fields[] = {
		STRING("room", struct event, room, ALWAYS),
		PLAIN("seq", FIELD_INTEGER, struct event, seq, ALWAYS),
		PLAIN("at_ms", FIELD_INTEGER, struct event, at_ms, ALWAYS),
		END,
};

#define STORED                                                                                     \
	{                                                                                          \
		.name = "", .kind = FIELD_INLINE, .fields = stored_fields                          \
	}

static const struct field opened_fields[] = {
		STORED,
		STRING("player", struct event, opened.player, ALWAYS),
		PLAIN("private", FIELD_BOOL, struct event, opened.is_private, ALWAYS),
		OBJECT("clock", agreed_fields, struct event, opened.clock,
				TOLD(struct event, opened.clock.set), OR_NULL),
		RATED(struct event, opened.rated.on, opened.rated.set),
		PROSE("title", struct event, opened.title, FILLED(struct event, opened.title)),
		STRING("opponent", struct event, opened.opponent,
				FILLED(struct event, opened.opponent)),
		END,
};

static const struct field seated_fields[] = {
		STORED,
		WORD("seat", seat, struct event, seated.seat, ALWAYS),
		STRING("player", struct event, seated.player, ALWAYS),
		END,
};

static const struct field names_fields[] = {
		STRING("X", struct event, started.players[0], ALWAYS),
		STRING("O", struct event, started.players[1], ALWAYS),
		END,
};

#define BOARD(type, member) OBJECT("board", board_fields, type, member, ALWAYS)
#define RUNNING(member, told)                                                                      \
	OBJECT("clock", running_fields, struct event, member, TOLD(struct event, told), OR_NULL)

static const struct field started_fields[] = {
		STORED,
		GROUP("players", names_fields, ALWAYS),
		BOARD(struct event, started.board),
		RUNNING(started.clock, started.clock.set),
		END,
};

static const struct field moved_fields[] = {
		STORED,
		WORD("by", seat, struct event, moved.by, ALWAYS),
		PLAIN("move", FIELD_SMALL, struct event, moved.move, ALWAYS),
		SQUARES("squares", struct event, moved.squares, ALWAYS,
				.count_offset = offsetof(struct event, moved.square_count)),
		BOARD(struct event, moved.board),
		RUNNING(moved.clock, moved.clock.set),
		END,
};

static const struct field collapsed_fields[] = {
		STORED,
		WORD("by", seat, struct event, collapsed.by, ALWAYS),
		PLAIN("move", FIELD_SMALL, struct event, collapsed.move, ALWAYS),
		PLAIN("square", FIELD_SMALL, struct event, collapsed.square, ALWAYS),
		PLAIN("measured", FIELD_MEASURED, struct event, collapsed.measured, ALWAYS),
		BOARD(struct event, collapsed.board),
		RUNNING(collapsed.clock, collapsed.clock.set),
		END,
};

static const struct field by_fields[] = {
		STORED,
		WORD("by", seat, struct event, by, ALWAYS),
		END,
};

#define CHANGED_FIELDS(place)                                                                      \
	{                                                                                          \
		PLAIN("before", FIELD_MILLI, struct ratings_changed, before_milli[place], ALWAYS), \
				PLAIN("after", FIELD_MILLI, struct ratings_changed,                \
						after_milli[place], ALWAYS),                       \
				END                                                                \
	}

static const struct field changed_x_fields[] = CHANGED_FIELDS(0);
static const struct field changed_o_fields[] = CHANGED_FIELDS(1);

static const struct field changed_fields[] = {
		GROUP("X", changed_x_fields, ALWAYS),
		GROUP("O", changed_o_fields, ALWAYS),
		END,
};

static const struct field ended_fields[] = {
		STORED,
		INLINE(result_fields, struct event, ended.result),
		BOARD(struct event, ended.board),
		OBJECT("ratings", changed_fields, struct event, ended.ratings,
				TOLD(struct event, ended.ratings.set)),
		END,
};

static const struct field rematch_fields[] = {
		STORED,
		STRING("new", struct event, new_room, ALWAYS),
		END,
};

/* Events that are not stored. */

static const struct field state_fields[] = {
		INLINE(snapshot_fields, struct event, state),
		END,
};

static const struct field presence_fields[] = {
		STRING("room", struct event, room, ALWAYS),
		STRING("player", struct event, presence.player,
				FILLED(struct event, presence.player)),
		PLAIN("online", FIELD_BOOL, struct event, presence.online,
				FILLED(struct event, presence.player)),
		PLAIN("claim_in_ms", FIELD_INTEGER, struct event, presence.claim_in_ms,
				TOLD(struct event, presence.has_claim)),
		PLAIN("spectators", FIELD_INTEGER, struct event, presence.spectators, ALWAYS),
		END,
};

static const struct field said_fields[] = {
		STRING("room", struct event, room, ALWAYS),
		STRING("player", struct event, said.player, ALWAYS),
		WORD("seat", seat, struct event, said.seat, CHOSEN(struct event, said.seat),
				OR_NULL),
		PROSE("text", struct event, said.text, ALWAYS),
		END,
};

static const struct field lobby_fields[] = {
		WORD("change", change, struct event, lobby.change, ALWAYS),
		INLINE(summary_fields, struct event, lobby.summary),
		END,
};

static const struct field invited_fields[] = {
		STRING("room", struct event, room, ALWAYS),
		STRING("player", struct event, invited.player, ALWAYS),
		OBJECT("clock", agreed_fields, struct event, invited.clock,
				TOLD(struct event, invited.clock.set), OR_NULL),
		RATED(struct event, invited.rated.on, invited.rated.set),
		END,
};

static const struct field notice_fields[] = {
		PROSE("text", struct event, notice, ALWAYS),
		END,
};

static const struct field bye_fields[] = {
		WORD("reason", bye, struct event, bye.reason, ALWAYS),
		PLAIN("retry_ms", FIELD_INTEGER, struct event, bye.retry_ms,
				TOLD(struct event, bye.has_retry)),
		END,
};

#define LIMIT(word)                                                                                \
	PLAIN(#word, FIELD_INTEGER, struct event, welcome.word,                                    \
			TOLD(struct event, welcome.has_limits))

static const struct field limit_fields[] = {
		CONSTANT("line_bytes", TEXT(LIMIT_LINE_BYTES)),
		CONSTANT("depth", TEXT(LIMIT_DEPTH)),
		CONSTANT("text_chars", TEXT(LIMIT_TEXT_CHARS)),
		CONSTANT("name_chars", TEXT(LIMIT_NAME_CHARS)),
		CONSTANT("title_chars", TEXT(LIMIT_TITLE_CHARS)),
		CONSTANT("rooms_followed", TEXT(LIMIT_ROOMS_FOLLOWED)),
		LIMIT(rooms_per_name),
		LIMIT(bot_games_per_name),
		LIMIT(connections_per_name),
		LIMIT(watchers_per_room),
		LIMIT(opens_per_minute),
		LIMIT(says_per_minute),
		LIMIT(invites_per_minute),
		LIMIT(names_per_hour),
		END,
};

static const struct field welcome_fields[] = {
		PROSE("server", struct event, welcome.server, ALWAYS),
		CONSTANT("protocol", TEXT(PROTOCOL_VERSION)),
		PROSE("name", struct event, welcome.name, ALWAYS),
		PROSE("motd", struct event, welcome.motd, FILLED(struct event, welcome.motd)),
		GROUP("limits", limit_fields, ALWAYS),
		PROSE("help", struct event, welcome.help, ALWAYS),
		END,
};

const struct field *const schema_events[EVENT_COUNT] = {
		[EVENT_OPENED] = opened_fields,
		[EVENT_SEATED] = seated_fields,
		[EVENT_STARTED] = started_fields,
		[EVENT_MOVED] = moved_fields,
		[EVENT_COLLAPSED] = collapsed_fields,
		[EVENT_DRAW_OFFERED] = by_fields,
		[EVENT_DRAW_DECLINED] = by_fields,
		[EVENT_ENDED] = ended_fields,
		[EVENT_REMATCH_OFFERED] = by_fields,
		[EVENT_REMATCH] = rematch_fields,
		[EVENT_STATE] = state_fields,
		[EVENT_PRESENCE] = presence_fields,
		[EVENT_SAID] = said_fields,
		[EVENT_LOBBY] = lobby_fields,
		[EVENT_INVITED] = invited_fields,
		[EVENT_NOTICE] = notice_fields,
		[EVENT_BYE] = bye_fields,
		[EVENT_WELCOME] = welcome_fields,
};

/* Replies. */

static const struct field who_fields[] = {
		STRING("name", struct who_row, name, ALWAYS),
		RATING(struct who_row, rating.milli, rating.set),
		STRING("room", struct who_row, room, FILLED(struct who_row, room)),
		END,
};

static const struct field who_element = {
		.kind = FIELD_OBJECT, .size = sizeof(struct who_row), .fields = who_fields};
static const struct field summary_element = {
		.kind = FIELD_OBJECT, .size = sizeof(struct summary), .fields = summary_fields};

static const struct field names_told_fields[] = {
		STRING("X", struct game_row, players[0], ALWAYS),
		STRING("O", struct game_row, players[1], ALWAYS),
		END,
};

static const struct field game_settings_fields[] = {
		OBJECT("clock", agreed_fields, struct game_row, agreed,
				TOLD(struct game_row, agreed.set), OR_NULL),
		RATED(struct game_row, rated.on, rated.set),
		END,
};

/* But for the room. */
static const struct field game_fields[] = {
		GROUP("players", names_told_fields, ALWAYS),
		GROUP("settings", game_settings_fields, ALWAYS),
		OBJECT("result", result_fields, struct game_row, result,
				TOLD(struct game_row, has_result), OR_NULL),
		PLAIN("started_ms", FIELD_INTEGER, struct game_row, started_ms, ALWAYS),
		PLAIN("ended_ms", FIELD_INTEGER, struct game_row, ended_ms,
				FILLED(struct game_row, has_result), OR_NULL),
		STRING("record", struct game_row, record, ALWAYS),
		END,
};

static const struct field game_row_fields[] = {
		STRING("room", struct game_row, room, ALWAYS),
		{.name = "", .kind = FIELD_INLINE, .fields = game_fields},
		END,
};

static const struct field game_element = {
		.kind = FIELD_OBJECT, .size = sizeof(struct game_row), .fields = game_row_fields};

/* But for the name. */
static const struct field standing_fields[] = {
		PLAIN("online", FIELD_BOOL, struct standing, online, ALWAYS),
		PLAIN("rating", FIELD_MILLI, struct standing, rating_milli, ALWAYS),
		PLAIN("deviation", FIELD_MILLI, struct standing, deviation_milli, ALWAYS),
		PLAIN("games", FIELD_INTEGER, struct standing, games, ALWAYS),
		PLAIN("wins", FIELD_INTEGER, struct standing, wins, ALWAYS),
		PLAIN("draws", FIELD_INTEGER, struct standing, draws, ALWAYS),
		PLAIN("losses", FIELD_INTEGER, struct standing, losses, ALWAYS),
		END,
};

static const struct field top_fields[] = {
		STRING("name", struct standing, name, ALWAYS),
		{.name = "", .kind = FIELD_INLINE, .fields = standing_fields},
		END,
};

static const struct field top_element = {
		.kind = FIELD_OBJECT, .size = sizeof(struct standing), .fields = top_fields};

static const struct field action_value_fields[] = {
		SQUARES("squares", struct action_value, action.squares,
				FILLED(struct action_value, action.square_count),
				.count_offset = offsetof(struct action_value, action.square_count)),
		PLAIN("square", FIELD_SMALL, struct action_value, action.square,
				FILLED(struct action_value, action.square)),
		PLAIN("value", FIELD_VALUE, struct action_value, half_points, ALWAYS),
		END,
};

static const struct field action_value_element = {.kind = FIELD_OBJECT,
		.size = sizeof(struct action_value),
		.fields = action_value_fields};
static const struct field value_element = {.kind = FIELD_VALUE, .size = sizeof(int8_t)};
static const struct field room_element = {.kind = FIELD_TEXT, .size = ROOM_ID_SIZE};
static const struct field name_element = {.kind = FIELD_TEXT, .size = NAME_SIZE};

/* What an operator is told. */

static const struct field ban_fields[] = {
		STRING("whom", struct ban_row, whom, ALWAYS),
		PLAIN("made_ms", FIELD_INTEGER, struct ban_row, made_ms, ALWAYS),
		PLAIN("until_ms", FIELD_INTEGER, struct ban_row, until_ms,
				TOLD(struct ban_row, has_until)),
		PROSE("why", struct ban_row, why, FILLED(struct ban_row, why)),
		END,
};

static const struct field ban_element = {
		.kind = FIELD_OBJECT, .size = sizeof(struct ban_row), .fields = ban_fields};

static const struct field room_row_fields[] = {
		INLINE(summary_fields, struct room_row, summary),
		PLAIN("private", FIELD_BOOL, struct room_row, is_private, ALWAYS),
		LIST("here", FIELD_LIST, &name_element, struct room_row, here, here_count, ALWAYS),
		END,
};

static const struct field room_row_element = {
		.kind = FIELD_OBJECT, .size = sizeof(struct room_row), .fields = room_row_fields};

#define STAT(word) PLAIN(#word, FIELD_INTEGER, struct stats, word, ALWAYS)

static const struct field stats_rooms_fields[] = {
		PLAIN("waiting", FIELD_INTEGER, struct stats, rooms[STATUS_WAITING], ALWAYS),
		PLAIN("playing", FIELD_INTEGER, struct stats, rooms[STATUS_PLAYING], ALWAYS),
		PLAIN("over", FIELD_INTEGER, struct stats, rooms[STATUS_OVER], ALWAYS),
		END,
};

static const struct field stats_fields[] = {
		STRING("version", struct stats, version, ALWAYS),
		STAT(uptime_ms),
		STAT(connections),
		STAT(online),
		GROUP("rooms", stats_rooms_fields, ALWAYS),
		STAT(bans),
		STAT(store_waiting),
		STAT(store_unknown),
		STAT(thoughts),
		STAT(accepted),
		STAT(refused),
		STAT(lines),
		STAT(bytes_in),
		STAT(bytes_out),
		STAT(memory_bytes),
		PLAIN("draining", FIELD_BOOL, struct stats, draining, ALWAYS),
		END,
};

const struct field schema_ok_head[] = {
		PLAIN("re", FIELD_ID, struct ok, re, CHOSEN(struct ok, re.kind)),
		PLAIN("to", FIELD_REQUEST, struct ok, to, ALWAYS),
		STRING("name", struct ok, name, BIT(OK_NAME)),
		END,
};

const struct field schema_ok_token[] = {
		STRING("token", struct ok, token, BIT(OK_TOKEN)),
		END,
};

const struct field schema_ok_body[] = {
		STRING("room", struct ok, room, BIT(OK_ROOM)),
		PLAIN("seq", FIELD_INTEGER, struct ok, seq, BIT(OK_SEQ)),
		STRING("new", struct ok, new_room, BIT(OK_NEW)),
		STRING("you", struct ok, you, BIT(OK_YOU)),
		WORD("seat", seat, struct ok, seat, BIT(OK_SEAT)),
		{KEY("state"), .kind = FIELD_POINTER, AT(struct ok, state),
				.size = sizeof(struct snapshot), .fields = snapshot_fields,
				BIT(OK_STATE)},
		{.name = "record",
				.key = "",
				.kind = FIELD_BEHIND,
				AT(struct ok, game),
				.size = sizeof(struct game_row),
				.fields = game_fields,
				BIT(OK_GAME)},
		LIST("games", FIELD_LIST, &game_element, struct ok, games, game_count,
				BIT(OK_GAMES)),
		{.name = "wins",
				.key = "",
				.kind = FIELD_BEHIND,
				AT(struct ok, standing),
				.size = sizeof(struct standing),
				.fields = standing_fields,
				BIT(OK_STANDING)},
		LIST("players", FIELD_LIST, &top_element, struct ok, top, top_count, BIT(OK_TOP)),
		LIST("rooms", FIELD_LIST, &room_element, struct ok, own_rooms, own_room_count,
				BIT(OK_OWN_ROOMS)),
		LIST("rooms", FIELD_LIST, &summary_element, struct ok, summaries, summary_count,
				BIT(OK_SUMMARIES)),
		STRING("next", struct ok, next, BIT(OK_NEXT)),
		PLAIN("online", FIELD_INTEGER, struct ok, online, BIT(OK_ONLINE)),
		LIST("players", FIELD_LIST, &who_element, struct ok, players, player_count,
				BIT(OK_PLAYERS)),
		LIST("muted", FIELD_LIST, &name_element, struct ok, muted, muted_count,
				BIT(OK_MUTED)),
		LIST("requests", FIELD_HELP, NULL, struct ok, requests, request_count,
				BIT(OK_REQUESTS)),
		PLAIN("now_ms", FIELD_INTEGER, struct ok, now_ms, BIT(OK_NOW)),
		WORD("mode", mode, struct ok, mode, BIT(OK_MODE)),
		{KEY("board"), .kind = FIELD_POINTER, AT(struct ok, board),
				.size = sizeof(struct board), .fields = board_fields,
				BIT(OK_VALUES)},
		PLAIN("value", FIELD_VALUE, struct ok, half_points, BIT(OK_VALUES)),
		LIST("each", FIELD_LIST, &action_value_element, struct ok, each, each_count,
				BIT(OK_VALUES)),
		LIST("steps", FIELD_LIST, &value_element, struct ok, steps, step_count,
				BIT(OK_STEPS)),
		STRING("whom", struct ok, whom, BIT(OK_WHOM)),
		PLAIN("draining", FIELD_BOOL, struct ok, draining, BIT(OK_DRAIN)),
		PLAIN("games", FIELD_INTEGER, struct ok, games_left, BIT(OK_DRAIN)),
		PLAIN("until_ms", FIELD_INTEGER, struct ok, until_ms, BIT(OK_UNTIL)),
		PLAIN("connections", FIELD_INTEGER, struct ok, connections, BIT(OK_TOUCHED)),
		LIST("bans", FIELD_LIST, &ban_element, struct ok, bans, ban_count, BIT(OK_BANS)),
		LIST("rooms", FIELD_LIST, &room_row_element, struct ok, rooms, room_count,
				BIT(OK_ROOMS)),
		{KEY("stats"), .kind = FIELD_POINTER, AT(struct ok, stats),
				.size = sizeof(struct stats), .fields = stats_fields,
				BIT(OK_STATS)},
		PROSE("motd", struct ok, motd, BIT(OK_MOTD)),
		END,
};

const struct field schema_error[] = {
		PLAIN("re", FIELD_ID, struct error, re, CHOSEN(struct error, re.kind)),
		PROSE("to", struct error, to, FILLED(struct error, to)),
		PLAIN("code", FIELD_CODE, struct error, code, ALWAYS),
		PROSE("message", struct error, message, ALWAYS),
		STRING("field", struct error, field, FILLED(struct error, field)),
		PLAIN("at", FIELD_INTEGER, struct error, at, TOLD(struct error, has_at)),
		PLAIN("retry_ms", FIELD_INTEGER, struct error, retry_ms,
				TOLD(struct error, has_retry)),
		PLAIN("seq", FIELD_INTEGER, struct error, seq, FILLED(struct error, has_board)),
		OBJECT("board", board_fields, struct error, board, TOLD(struct error, has_board)),
		END,
};

const struct field schema_game[] = {
		STRING("room", struct game_row, room, ALWAYS),
		PLAIN("private", FIELD_BOOL, struct game_row, is_private, ALWAYS),
		{.name = "", .kind = FIELD_INLINE, .fields = game_fields},
		END,
};
