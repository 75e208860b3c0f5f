#include "client-cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client-cli/vocabulary.h"
#include "protocol/encode.h"
#include "protocol/phrase.h"
#include "protocol/requests.h"
#include "protocol/text.h"

/* Keep the typed words for the answer, cut at a character. */
static void asked_keep_words(struct asked *asked, const char *line, size_t length)
{
	size_t kept = text_cut(line, length, sizeof(asked->words) - 1);

	memcpy(asked->words, line, kept);
	asked->words[kept] = '\0';
}

static void asked_keep_request(struct asked *asked, const struct request *request)
{
	asked->known = true;
	asked->type = request->type;
	asked->id = request->id;
	asked->has = request->has;
	asked->follows = request->follow;
	message_copy(asked->opponent, sizeof(asked->opponent), request->opponent);
	message_copy(asked->token, sizeof(asked->token), request->token);
	if (request->has & HAS_ROOM) {
		snprintf(asked->room, sizeof(asked->room), "%s", request->room);
	}
}

static size_t blanks_length(const char *line, size_t length)
{
	size_t blanks = 0;

	while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t')) {
		blanks++;
	}
	return blanks;
}

static bool words_are_json(const char *line, size_t length)
{
	size_t blanks = blanks_length(line, length);

	return blanks < length && line[blanks] == '{';
}

/* A token is not to stand on the screen, also where the words around it were no request. */
static bool words_hold_secret(const char *line, size_t length)
{
	static const char word[] = "token";

	for (size_t i = 0; i + sizeof(word) - 1 <= length; i++) {
		if (strncasecmp(line + i, word, sizeof(word) - 1) == 0) {
			return true;
		}
	}
	return false;
}

static size_t first_word_length(const char *line, size_t length)
{
	size_t end = 0;

	while (end < length && line[end] != ' ' && line[end] != '\t') {
		end++;
	}
	return end;
}

/* What the server then said could not be read here any more. */
static void command_refuse_text(struct command *command)
{
	bytes_unref(command->line);
	command->line = NULL;
	command->kind = COMMAND_REFUSED;
	command->refusal = (struct error){.code = CODE_BAD_REQUEST};
	snprintf(command->refusal.message, sizeof(command->refusal.message), "%s",
			_("It is for netcat: here all is told in words."));
}

/* JSON goes to the server whatever else it is: a newer server may know what we do not. */
static void command_send_json(
		const char *line, size_t length, struct request *request, struct command *command)
{
	char *ended = malloc(length + 1);

	if (!ended) {
		abort();
	}
	memcpy(ended, line, length);
	ended[length] = '\n';
	command->line = bytes_new(ended, length + 1);
	free(ended);
	command->kind = COMMAND_SEND;
	if (vocabulary_decode(line, length, request, &command->refusal)) {
		asked_keep_request(&command->asked, request);
		command->ends = request->type == REQUEST_QUIT;
	} else {
		command->asked.id = command->refusal.re;
	}
	snprintf(command->asked.words, sizeof(command->asked.words), "%s",
			command->asked.known ? request_row(request->type)->name : "{...}");
	if (command->asked.known && request->type == REQUEST_TEXT) {
		command_refuse_text(command);
	}
}

static void command_send(struct request *request, int64_t id, struct command *command)
{
	if (request->id.kind == ID_NONE) {
		request->id.kind = ID_INTEGER;
		request->id.integer = id;
	}
	command->kind = COMMAND_SEND;
	command->line = encode_request(request);
	command->ends = request->type == REQUEST_QUIT;
	asked_keep_request(&command->asked, request);
}

/* A room's values are shown beside its actions. */
static bool request_studies(const struct request *request)
{
	return request->type == REQUEST_ANALYSE &&
	       !(request->has & (HAS_RECORD | HAS_ACTIONS | HAS_STEPS));
}

static void command_study(const struct request *request, struct command *command)
{
	command->kind = COMMAND_STUDY;
	asked_keep_request(&command->asked, request);
}

/* `hint [ROOM]` is no request, but words that stand for one. */
#define HINT "hint"
#define HINT_REQUEST "analyse"

static bool words_ask_for_hint(const char *line, size_t length)
{
	return first_word_length(line, length) == strlen(HINT) &&
	       strncasecmp(line, HINT, strlen(HINT)) == 0;
}

static void command_hint(const char *line, size_t length, int64_t id, struct command *command)
{
	struct request request = {.type = REQUEST_COUNT};
	char words[LIMIT_LINE_BYTES + sizeof(HINT_REQUEST)] = HINT_REQUEST;
	const size_t rest = length - (sizeof(HINT) - 1);
	const size_t begin = sizeof(HINT_REQUEST) - 1;

	memcpy(&words[begin], &line[sizeof(HINT) - 1], rest);
	if (!vocabulary_decode(words, begin + rest, &request, &command->refusal)) {
		command->kind = COMMAND_REFUSED;
		return;
	}
	command_send(&request, id, command);
	command->asked.use = ASKED_FOR_HINT;
}

void command_read(const char *line, size_t length, int64_t id, bool send_help, struct command *ret)
{
	struct request request = {0};
	size_t blanks;

	*ret = (struct command){0};
	if (words_are_json(line, length)) {
		command_send_json(line, length, &request, ret);
		return;
	}
	asked_keep_words(&ret->asked, line,
			words_hold_secret(line, length) ? first_word_length(line, length) : length);
	blanks = blanks_length(line, length);
	if (!send_help && words_ask_for_hint(line + blanks, length - blanks)) {
		command_hint(line + blanks, length - blanks, id, ret);
		return;
	}
	if (!vocabulary_decode(line, length, &request, &ret->refusal)) {
		ret->kind = COMMAND_REFUSED;
	} else if (request.type == REQUEST_HELP && !send_help) {
		ret->kind = COMMAND_HELP;
		snprintf(ret->about, sizeof(ret->about), "%s", request.about);
	} else if (request.type == REQUEST_TEXT) {
		command_refuse_text(ret);
	} else if (request_studies(&request) && !send_help) {
		command_study(&request, ret);
	} else {
		command_send(&request, id, ret);
	}
}

void command_request(struct request *request, const char *words, int64_t id, struct command *ret)
{
	*ret = (struct command){0};
	asked_keep_words(&ret->asked, words, strlen(words));
	if (request_studies(request)) {
		command_study(request, ret);
	} else {
		command_send(request, id, ret);
	}
}
