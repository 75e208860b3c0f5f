#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/attacker/attack.h"

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

struct attack_blob attack_blob;

static const char letters[] = "23456789abcdefghjkmnpqrstuvwxyz";

/* Where those meet who need a room. */
static char meeting[ATTACK_ROOM_SIZE];

/* Texts. */

static ssize_t put(char text[ATTACK_SAY_BYTES], const char *format, ...)
		__attribute__((format(printf, 2, 3)));

static ssize_t put(char text[ATTACK_SAY_BYTES], const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, ATTACK_SAY_BYTES, format, arguments);
	va_end(arguments);
	return length;
}

/* As often as there is room for it. */
static ssize_t again_and_again(char text[ATTACK_SAY_BYTES], const char *line)
{
	const size_t length = strlen(line);
	size_t used = 0;

	while (used + length <= ATTACK_SAY_BYTES) {
		memcpy(text + used, line, length);
		used += length;
	}
	return (ssize_t)used;
}

static void make_id(char ret[6])
{
	for (size_t i = 0; i < 5; i++) {
		ret[i] = letters[crowd_random(COUNT_OF(letters) - 1)];
	}
	ret[5] = '\0';
}

static const char *any_of(const char *const words[], uint32_t count)
{
	return words[crowd_random(count)];
}

/* Bytes. */

static ssize_t say_dripping(struct member *member, char *text)
{
	static const char line[] = "{\"type\":\"ping\",\"id\":5}\n";

	text[0] = line[(size_t)member->step % (sizeof(line) - 1)];
	return 1;
}

static ssize_t say_half(struct member *member, char *text)
{
	return member->step == 0 ? put(text, "{\"type\":\"mo") : ATTACK_OVER;
}

static ssize_t say_pings(struct member *member, char *text)
{
	(void)member;
	return again_and_again(text, "ping\n");
}

static ssize_t say_mixture(struct member *member, char *text)
{
	(void)member;
	return again_and_again(text,
			"ping\nlobby\nmove 1 5\nwho\nstate\n{\"type\":\"ping\",\"id\":1}\n"
			"leave\ncollapse 3\nresign\ndraw\nhelp\n");
}

static ssize_t say_garbage(struct member *member, char *text)
{
	const size_t length = 1 + crowd_random(ATTACK_SAY_BYTES - 1);

	(void)member;
	for (size_t i = 0; i < length; i++) {
		text[i] = (char)crowd_random(256);
	}
	text[length / 2] = '\n';
	return (ssize_t)length;
}

static ssize_t say_brackets(struct member *member, char *text)
{
	(void)member;
	memset(text, '[', ATTACK_SAY_BYTES);
	for (size_t i = 4000; i < ATTACK_SAY_BYTES; i += 4000) {
		text[i] = '\n';
	}
	return ATTACK_SAY_BYTES;
}

static ssize_t say_tricks(struct member *member, char *text)
{
	static const char *const tricks[] = {"\\u001b[2J\\u001b[31mred", "\\u202eevil",
			"\\u2066a\\u2069", "\\u0000", "a\\nb\\r\\nmove 1 5", "\xf0\x9f\x98\x80",
			"\\ud83d\\ude00", "e\\u0301\\u0301\\u0301\\u0301", "\\u0085\\u009b31m",
			"%s%n", "\xe2\x80\xae\xe2\x80\x8b", "\xef\xb7\xba\xef\xb7\xba\xef\xb7\xba"};
	size_t used = 0;

	if (member->step == 0) {
		return put(text, "create X private\n");
	}
	while (used < ATTACK_SAY_BYTES - 600) {
		const char *trick = any_of(tricks, COUNT_OF(tricks));

		used += (size_t)snprintf(text + used, 600,
				"{\"type\":\"say\",\"text\":\"%s\"}\n"
				"{\"type\":\"hello\",\"name\":\"%s\"}\n"
				"{\"type\":\"create\",\"title\":\"%s\"}\n{\"type\":\"%s\",\"id\":"
				"\"%s\"}\n",
				trick, trick, trick, trick, trick);
	}
	return (ssize_t)used;
}

static ssize_t say_numbers(struct member *member, char *text)
{
	static const char *const numbers[] = {"0", "-0", "-1", "10", "9223372036854775807",
			"-9223372036854775808", "9223372036854775808", "1e400", "1e-400", "1.0",
			"123456789.123456789e-300"};
	size_t used = 0;

	(void)member;
	while (used < ATTACK_SAY_BYTES - 600) {
		const char *n = any_of(numbers, COUNT_OF(numbers));

		used += (size_t)snprintf(text + used, 600,
				"{\"type\":\"move\",\"squares\":[%s,%s],\"id\":%s}\n"
				"{\"type\":\"state\",\"since\":%s,\"room\":\"k7m2q\"}\n"
				"{\"type\":\"create\",\"clock\":{\"base_ms\":%s,\"increment_ms\":%"
				"s}}\n",
				n, n, n, n, n, n);
	}
	return (ssize_t)used;
}

/* Comings and goings. */

/* Waits for the first bytes that come, and is through. */
static ssize_t say_nothing(struct member *member, char *text)
{
	(void)text;
	return member->is_in ? ATTACK_OVER : 0;
}

static ssize_t say_nothing_at_all(struct member *member, char *text)
{
	(void)member;
	(void)text;
	return ATTACK_OVER;
}

static ssize_t say_client_hello(struct member *member, char *text)
{
	if (member->step > 0) {
		return member->is_in ? ATTACK_OVER : 0;
	}
	memcpy(text, attack_blob.data, attack_blob.length);
	return (ssize_t)attack_blob.length;
}

/* The token on one of the lines of the file, which are equally long. */
static const char *token_numbered(int number, size_t *ret_length)
{
	const size_t length = strcspn(attack_blob.data, "\n");

	*ret_length = length;
	return attack_blob.data + (size_t)number * (length + 1) % attack_blob.length;
}

/* Comes back, until the second line (after the welcome) is there. */
static ssize_t say_token(struct member *member, char *text)
{
	size_t length = 0;
	const char *token = token_numbered(member->number, &length);

	if (member->step > 0) {
		return member->step < 0 ? ATTACK_OVER : 0;
	}
	return put(text, "hello token=%.*s\n", (int)length, token);
}

static void heard_name(struct member *member, const char *text, size_t length)
{
	(void)length;
	if (strstr(text, "\"to\":\"hello\"") != NULL) {
		member->step = -2;
	}
}

/* Games with one another, by a clock that no honest player asks for; each broken off by a reset
 * after so many bytes. */
static ssize_t say_some_of_a_game(struct member *member, char *text)
{
	static const char game[] =
			"match 17+3\nmove 1 5\nmove 1 5\ncollapse 1\nmove 2 3\nmove 2 3\n";

	if (member->step >= (member->number + 7 * member->life) % (long)sizeof(game)) {
		return ATTACK_OVER;
	}
	text[0] = game[member->step];
	return 1;
}

/* Rooms and names. */

static ssize_t say_open_and_leave(struct member *member, char *text)
{
	(void)member;
	return again_and_again(text, "create\nleave\n");
}

static ssize_t say_names(struct member *member, char *text)
{
	return put(text, "hello squat-%d-%ld\nhello wanted\nhello guest-%d\nhello operator\n",
			member->number, member->step, member->number);
}

static ssize_t say_guesses(struct member *member, char *text)
{
	static const char *const kinds[] = {"watch", "join", "state", "resign", "decline", "leave"};
	size_t used = 0;
	char id[6];

	(void)member;
	while (used < ATTACK_SAY_BYTES - 64) {
		make_id(id);
		used += (size_t)snprintf(
				text + used, 64, "%s %s\n", any_of(kinds, COUNT_OF(kinds)), id);
	}
	return (ssize_t)used;
}

static ssize_t say_tokens_guessed(struct member *member, char *text)
{
	return put(text, "hello token=%022ld\nhello wanted token=%022d\n", member->step,
			member->number);
}

/* In one room. */

static void heard_room(struct member *member, const char *text, size_t length)
{
	const char *room = strstr(text, "\"to\":\"create\",\"room\":\"");

	(void)length;
	if (member->number == 0 && meeting[0] == '\0' && room != NULL) {
		sscanf(room, "\"to\":\"create\",\"room\":\"%23[^\"]", meeting);
	}
}

/* The first opens it, the second sits down, the others watch. 0: that is done, or has to wait. */
static ssize_t say_coming_in(struct member *member, char *text)
{
	static const char *const words[] = {"watch", "join"};

	if (member->number == 0) {
		return member->step == 0 ? put(text, "create X\n") : 0;
	}
	if (meeting[0] == '\0') {
		member->step = -1;
		return 0;
	}
	return member->step > 0 ? 0 : put(text, "%s %s\n", words[member->number == 1], meeting);
}

static ssize_t say_chat(struct member *member, char *text)
{
	const ssize_t length = say_coming_in(member, text);

	return length > 0 || member->step <= 0
			       ? length
			       : again_and_again(text, "say you are all very slow here\n");
}

/* Two play blindly, as quickly as they may; the others look on. */
static ssize_t say_watched_game(struct member *member, char *text)
{
	const ssize_t length = say_coming_in(member, text);

	if (length > 0 || member->step <= 0) {
		return length;
	}
	if (member->number > 1) {
		return 0;
	}
	return put(text, "move %u %u\ncollapse %u\n%s", 1 + crowd_random(9), 1 + crowd_random(9),
			1 + crowd_random(9), crowd_random(50) == 0 ? "rematch\n" : "");
}

static ssize_t say_invitations(struct member *member, char *text)
{
	return member->step == 0 ? put(text, "hello inv-%d\n", member->number)
				 : put(text, "create opponent=inv-%u\n", crowd_random(200));
}

static ssize_t say_follow_lobby(struct member *member, char *text)
{
	return member->step == 0 ? put(text, "lobby follow\n") : ATTACK_OVER;
}

/* Much asked for. */

static ssize_t say_big_questions(struct member *member, char *text)
{
	(void)member;
	return again_and_again(text, "lobby\nhelp\nwho\n");
}

static ssize_t say_big_questions_in_words(struct member *member, char *text)
{
	return member->step == 0 ? put(text, "text only\n")
				 : again_and_again(text, "lobby\nhelp\n");
}

/* Other moves each time, so that it has to be thought about. */
static ssize_t say_analyse(struct member *member, char *text)
{
	const unsigned a = 1 + crowd_random(4);
	const unsigned b = a + 1 + crowd_random(4);
	const unsigned c = 1 + crowd_random(3);

	(void)member;
	return put(text, "analyse actions=%u-%u,%u-%u\n", a, b, c, c + 1 + crowd_random(5));
}

/* HTTP. */

static ssize_t say_header(struct member *member, char *text)
{
	static const char begin[] = "GET /healthz HTTP/1.1\r\nHost: x\r\nX: ";

	text[0] = member->step < (long)sizeof(begin) - 1 ? begin[member->step] : 'x';
	return 1;
}

static ssize_t say_http(struct member *member, char *text)
{
	(void)member;
	return again_and_again(text, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
}

const struct attack attacks[] = {
		{"drip", ATTACK_TCP, 5000, 50, 1000, false, ATTACK_STAYS, say_dripping, NULL},
		{"flood-one", ATTACK_TCP, 100, 1, 0, false, ATTACK_STAYS, say_mixture, NULL},
		{"flood-many", ATTACK_TCP, 2000, 200, 0, false, ATTACK_STAYS, say_mixture, NULL},
		{"pings", ATTACK_TCP, 2000, 200, 0, false, ATTACK_STAYS, say_pings, NULL},
		{"garbage", ATTACK_TCP, 2000, 50, 0, false, ATTACK_STAYS, say_garbage, NULL},
		{"brackets", ATTACK_TCP, 1000, 50, 0, false, ATTACK_STAYS, say_brackets, NULL},
		{"half-open", ATTACK_TCP, 5000, 50, 0, false, ATTACK_STAYS, say_half, NULL},
		{"tls-left", ATTACK_TLS, 2000, 50, 0, false, ATTACK_STAYS, say_client_hello, NULL},
		{"tls-flood", ATTACK_TLS, 500, 50, 0, false, ATTACK_RESETS, say_client_hello, NULL},
		{"resets", ATTACK_TCP, 1000, 250, 0, false, ATTACK_RESETS, say_some_of_a_game,
				NULL},
		{"rooms", ATTACK_TCP, 1000, 50, 0, false, ATTACK_STAYS, say_open_and_leave, NULL},
		{"names", ATTACK_TCP, 1000, 100, 0, false, ATTACK_STAYS, say_names, NULL},
		{"guesses", ATTACK_TCP, 2000, 200, 0, false, ATTACK_STAYS, say_guesses, NULL},
		{"tokens", ATTACK_TCP, 2000, 200, 0, false, ATTACK_STAYS, say_tokens_guessed, NULL},
		{"tricks", ATTACK_TCP, 500, 50, 0, false, ATTACK_STAYS, say_tricks, NULL},
		{"numbers", ATTACK_TCP, 500, 50, 0, false, ATTACK_STAYS, say_numbers, NULL},
		{"churn", ATTACK_TCP, 1000, 50, 0, false, ATTACK_RESETS, say_nothing, NULL},
		{"churn-one", ATTACK_TCP, 300, 1, 0, false, ATTACK_RESETS, say_nothing, NULL},
		{"churn-blind", ATTACK_TCP, 1000, 50, 0, false, ATTACK_RESETS, say_nothing_at_all,
				NULL},
		{"watchers", ATTACK_TCP, 1500, 150, 20, false, ATTACK_STAYS, say_watched_game,
				heard_room},
		{"stuck", ATTACK_TCP, 1500, 150, 20, true, ATTACK_STAYS, say_watched_game,
				heard_room},
		{"lobby", ATTACK_TCP, 1000, 50, 0, false, ATTACK_STAYS, say_follow_lobby, NULL},
		{"lobby-stuck", ATTACK_TCP, 1000, 50, 0, true, ATTACK_STAYS, say_follow_lobby,
				NULL},
		{"hogs", ATTACK_TCP, 2000, 50, 0, true, ATTACK_STAYS, say_big_questions, NULL},
		{"hogs-words", ATTACK_TCP, 500, 50, 0, true, ATTACK_STAYS,
				say_big_questions_in_words, NULL},
		{"analyse", ATTACK_TCP, 400, 40, 0, false, ATTACK_STAYS, say_analyse, NULL},
		{"chat", ATTACK_TCP, 500, 50, 0, false, ATTACK_STAYS, say_chat, heard_room},
		{"invitations", ATTACK_TCP, 200, 20, 0, false, ATTACK_STAYS, say_invitations, NULL},
		{"storm", ATTACK_TCP, 5000, 50, 0, false, ATTACK_RESETS, say_token, heard_name},
		{"http-slow", ATTACK_HTTP, 1000, 10, 1000, false, ATTACK_STAYS, say_header, NULL},
		{"http-flood", ATTACK_HTTP, 100, 10, 0, false, ATTACK_STAYS, say_http, NULL},
};

const size_t attack_count = sizeof(attacks) / sizeof(attacks[0]);
