/* A store that is late, refuses, does not know, or is written to by others as well. */
#include <stdio.h>
#include <string.h>

#include "tests/world/world.h"

#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"
#define TOKEN_B "BBBBBBBBBBBBBBBBBBBBBB"

static void what_cant_be_stored_did_not_happen(void **state)
{
	struct world *world = *state;
	struct client *ela = client_connect_as(world, "ela", NULL);
	struct client *watcher = client_connect(world);
	const struct error *error;
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask(watcher, "watch %s", table.room);
	world_advance(world, 2000);
	client_skip(watcher);
	client_skip(table.x);
	client_skip(table.o);
	world_store_refuses(world);
	error = ask_refused(table.x, CODE_UNAVAILABLE, "move 1 5");
	assert_int_equal(error->seq, 4);
	ask_refused(table.x, CODE_UNAVAILABLE, "resign");
	ask_refused(ela, CODE_UNAVAILABLE, "create");
	ask_refused(ela, CODE_UNAVAILABLE, "match");
	ask_refused(ela, CODE_UNAVAILABLE, "mute ala");
	ask_refused(client_connect(world), CODE_UNAVAILABLE, "hello ada");
	ask_refused(client_connect(world), CODE_UNAVAILABLE, "hello");
	world_store_works(world);
	client_nothing(table.o);
	client_nothing(watcher);
	assert_int_equal(ask(watcher, "lobby")->summary_count, 0);
	assert_int_equal(ask(table.x, "state")->state->seq, 4);
	assert_int_equal(ask(table.x, "move 1 5")->seq, 5);
	client_skip(watcher);
	ask(client_connect(world), "hello ada");
}

static void a_claim_that_cant_be_stored_leaves_the_guest_as_he_was(void **state)
{
	struct world *world = *state;
	struct client *guest = client_connect(world);
	char name[NAME_SIZE];

	strcpy(name, ask(guest, "hello")->name);
	ask(guest, "create X");
	ask_unstored(guest, "hello ala");
	assert_string_equal(ask(guest, "state")->state->players[0].name, name);
	assert_string_equal(ask(guest, "hello ala")->name, "ala");
	assert_string_equal(client_event(guest, EVENT_STATE)->state.players[0].name, "ala");
}

/* Commits end in UNKNOWN, and what is stored can't be read for a while. */
static void store_is_gone(struct world *world, bool kept)
{
	fickle_store_turn(world->store, &(struct fickle_knobs){.unknown = 1000,
							.unknown_kept = kept ? 1000 : 0,
							.not_readable = 1000});
}

static size_t frozen(const struct world *world)
{
	struct play_counts counts;

	play_count(world->play, &counts);
	return counts.frozen;
}

static void an_unknown_outcome_that_was_kept_is_ok_in_the_end(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	store_is_gone(world, true);
	client_say(table.x, "move 1 5");
	client_say(table.o, "move 2 6");
	world_advance(world, 2000);
	/* It is there, but nobody may be told before that is sure. */
	assert_int_equal(world_stored(world, table.room), 5);
	assert_int_equal(frozen(world), 1);
	client_nothing(table.x);
	client_nothing(table.o);
	world_store_works(world);
	world_advance(world, 2000);
	assert_int_equal(client_ok(table.x, REQUEST_MOVE)->seq, 5);
	assert_int_equal(client_event(table.x, EVENT_MOVED)->seq, 5);
	assert_int_equal(client_event(table.o, EVENT_MOVED)->seq, 5);
	assert_int_equal(client_ok(table.o, REQUEST_MOVE)->seq, 6);
	assert_int_equal(frozen(world), 0);
}

static void an_unknown_outcome_that_was_not_kept_is_unavailable_in_the_end(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	store_is_gone(world, false);
	client_say(table.x, "move 1 5");
	client_say(table.o, "draw");
	world_advance(world, 2000);
	client_nothing(table.x);
	client_nothing(table.o);
	world_store_works(world);
	world_advance(world, 2000);
	assert_int_equal(client_error(table.x, CODE_UNAVAILABLE)->seq, 4);
	/* What waited behind it goes on. */
	assert_int_equal(client_event(table.x, EVENT_DRAW_OFFERED)->seq, 5);
	assert_int_equal(client_ok(table.o, REQUEST_DRAW)->seq, 5);
	client_event(table.o, EVENT_DRAW_OFFERED);
	client_nothing(table.x);
	client_nothing(table.o);
}

static void a_room_whose_opening_was_unknown_is_settled(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];

	world_store_forgets(world, true);
	strcpy(room, ask(ala, "create X")->room);
	world_store_forgets(world, false);
	ask_refused(ala, CODE_UNAVAILABLE, "create X");
	world_store_works(world);
	assert_int_equal(ask(ola, "lobby")->summary_count, 1);
	ask(ola, "join %s", room);
}

static void a_name_whose_claim_was_unknown_is_settled(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect(world);
	struct client *ola = client_connect(world);
	struct client *guest = client_connect(world);
	char room[ROOM_ID_SIZE];

	strcpy(room, ask(guest, "create X")->room);
	world_store_forgets(world, true);
	assert_string_equal(ask(ala, "hello ala token=%s", TOKEN_A)->name, "ala");
	assert_string_equal(ask(guest, "hello ela")->own_rooms[0], room);
	client_skip(guest);
	world_store_forgets(world, false);
	ask_refused(ola, CODE_UNAVAILABLE, "hello ola token=%s", TOKEN_B);
	ask_refused(ala, CODE_UNAVAILABLE, "mute ela");
	world_store_works(world);
	ask(ola, "hello ola token=%s", TOKEN_B);
	assert_string_equal(ask(guest, "state")->state->players[0].name, "ela");
	world_restart(world);
	ala = client_connect(world);
	assert_string_equal(ask(ala, "hello token=%s", TOKEN_A)->name, "ala");
	assert_int_equal(ask(ala, "mute ola")->muted_count, 1);
	assert_string_equal(ask(ala, "state %s", room)->state->players[0].name, "ela");
}

static void a_rematch_whose_outcome_was_unknown_is_settled(void **state)
{
	struct world *world = *state;
	struct table table;
	char room[ROOM_ID_SIZE];

	table_open(world, "ala", "ola", &table);
	ask(table.x, "resign");
	client_skip(table.x);
	ask(table.x, "rematch");
	client_skip(table.x);
	client_skip(table.o);
	world_store_forgets(world, false);
	ask_refused(table.o, CODE_UNAVAILABLE, "rematch");
	client_nothing(table.x);
	world_store_forgets(world, true);
	strcpy(room, ask(table.o, "rematch")->new_room);
	world_store_works(world);
	client_event(table.x, EVENT_REMATCH);
	assert_string_equal(client_event(table.x, EVENT_STATE)->state.room, room);
	client_skip(table.o);
	ask(table.o, "move 1 5");
}

static void what_cant_be_looked_up_is_unavailable(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);

	fickle_store_turn(world->store, &(struct fickle_knobs){.not_readable = 1000});
	ask_refused(client, CODE_UNAVAILABLE, "state k7m2q");
	ask_refused(client, CODE_UNAVAILABLE, "hello ala");
	ask_refused(client, CODE_UNAVAILABLE, "hello token=%s", TOKEN_A);
	world_store_works(world);
	ask_refused(client, CODE_NO_SUCH_ROOM, "state k7m2q");
}

/* The first move of a game, 1-5 by X, as another server would store it. */
static void move_elsewhere(struct world *world, struct table *table)
{
	struct event event = {.type = EVENT_MOVED,
			.moved = {.by = SEAT_X, .move = 1, .square_count = 2, .squares = {1, 5}}};

	event.moved.board = ask(table->x, "state %s", table->room)->state->board;
	event.moved.board.move = 2;
	event.moved.board.turn = SEAT_O;
	event.moved.board.squares[0] = event.moved.board.squares[4] =
			(struct board_square){.spooky_count = 1, .spooky = {1}};
	world_foreign(world, table->room, 1, &event, STORE_ROOM_PLAYING);
}

static void anothers_events_are_told_and_the_command_is_decided_again(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	move_elsewhere(world, &table);
	client_say(table.x, "resign");
	world_settle(world);
	/* He is told of what the other server stored, and of his own after that. */
	assert_int_equal(client_event(table.x, EVENT_MOVED)->seq, 5);
	assert_int_equal(client_ok(table.x, REQUEST_RESIGN)->seq, 6);
	assert_int_equal(client_event(table.x, EVENT_ENDED)->seq, 6);
	client_event(table.o, EVENT_MOVED);
	client_event(table.o, EVENT_ENDED);
	client_nothing(table.x);
	client_nothing(table.o);
}

static void a_command_that_anothers_events_forbid_is_refused(void **state)
{
	struct world *world = *state;
	const struct error *error;
	struct table table;

	table_open(world, "ala", "ola", &table);
	move_elsewhere(world, &table);
	client_say(table.x, "move 1 5 move=1");
	world_settle(world);
	client_event(table.x, EVENT_MOVED);
	error = client_error(table.x, CODE_STALE);
	assert_int_equal(error->seq, 5);
	assert_int_equal(error->board.move, 2);
	client_event(table.o, EVENT_MOVED);
	assert_int_equal(world_stored(world, table.room), 5);
	ask(table.o, "move 2 6");
}

static void a_resignation_is_decided_after_the_move_that_waits_before_it(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5 1-5 c1 2-3 2-3");
	/* X measures what O closed; that is under way when O resigns. */
	world_hold(world);
	client_say(table.x, "collapse 2");
	client_say(table.o, "resign");
	client_say(table.x, "draw");
	world_settle(world);
	client_nothing(table.x);
	client_nothing(table.o);
	world_release(world);
	client_ok(table.x, REQUEST_COLLAPSE);
	client_event(table.x, EVENT_COLLAPSED);
	assert_int_equal(client_event(table.x, EVENT_ENDED)->ended.result.half_points_x, 2);
	client_error(table.x, CODE_GAME_OVER);
	client_event(table.o, EVENT_COLLAPSED);
	client_ok(table.o, REQUEST_RESIGN);
	client_event(table.o, EVENT_ENDED);
}

static void a_lost_connections_request_is_carried_out(void **state)
{
	struct world *world = *state;
	struct client *ela = client_connect_as(world, "ela", NULL);
	struct table table;

	table_open(world, "ala", "ola", &table);
	world_hold(world);
	client_say(table.x, "move 1 5");
	client_say(ela, "create X title=left behind");
	/* This one waits behind the move. */
	client_say(table.o, "move 2 6");
	world_settle(world);
	client_drop(table.x);
	client_drop(ela);
	world_release(world);
	assert_false(client_event(table.o, EVENT_PRESENCE)->presence.online);
	client_event(table.o, EVENT_MOVED);
	client_ok(table.o, REQUEST_MOVE);
	client_event(table.o, EVENT_MOVED);
	client_nothing(table.o);
	assert_string_equal(ask(table.o, "lobby")->summaries[0].title, "left behind");
	assert_int_equal(world_stored(world, table.room), 6);
}

static void a_request_in_the_queue_survives_its_connection(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	world_hold(world);
	client_say(table.x, "move 1 5");
	client_say(table.o, "move 2 6");
	world_settle(world);
	client_drop(table.o);
	world_release(world);
	client_event(table.x, EVENT_PRESENCE);
	client_ok(table.x, REQUEST_MOVE);
	client_event(table.x, EVENT_MOVED);
	assert_int_equal(client_event(table.x, EVENT_MOVED)->seq, 6);
	client_nothing(table.x);
}

static void a_room_that_left_memory_is_loaded_when_asked_for(void **state)
{
	struct world *world = *state;
	struct client *client = client_connect(world);
	struct play_counts counts;
	struct table table;

	table_open(world, "ala", "ola", &table);
	table_play(&table, "1-5");
	ask(table.x, "resign");
	client_drop(table.x);
	client_drop(table.o);
	world_advance(world, WORLD_KEEP_OVER_MS - 1);
	play_count(world->play, &counts);
	assert_int_equal(counts.rooms, 1);
	world_advance(world, 1);
	play_count(world->play, &counts);
	assert_int_equal(counts.rooms, 0);
	client_say(client, "watch %s since=4", table.room);
	world_settle(world);
	client_event(client, EVENT_MOVED);
	client_event(client, EVENT_ENDED);
	assert_int_equal(client_ok(client, REQUEST_WATCH)->state->status, STATUS_OVER);
	/* Followed, it stays. */
	world_advance(world, 2 * WORLD_KEEP_OVER_MS);
	play_count(world->play, &counts);
	assert_int_equal(counts.rooms, 1);
	client_drop(client);
	world_advance(world, WORLD_KEEP_OVER_MS);
	play_count(world->play, &counts);
	assert_int_equal(counts.rooms, 0);
	assert_int_equal(counts.players, 0);
}

static void players_may_ask_for_a_rematch_of_a_room_that_left_memory(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", TOKEN_B);
	char room[ROOM_ID_SIZE];

	strcpy(room, ask(ala, "create X")->room);
	ask(ola, "join %s", room);
	ask(ola, "resign");
	world_restart(world);
	ala = client_connect_as(world, "ala", TOKEN_A);
	ola = client_connect_as(world, "ola", TOKEN_B);
	assert_int_equal(ask(ala, "rematch %s", room)->seq, 6);
	assert_true(ask(ola, "rematch %s", room)->carries & OK_NEW);
	/* Neither follows the old room, and both are in the new one. */
	assert_int_equal(client_event(ola, EVENT_STATE)->state.status, STATUS_PLAYING);
	assert_int_equal(client_event(ala, EVENT_STATE)->state.status, STATUS_PLAYING);
}

static void a_restart_brings_back_rooms_seats_and_bytes(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", TOKEN_B);
	char waiting[ROOM_ID_SIZE];
	char playing[ROOM_ID_SIZE];
	const struct ok *ok;
	size_t count;

	strcpy(playing, ask(ala, "create X")->room);
	ask(ola, "join %s", playing);
	client_skip(ala);
	ask(ala, "move 1 5");
	client_skip(ala);
	client_skip(ola);
	ask(ola, "draw");
	client_skip(ala);
	strcpy(waiting, ask(ala, "create private")->room);
	world_restart(world);
	ala = client_connect(world);
	ok = ask(ala, "hello token=%s", TOKEN_A);
	assert_int_equal(ok->own_room_count, 2);
	for (int i = 0; i < 2; i++) {
		const struct event *event = client_event(ala, EVENT_STATE);

		if (strcmp(event->state.room, playing) == 0) {
			assert_int_equal(event->state.seq, 6);
			assert_int_equal(event->state.board.move, 2);
			assert_int_equal(event->state.draw_offer, SEAT_O);
			assert_false(event->state.players[1].online);
		} else {
			assert_string_equal(event->state.room, waiting);
		}
	}
	client_nothing(ala);
	fickle_store_lines(world->store, playing, &count);
	client_say(ala, "state %s since=0", playing);
	for (size_t i = 0; i < count; i++) {
		struct bytes *const *lines = fickle_store_lines(world->store, playing, &count);

		assert_memory_equal(client_line(ala), lines[i]->data, lines[i]->length - 1);
	}
	client_ok(ala, REQUEST_STATE);
	ola = client_connect_as(world, "ola", TOKEN_B);
	client_skip(ala);
	assert_int_equal(ask(ola, "move 2 6")->seq, 7);
	assert_int_equal(ask(client_connect(world), "lobby playing")->summary_count, 1);
}

/* X moves twice, says another server's log. */
static void break_log(struct world *world, const char *room)
{
	struct event event = {.type = EVENT_MOVED,
			.moved = {.by = SEAT_X, .move = 2, .square_count = 2, .squares = {1, 2}}};

	world_foreign(world, room, 1, &event, STORE_ROOM_PLAYING);
}

static void a_room_whose_log_is_broken_is_unavailable_and_others_go_on(void **state)
{
	struct world *world = *state;
	struct table broken;
	struct table sound;

	table_open(world, "ala", "ola", &broken);
	table_open(world, "ela", "ula", &sound);
	table_play(&broken, "1-5");
	break_log(world, broken.room);
	ask_refused(broken.o, CODE_UNAVAILABLE, "move 2 3");
	client_nothing(broken.x);
	ask(sound.x, "move 1 5");
	world_restart(world);
	ask_refused(client_connect(world), CODE_UNAVAILABLE, "state %s", broken.room);
	assert_int_equal(ask(client_connect(world), "state %s", sound.room)->state->seq, 5);
	assert_int_equal(ask(client_connect(world), "lobby playing")->summary_count, 1);
}

static void an_id_that_the_store_has_makes_the_next_try_longer(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	uint64_t random = world->random;
	char room[ROOM_ID_SIZE];

	strcpy(room, ask(ala, "create X")->room);
	assert_int_equal(strlen(room), LIMIT_ROOM_CHARS_MIN);
	ask(ala, "leave");
	world_advance(world, WORLD_KEEP_OVER_MS);
	/* The same letters again. */
	world->random = random;
	assert_int_equal(strlen(ask(ala, "create X")->room), LIMIT_ROOM_CHARS_MIN + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(what_cant_be_stored_did_not_happen),
			WORLD_TEST(a_claim_that_cant_be_stored_leaves_the_guest_as_he_was),
			WORLD_TEST(an_unknown_outcome_that_was_kept_is_ok_in_the_end),
			WORLD_TEST(an_unknown_outcome_that_was_not_kept_is_unavailable_in_the_end),
			WORLD_TEST(a_room_whose_opening_was_unknown_is_settled),
			WORLD_TEST(a_name_whose_claim_was_unknown_is_settled),
			WORLD_TEST(a_rematch_whose_outcome_was_unknown_is_settled),
			WORLD_TEST(what_cant_be_looked_up_is_unavailable),
			WORLD_TEST(a_room_whose_log_is_broken_is_unavailable_and_others_go_on),
			WORLD_TEST(anothers_events_are_told_and_the_command_is_decided_again),
			WORLD_TEST(a_command_that_anothers_events_forbid_is_refused),
			WORLD_TEST(a_resignation_is_decided_after_the_move_that_waits_before_it),
			WORLD_TEST(a_lost_connections_request_is_carried_out),
			WORLD_TEST(a_request_in_the_queue_survives_its_connection),
			WORLD_TEST(a_room_that_left_memory_is_loaded_when_asked_for),
			WORLD_TEST(players_may_ask_for_a_rematch_of_a_room_that_left_memory),
			WORLD_TEST(an_id_that_the_store_has_makes_the_next_try_longer),
			WORLD_TEST(a_restart_brings_back_rooms_seats_and_bytes),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
