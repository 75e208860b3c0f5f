#include "client-cli/editor.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/text.h"

void editor_init(struct editor *editor)
{
	*editor = (struct editor){.length = 0};
}

void editor_fini(struct editor *editor)
{
	if (!editor) {
		return;
	}
	for (size_t i = 0; i < editor->history_count; i++) {
		free(editor->history[i]);
	}
	*editor = (struct editor){.length = 0};
}

void editor_clear(struct editor *editor)
{
	editor->text[0] = '\0';
	editor->length = 0;
	editor->cursor = 0;
	editor->first = 0;
	editor->history_at = editor->history_count;
}

/* Places in the line. */

/* The place after the character at `at` and those that join it. */
static size_t place_after(const struct editor *editor, size_t at)
{
	bool first = true;
	int codepoint;

	while (at < editor->length) {
		size_t size = text_char(editor->text + at, editor->length - at, &codepoint);

		if (!first && text_char_columns(codepoint) > 0) {
			break;
		}
		at += size > 0 ? size : 1;
		first = false;
	}
	return at;
}

static size_t place_before(const struct editor *editor, size_t at)
{
	size_t before = 0;
	size_t next = 0;

	while (next < at) {
		before = next;
		next = place_after(editor, next);
	}
	return before;
}

/* The beginning of the word before `at`, and the end of the one after it. */
static size_t word_before(const struct editor *editor, size_t at)
{
	while (at > 0 && editor->text[at - 1] == ' ') {
		at--;
	}
	while (at > 0 && editor->text[at - 1] != ' ') {
		at--;
	}
	return at;
}

static size_t word_after(const struct editor *editor, size_t at)
{
	while (at < editor->length && editor->text[at] == ' ') {
		at++;
	}
	while (at < editor->length && editor->text[at] != ' ') {
		at++;
	}
	return at;
}

/* Changes. */

static void line_remove(struct editor *editor, size_t from, size_t to)
{
	memmove(editor->text + from, editor->text + to, editor->length - to + 1);
	editor->length -= to - from;
	editor->cursor = from;
}

static void line_kill(struct editor *editor, size_t from, size_t to)
{
	if (from < to) {
		memcpy(editor->killed, editor->text + from, to - from);
		editor->killed[to - from] = '\0';
		line_remove(editor, from, to);
	}
}

static void line_insert(struct editor *editor, const char *text, size_t length)
{
	if (length >= sizeof(editor->text) - editor->length) {
		return;
	}
	memmove(editor->text + editor->cursor + length, editor->text + editor->cursor,
			editor->length - editor->cursor + 1);
	memcpy(editor->text + editor->cursor, text, length);
	editor->length += length;
	editor->cursor += length;
}

static void line_set(struct editor *editor, const char *text)
{
	editor->length = strlen(text);
	memcpy(editor->text, text, editor->length + 1);
	editor->cursor = editor->length;
	editor->first = 0;
}

void editor_replace(struct editor *editor, size_t from, const char *text)
{
	line_remove(editor, from, editor->cursor);
	line_insert(editor, text, strlen(text));
}

/* History. */

void editor_remember(struct editor *editor)
{
	const char *last =
			editor->history_count > 0 ? editor->history[editor->history_count - 1] : "";
	char *line;

	if (editor->length == 0 || strcmp(editor->text, last) == 0) {
		return;
	}
	line = strdup(editor->text);
	if (!line) {
		return;
	}
	if (editor->history_count == EDITOR_HISTORY_MAX) {
		free(editor->history[0]);
		editor->history_count--;
		memmove(editor->history, editor->history + 1,
				editor->history_count * sizeof(editor->history[0]));
	}
	editor->history[editor->history_count++] = line;
}

static void history_show(struct editor *editor, size_t at)
{
	if (editor->history_at == editor->history_count) {
		memcpy(editor->draft, editor->text, editor->length + 1);
	}
	editor->history_at = at;
	line_set(editor, at < editor->history_count ? editor->history[at] : editor->draft);
}

/* Keys. */

static void key_history_back(struct editor *editor)
{
	if (editor->history_at > 0) {
		history_show(editor, editor->history_at - 1);
	}
}

static void key_history_forward(struct editor *editor)
{
	if (editor->history_at < editor->history_count) {
		history_show(editor, editor->history_at + 1);
	}
}

static void key_home(struct editor *editor)
{
	editor->cursor = 0;
}

static void key_end(struct editor *editor)
{
	editor->cursor = editor->length;
}

static void key_left(struct editor *editor)
{
	editor->cursor = place_before(editor, editor->cursor);
}

static void key_right(struct editor *editor)
{
	editor->cursor = place_after(editor, editor->cursor);
}

static void key_word_left(struct editor *editor)
{
	editor->cursor = word_before(editor, editor->cursor);
}

static void key_word_right(struct editor *editor)
{
	editor->cursor = word_after(editor, editor->cursor);
}

static void key_rub_out(struct editor *editor)
{
	line_remove(editor, place_before(editor, editor->cursor), editor->cursor);
}

static void key_delete(struct editor *editor)
{
	line_remove(editor, editor->cursor, place_after(editor, editor->cursor));
}

static void key_kill_rest(struct editor *editor)
{
	line_kill(editor, editor->cursor, editor->length);
}

static void key_kill_all_before(struct editor *editor)
{
	line_kill(editor, 0, editor->cursor);
}

static void key_kill_word_before(struct editor *editor)
{
	line_kill(editor, word_before(editor, editor->cursor), editor->cursor);
}

static void key_kill_word_after(struct editor *editor)
{
	line_kill(editor, editor->cursor, word_after(editor, editor->cursor));
}

static void key_yank(struct editor *editor)
{
	line_insert(editor, editor->killed, strlen(editor->killed));
}

static void key_paste_begin(struct editor *editor)
{
	editor->pasting = true;
}

static void key_paste_end(struct editor *editor)
{
	editor->pasting = false;
}

#define ESCAPE '\033'
#define PASTE_END "\033[201~"

/* A key does something to the line, or is an event for the caller. */
struct key_row {
	const char *bytes;
	void (*act)(struct editor *editor);
	enum editor_event event;
};

/* The application forms (ESC O) are here as well: which one comes is the terminal's choice. */
static const struct key_row key_rows[] = {
		{"\001", key_home, EDITOR_NONE},
		{"\002", key_left, EDITOR_NONE},
		{"\003", NULL, EDITOR_INTERRUPT},
		{"\005", key_end, EDITOR_NONE},
		{"\006", key_right, EDITOR_NONE},
		{"\010", key_rub_out, EDITOR_NONE},
		{"\011", NULL, EDITOR_COMPLETE},
		{"\012", NULL, EDITOR_LINE},
		{"\013", key_kill_rest, EDITOR_NONE},
		{"\014", NULL, EDITOR_REDRAW},
		{"\015", NULL, EDITOR_LINE},
		{"\016", key_history_forward, EDITOR_NONE},
		{"\020", key_history_back, EDITOR_NONE},
		{"\025", key_kill_all_before, EDITOR_NONE},
		{"\027", key_kill_word_before, EDITOR_NONE},
		{"\031", key_yank, EDITOR_NONE},
		{"\032", NULL, EDITOR_SUSPEND},
		{"\177", key_rub_out, EDITOR_NONE},
		{"\033[A", key_history_back, EDITOR_NONE},
		{"\033[B", key_history_forward, EDITOR_NONE},
		{"\033[C", key_right, EDITOR_NONE},
		{"\033[D", key_left, EDITOR_NONE},
		{"\033[H", key_home, EDITOR_NONE},
		{"\033[F", key_end, EDITOR_NONE},
		{"\033OA", key_history_back, EDITOR_NONE},
		{"\033OB", key_history_forward, EDITOR_NONE},
		{"\033OC", key_right, EDITOR_NONE},
		{"\033OD", key_left, EDITOR_NONE},
		{"\033OH", key_home, EDITOR_NONE},
		{"\033OF", key_end, EDITOR_NONE},
		{"\033[1~", key_home, EDITOR_NONE},
		{"\033[4~", key_end, EDITOR_NONE},
		{"\033[7~", key_home, EDITOR_NONE},
		{"\033[8~", key_end, EDITOR_NONE},
		{"\033[3~", key_delete, EDITOR_NONE},
		{"\033[1;5C", key_word_right, EDITOR_NONE},
		{"\033[1;5D", key_word_left, EDITOR_NONE},
		{"\033[1;3C", key_word_right, EDITOR_NONE},
		{"\033[1;3D", key_word_left, EDITOR_NONE},
		{"\033f", key_word_right, EDITOR_NONE},
		{"\033b", key_word_left, EDITOR_NONE},
		{"\033d", key_kill_word_after, EDITOR_NONE},
		{"\033\177", key_kill_word_before, EDITOR_NONE},
		{"\033[200~", key_paste_begin, EDITOR_NONE},
		{PASTE_END, key_paste_end, EDITOR_NONE},
};

static const struct key_row *key_find(const char *bytes, size_t length)
{
	for (size_t i = 0; i < sizeof(key_rows) / sizeof(key_rows[0]); i++) {
		if (strlen(key_rows[i].bytes) == length &&
				memcmp(key_rows[i].bytes, bytes, length) == 0) {
			return &key_rows[i];
		}
	}
	return NULL;
}

static bool bytes_are(const char *bytes, size_t length, const char *wanted)
{
	return length == strlen(wanted) && memcmp(bytes, wanted, length) == 0;
}

/* Is this only the beginning of a key? ESC [ goes on up to a letter or a tilde, ESC O for one byte
 * more, and a character for as many bytes as its first one says. */
static bool key_is_begun(const char *bytes, size_t length)
{
	unsigned char first = (unsigned char)bytes[0];
	unsigned char last = (unsigned char)bytes[length - 1];

	if (length >= EDITOR_KEY_SIZE) {
		return false;
	}
	if (first == ESCAPE) {
		return length == 1 || (length == 2 && (last == '[' || last == 'O')) ||
		       (bytes[1] == '[' && length > 2 && last >= 0x20 && last < 0x40);
	}
	return (first >= 0xc2 && length < 2) || (first >= 0xe0 && length < 3) ||
	       (first >= 0xf0 && first < 0xf5 && length < 4);
}

/* A key that is no command: a character, which must be clean. Pasted newlines and tabs are blanks:
 * nothing that is pasted is carried out before Enter. */
static void key_insert(struct editor *editor, const char *bytes, size_t length)
{
	int codepoint;

	if (bytes[0] == ESCAPE) {
		return;
	}
	if (editor->pasting && (bytes[0] == '\r' || bytes[0] == '\n' || bytes[0] == '\t')) {
		line_insert(editor, " ", 1);
	} else if (text_char(bytes, length, &codepoint) == length && codepoint != 0 &&
			text_char_is_clean(codepoint)) {
		line_insert(editor, bytes, length);
	}
}

/* ^D ends an empty line and deletes in another; so it is no row. */
static enum editor_event key_delete_or_end(struct editor *editor)
{
	if (editor->length == 0) {
		return EDITOR_END;
	}
	key_delete(editor);
	return EDITOR_NONE;
}

/* A whole key. */
static enum editor_event key_press(struct editor *editor, const char *bytes, size_t length)
{
	const struct key_row *row = key_find(bytes, length);

	if (editor->pasting && !bytes_are(bytes, length, PASTE_END)) {
		key_insert(editor, bytes, length);
		return EDITOR_NONE;
	}
	if (bytes_are(bytes, length, "\004")) {
		return key_delete_or_end(editor);
	}
	if (!row) {
		key_insert(editor, bytes, length);
		return EDITOR_NONE;
	}
	if (row->act) {
		row->act(editor);
	}
	return row->event;
}

size_t editor_take(struct editor *editor, const char *data, size_t length,
		enum editor_event *ret_event)
{
	size_t taken = 0;

	*ret_event = EDITOR_NONE;
	while (taken < length && *ret_event == EDITOR_NONE) {
		size_t size;

		editor->key[editor->key_length++] = data[taken++];
		if (!key_is_begun(editor->key, editor->key_length)) {
			size = editor->key_length;
			editor->key_length = 0;
			*ret_event = key_press(editor, editor->key, size);
		}
	}
	return taken;
}

/* The window. */

static size_t columns_between(const struct editor *editor, size_t from, size_t to)
{
	size_t columns = 0;
	int codepoint;

	while (from < to) {
		size_t size = text_char(editor->text + from, editor->length - from, &codepoint);

		from += size > 0 ? size : 1;
		columns += (size_t)text_char_columns(codepoint);
	}
	return columns;
}

void editor_window(struct editor *editor, size_t columns, char ret_text[EDITOR_LINE_SIZE],
		size_t *ret_cursor)
{
	size_t end;

	if (editor->first > editor->cursor) {
		editor->first = editor->cursor;
	}
	/* Room for the cursor itself behind the last character. */
	while (columns_between(editor, editor->first, editor->cursor) + 1 > columns &&
			editor->first < editor->cursor) {
		editor->first = place_after(editor, editor->first);
	}
	while (editor->first > 0 && columns_between(editor, place_before(editor, editor->first),
						    editor->length) < columns) {
		editor->first = place_before(editor, editor->first);
	}
	end = editor->first;
	while (end < editor->length && columns_between(editor, editor->first,
						       place_after(editor, end)) <= columns) {
		end = place_after(editor, end);
	}
	memcpy(ret_text, editor->text + editor->first, end - editor->first);
	ret_text[end - editor->first] = '\0';
	*ret_cursor = columns_between(editor, editor->first, editor->cursor);
}
