#include "client-cli/typed.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client-cli/vocabulary.h"
#include "protocol/decode.h"
#include "protocol/phrase.h"
#include "protocol/requests.h"
#include "protocol/tell.h"

#define BLANKS " \t"
#define BOT_PREFIX "bot-"

static void refuse(struct typed *typed, const char *format, ...)
		__attribute__((format(printf, 2, 3)));

static void refuse(struct typed *typed, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(typed->refusal, sizeof(typed->refusal), format, arguments);
	va_end(arguments);
	typed->kind = TYPED_REFUSED;
}

/* Requests. */

static const struct request_member *member_of(const struct request_row *row, uint32_t has)
{
	for (size_t i = 0; i < REQUEST_MEMBERS_MAX && row->members[i].name; i++) {
		if (row->members[i].has == has) {
			return &row->members[i];
		}
	}
	return NULL;
}

/* Words that name no room are about the current one: the prompt tells which that is. */
static void add_room(const struct scene *scene, struct request *request)
{
	const struct request_member *member = member_of(request_row(request->type), HAS_ROOM);

	if (member && !member->required &&
			!(request->has & (HAS_ROOM | HAS_RECORD | HAS_ACTIONS)) &&
			scene->current[0] != '\0') {
		request->has |= HAS_ROOM;
		message_copy(request->room, sizeof(request->room), scene->current);
	}
}

static void ask(const struct scene *scene, struct typed *typed, enum request_type type)
{
	typed->kind = TYPED_REQUEST;
	typed->request.type = type;
	message_copy(typed->words, sizeof(typed->words), request_row(type)->name);
	add_room(scene, &typed->request);
}

static void ask_in(const struct scene *scene, struct typed *typed, enum request_type type,
		const char *room)
{
	typed->request.has |= HAS_ROOM;
	message_copy(typed->request.room, sizeof(typed->request.room), room);
	ask(scene, typed, type);
}

/* Answers to what the prompt asks. */

static void answer(struct scene *scene, bool yes, struct typed *typed)
{
	const char *room = NULL;
	const char *player = NULL;

	switch (scene_asks(scene, &room, &player)) {
	case QUESTION_NONE:
		refuse(typed, _("Nothing was asked."));
		break;
	case QUESTION_DRAW:
		typed->request.has |= HAS_ACCEPT;
		typed->request.accept = yes;
		ask_in(scene, typed, REQUEST_DRAW, room);
		break;
	case QUESTION_REMATCH:
		if (yes) {
			ask_in(scene, typed, REQUEST_REMATCH, room);
		} else {
			/* Nothing on the wire says no to a rematch: we go. */
			ask_in(scene, typed, REQUEST_LEAVE, room);
			typed->kind = TYPED_GO;
		}
		break;
	case QUESTION_INVITED:
		ask_in(scene, typed, yes ? REQUEST_JOIN : REQUEST_DECLINE, room);
		break;
	case QUESTION_FORGET:
		scene->forgets = false;
		if (yes) {
			ask(scene, typed, REQUEST_FORGET);
		} else {
			refuse(typed, _("You keep your name, %s."), player);
		}
		break;
	}
}

/* Own words. Yes and no may be said in Polish too, whatever language is spoken. */

typedef void (*own_reader)(struct scene *scene, const char *rest, struct typed *typed);

/* More than the word may mean anything, and some answers can't be taken back. */
static void read_answer(struct scene *scene, bool agrees, const char *rest, struct typed *typed)
{
	if (rest[strspn(rest, BLANKS)] != '\0') {
		refuse(typed, _("That is no answer: y or n?"));
	} else {
		answer(scene, agrees, typed);
	}
}

static void read_yes(struct scene *scene, const char *rest, struct typed *typed)
{
	read_answer(scene, true, rest, typed);
}

static void read_no(struct scene *scene, const char *rest, struct typed *typed)
{
	read_answer(scene, false, rest, typed);
}

/* Read words as the protocol has them. */
static void read_words(const struct scene *scene, const char *line, struct typed *typed);

/* The same where another word was typed than the protocol's. */
static void read_for(
		const struct scene *scene, const char *word, const char *rest, struct typed *typed)
{
	char words[160];

	snprintf(words, sizeof(words), "%s %.145s", word, rest);
	read_words(scene, words, typed);
}

static void read_accept(struct scene *scene, const char *rest, struct typed *typed)
{
	if (rest[0] == '\0') {
		answer(scene, true, typed);
	} else {
		read_for(scene, "join", rest, typed);
	}
}

static void read_decline(struct scene *scene, const char *rest, struct typed *typed)
{
	if (rest[0] == '\0') {
		answer(scene, false, typed);
	} else {
		read_for(scene, "decline", rest, typed);
	}
}

static void read_board(struct scene *scene, const char *rest, struct typed *typed)
{
	const struct scene_room *room = scene_find(scene, scene->current);

	(void)rest;
	if (!room || !room->has_board) {
		refuse(typed, _("There is no board yet. match finds you a game."));
		return;
	}
	typed->kind = TYPED_BOARD;
}

static void refuse_with_rooms(const struct scene *scene, struct typed *typed)
{
	char list[TYPED_REFUSAL_SIZE / 2] = "";
	size_t length = 0;

	for (size_t i = 0; i < scene->rooms->count && length + ROOM_ID_SIZE + 2 < sizeof(list);
			i++) {
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
				length > 0 ? ", " : "", scene->rooms->seen[i].id);
	}
	if (scene->rooms->count == 0) {
		refuse(typed, _("You are in no room. match finds you a game."));
	} else {
		refuse(typed, _("Your rooms: %s."), list);
	}
}

static void read_room(struct scene *scene, const char *rest, struct typed *typed)
{
	char id[ROOM_ID_SIZE];
	const struct tell_room *room;

	message_copy(id, sizeof(id), rest);
	for (char *letter = id; *letter; letter++) {
		*letter = (char)(*letter >= 'A' && *letter <= 'Z' ? *letter - 'A' + 'a' : *letter);
	}
	room = rooms_find(scene->rooms, id);
	if (!room) {
		refuse_with_rooms(scene, typed);
		return;
	}
	message_copy(scene->current, sizeof(scene->current), room->id);
	read_board(scene, "", typed);
}

static void read_rules(struct scene *scene, const char *rest, struct typed *typed)
{
	(void)scene;
	(void)rest;
	typed->kind = TYPED_RULES;
}

static void read_keys(struct scene *scene, const char *rest, struct typed *typed)
{
	(void)scene;
	(void)rest;
	typed->kind = TYPED_KEYS;
}

static void read_help(struct scene *scene, const char *rest, struct typed *typed)
{
	(void)scene;
	typed->kind = TYPED_HELP;
	message_copy(typed->about, sizeof(typed->about), rest);
}

static bool is_bot(const char *name)
{
	return strncmp(name, BOT_PREFIX, strlen(BOT_PREFIX)) == 0;
}

/* What is best now. Against people one plays alone; the server would refuse it too. */
static void read_hint(struct scene *scene, const char *rest, struct typed *typed)
{
	const struct tell_room *room = scene_current(scene);

	(void)rest;
	if (!room) {
		refuse(typed, _("You are in no game. create bot-good begins one against a bot."));
	} else if (room->status == STATUS_WAITING) {
		refuse(typed, _("The game has not begun."));
	} else if (room->status == STATUS_OVER) {
		refuse(typed, _("The game is over. analyse tells what each action was worth."));
	} else if (!is_bot(room->players[0]) && !is_bot(room->players[1])) {
		refuse(typed, _("There are hints in games against bots; this one is between "
				"people."));
	} else {
		typed->request.has |= HAS_STEPS;
		typed->request.steps = false;
		ask(scene, typed, REQUEST_ANALYSE);
		typed->kind = TYPED_HINT;
		message_copy(typed->words, sizeof(typed->words), "hint");
	}
}

static size_t games_played(const struct rooms *rooms)
{
	size_t count = 0;

	for (size_t i = 0; i < rooms->count; i++) {
		const struct tell_room *room = &rooms->seen[i];

		count += room->status == STATUS_PLAYING && room->seat != SEAT_NONE;
	}
	return count;
}

static void warn_of_forgetting(const struct scene *scene, struct typed *typed)
{
	size_t games = games_played(scene->rooms);
	char lost[TYPED_REFUSAL_SIZE / 2] = "";
	char warning[TYPED_REFUSAL_SIZE / 2];

	snprintf(warning, sizeof(warning),
			_("That gives the name %s up for good: it can't be taken back."),
			scene->rooms->name);
	if (games > 0) {
		snprintf(lost, sizeof(lost),
				phrase_count(" With it you resign %zu running game.",
						" With it you resign %zu running games.",
						(int64_t)games),
				games);
	}
	refuse(typed, "%s%s", warning, lost);
}

/* It can't be taken back, so it is asked for once more. */
static void read_forget(struct scene *scene, const char *rest, struct typed *typed)
{
	if (rest[0] == '\0' && scene->rooms->name[0] != '\0') {
		warn_of_forgetting(scene, typed);
	} else {
		read_for(scene, "forget", rest, typed);
	}
}

/* The wire has no question who is muted, but each answer lists them. */
static void read_mute(struct scene *scene, const char *rest, struct typed *typed)
{
	if (rest[0] == '\0') {
		refuse(typed, _("Whom? mute NAME, or mute NAME on=no to hear from him again. "
				"Either "
				"lists all whom you muted."));
	} else {
		read_for(scene, "mute", rest, typed);
	}
}

static void read_exit(struct scene *scene, const char *rest, struct typed *typed)
{
	read_for(scene, "quit", rest, typed);
}

/* The lobby is followed unless it is told otherwise: a list that stands still is soon wrong. */
static void read_lobby(struct scene *scene, const char *rest, struct typed *typed)
{
	bool off = strcasecmp(rest, "off") == 0;

	read_for(scene, "lobby", off ? "" : rest, typed);
	if (typed->kind == TYPED_REQUEST && !(typed->request.has & HAS_FOLLOW)) {
		typed->request.has |= HAS_FOLLOW;
		typed->request.follow = !off;
	}
}

static const struct {
	const char *word;
	own_reader read;
} own_rows[] = {
		{"y", read_yes},
		{"yes", read_yes},
		{"t", read_yes},
		{"tak", read_yes},
		{"n", read_no},
		{"no", read_no},
		{"nie", read_no},
		{"accept", read_accept},
		{"decline", read_decline},
		{"board", read_board},
		{"room", read_room},
		{"rules", read_rules},
		{"keys", read_keys},
		{"help", read_help},
		{"?", read_help},
		{"hint", read_hint},
		{"mute", read_mute},
		{"exit", read_exit},
		{"forget", read_forget},
		{"lobby", read_lobby},
};

static own_reader own_find(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(own_rows) / sizeof(own_rows[0]); i++) {
		if (strlen(own_rows[i].word) == length &&
				strncasecmp(own_rows[i].word, word, length) == 0) {
			return own_rows[i].read;
		}
	}
	return NULL;
}

/* Numbers alone. */

static bool is_measuring(struct scene *scene)
{
	const struct scene_room *room = scene_find(scene, scene->current);

	return scene_plays(scene) && room && room->has_board && room->board.phase == PHASE_COLLAPSE;
}

/* "1 5", "1-5", "15" or "5": what is expected tells whether it is a move or a measurement. */
static void read_numbers(struct scene *scene, const char *line, struct typed *typed)
{
	int64_t squares[2] = {0, 0};
	size_t count = 0;

	for (size_t i = 0; line[i] != '\0'; i++) {
		if (line[i] >= '0' && line[i] <= '9') {
			if (count == 2) {
				refuse(typed, _("A move has two squares, a measurement one, "
						"each from 1 to 9."));
				return;
			}
			squares[count++] = line[i] - '0';
		}
	}
	if (count == 1 && is_measuring(scene)) {
		typed->request.has |= HAS_SQUARE;
		typed->request.square = squares[0];
		ask(scene, typed, REQUEST_COLLAPSE);
		return;
	}
	typed->request.has |= HAS_SQUARES;
	typed->request.square_count = (uint8_t)count;
	memcpy(typed->request.squares, squares, sizeof(squares));
	ask(scene, typed, REQUEST_MOVE);
}

/* Words. */

static void refuse_words(const struct scene *scene, const char *line, size_t length,
		const struct error *error, struct typed *typed)
{
	char unknown[VOCABULARY_SENTENCE_SIZE];
	struct vocabulary_word word;

	if (error->code == CODE_UNKNOWN_TYPE && scene->forgets) {
		refuse(typed, _("That is no answer: y or n?"));
	} else if (error->code == CODE_UNKNOWN_TYPE) {
		vocabulary_refuse(line, length, unknown);
		refuse(typed, "%s", unknown);
	} else if (error->code != CODE_BAD_REQUEST || !vocabulary_find(line, length, &word) ||
			word.usage[0] == '\0') {
		refuse(typed, "%s", tell_error_sentence(error));
	} else if (line[length] == '\0') {
		refuse(typed, _("It goes: %s %s"), word.word, word.usage);
	} else {
		refuse(typed, _("%s It goes: %s %s"), error->message, word.word, word.usage);
	}
}

static void read_words(const struct scene *scene, const char *line, struct typed *typed)
{
	struct error error;

	memset(&error, 0, sizeof(error));
	if (!vocabulary_decode(line, strlen(line), &typed->request, &error)) {
		refuse_words(scene, line, strcspn(line, BLANKS), &error, typed);
	} else if (typed->request.type == REQUEST_TEXT) {
		refuse(typed, _("text is for netcat: here all is told in words."));
	} else {
		ask(scene, typed, typed->request.type);
	}
}

static void read_chat(const struct scene *scene, const char *text, struct typed *typed)
{
	char words[TEXT_SIZE + 8];

	text += strspn(text, BLANKS);
	if (strlen(text) >= TEXT_SIZE) {
		refuse(typed,
				phrase_count("That is too long: %d character is the most.",
						"That is too long: %d characters are the most.",
						LIMIT_TEXT_CHARS),
				LIMIT_TEXT_CHARS);
		return;
	}
	snprintf(words, sizeof(words), "say %s", text);
	read_words(scene, words, typed);
}

/* Whether a name is to be given up is asked until it is answered, or the server is asked for
 * something else: the next y is not about the name then. */
static bool is_sent(enum typed_kind kind)
{
	return kind == TYPED_REQUEST || kind == TYPED_HINT || kind == TYPED_GO ||
	       kind == TYPED_LINE;
}

void typed_read(struct scene *scene, const char *text, struct typed *ret)
{
	char line[LIMIT_LINE_BYTES];
	size_t length = 0;
	own_reader read;

	*ret = (struct typed){.kind = TYPED_NOTHING};
	message_copy(line, sizeof(line), text + strspn(text, BLANKS));
	for (size_t i = 0; line[i] != '\0'; i++) {
		length = strchr(BLANKS, line[i]) ? length : i + 1;
	}
	line[length] = '\0';
	length = strcspn(line, BLANKS);
	read = own_find(line, length);
	if (line[0] == '\0') {
		return;
	}
	if (line[0] == '\'') {
		read_chat(scene, line + 1, ret);
	} else if (line[0] == '{') {
		ret->kind = TYPED_LINE;
	} else if (strspn(line, "0123456789 ,-") == strlen(line)) {
		read_numbers(scene, line, ret);
	} else if (read) {
		read(scene, line + length + strspn(line + length, BLANKS), ret);
	} else {
		read_words(scene, line, ret);
	}
	scene->forgets &= !is_sent(ret->kind);
	scene->forgets |= read == read_forget && ret->kind == TYPED_REFUSED && line[length] == '\0';
}
