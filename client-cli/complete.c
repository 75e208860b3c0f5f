#include "client-cli/complete.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client-cli/vocabulary.h"
#include "protocol/requests.h"
#include "protocol/text.h"

struct asking {
	struct scene *scene;
	const char *begun; /* the word's beginning */
	size_t length;
	struct completion *completion;
};

static void offer(struct asking *asking, const char *word)
{
	struct completion *completion = asking->completion;

	if (strncasecmp(word, asking->begun, asking->length) != 0 ||
			completion->count == COMPLETE_MAX) {
		return;
	}
	for (size_t i = 0; i < completion->count; i++) {
		if (strcmp(completion->words[i], word) == 0) {
			return;
		}
	}
	message_copy(completion->words[completion->count++], COMPLETE_SIZE, word);
}

static void offer_words(struct asking *asking)
{
	struct vocabulary_word word;

	for (size_t i = 0; vocabulary_at(i, &word); i++) {
		offer(asking, word.word);
	}
}

static void offer_names(struct asking *asking)
{
	for (size_t i = 0; i < asking->scene->name_count; i++) {
		offer(asking, asking->scene->names[i]);
	}
}

static void offer_rooms(struct asking *asking)
{
	for (size_t i = 0; i < asking->scene->rooms->count; i++) {
		offer(asking, asking->scene->rooms->seen[i].id);
	}
	for (size_t i = 0; i < asking->scene->id_count; i++) {
		offer(asking, asking->scene->ids[i]);
	}
}

/* Squares that can be named: the two choices of a measurement, or those that are open. */
static void offer_squares(struct asking *asking)
{
	const struct scene_room *room = scene_find(asking->scene, asking->scene->current);

	for (unsigned int i = 0; room && room->has_board && i < 9; i++) {
		const struct board *board = &room->board;
		char square[] = {(char)('1' + i), '\0'};
		bool chosen = board->choices[0] == i + 1 || board->choices[1] == i + 1;

		if (board->phase == PHASE_COLLAPSE ? chosen : board->squares[i].classical == 0) {
			offer(asking, square);
		}
	}
}

static void offer_list(struct asking *asking, const char *const *words)
{
	for (size_t i = 0; words[i]; i++) {
		offer(asking, words[i]);
	}
}

static void offer_bools(struct asking *asking)
{
	offer_list(asking, (const char *const[]){"yes", "no", NULL});
}

static void offer_sides(struct asking *asking)
{
	offer_list(asking, (const char *const[]){"X", "O", "random", NULL});
}

static void offer_statuses(struct asking *asking)
{
	offer_list(asking, (const char *const[]){"waiting", "playing", "over", "off", NULL});
}

static void offer_bots(struct asking *asking)
{
	offer_list(asking, (const char *const[]){"bot-random", "bot-good", "bot-perfect", NULL});
	offer_names(asking);
}

/* Usual ones, of what can be named in any number. */
static void offer_clocks(struct asking *asking, const char *name)
{
	static const char *const usual[] = {"1+1", "3+2", "5+3", "10+5", "15+10"};
	char words[COMPLETE_SIZE];

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		snprintf(words, sizeof(words), "%.20s%s%s", name ? name : "", name ? "=" : "",
				usual[i]);
		offer(asking, words);
	}
}

static void offer_bare_clocks(struct asking *asking)
{
	offer_clocks(asking, NULL);
}

static void offer_spans(struct asking *asking)
{
	offer_list(asking, (const char *const[]){"30m", "2h", "1d", "7d", "30d", NULL});
}

/* What is offered for a member of a kind; NULL: nothing can be. */
static void (*const kind_offers[MEMBER_KINDS])(struct asking *asking) = {
		[MEMBER_NAME] = offer_names,
		[MEMBER_WHOM] = offer_names,
		[MEMBER_SPAN] = offer_spans,
		[MEMBER_ROOM] = offer_rooms,
		[MEMBER_WORD] = offer_words,
		[MEMBER_BOOL] = offer_bools,
		[MEMBER_SIDE] = offer_sides,
		[MEMBER_STATUS] = offer_statuses,
		[MEMBER_CLOCK] = offer_bare_clocks,
		[MEMBER_SQUARES] = offer_squares,
		[MEMBER_SQUARE] = offer_squares,
};

static void offer_member(struct asking *asking, const struct request_member *member)
{
	if (member->has == HAS_OPPONENT) {
		offer_bots(asking);
	} else if (member->kind < MEMBER_KINDS && kind_offers[member->kind]) {
		kind_offers[member->kind](asking);
	}
}

/* The request's positional members, and what can stand by its bare name or as X and O. */
static void offer_members(struct asking *asking, const struct request_row *row)
{
	for (size_t i = 0; i < REQUEST_MEMBERS_MAX && row->members[i].name; i++) {
		const struct request_member *member = &row->members[i];

		if (member->positional || member->kind == MEMBER_SIDE) {
			offer_member(asking, member);
		} else if (member->kind == MEMBER_BOOL) {
			offer(asking, member->name);
		} else if (member->kind == MEMBER_CLOCK) {
			offer_clocks(asking, member->name);
		}
	}
}

/* Own words that are no requests. */
static void offer_after_own(struct asking *asking, const char *word, size_t length)
{
	if (length == strlen("accept") && strncasecmp(word, "accept", length) == 0) {
		for (size_t i = 0; i < asking->scene->invitation_count; i++) {
			offer(asking, asking->scene->invitations[i].room);
		}
	} else if (length == strlen("room") && strncasecmp(word, "room", length) == 0) {
		offer_rooms(asking);
	}
}

/* What all words begin with, at least as far as it is typed. */
static void find_common(struct completion *completion)
{
	size_t length;

	if (completion->count == 0) {
		return;
	}
	message_copy(completion->common, COMPLETE_SIZE, completion->words[0]);
	length = strlen(completion->common);
	for (size_t i = 1; i < completion->count; i++) {
		size_t same = 0;

		while (same < length && completion->common[same] == completion->words[i][same]) {
			same++;
		}
		length = same;
	}
	length = text_cut(completion->common, strlen(completion->common), length);
	completion->common[length] = '\0';
}

void complete(struct scene *scene, const char *line, size_t cursor, struct completion *ret)
{
	struct asking asking = {.scene = scene, .completion = ret};
	size_t first = strspn(line, " ");
	size_t first_length = strcspn(line + first, " ");
	enum request_type type =
			request_type_for(vocabulary_is_operators(), line + first, first_length);

	*ret = (struct completion){.from = cursor};
	while (ret->from > 0 && line[ret->from - 1] != ' ') {
		ret->from--;
	}
	asking.begun = line + ret->from;
	asking.length = cursor - ret->from;
	if (ret->from <= first) {
		offer_words(&asking);
	} else if (type != REQUEST_COUNT) {
		offer_members(&asking, request_row(type));
	} else {
		offer_after_own(&asking, line + first, first_length);
	}
	find_common(ret);
}
