/* Names and tokens that are changed: renew and forget. */
#include <stdio.h>
#include <string.h>

#include "server/play/players.h"
#include "tests/world/world.h"

#define TOKEN_A "AAAAAAAAAAAAAAAAAAAAAA"
#define TOKEN_B "BBBBBBBBBBBBBBBBBBBBBB"
#define TOKEN_C "CCCCCCCCCCCCCCCCCCCCCC"
#define TOKEN_D "DDDDDDDDDDDDDDDDDDDDDD"

static const struct ok *act(struct client *client, const char *line)
{
	client_skip(client);
	return ask(client, "%s", line);
}

static bool is_gone(const char *name)
{
	return strncmp(name, "gone-", 5) == 0 && strlen(name) == 13;
}

static void expect_bye(struct client *client, enum bye_reason reason)
{
	const struct message *message = client_next(client);

	while (message->kind != MESSAGE_EVENT || message->event.type != EVENT_BYE) {
		message = client_next(client);
	}
	assert_int_equal(message->event.bye.reason, reason);
	assert_true(client->was_closed);
}

/* Renew. */

static void renew_makes_a_new_token_and_the_old_one_is_void(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	char token[TOKEN_SIZE];

	message_copy(token, sizeof(token), ask(ala, "hello renew")->token);
	assert_true(strlen(token) >= LIMIT_TOKEN_CHARS_MIN);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s", TOKEN_A);
	ask_refused(client_connect(world), CODE_NAME_TAKEN, "hello ala token=%s", TOKEN_A);
	world_restart(world);
	assert_string_equal(ask(client_connect(world), "hello token=%s", token)->name, "ala");
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s", TOKEN_A);
}

static void who_proves_his_name_renews_in_one_request(void **state)
{
	struct world *world = *state;
	struct client *old = client_connect_as(world, "ala", TOKEN_A);
	struct client *client = client_connect(world);
	char token[TOKEN_SIZE];

	message_copy(token, sizeof(token), ask(client, "hello token=%s renew", TOKEN_A)->token);
	expect_bye(old, BYE_KICKED);
	assert_false(client->was_closed);
	message_copy(token, sizeof(token),
			ask(client_connect(world), "hello ala token=%s renew", token)->token);
	ask_refused(client_connect(world), CODE_NAME_TAKEN, "hello ala token=%s renew", TOKEN_B);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s renew", TOKEN_B);
	assert_string_equal(ask(client_connect(world), "hello token=%s", token)->name, "ala");
}

static void other_connections_under_the_name_are_closed(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *other = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", NULL);

	ask(ala, "hello renew");
	expect_bye(other, BYE_KICKED);
	assert_false(ala->was_closed || ola->was_closed);
	assert_string_equal(act(ala, "hello")->name, "ala");
}

static void of_two_connections_that_renew_at_once_one_stays(void **state)
{
	struct world *world = *state;
	struct client *first = client_connect_as(world, "ala", TOKEN_A);
	struct client *second = client_connect_as(world, "ala", TOKEN_A);
	char token[TOKEN_SIZE];

	say_at_once(first, "hello renew", second, "hello renew");
	message_copy(token, sizeof(token), client_ok(first, REQUEST_HELLO)->token);
	client_error(second, CODE_NOT_ALLOWED);
	expect_bye(second, BYE_KICKED);
	assert_false(first->was_closed);
	assert_string_equal(ask(client_connect(world), "hello token=%s", token)->name, "ala");
}

/* Ola meant to come back as Ala: the token that is void by then must not become hers. */
static void a_token_that_its_owner_renews_meanwhile_is_nobodys_choice(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", TOKEN_B);

	world_hold(world);
	client_say(ala, "hello renew");
	world_settle(world);
	client_say(ola, "hello token=%s renew", TOKEN_A);
	world_settle(world);
	world_release(world);
	world_settle(world);
	client_ok(ala, REQUEST_HELLO);
	client_error(ola, CODE_BAD_TOKEN);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s", TOKEN_A);
	assert_string_equal(ask(client_connect(world), "hello token=%s", TOKEN_B)->name, "ola");
}

static void a_client_chooses_its_next_token_itself(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);

	client_connect_as(world, "ola", TOKEN_C);
	const struct ok *ok = ask(ala, "hello ala token=%s renew", TOKEN_B);
	assert_string_equal(ok->name, "ala");
	assert_false(ok->carries & OK_TOKEN);
	/* If the answer is lost, the new one works or the old one does. */
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s", TOKEN_A);
	assert_string_equal(ask(client_connect(world), "hello token=%s", TOKEN_B)->name, "ala");
	client_skip(ala);
	ask_refused(ala, CODE_BAD_TOKEN, "hello ala token=%s renew", TOKEN_C);
	assert_false(ask(ala, "hello token=%s renew", TOKEN_A)->carries & OK_TOKEN);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s", TOKEN_B);
}

static void a_guest_has_one_token_told_once(void **state)
{
	struct world *world = *state;
	struct client *guest = client_connect(world);
	char old[TOKEN_SIZE];
	char token[TOKEN_SIZE];

	message_copy(old, sizeof(old), ask(guest, "hello renew")->token);
	message_copy(token, sizeof(token), ask(guest, "hello renew")->token);
	assert_string_not_equal(old, token);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s", old);
}

static void a_token_that_could_not_be_stored_is_not_told(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);

	world_store_refuses(world);
	ask_refused(ala, CODE_UNAVAILABLE, "hello renew");
	world_store_forgets(world, false);
	ask_refused(ala, CODE_UNAVAILABLE, "hello renew");
	world_store_works(world);
	assert_string_equal(ask(client_connect(world), "hello token=%s", TOKEN_A)->name, "ala");
	world_store_forgets(world, true);
	client_say(ala, "hello renew");
	world_settle(world);
	world_store_works(world);
	world_advance(world, 1000);
	assert_true(client_ok(ala, REQUEST_HELLO)->carries & OK_TOKEN);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s", TOKEN_A);
}

/* Forget. */

static void a_name_that_is_given_up_says_goodbye_and_its_token_is_void(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *other = client_connect_as(world, "ala", TOKEN_A);

	client_say(ala, "forget");
	world_settle(world);
	client_ok(ala, REQUEST_FORGET);
	expect_bye(ala, BYE_QUIT);
	expect_bye(other, BYE_KICKED);
	world_restart(world);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s", TOKEN_A);
	ask_refused(client_connect(world), CODE_NO_SUCH_PLAYER, "player ala");
	ask_refused(client_connect(world), CODE_NO_SUCH_PLAYER, "games ala");
	ask_refused(client_connect(world), CODE_NO_SUCH_PLAYER, "create ala");
	ask_refused(client_connect(world), CODE_NO_SUCH_PLAYER, "mute ala");
	ask_refused(client_connect(world), CODE_NOT_ALLOWED, "forget");
}

static void a_name_that_is_given_up_is_kept_from_others_for_a_while(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "Ala", TOKEN_A);

	act(ala, "forget");
	ask_refused(client_connect(world), CODE_NAME_TAKEN, "hello ala");
	world_advance(world, INT64_C(90) * 86400000);
	ask_refused(client_connect(world), CODE_NAME_TAKEN, "hello ALA");
	world_advance(world, 2 * WORLD_KEEP_GUESTS_MS);
	assert_string_equal(ask(client_connect(world), "hello ALA")->name, "ALA");
}

/* Ala's list is told after a restart, and so many days. */
static void expect_off_the_list(struct world *world, int64_t days, const char *line)
{
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *zenon = client_connect_as(world, "zenon", TOKEN_B);
	const struct ok *ok;

	client_connect_as(world, "ola", TOKEN_C);
	client_connect_as(world, "greta", TOKEN_D);
	ask(ala, "mute ola");
	ask(ala, "mute zenon");
	assert_int_equal(ask(ala, "mute greta")->muted_count, 3);
	act(zenon, "forget");
	world_restart(world);
	world_advance(world, days * 86400000);
	ala = client_connect_as(world, "ala", TOKEN_A);
	ok = ask(ala, "%s", line);
	assert_int_equal(ok->muted_count, 2);
	assert_string_equal(ok->muted[0], "ola");
	assert_string_equal(ok->muted[1], "greta");
	ask_refused(ala, CODE_NO_SUCH_PLAYER, "mute zenon on=off");
	world_restart(world);
	ala = client_connect_as(world, "ala", TOKEN_A);
	assert_int_equal(ask(ala, "mute ola")->muted_count, 2);
}

static void a_name_that_is_given_up_falls_off_the_lists_of_the_muted(void **state)
{
	expect_off_the_list(*state, 0, "mute ola");
}

static void a_name_that_was_given_up_can_be_unmuted(void **state)
{
	expect_off_the_list(*state, 0, "mute zenon on=off");
}

static void a_name_that_is_free_again_falls_off_the_lists_of_the_muted(void **state)
{
	expect_off_the_list(*state, 92, "mute greta");
}

/* A connection that is gone again, under a new name. */
static void pass_by(struct world *world, const char *name, const char *token)
{
	struct client *client = client_connect_as(world, name, token);

	client_drop(client);
	client_free(client);
}

static void a_full_list_of_the_muted_has_place_for_another_once_a_name_is_given_up(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	char name[NAME_SIZE];

	pass_by(world, "ola", NULL);
	pass_by(world, "greta", NULL);
	for (int i = 0; i < PLAYER_MUTED_MAX; i++) {
		snprintf(name, sizeof(name), "player-%d", i);
		pass_by(world, name, i == PLAYER_MUTED_MAX / 2 ? TOKEN_B : NULL);
		assert_int_equal(ask(ala, "mute %s", name)->muted_count, i + 1);
	}
	ask_refused(ala, CODE_NOT_ALLOWED, "mute ola");
	snprintf(name, sizeof(name), "player-%d", PLAYER_MUTED_MAX / 2);
	act(client_connect_as(world, name, TOKEN_B), "forget");
	assert_int_equal(ask(ala, "mute ola")->muted_count, PLAYER_MUTED_MAX);
	ask_refused(ala, CODE_NOT_ALLOWED, "mute greta");
}

/* Of a hundred units each answer takes ten, and two for each name. */
static void who_has_a_long_list_of_the_muted_looked_up_is_read_more_slowly(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	char name[NAME_SIZE];

	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "player-%d", i);
		pass_by(world, name, NULL);
		ask(ala, "mute %s", name);
	}
	world_limit(world, &(struct play_limits){.allowance = 10, .address_allowance = 1000});
	ala = client_connect_as(world, "ala", TOKEN_A);
	for (int i = 0; i < 10; i++) {
		client_say(ala, "mute player-0");
	}
	world_settle(world);
	assert_in_range(client_unread(ala), 1, 3);
	world_advance(world, 60000);
	assert_int_equal(client_unread(ala), 10);
}

static void what_ran_is_resigned_and_what_waits_is_closed(void **state)
{
	struct world *world = *state;
	struct table table;
	char waits[ROOM_ID_SIZE];
	char invites[ROOM_ID_SIZE];

	table_open(world, "ala", "ola", &table);
	message_copy(waits, sizeof(waits), ask(table.x, "create X")->room);
	message_copy(invites, sizeof(invites), ask(table.o, "create ala X")->room);
	client_skip(table.x);
	client_skip(table.o);
	act(table.x, "forget");
	const struct event *event = client_event(table.o, EVENT_ENDED);
	assert_string_equal(event->room, table.room);
	assert_int_equal(event->ended.result.reason, REASON_RESIGN);
	assert_int_equal(event->ended.result.half_points_o, 2);
	event = client_event(table.o, EVENT_SEATED);
	assert_string_equal(event->room, table.room);
	assert_true(is_gone(event->seated.player));
	event = client_event(table.o, EVENT_ENDED);
	assert_string_equal(event->room, invites);
	assert_int_equal(event->ended.result.cause, CAUSE_DECLINED);
	const struct ok *ok = act(client_connect(world), "lobby");
	assert_int_equal(ok->summary_count, 0);
	ok = ask(client_connect(world), "state %s", waits);
	assert_int_equal(ok->state->result.cause, CAUSE_CREATOR_LEFT);
	assert_true(is_gone(ok->state->players[0].name));
}

/* Every answer that is not a stored event. */
static void his_games_are_a_strangers_from_then_on(void **state)
{
	struct world *world = *state;
	struct table table;
	char gone[NAME_SIZE];

	table_open(world, "ala", "ola", &table);
	act(table.x, "say hello");
	act(table.o, "resign");
	client_skip(table.x);
	act(table.x, "forget");
	for (int i = 0; i < 3; i++) {
		struct client *other = client_connect(world);
		const struct ok *ok = ask(other, "game %s", table.room);
		message_copy(gone, sizeof(gone), ok->game->players[0]);
		assert_true(is_gone(gone));
		ok = ask(other, "games");
		assert_string_equal(ok->games[0].players[0], gone);
		ok = ask(other, "games %s", gone);
		assert_int_equal(ok->game_count, 1);
		assert_string_equal(ask(other, "player %s", gone)->name, gone);
		ok = ask(other, "state %s", table.room);
		assert_string_equal(ok->state->players[0].name, gone);
		if (i == 0) {
			assert_string_equal(ok->state->chat[0].player, gone);
			world_restart(world);
		} else {
			/* Its events are dropped. */
			world_advance(world, 2 * WORLD_KEEP_EVENTS_MS);
		}
	}
	ask_refused(client_connect(world), CODE_NO_SUCH_PLAYER, "create %s", gone);
}

static void say_goodbye(struct world *world)
{
	while (world->client_count > 0) {
		client_drop(world->clients[0]);
		client_free(world->clients[0]);
	}
	world_advance(world, WORLD_KEEP_OVER_MS + 1);
}

/* The answer does not have the name in it, wherever it could stand. */
static void expect_no_name(struct world *world, const char *name, const char *line)
{
	struct client *client = client_connect(world);
	char quoted[NAME_SIZE + 2];

	snprintf(quoted, sizeof(quoted), "\"%s\"", name);
	client_say(client, "%s", line);
	world_settle(world);
	do {
		assert_null(strstr(client_line(client), quoted));
	} while (client_unread(client) > 0);
}

static void expect_no_name_in(struct world *world, const char *name, const char *room)
{
	char line[64];

	snprintf(line, sizeof(line), "state %s", room);
	expect_no_name(world, name, line);
	snprintf(line, sizeof(line), "watch %s", room);
	expect_no_name(world, name, line);
	snprintf(line, sizeof(line), "game %s", room);
	expect_no_name(world, name, line);
	expect_no_name(world, name, "lobby over");
}

/* Its events, which have the name, are still stored, and it is made of them again. */
static void a_room_that_was_out_of_memory_shows_no_name_that_was_given_up(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", NULL);
	struct play_counts counts;
	char room[ROOM_ID_SIZE];

	message_copy(room, sizeof(room), ask(ala, "create X")->room);
	ask(ola, "join %s", room);
	act(ola, "resign");
	say_goodbye(world);
	play_count(world->play, &counts);
	assert_int_equal(counts.rooms, 0);
	act(client_connect_as(world, "ala", TOKEN_A), "forget");
	expect_no_name_in(world, "ala", room);
	world_restart(world);
	expect_no_name_in(world, "ala", room);
}

/* There is no event of a room that nobody played in, as the store may have dropped it. */
static void a_room_that_closed_unplayed_shows_no_name_that_was_given_up(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	char room[ROOM_ID_SIZE];

	message_copy(room, sizeof(room), ask(ala, "create X")->room);
	act(ala, "say is anybody there");
	act(ala, "leave");
	act(ala, "forget");
	const struct ok *ok = ask(client_connect(world), "lobby over");
	assert_true(is_gone(ok->summaries[0].players[0]));
	expect_no_name_in(world, "ala", room);
	say_goodbye(world);
	assert_int_equal(ask(client_connect(world), "state %s", room)->state->status, STATUS_OVER);
	expect_no_name_in(world, "ala", room);
}

/* The event that told the name of then came after the end, and stays in the store for good. */
static void what_a_guest_was_called_after_a_game_is_not_told_of_old_games(void **state)
{
	struct world *world = *state;
	struct client *guest = client_connect(world);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];
	char line[64];

	message_copy(room, sizeof(room), ask(guest, "create X")->room);
	ask(ola, "join %s", room);
	act(guest, "resign");
	act(guest, "hello ala token=" TOKEN_A);
	client_event(ola, EVENT_ENDED);
	assert_string_equal(client_event(ola, EVENT_SEATED)->seated.player, "ala");
	say_goodbye(world);
	act(client_connect_as(world, "ala", TOKEN_A), "forget");
	expect_no_name_in(world, "ala", room);
	say_goodbye(world);
	world_advance(world, 2 * (int64_t)WORLD_KEEP_EVENTS_MS);
	expect_no_name_in(world, "ala", room);
	for (int since = 0; since < 8; since++) {
		snprintf(line, sizeof(line), "state %s since=%d", room, since);
		expect_no_name(world, "ala", line);
	}
}

static void a_name_that_could_not_be_given_up_is_still_there(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	ask_unstored(table.x, "forget");
	assert_false(table.x->was_closed);
	assert_string_equal(act(table.x, "hello")->name, "ala");
	assert_int_equal(act(table.x, "state")->state->status, STATUS_PLAYING);
	client_nothing(table.o);
}

static void is_asked_to_forget_later(struct client *client)
{
	client_say(client, "forget");
	world_settle(client->world);
	assert_true(client_error(client, CODE_RATE_LIMITED)->has_retry);
}

static void who_is_just_taking_a_seat_asks_again(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *other = client_connect_as(world, "ala", TOKEN_A);

	world_hold(world);
	client_say(other, "create X");
	world_settle(world);
	is_asked_to_forget_later(ala);
	world_release(world);
	client_skip(ala);
	client_say(ala, "forget");
	world_settle(world);
	client_ok(ala, REQUEST_FORGET);
	assert_int_equal(act(client_connect(world), "lobby")->summary_count, 0);
}

static void who_is_just_being_invited_asks_again(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", NULL);

	world_hold(world);
	client_say(ola, "create ala X");
	world_settle(world);
	is_asked_to_forget_later(ala);
	world_release(world);
	world_settle(world);
	act(ala, "forget");
	client_ok(ola, REQUEST_CREATE);
	assert_int_equal(client_event(ola, EVENT_ENDED)->ended.result.cause, CAUSE_DECLINED);
}

static void a_game_that_begins_while_a_name_is_given_up_is_resigned(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", NULL);
	char room[ROOM_ID_SIZE];

	message_copy(room, sizeof(room), ask(ala, "create X")->room);
	world_hold(world);
	client_say(ola, "join %s", room);
	world_settle(world);
	client_say(ala, "forget");
	world_settle(world);
	world_release(world);
	world_settle(world);
	expect_bye(ala, BYE_QUIT);
	client_ok(ola, REQUEST_JOIN);
	assert_int_equal(client_event(ola, EVENT_ENDED)->ended.result.reason, REASON_RESIGN);
	assert_true(is_gone(client_event(ola, EVENT_SEATED)->seated.player));
}

static void who_is_just_getting_a_rematch_asks_again(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	act(table.x, "resign");
	act(table.x, "rematch");
	world_hold(world);
	client_skip(table.o);
	client_say(table.o, "rematch");
	world_settle(world);
	client_skip(table.x);
	client_say(table.x, "forget");
	world_settle(world);
	client_error(table.x, CODE_RATE_LIMITED);
	world_release(world);
	act(table.x, "forget");
	assert_int_equal(act(client_connect(world), "lobby playing")->summary_count, 0);
	expect_no_name_in(world, "ala", client_ok(table.o, REQUEST_REMATCH)->new_room);
}

static void who_is_being_forgotten_takes_no_seat_and_gets_no_token_or_invitation(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", TOKEN_A);
	struct client *sits = client_connect_as(world, "ala", TOKEN_A);
	struct client *renews = client_connect_as(world, "ala", TOKEN_A);
	struct client *ola = client_connect_as(world, "ola", NULL);

	world_hold(world);
	client_say(ala, "forget");
	client_say(sits, "create X");
	client_say(renews, "hello renew");
	client_say(ola, "create ala");
	world_settle(world);
	client_error(sits, CODE_UNAVAILABLE);
	client_error(ola, CODE_UNAVAILABLE);
	world_release(world);
	client_ok(ala, REQUEST_FORGET);
	client_error(renews, CODE_UNAVAILABLE);
	client_bye(renews, BYE_KICKED);
	client_bye(sits, BYE_KICKED);
}

static void there_is_no_rematch_with_who_is_gone(void **state)
{
	struct world *world = *state;
	struct table table;

	table_open(world, "ala", "ola", &table);
	act(table.x, "resign");
	act(table.x, "rematch");
	act(table.x, "forget");
	client_skip(table.o);
	ask_refused(table.o, CODE_NOT_ALLOWED, "rematch");
}

static void a_guest_may_go_as_well(void **state)
{
	struct world *world = *state;
	struct client *guest = client_connect(world);
	char token[TOKEN_SIZE];

	message_copy(token, sizeof(token), ask(guest, "hello")->token);
	client_say(guest, "forget");
	world_settle(world);
	assert_false(client_ok(guest, REQUEST_FORGET)->carries & OK_TOKEN);
	ask_refused(client_connect(world), CODE_BAD_TOKEN, "hello token=%s", token);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(renew_makes_a_new_token_and_the_old_one_is_void),
			WORLD_TEST(who_proves_his_name_renews_in_one_request),
			WORLD_TEST(other_connections_under_the_name_are_closed),
			WORLD_TEST(of_two_connections_that_renew_at_once_one_stays),
			WORLD_TEST(a_token_that_its_owner_renews_meanwhile_is_nobodys_choice),
			WORLD_TEST(a_client_chooses_its_next_token_itself),
			WORLD_TEST(a_guest_has_one_token_told_once),
			WORLD_TEST(a_token_that_could_not_be_stored_is_not_told),
			WORLD_TEST(a_name_that_is_given_up_says_goodbye_and_its_token_is_void),
			WORLD_TEST(a_name_that_is_given_up_is_kept_from_others_for_a_while),
			WORLD_TEST(a_name_that_is_given_up_falls_off_the_lists_of_the_muted),
			WORLD_TEST(a_name_that_was_given_up_can_be_unmuted),
			WORLD_TEST(a_name_that_is_free_again_falls_off_the_lists_of_the_muted),
			WORLD_TEST(a_full_list_of_the_muted_has_place_for_another_once_a_name_is_given_up),
			WORLD_TEST(who_has_a_long_list_of_the_muted_looked_up_is_read_more_slowly),
			WORLD_TEST(what_ran_is_resigned_and_what_waits_is_closed),
			WORLD_TEST(his_games_are_a_strangers_from_then_on),
			WORLD_TEST(a_room_that_was_out_of_memory_shows_no_name_that_was_given_up),
			WORLD_TEST(a_room_that_closed_unplayed_shows_no_name_that_was_given_up),
			WORLD_TEST(what_a_guest_was_called_after_a_game_is_not_told_of_old_games),
			WORLD_TEST(a_name_that_could_not_be_given_up_is_still_there),
			WORLD_TEST(who_is_just_taking_a_seat_asks_again),
			WORLD_TEST(who_is_just_being_invited_asks_again),
			WORLD_TEST(a_game_that_begins_while_a_name_is_given_up_is_resigned),
			WORLD_TEST(who_is_just_getting_a_rematch_asks_again),
			WORLD_TEST(who_is_being_forgotten_takes_no_seat_and_gets_no_token_or_invitation),
			WORLD_TEST(there_is_no_rematch_with_who_is_gone),
			WORLD_TEST(a_guest_may_go_as_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
