/* Everything at once: players and watchers who ask at random, come, go and read slowly, on a store
 * that is late, refuses and does not know, under a server that starts again now and then. What each
 * is told is judged all the while. QTTT_SEED and QTTT_STEPS say which world and for how long. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/requests.h"
#include "server/ops/memory.h"
#include "tests/unit/game/random.h"
#include "tests/world/judge.h"

#define STEPS 150000
#define CONNECTIONS 24
/* Who has a name of his own, with a token that he chose. */
#define PEOPLE 8
/* Tokens of guests that were told, to come back with. */
#define GUESTS 8
/* Rooms that anybody talks about: the newest ones. */
#define KNOWN_ROOMS 12
#define STALLED_BYTES (WORLD_BEHIND_BYTES + 1)

struct simulation {
	struct world *world;
	struct model model;
	uint64_t random;
	struct judge *judges[CONNECTIONS]; /* NULL: not connected */
	char guests[GUESTS][TOKEN_SIZE];
	char rooms[KNOWN_ROOMS][ROOM_ID_SIZE];
	size_t room_count; /* all that were ever known */
	int next_id;
	uint64_t replies;
	uint64_t restarts;
};

static int below(struct simulation *simulation, int n)
{
	return random_below(&simulation->random, n);
}

static bool one_in(struct simulation *simulation, int n)
{
	return below(simulation, n) == 0;
}

/* Coming and going. */

static void settle_accounts(struct simulation *simulation, size_t place)
{
	struct judge *judge = simulation->judges[place];

	judge_look(judge);
	simulation->replies += judge->replies;
	if (judge->token[0] != '\0') {
		strcpy(simulation->guests[below(simulation, GUESTS)], judge->token);
	}
	client_free(judge->client);
	judge_free(judge);
	simulation->judges[place] = NULL;
}

static void connect_at(struct simulation *simulation, size_t place)
{
	simulation->judges[place] =
			judge_new(client_connect(simulation->world), &simulation->model);
}

static void drop(struct simulation *simulation, size_t place)
{
	client_drop(simulation->judges[place]->client);
	settle_accounts(simulation, place);
}

/* Look at what came to all; who was closed is gone. */
static void look_at_all(struct simulation *simulation)
{
	for (size_t i = 0; i < CONNECTIONS; i++) {
		struct judge *judge = simulation->judges[i];

		if (judge == NULL) {
			continue;
		}
		judge_look(judge);
		if (judge->client->session == NULL) {
			settle_accounts(simulation, i);
		}
	}
}

/* Rooms. */

static void know_room(struct simulation *simulation, const char *room)
{
	strcpy(simulation->rooms[simulation->room_count % KNOWN_ROOMS], room);
	simulation->room_count++;
}

/* A room that somebody has heard of, or one that is not there. */
static const char *any_room(struct simulation *simulation)
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
		return any_room(simulation);
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

static void ask_create(struct asking *asking)
{
	put_side(asking);
	if (one_in(asking->simulation, 4)) {
		put_person(asking, "opponent");
	}
	if (one_in(asking->simulation, 5)) {
		put(asking, ",\"private\":true,\"title\":\"\\\"seq\\\":9,\"");
	}
}

static void ask_join(struct asking *asking)
{
	put_room(asking, any_room(asking->simulation));
	put_side(asking);
}

static void ask_any_room(struct asking *asking)
{
	put_room(asking, any_room(asking->simulation));
}

static void ask_state(struct asking *asking)
{
	put_room(asking, any_room(asking->simulation));
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
		{20, REQUEST_MATCH, ask_nothing_more},
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
		{20, REQUEST_REMATCH, ask_in_own_room},
		{10, REQUEST_LOBBY, ask_lobby},
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

	for (size_t j = 0; j < sizeof menu / sizeof *menu; j++) {
		sum += menu[j].weight;
	}
	left = below(simulation, sum);
	while (left >= menu[i].weight) {
		left -= menu[i].weight;
		i++;
	}
	return i;
}

static void say_nonsense(struct simulation *simulation, struct judge *judge)
{
	static const char *const lines[] = {"{", "[1,2]", "\"move\"", "?", "{\"type\":\"dance\"}",
			"{\"type\":7}", "dance with me", "move", "collapse nine",
			"{\"type\":\"move\",\"squares\":[1,2],\"squares\":[1,2]}",
			"{\"type\":\"hello\",\"token\":\"short\"}", "{\"type\":\"say\"}",
			"{\"type\":\"create\",\"clock\":\"3+2\"}", "hello name=guest-abcde"};

	judge_expect(judge, &(struct question){.type = REQUEST_COUNT});
	client_say(judge->client, "%s",
			lines[below(simulation, (int)(sizeof lines / sizeof *lines))]);
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

/* A new connection; most people say first who they are. */
static void come_in(struct simulation *simulation, size_t place)
{
	connect_at(simulation, place);
	if (!one_in(simulation, 4)) {
		say_from_menu(simulation, simulation->judges[place], MENU_HELLO);
	}
}

/* One connection does something. */
static void act(struct simulation *simulation)
{
	size_t place = (size_t)below(simulation, CONNECTIONS);
	struct judge *judge = simulation->judges[place];

	if (judge == NULL) {
		come_in(simulation, place);
	} else if (one_in(simulation, 400)) {
		drop(simulation, place);
	} else if (one_in(simulation, 800)) {
		client_half_close(judge->client);
	} else if (one_in(simulation, judge->client->queued > 0 ? 4 : 60)) {
		if (judge->client->queued == 0) {
			client_stalls(judge->client, STALLED_BYTES);
		} else {
			client_stalls(judge->client, 0);
			judge_look_at_states(judge);
		}
	} else if (judge->question_count < JUDGE_QUESTIONS_MAX && !judge->client->ends) {
		if (one_in(simulation, 60)) {
			say_nonsense(simulation, judge);
		} else {
			say_from_menu(simulation, judge, pick_from_menu(simulation));
		}
	}
}

/* The store. */

static void turn_store(struct simulation *simulation)
{
	static const struct fickle_knobs moods[] = {
			{0},
			{.late = 300, .late_steps = 5},
			{.late = 700, .late_steps = 40},
			{.late = 300, .late_steps = 5, .unavailable = 100},
			{.late = 300, .late_steps = 5, .unknown = 100, .unknown_kept = 500},
			{.late = 300,
					.late_steps = 5,
					.unavailable = 100,
					.unknown = 100,
					.unknown_kept = 500,
					.not_readable = 300},
	};

	fickle_store_turn(simulation->world->store,
			&moods[below(simulation, (int)(sizeof moods / sizeof *moods))]);
}

/* All that is under way is carried out and told: then nothing may be left to tell. */
static void come_to_rest(struct simulation *simulation)
{
	for (size_t i = 0; i < CONNECTIONS; i++) {
		if (simulation->judges[i] != NULL && simulation->judges[i]->client->queued > 0) {
			client_stalls(simulation->judges[i]->client, 0);
		}
	}
	fickle_store_turn(simulation->world->store, &(struct fickle_knobs){0});
	for (int i = 0; i < 10 || !play_idle(simulation->world->play); i++) {
		world_advance(simulation->world, 500);
		assert_true(i < 1000);
	}
	look_at_all(simulation);
	for (size_t i = 0; i < CONNECTIONS; i++) {
		if (simulation->judges[i] != NULL) {
			judge_at_rest(simulation->judges[i]);
		}
	}
}

/* What is stored is what a server that starts anew tells, to the byte. */
static void compare_after_restart(struct simulation *simulation)
{
	struct client *client = client_connect(simulation->world);
	struct judge *judge = judge_new(client, &simulation->model);

	fickle_store_turn(simulation->world->store, &(struct fickle_knobs){0});
	for (int i = 0; i < 10; i++) {
		struct question question = {.id = i, .type = REQUEST_STATE, .has_since = true};
		const struct model_room *room =
				model_catch_up(&simulation->model, any_room(simulation));

		if (room->seq == 0) {
			continue;
		}
		strcpy(question.room, room->id);
		judge_expect(judge, &question);
		client_say(client, "{\"type\":\"state\",\"id\":%d,\"room\":\"%s\",\"since\":0}", i,
				room->id);
		world_settle(simulation->world);
		/* All of its events, and the reply. */
		assert_int_equal(client->count - client->read, room->seq + 1);
		judge_look(judge);
	}
	client_drop(client);
	judge_free(judge);
	client_free(client);
}

static void restart(struct simulation *simulation)
{
	if (one_in(simulation, 3)) {
		world_shutdown(simulation->world);
		world_settle(simulation->world);
		look_at_all(simulation);
	}
	world_restart(simulation->world);
	for (size_t i = 0; i < CONNECTIONS; i++) {
		if (simulation->judges[i] != NULL) {
			settle_accounts(simulation, i);
		}
	}
	simulation->restarts++;
	compare_after_restart(simulation);
}

/* Rooms that came up in the model are talked about from now on. */
static void hear_of_rooms(struct simulation *simulation, size_t *heard)
{
	for (; *heard < simulation->model.count; (*heard)++) {
		if (simulation->model.rooms[*heard]->seq > 0) {
			know_room(simulation, simulation->model.rooms[*heard]->id);
		}
	}
}

static void run(struct simulation *simulation, uint64_t steps)
{
	size_t heard = 0;

	for (uint64_t step = 1; step <= steps; step++) {
		act(simulation);
		simulation->world->now_ms += below(simulation, 60);
		world_step(simulation->world);
		look_at_all(simulation);
		hear_of_rooms(simulation, &heard);
		if (one_in(simulation, 500)) {
			turn_store(simulation);
		}
		if (one_in(simulation, 3000)) {
			come_to_rest(simulation);
			turn_store(simulation);
		}
		if (one_in(simulation, 10000)) {
			restart(simulation);
			turn_store(simulation);
		}
	}
	come_to_rest(simulation);
}

static void whatever_happens_what_is_told_is_true(void **state)
{
	uint64_t steps = number_from_environment("QTTT_STEPS", STEPS);
	struct simulation *simulation = memory_new(1, sizeof *simulation);

	(void)state;
	simulation->random = random_seed();
	simulation->world = world_new(random_next(&simulation->random), &(struct fickle_knobs){0});
	model_init(&simulation->model, simulation->world->store);
	run(simulation, steps);
	for (size_t i = 0; i < CONNECTIONS; i++) {
		if (simulation->judges[i] != NULL) {
			drop(simulation, i);
		}
	}
	printf("# %" PRIu64 " steps, %" PRIu64 " replies, %zu rooms, %" PRIu64 " actions, %" PRIu64
	       " games to the end, %" PRIu64 " restarts\n",
			steps, simulation->replies, simulation->model.count,
			simulation->model.actions, simulation->model.games, simulation->restarts);
	/* A world in which nothing happens proves nothing. */
	assert_true(simulation->replies > steps / 4);
	assert_true(simulation->model.actions > steps / 20);
	assert_true(simulation->model.games > steps / 1000);
	model_fini(&simulation->model);
	world_free(simulation->world);
	free(simulation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(whatever_happens_what_is_told_is_true),
	};

	return cmocka_run_group_tests_name("simulation", tests, NULL, NULL);
}
