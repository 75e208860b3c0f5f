/* What is told at the operator's door. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "protocol/tell_parts.h"

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

/* " until …", or "" where there is no end. */
static void until_text(bool has_until, int64_t until_ms, char ret_text[TELL_TIME_SIZE + 8])
{
	char time[TELL_TIME_SIZE];

	ret_text[0] = '\0';
	if (has_until) {
		tell_time(until_ms, time);
		snprintf(ret_text, TELL_TIME_SIZE + 8, " until %s", time);
	}
}

/* "1 connection" */
static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

void tell_touched(struct tell *tell, const struct ok *ok)
{
	const char *what = ok->to == REQUEST_NOTICE ? "told" : "closed";

	tell_line(tell, "%" PRId64 " connection%s %s.", ok->connections, plural(ok->connections),
			what);
}

void tell_banned(struct tell *tell, const struct ok *ok)
{
	char until[TELL_TIME_SIZE + 8];

	until_text((ok->carries & OK_UNTIL) != 0, ok->until_ms, until);
	tell_line(tell, "Banned: %s%s. %" PRId64 " connection%s closed.", ok->whom, until,
			ok->connections, plural(ok->connections));
}

void tell_unbanned(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, "No longer banned: %s.", ok->whom);
}

static void tell_more(struct tell *tell, const struct ok *ok)
{
	if ((ok->carries & OK_NEXT) != 0) {
		tell_line(tell, "There are more: add after=%s", ok->next);
	}
}

void tell_bans(struct tell *tell, const struct ok *ok)
{
	if (ok->ban_count == 0) {
		tell_line(tell, "Nobody is banned.");
		return;
	}
	tell_line(tell, "%-44s  %-23s  %s", "WHOM", "UNTIL", "WHY");
	for (size_t i = 0; i < ok->ban_count; i++) {
		const struct ban_row *row = &ok->bans[i];
		char until[TELL_TIME_SIZE] = "-";

		if (row->has_until) {
			tell_time(row->until_ms, until);
		}
		tell_line(tell, "%-44s  %-23s  %s", row->whom, until,
				row->why[0] == '\0' ? "-" : row->why);
	}
	tell_more(tell, ok);
}

static void tell_here(struct tell *tell, const struct room_row *row)
{
	char line[TELL_LINE_SIZE] = "";

	for (size_t i = 0; i < row->here_count; i++) {
		tell_append(line, sizeof(line), " %s", row->here[i]);
	}
	tell_line(tell, "  %s%s, here:%s", row->summary.room, row->is_private ? " private" : "",
			row->here_count == 0 ? " nobody with a name" : line);
}

void tell_all_rooms(struct tell *tell, const struct ok *ok)
{
	if (ok->room_count == 0) {
		tell_line(tell, "No such rooms.");
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
	tell_line(tell, "Room %s is closed.", ok->room);
}

void tell_stats(struct tell *tell, const struct ok *ok)
{
	const struct stats *stats = ok->stats;
	const struct {
		const char *what;
		int64_t value;
	} rows[] = {
			{"up for seconds", stats->uptime_ms / MS_A_SECOND},
			{"connections", stats->connections},
			{"names online", stats->online},
			{"rooms waiting", stats->rooms[STATUS_WAITING]},
			{"rooms playing", stats->rooms[STATUS_PLAYING]},
			{"rooms over", stats->rooms[STATUS_OVER]},
			{"bans", stats->bans},
			{"waiting for the store", stats->store_waiting},
			{"not known to be stored", stats->store_unknown},
			{"bots, analyses at work", stats->thoughts},
			{"connections accepted", stats->accepted},
			{"connections refused", stats->refused},
			{"lines read", stats->lines},
			{"bytes read", stats->bytes_in},
			{"bytes written", stats->bytes_out},
			{"bytes of memory", stats->memory_bytes},
	};

	tell_line(tell, "%-24s%s", "version", stats->version);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tell_line(tell, "%-24s%" PRId64, rows[i].what, rows[i].value);
	}
	tell_line(tell, "%-24s%s", "draining", stats->draining ? "yes" : "no");
}

void tell_released(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, "The name %s is free. %" PRId64 " connection%s closed.", ok->name,
			ok->connections, plural(ok->connections));
}

void tell_drain(struct tell *tell, const struct ok *ok)
{
	char until[TELL_TIME_SIZE + 8];

	if (!ok->draining) {
		tell_line(tell, "The server goes on.");
		return;
	}
	until_text((ok->carries & OK_UNTIL) != 0, ok->until_ms, until);
	tell_line(tell, "Nothing new begins%s; %" PRId64 " game%s still run%s.", until,
			ok->games_left, plural(ok->games_left), ok->games_left == 1 ? "s" : "");
}

void tell_motd(struct tell *tell, const struct ok *ok)
{
	tell_line(tell, "%s", ok->motd[0] == '\0' ? "There is no message of the day." : ok->motd);
}
