/* Everything at once: players and watchers who ask at random, come, go and read slowly, on a store
 * that is late, refuses and does not know, under a server that starts again now and then. What each
 * is told is judged all the while. QTTT_SEED and QTTT_STEPS say which world and for how long. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/encode.h"
#include "server/ops/memory.h"
#include "server/play/rated.h"
#include "tests/world/asking.h"

#define STEPS 150000

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

static void know_room(struct simulation *simulation, const char *room)
{
	strcpy(simulation->rooms[simulation->room_count % KNOWN_ROOMS], room);
	simulation->room_count++;
}

/* A new connection; most people say first who they are. */
static void come_in(struct simulation *simulation, size_t place)
{
	connect_at(simulation, place);
	if (!one_in(simulation, 4)) {
		asking_hello(simulation, simulation->judges[place]);
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
			asking_nonsense(simulation, judge);
		} else {
			asking_something(simulation, judge);
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
			&moods[below(simulation, (int)(sizeof(moods) / sizeof(*moods)))]);
}

/* Another server on the same store. */

struct foreign {
	struct simulation *simulation;
	char room[ROOM_ID_SIZE];
	int64_t seq;
	struct bytes *line;
	struct store_room_change change;
	struct store_batch batch;
};

static void on_foreign(void *arg, enum store_status status)
{
	struct foreign *foreign = arg;
	struct simulation *simulation = foreign->simulation;
	size_t count;
	struct bytes *const *lines =
			fickle_store_lines(simulation->world->store, foreign->room, &count);

	/* Whatever the answer was: is it there? */
	if (foreign->seq <= (int64_t)count && lines[foreign->seq - 1] == foreign->line) {
		model_reach(&simulation->model, foreign->room, 0)->foreign |= UINT64_C(1)
									      << foreign->seq;
		simulation->foreign_events += 1;
	}
	assert_true(status != STORE_STORED || lines[foreign->seq - 1] == foreign->line);
	bytes_unref(foreign->line);
	free(foreign);
}

/* It offers a draw there in a player's name, or declines one: unless this server is first. */
static void act_elsewhere(struct simulation *simulation)
{
	const char *id = asking_any_room(simulation);
	const struct model_room *room = model_catch_up(&simulation->model, id);
	struct event event = {.type = EVENT_DRAW_OFFERED, .seq = room->seq + 1};
	struct foreign *foreign;

	if (room->status != STATUS_PLAYING || event.seq > 40) {
		return;
	}
	event.at_ms = room->at_ms > simulation->world->now_ms ? room->at_ms
							      : simulation->world->now_ms;
	event.by = one_in(simulation, 2) ? SEAT_X : SEAT_O;
	if (room->draw_offer != SEAT_NONE) {
		event.type = EVENT_DRAW_DECLINED;
		event.by = room->draw_offer == SEAT_X ? SEAT_O : SEAT_X;
	}
	message_copy(event.room, sizeof(event.room), id);
	foreign = memory_new(1, sizeof(*foreign));
	*foreign = (struct foreign){.simulation = simulation, .seq = event.seq};
	message_copy(foreign->room, sizeof(foreign->room), id);
	foreign->line = encode_event(&event);
	foreign->change = (struct store_room_change){.room = foreign->room,
			.after_seq = room->seq,
			.count = 1,
			.lines = &foreign->line,
			.state = STORE_ROOM_PLAYING,
			.at_ms = event.at_ms};
	foreign->batch = (struct store_batch){.room_count = 1, .rooms = &foreign->change};
	simulation->world->store->ops->commit(
			simulation->world->store, &foreign->batch, on_foreign, foreign);
}

/* A game of two whom this server has rated before is rated there, and the room of it is nobody's to
 * look at here. */
struct foreign_game {
	struct simulation *simulation;
	char room[ROOM_ID_SIZE];
	struct store_rating_change ratings[2];
	struct store_game game;
	struct store_batch batch;
};

static void on_foreign_game(void *arg, enum store_status status)
{
	struct foreign_game *foreign = arg;

	foreign->simulation->foreign_games += status == STORE_STORED ? 1 : 0;
	free(foreign);
}

static void rate_elsewhere(struct simulation *simulation)
{
	struct store *store = simulation->world->store;
	struct foreign_game *foreign;
	struct store_rating before[2];
	struct store_rating after[2];
	size_t count;
	const struct fickle_rated *rated = fickle_store_rated(store, &count);

	if (count == 0) {
		return;
	}
	rated += below(simulation, (int)count);
	foreign = memory_new(1, sizeof(*foreign));
	foreign->simulation = simulation;
	snprintf(foreign->room, sizeof(foreign->room), "away%d", ++simulation->next_id);
	foreign->game = (struct store_game){.room = foreign->room,
			.ended_seq = 9,
			.x_key = "",
			.o_key = "",
			.ended_ms = simulation->world->now_ms,
			.result = "{}",
			.record = "",
			.is_rated = true,
			.rated_ids = {rated->ids[0], rated->ids[1]},
			.ahead = below(simulation, 9) - 4};
	for (int i = 0; i < 2; i++) {
		assert_true(fickle_store_rating(store, rated->ids[i], &before[i]));
	}
	rated_game(before, foreign->game.ahead, foreign->game.ended_ms, after);
	for (int i = 0; i < 2; i++) {
		foreign->ratings[i] = (struct store_rating_change){rated->ids[i], after[i]};
	}
	foreign->batch = (struct store_batch){.rating_count = 2,
			.ratings = foreign->ratings,
			.game_count = 1,
			.games = &foreign->game};
	store->ops->commit(store, &foreign->batch, on_foreign_game, foreign);
}

/* Every end that counted changed the ratings once, from what they were; what is stored is what all
 * of them make together. */

static void look_at_rated(struct simulation *simulation, const struct fickle_rated *rated,
		const struct store_rating before[2], const struct store_rating after[2])
{
	const struct model_room *room = model_catch_up(&simulation->model, rated->room);

	assert_int_not_equal(room->ended_seq, 0);
	assert_true(room->ratings.set);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(room->ratings.before_milli[i], rated_milli(&before[i]));
		assert_int_equal(room->ratings.after_milli[i], after[i].milli);
	}
}

static void look_at_ratings(struct simulation *simulation)
{
	const struct store *store = simulation->world->store;
	struct rating_book ratings;
	uint64_t own = 0;
	size_t count;
	const struct fickle_rated *rated = fickle_store_rated(store, &count);

	rating_book_init(&ratings);
	for (size_t i = 0; i < count; i++) {
		const int64_t *ids = rated[i].ids;
		const struct store_rating before[2] = {rating_book_find(&ratings, ids[0]),
				rating_book_find(&ratings, ids[1])};

		assert_true(ids[0] != ids[1]);
		rating_book_add(&ratings, ids, rated[i].ahead, rated[i].ended_ms);
		if (strncmp(rated[i].room, "away", 4) != 0) {
			const struct store_rating after[2] = {rating_book_find(&ratings, ids[0]),
					rating_book_find(&ratings, ids[1])};

			look_at_rated(simulation, &rated[i], before, after);
			own++;
		}
	}
	/* None was rated twice: so many different rooms say so. */
	assert_int_equal(own, simulation->model.rated);
	for (size_t i = 0; i < 2 * count; i++) {
		int64_t id = rated[i / 2].ids[i % 2];
		const struct store_rating calculated = rating_book_find(&ratings, id);
		struct store_rating stored;

		assert_true(fickle_store_rating(store, id, &stored));
		assert_true(rated_same(&stored, &calculated));
	}
	rating_book_fini(&ratings);
}

/* Longer than any commit takes here to be answered. */
#define SLACK_MS 60000

/* What must have fallen due has: no clock runs on below nothing. */
static void look_for_overdue(struct simulation *simulation)
{
	for (size_t i = 0; i < simulation->model.count; i++) {
		const struct model_room *room =
				model_catch_up(&simulation->model, simulation->model.rooms[i]->id);
		int64_t since_ms = room->clock_ms > simulation->started_ms ? room->clock_ms
									   : simulation->started_ms;
		int64_t left_ms = WORLD_FIRST_MOVE_MS;

		if (room->status != STATUS_PLAYING || !room->clock.set) {
			continue;
		}
		if (room->clock.running != SEAT_NONE) {
			left_ms = room->clock.running == SEAT_X ? room->clock.x_ms
								: room->clock.o_ms;
		}
		if (simulation->world->now_ms > since_ms + left_ms + SLACK_MS) {
			fail_msg("room %s goes on after time has decided it", room->id);
		}
	}
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
	look_for_overdue(simulation);
	look_at_ratings(simulation);
}

/* What is stored is what a server that starts anew tells, to the byte. */
static void compare_after_restart(struct simulation *simulation)
{
	struct client *client = client_connect(simulation->world);
	struct judge *judge = judge_new(client, &simulation->model);

	fickle_store_turn(simulation->world->store, &(struct fickle_knobs){0});
	for (int i = 0; i < 10; i++) {
		struct question question = {.id = i + 1, .type = REQUEST_STATE, .has_since = true};
		const struct model_room *room =
				model_catch_up(&simulation->model, asking_any_room(simulation));

		if (room->seq == 0) {
			continue;
		}
		strcpy(question.room, room->id);
		judge_expect(judge, &question);
		client_say(client, "{\"type\":\"state\",\"id\":%d,\"room\":\"%s\",\"since\":0}",
				question.id, room->id);
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
	/* Somebody puts the machine's clock forward. */
	simulation->world->now_ms += one_in(simulation, 3) ? below(simulation, 3600000) : 0;
	world_restart(simulation->world);
	simulation->started_ms = simulation->world->now_ms;
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
		if (one_in(simulation, 100)) {
			act_elsewhere(simulation);
		}
		if (one_in(simulation, 300)) {
			rate_elsewhere(simulation);
		}
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
	struct simulation *simulation = memory_new(1, sizeof(*simulation));

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
	       " games to the end, %" PRIu64 " restarts, %" PRIu64 " events from elsewhere\n"
	       "# %" PRIu64 " flags, %" PRIu64 " claims, %" PRIu64 " without a first move, %" PRIu64
	       " whose creator left\n"
	       "# %" PRIu64 " games rated here, %" PRIu64 " elsewhere\n",
			steps, simulation->replies, simulation->model.count,
			simulation->model.actions, simulation->model.games, simulation->restarts,
			simulation->foreign_events, simulation->model.flags,
			simulation->model.claims, simulation->model.no_first_moves,
			simulation->model.creators_gone, simulation->model.rated,
			simulation->foreign_games);
	/* A world in which nothing happens proves nothing; a short one is somebody's who looks for
	 * the first step that fails. */
	if (steps >= 10000) {
		assert_true(simulation->replies > steps / 2);
		assert_true(simulation->model.actions > steps / 20);
		assert_true(simulation->model.games > steps / 500);
		assert_true(simulation->foreign_events > steps / 1000);
		assert_true(simulation->model.flags > steps / 500);
		assert_true(simulation->model.rated > steps / 1000);
		assert_true(simulation->foreign_games > steps / 1000);
		assert_true(simulation->model.claims > 0 || steps < 100000);
		assert_true(simulation->model.no_first_moves > steps / 2000);
		assert_true(simulation->model.creators_gone > 0);
	}
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
