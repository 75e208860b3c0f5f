/* The whole server, with several sessions, on a store that may be late, refuse or not know. The
 * input is a play in lines; whatever it says, each session is told exactly what the judge has to
 * hear: one reply a request, events without a gap, nothing before it is stored, boards as the slow
 * model has them. Of a line the first character says what happens:
 *
 *     0…7 TEXT  that session says TEXT (it connects if it has to); in TEXT, $0…$9 stand for rooms
 *               as they came up, @0…@9 for tokens as they were told
 *     aSN       session S plays the Nth legal action in the newest room where it is to act
 *     -S /S     its connection is lost; its input ends
 *     <S >S     it stops to read; it has read all
 *     +D        time passes, the more the higher the digit
 *     !DDDDD    the store from now on, in tenths: late, unavailable, unknown, kept, not readable
 *     h r       commits are held, and released
 *     *         all that can move does
 *     fN        another server stores an event of room N
 *     oTEXT     an operator says TEXT
 *     R Q       the server is started again; after a shutdown
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "protocol/decode.h"
#include "protocol/encode.h"
#include "tests/world/judge.h"

#define SESSIONS 8
#define TOKENS 10
#define LINES_MAX 300
#define LINE_SIZE 1000
/* Of those that are given here: no request of the input keeps such a one. */
#define FIRST_ID 1000000
#define STALLED_BYTES (WORLD_BEHIND_BYTES + 1)

struct sitting {
	struct world *world;
	struct model model;
	struct judge *judges[SESSIONS];	 /* NULL: not connected */
	bool hears_words[SESSIONS];	 /* no JSON, so there is nothing to judge */
	char tokens[TOKENS][TOKEN_SIZE]; /* as they were told */
	size_t token_count;
	int next_id;
	struct client *operator; /* NULL: not connected */
};

/* Coming, going, being told. */

static void look(struct sitting *sitting, size_t place)
{
	struct judge *judge = sitting->judges[place];

	if (sitting->hears_words[place]) {
		client_clear(judge->client);
		return;
	}
	judge_look(judge);
	for (size_t i = 0; i < sitting->token_count; i++) {
		if (strcmp(sitting->tokens[i], judge->token) == 0) {
			return;
		}
	}
	if (judge->token[0] != '\0' && sitting->token_count < TOKENS) {
		strcpy(sitting->tokens[sitting->token_count], judge->token);
		sitting->token_count++;
	}
}

static void leave(struct sitting *sitting, size_t place)
{
	look(sitting, place);
	client_free(sitting->judges[place]->client);
	judge_free(sitting->judges[place]);
	sitting->judges[place] = NULL;
	sitting->hears_words[place] = false;
}

/* What he is told is checked on its way, like all that anybody is. */
static void look_at_operator(struct sitting *sitting)
{
	if (sitting->operator== NULL) {
		return;
	}
	client_clear(sitting->operator);
	if (sitting->operator->session == NULL) {
		client_free(sitting->operator);
		sitting->operator= NULL;
	}
}

static void look_at_all(struct sitting *sitting)
{
	look_at_operator(sitting);
	for (size_t i = 0; i < SESSIONS; i++) {
		if (sitting->judges[i] == NULL) {
			continue;
		}
		look(sitting, i);
		if (sitting->judges[i]->client->session == NULL) {
			leave(sitting, i);
		}
	}
}

static struct judge *judge_at(struct sitting *sitting, size_t place)
{
	struct client *client;

	if (sitting->judges[place] == NULL) {
		client = client_connect(sitting->world);
		client->passes_over_words = true;
		sitting->judges[place] = judge_new(client, &sitting->model);
	}
	return sitting->judges[place];
}

/* Saying. */

static struct model_room *room_at(struct sitting *sitting, size_t number)
{
	size_t place = sitting->model.count == 0 ? 0 : number % sitting->model.count;

	return sitting->model.count == 0 ? NULL : sitting->model.rooms[place];
}

static const char *meant(struct sitting *sitting, char kind, size_t number)
{
	const struct model_room *room = room_at(sitting, number);

	if (kind == '@') {
		return number < sitting->token_count ? sitting->tokens[number] : "@";
	}
	return room == NULL ? "zzzzz" : room->id;
}

/* The text with rooms and tokens in it. Returns its length. */
static size_t fill_in(
		struct sitting *sitting, const char *text, size_t length, char ret_line[LINE_SIZE])
{
	size_t used = 0;

	for (size_t i = 0; i < length && used + TOKEN_SIZE < LINE_SIZE; i++) {
		const bool stands = (text[i] == '$' || text[i] == '@') && i + 1 < length &&
				    text[i + 1] >= '0' && text[i + 1] <= '9';

		if (stands) {
			const char *word = meant(sitting, text[i], (size_t)(text[i + 1] - '0'));

			memcpy(ret_line + used, word, strlen(word));
			used += strlen(word);
			i++;
		} else {
			ret_line[used] = text[i];
			used++;
		}
	}
	ret_line[used] = '\0';
	return used;
}

/* What the reply to a request is looked at for. */
static struct question question_of(const struct request *request)
{
	struct question question = {.type = request->type,
			.has_since = (request->has & HAS_SINCE) != 0,
			.since = request->since};

	question.id = request->id.kind == ID_NONE ? 0 : (int)request->id.integer;
	message_copy(question.room, sizeof(question.room), request->room);
	for (int i = 0; i < 2; i++) {
		const int64_t square = request->squares[i < request->square_count ? i : 0];

		question.squares[i] = square >= 1 && square <= 9 ? (int)square : 0;
	}
	return question;
}

/* The judge knows ids that are small numbers, `since` of a room that is named, and analyses by ids
 * that nothing else has. */
static bool is_for_judge(const struct request *request)
{
	const bool fits = request->id.kind == ID_NONE ||
			  (request->id.kind == ID_INTEGER && request->id.integer > 0 &&
					  request->id.integer < FIRST_ID);

	return fits && request->type != REQUEST_ANALYSE &&
	       ((request->has & HAS_SINCE) == 0 || (request->has & HAS_ROOM) != 0);
}

static void say_as_judged(struct sitting *sitting, struct judge *judge, struct request *request)
{
	struct question question;
	struct bytes *line;

	request->id.kind = ID_INTEGER;
	request->id.integer = FIRST_ID + sitting->next_id;
	sitting->next_id++;
	request->has &= ~(uint32_t)((request->has & HAS_ROOM) != 0 ? 0 : HAS_SINCE);
	line = encode_request(request);
	question = question_of(request);
	judge_expect(judge, &question);
	client_say(judge->client, "%.*s", (int)line->length - 1, line->data);
	bytes_unref(line);
}

static void say(struct sitting *sitting, size_t place, const char *line, size_t length)
{
	struct judge *judge = judge_at(sitting, place);
	struct request request;
	struct error error;

	if (judge->question_count == JUDGE_QUESTIONS_MAX ||
			judge->analysis_count == JUDGE_QUESTIONS_MAX || judge->client->ends) {
		return;
	}
	if (!decode_request(line, length, &request, &error)) {
		judge_expect(judge, &(struct question){.type = REQUEST_COUNT});
		client_say(judge->client, "%s", line);
		return;
	}
	/* The judge's players keep names and tokens. */
	if (request.type == REQUEST_FORGET || request.renew) {
		return;
	}
	if (request.type == REQUEST_TEXT && request.mode == TEXT_ONLY) {
		look(sitting, place);
		sitting->hears_words[place] = true;
	}
	if (is_for_judge(&request)) {
		struct question question = question_of(&request);

		judge_expect(judge, &question);
		client_say(judge->client, "%s", line);
	} else {
		say_as_judged(sitting, judge, &request);
	}
	if (sitting->hears_words[place]) {
		judge->question_count = 0;
		judge->analysis_count = 0;
	}
}

static void take_say(struct sitting *sitting, const char *text, size_t length)
{
	char filled[LINE_SIZE];
	size_t size = fill_in(sitting, text + 1, length - 1, filled);
	struct line_cutter cutter = {0};
	size_t consumed;
	const char *line = NULL;
	size_t line_length = 0;

	if (line_cut(&cutter, filled, size, LIMIT_LINE_BYTES, true, &consumed, &line,
			    &line_length) == LINE_WHOLE) {
		filled[line_length] = '\0';
		say(sitting, (size_t)(text[0] - '0'), filled, line_length);
	}
}

static void take_operator(struct sitting *sitting, const char *text, size_t length)
{
	char filled[LINE_SIZE];

	if (sitting->operator== NULL) {
		sitting->operator= client_connect_operator(sitting->world);
	}
	if (sitting->operator->input_count<JUDGE_QUESTIONS_MAX) {
		fill_in(sitting, text, length, filled);
		client_say(sitting->operator, "%s", filled);
	}
}

/* The newest room of those that it follows in which it is to act. */
static struct model_room *room_to_act_in(struct sitting *sitting, const struct judge *judge)
{
	for (size_t i = judge->follow_count; i > 0; i--) {
		struct model_room *room =
				model_reach(&sitting->model, judge->follows[i - 1].room, 0);
		const char *name = room->players[room->view.turn == 'O' ? 1 : 0];

		if (room->status == STATUS_PLAYING && room->view.legal_count > 0 &&
				strcmp(name, judge->name) == 0) {
			return room;
		}
	}
	return NULL;
}

static void act(struct sitting *sitting, size_t place, size_t number)
{
	const struct model_room *room = room_to_act_in(sitting, judge_at(sitting, place));
	const int *legal;
	char line[100];
	int length;

	if (room == NULL) {
		return;
	}
	legal = room->view.legal[number % (size_t)room->view.legal_count];
	length = room->view.phase == SLOW_COLLAPSE
				 ? snprintf(line, sizeof(line), "collapse %d room=%s", legal[0],
						   room->id)
				 : snprintf(line, sizeof(line), "move %d %d room=%s", legal[0],
						   legal[1], room->id);
	say(sitting, place, line, (size_t)length);
}

/* What else happens. */

static void lose(struct sitting *sitting, size_t place)
{
	if (sitting->judges[place] != NULL) {
		client_drop(sitting->judges[place]->client);
		leave(sitting, place);
	}
}

static void read_all(struct sitting *sitting, size_t place)
{
	struct judge *judge = sitting->judges[place];

	if (judge == NULL || judge->client->queued == 0) {
		return;
	}
	look(sitting, place);
	client_stalls(judge->client, 0);
	if (!sitting->hears_words[place]) {
		judge_look_at_states(judge);
	}
}

static void pass_time(struct sitting *sitting, size_t digit)
{
	static const int64_t spans_ms[] = {
			1, 10, 100, 500, 1000, 5000, 30000, 61000, 130000, 600000};

	/* The model reads events: so long that they are dropped, no play takes. */
	if (sitting->world->now_ms < WORLD_START_MS + WORLD_KEEP_EVENTS_MS / 2) {
		world_advance(sitting->world, spans_ms[digit]);
	}
}

static unsigned int tenths(const char *digits, size_t length, size_t place)
{
	const bool is_digit = place < length && digits[place] >= '0' && digits[place] <= '9';

	return is_digit ? (unsigned int)(digits[place] - '0') * 1000 / 9 : 0;
}

static void turn_store(struct sitting *sitting, const char *digits, size_t length)
{
	fickle_store_turn(sitting->world->store,
			&(struct fickle_knobs){.late = tenths(digits, length, 0),
					.late_steps = 10,
					.unavailable = tenths(digits, length, 1),
					.unknown = tenths(digits, length, 2),
					.unknown_kept = tenths(digits, length, 3),
					.not_readable = tenths(digits, length, 4)});
}

/* It works, and has answered all, what was late too. */
static void make_store_work(struct sitting *sitting)
{
	do {
		fickle_store_settle(sitting->world->store);
		world_settle(sitting->world);
	} while (fickle_store_waiting(sitting->world->store) > 0);
}

static void act_elsewhere(struct sitting *sitting, size_t number)
{
	struct model_room *room = room_at(sitting, number);
	struct event event = {.type = EVENT_DRAW_OFFERED, .by = SEAT_X};

	make_store_work(sitting);
	if (room == NULL) {
		return;
	}
	room = model_catch_up(&sitting->model, room->id);
	if (room->status != STATUS_PLAYING || room->seq >= 40) {
		return;
	}
	if (room->draw_offer != SEAT_NONE) {
		event.type = EVENT_DRAW_DECLINED;
		event.by = room->draw_offer == SEAT_X ? SEAT_O : SEAT_X;
	}
	room->foreign |= UINT64_C(1) << (room->seq + 1);
	world_foreign(sitting->world, room->id, 1, &event, STORE_ROOM_PLAYING);
}

static void restart(struct sitting *sitting)
{
	world_restart(sitting->world);
	look_at_all(sitting);
}

static void shut_down(struct sitting *sitting)
{
	make_store_work(sitting);
	world_shutdown(sitting->world);
	world_settle(sitting->world);
	look_at_all(sitting);
	restart(sitting);
}

static void half_close(struct sitting *sitting, size_t place)
{
	if (sitting->judges[place] != NULL) {
		client_half_close(sitting->judges[place]->client);
	}
}

static void take_line(struct sitting *sitting, const char *line, size_t length)
{
	const size_t digit = length > 1 ? (unsigned char)line[1] % 10 : 0;
	const size_t place = digit % SESSIONS;

	switch (line[0]) {
	case 'a':
		act(sitting, place, length > 2 ? (unsigned char)line[2] : 0);
		break;
	case '-':
		lose(sitting, place);
		break;
	case '/':
		half_close(sitting, place);
		break;
	case '<':
		client_stalls(judge_at(sitting, place)->client, STALLED_BYTES);
		break;
	case '>':
		read_all(sitting, place);
		break;
	case '+':
		pass_time(sitting, digit);
		break;
	case '!':
		turn_store(sitting, line + 1, length - 1);
		break;
	case 'h':
		world_hold(sitting->world);
		break;
	case 'r':
		world_release(sitting->world);
		break;
	case '*':
		world_settle(sitting->world);
		break;
	case 'f':
		act_elsewhere(sitting, digit);
		break;
	case 'R':
		restart(sitting);
		break;
	case 'o':
		take_operator(sitting, line + 1, length - 1);
		break;
	case 'Q':
		shut_down(sitting);
		break;
	default:
		if (line[0] >= '0' && line[0] < '0' + SESSIONS) {
			take_say(sitting, line, length);
		}
	}
}

/* The end: nothing is left to be answered or told. */

static void come_to_rest(struct sitting *sitting)
{
	make_store_work(sitting);
	for (size_t i = 0; i < SESSIONS; i++) {
		read_all(sitting, i);
	}
	for (int i = 0; i < 10 || !play_idle(sitting->world->play); i++) {
		world_advance(sitting->world, 500);
		FUZZ_EXPECT(i < 1000);
	}
	look_at_all(sitting);
	for (size_t i = 0; i < SESSIONS; i++) {
		if (sitting->judges[i] != NULL && !sitting->hears_words[i]) {
			judge_at_rest(sitting->judges[i]);
		}
	}
}

/* A server that starts anew tells all of a room's events to the byte: the judge compares. */
static void read_room_again(struct sitting *sitting, const struct model_room *room)
{
	/* Nobody can ban him. */
	struct client *client = client_connect_operator(sitting->world);
	struct judge *judge = judge_new(client, &sitting->model);
	struct question question = {.id = 1, .type = REQUEST_STATE, .has_since = true};

	message_copy(question.room, sizeof(question.room), room->id);
	judge_expect(judge, &question);
	client_say(client, "state %s since=0 id=1", room->id);
	world_settle(sitting->world);
	FUZZ_EXPECT(client->count - client->read == (size_t)room->seq + 1);
	judge_look(judge);
	client_drop(client);
	client_free(client);
	judge_free(judge);
}

static void start_anew(struct sitting *sitting)
{
	restart(sitting);
	for (size_t i = 0; i < sitting->model.count; i++) {
		const struct model_room *room =
				model_catch_up(&sitting->model, sitting->model.rooms[i]->id);

		if (room->seq > 0) {
			read_room_again(sitting, room);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	static struct sitting sitting;

	/* What does not hold in the judge ends the process. */
	setenv("CMOCKA_TEST_ABORT", "1", 1);
	memset(&sitting, 0, sizeof(sitting));
	sitting.world = world_new(1, &(struct fickle_knobs){0});
	model_init(&sitting.model, sitting.world->store);
	for (int i = 0; i < LINES_MAX && size > 0; i++) {
		const char *lf = memchr(text, '\n', size);
		const size_t length = lf == NULL ? size : (size_t)(lf - text);

		if (length > 0) {
			take_line(&sitting, text, length);
			sitting.world->now_ms++;
			world_step(sitting.world);
			look_at_all(&sitting);
		}
		text += length + (lf == NULL ? 0 : 1);
		size -= length + (lf == NULL ? 0 : 1);
	}
	come_to_rest(&sitting);
	start_anew(&sitting);
	model_fini(&sitting.model);
	world_free(sitting.world);
	return 0;
}
