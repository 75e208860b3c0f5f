/* Who may what: every request, by everybody, in every kind of room. A request without its rows, or
 * a row without its cells, fails. */
#include <stdio.h>
#include <string.h>

#include "protocol/requests.h"
#include "tests/world/world.h"

#define GUESS "zzzzzzzzzzzz"

/* The columns. All but the first four know the room's id only where somebody has told them; it is
 * told to all of them here, so that the table says what an id is worth. */
enum who {
	NAMELESS,
	GUEST,
	NAMED,
	PLAYER, /* X, who opened the room, and whose turn it is */
	OTHER,	/* O, where there is one */
	WATCHER,
	INVITED,  /* where a seat is kept, it is for her */
	MUTED,	  /* by both players; watches */
	OPERATOR, /* came by his door; no player */
	WHO_COUNT
};

static const char *const names[WHO_COUNT] = {
		NULL, NULL, "ewa", "ala", "ola", "jan", "ela", "ida", NULL};
static const char *const tokens[WHO_COUNT] = {NULL, NULL, "ewa-ewa-ewa-ewa-ewa-ewa",
		"ala-ala-ala-ala-ala-ala", "ola-ola-ola-ola-ola-ola", "jan-jan-jan-jan-jan-jan",
		"ela-ela-ela-ela-ela-ela", "ida-ida-ida-ida-ida-ida", NULL};

enum place {
	WAITING,
	KEPT, /* waits, its seat kept */
	RUNNING,
	OVER,
	PRIVATE_WAITING,
	PRIVATE_KEPT,
	PRIVATE_RUNNING,
	PRIVATE_OVER,
	PLACE_COUNT
};

static const char *const place_words[PLACE_COUNT] = {"waiting", "kept", "running", "over",
		"private waiting", "private kept", "private running", "private over"};

/* The cells' letters. */
static const struct {
	char letter;
	enum code code;
} meanings[] = {
		{'+', CODE_NONE}, /* may */
		{'s', CODE_NOT_SEATED},
		{'n', CODE_NOT_IN_ROOM},
		{'w', CODE_NOT_STARTED},
		{'o', CODE_GAME_OVER},
		{'t', CODE_NOT_YOUR_TURN},
		{'c', CODE_NOTHING_TO_COLLAPSE},
		{'e', CODE_TOO_EARLY},
		{'f', CODE_ROOM_FULL},
		{'a', CODE_NOT_ALLOWED},
		{'u', CODE_UNKNOWN_TYPE},
};

/* What is asked, and by whom with which outcome; ROOM is the room's id. A private room
 * differs in nothing once its id is known, so its cells are the public one's. Where there is no
 * other player the cell is a blank. */
struct row {
	const char *line;
	const char *cells[4]; /* WAITING to OVER */
	bool about_room;
};

#define ALL                                                                                        \
	{                                                                                          \
		"++++ ++++", "++++ ++++", "+++++++++", "+++++++++"                                 \
	}

/* An operator does not play. */
#define PLAYERS                                                                                    \
	{                                                                                          \
		"++++ +++a", "++++ +++a", "++++++++a", "++++++++a"                                 \
	}

/* To others the word is none. */
#define OPERATORS                                                                                  \
	{                                                                                          \
		"uuuu uuu+", "uuuu uuu+", "uuuuuuuu+", "uuuuuuuu+"                                 \
	}

static const struct row rows[REQUEST_COUNT] = {
		[REQUEST_HELLO] = {"hello", PLAYERS, false},
		[REQUEST_HELP] = {"help", ALL, false},
		[REQUEST_WHO] = {"who", ALL, false},
		[REQUEST_TEXT] = {"text off", ALL, false},
		[REQUEST_MUTE] = {"mute mia", PLAYERS, false},
		[REQUEST_PING] = {"ping", ALL, false},
		[REQUEST_QUIT] = {"quit", ALL, false},
		[REQUEST_CREATE] = {"create", PLAYERS, false},
		[REQUEST_MATCH] = {"match", PLAYERS, false},
		[REQUEST_LOBBY] = {"lobby", ALL, false},
		[REQUEST_STATE] = {"state ROOM", ALL, true},
		[REQUEST_WATCH] = {"watch ROOM", ALL, true},
		[REQUEST_JOIN] = {"join ROOM", {"++++ +++a", "aaa+ a+aa", "fff++fffa", "ooo++oooa"},
				true},
		[REQUEST_DECLINE] = {"decline ROOM",
				{"aaaa aaaa", "aaaa a+aa", "aaaaaaaaa", "aaaaaaaaa"}, true},
		[REQUEST_LEAVE] = {"leave ROOM",
				{"nnn+ +n+n", "nnn+ +n+n", "nnn+++n+n", "nnn+++n+n"}, true},
		[REQUEST_SAY] = {"{\"type\":\"say\",\"text\":\"hello\",\"room\":\"ROOM\"}",
				{"nnn+ +n+a", "nnn+ +n+a", "nnn+++n+a", "nnn+++n+a"}, true},
		[REQUEST_MOVE] = {"move 1 5 room=ROOM",
				{"sssw ssss", "sssw ssss", "sss+tssss", "sssoossss"}, true},
		[REQUEST_COLLAPSE] = {"collapse 5 room=ROOM",
				{"sssw ssss", "sssw ssss", "sssctssss", "sssoossss"}, true},
		[REQUEST_RESIGN] = {"resign ROOM",
				{"sssw ssss", "sssw ssss", "sss++ssss", "sssoossss"}, true},
		[REQUEST_ABORT] = {"abort ROOM",
				{"sssw ssss", "sssw ssss", "sss++ssss", "sssoossss"}, true},
		[REQUEST_DRAW] = {"draw room=ROOM",
				{"sssw ssss", "sssw ssss", "sss++ssss", "sssoossss"}, true},
		[REQUEST_CLAIM] = {"claim ROOM",
				{"sssw ssss", "sssw ssss", "sssaassss", "sssoossss"}, true},
		[REQUEST_FORGET] = {"forget", {"a+++ +++a", "a+++ +++a", "a+++++++a", "a+++++++a"},
				false},
		[REQUEST_GAME] = {"game ROOM", {"wwww wwww", "wwww wwww", "+++++++++", "+++++++++"},
				true},
		[REQUEST_GAMES] = {"games", ALL, false},
		[REQUEST_PLAYER] = {"player mia", ALL, false},
		[REQUEST_TOP] = {"top", ALL, false},
		[REQUEST_ANALYSE] = {"analyse ROOM",
				{"wwww wwww", "wwww wwww", "aaaaaaaaa", "+++++++++"}, true},
		[REQUEST_REMATCH] = {"rematch ROOM",
				{"sssw ssss", "sssw ssss", "ssseessss", "sss++ssss"}, true},
		[REQUEST_NOTICE] = {"notice hello", OPERATORS, false},
		[REQUEST_KICK] = {"kick mia", OPERATORS, false},
		[REQUEST_BAN] = {"ban mia 1h why=rude", OPERATORS, false},
		[REQUEST_UNBAN] = {"unban 192.0.2.99", OPERATORS, false},
		[REQUEST_BANS] = {"bans", OPERATORS, false},
		[REQUEST_ROOMS] = {"rooms", OPERATORS, false},
		[REQUEST_CLOSE] = {"close ROOM",
				{"uuuu uuu+", "uuuu uuu+", "uuuuuuuu+", "uuuuuuuuo"}, false},
		[REQUEST_STATS] = {"stats", OPERATORS, false},
		[REQUEST_RELEASE] = {"release mia", OPERATORS, false},
		[REQUEST_DRAIN] = {"drain", OPERATORS, false},
		[REQUEST_MOTD] = {"motd hello", OPERATORS, false},
};

/* A room with everybody around it. */

struct scene {
	struct world *world;
	enum place place;
	struct client *clients[WHO_COUNT];
	char room[ROOM_ID_SIZE];
	char guest_token[TOKEN_SIZE];
};

static bool is_kept(enum place place)
{
	return place == KEPT || place == PRIVATE_KEPT;
}

static bool has_other(enum place place)
{
	return place % PRIVATE_WAITING >= RUNNING;
}

static void skip_all(struct scene *scene)
{
	for (size_t i = 0; i < scene->world->client_count; i++) {
		client_skip(scene->world->clients[i]);
	}
}

static struct client *enter(struct world *world, enum who who)
{
	if (who == OPERATOR) {
		return client_connect_operator(world);
	}
	return names[who] == NULL ? client_connect(world)
				  : client_connect_as(world, names[who], tokens[who]);
}

static void enter_all(struct scene *scene)
{
	client_connect_as(scene->world, "mia", NULL);
	ask(client_connect_operator(scene->world), "ban 192.0.2.99");
	for (enum who who = NAMELESS; who < WHO_COUNT; who++) {
		scene->clients[who] = enter(scene->world, who);
	}
	message_copy(scene->guest_token, sizeof(scene->guest_token),
			ask(scene->clients[GUEST], "hello")->token);
	for (enum who who = PLAYER; who <= OTHER; who++) {
		ask(scene->clients[who], "mute %s", names[MUTED]);
	}
	skip_all(scene);
}

static void scene_open(struct scene *scene, enum place place)
{
	scene->world = world_new(1, &(struct fickle_knobs){0});
	scene->place = place;
	enter_all(scene);
	message_copy(scene->room, sizeof(scene->room),
			ask(scene->clients[PLAYER], "create %s X%s",
					is_kept(place) ? names[INVITED] : "",
					place >= PRIVATE_WAITING ? " private" : "")
					->room);
	if (has_other(place)) {
		ask(scene->clients[OTHER], "join %s", scene->room);
		skip_all(scene);
	}
	if (place == OVER || place == PRIVATE_OVER) {
		ask(scene->clients[OTHER], "resign");
	}
	skip_all(scene);
	ask(scene->clients[WATCHER], "watch %s", scene->room);
	ask(scene->clients[MUTED], "watch %s", scene->room);
	world_advance(scene->world, 2000);
	skip_all(scene);
}

static void scene_close(struct scene *scene)
{
	world_free(scene->world);
}

/* What no answer may do. */

static bool has(const struct bytes *line, const char *text)
{
	return memmem(line->data, line->length, text, strlen(text)) != NULL;
}

/* Nobody is told a token that somebody has chosen, nor another's; his own is told but once. */
static void expect_no_token(const struct scene *scene)
{
	for (size_t i = 0; i < scene->world->client_count; i++) {
		const struct client *client = scene->world->clients[i];
		int own = 0;

		for (size_t j = 0; j < client->count; j++) {
			const struct bytes *line = client->lines[j];
			for (enum who who = NAMED; who < OPERATOR; who++) {
				assert_false(has(line, tokens[who]));
			}
			own += has(line, scene->guest_token);
		}
		assert_int_equal(own, client == scene->clients[GUEST] ? 1 : 0);
	}
}

/* What was not asked about a private room does not speak of it to those who have no part in it. */
static void expect_no_room(const struct scene *scene, enum who who)
{
	const struct client *client = scene->clients[who];

	for (size_t i = client->read; i < client->count; i++) {
		assert_false(has(client->lines[i], scene->room));
	}
}

static bool has_part(const struct scene *scene, enum who who)
{
	return who == PLAYER || who == OTHER || who == WATCHER || who == MUTED || who == OPERATOR ||
	       (who == INVITED && is_kept(scene->place));
}

/* Nobody acts but as himself: the new events are by his seat, or seat him. */
static void expect_acted_as_himself(const struct scene *scene, enum who who, size_t before)
{
	size_t count;
	struct bytes *const *lines = fickle_store_lines(scene->world->store, scene->room, &count);
	char player[64];

	snprintf(player, sizeof(player), "\"player\":\"%s\"",
			names[who] == NULL ? "guest-" : names[who]);
	player[strlen(player) - (names[who] == NULL ? 1 : 0)] = '\0';
	for (size_t i = before; i < count; i++) {
		if (has(lines[i], "\"by\":")) {
			assert_true(who == PLAYER || who == OTHER);
			assert_true(has(lines[i], who == PLAYER ? "\"by\":\"X\"" : "\"by\":\"O\""));
		}
		if (has(lines[i], "\"player\":")) {
			assert_true(has(lines[i], player) || has(lines[i], "\"player\":\"gone-"));
		}
	}
}

/* A refusal changes nothing, and nobody else hears of it. */
static void expect_untouched(const struct scene *scene, enum who who, size_t before)
{
	assert_int_equal(world_stored(scene->world, scene->room), before);
	for (enum who other = NAMELESS; other < WHO_COUNT; other++) {
		if (other != who) {
			client_nothing(scene->clients[other]);
		}
	}
}

/* Cells. */

static enum code code_of(char letter)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++) {
		if (meanings[i].letter == letter) {
			return meanings[i].code;
		}
	}
	fail_msg("no such cell: %c", letter);
	return CODE_INTERNAL;
}

/* With this id in the place of ROOM. */
static void say(struct client *client, const char *line, const char *room)
{
	const char *place = strstr(line, "ROOM");

	if (place == NULL) {
		client_say(client, "%s", line);
	} else {
		client_say(client, "%.*s%s%s", (int)(place - line), line, room,
				place + strlen("ROOM"));
	}
}

static void expect_code(struct client *client, enum request_type type, enum who who,
		enum place place, enum code expected)
{
	const struct message *message = client_next(client);
	enum code code = message->kind == MESSAGE_ERROR ? message->error.code : CODE_NONE;

	if (message->kind == MESSAGE_EVENT || code != expected) {
		fail_msg("%s by %d in a room that is %s is not %s: %s", request_row(type)->name,
				(int)who, place_words[place], code_word(expected), client->text);
	}
}

static void try_cell(enum request_type type, enum place place, enum who who, enum code code)
{
	struct scene scene = {0};
	struct client *client;
	size_t before;

	scene_open(&scene, place);
	client = scene.clients[who];
	before = (size_t)world_stored(scene.world, scene.room);
	say(client, rows[type].line, scene.room);
	world_settle(scene.world);
	if (!rows[type].about_room && place >= PRIVATE_WAITING && !has_part(&scene, who)) {
		expect_no_room(&scene, who);
	}
	expect_code(client, type, who, place, code);
	if (code != CODE_NONE) {
		expect_untouched(&scene, who, before);
	}
	expect_acted_as_himself(&scene, who, before);
	expect_no_token(&scene);
	scene_close(&scene);
}

static void every_request_by_everybody_in_every_room(void **state)
{
	(void)state;
	for (int type = 0; type < REQUEST_COUNT; type++) {
		if (rows[type].line == NULL) {
			fail_msg("who may %s?", request_row((enum request_type)type)->name);
		}
		for (enum place place = WAITING; place < PLACE_COUNT; place++) {
			const char *cells = rows[type].cells[place % PRIVATE_WAITING];
			assert_non_null(cells);
			assert_int_equal(strlen(cells), WHO_COUNT);
			for (enum who who = NAMELESS; who < WHO_COUNT; who++) {
				assert_int_equal(cells[who] == ' ',
						who == OTHER && !has_other(place));
				if (cells[who] != ' ') {
					try_cell((enum request_type)type, place, who,
							code_of(cells[who]));
				}
			}
		}
	}
}

/* Whose request it is cannot be found out by asking: the answer is that to any word. */
static void an_operators_request_is_to_others_a_word_like_any_other(void **state)
{
	static const char *const wrong[] = {
			"", " 10.0.0.0/8", " id=7", " on=no name=x whom=y z", " clock=3+2"};
	struct scene scene = {0};
	char expected[512];
	char line[200];

	(void)state;
	scene_open(&scene, RUNNING);
	struct client *client = scene.clients[NAMED];
	for (int type = 0; type < REQUEST_COUNT; type++) {
		const struct request_row *row = request_row((enum request_type)type);
		for (size_t i = 0; row->is_operators && i < sizeof(wrong) / sizeof(*wrong); i++) {
			snprintf(line, sizeof(line), "xx%s%s", row->name + 2, wrong[i]);
			client_say(client, "%s", line);
			snprintf(expected, sizeof(expected), "%s", client_line(client));
			memcpy(strstr(expected, "\"to\":\"xx") + 6, row->name, 2);
			client_say(client, "%s%s", row->name, wrong[i]);
			assert_string_equal(client_line(client), expected);
		}
		if (row->is_operators) {
			ask_refused(client, CODE_UNKNOWN_TYPE,
					"{\"type\":\"%s\",\"room\":7,\"whom\":[]}", row->name);
			ask_refused(client, CODE_BAD_REQUEST, "help %s", row->name);
		}
	}
	assert_null(strstr((client_say(client, "help"), client_line(client)), "operator"));
	scene_close(&scene);
}

/* Without its id. */

/* What a stranger is answered, the clock and all names being the same in every scene. */
static void answer(enum place place, enum request_type type, const char *room, enum who who,
		char ret_line[512])
{
	struct scene scene = {0};

	scene_open(&scene, place);
	say(scene.clients[who], rows[type].line, room);
	world_settle(scene.world);
	snprintf(ret_line, 512, "%s", client_line(scene.clients[who]));
	scene_close(&scene);
}

static void who_does_not_know_a_private_rooms_id_cannot_tell_whether_there_is_one(void **state)
{
	static const enum place places[] = {PRIVATE_KEPT, PRIVATE_RUNNING, PRIVATE_OVER};
	char expected[512];
	char answered[512];

	(void)state;
	for (int type = 0; type < REQUEST_COUNT; type++) {
		if (!rows[type].about_room) {
			continue;
		}
		answer(WAITING, (enum request_type)type, GUESS, NAMED, expected);
		assert_non_null(strstr(expected, "\"code\":\"no_such_room\""));
		for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
			answer(places[i], (enum request_type)type, GUESS, NAMED, answered);
			assert_string_equal(answered, expected);
		}
	}
}

static void a_part_of_a_private_rooms_id_is_worth_nothing(void **state)
{
	struct scene scene = {0};
	char guess[ROOM_ID_SIZE];

	(void)state;
	scene_open(&scene, PRIVATE_RUNNING);
	assert_true(strlen(scene.room) >= LIMIT_ROOM_CHARS_PRIVATE);
	for (size_t length = LIMIT_ROOM_CHARS_MIN; length < strlen(scene.room); length++) {
		message_copy(guess, length + 1, scene.room);
		ask_refused(scene.clients[NAMED], CODE_NO_SUCH_ROOM, "watch %s", guess);
	}
	scene_close(&scene);
}

/* Without a room in the request the connection's own is meant, and a stranger has none. */
static void who_names_no_room_means_none_but_his_own(void **state)
{
	struct scene scene = {0};

	(void)state;
	scene_open(&scene, PRIVATE_RUNNING);
	ask_refused(scene.clients[NAMED], CODE_NOT_IN_ROOM, "move 1 5");
	ask_refused(scene.clients[NAMELESS], CODE_NOT_IN_ROOM, "state");
	ask_refused(scene.clients[GUEST], CODE_NOT_IN_ROOM, "say hello");
	ask_refused(scene.clients[INVITED], CODE_NOT_IN_ROOM, "resign");
	scene_close(&scene);
}

/* A private room is in no list, whoever asks for what, and no event of the lobby. */
static void a_private_room_is_told_to_nobody_who_has_no_part_in_it(void **state)
{
	static const char *const lines[] = {"lobby", "lobby playing", "lobby over", "lobby follow",
			"who", "hello", "match"};
	struct scene scene = {0};

	(void)state;
	for (enum place place = PRIVATE_WAITING; place < PLACE_COUNT; place++) {
		scene_open(&scene, place);
		for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
			client_say(scene.clients[NAMED], "%s", lines[i]);
		}
		world_settle(scene.world);
		client_say(scene.clients[PLAYER], "leave %s", scene.room);
		client_say(scene.clients[PLAYER], "create private");
		world_advance(scene.world, 5000);
		expect_no_room(&scene, NAMED);
		scene_close(&scene);
	}
}

/* Who is muted. */

static void the_muted_reach_those_who_muted_them_neither_by_chat_nor_by_invitation(void **state)
{
	struct scene scene = {0};

	(void)state;
	scene_open(&scene, OVER);
	ask(scene.clients[MUTED], "say hello");
	client_event(scene.clients[MUTED], EVENT_SAID);
	client_event(scene.clients[WATCHER], EVENT_SAID);
	client_nothing(scene.clients[PLAYER]);
	client_nothing(scene.clients[OTHER]);
	ask(scene.clients[MUTED], "leave");
	world_advance(scene.world, 2000);
	skip_all(&scene);
	ask(scene.clients[MUTED], "create %s", names[PLAYER]);
	client_nothing(scene.clients[PLAYER]);
	client_nothing(scene.clients[OTHER]);
	scene_close(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(every_request_by_everybody_in_every_room),
			cmocka_unit_test(
					who_does_not_know_a_private_rooms_id_cannot_tell_whether_there_is_one),
			cmocka_unit_test(an_operators_request_is_to_others_a_word_like_any_other),
			cmocka_unit_test(a_part_of_a_private_rooms_id_is_worth_nothing),
			cmocka_unit_test(who_names_no_room_means_none_but_his_own),
			cmocka_unit_test(a_private_room_is_told_to_nobody_who_has_no_part_in_it),
			cmocka_unit_test(
					the_muted_reach_those_who_muted_them_neither_by_chat_nor_by_invitation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
