/* Rooms: how players come together, and how they part. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"
#define TOKEN_B "BBBBBBBBBBBBBBBBBBBBBB"

/* Open a room and give its id; what came with it is read. */
static void create(struct client *client, const char *words, char ret_room[ROOM_ID_SIZE])
{
	message_copy(ret_room, ROOM_ID_SIZE, ask(client, "create %s", words)->room);
	world_settle(client->world);
	client_skip(client);
}

static void who_creates_sits_and_is_told_all_in_the_reply(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);
	const struct ok *ok = ask(ala, "create O title=An evening game");

	assert_int_equal(strlen(ok->room), LIMIT_ROOM_CHARS_MIN);
	assert_string_equal(ok->you, "ala");
	assert_int_equal(ok->seat, SEAT_O);
	assert_int_equal(ok->state->seq, 2);
	assert_int_equal(ok->state->status, STATUS_WAITING);
	assert_string_equal(ok->state->title, "An evening game");
	assert_string_equal(ok->state->players[1].name, "ala");
	assert_true(ok->state->players[1].online);
	assert_false(ok->state->players[0].taken);
	assert_int_equal(ok->state->spectators, 0);
	world_advance(*state, 5000);
	client_nothing(ala);
}

static void a_side_left_to_chance_is_now_x_now_o(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);
	int count[3] = {0};

	for (int i = 0; i < 30; i++) {
		count[ask(ala, "create")->seat]++;
		client_skip(ala);
	}
	assert_true(count[SEAT_X] > 3 && count[SEAT_O] > 3);
}

static void a_game_starts_when_the_second_seat_is_taken(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);
	struct client *ola = client_connect_as(*state, "ola", NULL);
	char room[ROOM_ID_SIZE];
	const struct ok *ok;

	create(ala, "X", room);
	ok = ask(ola, "join %s", room);
	assert_int_equal(ok->seat, SEAT_O);
	assert_int_equal(ok->state->seq, 4);
	assert_int_equal(ok->state->status, STATUS_PLAYING);
	assert_string_equal(client_event(ala, EVENT_SEATED)->seated.player, "ola");
	assert_string_equal(client_event(ala, EVENT_STARTED)->started.players[0], "ala");
	client_nothing(ala);
	client_nothing(ola);
	/* Asked again by someone seated: the same. */
	ok = ask(ola, "join %s", room);
	assert_int_equal(ok->seat, SEAT_O);
	assert_int_equal(ok->state->seq, 4);
	assert_int_equal(ask(ala, "join %s X", room)->seat, SEAT_X);
}

static void a_third_finds_no_seat(void **state)
{
	struct client *client;
	struct table table;

	table_open(*state, "ala", "ola", &table);
	client = client_connect_as(*state, "ela", NULL);
	ask_refused(client, CODE_ROOM_FULL, "join %s", table.room);
	table_play(&table, "1-5");
	ask(table.x, "resign");
	ask_refused(client, CODE_GAME_OVER, "join %s", table.room);
	ask_refused(client, CODE_NO_SUCH_ROOM, "join 23456");
	ask_refused(client, CODE_NO_SUCH_ROOM, "join nothing-like-a-room");
}

static void a_side_that_is_taken_is_refused(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);
	struct client *ola = client_connect_as(*state, "ola", NULL);
	char room[ROOM_ID_SIZE];

	create(ala, "X", room);
	ask_refused(ola, CODE_ROOM_FULL, "join %s X", room);
	assert_int_equal(ask(ola, "join %s O", room)->seat, SEAT_O);
}

static void two_who_join_at_once_get_one_seat(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct client *ela = client_connect_as(world, "ela", NULL);
	char room[ROOM_ID_SIZE];

	create(ala, "X", room);
	client_say(ola, "join %s", room);
	client_say(ela, "join %s", room);
	world_settle(world);
	client_ok(ola, REQUEST_JOIN);
	client_error(ela, CODE_ROOM_FULL);
}

static void a_room_id_is_taken_in_any_case(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);
	struct client *ola = client_connect_as(*state, "ola", NULL);
	char room[ROOM_ID_SIZE];

	create(ala, "X", room);
	for (char *letter = room; *letter != '\0'; letter++) {
		*letter = (char)(*letter >= 'a' ? *letter - 'a' + 'A' : *letter);
	}
	ask(ola, "{\"type\":\"join\",\"room\":\"%s\"}", room);
}

static void two_who_match_meet(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);
	struct client *ola = client_connect_as(*state, "ola", NULL);
	char room[ROOM_ID_SIZE];
	const struct ok *ok = ask(ala, "match");

	assert_int_equal(ok->state->status, STATUS_WAITING);
	strcpy(room, ok->room);
	/* Asked again while waiting: the same room. */
	assert_string_equal(ask(ala, "match")->room, room);
	ok = ask(ola, "match");
	assert_string_equal(ok->room, room);
	assert_int_equal(ok->state->status, STATUS_PLAYING);
}

static void many_who_match_at_the_same_moment_meet_in_pairs(void **state)
{
	struct world *world = *state;
	struct client *clients[9];
	size_t playing = 0;

	/* Nameless: each is given a name on the way. */
	for (size_t i = 0; i < 9; i++) {
		clients[i] = client_connect(world);
	}
	for (size_t i = 0; i < 9; i++) {
		client_say(clients[i], "match");
	}
	world_settle(world);
	for (size_t i = 0; i < 9; i++) {
		const char *room = client_ok(clients[i], REQUEST_MATCH)->room;
		struct client *watcher = client_connect(world);

		playing += ask(watcher, "state %s", room)->state->status == STATUS_PLAYING ? 1 : 0;
	}
	assert_int_equal(playing, 8);
}

static void two_who_match_while_the_store_is_slow_meet(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);

	world_hold(world);
	client_say(ala, "match");
	client_say(ola, "match");
	world_settle(world);
	client_nothing(ala);
	client_nothing(ola);
	world_release(world);
	assert_int_equal(client_ok(ala, REQUEST_MATCH)->state->status, STATUS_WAITING);
	client_event(ala, EVENT_SEATED);
	client_event(ala, EVENT_STARTED);
	assert_int_equal(client_ok(ola, REQUEST_MATCH)->state->status, STATUS_PLAYING);
}

static void a_match_does_not_wait_for_a_seat_that_another_is_getting(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct client *ela = client_connect_as(world, "ela", NULL);

	ask(ala, "match");
	world_hold(world);
	client_say(ola, "match");
	client_say(ela, "match");
	world_settle(world);
	/* One takes the seat, and the other opens a room meanwhile. */
	assert_int_equal(fickle_store_waiting(world->store), 2);
	world_release(world);
	assert_int_equal(client_ok(ola, REQUEST_MATCH)->state->status, STATUS_PLAYING);
	assert_int_equal(client_ok(ela, REQUEST_MATCH)->state->status, STATUS_WAITING);
}

static void a_match_that_could_not_be_stored_lets_the_next_one_open(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);

	world_hold(world);
	client_say(ala, "match");
	client_say(ola, "match");
	world_settle(world);
	world_store_refuses(world);
	world_release(world);
	world_store_works(world);
	client_error(ala, CODE_UNAVAILABLE);
	client_error(ola, CODE_UNAVAILABLE);
	ask(ola, "match");
	client_nothing(ola);
}

static void a_seat_that_was_missed_does_not_count(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;

	world_limit(world, &(struct play_limits){.rooms_per_name = 1});
	ala = client_connect_as(world, "ala", NULL);
	ola = client_connect_as(world, "ola", NULL);
	ask(ala, "match");
	world_hold(world);
	client_say(ala, "leave");
	client_say(ola, "match");
	world_settle(world);
	world_release(world);
	world_settle(world);
	client_ok(ola, REQUEST_MATCH);
}

static void a_match_leaves_out_rooms_that_are_not_for_anybody(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct client *ela = client_connect_as(world, "ela", NULL);
	char rooms[2][ROOM_ID_SIZE];

	create(ala, "private", rooms[0]);
	create(ala, "opponent=ela", rooms[1]);
	client_event(ela, EVENT_INVITED);
	/* Neither a private room, nor a kept seat, nor a creator who is away. */
	create(client_connect_as(world, "ida", NULL), "X", rooms[0]);
	client_drop(world->clients[world->client_count - 1]);
	assert_int_equal(ask(ola, "match")->state->status, STATUS_WAITING);
	assert_int_equal(ask(ela, "match")->state->status, STATUS_PLAYING);
}

static void a_kept_seat_is_for_the_invited_alone(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct client *ela = client_connect_as(world, "ela", NULL);
	const struct event *event;
	char room[ROOM_ID_SIZE];

	create(ala, "OLA X", room);
	event = client_event(ola, EVENT_INVITED);
	assert_string_equal(event->room, room);
	assert_string_equal(event->invited.player, "ala");
	client_nothing(ola);
	ask_refused(ela, CODE_NOT_ALLOWED, "join %s", room);
	/* Watching is for all. */
	ask(ela, "watch %s", room);
	assert_int_equal(ask(ola, "join %s", room)->seat, SEAT_O);
}

static void an_invitation_needs_a_player(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);

	ask_refused(ala, CODE_NO_SUCH_PLAYER, "create ola");
	assert_string_equal(ask_refused(ala, CODE_BAD_REQUEST, "create opponent=ALA")->field,
			"opponent");
}

static void who_was_away_is_invited_when_he_says_hello(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", TOKEN_B);
	char room[ROOM_ID_SIZE];

	client_drop(ola);
	create(ala, "ola", room);
	ola = client_connect(world);
	assert_int_equal(ask(ola, "hello token=%s", TOKEN_B)->own_room_count, 0);
	assert_string_equal(client_event(ola, EVENT_INVITED)->room, room);
	client_nothing(ola);
	world_restart(world);
	ola = client_connect(world);
	ask(ola, "hello token=%s", TOKEN_B);
	assert_string_equal(client_event(ola, EVENT_INVITED)->room, room);
	ask(ola, "join %s", room);
	/* Accepted: it stands no more. */
	ola = client_connect(world);
	ask(ola, "hello token=%s", TOKEN_B);
	client_event(ola, EVENT_STATE);
	client_nothing(ola);
}

static void an_invitation_from_someone_muted_is_not_heard(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", TOKEN_B);
	struct client *again = client_connect(world);
	char room[ROOM_ID_SIZE];

	ask(ola, "mute ala");
	create(ala, "ola", room);
	client_nothing(ola);
	ask(again, "hello token=%s", TOKEN_B);
	client_nothing(again);
	ask(ola, "join %s", room);
}

/* Two names invite him at one moment, while nothing is stored yet. */
static void invitations_that_are_being_stored_count(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ela;

	world_limit(world, &(struct play_limits){.invites_per_name = 1});
	client_connect_as(world, "ola", NULL);
	ala = client_connect_as(world, "ala", NULL);
	ela = client_connect_as(world, "ela", NULL);
	world_hold(world);
	client_say(ala, "create ola");
	client_say(ela, "create ola");
	world_settle(world);
	client_error(ela, CODE_TOO_MANY_ROOMS);
	world_store_refuses(world);
	world_release(world);
	client_error(ala, CODE_UNAVAILABLE);
	world_store_works(world);
	/* What could not be stored counts no more. */
	ask(ela, "create ola");
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "create ola");
}

static void an_invited_guest_who_claims_a_name_may_still_come(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *guest = client_connect(world);
	char room[ROOM_ID_SIZE];

	create(ala, ask(guest, "hello")->name, room);
	client_event(guest, EVENT_INVITED);
	ask(guest, "hello ola");
	assert_string_equal(client_event(guest, EVENT_INVITED)->room, room);
	assert_string_equal(ask(guest, "join %s", room)->you, "ola");
}

static void assert_invited(struct client *client, const char *room)
{
	bool invited = false;

	while (client_unread(client) > 0) {
		const struct message *message = client_next(client);
		invited = invited ||
			  (message->kind == MESSAGE_EVENT && message->event.type == EVENT_INVITED &&
					  strcmp(message->event.room, room) == 0);
	}
	assert_true(invited);
}

static void a_guest_who_claims_a_name_while_he_is_invited_is_told(void **state)
{
	static const struct fickle_knobs knobs = {0};

	/* Some of the seeds store the claim first, some the room. */
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct world *world = world_new(seed, &knobs);
		struct client *ala = client_connect_as(world, "ala", NULL);
		struct client *guest = client_connect(world);
		char name[NAME_SIZE];
		char room[ROOM_ID_SIZE];

		strcpy(name, ask(guest, "hello")->name);
		world_hold(world);
		client_say(guest, "hello ola");
		world_settle(world);
		client_say(ala, "create %s", name);
		world_settle(world);
		world_release(world);
		strcpy(room, client_ok(ala, REQUEST_CREATE)->room);
		assert_invited(guest, room);
		assert_string_equal(ask(guest, "join %s", room)->you, "ola");
		world_free(world);
	}
	(void)state;
}

static void declining_closes_the_room(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct client *ela = client_connect_as(world, "ela", NULL);
	const struct event *event;
	char room[ROOM_ID_SIZE];

	create(ala, "ola", room);
	client_skip(ola);
	ask_refused(ela, CODE_NOT_ALLOWED, "decline %s", room);
	ask_refused(ala, CODE_NOT_ALLOWED, "decline %s", room);
	ask_refused(client_connect(world), CODE_NOT_ALLOWED, "decline %s", room);
	client_say(ola, "decline %s", room);
	world_settle(world);
	client_reads(ola, "{\"type\":\"ok\",\"to\":\"decline\",\"room\":\"%s\"}", room);
	client_nothing(ola);
	event = client_event(ala, EVENT_ENDED);
	assert_int_equal(event->ended.result.cause, CAUSE_DECLINED);
	assert_false(event->ended.result.scored);
	ask_refused(ola, CODE_GAME_OVER, "decline %s", room);
	ask_refused(ola, CODE_GAME_OVER, "join %s", room);
	create(ela, "X", room);
	ask_refused(ola, CODE_NOT_ALLOWED, "decline %s", room);
}

static void an_accepted_invitation_cant_be_declined(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);
	struct client *ola = client_connect_as(*state, "ola", NULL);
	char room[ROOM_ID_SIZE];

	create(ala, "ola", room);
	client_skip(ola);
	ask(ola, "join %s", room);
	ask_refused(ola, CODE_TOO_LATE, "decline %s", room);
}

static void a_waiting_room_closes_when_its_creator_leaves(void **state)
{
	struct client *ala = client_connect_as(*state, "ala", NULL);
	struct client *ola = client_connect_as(*state, "ola", NULL);
	char room[ROOM_ID_SIZE];

	create(ala, "X", room);
	ask(ola, "watch %s", room);
	world_settle(*state);
	client_skip(ola);
	client_skip(ala);
	client_say(ala, "leave");
	world_settle(*state);
	client_reads(ala, "{\"type\":\"ok\",\"to\":\"leave\",\"room\":\"%s\"}", room);
	client_nothing(ala);
	assert_int_equal(client_event(ola, EVENT_ENDED)->ended.result.cause, CAUSE_CREATOR_LEFT);
	ask_refused(ala, CODE_NOT_IN_ROOM, "leave");
}

static void leaving_a_running_game_is_only_to_look_away(void **state)
{
	struct table table;

	table_open(*state, "ala", "ola", &table);
	ask(table.o, "leave");
	ask(table.x, "move 1 5");
	client_skip(table.x);
	client_nothing(table.o);
	ask_refused(table.o, CODE_NOT_IN_ROOM, "move 2 3");
	assert_int_equal(ask(table.o, "move 2 3 room=%s", table.room)->seq, 6);
	client_nothing(table.o);
	client_event(table.x, EVENT_MOVED);
	ask_refused(table.o, CODE_NOT_IN_ROOM, "leave %s", table.room);
}

static void a_private_room_is_in_no_list_but_open_to_who_knows_it(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	const struct ok *ok;
	char room[ROOM_ID_SIZE];

	create(ala, "private", room);
	assert_true(strlen(room) >= LIMIT_ROOM_CHARS_PRIVATE);
	assert_int_equal(ask(ola, "lobby")->summary_count, 0);
	ok = ask(ola, "who");
	for (size_t i = 0; i < ok->player_count; i++) {
		assert_string_equal(ok->players[i].room, "");
	}
	assert_true(ask(ola, "watch %s", room)->state->is_private);
	client_skip(ola);
	ask(ola, "join %s", room);
	client_skip(ola);
	assert_int_equal(ask(ola, "lobby playing")->summary_count, 0);
}

static void the_room_may_be_left_out_while_one_game_runs(void **state)
{
	struct world *world = *state;
	struct table table;
	char rooms[2][ROOM_ID_SIZE];

	ask_refused(client_connect(world), CODE_NOT_IN_ROOM, "state");
	table_open(world, "ala", "ola", &table);
	assert_string_equal(ask(table.x, "state")->room, table.room);
	create(table.x, "X", rooms[0]);
	assert_string_equal(ask_refused(table.x, CODE_BAD_REQUEST, "state")->field, "room");
	ask(table.x, "resign %s", table.room);
	client_skip(table.x);
	/* One runs, one is over: the one that runs. */
	assert_string_equal(ask(table.x, "state")->room, rooms[0]);
	world_advance(world, 1000);
	ask(table.x, "leave");
	client_skip(table.x);
	assert_string_equal(ask(table.x, "state")->room, table.room);
	/* None runs: the one that ended last. */
	create(table.x, "X", rooms[1]);
	create(client_connect_as(world, "ela", NULL), "O", rooms[0]);
	ask(table.x, "join %s", rooms[0]);
	client_skip(table.x);
	ask(table.x, "resign %s", rooms[0]);
	world_advance(world, 1000);
	client_skip(table.x);
	ask(table.x, "leave %s", rooms[1]);
	client_skip(table.x);
	assert_string_equal(ask(table.x, "state")->room, rooms[0]);
}

/* Rooms that others have opened, none of them over. */
static void open_many(struct world *world, size_t count, char (*ret_rooms)[ROOM_ID_SIZE],
		struct client **ret_creator)
{
	struct client *creator = NULL;

	for (size_t i = 0; i < count; i++) {
		if (i % LIMIT_ROOMS_FOLLOWED == 0) {
			creator = client_connect(world);
			ask(creator, "hello");
		}
		create(creator, "X", ret_rooms[i]);
		ret_creator[i] = creator;
		world_advance(world, 1);
		client_skip(creator);
	}
}

static void a_connection_follows_so_many_rooms_and_no_more(void **state)
{
	struct world *world = *state;
	char rooms[LIMIT_ROOMS_FOLLOWED + 1][ROOM_ID_SIZE];
	struct client *creators[LIMIT_ROOMS_FOLLOWED + 1];
	struct client *ala = client_connect_as(world, "ala", NULL);

	open_many(world, LIMIT_ROOMS_FOLLOWED + 1, rooms, creators);
	for (size_t i = 0; i < LIMIT_ROOMS_FOLLOWED; i++) {
		ask(ala, "watch %s", rooms[i]);
		world_advance(world, 2000);
		client_skip(ala);
	}
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "watch %s", rooms[LIMIT_ROOMS_FOLLOWED]);
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "join %s", rooms[LIMIT_ROOMS_FOLLOWED]);
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "create");
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "match");
	/* One that is followed already is no further one; a look is none at all. */
	ask(ala, "watch %s", rooms[0]);
	ask(ala, "state %s", rooms[LIMIT_ROOMS_FOLLOWED]);
	ask(ala, "leave %s", rooms[0]);
	ask(ala, "watch %s", rooms[LIMIT_ROOMS_FOLLOWED]);
}

static void the_room_that_ended_longest_ago_makes_place(void **state)
{
	struct world *world = *state;
	char rooms[LIMIT_ROOMS_FOLLOWED + 2][ROOM_ID_SIZE];
	struct client *creators[LIMIT_ROOMS_FOLLOWED + 2];
	struct client *ala = client_connect_as(world, "ala", NULL);

	open_many(world, LIMIT_ROOMS_FOLLOWED + 2, rooms, creators);
	for (size_t i = 0; i < LIMIT_ROOMS_FOLLOWED; i++) {
		ask(ala, "watch %s", rooms[i]);
		client_skip(ala);
	}
	client_skip(creators[0]);
	/* The second ends before the first. */
	ask(creators[1], "leave %s", rooms[1]);
	world_advance(world, 1000);
	client_skip(creators[0]);
	ask(creators[0], "leave %s", rooms[0]);
	world_advance(world, 1000);
	client_skip(ala);
	ask(ala, "watch %s", rooms[LIMIT_ROOMS_FOLLOWED]);
	world_advance(world, 1000);
	client_skip(ala);
	ask_refused(ala, CODE_NOT_IN_ROOM, "leave %s", rooms[1]);
	ask(ala, "create");
	world_advance(world, 1000);
	client_skip(ala);
	ask_refused(ala, CODE_NOT_IN_ROOM, "leave %s", rooms[0]);
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "watch %s", rooms[0]);
}

static void the_lobby_is_given_in_pages_oldest_first(void **state)
{
	struct world *world = *state;
	char rooms[7][ROOM_ID_SIZE];
	struct client *creators[7];
	struct client *ala = client_connect(world);
	char next[CURSOR_SIZE] = "";
	size_t seen = 0;

	open_many(world, 7, rooms, creators);
	for (int page = 0; page < 3; page++) {
		const struct ok *ok = seen == 0 ? ask(ala, "lobby limit=3")
						: ask(ala, "lobby limit=3 after=%s", next);

		for (size_t i = 0; i < ok->summary_count; i++) {
			assert_string_equal(ok->summaries[i].room, rooms[seen++]);
		}
		strcpy(next, ok->next);
	}
	assert_int_equal(seen, 7);
	assert_string_equal(next, "");
	assert_string_equal(
			ask_refused(ala, CODE_BAD_REQUEST, "lobby after=nonsense")->field, "after");
}

static void one_name_can_not_take_all_places_for_invitations(void **state)
{
	struct world *world = *state;
	struct client *ala;
	struct client *ola;
	char room[ROOM_ID_SIZE];

	world_limit(world, &(struct play_limits){.invites_per_name = 32});
	ala = client_connect_as(world, "ala", NULL);
	ola = client_connect_as(world, "ola", NULL);
	for (int i = 0; i < 4; i++) {
		create(ala, "ola private", room);
	}
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "create ola private");
	create(client_connect_as(world, "ela", NULL), "ola", room);
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "create ola");
	create(ala, "ela", room);
	message_copy(room, sizeof(room), client_event(ola, EVENT_INVITED)->room);
	client_skip(ola);
	ask(ola, "decline %s", room);
	client_skip(ala);
	create(ala, "ola", room);
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "create ola");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(who_creates_sits_and_is_told_all_in_the_reply),
			WORLD_TEST(a_side_left_to_chance_is_now_x_now_o),
			WORLD_TEST(a_game_starts_when_the_second_seat_is_taken),
			WORLD_TEST(a_third_finds_no_seat),
			WORLD_TEST(a_side_that_is_taken_is_refused),
			WORLD_TEST(two_who_join_at_once_get_one_seat),
			WORLD_TEST(a_room_id_is_taken_in_any_case),
			WORLD_TEST(two_who_match_meet),
			WORLD_TEST(many_who_match_at_the_same_moment_meet_in_pairs),
			WORLD_TEST(two_who_match_while_the_store_is_slow_meet),
			WORLD_TEST(a_match_does_not_wait_for_a_seat_that_another_is_getting),
			WORLD_TEST(a_match_that_could_not_be_stored_lets_the_next_one_open),
			WORLD_TEST(a_seat_that_was_missed_does_not_count),
			WORLD_TEST(a_match_leaves_out_rooms_that_are_not_for_anybody),
			WORLD_TEST(a_kept_seat_is_for_the_invited_alone),
			WORLD_TEST(an_invitation_needs_a_player),
			WORLD_TEST(who_was_away_is_invited_when_he_says_hello),
			WORLD_TEST(invitations_that_are_being_stored_count),
			WORLD_TEST(an_invitation_from_someone_muted_is_not_heard),
			WORLD_TEST(an_invited_guest_who_claims_a_name_may_still_come),
			WORLD_TEST(a_guest_who_claims_a_name_while_he_is_invited_is_told),
			WORLD_TEST(declining_closes_the_room),
			WORLD_TEST(one_name_can_not_take_all_places_for_invitations),
			WORLD_TEST(an_accepted_invitation_cant_be_declined),
			WORLD_TEST(a_waiting_room_closes_when_its_creator_leaves),
			WORLD_TEST(leaving_a_running_game_is_only_to_look_away),
			WORLD_TEST(a_private_room_is_in_no_list_but_open_to_who_knows_it),
			WORLD_TEST(the_room_may_be_left_out_while_one_game_runs),
			WORLD_TEST(a_connection_follows_so_many_rooms_and_no_more),
			WORLD_TEST(the_room_that_ended_longest_ago_makes_place),
			WORLD_TEST(the_lobby_is_given_in_pages_oldest_first),
	};

	return cmocka_run_group_tests_name("rooms", tests, NULL, NULL);
}
