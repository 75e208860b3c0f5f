/* Bots: seats that are always taken by someone who is here, thinks, and acts like anybody. */
#include <string.h>

#include "server/play/bots.h"
#include "server/play/play.h"
#include "tests/world/world.h"

/* Longer than a bot ever takes. */
#define BOT_GAMES 16
#define PACE_MAX_MS ((int64_t)WORLD_BOT_PACE_MS * 3 / 2 + 1)

static struct client *begin(struct world *world, const char *words, char ret_room[ROOM_ID_SIZE])
{
	struct client *ala = client_connect_as(world, "ala", NULL);

	message_copy(ret_room, ROOM_ID_SIZE, ask(ala, "%s", words)->room);
	return ala;
}

static void a_game_against_a_bot_begins_at_once(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);
	const struct ok *ok = ask(ala, "create BOT-Random O private title=Alone");

	assert_int_equal(ok->seat, SEAT_O);
	assert_string_equal(ok->you, "ala");
	assert_int_equal(strlen(ok->room), 12);
	assert_int_equal(ok->state->seq, 4);
	assert_int_equal(ok->state->status, STATUS_PLAYING);
	assert_string_equal(ok->state->players[0].name, "bot-random");
	assert_string_equal(ok->state->players[1].name, "ala");
	assert_true(ok->state->players[0].online);
	assert_true(ok->state->is_private);
	assert_string_equal(ok->state->title, "Alone");
	client_nothing(ala);
}

static void the_events_are_those_of_two_people(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-good X", room);

	client_say(ala, "state since=0");
	world_settle(world);
	const struct event *event = client_event(ala, EVENT_OPENED);
	assert_string_equal(event->opened.player, "ala");
	assert_string_equal(event->opened.opponent, "bot-good");
	event = client_event(ala, EVENT_SEATED);
	assert_string_equal(event->seated.player, "ala");
	assert_int_equal(event->seated.seat, SEAT_X);
	event = client_event(ala, EVENT_SEATED);
	assert_string_equal(event->seated.player, "bot-good");
	assert_int_equal(event->seated.seat, SEAT_O);
	event = client_event(ala, EVENT_STARTED);
	assert_string_equal(event->started.players[1], "bot-good");
}

static void a_bot_answers_at_a_human_pace(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O", room);

	world_advance(world, WORLD_BOT_PACE_MS / 2 - 1);
	client_nothing(ala);
	world_advance(world, WORLD_BOT_PACE_MS + 1);
	assert_int_equal(client_event(ala, EVENT_MOVED)->moved.by, SEAT_X);
	world_advance(world, 10 * PACE_MAX_MS);
	client_nothing(ala);
}

/* Plays what comes first on the board until the game is over. */
static void play_out(struct world *world, struct client *client, const char *room)
{
	for (int i = 0; i < RULES_GAME_MAX; i++) {
		world_advance(world, PACE_MAX_MS);
		world_advance(world, PACE_MAX_MS);
		client_skip(client);
		const struct board board = ask(client, "state %s", room)->state->board;
		char squares[2] = {0, 0};
		size_t count = 0;

		if (board.turn == SEAT_NONE) {
			return;
		}
		if (board.phase == PHASE_COLLAPSE) {
			ask(client, "collapse %d", board.choices[0]);
			continue;
		}
		for (size_t square = 0; square < 9 && count < 2; square++) {
			if (board.squares[square].classical == 0) {
				squares[count] = (char)(square + 1);
				count++;
			}
		}
		ask(client, "move %d %d", squares[0], squares[count - 1]);
	}
}

static void each_bot_plays_a_game_to_its_end_on_either_side(void **state)
{
	static const char *const games[] = {"create bot-random X", "create bot-random O",
			"create bot-good X", "create bot-good O"};
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);

	for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
		char room[ROOM_ID_SIZE];

		message_copy(room, sizeof(room), ask(ala, "%s", games[i])->room);
		play_out(world, ala, room);
		assert_int_equal(ask(ala, "state %s", room)->state->status, STATUS_OVER);
	}
}

static void a_decision_for_a_game_that_ended_meanwhile_is_dropped(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O", room);

	fake_work_hold(world->work, true);
	world_advance(world, PACE_MAX_MS);
	assert_int_equal(fake_work_waiting(world->work), 1);
	ask(ala, "resign");
	client_event(ala, EVENT_ENDED);
	fake_work_hold(world->work, false);
	world_advance(world, 10 * PACE_MAX_MS);
	client_nothing(ala);
	assert_int_equal(fake_work_ran(world->work), 0);
}

static void a_bot_that_thinks_answers_a_draw_that_is_offered_first(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O", room);

	fake_work_hold(world->work, true);
	world_advance(world, PACE_MAX_MS);
	ask(ala, "draw");
	client_event(ala, EVENT_DRAW_OFFERED);
	fake_work_hold(world->work, false);
	world_advance(world, PACE_MAX_MS);
	assert_int_equal(client_event(ala, EVENT_DRAW_DECLINED)->by, SEAT_X);
	world_advance(world, PACE_MAX_MS);
	client_event(ala, EVENT_MOVED);
	client_nothing(ala);
}

/* And wait until the bot must have answered. */
static void offer_draw(struct world *world, struct client *client)
{
	ask(client, "draw");
	client_event(client, EVENT_DRAW_OFFERED);
	world_advance(world, PACE_MAX_MS);
}

static void a_perfect_bot_takes_a_draw_where_it_has_nothing_to_win(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-perfect X", room);

	/* The start is worth half a point to X. */
	offer_draw(world, ala);
	const struct event *ended = client_event(ala, EVENT_ENDED);
	assert_int_equal(ended->ended.result.reason, REASON_AGREEMENT);
	client_nothing(ala);
}

static void a_perfect_bot_declines_a_draw_where_it_can_win(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-perfect O", room);

	offer_draw(world, ala);
	assert_int_equal(client_event(ala, EVENT_DRAW_DECLINED)->by, SEAT_X);
}

static void a_bot_takes_a_rematch_with_sides_changed(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random X", room);

	ask(ala, "resign");
	client_skip(ala);
	ask(ala, "rematch");
	client_event(ala, EVENT_REMATCH_OFFERED);
	world_advance(world, WORLD_BOT_PACE_MS / 2 - 1);
	client_nothing(ala);
	world_advance(world, WORLD_BOT_PACE_MS + 1);
	client_event(ala, EVENT_REMATCH);
	const struct event *event = client_event(ala, EVENT_STATE);
	assert_string_equal(event->state.players[0].name, "bot-random");
	assert_int_equal(event->state.status, STATUS_PLAYING);
	world_advance(world, PACE_MAX_MS);
	client_event(ala, EVENT_MOVED);
}

/* It would be refused: were it tried again, its room would never leave memory. */
static void a_bot_takes_no_rematch_with_who_is_gone(void **state)
{
	struct world *world = *state;
	struct play_counts counts;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O", room);

	ask(ala, "resign");
	client_skip(ala);
	ask(ala, "rematch");
	client_skip(ala);
	ask(ala, "forget");
	world_advance(world, WORLD_KEEP_OVER_MS + 10 * PACE_MAX_MS);
	play_count(world->play, &counts);
	assert_int_equal(counts.rooms, 0);
}

static void bots_go_on_after_a_restart(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];

	begin(world, "create bot-random O", room);
	fake_work_hold(world->work, true);
	world_advance(world, PACE_MAX_MS);
	world_restart(world);
	world_advance(world, PACE_MAX_MS);
	assert_int_equal(world_stored(world, room), 5);
}

static void a_rematch_asked_for_before_a_restart_is_taken_when_its_room_is_loaded(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O", room);

	ask(ala, "resign");
	client_skip(ala);
	ask(ala, "rematch");
	world_restart(world);
	struct client *watcher = client_connect(world);
	ask(watcher, "watch %s", room);
	world_advance(world, 0);
	client_skip(watcher);
	world_advance(world, PACE_MAX_MS);
	client_event(watcher, EVENT_REMATCH);
}

static void a_bot_tries_again_when_the_store_works_again(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O", room);

	world_store_refuses(world);
	world_advance(world, 5000);
	client_nothing(ala);
	world_store_works(world);
	world_advance(world, 5000);
	client_event(ala, EVENT_MOVED);
	client_nothing(ala);
}

static void a_bots_action_of_unknown_outcome_is_done_once(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O", room);

	world_store_forgets(world, true);
	world_advance(world, PACE_MAX_MS);
	world_store_works(world);
	world_advance(world, 5000);
	client_event(ala, EVENT_MOVED);
	client_nothing(ala);
	assert_int_equal(world_stored(world, room), 5);
}

static void another_servers_move_for_the_bot_makes_its_own_void(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O", room);
	struct event event = {.type = EVENT_MOVED};

	fake_work_hold(world->work, true);
	world_advance(world, PACE_MAX_MS);
	event.moved.by = SEAT_X;
	event.moved.move = 1;
	event.moved.square_count = 2;
	event.moved.squares[0] = 3;
	event.moved.squares[1] = 7;
	event.moved.board.move = 2;
	event.moved.board.turn = SEAT_O;
	world_foreign(world, room, 1, &event, STORE_ROOM_PLAYING);
	fake_work_hold(world->work, false);
	world_advance(world, 5000);
	assert_int_equal(client_event(ala, EVENT_MOVED)->moved.squares[0], 3);
	client_nothing(ala);
	ask(ala, "move 1 2");
	client_event(ala, EVENT_MOVED);
	world_advance(world, PACE_MAX_MS);
	assert_int_equal(client_event(ala, EVENT_MOVED)->moved.move, 3);
}

static void a_room_may_leave_memory_while_its_bot_still_thinks(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O", room);
	struct play_counts counts;

	fake_work_hold(world->work, true);
	world_advance(world, PACE_MAX_MS);
	ask(ala, "resign");
	client_drop(ala);
	world_advance(world, 2 * (int64_t)WORLD_KEEP_OVER_MS);
	play_count(world->play, &counts);
	assert_int_equal(counts.rooms, 0);
}

static void a_bots_thinking_is_on_its_clock(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O clock=1+0", room);

	world_advance(world, PACE_MAX_MS);
	client_event(ala, EVENT_MOVED);
	ask(ala, "move 1 2");
	client_event(ala, EVENT_MOVED);
	fake_work_hold(world->work, true);
	world_advance(world, 20000);
	fake_work_hold(world->work, false);
	world_settle(world);
	const struct event *event = client_event(ala, EVENT_MOVED);
	assert_in_range(event->moved.clock.x_ms, 39000, 40000);
}

static void a_bot_that_thinks_for_too_long_loses_on_time(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-random O clock=1+0", room);

	world_advance(world, PACE_MAX_MS);
	client_event(ala, EVENT_MOVED);
	ask(ala, "move 1 2");
	client_skip(ala);
	fake_work_hold(world->work, true);
	world_advance(world, 61000);
	assert_int_equal(client_event(ala, EVENT_ENDED)->ended.result.reason, REASON_FLAG);
	fake_work_hold(world->work, false);
	world_advance(world, 5000);
	client_nothing(ala);
}

static void a_bot_with_little_time_is_quick(void **state)
{
	struct world *world = *state;
	struct client *ala = client_connect_as(world, "ala", NULL);

	client_say(ala, "{\"type\":\"create\",\"opponent\":\"bot-random\",\"side\":\"O\","
			"\"clock\":{\"base_ms\":1000,\"increment_ms\":0}}");
	world_settle(world);
	client_ok(ala, REQUEST_CREATE);
	world_advance(world, 100);
	client_event(ala, EVENT_MOVED);
}

static void many_people_play_the_same_bot_at_once(void **state)
{
	struct world *world = *state;
	struct client *clients[20];

	for (size_t i = 0; i < 20; i++) {
		clients[i] = client_connect(world);
		ask(clients[i], "create bot-random O");
	}
	world_advance(world, PACE_MAX_MS);
	for (size_t i = 0; i < 20; i++) {
		client_event(clients[i], EVENT_MOVED);
		client_nothing(clients[i]);
	}
}

static void a_bot_is_no_player_to_be_listed_muted_or_named(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];
	struct client *ala = begin(world, "create bot-good X", room);

	assert_int_equal(ask(ala, "who")->online, 1);
	ask_refused(ala, CODE_NO_SUCH_PLAYER, "mute bot-good");
	ask_refused(ala, CODE_NO_SUCH_PLAYER, "create bot-great");
	ask_refused(ala, CODE_BAD_NAME, "hello bot-good");
	ask(ala, "say hello, bot");
	client_event(ala, EVENT_SAID);
	struct client *ola = client_connect_as(world, "ola", NULL);
	ask_refused(ola, CODE_ROOM_FULL, "join %s", room);
	ask_refused(ola, CODE_NOT_ALLOWED, "decline %s", room);
	const struct ok *lobby = ask(ola, "lobby playing");
	assert_int_equal(lobby->summary_count, 1);
	assert_string_equal(lobby->summaries[0].players[1], "bot-good");
	assert_int_equal(ask(ola, "match")->state->status, STATUS_WAITING);
}

static void a_guest_who_takes_a_name_goes_on_against_his_bot(void **state)
{
	struct world *world = *state;
	struct client *guest = client_connect(world);
	char room[ROOM_ID_SIZE];

	message_copy(room, sizeof(room), ask(guest, "create bot-random X")->room);
	ask(guest, "hello ala");
	client_skip(guest);
	ask(guest, "move 1 5");
	client_event(guest, EVENT_MOVED);
	world_advance(world, PACE_MAX_MS);
	client_event(guest, EVENT_MOVED);
	assert_string_equal(ask(guest, "state %s", room)->state->players[0].name, "ala");
}

static void one_player_has_so_many_games_against_bots_and_no_more(void **state)
{
	struct world *world = *state;
	char ended[ROOM_ID_SIZE];
	char room[ROOM_ID_SIZE];

	world_limit(world, &(struct play_limits){.bot_games_per_name = BOT_GAMES});
	struct client *ala = begin(world, "create bot-random X", ended);
	for (int i = 1; i < BOT_GAMES; i++) {
		message_copy(room, sizeof(room), ask(ala, "create bot-good X")->room);
	}
	ask_refused(ala, CODE_TOO_MANY_ROOMS, "create bot-good X");
	struct client *ola = client_connect_as(world, "ola", NULL);
	ask(ola, "create bot-random X");
	ask(ala, "resign %s", ended);
	client_event(ala, EVENT_ENDED);
	ask(ala, "create bot-perfect X");
	/* Nor does a bot take a rematch then; asked again when there is time, it does. */
	ask(ala, "rematch %s", ended);
	client_event(ala, EVENT_REMATCH_OFFERED);
	world_advance(world, PACE_MAX_MS);
	client_nothing(ala);
	ask(ala, "resign %s", room);
	client_event(ala, EVENT_ENDED);
	ask(ala, "rematch %s", ended);
	world_advance(world, PACE_MAX_MS);
	client_event(ala, EVENT_REMATCH);
}

static void a_shutdown_does_not_wait_for_a_bot(void **state)
{
	struct world *world = *state;
	char room[ROOM_ID_SIZE];

	begin(world, "create bot-random O", room);
	fake_work_hold(world->work, true);
	world_advance(world, PACE_MAX_MS);
	world_shutdown(world);
	world_settle(world);
	assert_true(play_idle(world->play));
	assert_int_equal(fake_work_ran(world->work), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(a_game_against_a_bot_begins_at_once),
			WORLD_TEST(the_events_are_those_of_two_people),
			WORLD_TEST(a_bot_answers_at_a_human_pace),
			WORLD_TEST(each_bot_plays_a_game_to_its_end_on_either_side),
			WORLD_TEST(a_decision_for_a_game_that_ended_meanwhile_is_dropped),
			WORLD_TEST(a_bot_that_thinks_answers_a_draw_that_is_offered_first),
			WORLD_TEST(a_perfect_bot_takes_a_draw_where_it_has_nothing_to_win),
			WORLD_TEST(a_perfect_bot_declines_a_draw_where_it_can_win),
			WORLD_TEST(a_bot_takes_a_rematch_with_sides_changed),
			WORLD_TEST(a_bot_takes_no_rematch_with_who_is_gone),
			WORLD_TEST(bots_go_on_after_a_restart),
			WORLD_TEST(a_rematch_asked_for_before_a_restart_is_taken_when_its_room_is_loaded),
			WORLD_TEST(a_bot_tries_again_when_the_store_works_again),
			WORLD_TEST(a_bots_action_of_unknown_outcome_is_done_once),
			WORLD_TEST(another_servers_move_for_the_bot_makes_its_own_void),
			WORLD_TEST(a_room_may_leave_memory_while_its_bot_still_thinks),
			WORLD_TEST(a_bots_thinking_is_on_its_clock),
			WORLD_TEST(a_bot_that_thinks_for_too_long_loses_on_time),
			WORLD_TEST(a_bot_with_little_time_is_quick),
			WORLD_TEST(many_people_play_the_same_bot_at_once),
			WORLD_TEST(a_bot_is_no_player_to_be_listed_muted_or_named),
			WORLD_TEST(a_guest_who_takes_a_name_goes_on_against_his_bot),
			WORLD_TEST(one_player_has_so_many_games_against_bots_and_no_more),
			WORLD_TEST(a_shutdown_does_not_wait_for_a_bot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
