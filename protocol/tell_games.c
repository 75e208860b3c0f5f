#include <stdio.h>
#include <string.h>
#include <time.h>

#include "protocol/encode.h"
#include "protocol/phrase.h"
#include "protocol/tell_parts.h"

static void time_cell(int64_t at_ms, char ret_text[CELL_SIZE])
{
	time_t seconds = (time_t)(at_ms / 1000);
	struct tm parts;

	snprintf(ret_text, CELL_SIZE, "?");
	if (gmtime_r(&seconds, &parts)) {
		(void)strftime(ret_text, CELL_SIZE, "%Y-%m-%d %H:%M", &parts);
	}
}

/* "1-0.5"; "-" for a game without a score. */
static void score_cell(const struct result *result, char ret_text[CELL_SIZE])
{
	static const char *const points[] = {"0", "0.5", "1", "1.5", "2"};

	if (result->scored && result->half_points_x < 5 && result->half_points_o < 5) {
		snprintf(ret_text, CELL_SIZE, "%s-%s", points[result->half_points_x],
				points[result->half_points_o]);
	} else {
		snprintf(ret_text, CELL_SIZE, "-");
	}
}

/* One game. */

static void tell_end(struct tell *tell, const struct game_row *game)
{
	char at[CELL_SIZE];
	char score[CELL_SIZE];

	if (!game->has_result) {
		tell_line(tell, "%s", _("It is being played."));
		return;
	}
	time_cell(game->ended_ms, at);
	score_cell(&game->result, score);
	tell_line(tell, _("Ended %s UTC, X-O: %s."), at, score);
	tell_result(tell, &game->result);
}

void tell_game(struct tell *tell, const struct ok *ok)
{
	const struct game_row *game = ok->game;
	char clock[CLOCK_TEXT_SIZE];
	char at[CELL_SIZE];

	if (!game) {
		return;
	}
	tell_clock_agreed(&game->agreed, clock);
	time_cell(game->started_ms, at);
	if (game->agreed.set) {
		tell_line(tell, _("Room %s: %s (X) against %s (O), clock %s."), ok->room,
				game->players[0], game->players[1], clock);
	} else {
		tell_line(tell, _("Room %s: %s (X) against %s (O), no clock."), ok->room,
				game->players[0], game->players[1]);
	}
	tell_line(tell, _("Began %s UTC."), at);
	tell_end(tell, game);
	tell_line(tell, _("Record: %s"),
			game->record[0] != '\0' ? game->record : _("no move was made"));
}

/* Many. */

static const char *reason_shown(enum end_reason reason)
{
	static const char *const texts[] = {
			[REASON_LINE] = N_("line"),
			[REASON_FULL_BOARD] = N_("full board"),
			[REASON_RESIGN] = N_("resign"),
			[REASON_FLAG] = N_("flag"),
			[REASON_CLAIM] = N_("claim"),
			[REASON_AGREEMENT] = N_("agreement"),
			[REASON_ABORTED] = N_("aborted"),
	};

	return _(texts[reason]);
}

enum games_column {
	GAMES_ROOM,
	GAMES_ENDED,
	GAMES_X,
	GAMES_O,
	GAMES_CLOCK,
	GAMES_SCORE,
	GAMES_HOW
};

static void games_cell(
		const struct tell_table *table, size_t row, size_t column, char ret_text[CELL_SIZE])
{
	const struct game_row *game = &((const struct game_row *)table->rows)[row];

	switch ((enum games_column)column) {
	case GAMES_ROOM:
		snprintf(ret_text, CELL_SIZE, "%s", game->room);
		break;
	case GAMES_ENDED:
		time_cell(game->ended_ms, ret_text);
		break;
	case GAMES_X:
		snprintf(ret_text, CELL_SIZE, "%s", game->players[0]);
		break;
	case GAMES_O:
		snprintf(ret_text, CELL_SIZE, "%s", game->players[1]);
		break;
	case GAMES_CLOCK:
		tell_clock_agreed(&game->agreed, ret_text);
		break;
	case GAMES_SCORE:
		score_cell(&game->result, ret_text);
		break;
	case GAMES_HOW:
		snprintf(ret_text, CELL_SIZE, "%s", reason_shown(game->result.reason));
		break;
	}
}

void tell_games(struct tell *tell, const struct ok *ok)
{
	static const char *const heads[] = {
			[GAMES_ROOM] = N_("ROOM"),
			[GAMES_ENDED] = N_("ENDED (UTC)"),
			[GAMES_X] = "X",
			[GAMES_O] = "O",
			[GAMES_CLOCK] = N_("CLOCK"),
			[GAMES_SCORE] = "X-O",
			[GAMES_HOW] = N_("HOW"),
	};
	static const size_t spare[] = {GAMES_CLOCK, GAMES_HOW, GAMES_ENDED};
	const struct tell_table table = {.column_count = sizeof(heads) / sizeof(heads[0]),
			.heads = heads,
			.row_count = ok->game_count,
			.rows = ok->games,
			.cell = games_cell,
			.spare_count = sizeof(spare) / sizeof(spare[0]),
			.spare = spare};

	if (ok->game_count == 0) {
		tell_line(tell, "%s", _("No such games. Those that are over come here."));
		return;
	}
	tell_table(tell, &table);
	if (ok->carries & OK_NEXT) {
		tell_line(tell, _("There are more: add after=%s"), ok->next);
	}
}

/* Ratings. */

static void milli_cell(int64_t milli, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%lld", (long long)tell_rating(milli));
}

/* Nobody else has names that begin so. What the answer has for them is what everybody begins with.
 */
static const char *unrated_text(const char *name)
{
	if (strncmp(name, "bot-", strlen("bot-")) == 0) {
		return _("Bots have no rating.");
	}
	return strncmp(name, "guest-", strlen("guest-")) == 0 ? _("Guests have no rating.") : NULL;
}

void tell_standing(struct tell *tell, const struct ok *ok)
{
	const struct standing *standing = ok->standing;
	char rating[CELL_SIZE];
	char deviation[CELL_SIZE];
	const char *unrated = unrated_text(ok->name);

	if (!standing) {
		return;
	}
	milli_cell(standing->rating_milli, rating);
	milli_cell(standing->deviation_milli, deviation);
	tell_line(tell, standing->online ? _("%s is here.") : _("%s is not here."), ok->name);
	if (unrated) {
		tell_line(tell, "%s", unrated);
		return;
	}
	tell_line(tell,
			_("Rating %s, give or take %s; rated games: %lld, won %lld, drawn %lld, "
			  "lost "
			  "%lld."),
			rating, deviation, (long long)standing->games, (long long)standing->wins,
			(long long)standing->draws, (long long)standing->losses);
}

enum top_column {
	TOP_PLACE,
	TOP_NAME,
	TOP_RATING,
	TOP_GAMES,
	TOP_WON,
	TOP_DRAWN,
	TOP_LOST,
	TOP_HERE
};

static void number_cell(int64_t number, char ret_text[CELL_SIZE])
{
	snprintf(ret_text, CELL_SIZE, "%lld", (long long)number);
}

static void top_cell(
		const struct tell_table *table, size_t row, size_t column, char ret_text[CELL_SIZE])
{
	const struct standing *standing = &((const struct standing *)table->rows)[row];

	switch ((enum top_column)column) {
	case TOP_PLACE:
		number_cell((int64_t)row + 1, ret_text);
		break;
	case TOP_NAME:
		snprintf(ret_text, CELL_SIZE, "%s", standing->name);
		break;
	case TOP_RATING:
		milli_cell(standing->rating_milli, ret_text);
		break;
	case TOP_GAMES:
		number_cell(standing->games, ret_text);
		break;
	case TOP_WON:
		number_cell(standing->wins, ret_text);
		break;
	case TOP_DRAWN:
		number_cell(standing->draws, ret_text);
		break;
	case TOP_LOST:
		number_cell(standing->losses, ret_text);
		break;
	case TOP_HERE:
		snprintf(ret_text, CELL_SIZE, "%s", standing->online ? _("here") : "");
		break;
	}
}

void tell_top(struct tell *tell, const struct ok *ok)
{
	static const char *const heads[] = {
			[TOP_PLACE] = N_("PLACE"),
			[TOP_NAME] = N_("NAME"),
			[TOP_RATING] = N_("RATING"),
			[TOP_GAMES] = N_("GAMES"),
			[TOP_WON] = N_("WON"),
			[TOP_DRAWN] = N_("DRAWN"),
			[TOP_LOST] = N_("LOST"),
			[TOP_HERE] = "",
	};
	static const size_t spare[] = {TOP_HERE, TOP_LOST, TOP_DRAWN, TOP_WON, TOP_GAMES};
	const struct tell_table table = {.column_count = sizeof(heads) / sizeof(heads[0]),
			.heads = heads,
			.row_count = ok->top_count,
			.rows = ok->top,
			.cell = top_cell,
			.spare_count = sizeof(spare) / sizeof(spare[0]),
			.spare = spare};

	if (ok->top_count == 0) {
		tell_line(tell, "%s",
				_("Nobody's rating is settled yet: it takes some rated games."));
		return;
	}
	tell_table(tell, &table);
}
