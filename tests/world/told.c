#include "tests/world/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/game/cmocka_all.h"
#include "tests/world/fickle_store.h"

/* The server's own text alone has these members with quotes that are not escaped, so that they can
 * be looked for without decoding every line of a long simulation. */
static const char *find(const struct bytes *line, const char *text)
{
	return memmem(line->data, line->length, text, strlen(text));
}

/* The line is no string, but its LF ends the number at the latest. */
int64_t told_seq(const char *place)
{
	int64_t seq = 0;

	for (place += strlen("\"seq\":"); *place >= '0' && *place <= '9'; place++) {
		seq = seq * 10 + (*place - '0');
	}
	return seq;
}

/* The value of `"room":"…"` at its first place. */
static bool read_room(const char *place, char ret_room[17])
{
	const char *end;

	if (place == NULL) {
		return false;
	}
	place += strlen("\"room\":\"");
	end = memchr(place, '"', 17);
	if (end == NULL) {
		return false;
	}
	memcpy(ret_room, place, (size_t)(end - place));
	ret_room[end - place] = '\0';
	return true;
}

bool told_begins(const struct bytes *line, const char *beginning)
{
	return line->length > strlen(beginning) &&
	       memcmp(line->data, beginning, strlen(beginning)) == 0;
}

bool told_event(const struct bytes *line, char ret_room[17], int64_t *ret_seq)
{
	const char *room;
	const char *seq;

	if (told_begins(line, "{\"type\":\"ok\"") || told_begins(line, "{\"type\":\"error\"") ||
			told_begins(line, "{\"type\":\"state\"")) {
		return false;
	}
	room = find(line, "\"room\":\"");
	seq = find(line, "\"seq\":");
	if (seq == NULL || !read_room(room, ret_room)) {
		return false;
	}
	*ret_seq = told_seq(seq);
	return true;
}

static void check_event(
		const struct store *store, const struct bytes *line, const char *room, int64_t seq)
{
	size_t count;
	struct bytes *const *stored = fickle_store_lines(store, room, &count);

	if (seq < 1 || seq > (int64_t)count) {
		fail_msg("told before it is stored: %.*s", (int)line->length, line->data);
	}
	stored += seq - 1;
	/* Dropped, so it had been stored. */
	if (*stored == NULL) {
		return;
	}
	if ((*stored)->length != line->length ||
			memcmp((*stored)->data, line->data, line->length) != 0) {
		fail_msg("not as it is stored: %.*s", (int)line->length, line->data);
	}
}

void told_check(const struct store *store, const struct bytes *line)
{
	char room[17];
	int64_t event_seq;
	const char *seq;

	assert_true(line->length > 0 && line->data[line->length - 1] == '\n');
	/* Words promise nothing that a program could hold against the store. */
	if (line->data[0] == '#') {
		return;
	}
	if (told_event(line, room, &event_seq)) {
		check_event(store, line, room, event_seq);
		return;
	}
	seq = find(line, "\"seq\":");
	/* An error names no room. */
	if (seq == NULL || !read_room(find(line, "\"room\":\""), room)) {
		return;
	}
	if (!fickle_store_has_event(store, room, told_seq(seq))) {
		fail_msg("told before it is stored: %.*s", (int)line->length, line->data);
	}
}
