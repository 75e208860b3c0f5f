#include "client-cli/record.h"

#include <errno.h>
#include <string.h>

#include "client-cli/language.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

#define HEADER_MARKS "#;["
#define NO_CHARACTER N_("That is no character of a record.")
/* What is shown of an item, and of a file's name. */
#define ITEM_SHOWN 24
#define FILE_SHOWN 120

struct reader {
	FILE *in;
	struct record *record;
	char *problem;
	struct record_place place; /* of the character that was read last */
	size_t bytes;
	bool blank;  /* a blank is owed */
	bool begins; /* nothing but blanks was read of this line yet */
	size_t game; /* that is read, from 1 */
	size_t wanted;
};

/* Nothing of a stranger's file may steer the terminal, its name neither. */
static const char *shown_file(const struct record *record)
{
	return text_is_clean(record->file) ? record->file : _("the file");
}

static enum exit_status refuse_at(const struct reader *reader, const char *sentence)
{
	snprintf(reader->problem, PROBLEM_SIZE, _("%.*s, line %u, column %u: %s"), FILE_SHOWN,
			shown_file(reader->record), reader->place.line, reader->place.column,
			_(sentence));
	return EXIT_REFUSED;
}

static enum exit_status refuse(const struct record *record, char problem[PROBLEM_SIZE],
		enum exit_status status, const char *sentence)
{
	snprintf(problem, PROBLEM_SIZE, "%.*s: %s", FILE_SHOWN, shown_file(record), sentence);
	return status;
}

/* The next character, or EOF. */
static int read_char(struct reader *reader)
{
	int letter = reader->bytes < RECORD_FILE_BYTES ? getc(reader->in) : EOF;

	if (letter != EOF) {
		reader->bytes++;
		reader->place.column++;
	}
	return letter;
}

static void end_line(struct reader *reader)
{
	reader->place.line++;
	reader->place.column = 0;
	reader->blank = true;
	reader->begins = true;
}

static void skip_line(struct reader *reader)
{
	int letter;

	do {
		letter = read_char(reader);
	} while (letter != EOF && letter != '\n');
	end_line(reader);
}

static void put(struct record *record, char letter, struct record_place place)
{
	record->places[record->length] = place;
	record->text[record->length++] = letter;
}

/* Does the colon that comes next make a first move, which is not the file's first? */
static bool begins_another(const struct record *record)
{
	size_t length = record->length;

	return length >= 2 && record->text[length - 1] == '1' &&
	       !(record->text[length - 2] >= '0' && record->text[length - 2] <= '9');
}

static enum exit_status take_letter(struct reader *reader, int letter)
{
	struct record *record = reader->record;
	bool parts = reader->blank && record->length > 0;

	if (letter < ' ' || letter > '~') {
		return refuse_at(reader, NO_CHARACTER);
	}
	if (letter == ':' && begins_another(record)) {
		return refuse_at(
				reader, N_("Another game begins there; one at a time can be played "
					   "through."));
	}
	if (record->length + parts >= LIMIT_RECORD_BYTES) {
		return refuse_at(reader, N_("No game's record is as long as that."));
	}
	if (parts) {
		put(record, ' ', reader->place);
	}
	reader->blank = false;
	reader->begins = false;
	put(record, (char)letter, reader->place);
	return EXIT_FINE;
}

/* Some editors begin a file with U+FEFF, which is no part of its text. What only begins like it is
 * refused at the place where it stands. */
static enum exit_status skip_bom(struct reader *reader)
{
	static const unsigned char bom[] = {0xEF, 0xBB, 0xBF};
	int letter = getc(reader->in);

	if (letter != bom[0]) {
		if (letter != EOF) {
			(void)ungetc(letter, reader->in);
		}
		return EXIT_FINE;
	}
	for (size_t i = 1; i < sizeof(bom); i++) {
		if (getc(reader->in) != bom[i]) {
			reader->place.column++;
			return refuse_at(reader, NO_CHARACTER);
		}
	}
	return EXIT_FINE;
}

/* A header that comes after a game. Returns whether that was the one that is wanted. */
static bool end_game(struct reader *reader)
{
	if (reader->game == reader->wanted) {
		reader->record->has_more = true;
		return true;
	}
	reader->game++;
	reader->record->length = 0;
	reader->bytes = 0;
	return false;
}

static enum exit_status read_letters(struct reader *reader)
{
	enum exit_status status = skip_bom(reader);
	int letter;

	while (status == EXIT_FINE && (letter = read_char(reader)) != EOF) {
		if (letter == '\n') {
			end_line(reader);
		} else if (letter == ' ' || letter == '\t' || letter == '\r') {
			reader->blank = true;
		} else if (reader->begins && letter != '\0' && strchr(HEADER_MARKS, letter)) {
			if (letter == '[' && reader->record->length > 0 && end_game(reader)) {
				break;
			}
			skip_line(reader);
		} else {
			status = take_letter(reader, letter);
		}
	}
	return status;
}

enum exit_status record_read(FILE *in, const char *file, size_t game, struct record *ret_record,
		char ret_problem[PROBLEM_SIZE])
{
	struct reader reader = {.in = in,
			.record = ret_record,
			.problem = ret_problem,
			.place = {1, 0},
			.begins = true,
			.game = 1,
			.wanted = game};
	enum exit_status status;

	*ret_record = (struct record){.file = file};
	status = read_letters(&reader);
	if (status != EXIT_FINE) {
		return status;
	}
	if (ferror(in)) {
		return refuse(ret_record, ret_problem, EXIT_USAGE, language_reason(errno));
	}
	if (reader.bytes == RECORD_FILE_BYTES && getc(in) != EOF) {
		return refuse(ret_record, ret_problem, EXIT_REFUSED,
				_("It is too long for a game's record."));
	}
	if (ret_record->length == 0 || reader.game < game) {
		return refuse(ret_record, ret_problem, EXIT_REFUSED,
				game > 1 ? _("There are not so many games in it.")
					 : _("There is no record in it."));
	}
	/* An earlier game may have been longer. */
	ret_record->text[ret_record->length] = '\0';
	reader.place.column++;
	ret_record->places[ret_record->length] = reader.place;
	return EXIT_FINE;
}

enum exit_status record_load(const char *path, size_t game, struct record *ret_record,
		char ret_problem[PROBLEM_SIZE])
{
	bool is_input = strcmp(path, "-") == 0;
	FILE *in = is_input ? stdin : fopen(path, "re");
	enum exit_status status;

	if (!in) {
		*ret_record = (struct record){.file = path};
		return refuse(ret_record, ret_problem, EXIT_USAGE, language_reason(errno));
	}
	status = record_read(
			in, is_input ? _("standard input") : path, game, ret_record, ret_problem);
	if (!is_input) {
		fclose(in);
	}
	return status;
}

/* Items. */

/* The score stands behind the last item. */
static size_t items_end(const struct record *record)
{
	const char *score = strstr(record->text, "::");

	return score ? (size_t)(score - record->text) : record->length;
}

bool record_item(const struct record *record, size_t index, size_t *ret_begin, size_t *ret_end)
{
	size_t all = items_end(record);
	size_t begin = 0;
	size_t end = strcspn(record->text, ",");

	for (; index > 0 && end < all; index--) {
		begin = end + 1;
		end = begin + strcspn(record->text + begin, ",");
	}
	end = end < all ? end : all;
	while (begin < end && record->text[begin] == ' ') {
		begin++;
	}
	while (end > begin && record->text[end - 1] == ' ') {
		end--;
	}
	*ret_begin = begin;
	*ret_end = end;
	return index == 0 && begin < end;
}

void record_place_text(const struct record *record, size_t at, char ret_text[PROBLEM_SIZE])
{
	size_t index = at > 0 && at <= record->length ? at - 1 : record->length;
	const struct record_place *place = &record->places[index];
	int length = (int)strcspn(record->text + index, ", ");

	length = length < ITEM_SHOWN ? length : ITEM_SHOWN;
	if (length > 0) {
		snprintf(ret_text, PROBLEM_SIZE, _("%.*s, line %u, column %u (%.*s)"), FILE_SHOWN,
				shown_file(record), place->line, place->column, length,
				record->text + index);
	} else {
		snprintf(ret_text, PROBLEM_SIZE, _("%.*s, line %u, column %u"), FILE_SHOWN,
				shown_file(record), place->line, place->column);
	}
}
