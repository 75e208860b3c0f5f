#include "server/play/bots.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/play/players.h"
#include "server/play/queue.h"
#include "server/play/thought.h"
#include "server/solver/solver.h"

/* Parts of its remaining time of which a bot takes one for its pace. */
#define CLOCK_SHARE 30
/* Pause after an action that was not taken, as when the store is out of order. */
#define RETRY_MS 1000

struct bot_kind {
	const char *name;
	enum solver_level level;
};

static const struct bot_kind kinds[] = {
		{"bot-random", SOLVER_RANDOM},
		{"bot-good", SOLVER_GOOD},
		{"bot-perfect", SOLVER_PERFECT},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

enum bot_doing { BOT_RESTS, BOT_WAITS, BOT_THINKS, BOT_ACTS };

enum bot_deed { BOT_NOTHING, BOT_PLAYS, BOT_ANSWERS_DRAW, BOT_TAKES_REMATCH };

struct bot {
	struct play *play;
	struct hosted *hosted; /* NULL: the room has left memory while the bot thought */
	const struct bot_kind *kind;
	enum bot_doing doing;
	struct timer timer; /* BOT_WAITS */
	struct work_lane lane;
	struct thought thought; /* BOT_THINKS, of all that follows: */
	int64_t seq;		/* the room's that it is about */
	enum bot_deed deed;
	struct rules_state state;
	struct solver_bot chooser;
	struct rules_action action;
	int value; /* half points, X's minus O's */
};

static void due(void *owner);
static bool think(struct thought *thought, struct solver *solver, const atomic_bool *cancelled);
static void thought_of(struct thought *thought, bool found);

/* Who sits where. */

static const struct bot_kind *kind_of(const char *name)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (strcasecmp(kinds[i].name, name) == 0) {
			return &kinds[i];
		}
	}
	return NULL;
}

const char *bots_name(const char *typed)
{
	const struct bot_kind *kind = kind_of(typed);

	return kind == NULL ? NULL : kind->name;
}

bool bots_sit_in(const struct room *room)
{
	return name_is_bot(room->players[0]) || name_is_bot(room->players[1]);
}

/* The kind of the bot in a room, NULL if none sits there. */
static const struct bot_kind *kind_in(const struct room *room)
{
	const struct bot_kind *kind = NULL;

	for (size_t i = 0; i < 2 && kind == NULL; i++) {
		if (name_is_bot(room->players[i])) {
			kind = kind_of(room->players[i]);
		}
	}
	return kind;
}

/* Games of a name against bots that run or may begin, `but` (or NULL) not counted. */
static size_t games_of(const struct play *play, const char *name, const struct hosted *but)
{
	const struct role *role;
	size_t games = 0;

	TAILQ_FOREACH(role, &rooms_of(play, name)->entries, of_name)
	{
		const struct hosted *hosted = role->hosted;
		const struct room *room = &hosted->room;

		games += hosted != but && bots_sit_in(room) &&
			 room_seat_of(room, name) != SEAT_NONE &&
			 (room->status == STATUS_PLAYING || rooms_may_go_on(hosted));
	}
	return games;
}

bool bots_have_time_for(const struct play *play, const struct player *player)
{
	return !limits_is_full(play->limits.most.bot_games_per_name,
			games_of(play, player->record.name, NULL) + player->bot_games_opening);
}

/* What is to be done. */

static bool takes_rematch(const struct bot *bot, enum seat other)
{
	const struct room *room = &bot->hosted->room;
	const struct play *play = bot->play;
	const struct play_limits *most = &play->limits.most;
	const char *name = room_player(room, other);

	return room->rematch_offer == other && room->rematch[0] == '\0' && !room_is_gone(name) &&
	       !play->drain.on &&
	       !limits_is_full(most->bot_games_per_name, games_of(play, name, bot->hosted)) &&
	       !limits_is_full(most->rooms_per_name, rooms_sat_in(play, name, bot->hosted));
}

static enum bot_deed deed_of(const struct bot *bot)
{
	const struct room *room = &bot->hosted->room;
	enum seat seat = room_seat_of(room, bot->kind->name);
	enum seat other = room_other(seat);

	if (room->status == STATUS_OVER) {
		return takes_rematch(bot, other) ? BOT_TAKES_REMATCH : BOT_NOTHING;
	}
	if (room->status != STATUS_PLAYING) {
		return BOT_NOTHING;
	}
	if (room->draw_offer == other) {
		return BOT_ANSWERS_DRAW;
	}
	return (int)rules_turn(&room->game) == (int)seat ? BOT_PLAYS : BOT_NOTHING;
}

/* A person's pace: the half of what the operator says, and by chance up to as much again; with a
 * clock no more than a small share of what is left on it. */
static int64_t pace_ms(const struct bot *bot)
{
	const struct room *room = &bot->hosted->room;
	enum seat seat = room_seat_of(room, bot->kind->name);
	int64_t pace = bot->play->config.bot_pace_ms;
	int64_t most = pace;
	uint32_t random;

	if (room->left.set) {
		most = (seat == SEAT_X ? room->left.x_ms : room->left.o_ms) / CLOCK_SHARE;
	}
	pace = most < pace ? most : pace;
	play_random(bot->play, &random, sizeof(random));
	return pace / 2 + (int64_t)(random % (uint64_t)(pace + 1));
}

static void wait_ms(struct bot *bot, int64_t ms)
{
	bot->doing = BOT_WAITS;
	play_set_timer(bot->play, &bot->timer, play_now(bot->play) + ms);
}

static void do_nothing(struct bot *bot)
{
	bot->doing = BOT_RESTS;
	rooms_maybe_leave(bot->hosted);
}

/* It has nothing at hand: is there something to do? */
static void rest(struct bot *bot)
{
	if (!bot->play->closing && deed_of(bot) != BOT_NOTHING) {
		wait_ms(bot, pace_ms(bot));
	} else {
		do_nothing(bot);
	}
}

static struct bot *bot_new(struct hosted *hosted, const struct bot_kind *kind)
{
	struct bot *bot = memory_new(1, sizeof(*bot));

	bot->play = hosted->play;
	bot->hosted = hosted;
	bot->kind = kind;
	bot->timer = (struct timer){.fire = due, .owner = bot};
	bot->thought = (struct thought){.think = think, .done = thought_of};
	return bot;
}

void bots_see(struct hosted *hosted)
{
	struct bot *bot = hosted->bot;

	if (bot == NULL) {
		const struct bot_kind *kind = kind_in(&hosted->room);

		if (kind == NULL) {
			return;
		}
		bot = hosted->bot = bot_new(hosted, kind);
	}
	if (bot->doing == BOT_RESTS) {
		rest(bot);
	} else if (bot->doing == BOT_THINKS && bot->seq != hosted->room.seq) {
		thought_cancel(&bot->thought);
	}
}

bool bots_owe(const struct hosted *hosted)
{
	const struct room *room = &hosted->room;

	return hosted->bot != NULL && hosted->bot->doing != BOT_RESTS &&
	       room->rematch_offer != SEAT_NONE && room->rematch[0] == '\0';
}

void bots_leave(struct hosted *hosted)
{
	struct bot *bot = hosted->bot;

	if (bot == NULL) {
		return;
	}
	timers_cancel(&bot->play->timers, &bot->timer);
	bot->hosted = NULL;
	if (bot->doing == BOT_THINKS) {
		thought_cancel(&bot->thought);
	} else {
		free(bot);
	}
}

/* Acting. */

static void acted(struct command *command)
{
	struct bot *bot = command->parts[0].hosted->bot;

	if (command->code == CODE_NONE) {
		rest(bot);
		return;
	}
	log_event(LOG_DEBUG, "bot_refused", "room=%s code=%d", bot->hosted->room.id,
			(int)command->code);
	if (command->code == CODE_SERVER_FULL) {
		/* Its own room may make place for others then: it waits to be asked again. */
		do_nothing(bot);
	} else {
		wait_ms(bot, RETRY_MS);
	}
}

static void told_rematch(struct command *command)
{
	if (command->part_count > 1) {
		followers_go_on(command->parts[0].hosted, command->parts[1].hosted);
	}
}

static struct command *act(struct bot *bot, enum room_command_kind kind)
{
	struct command *command =
			command_new_unasked(bot->play, kind == ROOM_REMATCH ? 2 : 1, acted);

	bot->doing = BOT_ACTS;
	command_add(command, bot->hosted, kind)->player = bot->kind->name;
	return command;
}

static void do_action(struct bot *bot)
{
	const struct rules_action *action = &bot->action;
	bool places = action->kind == RULES_PLACE;
	struct command *command = act(bot, places ? ROOM_MOVE : ROOM_COLLAPSE);
	struct room_command *args = &command->parts[0].args;

	args->has_number = true;
	args->number = bot->state.moves + (places ? 1 : 0);
	args->square_count = 2;
	args->squares[0] = action->squares[0];
	args->squares[1] = action->squares[1];
	queue_submit(command);
}

static void answer_draw(struct bot *bot, bool accept)
{
	struct command *command = act(bot, ROOM_DRAW);

	command->parts[0].args.has_accept = true;
	command->parts[0].args.accept = accept;
	queue_submit(command);
}

static void take_rematch(struct bot *bot)
{
	struct command *command = act(bot, ROOM_REMATCH);

	command->told = told_rematch;
	queue_submit(command);
}

/* Thinking. */

static bool think(struct thought *thought, struct solver *solver, const atomic_bool *cancelled)
{
	struct bot *bot = (void *)((char *)thought - offsetof(struct bot, thought));

	if (bot->deed == BOT_ANSWERS_DRAW) {
		return solver_value(solver, &bot->state, cancelled, &bot->value);
	}
	return solver_choose(solver, &bot->state, &bot->chooser, cancelled, &bot->action);
}

static void begin_thought(struct bot *bot, enum bot_deed deed)
{
	bot->doing = BOT_THINKS;
	bot->seq = bot->hosted->room.seq;
	bot->deed = deed;
	bot->state = bot->hosted->room.game;
	bot->chooser.level = bot->kind->level;
	play_random(bot->play, &bot->chooser.random, sizeof(bot->chooser.random));
	thought_begin(bot->play, &bot->lane, &bot->thought);
}

/* A draw costs it nothing where perfect play would bring it no points. */
static bool wants_draw(const struct bot *bot)
{
	enum seat seat = room_seat_of(&bot->hosted->room, bot->kind->name);

	return seat == SEAT_X ? bot->value <= 0 : bot->value >= 0;
}

static void thought_of(struct thought *thought, bool found)
{
	struct bot *bot = (void *)((char *)thought - offsetof(struct bot, thought));

	if (bot->hosted == NULL) {
		free(bot);
	} else if (!found || bot->play->closing || bot->hosted->room.seq != bot->seq) {
		rest(bot);
	} else if (bot->deed == BOT_ANSWERS_DRAW) {
		answer_draw(bot, wants_draw(bot));
	} else {
		do_action(bot);
	}
}

static void due(void *owner)
{
	struct bot *bot = owner;
	enum bot_deed deed = bot->play->closing ? BOT_NOTHING : deed_of(bot);

	switch (deed) {
	case BOT_NOTHING:
		do_nothing(bot);
		break;
	case BOT_PLAYS:
		begin_thought(bot, deed);
		break;
	case BOT_ANSWERS_DRAW:
		if (bot->kind->level == SOLVER_PERFECT) {
			begin_thought(bot, deed);
		} else {
			answer_draw(bot, false);
		}
		break;
	case BOT_TAKES_REMATCH:
		take_rematch(bot);
		break;
	}
}
