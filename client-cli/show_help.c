#include <stdio.h>
#include <string.h>

#include "client-cli/show.h"
#include "client-cli/vocabulary.h"
#include "protocol/phrase.h"
#include "protocol/requests.h"
#include "protocol/text.h"

#define HELP_LINE_SIZE 512
/* Where what a word does begins. */
#define HELP_COLUMN 24
#define HELP_COLUMN_NARROW 4
#define NARROW_COLUMNS 60

static void show_word(const struct show *show, const struct vocabulary_word *word)
{
	bool narrow = show->columns < NARROW_COLUMNS;
	size_t hang = narrow ? HELP_COLUMN_NARROW : HELP_COLUMN;
	char usage[HELP_LINE_SIZE];
	char line[HELP_LINE_SIZE];
	size_t width;

	snprintf(usage, sizeof(usage), "%s%s%.100s", word->word, word->usage[0] != '\0' ? " " : "",
			word->usage);
	width = text_columns(usage);
	if (narrow) {
		snprintf(line, sizeof(line), "  %.100s: %.300s", usage, word->about);
	} else {
		snprintf(line, sizeof(line), "  %.100s%*s%.300s", usage,
				width < HELP_COLUMN - 3 ? (int)(HELP_COLUMN - 2 - width) : 2, "",
				word->about);
	}
	show_line(show, PAINT_PLAIN, hang, line);
}

static void show_theme(const struct show *show, const char *theme)
{
	struct vocabulary_word word;

	show_line(show, PAINT_STRONG, 0, _(theme));
	for (size_t i = 0; vocabulary_at(i, &word); i++) {
		if (strcmp(word.theme, theme) == 0) {
			show_word(show, &word);
		}
	}
}

static void show_all(const struct show *show)
{
	struct vocabulary_word word;
	const char *theme = "";

	for (size_t i = 0; vocabulary_at(i, &word); i++) {
		if (strcmp(word.theme, theme) != 0) {
			bool told = false;
			struct vocabulary_word before;

			theme = word.theme;
			for (size_t j = 0; j < i && vocabulary_at(j, &before); j++) {
				told |= strcmp(before.theme, theme) == 0;
			}
			if (!told) {
				show_theme(show, theme);
			}
		}
	}
}

static void show_members(const struct show *show, const struct request_row *row)
{
	for (size_t i = 0; i < REQUEST_MEMBERS_MAX && row->members[i].name; i++) {
		const struct request_member *member = &row->members[i];
		char line[HELP_LINE_SIZE];

		snprintf(line, sizeof(line), "  %s%-*s%s", member->name,
				(int)(10 - text_columns(member->name) % 10),
				member->positional ? " " : "=", _(member_kind_text(member->kind)));
		show_line(show, PAINT_PLAIN, 12, line);
	}
}

void show_help(const struct show *show, const char *about)
{
	size_t length = strlen(about);
	enum request_type type = request_type_for(vocabulary_is_operators(), about, length);
	struct vocabulary_word word;
	char line[HELP_LINE_SIZE];

	if (length == 0) {
		show_all(show);
		return;
	}
	if (!vocabulary_find(about, length, &word)) {
		char unknown[VOCABULARY_SENTENCE_SIZE];

		vocabulary_refuse(about, length, unknown);
		show_line(show, PAINT_ERROR, 0, unknown);
		return;
	}
	snprintf(line, sizeof(line), "%s %s", word.word, word.usage);
	show_line(show, PAINT_STRONG, 4, line);
	snprintf(line, sizeof(line), "  %s", word.about);
	show_line(show, PAINT_PLAIN, 2, line);
	if (type != REQUEST_COUNT) {
		show_members(show, request_row(type));
	}
}

void show_rules(const struct show *show)
{
	static const char *const lines[] = {
			N_("It is noughts and crosses, except that a move is in two places at "
			   "once."),
			N_("Your move puts one spooky mark into two squares: X1 into 1 and 5, say. "
			   "Until it is measured it is in both, and entangles them."),
			N_("When marks close a ring of squares, a cycle, the player who did not "
			   "close "
			   "it chooses which of its two squares the closing mark goes to. All "
			   "marks "
			   "that are entangled with it follow, one way or the other."),
			N_("A measured mark is classical: drawn large, its square closed for "
			   "good. If the game goes on, who measured moves next."),
			N_("Three classical marks in a line score a point. If both players get a "
			   "line "
			   "at once, the older one scores a point, the other one half a point. A "
			   "line is as old as its newest mark."),
			N_("On the board (3) is a square of the cycle, [3] "
			   "one "
			   "that the closing mark can go to, * what was done last."),
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		show_line(show, PAINT_PLAIN, 2, _(lines[i]));
	}
}

void show_keys(const struct show *show)
{
	static const char *const lines[] = {
			N_("Up, Down    lines that were typed before"),
			N_("Left, Right, Home, End (^A, ^E)    move in the line"),
			N_("Alt-b, Alt-f    a word to the left, to the right"),
			N_("Backspace, Delete    take a character away"),
			N_("^U, ^K, ^W    take away all before, all behind, the word before"),
			N_("^Y    put back what was taken away last"),
			N_("Tab    completes a word, a name, a room's id"),
			N_("^L    an empty window    ^Z    to the shell, fg comes back"),
			N_("^C    drops the line; in an empty line leaves, as ^D does"),
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		show_line(show, PAINT_PLAIN, 4, _(lines[i]));
	}
}
