/* What is told at the operator's door. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "protocol/phrase.h"
#include "protocol/tell_parts.h"
#include "protocol/text.h"

#define MS_A_SECOND 1000

void tell_time(int64_t at_ms, char ret_text[TELL_TIME_SIZE])
{
	time_t seconds = (time_t)(at_ms / MS_A_SECOND);
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) ||
			strftime(ret_text, TELL_TIME_SIZE, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0) {
		snprintf(ret_text, TELL_TIME_SIZE, "?");
	}
}

#define CLOSED_SIZE 96

static void closed_text(int64_t connections, char ret_text[CLOSED_SIZE])
{
	snprintf(ret_text, CLOSED_SIZE,
			phrase_count("%lld connection closed.", "%lld connections closed.",
					connections),
			(long long)connections);
}

void tell_touched(struct tell *tell, const struct ok *ok)
{
	char closed[CLOSED_SIZE];

	if (ok->to == REQUEST_NOTICE) {
		tell_line(tell,
				phrase_count("%lld connection told.", "%lld connections told.",
						ok->connections),
				(long long)ok->connections);
	} else {
		closed_text(ok->connections, closed);
		tell_line(tell, "%s", closed);
	}
}

void tell_banned(struct tell *tell, const struct ok *ok)
{
	char time[TELL_TIME_SIZE];
	char closed[CLOSED_SIZE];

	closed_text(ok->connections, closed);
	if ((ok->carries & OK_UNTIL) != 0) {
		tell_time(ok->until_ms, time);
		tell_line(tell, _("Banned: %s until %s. %s"), ok->whom, time, closed);
	} else {
		tell_line(tell, _("Banned: %s. %s"), ok->whom, closed);
	}
}

void tell_unbanned(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, _("No longer banned: %s."), ok->whom);
}

static void tell_more(struct tell *tell, const struct ok *ok)
{
	if ((ok->carries & OK_NEXT) != 0) {
		tell_line(tell, _("There are more: add after=%s"), ok->next);
	}
}

/* What does not fill its column to so many, in spaces. */
static int lacks(const char *text, size_t columns)
{
	size_t width = text_columns(text);

	return width < columns ? (int)(columns - width) : 0;
}

#define WHOM_COLUMNS 44
#define UNTIL_COLUMNS 23

static void tell_ban(struct tell *tell, const char *whom, const char *until, const char *why)
{
	tell_line(tell, "%s%*s  %s%*s  %s", whom, lacks(whom, WHOM_COLUMNS), "", until,
			lacks(until, UNTIL_COLUMNS), "", why);
}

void tell_bans(struct tell *tell, const struct ok *ok)
{
	if (ok->ban_count == 0) {
		tell_line(tell, "%s", _("Nobody is banned."));
		return;
	}
	tell_ban(tell, _("WHOM"), _("UNTIL"), _("WHY"));
	for (size_t i = 0; i < ok->ban_count; i++) {
		const struct ban_row *row = &ok->bans[i];
		char until[TELL_TIME_SIZE] = "-";

		if (row->has_until) {
			tell_time(row->until_ms, until);
		}
		tell_ban(tell, row->whom, until, row->why[0] == '\0' ? "-" : row->why);
	}
	tell_more(tell, ok);
}

static void tell_here(struct tell *tell, const struct room_row *row)
{
	char line[TELL_LINE_SIZE] = "";

	for (size_t i = 0; i < row->here_count; i++) {
		tell_append(line, sizeof(line), " %s", row->here[i]);
	}
	if (row->here_count == 0) {
		snprintf(line, sizeof(line), " %s", _("nobody with a name"));
	}
	tell_line(tell, row->is_private ? _("  %s private, here:%s") : _("  %s, here:%s"),
			row->summary.room, line);
}

void tell_all_rooms(struct tell *tell, const struct ok *ok)
{
	if (ok->room_count == 0) {
		tell_line(tell, "%s", _("No such rooms."));
		return;
	}
	tell_summaries(tell, &ok->rooms[0].summary, sizeof(*ok->rooms), ok->room_count);
	for (size_t i = 0; i < ok->room_count; i++) {
		tell_here(tell, &ok->rooms[i]);
	}
	tell_more(tell, ok);
}

void tell_closed(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, _("Room %s is closed."), ok->room);
}

#define STAT_COLUMNS 24

static void tell_stat(struct tell *tell, const char *what, const char *value)
{
	tell_line(tell, "%s%*s%s", what, lacks(what, STAT_COLUMNS), "", value);
}

void tell_stats(struct tell *tell, const struct ok *ok)
{
	const struct stats *stats = ok->stats;
	char value[24];

	if (!stats) {
		return;
	}
	const struct {
		const char *what;
		int64_t value;
	} rows[] = {
			{N_("up for seconds"), stats->uptime_ms / MS_A_SECOND},
			{N_("connections"), stats->connections},
			{N_("names online"), stats->online},
			{N_("rooms waiting"), stats->rooms[STATUS_WAITING]},
			{N_("rooms playing"), stats->rooms[STATUS_PLAYING]},
			{N_("rooms over"), stats->rooms[STATUS_OVER]},
			{N_("bans"), stats->bans},
			{N_("waiting for the store"), stats->store_waiting},
			{N_("not known to be stored"), stats->store_unknown},
			{N_("bots, analyses at work"), stats->thoughts},
			{N_("connections accepted"), stats->accepted},
			{N_("connections refused"), stats->refused},
			{N_("lines read"), stats->lines},
			{N_("bytes read"), stats->bytes_in},
			{N_("bytes written"), stats->bytes_out},
			{N_("bytes of memory"), stats->memory_bytes},
	};

	tell_stat(tell, _("version"), stats->version);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(value, sizeof(value), "%" PRId64, rows[i].value);
		tell_stat(tell, _(rows[i].what), value);
	}
	tell_stat(tell, _("draining"), stats->draining ? _("yes") : _("no"));
}

void tell_released(struct tell *tell, const struct ok *ok)
{
	char closed[CLOSED_SIZE];

	closed_text(ok->connections, closed);
	tell_line(tell, _("The name %s is free. %s"), ok->name, closed);
}

void tell_drain(struct tell *tell, const struct ok *ok)
{
	char time[TELL_TIME_SIZE];

	if (!ok->draining) {
		tell_line(tell, "%s", _("The server goes on."));
		return;
	}
	tell_line(tell,
			phrase_count("Nothing new begins; %lld game still runs.",
					"Nothing new begins; %lld games still run.",
					ok->games_left),
			(long long)ok->games_left);
	if ((ok->carries & OK_UNTIL) != 0) {
		tell_time(ok->until_ms, time);
		tell_line(tell, _("The server stops at %s at the latest."), time);
	}
}

void tell_motd(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, "%s",
			ok->motd[0] == '\0' ? _("There is no message of the day.") : ok->motd);
}
