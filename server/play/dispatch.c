#include "server/play/dispatch.h"

#include <assert.h>

#include "server/play/drain.h"
#include "server/play/players.h"
#include "server/play/requests/requests.h"

enum dispatch_who {
	WHO_ANYONE, /* named or not */
	WHO_PLAYER, /* named or not, but no operator, who has no name and gets none */
	WHO_NAMED,  /* the same, and who has no name is given a guest's first */
	WHO_OPERATOR
};

/* What the server adds to a request's row. */
struct dispatch_row {
	enum dispatch_who who;
	unsigned int cost; /* in units of an allowance, see limits.h; 1 is the least work */
	handler_fn *handle;
	bool acts; /* in a game, or to get into one */
};

static const struct dispatch_row rows[REQUEST_COUNT] = {
		[REQUEST_HELLO] = {WHO_PLAYER, 20, requests_hello},
		[REQUEST_HELP] = {WHO_ANYONE, 5, requests_help},
		[REQUEST_WHO] = {WHO_ANYONE, 5, requests_who},
		[REQUEST_TEXT] = {WHO_ANYONE, 1, requests_text},
		[REQUEST_MUTE] = {WHO_NAMED, 10, requests_mute},
		[REQUEST_FORGET] = {WHO_ANYONE, 20, requests_forget},
		[REQUEST_PING] = {WHO_ANYONE, 1, requests_ping},
		[REQUEST_QUIT] = {WHO_ANYONE, 1, requests_quit},
		[REQUEST_CREATE] = {WHO_NAMED, 20, requests_create, true},
		[REQUEST_MATCH] = {WHO_NAMED, 20, requests_match, true},
		[REQUEST_JOIN] = {WHO_NAMED, 10, requests_join, true},
		[REQUEST_DECLINE] = {WHO_ANYONE, 10, requests_decline},
		[REQUEST_WATCH] = {WHO_ANYONE, 5, requests_watch},
		[REQUEST_LEAVE] = {WHO_ANYONE, 5, requests_leave},
		[REQUEST_LOBBY] = {WHO_ANYONE, 5, requests_lobby},
		[REQUEST_MOVE] = {WHO_ANYONE, 2, requests_move, true},
		[REQUEST_COLLAPSE] = {WHO_ANYONE, 2, requests_collapse, true},
		[REQUEST_RESIGN] = {WHO_ANYONE, 2, requests_resign, true},
		[REQUEST_ABORT] = {WHO_ANYONE, 2, requests_abort, true},
		[REQUEST_DRAW] = {WHO_ANYONE, 5, requests_draw, true},
		[REQUEST_CLAIM] = {WHO_ANYONE, 2, requests_claim, true},
		[REQUEST_REMATCH] = {WHO_ANYONE, 10, requests_rematch, true},
		[REQUEST_SAY] = {WHO_NAMED, 10, requests_say},
		[REQUEST_STATE] = {WHO_ANYONE, 5, requests_state},
		[REQUEST_GAME] = {WHO_ANYONE, 5, requests_game},
		[REQUEST_GAMES] = {WHO_ANYONE, 20, requests_games},
		[REQUEST_PLAYER] = {WHO_ANYONE, 5, requests_standing},
		[REQUEST_TOP] = {WHO_ANYONE, 20, requests_top},
		[REQUEST_ANALYSE] = {WHO_ANYONE, 20, requests_analyse},
		[REQUEST_NOTICE] = {WHO_OPERATOR, 1, requests_notice},
		[REQUEST_KICK] = {WHO_OPERATOR, 1, requests_kick},
		[REQUEST_BAN] = {WHO_OPERATOR, 1, requests_ban},
		[REQUEST_UNBAN] = {WHO_OPERATOR, 1, requests_unban},
		[REQUEST_BANS] = {WHO_OPERATOR, 1, requests_bans},
		[REQUEST_ROOMS] = {WHO_OPERATOR, 1, requests_rooms},
		[REQUEST_CLOSE] = {WHO_OPERATOR, 1, requests_close},
		[REQUEST_STATS] = {WHO_OPERATOR, 1, requests_stats},
		[REQUEST_RELEASE] = {WHO_OPERATOR, 1, requests_release},
		[REQUEST_DRAIN] = {WHO_OPERATOR, 1, requests_drain},
		[REQUEST_MOTD] = {WHO_OPERATOR, 1, requests_motd},
};

unsigned int dispatch_cost(enum request_type type)
{
	return rows[type].cost;
}

bool dispatch_acts(enum request_type type)
{
	return rows[type].acts;
}

void dispatch(struct task *task)
{
	const struct dispatch_row *row = &rows[task->request.type];
	const bool is_operator = task->session != NULL && task->session->operator_name != NULL;

	/* The line was read as one of his kind, so nobody else asks for what is an operator's. */
	assert(row->who != WHO_OPERATOR || is_operator);
	if (is_operator && (row->who == WHO_PLAYER || row->who == WHO_NAMED)) {
		task_refuse(task, CODE_NOT_ALLOWED, "An operator does not play.");
		return;
	}
	if (task->player != NULL && room_is_gone(task->player->record.name)) {
		/* It was given up while this waited: his connections are about to be closed. */
		task_refuse(task, CODE_UNAVAILABLE, "That name was given up.");
		return;
	}
	if (!drain_lets_in(task) || (row->who == WHO_NAMED && !task_needs_name(task))) {
		return;
	}
	row->handle(task);
}
