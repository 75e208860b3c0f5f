#include "tests/world/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/decode.h"
#include "protocol/requests.h"
#include "server/ops/memory.h"
#include "tests/world/told.h"

#define NOWHERE SIZE_MAX
/* Of a `state`, up to the end of a short room id. */
#define STATE_ROOM_BYTES (sizeof "{\"type\":\"state\",\"room\":\"k7m2q" - 1)

#define FAIL(line, text) fail_msg("%s: %.*s", text, (int)(line)->length, (line)->data)

struct judge *judge_new(struct client *client, struct model *model)
{
	struct judge *judge = memory_new(1, sizeof(*judge));

	judge->client = client;
	judge->model = model;
	client->own = judge;
	return judge;
}

void judge_free(struct judge *judge)
{
	if (judge != NULL) {
		free(judge->follows);
		free(judge);
	}
}

void judge_expect(struct judge *judge, const struct question *question)
{
	if (question->type == REQUEST_ANALYSE) {
		assert_true(judge->analysis_count < JUDGE_QUESTIONS_MAX && question->id != 0);
		judge->analyses[judge->analysis_count] = *question;
		judge->analysis_count++;
		return;
	}
	assert_true(judge->question_count < JUDGE_QUESTIONS_MAX);
	judge->questions[judge->question_count] = *question;
	judge->question_count++;
}

/* Following. */

static struct follow *find_follow(const struct judge *judge, const char *room)
{
	for (size_t i = 0; i < judge->follow_count; i++) {
		if (strcmp(judge->follows[i].room, room) == 0) {
			return &judge->follows[i];
		}
	}
	return NULL;
}

static void follow(struct judge *judge, const char *room, int64_t told)
{
	struct follow *known = find_follow(judge, room);

	if (known != NULL) {
		/* It never goes back. */
		assert_true(told >= known->told);
		known->told = told;
		return;
	}
	if (judge->follow_count == judge->follow_size) {
		judge->follow_size = judge->follow_size == 0 ? 8 : judge->follow_size * 2;
		judge->follows = memory_resize(
				judge->follows, judge->follow_size, sizeof(*judge->follows));
	}
	known = &judge->follows[judge->follow_count];
	judge->follow_count++;
	judge->was_full = judge->was_full || judge->follow_count > LIMIT_ROOMS_FOLLOWED;
	message_copy(known->room, sizeof(known->room), room);
	known->told = told;
}

static void unfollow(struct judge *judge, const char *room)
{
	struct follow *known = find_follow(judge, room);

	if (known != NULL) {
		judge->follow_count--;
		*known = judge->follows[judge->follow_count];
	}
}

/* Replies. */

static void decode(const struct bytes *line, struct message *ret)
{
	if (!decode_message(line->data, line->length - 1, ret)) {
		FAIL(line, "no message");
	}
}

static bool has(const struct bytes *line, const char *text)
{
	return memmem(line->data, line->length, text, strlen(text)) != NULL;
}

/* Is it the reply, of this word, to that question? */
static bool is_reply(const struct bytes *line, const char *word, const struct question *question)
{
	char beginning[128];
	char re[24] = "";

	if (question->type == REQUEST_COUNT) {
		return strcmp(word, "error") == 0;
	}
	if (question->id != 0) {
		snprintf(re, sizeof(re), "\"re\":%d,", question->id);
	}
	snprintf(beginning, sizeof(beginning), "{\"type\":\"%s\",%s\"to\":\"%s\"", word, re,
			request_row(question->type)->name);
	return told_begins(line, beginning);
}

/* What an `ok` to a move promises is there, for good. */
static void look_at_ok_to_move(
		struct judge *judge, const struct question *question, const struct ok *ok)
{
	size_t count;
	struct bytes *const *lines = fickle_store_lines(judge->model->store, ok->room, &count);
	int low = question->squares[0];
	int high = question->squares[1];
	char squares[40];

	if (low > high) {
		low = question->squares[1];
		high = question->squares[0];
	}
	if (low == high) {
		snprintf(squares, sizeof(squares), "\"squares\":[%d],", low);
	} else {
		snprintf(squares, sizeof(squares), "\"squares\":[%d,%d],", low, high);
	}
	assert_true(ok->seq >= 1 && ok->seq <= (int64_t)count);
	if (!told_begins(lines[ok->seq - 1], "{\"type\":\"moved\"") ||
			!has(lines[ok->seq - 1], squares)) {
		FAIL(lines[ok->seq - 1], "an ok to another move");
	}
}

static void learn_who(struct judge *judge, const struct ok *ok)
{
	if ((ok->carries & (OK_NAME | OK_YOU)) != 0) {
		message_copy(judge->name, sizeof(judge->name),
				(ok->carries & OK_NAME) != 0 ? ok->name : ok->you);
	}
	if ((ok->carries & OK_TOKEN) != 0) {
		message_copy(judge->token, sizeof(judge->token), ok->token);
	}
}

static void look_at_state(struct judge *judge, const struct question *question, const struct ok *ok)
{
	assert_true((ok->carries & OK_STATE) != 0);
	model_same_state(judge->model, ok->state);
	if (question->type != REQUEST_STATE || find_follow(judge, ok->room) != NULL) {
		follow(judge, ok->room, ok->state->seq);
	}
}

/* Replies with more to look at than whose they are; long lists are not worth the time. */
static const bool is_worth_decoding[REQUEST_COUNT + 1] = {
		[REQUEST_HELLO] = true,
		[REQUEST_CREATE] = true,
		[REQUEST_MATCH] = true,
		[REQUEST_JOIN] = true,
		[REQUEST_WATCH] = true,
		[REQUEST_STATE] = true,
		[REQUEST_LEAVE] = true,
		[REQUEST_MOVE] = true,
};

static const bool carries_state[REQUEST_COUNT + 1] = {
		[REQUEST_CREATE] = true,
		[REQUEST_MATCH] = true,
		[REQUEST_JOIN] = true,
		[REQUEST_WATCH] = true,
		[REQUEST_STATE] = true,
};

static void look_at_ok(struct judge *judge, const struct bytes *line)
{
	const struct question *question = &judge->questions[0];
	struct message message;

	if (judge->question_count == 0 || !is_reply(line, "ok", question)) {
		FAIL(line, "no reply to what was asked");
	}
	if (!is_worth_decoding[question->type] && !has(line, "\"token\":")) {
		return;
	}
	decode(line, &message);
	learn_who(judge, &message.ok);
	if (carries_state[question->type]) {
		look_at_state(judge, question, &message.ok);
	} else if (question->type == REQUEST_LEAVE) {
		unfollow(judge, message.ok.room);
	} else if (question->type == REQUEST_MOVE) {
		look_at_ok_to_move(judge, question, &message.ok);
	}
	message_fini(&message);
}

static void look_at_error(struct judge *judge, const struct bytes *line)
{
	const struct question *question = &judge->questions[0];
	const char *seq = memmem(line->data, line->length, "\"seq\":", 6);

	if (judge->question_count == 0 || !is_reply(line, "error", question)) {
		FAIL(line, "no reply to what was asked");
	}
	if (has(line, "\"code\":\"internal\"")) {
		FAIL(line, "the server made a mistake");
	}
	if (seq != NULL && question->room[0] != '\0' &&
			!fickle_store_has_event(
					judge->model->store, question->room, told_seq(seq))) {
		FAIL(line, "told before it is stored");
	}
}

static void answered(struct judge *judge)
{
	judge->replies++;
	judge->question_count--;
	memmove(judge->questions, judge->questions + 1,
			judge->question_count * sizeof(*judge->questions));
}

/* Is it the reply to an analysis? Then that is answered. */
static bool look_at_analysis(struct judge *judge, const struct bytes *line)
{
	for (size_t i = 0; i < judge->analysis_count; i++) {
		const struct question *question = &judge->analyses[i];

		if (is_reply(line, "ok", question) || is_reply(line, "error", question)) {
			judge->replies++;
			judge->analysis_count--;
			judge->analyses[i] = judge->analyses[judge->analysis_count];
			return true;
		}
	}
	return false;
}

/* Events. */

static bool is_behind(const struct judge *judge)
{
	return judge->client->queued > WORLD_BEHIND_BYTES;
}

static void look_at_event(
		struct judge *judge, const struct bytes *line, const char *room, int64_t seq)
{
	struct follow *known = find_follow(judge, room);
	const struct model_room *model = model_reach(judge->model, room, seq);

	if (is_behind(judge)) {
		FAIL(line, "told to a client that is behind");
	}
	if (known == NULL) {
		FAIL(line, "told to a client that does not follow");
	}
	if (seq != known->told + 1) {
		FAIL(line, "a gap, or told again");
	}
	known->told = seq;
	(void)model;
}

static void look_at_state_event(struct judge *judge, const struct bytes *line)
{
	struct message message;

	decode(line, &message);
	model_same_state(judge->model, &message.event.state);
	follow(judge, message.event.state.room, message.event.state.seq);
	message_fini(&message);
}

static void look_at_passing(struct judge *judge, const struct bytes *line)
{
	bool waits = told_begins(line, "{\"type\":\"said\"") ||
		     told_begins(line, "{\"type\":\"presence\"") ||
		     told_begins(line, "{\"type\":\"lobby\"");

	if (waits && is_behind(judge)) {
		FAIL(line, "told to a client that is behind");
	}
}

/* Where the events that the first question asked for again begin: they stand right before its
 * reply. NOWHERE: the reply has not come, or there are none. */
static size_t replay_begins(const struct judge *judge, size_t from, size_t *ret_reply)
{
	const struct client *client = judge->client;
	const struct question *question = &judge->questions[0];
	size_t begins = NOWHERE;

	if (judge->question_count == 0 || !question->has_since) {
		return NOWHERE;
	}
	for (size_t i = from; i < client->count; i++) {
		struct message message;

		if (!is_reply(client->lines[i], "ok", question)) {
			continue;
		}
		decode(client->lines[i], &message);
		if (message.ok.state->seq > question->since) {
			begins = i - (size_t)(message.ok.state->seq - question->since);
			*ret_reply = i;
		}
		message_fini(&message);
		break;
	}
	return begins;
}

static void look_at_replay(struct judge *judge, size_t begins, size_t end)
{
	const struct question *question = &judge->questions[0];

	for (size_t i = begins; i < end; i++) {
		const struct bytes *line = judge->client->lines[i];
		char room[ROOM_ID_SIZE];
		int64_t seq;

		if (!told_event(line, room, &seq) || strcmp(room, question->room) != 0 ||
				seq != question->since + 1 + (int64_t)(i - begins)) {
			FAIL(line, "not what was to come again");
		}
		model_reach(judge->model, room, seq);
	}
}

static void look_at_line(struct judge *judge, const struct bytes *line)
{
	char room[ROOM_ID_SIZE];
	int64_t seq;

	if (look_at_analysis(judge, line)) {
		return;
	}
	if (told_begins(line, "{\"type\":\"ok\"")) {
		look_at_ok(judge, line);
		answered(judge);
	} else if (told_begins(line, "{\"type\":\"error\"")) {
		look_at_error(judge, line);
		answered(judge);
	} else if (told_begins(line, "{\"type\":\"state\"")) {
		look_at_state_event(judge, line);
	} else if (told_event(line, room, &seq)) {
		look_at_event(judge, line, room, seq);
	} else {
		look_at_passing(judge, line);
	}
}

static void look_at_bye(const struct judge *judge, size_t place)
{
	const struct client *client = judge->client;

	if (place + 1 != client->count || !client->was_closed) {
		FAIL(client->lines[place], "a goodbye that is not the last word");
	}
}

void judge_look(struct judge *judge)
{
	struct client *client = judge->client;
	size_t i = client->read;

	while (i < client->count) {
		size_t reply = i;

		if (told_begins(client->lines[i], "{\"type\":\"bye\"")) {
			look_at_bye(judge, i);
		}
		if (replay_begins(judge, i, &reply) == i) {
			look_at_replay(judge, i, reply);
			i = reply;
		}
		look_at_line(judge, client->lines[i]);
		i++;
	}
	client_clear(client);
}

void judge_look_at_states(struct judge *judge)
{
	const struct client *client = judge->client;

	for (size_t i = client->read; i < client->count; i++) {
		const struct bytes *line = client->lines[i];

		if (told_begins(line, "{\"type\":\"lobby\"") ||
				told_begins(line, "{\"type\":\"invited\"")) {
			continue;
		}
		if (!told_begins(line, "{\"type\":\"state\"")) {
			FAIL(line, "no state");
		}
		for (size_t j = client->read; j < i; j++) {
			const struct bytes *other = client->lines[j];

			if (memcmp(other->data, line->data, STATE_ROOM_BYTES) == 0) {
				FAIL(line, "a second state");
			}
		}
	}
	judge_look(judge);
}

/* Of the last event that this server must know of. */
static int64_t last_own_seq(const struct model_room *room)
{
	int64_t seq = room->seq;

	while (seq > 0 && seq < 64 && (room->foreign >> seq & 1) != 0) {
		seq--;
	}
	return seq;
}

void judge_at_rest(const struct judge *judge)
{
	if (judge->client->session == NULL) {
		return;
	}
	assert_int_equal(judge->question_count, 0);
	assert_int_equal(judge->analysis_count, 0);
	for (size_t i = 0; i < judge->follow_count; i++) {
		const struct follow *known = &judge->follows[i];
		const struct model_room *room = model_catch_up(judge->model, known->room);

		/* One that is over may have made place for another. */
		if (room->status == STATUS_OVER && judge->was_full) {
			continue;
		}
		if (known->told < last_own_seq(room)) {
			fail_msg("room %s: told up to %lld of %lld", known->room,
					(long long)known->told, (long long)room->seq);
		}
	}
}
