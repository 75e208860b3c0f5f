#include "tests/world/asking.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "protocol/requests.h"

const char *asking_any_room(struct simulation *simulation)
{
	if (simulation->room_count == 0 || one_in(simulation, 50)) {
		return "zzzzz";
	}
	/* Now and then one from long ago. */
	if (one_in(simulation, 20)) {
		return simulation->model.rooms[below(simulation, (int)simulation->model.count)]->id;
	}
	return simulation->rooms[below(simulation, simulation->room_count < KNOWN_ROOMS
								   ? (int)simulation->room_count
								   : KNOWN_ROOMS)];
}

/* A room that the client follows, if there is one. */
static const char *own_room(struct simulation *simulation, const struct judge *judge)
{
	size_t newest = judge->follow_count < 8 ? judge->follow_count : 8;

	if (newest == 0 || one_in(simulation, 20)) {
		return asking_any_room(simulation);
	}
	return judge->follows[judge->follow_count - 1 - (size_t)below(simulation, (int)newest)]
			.room;
}

/* Asking. Each of these writes the members of one request, beginning with a comma. */

#define MEMBERS_SIZE 400

struct asking {
	struct simulation *simulation;
	struct judge *judge;
	struct question question;
	char members[MEMBERS_SIZE];
};

static void put(struct asking *asking, const char *format, ...)
		__attribute__((format(printf, 2, 3)));

static void put(struct asking *asking, const char *format, ...)
{
	size_t length = strlen(asking->members);
	va_list list;

	va_start(list, format);
	vsnprintf(asking->members + length, MEMBERS_SIZE - length, format, list);
	va_end(list);
}

static void put_room(struct asking *asking, const char *room)
{
	message_copy(asking->question.room, ROOM_ID_SIZE, room);
	put(asking, ",\"room\":\"%s\"", room);
}

static void put_own_room(struct asking *asking)
{
	if (!one_in(asking->simulation, 4)) {
		put_room(asking, own_room(asking->simulation, asking->judge));
	}
}

static void put_side(struct asking *asking)
{
	static const char *const sides[] = {"X", "O", "random"};

	if (one_in(asking->simulation, 3)) {
		put(asking, ",\"side\":\"%s\"", sides[below(asking->simulation, 3)]);
	}
}

static void put_person(struct asking *asking, const char *member)
{
	put(asking, ",\"%s\":\"person-%c\"", member, 'a' + below(asking->simulation, PEOPLE));
}

static void ask_hello(struct asking *asking)
{
	struct simulation *simulation = asking->simulation;
	int person = below(simulation, PEOPLE);
	const char *guest = simulation->guests[below(simulation, GUESTS)];

	switch (below(simulation, 8)) {
	case 0:
		break;
	case 1:
		if (guest[0] != '\0') {
			put(asking, ",\"token\":\"%s\"", guest);
		}
		break;
	case 2:
		/* Somebody else's name, mostly. */
		put_person(asking, "name");
		break;
	case 3:
		put(asking, ",\"name\":\"new-%d\"", below(simulation, 100000));
		break;
	default:
		put(asking, ",\"name\":\"person-%c\",\"token\":\"token-of-a-person-%022d\"",
				'a' + person, person);
	}
}

/* Clocks that run down while one thinks, and some that hardly do. */
static void put_clock(struct asking *asking)
{
	static const char *const clocks[] = {"{\"base_ms\":1000}",
			"{\"base_ms\":1000,\"increment_ms\":500}",
			"{\"base_ms\":3000,\"increment_ms\":1000}", "\"3+2\""};

	if (!one_in(asking->simulation, 4)) {
		put(asking, ",\"clock\":%s", clocks[below(asking->simulation, 4)]);
	}
}

static void ask_create(struct asking *asking)
{
	put_side(asking);
	put_clock(asking);
	if (one_in(asking->simulation, 4)) {
		put_person(asking, "opponent");
	}
	if (one_in(asking->simulation, 5)) {
		put(asking, ",\"private\":true,\"title\":\"\\\"seq\\\":9,\"");
	}
	if (one_in(asking->simulation, 5)) {
		put(asking, ",\"rated\":%s", one_in(asking->simulation, 2) ? "true" : "false");
	}
}

static void ask_join(struct asking *asking)
{
	put_room(asking, asking_any_room(asking->simulation));
	put_side(asking);
}

static void ask_any_room(struct asking *asking)
{
	put_room(asking, asking_any_room(asking->simulation));
}

static void ask_state(struct asking *asking)
{
	put_room(asking, asking_any_room(asking->simulation));
	if (!one_in(asking->simulation, 3)) {
		asking->question.has_since = true;
		asking->question.since = below(asking->simulation, 12);
		put(asking, ",\"since\":%" PRId64, asking->question.since);
	}
}

static void ask_in_own_room(struct asking *asking)
{
	put_own_room(asking);
}

static void ask_draw(struct asking *asking)
{
	put_own_room(asking);
	if (one_in(asking->simulation, 2)) {
		put(asking, ",\"accept\":%s", one_in(asking->simulation, 2) ? "true" : "false");
	}
}

static void ask_say(struct asking *asking)
{
	put_own_room(asking);
	put(asking, ",\"text\":\"{\\\"type\\\":\\\"moved\\\"} %d\"",
			below(asking->simulation, 100));
}

static void ask_lobby(struct asking *asking)
{
	put(asking, ",\"status\":\"%s\",\"limit\":%d",
			one_in(asking->simulation, 2) ? "waiting" : "playing",
			1 + below(asking->simulation, 20));
	if (one_in(asking->simulation, 2)) {
		put(asking, ",\"follow\":%s", one_in(asking->simulation, 2) ? "true" : "false");
	}
}

/* Words beside the JSON; what comes in JSON stays the same. */
static void ask_mode(struct asking *asking)
{
	asking->judge->client->passes_over_words = true;
	put(asking, ",\"mode\":\"%s\"", one_in(asking->simulation, 2) ? "on" : "off");
}

static void ask_mute(struct asking *asking)
{
	put_person(asking, "name");
	put(asking, ",\"on\":%s", one_in(asking->simulation, 2) ? "true" : "false");
}

static void put_squares(struct asking *asking, int one, int other)
{
	asking->question.squares[0] = one;
	asking->question.squares[1] = other;
	put(asking, ",\"squares\":[%d,%d]", one, other);
}

static void ask_any_move(struct asking *asking)
{
	put_own_room(asking);
	put_squares(asking, below(asking->simulation, 11), below(asking->simulation, 11));
}

static void ask_any_collapse(struct asking *asking)
{
	put_own_room(asking);
	put(asking, ",\"square\":%d,\"mark\":\"%c%d\"", below(asking->simulation, 11),
			one_in(asking->simulation, 2) ? 'X' : 'O',
			1 + below(asking->simulation, 9));
}

static void ask_nothing_more(struct asking *asking)
{
	(void)asking;
}

/* A room in which the client is to act, as far as its events are known, or NULL. */
static struct model_room *room_to_act_in(struct asking *asking)
{
	const struct judge *judge = asking->judge;
	struct model *model = &asking->simulation->model;

	/* Who waits for an answer does not know. */
	if (judge->question_count > 0 && !one_in(asking->simulation, 8)) {
		return NULL;
	}
	for (size_t i = judge->follow_count; i > 0; i--) {
		struct model_room *room = model_reach(model, judge->follows[i - 1].room, 0);
		const char *name = room->players[room->view.turn == 'O' ? 1 : 0];

		if (room->status == STATUS_PLAYING && strcmp(name, judge->name) == 0) {
			return room;
		}
	}
	return NULL;
}

static void ask_legal(struct asking *asking, const struct model_room *room)
{
	const struct slow_view *view = &room->view;
	const int *legal;

	put_room(asking, room->id);
	if (view->legal_count == 0) {
		asking->question.type = REQUEST_REMATCH;
		return;
	}
	legal = view->legal[below(asking->simulation, view->legal_count)];
	if (view->phase == SLOW_COLLAPSE) {
		asking->question.type = REQUEST_COLLAPSE;
		put(asking, ",\"square\":%d", legal[0]);
	} else {
		put_squares(asking, legal[0], legal[1]);
	}
	if (one_in(asking->simulation, 3)) {
		put(asking, ",\"move\":%d", view->move);
	}
}

/* Look away from what is no game of one's own any more; "": there is none such. */
static const char *room_to_leave(const struct asking *asking)
{
	const struct judge *judge = asking->judge;

	for (size_t i = 0; i < judge->follow_count; i++) {
		const struct model_room *room =
				model_reach(&asking->simulation->model, judge->follows[i].room, 0);

		if (room->status == STATUS_OVER ||
				(strcmp(room->players[0], judge->name) != 0 &&
						strcmp(room->players[1], judge->name) != 0)) {
			return room->id;
		}
	}
	return "";
}

/* An act whose time has come; who has nothing to do looks for a game, or leaves one. */
static void ask_act(struct asking *asking)
{
	struct simulation *simulation = asking->simulation;
	const struct model_room *room = room_to_act_in(asking);

	if (room != NULL) {
		ask_legal(asking, room);
	} else if (one_in(simulation, 10)) {
		ask_legal(asking, model_reach(&simulation->model,
						  own_room(simulation, asking->judge), 0));
	} else if (asking->judge->follow_count < 5) {
		asking->question.type = REQUEST_MATCH;
		put_clock(asking);
	} else if (room_to_leave(asking)[0] != '\0') {
		asking->question.type = REQUEST_LEAVE;
		put_room(asking, room_to_leave(asking));
	} else {
		asking->question.type = one_in(simulation, 20) ? REQUEST_RESIGN : REQUEST_PING;
		put_own_room(asking);
	}
}

static const struct {
	int weight;
	enum request_type type;
	void (*ask)(struct asking *asking);
} menu[] = {
		{15, REQUEST_HELLO, ask_hello},
		{400, REQUEST_MOVE, ask_act},
		{30, REQUEST_MOVE, ask_any_move},
		{30, REQUEST_COLLAPSE, ask_any_collapse},
		{20, REQUEST_MATCH, put_clock},
		{10, REQUEST_CREATE, ask_create},
		{40, REQUEST_JOIN, ask_join},
		{10, REQUEST_DECLINE, ask_any_room},
		{40, REQUEST_WATCH, ask_state},
		{30, REQUEST_STATE, ask_state},
		{30, REQUEST_LEAVE, ask_in_own_room},
		{30, REQUEST_SAY, ask_say},
		{30, REQUEST_DRAW, ask_draw},
		{8, REQUEST_RESIGN, ask_in_own_room},
		{8, REQUEST_ABORT, ask_in_own_room},
		{10, REQUEST_CLAIM, ask_in_own_room},
		{20, REQUEST_REMATCH, ask_in_own_room},
		{10, REQUEST_LOBBY, ask_lobby},
		{5, REQUEST_TEXT, ask_mode},
		{5, REQUEST_MUTE, ask_mute},
		{3, REQUEST_WHO, ask_nothing_more},
		{3, REQUEST_PING, ask_nothing_more},
		{1, REQUEST_HELP, ask_nothing_more},
		{2, REQUEST_QUIT, ask_nothing_more},
};

/* The first row. */
#define MENU_HELLO 0

static size_t pick_from_menu(struct simulation *simulation)
{
	int sum = 0;
	size_t i = 0;
	int left;

	for (size_t j = 0; j < sizeof(menu) / sizeof(*menu); j++) {
		sum += menu[j].weight;
	}
	left = below(simulation, sum);
	while (left >= menu[i].weight) {
		left -= menu[i].weight;
		i++;
	}
	return i;
}

void asking_nonsense(struct simulation *simulation, struct judge *judge)
{
	static const char *const lines[] = {"{", "[1,2]", "\"move\"", "?", "{\"type\":\"dance\"}",
			"{\"type\":7}", "dance with me", "move", "collapse nine",
			"{\"type\":\"move\",\"squares\":[1,2],\"squares\":[1,2]}",
			"{\"type\":\"hello\",\"token\":\"short\"}", "{\"type\":\"say\"}",
			"{\"type\":\"create\",\"clock\":\"0+2\"}", "hello name=guest-abcde"};

	judge_expect(judge, &(struct question){.type = REQUEST_COUNT});
	client_say(judge->client, "%s",
			lines[below(simulation, (int)(sizeof(lines) / sizeof(*lines)))]);
}

static void say_from_menu(struct simulation *simulation, struct judge *judge, size_t choice)
{
	struct asking asking = {.simulation = simulation,
			.judge = judge,
			.question = {.id = ++simulation->next_id, .type = menu[choice].type}};

	menu[choice].ask(&asking);
	judge_expect(judge, &asking.question);
	client_say(judge->client, "{\"type\":\"%s\",\"id\":%d%s}",
			request_row(asking.question.type)->name, asking.question.id,
			asking.members);
}

void asking_hello(struct simulation *simulation, struct judge *judge)
{
	say_from_menu(simulation, judge, MENU_HELLO);
}

void asking_something(struct simulation *simulation, struct judge *judge)
{
	say_from_menu(simulation, judge, pick_from_menu(simulation));
}
