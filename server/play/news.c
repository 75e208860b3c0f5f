#include "server/play/news.h"

#include "protocol/encode.h"
#include "server/play/session.h"

#define SECOND_US 1000000

/* That a room came or went goes before what has changed in it. */
static struct hosted_list *list_for(struct play *play, enum lobby_change change)
{
	return &play->news[change == LOBBY_CHANGED];
}

void news_event(const struct hosted *hosted, enum lobby_change change, struct event *ret)
{
	*ret = (struct event){.type = EVENT_LOBBY};
	ret->lobby.change = change;
	rooms_summary(hosted, &ret->lobby.summary);
}

static void tell_one(struct session *session, const struct hosted *hosted,
		const struct event *event, struct bytes *line)
{
	if (session->lobby_behind_ms == 0 && session_is_behind(session)) {
		session->lobby_behind_ms = hosted->lobby_told_ms;
	}
	if (session->lobby_behind_ms == 0) {
		session_tell(session, event, line);
	} else {
		session->lobby_pass.misses_more = true;
	}
}

static void tell_now(struct hosted *hosted, enum lobby_change change)
{
	struct play *play = hosted->play;
	struct session *session;
	struct event event;

	hosted->lobby_told_ms = play_now(play);
	if (change == LOBBY_ADDED) {
		hosted->lobby_added_ms = hosted->lobby_told_ms;
	}
	if (play->lobby_follower_count == 0) {
		return;
	}
	news_event(hosted, change, &event);
	struct bytes *line = encode_event(&event);
	play->spreads = play->lobby_follower_count > PLAY_FEW;
	TAILQ_FOREACH(session, &play->lobby_followers, of_lobby)
	{
		tell_one(session, hosted, &event, line);
	}
	play->spreads = false;
	bytes_unref(line);
}

/* Work. */

static void use(struct play *play, size_t lines)
{
	const int64_t now_us = play_now(play) * 1000;
	const size_t work = play->lobby_follower_count * (lines + NEWS_WRITE_COST);

	if (play->news_paid_us < now_us) {
		play->news_paid_us = now_us;
	}
	play->news_paid_us += (int64_t)work * SECOND_US / NEWS_WORK_A_SECOND;
}

static bool has_time(const struct play *play)
{
	return play->news_paid_us <= (play_now(play) + NEWS_AHEAD_MS) * 1000;
}

/* Waiting. */

static void unlist(struct hosted *hosted)
{
	TAILQ_REMOVE(hosted->in_news, hosted, of_news);
	hosted->in_news = NULL;
}

static void list(struct hosted *hosted, enum lobby_change change)
{
	struct play *play = hosted->play;

	hosted->news = change;
	hosted->in_news = list_for(play, change);
	TAILQ_INSERT_TAIL(hosted->in_news, hosted, of_news);
	if (play->news_timer.place == 0) {
		play_set_timer(play, &play->news_timer, play->news_paid_us / 1000 + 1);
	}
}

/* What one who heard neither has to hear. False: nothing. */
static bool sum_up(enum lobby_change first, enum lobby_change then, enum lobby_change *ret)
{
	if (first == LOBBY_ADDED && then == LOBBY_REMOVED) {
		return false;
	}
	if (first == LOBBY_ADDED) {
		*ret = LOBBY_ADDED;
	} else if (then == LOBBY_ADDED) {
		*ret = LOBBY_CHANGED;
	} else {
		*ret = then;
	}
	return true;
}

static void wait_on(struct hosted *hosted, enum lobby_change then)
{
	enum lobby_change both;

	if (!sum_up(hosted->news, then, &both)) {
		unlist(hosted);
	} else if (both != hosted->news) {
		unlist(hosted);
		list(hosted, both);
	}
}

void news_tell(struct hosted *hosted, enum lobby_change change)
{
	struct play *play = hosted->play;

	if (hosted->in_news != NULL) {
		wait_on(hosted, change);
	} else if (play->lobby_follower_count == 0 || has_time(play)) {
		tell_now(hosted, change);
		use(play, 1);
	} else {
		list(hosted, change);
	}
}

void news_forget(struct hosted *hosted)
{
	if (hosted->in_news != NULL) {
		unlist(hosted);
		if (hosted->news != LOBBY_ADDED) {
			tell_now(hosted, LOBBY_REMOVED);
			use(hosted->play, 1);
		}
	}
}

static struct hosted *first_of(const struct play *play)
{
	struct hosted *first = TAILQ_FIRST(&play->news[0]);

	return first != NULL ? first : TAILQ_FIRST(&play->news[1]);
}

void news_due(void *owner)
{
	struct play *play = owner;
	const size_t followers = play->lobby_follower_count;
	struct hosted *hosted;
	size_t lines = 0;

	while ((hosted = first_of(play)) != NULL &&
			(lines == 0 || lines * followers < NEWS_LINES_A_GO)) {
		unlist(hosted);
		tell_now(hosted, hosted->news);
		lines++;
	}
	use(play, lines);
	if (hosted != NULL) {
		play_set_timer(play, &play->news_timer, play->news_paid_us / 1000 + 1);
	}
}
