#include <stdio.h>
#include <string.h>

#include "client-cli/places.h"
#include "tests/unit/game/cmocka_all.h"

static struct message state_of(const char *room, int64_t seq)
{
	struct message message = {.kind = MESSAGE_EVENT};
	struct snapshot *state = &message.event.state;

	message.event.type = EVENT_STATE;
	message_copy(state->room, sizeof(state->room), room);
	state->seq = seq;
	state->status = STATUS_PLAYING;
	state->board = (struct board){.move = 1, .turn = SEAT_X, .phase = PHASE_MOVE};
	return message;
}

static struct message moved_in(const char *room, int64_t seq, uint8_t move)
{
	struct message message = {.kind = MESSAGE_EVENT};

	message.event.type = EVENT_MOVED;
	message.event.seq = seq;
	message_copy(message.event.room, sizeof(message.event.room), room);
	message.event.moved.board.move = (uint8_t)(move + 1);
	message.event.moved.board.turn = SEAT_O;
	return message;
}

static bool take(struct places *places, struct message message)
{
	return places_take(places, &message);
}

static void what_was_told_before_is_no_news_after_a_return(void **state)
{
	struct places places = {.count = 0};
	struct message late = state_of("abcde", 9);

	(void)state;
	assert_true(take(&places, state_of("abcde", 4)));
	assert_true(take(&places, moved_in("abcde", 5, 1)));
	places_fall_behind(&places);
	assert_false(take(&places, state_of("abcde", 8)));
	assert_false(take(&places, moved_in("abcde", 5, 1)));
	/* One that comes of itself, before the missed ones: it comes again with them. */
	assert_false(take(&places, moved_in("abcde", 8, 4)));
	for (int64_t seq = 6; seq <= 8; seq++) {
		assert_true(take(&places, moved_in("abcde", seq, (uint8_t)(seq - 4))));
		assert_false(take(&places, moved_in("abcde", seq, (uint8_t)(seq - 4))));
	}
	assert_false(places_catch_up(&places, &late.event.state));
	assert_true(take(&places, state_of("abcde", 10)));
	late = state_of("abcde", 10);
	places_fall_behind(&places);
	assert_true(places_catch_up(&places, &late.event.state));
	assert_true(take(&places, moved_in("abcde", 11, 7)));
}

static void what_one_asks_to_hear_again_is_told_again(void **state)
{
	struct places places = {.count = 0};

	(void)state;
	take(&places, state_of("abcde", 4));
	assert_true(take(&places, moved_in("abcde", 2, 1)));
	assert_int_equal(places_find(&places, "abcde")->seq, 4);
}

static void only_rooms_that_are_followed_are_places(void **state)
{
	struct message snapshot = state_of("abcde", 4);
	struct message ok = {.kind = MESSAGE_OK};
	struct places places = {.count = 0};

	(void)state;
	ok.ok.to = REQUEST_STATE;
	ok.ok.state = &snapshot.event.state;
	message_copy(ok.ok.room, sizeof(ok.ok.room), "abcde");
	assert_true(take(&places, ok));
	assert_int_equal(places.count, 0);
	ok.ok.to = REQUEST_WATCH;
	take(&places, ok);
	assert_int_equal(places.count, 1);
	ok.ok.to = REQUEST_LEAVE;
	ok.ok.state = NULL;
	take(&places, ok);
	assert_int_equal(places.count, 0);
}

static void the_first_that_is_over_makes_room_for_one_too_many(void **state)
{
	struct places places = {.count = 0};
	char id[ROOM_ID_SIZE];

	(void)state;
	for (int i = 0; i <= LIMIT_ROOMS_FOLLOWED; i++) {
		snprintf(id, sizeof(id), "room%d", i);
		take(&places, state_of(id, 1));
		if (i == 3) {
			places_find(&places, id)->over = true;
		}
	}
	assert_int_equal(places.count, LIMIT_ROOMS_FOLLOWED);
	assert_null(places_find(&places, "room3"));
	assert_non_null(places_find(&places, "room0"));
	assert_non_null(places_find(&places, id));
}

static void an_invitation_that_comes_again_is_no_news(void **state)
{
	struct message invited = {.kind = MESSAGE_EVENT};
	struct places places = {.count = 0};

	(void)state;
	invited.event.type = EVENT_INVITED;
	for (int i = 0; i <= PLACES_INVITATIONS_MAX; i++) {
		snprintf(invited.event.room, sizeof(invited.event.room), "room%d", i);
		assert_true(take(&places, invited));
		assert_false(take(&places, invited));
	}
	assert_int_equal(places.invitation_count, PLACES_INVITATIONS_MAX);
}

static struct message watched_by(int64_t spectators, const char *player)
{
	struct message message = {.kind = MESSAGE_EVENT};

	message.event.type = EVENT_PRESENCE;
	message.event.presence.spectators = spectators;
	message_copy(message.event.room, sizeof(message.event.room), "abcde");
	message_copy(message.event.presence.player, NAME_SIZE, player);
	return message;
}

static void how_many_watch_is_told_when_it_changes(void **state)
{
	struct places places = {.count = 0};

	(void)state;
	take(&places, state_of("abcde", 1));
	assert_true(take(&places, watched_by(1, "")));
	assert_false(take(&places, watched_by(1, "")));
	assert_true(take(&places, watched_by(1, "ala")));
	assert_true(take(&places, watched_by(1, "ala")));
	assert_true(take(&places, watched_by(2, "")));
}

/* The number that an action is sent with; 0: none. */
static int64_t number_of(struct places *places, enum seat seat, const struct request *typed)
{
	struct request request = *typed;

	places_number(places, seat, &request);
	return request.has & HAS_MOVE ? request.move : 0;
}

static void actions_get_their_number_where_it_is_plain(void **state)
{
	static const struct request move = {.type = REQUEST_MOVE, .has = HAS_ROOM, .room = "abcde"};
	static const struct request other = {
			.type = REQUEST_MOVE, .has = HAS_ROOM, .room = "fghjk"};
	static const struct request collapse = {
			.type = REQUEST_COLLAPSE, .has = HAS_ROOM, .room = "abcde"};
	static const struct request own = {.type = REQUEST_MOVE,
			.has = HAS_ROOM | HAS_MOVE,
			.room = "abcde",
			.move = 9};
	static const struct request say = {.type = REQUEST_SAY, .has = HAS_ROOM, .room = "abcde"};
	struct places places = {.count = 0};

	(void)state;
	take(&places, state_of("abcde", 4));
	take(&places, moved_in("abcde", 5, 1));
	/* Whoever types before he was told that it is his turn says no number. */
	assert_int_equal(number_of(&places, SEAT_X, &move), 0);
	assert_int_equal(number_of(&places, SEAT_O, &move), 2);
	assert_int_equal(number_of(&places, SEAT_O, &other), 0);
	assert_int_equal(number_of(&places, SEAT_O, &collapse), 0);
	assert_int_equal(number_of(&places, SEAT_O, &say), 0);
	assert_int_equal(number_of(&places, SEAT_O, &own), 9);
	places.seen[0].phase = PHASE_COLLAPSE;
	assert_true(number_of(&places, SEAT_O, &collapse) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(what_was_told_before_is_no_news_after_a_return),
			cmocka_unit_test(what_one_asks_to_hear_again_is_told_again),
			cmocka_unit_test(only_rooms_that_are_followed_are_places),
			cmocka_unit_test(the_first_that_is_over_makes_room_for_one_too_many),
			cmocka_unit_test(an_invitation_that_comes_again_is_no_news),
			cmocka_unit_test(how_many_watch_is_told_when_it_changes),
			cmocka_unit_test(actions_get_their_number_where_it_is_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
