#include "protocol/words.h"

#include <string.h>

#include "protocol/encode.h"

#define WORDS(array)                                                                               \
	{                                                                                          \
		array, sizeof(array) / sizeof((array)[0])                                          \
	}

static const char *const seats[] = {[SEAT_NONE] = "", [SEAT_X] = "X", [SEAT_O] = "O"};
static const char *const sides[] = {[SEAT_NONE] = "random", [SEAT_X] = "X", [SEAT_O] = "O"};
static const char *const phases[] = {
		[PHASE_MOVE] = "move", [PHASE_COLLAPSE] = "collapse", [PHASE_OVER] = "over"};
static const char *const statuses[] = {
		[STATUS_WAITING] = "waiting", [STATUS_PLAYING] = "playing", [STATUS_OVER] = "over"};
static const char *const reasons[] = {[REASON_LINE] = "line",
		[REASON_FULL_BOARD] = "full_board",
		[REASON_RESIGN] = "resign",
		[REASON_FLAG] = "flag",
		[REASON_CLAIM] = "claim",
		[REASON_AGREEMENT] = "agreement",
		[REASON_ABORTED] = "aborted"};
static const char *const causes[] = {[CAUSE_NONE] = "",
		[CAUSE_REQUEST] = "request",
		[CAUSE_NO_FIRST_MOVE] = "no_first_move",
		[CAUSE_UNTOUCHED] = "untouched",
		[CAUSE_CREATOR_LEFT] = "creator_left",
		[CAUSE_DECLINED] = "declined",
		[CAUSE_OPERATOR] = "operator"};
static const char *const changes[] = {
		[LOBBY_ADDED] = "added", [LOBBY_CHANGED] = "changed", [LOBBY_REMOVED] = "removed"};
static const char *const byes[] = {[BYE_QUIT] = "quit",
		[BYE_SHUTDOWN] = "shutdown",
		[BYE_SLOW_READER] = "slow_reader",
		[BYE_IDLE] = "idle",
		[BYE_KICKED] = "kicked"};
static const char *const modes[] = {[TEXT_OFF] = "off", [TEXT_ON] = "on", [TEXT_ONLY] = "only"};
static const char *const events[EVENT_COUNT] = {
		[EVENT_OPENED] = "opened",
		[EVENT_SEATED] = "seated",
		[EVENT_STARTED] = "started",
		[EVENT_MOVED] = "moved",
		[EVENT_COLLAPSED] = "collapsed",
		[EVENT_DRAW_OFFERED] = "draw_offered",
		[EVENT_DRAW_DECLINED] = "draw_declined",
		[EVENT_ENDED] = "ended",
		[EVENT_REMATCH_OFFERED] = "rematch_offered",
		[EVENT_REMATCH] = "rematch",
		[EVENT_STATE] = "state",
		[EVENT_PRESENCE] = "presence",
		[EVENT_SAID] = "said",
		[EVENT_LOBBY] = "lobby",
		[EVENT_INVITED] = "invited",
		[EVENT_NOTICE] = "notice",
		[EVENT_BYE] = "bye",
		[EVENT_WELCOME] = "welcome",
};

const struct words words_seat = WORDS(seats);
const struct words words_side = WORDS(sides);
const struct words words_phase = WORDS(phases);
const struct words words_status = WORDS(statuses);
const struct words words_reason = WORDS(reasons);
const struct words words_cause = WORDS(causes);
const struct words words_change = WORDS(changes);
const struct words words_bye = WORDS(byes);
const struct words words_mode = WORDS(modes);
const struct words words_event = WORDS(events);

static char lowered(char letter)
{
	if (letter >= 'A' && letter <= 'Z') {
		return (char)(letter - 'A' + 'a');
	}
	return letter;
}

bool words_same(const char *word, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (word[i] == '\0' || lowered(word[i]) != lowered(text[i])) {
			return false;
		}
	}
	return word[length] == '\0';
}

size_t words_find(const struct words *words, const char *text, size_t length, bool any_case)
{
	size_t at = 0;

	while (at < words->count) {
		const char *word = words->list[at];

		if (word[0] != '\0' && words_same(word, text, length) &&
				(any_case || memcmp(word, text, length) == 0)) {
			break;
		}
		at++;
	}
	return at;
}

const char *event_word(enum event_type type)
{
	return events[type];
}

const char *seat_word(enum seat seat)
{
	return seats[seat];
}

const char *reason_word(enum end_reason reason)
{
	return reasons[reason];
}

const char *cause_word(enum end_cause cause)
{
	return causes[cause];
}

const char *status_word(enum room_status status)
{
	return statuses[status];
}
