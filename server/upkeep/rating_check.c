#include "server/upkeep/rating_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/decode.h"
#include "server/play/rating_book.h"

#define SENTENCE_SIZE 200

struct rating_check {
	struct rating_book book;
	store_reader_find_fn *find;
	void *arg;
};

static void find(const struct rating_check *check, const char *what, const char *format, ...)
		__attribute__((format(printf, 3, 4)));

static void find(const struct rating_check *check, const char *what, const char *format, ...)
{
	char sentence[SENTENCE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	check->find(check->arg, what, sentence);
}

static double points(int64_t milli)
{
	return (double)milli / 1000;
}

/* Does the end tell what came of it? */
static void compare_told(const struct rating_check *check, const struct store_reader_rated *game,
		const struct store_rating before[2], const struct store_rating after[2])
{
	static const char *const seats[] = {"X", "O"};
	struct message message;
	char what[64];

	snprintf(what, sizeof(what), "room %s", game->room);
	bool is_end = decode_message(game->result, strlen(game->result), &message) &&
		      message.kind == MESSAGE_EVENT && message.event.type == EVENT_ENDED;
	const struct ratings_changed *told = &message.event.ended.ratings;
	for (int i = 0; i < 2 && is_end && told->set; i++) {
		if (told->before_milli[i] != rated_milli(&before[i]) ||
				told->after_milli[i] != after[i].milli) {
			find(check, what,
					"its end tells that %s's rating went from %.3f to %.3f, by "
					"the games it went from %.3f to %.3f",
					seats[i], points(told->before_milli[i]),
					points(told->after_milli[i]),
					points(rated_milli(&before[i])), points(after[i].milli));
		}
	}
	message_fini(&message);
}

static void take_game(void *arg, const struct store_reader_rated *game)
{
	struct rating_check *check = arg;
	struct store_rating before[2];
	struct store_rating after[2];

	for (int i = 0; i < 2; i++) {
		before[i] = rating_book_find(&check->book, game->ids[i]);
	}
	rating_book_add(&check->book, game->ids, game->ahead, game->ended_ms);
	for (int i = 0; i < 2; i++) {
		after[i] = rating_book_find(&check->book, game->ids[i]);
	}
	compare_told(check, game, before, after);
}

static void take_player(void *arg, const struct store_player *player)
{
	const struct rating_check *check = arg;
	const struct store_rating *stored = &player->rating;
	const struct store_rating made = rating_book_find(&check->book, player->id);
	char what[32];

	if (rated_same(stored, &made)) {
		return;
	}
	snprintf(what, sizeof(what), "player %lld", (long long)player->id);
	if (stored->games != made.games || stored->milli != made.milli) {
		find(check, what,
				"the rating is %.3f after %lld games, the games make it %.3f "
				"after %lld",
				points(rated_milli(stored)), (long long)stored->games,
				points(rated_milli(&made)), (long long)made.games);
	} else {
		find(check, what, "what is kept beside the rating is not what the games make it");
	}
}

void rating_check(struct store_reader *reader, store_reader_find_fn *find_fn, void *arg)
{
	struct rating_check check = {.find = find_fn, .arg = arg};

	rating_book_init(&check.book);
	store_reader_rated(reader, take_game, &check);
	store_reader_players(reader, take_player, &check);
	rating_book_fini(&check.book);
}
