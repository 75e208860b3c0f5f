#include "client-cli/export.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "protocol/cells.h"
#include "protocol/encode.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

/* What a header shows. */
#define VALUE_SIZE 64

struct export
{
	struct session session;
	FILE *out;
	enum request_type next; /* what to ask for next; REQUEST_COUNT: nothing */
	char after[CURSOR_SIZE];
	enum exit_status status;
};

/* Writing. */

static void put_header(FILE *out, const char *name, const char *value)
{
	/* Names are clean, whatever the server says. */
	fprintf(out, "[%s \"%s\"]\n", name, text_is_clean(value) ? value : "?");
}

static void put_time(FILE *out, const char *name, int64_t at_ms)
{
	time_t seconds = (time_t)(at_ms / 1000);
	char value[VALUE_SIZE] = "?";
	struct tm parts;

	if (gmtime_r(&seconds, &parts)) {
		(void)strftime(value, sizeof(value), "%Y-%m-%dT%H:%M:%SZ", &parts);
	}
	put_header(out, name, value);
}

static void put_clock(FILE *out, const struct clock_agreed *clock)
{
	const struct summary row = {.clock = *clock};
	char value[CELL_SIZE];

	cell_write(CELL_CLOCK, &row, value);
	put_header(out, "Clock", value);
}

static const char *points(unsigned int half_points)
{
	static const char *const texts[] = {"0", "0.5", "1", "1.5", "2"};

	return half_points < sizeof(texts) / sizeof(texts[0]) ? texts[half_points] : "?";
}

static void put_result(FILE *out, const struct game_row *game)
{
	const struct result *result = &game->result;
	char value[VALUE_SIZE] = "*";

	if (game->has_result && result->scored) {
		snprintf(value, sizeof(value), "X %s, O %s", points(result->half_points_x),
				points(result->half_points_o));
	}
	put_header(out, "Result", value);
	if (game->has_result) {
		put_header(out, "Reason", reason_word(result->reason));
	}
}

void export_game(FILE *out, const struct game_row *game)
{
	put_header(out, "Room", game->room);
	put_header(out, "X", game->players[0]);
	put_header(out, "O", game->players[1]);
	put_time(out, "Began", game->started_ms);
	if (game->has_result) {
		put_time(out, "Ended", game->ended_ms);
	}
	put_clock(out, &game->agreed);
	if (game->rated.set) {
		put_header(out, "Rated", game->rated.on ? "yes" : "no");
	}
	put_result(out, game);
	if (game->record[0] == '\0') {
		fputs("\n; no move was made\n\n", out);
	} else {
		fprintf(out, "\n%s\n\n", text_is_clean(game->record) ? game->record : "; ?");
	}
}

/* Asking. */

/* The name that was given, or may be none; then it is a room's. */
static void ask(struct export *export)
{
	const char *what = export->session.options->export;
	struct request request = {.type = export->next};
	struct command command;

	if (export->next == REQUEST_GAME) {
		request.has |= HAS_ROOM;
		message_copy(request.room, sizeof(request.room), what);
	} else {
		request.has |= HAS_NAME | (export->after[0] != '\0' ? HAS_AFTER : 0);
		message_copy(request.name, sizeof(request.name), what);
		message_copy(request.after, sizeof(request.after), export->after);
	}
	command_request(&request, "export", export->session.number + 1, &command);
	session_do(&export->session, &command);
}

static void take_error(struct export *export, const struct error *error)
{
	const char *what = export->session.options->export;
	bool is_clean = error->message[0] != '\0' && text_is_clean(error->message);

	if (error->code == CODE_NO_SUCH_PLAYER && export->after[0] == '\0') {
		export->next = REQUEST_GAME;
		return;
	}
	export->next = REQUEST_COUNT;
	export->status = EXIT_REFUSED;
	if (error->code == CODE_NO_SUCH_ROOM) {
		fprintf(stderr, _("qttt: there is neither a player nor a room called %s\n"), what);
	} else {
		fprintf(stderr, _("qttt: the server refuses to tell of %s: %s\n"), what,
				is_clean ? error->message : _(code_sentence(error->code)));
	}
}

static void take_ok(struct export *export, const struct ok *ok)
{
	struct game_row game;

	export->next = REQUEST_COUNT;
	if ((ok->carries & OK_GAME) != 0) {
		game = *ok->game;
		message_copy(game.room, sizeof(game.room), ok->room);
		export_game(export->out, &game);
	}
	for (size_t i = 0; i < ok->game_count; i++) {
		export_game(export->out, &ok->games[i]);
	}
	if ((ok->carries & OK_NEXT) != 0) {
		export->next = REQUEST_GAMES;
		message_copy(export->after, sizeof(export->after), ok->next);
	}
}

static void take(
		void *context, const struct message *message, const struct asked *asked, bool quiet)
{
	struct export *export = context;

	(void)quiet;
	if (asked && message->kind == MESSAGE_ERROR) {
		take_error(export, &message->error);
	} else if (asked && message->kind == MESSAGE_OK) {
		take_ok(export, &message->ok);
	}
}

static enum exit_status fetch(struct export *export)
{
	struct session *session = &export->session;
	int result = 0;

	while (export->next != REQUEST_COUNT && result == 0 && !lines_done(&session->server) &&
			!ferror(export->out)) {
		if (session->waiting_count == 0) {
			ask(export);
		}
		result = session_wait_server(session, -1);
		session_take_server(session);
	}
	if (fflush(export->out) != 0 || ferror(export->out)) {
		fprintf(stderr, _("qttt: can't write to standard output\n"));
		return EXIT_LOST;
	}
	if (export->next != REQUEST_COUNT) {
		fprintf(stderr, _("qttt: lost the connection: %s\n"),
				session_lost_why(session, result));
		return EXIT_LOST;
	}
	return export->status;
}

enum exit_status export_run(const struct options *options, struct link *link, FILE *out)
{
	struct export *export = calloc(1, sizeof(*export));
	enum exit_status status;

	if (!export) {
		fprintf(stderr, _("qttt: out of memory\n"));
		return EXIT_LOST;
	}
	export->out = out;
	export->next = REQUEST_GAMES;
	session_init(&export->session, options, link, out);
	export->session.stage = (struct session_stage){.show = take, .context = export};
	status = fetch(export);
	session_fini(&export->session);
	free(export);
	return status;
}
