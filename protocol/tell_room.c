#include <stdio.h>

#include "protocol/phrase.h"
#include "protocol/tell_parts.h"

const char *tell_points(const struct tell *tell, int half_points)
{
	static const char *const plain[] = {"0", "0.5", "1", "1.5", "2"};
	static const char *const halves[] = {"0", "½", "1", "1½", "2"};
	int points = half_points < 0 ? -half_points : half_points;

	points = points > TELL_HALVES_MAX ? TELL_HALVES_MAX : points;
	return tell->ascii ? plain[points] : halves[points];
}

#define REASON_TEXT_SIZE 160

static void lines_text(const struct result *result, char ret_text[REASON_TEXT_SIZE])
{
	ret_text[0] = '\0';
	for (size_t i = 0; i < result->line_count && i < 2; i++) {
		const struct line_made *line = &result->lines[i];

		tell_append(ret_text, REASON_TEXT_SIZE, "%s", i > 0 ? ", " : "");
		tell_append(ret_text, REASON_TEXT_SIZE, _("%s %u-%u-%u at time %u"),
				line->seat == SEAT_X ? "X" : "O", (unsigned int)line->squares[0],
				(unsigned int)line->squares[1], (unsigned int)line->squares[2],
				(unsigned int)line->max);
	}
}

static const char *const cause_texts[] = {
		[CAUSE_NONE] = N_("the game was called off"),
		[CAUSE_REQUEST] = N_("a player called it off"),
		[CAUSE_NO_FIRST_MOVE] = N_("a player did not make his first move"),
		[CAUSE_UNTOUCHED] = N_("nobody touched it for too long"),
		[CAUSE_CREATOR_LEFT] = N_("its creator left"),
		[CAUSE_DECLINED] = N_("the invitation was declined"),
		[CAUSE_OPERATOR] = N_("the server's operator ended it"),
};

static void reason_text(
		const struct result *result, const char *loser, char ret_text[REASON_TEXT_SIZE])
{
	switch (result->reason) {
	case REASON_LINE:
		lines_text(result, ret_text);
		break;
	case REASON_FULL_BOARD:
		snprintf(ret_text, REASON_TEXT_SIZE, "%s",
				_("the board is full and there is no line"));
		break;
	case REASON_AGREEMENT:
		snprintf(ret_text, REASON_TEXT_SIZE, "%s", _("both agreed"));
		break;
	case REASON_ABORTED:
		snprintf(ret_text, REASON_TEXT_SIZE, "%s", _(cause_texts[result->cause]));
		break;
	case REASON_RESIGN:
		snprintf(ret_text, REASON_TEXT_SIZE, _("%s resigned"), loser);
		break;
	case REASON_FLAG:
		snprintf(ret_text, REASON_TEXT_SIZE, _("%s ran out of time"), loser);
		break;
	case REASON_CLAIM:
		snprintf(ret_text, REASON_TEXT_SIZE, _("%s was away for too long"), loser);
		break;
	}
}

void tell_result(struct tell *tell, const struct result *result)
{
	int x = result->half_points_x;
	int o = result->half_points_o;
	char reason[REASON_TEXT_SIZE];

	reason_text(result, x > o ? "O" : "X", reason);
	if (!result->scored) {
		tell_line(tell, _("Aborted, no score: %s."), reason);
	} else if (x == o) {
		tell_line(tell, _("A draw, %s to %s: %s."), tell_points(tell, x),
				tell_points(tell, o), reason);
	} else {
		tell_line(tell, _("%s wins %s to %s: %s."), x > o ? "X" : "O",
				tell_points(tell, x > o ? x : o), tell_points(tell, x > o ? o : x),
				reason);
	}
}

void tell_chat(struct tell *tell, const char *player, enum seat seat, const char *text)
{
	if (seat == SEAT_NONE) {
		tell_line(tell, _("<%s, watching> %s"), player, text);
	} else {
		tell_line(tell, "<%s> %s", player, text);
	}
}

int64_t tell_rating(int64_t milli)
{
	return (milli < 0 ? milli - 500 : milli + 500) / 1000;
}

static void snapshot_ratings(struct tell *tell, const struct snapshot *state)
{
	char line[TELL_LINE_SIZE] = "";

	for (size_t i = 0; i < 2; i++) {
		const struct seat_shown *seat = &state->players[i];

		if (seat->taken && seat->rating.set) {
			tell_append(line, sizeof(line), "%s %s %lld", line[0] == '\0' ? "" : ",",
					seat->name, (long long)tell_rating(seat->rating.milli));
		}
	}
	if (line[0] != '\0') {
		tell_line(tell, _("Rating:%s."), line);
	}
	if (state->rated.set && !state->rated.on) {
		tell_line(tell, "%s", _("This game is not rated."));
	}
}

static const char *kept_for(const struct tell *tell)
{
	return tell->room ? tell->room->kept_for : "";
}

#define WAITING_TEXT_SIZE (NAME_SIZE + 64)

/* Who sits there, or may. */
static void waiting_text(
		const struct tell *tell, const char *name, char ret_text[WAITING_TEXT_SIZE])
{
	if (name[0] == '\0' && kept_for(tell)[0] != '\0') {
		snprintf(ret_text, WAITING_TEXT_SIZE, _("kept for %s"), kept_for(tell));
	} else {
		snprintf(ret_text, WAITING_TEXT_SIZE, "%s", tell_name_or_free(name));
	}
}

static void snapshot_seats(struct tell *tell, const struct snapshot *state)
{
	char seats[2][WAITING_TEXT_SIZE];

	for (size_t i = 0; i < 2; i++) {
		waiting_text(tell, state->players[i].name, seats[i]);
	}
	tell_line(tell, _("Room %s waits for a player: X %s, O %s."), state->room, seats[0],
			seats[1]);
}

static void snapshot_head(struct tell *tell, const struct snapshot *state)
{
	char persons[2][PERSON_SIZE];
	char clock[CLOCK_TEXT_SIZE];

	for (size_t i = 0; i < 2; i++) {
		tell_named(state->players[i].name, i == 0 ? SEAT_X : SEAT_O, persons[i]);
	}
	if (state->status == STATUS_WAITING) {
		snapshot_seats(tell, state);
	} else {
		tell_line(tell,
				state->status == STATUS_OVER
						? _("Room %s is over: %s against %s.")
						: _("Room %s is being played: %s against %s."),
				state->room, persons[0], persons[1]);
	}
	if (state->title[0] != '\0') {
		tell_line(tell, _("Title: %s"), state->title);
	}
	if (state->agreed.set) {
		tell_clock_agreed(&state->agreed, clock);
		tell_line(tell, _("Clock: %s."), clock);
	}
	snapshot_ratings(tell, state);
	if (state->spectators > 0 && !tell->count_follows) {
		tell_line(tell, _("Watching: %lld."), (long long)state->spectators);
	}
}

static void snapshot_people(struct tell *tell, const struct snapshot *state)
{
	for (size_t i = 0; i < 2; i++) {
		if (state->players[i].taken && !state->players[i].online &&
				state->status != STATUS_OVER) {
			tell_line(tell, _("%s is away."), state->players[i].name);
		}
	}
	for (size_t i = 0; i < state->chat_count; i++) {
		tell_chat(tell, state->chat[i].player, state->chat[i].seat, state->chat[i].text);
	}
}

/* What an empty board would only hide: how someone else gets in. */
static void snapshot_waiting(struct tell *tell, const struct snapshot *state)
{
	enum seat seat = tell->room ? tell->room->seat : SEAT_NONE;
	bool is_kept = kept_for(tell)[0] != '\0';

	if (seat == SEAT_NONE && !is_kept) {
		tell_line(tell, _("To play here: join %s"), state->room);
	} else if (seat != SEAT_NONE && is_kept) {
		tell_line(tell, _("You are %s. %s comes in with: join %s"),
				seat == SEAT_X ? "X" : "O", kept_for(tell), state->room);
	} else if (seat != SEAT_NONE) {
		tell_line(tell, _("You are %s. Your opponent comes in with: join %s"),
				seat == SEAT_X ? "X" : "O", state->room);
	}
}

static void snapshot_offer(struct tell *tell, const struct snapshot *state)
{
	char person[PERSON_SIZE];

	if (state->draw_offer != SEAT_NONE) {
		tell_named(state->players[state->draw_offer - SEAT_X].name, state->draw_offer,
				person);
		tell_line(tell, _("%s offers a draw."), person);
	}
}

void tell_snapshot(struct tell *tell, const struct snapshot *state)
{
	tell_mark_room(tell, state->room);
	snapshot_head(tell, state);
	snapshot_people(tell, state);
	if (state->has_result) {
		tell_result(tell, &state->result);
	}
	snapshot_offer(tell, state);
	if (state->status == STATUS_WAITING) {
		snapshot_waiting(tell, state);
	} else {
		tell_board(tell, "", &state->board, &state->clock, state->status == STATUS_PLAYING);
	}
	tell_mark_room(tell, "");
}
