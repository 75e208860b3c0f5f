#include "client-cli/sitting.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client-cli/complete.h"
#include "client-cli/drawing.h"
#include "client-cli/language.h"
#include "client-cli/prompt.h"
#include "client-cli/show_values.h"
#include "client-cli/typed.h"
#include "protocol/phrase.h"
#include "protocol/text.h"

static void stage_show(void *context, const struct message *message, const struct asked *asked,
		bool quiet);
static void stage_note(void *context, const char *text);

struct sitting *sitting_new(const struct options *options, struct link *link)
{
	struct sitting *sitting = calloc(1, sizeof(*sitting));

	if (!sitting) {
		return NULL;
	}
	sitting->options = options;
	sitting->color = paint_wanted(options->color, true, getenv("NO_COLOR"), getenv("TERM"));
	sitting->ascii = options->ascii || !language_has_utf8();
	sitting->page = open_memstream(&sitting->page_text, &sitting->page_size);
	sitting->said = open_memstream(&sitting->said_text, &sitting->said_size);
	if (!sitting->page || !sitting->said) {
		sitting_free(sitting);
		return NULL;
	}
	session_init(&sitting->session, options, link, sitting->said);
	sitting->session.view.brief = true;
	sitting->session.view.ascii = sitting->ascii;
	sitting->session.stage = (struct session_stage){stage_show, stage_note, sitting};
	sitting->session.returns = options->reconnect != WHEN_NEVER;
	scene_init(&sitting->scene, &sitting->session.view.rooms);
	sitting->scene.operates = options->admin != NULL;
	editor_init(&sitting->editor);
	sitting->terminal.columns = TERMINAL_COLUMNS;
	sitting->terminal.rows = TERMINAL_ROWS;
	return sitting;
}

void sitting_free(struct sitting *sitting)
{
	if (!sitting) {
		return;
	}
	session_fini(&sitting->session);
	editor_fini(&sitting->editor);
	if (sitting->page) {
		fclose(sitting->page);
	}
	if (sitting->said) {
		fclose(sitting->said);
	}
	free(sitting->page_text);
	free(sitting->said_text);
	free(sitting);
}

/* Pages. */

/* How much was written to a stream in memory since it was rewound; what is behind it is old. */
static size_t stream_length(FILE *stream)
{
	long length;

	fflush(stream);
	length = ftell(stream);
	return length > 0 ? (size_t)length : 0;
}

static struct show sitting_pen(const struct sitting *sitting)
{
	return (struct show){
			.out = sitting->page,
			.columns = sitting->terminal.columns,
			.color = sitting->color,
			.ascii = sitting->ascii,
	};
}

static void sitting_say(struct sitting *sitting, enum paint paint, const char *text)
{
	struct show show = sitting_pen(sitting);

	sitting->page_is_block = false;
	show_line(&show, paint, 2, text);
}

/* What the view told, put on the page line by line in a paint. */
static void sitting_take_said(struct sitting *sitting, enum paint paint)
{
	size_t length = stream_length(sitting->said);
	char *line = sitting->said_text;
	char *end;

	while (length > 0 && (end = memchr(line, '\n', length)) != NULL) {
		*end = '\0';
		sitting_say(sitting, paint, line);
		length -= (size_t)(end + 1 - line);
		line = end + 1;
	}
	rewind(sitting->said);
}

/* Without a connection the prompt says what is done about it. */
static void sitting_expect(struct sitting *sitting, char text[PROMPT_SIZE], enum paint *ret_paint)
{
	const struct comeback *comeback = &sitting->session.comeback;

	*ret_paint = PAINT_ERROR;
	switch (comeback->state) {
	case COMEBACK_UP:
		sitting->scene.now_ms = session_now_ms();
		prompt_text(&sitting->scene, sitting->terminal.columns, text, ret_paint);
		break;
	case COMEBACK_WAITING:
		snprintf(text, PROMPT_SIZE, _("offline, again in %lld s> "),
				(long long)comeback_seconds(comeback, session_now_ms()));
		break;
	case COMEBACK_TRYING:
		snprintf(text, PROMPT_SIZE, "%s", _("offline, connecting> "));
		break;
	case COMEBACK_RESTORING:
		snprintf(text, PROMPT_SIZE, "%s", _("coming back> "));
		break;
	}
	message_copy(sitting->shown, sizeof(sitting->shown), text);
}

static void sitting_prompt(struct sitting *sitting, char text[PROMPT_SIZE],
		char line[EDITOR_LINE_SIZE], struct terminal_prompt *ret)
{
	size_t columns = sitting->terminal.columns;
	size_t taken;

	sitting_expect(sitting, text, &ret->paint);
	/* The last column stays free: a character there makes some terminals go on below. */
	taken = text_columns(text) + 1;
	editor_window(&sitting->editor, columns > taken + 1 ? columns - taken : 1, line,
			&ret->cursor);
	ret->text = text;
	ret->line = line;
	ret->color = sitting->color;
}

static void sitting_draw_prompt(struct sitting *sitting)
{
	char text[PROMPT_SIZE];
	char line[EDITOR_LINE_SIZE];
	struct terminal_prompt prompt;

	sitting_prompt(sitting, text, line, &prompt);
	terminal_show(&sitting->terminal, &prompt);
}

void sitting_turn_page(struct sitting *sitting)
{
	char text[PROMPT_SIZE];
	char line[EDITOR_LINE_SIZE];
	struct terminal_prompt prompt;
	size_t length = stream_length(sitting->page);

	if (length > 0) {
		sitting_prompt(sitting, text, line, &prompt);
		terminal_print(&sitting->terminal, sitting->page_text, length, &prompt,
				sitting->page_is_block);
		rewind(sitting->page);
		sitting->page_is_block = false;
	} else {
		sitting_draw_prompt(sitting);
	}
}

bool sitting_has_news(struct sitting *sitting)
{
	char shown[PROMPT_SIZE];
	char text[PROMPT_SIZE];
	enum paint paint;

	memcpy(shown, sitting->shown, sizeof(shown));
	sitting_expect(sitting, text, &paint);
	return stream_length(sitting->page) > 0 || strcmp(shown, text) != 0;
}

/* Messages. */

static void show_room(struct sitting *sitting, const char *id)
{
	struct show show = sitting_pen(sitting);
	const struct scene_room *room = scene_find(&sitting->scene, id);

	if (room && room->has_board) {
		struct scene_room now = *room;

		sitting->scene.now_ms = session_now_ms();
		now.clock = scene_clock(&sitting->scene, room);
		show_board(&show, &now);
	}
}

/* A move that ends the game is drawn with its end, which follows at once; of a game that ends
 * before the first move there is nothing to see. */
static bool event_has_drawing(const struct event *event)
{
	switch (event->type) {
	case EVENT_STARTED:
		return true;
	case EVENT_ENDED:
		return event->ended.result.scored || event->ended.board.move > 1;
	case EVENT_MOVED:
		return event->moved.board.phase != PHASE_OVER;
	case EVENT_COLLAPSED:
		return event->collapsed.board.phase != PHASE_OVER;
	case EVENT_STATE:
		return event->state.status != STATUS_WAITING;
	case EVENT_OPENED:
	case EVENT_SEATED:
	case EVENT_DRAW_OFFERED:
	case EVENT_DRAW_DECLINED:
	case EVENT_REMATCH_OFFERED:
	case EVENT_REMATCH:
	case EVENT_PRESENCE:
	case EVENT_SAID:
	case EVENT_LOBBY:
	case EVENT_INVITED:
	case EVENT_NOTICE:
	case EVENT_BYE:
	case EVENT_WELCOME:
	case EVENT_COUNT:
		break;
	}
	return false;
}

static void show_drawing(struct sitting *sitting, const struct message *message)
{
	struct show show = sitting_pen(sitting);

	if (message->kind == MESSAGE_OK && message->ok.state &&
			message->ok.state->status != STATUS_WAITING) {
		show_room(sitting, message->ok.state->room);
	} else if (message->kind == MESSAGE_EVENT && event_has_drawing(&message->event)) {
		const struct event *event = &message->event;

		show_room(sitting, event->type == EVENT_STATE ? event->state.room : event->room);
		if (event->type == EVENT_ENDED) {
			show_outcome(&show, rooms_find(sitting->scene.rooms, event->room),
					&event->ended.result);
		}
	}
}

/* The lobby as it is: in place of the table before, if that is the last thing that was printed. */
static void show_table(struct sitting *sitting)
{
	struct show show = sitting_pen(sitting);

	if (!sitting->page_is_block && stream_length(sitting->page) > 0) {
		/* What was said before, in the same breath, is not drawn anew with the table. */
		sitting_turn_page(sitting);
	}
	sitting->page_is_block = true;
	rewind(sitting->page);
	show_lobby(&show, &sitting->scene);
}

/* Is the player in the lobby, as the prompt tells it? */
static bool is_in_lobby(const struct sitting *sitting)
{
	const struct tell_room *room = scene_current(&sitting->scene);

	return room ? room->status == STATUS_OVER : sitting->scene.current[0] == '\0';
}

/* His own room opens and closes by what he does, and of that he is told. */
static bool is_of_others(const struct sitting *sitting, const struct summary *summary)
{
	const char *name = sitting->scene.rooms->name;

	return name[0] == '\0' ||
	       (strcmp(summary->players[0], name) != 0 && strcmp(summary->players[1], name) != 0);
}

/* While a game goes on the lobby is remembered, not shown; and where the table is no longer the
 * last thing on the screen, it is told what came into it or, of the rooms that were `listed`, went
 * out of it, and whose invitation stands no more. */
static void show_lobby_change(struct sitting *sitting, const struct event_lobby *lobby,
		size_t listed, bool uninvites)
{
	const struct scene *scene = &sitting->scene;
	bool is_new = lobby->change == LOBBY_ADDED && lobby->summary.status == scene->lobby_status;
	bool is_news = is_in_lobby(sitting) && (is_new || scene->lobby_count < listed) &&
		       is_of_others(sitting, &lobby->summary);

	if (sitting->terminal.block_rows > 0 || sitting->page_is_block) {
		show_table(sitting);
	} else if (uninvites || is_news) {
		sitting_take_said(sitting, PAINT_QUIET);
	}
}

static bool is_list(const struct message *message)
{
	return message->kind == MESSAGE_OK && message->ok.to == REQUEST_LOBBY;
}

static bool is_values(const struct message *message)
{
	return message->kind == MESSAGE_OK && message->ok.to == REQUEST_ANALYSE &&
	       message->ok.board;
}

/* The board of a room is on the screen already. */
static void show_values(struct sitting *sitting, const struct ok *ok, const struct asked *asked)
{
	struct show show = sitting_pen(sitting);
	const struct drawing drawing = {
			.columns = show.columns, .ascii = show.ascii, .color = show.color};

	if (asked && asked->use == ASKED_FOR_HINT) {
		show_hint(&show, ok);
	} else if (asked && asked->use == ASKED_FOR_STUDY) {
		show_study(&show, &sitting->session.study);
		show_best(&show, ok);
	} else {
		drawing_board(&drawing, ok->board, show.out);
		sitting_take_said(sitting, PAINT_PLAIN);
	}
}

static bool is_lobby_change(const struct message *message)
{
	return message->kind == MESSAGE_EVENT && message->event.type == EVENT_LOBBY;
}

/* The sentence alone: what was typed stands above it, and codes are for programs. */
static void view_error(struct view *view, const struct error *error)
{
	const char *sentence = tell_error_sentence(error);
	char line[sizeof(error->message) + 64];

	if (error->has_retry) {
		snprintf(line, sizeof(line), _("%s Try again in %lld s."), sentence,
				(long long)((error->retry_ms + 999) / 1000));
		sentence = line;
	}
	view_raw(view, sentence, strlen(sentence));
}

static void stage_note(void *context, const char *text)
{
	struct sitting *sitting = context;

	sitting_say(sitting, PAINT_QUIET, text);
}

/* What was known before is in its place already; but the table of the lobby is drawn anew. */
static void stage_learn(
		struct sitting *sitting, const struct message *message, const struct asked *asked)
{
	struct view *view = &sitting->session.view;
	bool leaves = message->kind == MESSAGE_OK && message->ok.to == REQUEST_LEAVE;
	char current[ROOM_ID_SIZE];

	memcpy(current, sitting->scene.current, sizeof(current));
	view->quiet = true;
	view_message(view, message, asked);
	view->quiet = false;
	scene_learn(&sitting->scene, message, asked ? asked->room : "");
	if (!leaves) {
		/* What words are about stays what it was. */
		memcpy(sitting->scene.current, current, sizeof(current));
	}
	if (is_list(message) && sitting->terminal.block_rows > 0) {
		show_table(sitting);
	}
}

/* Left instead of a rematch. */
static void stage_go(
		struct sitting *sitting, const struct message *message, const struct asked *asked)
{
	stage_learn(sitting, message, asked);
	sitting_say(sitting, PAINT_PLAIN, _("You declined the rematch, and left the room."));
}

static void stage_show(
		void *context, const struct message *message, const struct asked *asked, bool quiet)
{
	struct sitting *sitting = context;
	size_t invitations = sitting->scene.invitation_count;
	size_t listed = sitting->scene.lobby_count;

	sitting->scene.now_ms = session_now_ms();
	/* show_line leaves the last one free. */
	sitting->session.view.columns = sitting->terminal.columns - 1;
	if (quiet) {
		stage_learn(sitting, message, asked);
		return;
	}
	if (message->kind == MESSAGE_OK && asked && asked->use == ASKED_TO_GO) {
		stage_go(sitting, message, asked);
		return;
	}
	if (message->kind == MESSAGE_ERROR) {
		view_error(&sitting->session.view, &message->error);
	} else {
		view_message(&sitting->session.view, message, asked);
	}
	scene_learn(&sitting->scene, message, asked ? asked->room : "");
	if (is_values(message)) {
		show_values(sitting, &message->ok, asked);
	} else if (is_list(message)) {
		show_table(sitting);
	} else if (is_lobby_change(message)) {
		show_lobby_change(sitting, &message->event.lobby, listed,
				sitting->scene.invitation_count < invitations);
	} else {
		sitting_take_said(sitting, show_paint(message));
		show_drawing(sitting, message);
	}
	rewind(sitting->said);
}

/* What is typed. */

void sitting_note_end(struct sitting *sitting)
{
	if (sitting->session.input_ended && sitting->leave_ms == 0) {
		sitting->leave_ms = session_now_ms() + SITTING_GOODBYE_MS;
	}
}

/* Without a connection nothing is sent, nor kept to be sent later, when it may fit no more. */
static bool sitting_can_send(struct sitting *sitting)
{
	if (sitting->session.comeback.state != COMEBACK_UP) {
		sitting_say(sitting, PAINT_ERROR,
				_("There is no connection, so that was not sent. The up arrow "
				  "brings it back."));
		return false;
	}
	if (!session_may_send(&sitting->session)) {
		sitting_say(sitting, PAINT_ERROR,
				_("The server has not answered yet; wait a moment."));
		return false;
	}
	return true;
}

static void sitting_send(struct sitting *sitting, struct request *request, const char *words,
		enum asked_use use)
{
	struct session *session = &sitting->session;
	const struct tell_room *room;
	struct command command;
	bool chosen = false;

	if (request->type == REQUEST_QUIT && session->comeback.state != COMEBACK_UP) {
		session->input_ended = true;
		return;
	}
	if (!sitting_can_send(sitting)) {
		return;
	}
	session_sign_hello(session, request, &chosen);
	room = rooms_find(sitting->scene.rooms, request->room);
	places_number(&session->places, room ? room->seat : SEAT_NONE, request);
	scene_asked(&sitting->scene, request);
	command_request(request, words, session->number + 1, &command);
	command.asked.chose_token = chosen;
	command.asked.use = use;
	session_do(session, &command);
	sitting_note_end(sitting);
}

static void sitting_send_line(struct sitting *sitting, const char *line)
{
	struct command command;

	if (!sitting_can_send(sitting)) {
		return;
	}
	command_read(line, strlen(line), sitting->session.number + 1, true, &command);
	if (command.kind == COMMAND_SEND) {
		session_do(&sitting->session, &command);
		sitting_note_end(sitting);
	} else {
		sitting_say(sitting, PAINT_ERROR, command.refusal.message);
		bytes_unref(command.line);
	}
}

void sitting_read(struct sitting *sitting, const char *line)
{
	struct show show = sitting_pen(sitting);
	struct typed typed;

	typed_read(&sitting->scene, line, &typed);
	switch (typed.kind) {
	case TYPED_NOTHING:
		comeback_hurry(&sitting->session.comeback, session_now_ms());
		break;
	case TYPED_REQUEST:
		sitting_send(sitting, &typed.request, typed.words, ASKED_TO_TELL);
		break;
	case TYPED_HINT:
		sitting_send(sitting, &typed.request, typed.words, ASKED_FOR_HINT);
		break;
	case TYPED_GO:
		sitting_send(sitting, &typed.request, typed.words, ASKED_TO_GO);
		break;
	case TYPED_LINE:
		sitting_send_line(sitting, line);
		break;
	case TYPED_REFUSED:
		sitting_say(sitting, PAINT_ERROR, typed.refusal);
		break;
	case TYPED_BOARD:
		show_room(sitting, sitting->scene.current);
		break;
	case TYPED_RULES:
		show_rules(&show);
		break;
	case TYPED_KEYS:
		show_keys(&show);
		break;
	case TYPED_HELP:
		show_help(&show, typed.about);
		break;
	}
}

void sitting_complete(struct sitting *sitting)
{
	struct editor *editor = &sitting->editor;
	struct completion completion;
	char list[1024] = "";
	size_t length = 0;

	complete(&sitting->scene, editor->text, editor->cursor, &completion);
	if (completion.count == 0) {
		return;
	}
	if (completion.count == 1) {
		editor_replace(editor, completion.from, completion.words[0]);
		editor_replace(editor, editor->cursor, " ");
		return;
	}
	if (strlen(completion.common) > editor->cursor - completion.from) {
		editor_replace(editor, completion.from, completion.common);
		return;
	}
	for (size_t i = 0; i < completion.count && length + COMPLETE_SIZE + 2 < sizeof(list); i++) {
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
				i > 0 ? "  " : "", completion.words[i]);
	}
	sitting_say(sitting, PAINT_QUIET, list);
}
