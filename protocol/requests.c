#include "protocol/requests.h"

#include <string.h>

#include "protocol/phrase.h"
#include "protocol/words.h"

#define IN(member) offsetof(struct request, member)
#define REQUIRED true
#define OPTIONAL false
#define POSITIONAL true
#define NAMED false
#define ANY_INTEGER .min = INT64_MIN, .max = INT64_MAX

#define ROOM(required, positional)                                                                 \
	{                                                                                          \
		"room", MEMBER_ROOM, HAS_ROOM, required, positional, IN(room)                      \
	}
/* A number that does not fit the game is `stale`, whatever it is: the room says so. */
#define MOVE                                                                                       \
	{                                                                                          \
		"move", MEMBER_INTEGER, HAS_MOVE, OPTIONAL, NAMED, IN(move), ANY_INTEGER           \
	}
#define SIDE                                                                                       \
	{                                                                                          \
		"side", MEMBER_SIDE, HAS_SIDE, OPTIONAL, NAMED, IN(side)                           \
	}
#define CLOCK(positional)                                                                          \
	{                                                                                          \
		"clock", MEMBER_CLOCK, HAS_CLOCK, OPTIONAL, positional, IN(clock)                  \
	}
#define LIMIT                                                                                      \
	{                                                                                          \
		"limit", MEMBER_INTEGER, HAS_LIMIT, OPTIONAL, NAMED, IN(limit), .min = 1,          \
										.max = LIMIT_LIST  \
	}
#define AFTER                                                                                      \
	{                                                                                          \
		"after", MEMBER_CURSOR, HAS_AFTER, OPTIONAL, NAMED, IN(after)                      \
	}
#define SINCE                                                                                      \
	{                                                                                          \
		"since", MEMBER_INTEGER, HAS_SINCE, OPTIONAL, NAMED, IN(since), .min = 0,          \
										.max = INT64_MAX   \
	}
#define WHOM                                                                                       \
	{                                                                                          \
		"whom", MEMBER_WHOM, HAS_WHOM, REQUIRED, POSITIONAL, IN(name)                      \
	}
#define FOR(positional)                                                                            \
	{                                                                                          \
		"for_ms", MEMBER_SPAN, HAS_FOR, OPTIONAL, positional, IN(for_ms),                  \
				.min = 0, .max = LIMIT_SPAN_MS                                     \
	}
#define OPERATORS .is_operators = true

static const struct request_row rows[REQUEST_COUNT] = {
		[REQUEST_HELLO] = {"hello",
				N_("Claim a name, return by its token, or ask who you are."),
				{
						{"name", MEMBER_NAME, HAS_NAME, OPTIONAL,
								POSITIONAL, IN(name)},
						{"token", MEMBER_TOKEN, HAS_TOKEN, OPTIONAL, NAMED,
								IN(token)},
						{"protocol", MEMBER_INTEGER, HAS_PROTOCOL, OPTIONAL,
								NAMED, IN(protocol), ANY_INTEGER},
						{"renew", MEMBER_BOOL, HAS_RENEW, OPTIONAL, NAMED,
								IN(renew)},
				}},
		[REQUEST_HELP] = {"help", N_("List the requests, or tell about one."),
				{
						{"about", MEMBER_WORD, HAS_ABOUT, OPTIONAL,
								POSITIONAL, IN(about)},
				}},
		[REQUEST_WHO] = {"who", N_("Who is here."), {LIMIT}},
		[REQUEST_TEXT] = {"text",
				N_("Be told in words: beside the JSON (on), only, or not."),
				{
						{"mode", MEMBER_MODE, HAS_MODE, REQUIRED,
								POSITIONAL, IN(mode)},
				}},
		[REQUEST_MUTE] = {"mute", N_("Stop a player's chat and invitations, or no longer."),
				{
						{"name", MEMBER_NAME, HAS_NAME, REQUIRED,
								POSITIONAL, IN(name)},
						{"on", MEMBER_BOOL, HAS_ON, OPTIONAL, NAMED,
								IN(on)},
				}},
		[REQUEST_FORGET] = {"forget", N_("Give your name up for good, and say goodbye."),
				{{NULL}}},
		[REQUEST_PING] = {"ping", N_("Ask for the server's time."), {{NULL}}},
		[REQUEST_QUIT] = {"quit", N_("Say goodbye; the connection is closed."), {{NULL}}},
		[REQUEST_CREATE] = {"create",
				N_("Open a room, for a player, a bot or whoever comes."),
				{
						{"opponent", MEMBER_NAME, HAS_OPPONENT, OPTIONAL,
								POSITIONAL, IN(opponent)},
						SIDE,
						{"private", MEMBER_BOOL, HAS_PRIVATE, OPTIONAL,
								NAMED, IN(is_private)},
						CLOCK(NAMED),
						{"rated", MEMBER_BOOL, HAS_RATED, OPTIONAL, NAMED,
								IN(rated)},
						{"title", MEMBER_TITLE, HAS_TITLE, OPTIONAL, NAMED,
								IN(title)},
				}},
		[REQUEST_MATCH] = {"match", N_("Take a seat against whoever waits, or wait."),
				{CLOCK(POSITIONAL)}},
		[REQUEST_JOIN] = {"join", N_("Take the free seat in a room."),
				{ROOM(REQUIRED, POSITIONAL), SIDE}},
		[REQUEST_DECLINE] = {"decline", N_("Turn an invitation down."),
				{ROOM(REQUIRED, POSITIONAL)}},
		[REQUEST_WATCH] = {"watch", N_("Follow a room without a seat."),
				{ROOM(REQUIRED, POSITIONAL), SINCE}},
		[REQUEST_LEAVE] = {"leave",
				N_("Stop following a room; your own that waits is closed."),
				{ROOM(OPTIONAL, POSITIONAL)}},
		[REQUEST_LOBBY] = {"lobby", N_("List the public rooms, and follow the list."),
				{
						{"status", MEMBER_STATUS, HAS_STATUS, OPTIONAL,
								POSITIONAL, IN(status)},
						LIMIT,
						AFTER,
						{"follow", MEMBER_BOOL, HAS_FOLLOW, OPTIONAL, NAMED,
								IN(follow)},
				}},
		[REQUEST_MOVE] = {"move", N_("Put a spooky mark into two squares: move 1 5."),
				{
						{"squares", MEMBER_SQUARES, HAS_SQUARES, REQUIRED,
								POSITIONAL, IN(squares)},
						ROOM(OPTIONAL, NAMED),
						MOVE,
				}},
		[REQUEST_COLLAPSE] = {"collapse",
				N_("Measure: choose where the closing mark goes."),
				{
						{"square", MEMBER_SQUARE, HAS_SQUARE, REQUIRED,
								POSITIONAL, IN(square),
								ANY_INTEGER},
						{"mark", MEMBER_MARK, HAS_MARK, OPTIONAL, NAMED,
								IN(mark_seat)},
						ROOM(OPTIONAL, NAMED),
						MOVE,
				}},
		[REQUEST_RESIGN] = {"resign", N_("Give the game up."),
				{ROOM(OPTIONAL, POSITIONAL)}},
		[REQUEST_ABORT] = {"abort", N_("Call the game off, before both have moved."),
				{ROOM(OPTIONAL, POSITIONAL)}},
		[REQUEST_DRAW] = {"draw", N_("Offer a draw, accept one, or decline it."),
				{
						{"accept", MEMBER_BOOL, HAS_ACCEPT, OPTIONAL,
								POSITIONAL, IN(accept)},
						ROOM(OPTIONAL, NAMED),
				}},
		[REQUEST_CLAIM] = {"claim", N_("Claim the win over an opponent who stays away."),
				{ROOM(OPTIONAL, POSITIONAL)}},
		[REQUEST_REMATCH] = {"rematch", N_("Ask for another game with sides changed."),
				{ROOM(OPTIONAL, POSITIONAL)}},
		[REQUEST_SAY] = {"say", N_("Say something in a room."),
				{
						{"text", MEMBER_TEXT, HAS_TEXT, REQUIRED,
								POSITIONAL, IN(text)},
						ROOM(OPTIONAL, NAMED),
				}},
		[REQUEST_STATE] = {"state",
				N_("Get a room as it is, or its events since one of them."),
				{ROOM(OPTIONAL, POSITIONAL), SINCE}},
		[REQUEST_GAME] = {"game", N_("A game's record, and how it ended."),
				{ROOM(REQUIRED, POSITIONAL)}},
		[REQUEST_GAMES] = {"games", N_("List finished public games, all or a player's."),
				{
						{"player", MEMBER_NAME, HAS_NAME, OPTIONAL,
								POSITIONAL, IN(name)},
						LIMIT,
						AFTER,
				}},
		[REQUEST_PLAYER] = {"player",
				N_("A player's rating, and how his rated games went."),
				{
						{"name", MEMBER_NAME, HAS_NAME, REQUIRED,
								POSITIONAL, IN(name)},
				}},
		[REQUEST_TOP] = {"top", N_("The players with the highest ratings."),
				{
						{"limit", MEMBER_INTEGER, HAS_LIMIT, OPTIONAL,
								POSITIONAL, IN(limit), .min = 1,
								.max = LIMIT_LIST},
				}},
		[REQUEST_ANALYSE] = {"analyse",
				N_("What a position is worth, and each action in it."),
				{
						ROOM(OPTIONAL, POSITIONAL),
						{"record", MEMBER_RECORD, HAS_RECORD, OPTIONAL,
								NAMED, IN(record)},
						{"actions", MEMBER_ACTIONS, HAS_ACTIONS, OPTIONAL,
								NAMED, IN(actions)},
						{"steps", MEMBER_BOOL, HAS_STEPS, OPTIONAL, NAMED,
								IN(steps)},
				}},
		[REQUEST_NOTICE] = {"notice", N_("Tell everybody, a room or a name something."),
				{
						{"text", MEMBER_TEXT, HAS_TEXT, REQUIRED,
								POSITIONAL, IN(text)},
						ROOM(OPTIONAL, NAMED),
						{"name", MEMBER_NAME, HAS_NAME, OPTIONAL, NAMED,
								IN(name)},
				},
				OPERATORS},
		[REQUEST_KICK] = {"kick", N_("Close the connections of a name or an address."),
				{WHOM}, OPERATORS},
		[REQUEST_BAN] = {"ban", N_("Keep out a name, an address or a block of addresses."),
				{
						WHOM,
						FOR(POSITIONAL),
						{"why", MEMBER_TEXT, HAS_WHY, OPTIONAL, NAMED,
								IN(text)},
				},
				OPERATORS},
		[REQUEST_UNBAN] = {"unban", N_("Take a ban back."), {WHOM}, OPERATORS},
		[REQUEST_BANS] = {"bans", N_("List the bans."), {LIMIT, AFTER}, OPERATORS},
		[REQUEST_ROOMS] = {"rooms",
				N_("List all rooms, private ones too, and who is in them."),
				{
						{"status", MEMBER_STATUS, HAS_STATUS, OPTIONAL,
								POSITIONAL, IN(status)},
						LIMIT,
						AFTER,
				},
				OPERATORS},
		[REQUEST_CLOSE] = {"close", N_("End a room: its game is called off."),
				{ROOM(REQUIRED, POSITIONAL)}, OPERATORS},
		[REQUEST_STATS] = {"stats", N_("Numbers about the server."), {{NULL}}, OPERATORS},
		[REQUEST_RELEASE] = {"release", N_("Take a name from its owner: it is free then."),
				{
						{"name", MEMBER_NAME, HAS_NAME, REQUIRED,
								POSITIONAL, IN(name)},
				},
				OPERATORS},
		[REQUEST_DRAIN] = {"drain",
				N_("Begin nothing new; stop once no game runs, or when the time is "
				   "over."),
				{
						{"on", MEMBER_BOOL, HAS_ON, OPTIONAL, POSITIONAL,
								IN(on)},
						FOR(NAMED),
				},
				OPERATORS},
		[REQUEST_MOTD] = {"motd", N_("Tell the message of the day, or change it."),
				{
						{"text", MEMBER_TEXT, HAS_TEXT, OPTIONAL,
								POSITIONAL, IN(text)},
						{"on", MEMBER_BOOL, HAS_ON, OPTIONAL, NAMED,
								IN(on)},
				},
				OPERATORS},
};

const struct request_row *request_row(enum request_type type)
{
	return &rows[type];
}

enum request_type request_type_of(const char *word, size_t length)
{
	size_t type = 0;

	while (type < REQUEST_COUNT && !words_same(rows[type].name, word, length)) {
		type++;
	}
	return (enum request_type)type;
}

enum request_type request_type_for(bool is_operator, const char *word, size_t length)
{
	enum request_type type = request_type_of(word, length);

	return type == REQUEST_COUNT || request_is_for(is_operator, type) ? type : REQUEST_COUNT;
}

/* What may stand for a member of a kind. */
static const char *const kind_texts[] = {
		[MEMBER_NAME] = N_("a name"),
		[MEMBER_TOKEN] = N_("a token"),
		[MEMBER_ROOM] = N_("a room's id"),
		[MEMBER_TITLE] = N_("text, to the end of the line"),
		[MEMBER_TEXT] = N_("text, to the end of the line"),
		[MEMBER_WORD] = N_("a word"),
		[MEMBER_CURSOR] = N_("what the last answer gave as next"),
		[MEMBER_INTEGER] = N_("a number"),
		[MEMBER_BOOL] = N_("yes or no"),
		[MEMBER_SIDE] = N_("X, O or random"),
		[MEMBER_STATUS] = N_("waiting, playing or over"),
		[MEMBER_MODE] = N_("on, off or only"),
		[MEMBER_SQUARES] = N_("two squares, 1 to 9"),
		[MEMBER_SQUARE] = N_("a square, 1 to 9"),
		[MEMBER_MARK] = N_("a mark such as O4"),
		[MEMBER_CLOCK] = N_("minutes + seconds a move, such as 3+2"),
		[MEMBER_RECORD] = N_("a game in Goff's notation, to the end of the line"),
		[MEMBER_ACTIONS] = N_("moves and measurements: 1-5,1-5,5"),
		[MEMBER_WHOM] = N_("a name, an address, or a block of them such as 10.0.0.0/8"),
		[MEMBER_SPAN] = N_("how long: 90s, 30m, 2h or 7d"),
};

const char *member_kind_text(enum member_kind kind)
{
	return kind_texts[kind];
}
