#include "server/upkeep/export.h"

#include <errno.h>
#include <string.h>

#include "protocol/encode.h"
#include "server/play/records.h"

struct export
{
	FILE *out;
	const volatile sig_atomic_t *stop;
	int error; /* why `out` takes no more, an errno; 0: it does */
	uint64_t count;
	bool is_broken;
	char *message;
};

static void fail(struct export *export, const char *what, const char *sentence)
{
	if (!export->is_broken) {
		snprintf(export->message, STORE_SQLITE_MESSAGE_SIZE, "%.100s: %.300s", what,
				sentence);
	}
	export->is_broken = true;
}

static void find(void *arg, const char *what, const char *sentence)
{
	fail(arg, what, sentence);
}

/* A game that can't be told is not left out in silence; the others are told all the same. */
static bool write_game(void *arg, const struct store_finished *finished)
{
	struct export *export = arg;
	struct game_row row;
	struct bytes *line;

	if (!records_read(finished, &row)) {
		fail(export, finished->game.room, "its row can't be read; --check-db tells more");
		return true;
	}
	line = encode_game(&row);
	if (fwrite(line->data, 1, line->length, export->out) != line->length) {
		export->error = errno;
	}
	bytes_unref(line);
	export->count++;
	return export->error == 0 && *export->stop == 0;
}

static int outcome(const struct export *export)
{
	if (*export->stop != 0) {
		snprintf(export->message, STORE_SQLITE_MESSAGE_SIZE, "the export was stopped");
		return -EINTR;
	}
	if (export->error != 0) {
		snprintf(export->message, STORE_SQLITE_MESSAGE_SIZE, "can't write all games: %s",
				strerror(export->error));
		return -export->error;
	}
	return export->is_broken ? -EBADMSG : 0;
}

int export_database(const char *db, FILE *out, const volatile sig_atomic_t *stop,
		uint64_t *ret_count, char ret_message[STORE_SQLITE_MESSAGE_SIZE])
{
	struct export export = {.out = out, .stop = stop, .message = ret_message};
	struct store_reader *reader;
	int error = store_reader_open(db, find, &export, &reader, ret_message);

	if (error != 0) {
		return error;
	}
	store_reader_games(reader, write_game, &export);
	store_reader_free(reader);
	if (fflush(out) != 0 && export.error == 0) {
		export.error = errno;
	}
	error = outcome(&export);
	if (error == 0) {
		*ret_count = export.count;
	}
	return error;
}
