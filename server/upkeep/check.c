#include "server/upkeep/check.h"

#include <string.h>

#include "protocol/decode.h"
#include "server/ops/log.h"
#include "server/play/name.h"
#include "server/upkeep/rating_check.h"
#include "server/upkeep/room_check.h"

struct check {
	struct store_reader *reader;
	struct room_check *room;
	struct check_counts counts;
	FILE *out;
};

/* What stands in a damaged file is a stranger's text: a line stays one, and of plain letters. */
static void print_plainly(FILE *out, const char *text)
{
	for (; *text != '\0'; text++) {
		fputc(*text >= ' ' && *text <= '~' ? *text : '?', out);
	}
}

static void find(void *arg, const char *what, const char *sentence)
{
	struct check *check = arg;

	check->counts.findings++;
	print_plainly(check->out, what);
	fputs(": ", check->out);
	print_plainly(check->out, sentence);
	fputc('\n', check->out);
}

/* Rooms. */

static void find_in_room(void *arg, const char *room, const char *sentence)
{
	char what[ROOM_ID_SIZE + sizeof("room ")];

	snprintf(what, sizeof(what), "room %s", room);
	find(arg, what, sentence);
}

static bool has_room(void *arg, const char *id)
{
	struct check *check = arg;

	return store_reader_has_room(check->reader, id);
}

static void begin_room(void *arg, const struct store_reader_room *room)
{
	struct check *check = arg;

	check->counts.rooms++;
	check->counts.games += room->finished != NULL ? 1 : 0;
	room_check_begin(check->room, room);
}

static void take_event(void *arg, int64_t seq, const struct bytes *line)
{
	struct check *check = arg;

	check->counts.events++;
	room_check_event(check->room, seq, line);
}

static void end_room(void *arg)
{
	struct check *check = arg;

	room_check_end(check->room);
}

static void check_rooms(struct check *check)
{
	const struct room_check_config config = {
			.find = find_in_room, .has_room = has_room, .arg = check};
	const struct store_reader_visit visit = {
			.begin = begin_room, .event = take_event, .end = end_room, .arg = check};

	check->room = room_check_new(&config);
	store_reader_rooms(check->reader, &visit);
	room_check_free(check->room);
}

/* Players. */

static void check_player(void *arg, const struct store_player *player)
{
	struct check *check = arg;
	struct player_record record;
	char what[32];
	char key[NAME_KEY_SIZE];

	check->counts.players++;
	snprintf(what, sizeof(what), "player %lld", (long long)player->id);
	if (!decode_player(player->record->data, player->record->length, &record)) {
		find(check, what, "the record can't be read");
		return;
	}
	name_key(record.name, key);
	if (strcmp(key, player->key) != 0) {
		find(check, what, "the key is another name's than the record's");
	}
	player_record_fini(&record);
}

static void check_players(struct check *check)
{
	store_reader_players(check->reader, check_player, check);
}

static void check_ratings(struct check *check)
{
	rating_check(check->reader, find, check);
}

/* All of it. */

static void check_file(struct check *check)
{
	store_reader_check_file(check->reader);
}

static void check_schema(struct check *check)
{
	store_reader_check_schema(check->reader);
}

static void check_rows(struct check *check)
{
	store_reader_check_rows(check->reader);
}

/* In the order in which they are made: what is wrong further down may only follow from what is
 * wrong above it. What is kept of something more gets its row here. */
static void (*const checks[])(struct check *check) = {
		check_file,
		check_schema,
		check_rows,
		check_players,
		check_rooms,
		check_ratings,
};

int check_database(const char *path, FILE *out, struct check_counts *ret_counts,
		char ret_message[STORE_SQLITE_MESSAGE_SIZE])
{
	struct check check = {.out = out};
	int error = store_reader_open(path, find, &check, &check.reader, ret_message);

	if (error != 0) {
		return error;
	}
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		checks[i](&check);
	}
	store_reader_free(check.reader);
	*ret_counts = check.counts;
	return 0;
}
