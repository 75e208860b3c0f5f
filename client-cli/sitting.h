/* A session at a terminal: what is typed goes to the server, what happens is printed above the
 * prompt, and the prompt says what is expected. */
#ifndef CLIENT_SITTING_H
#define CLIENT_SITTING_H

#include "client-cli/editor.h"
#include "client-cli/prompt.h"
#include "client-cli/scene.h"
#include "client-cli/session.h"
#include "client-cli/show.h"
#include "client-cli/terminal.h"

#define SITTING_GOODBYE_MS 3000

struct sitting {
	struct session session;
	struct scene scene;
	struct editor editor;
	struct terminal terminal;
	const struct options *options;
	bool color;
	bool ascii;
	bool left;		 /* by ^C in an empty line, or a signal */
	bool gone;		 /* the terminal: no more keys will come */
	int64_t leave_ms;	 /* when to leave a server that says no goodbye; 0: not yet */
	char shown[PROMPT_SIZE]; /* the prompt that is on the screen */
	/* What is to be printed: pages are written to `page`, the view's sentences to `said`. */
	FILE *page;
	char *page_text;
	size_t page_size;
	FILE *said;
	char *said_text;
	size_t said_size;
	bool page_is_block; /* and nothing else is on it */
};

/* A sitting on the heap, or NULL; it borrows options and link. */
struct sitting *sitting_new(const struct options *options, struct link *link);
void sitting_free(struct sitting *sitting);

/* A line was typed. */
void sitting_read(struct sitting *sitting, const char *line);

/* Complete the word before the cursor, or print what it can be. */
void sitting_complete(struct sitting *sitting);

/* Is there something to print, or another prompt? */
bool sitting_has_news(struct sitting *sitting);

/* After the end of the input: a server that says no goodbye is not waited for long. */
void sitting_note_end(struct sitting *sitting);

/* Print what is on the page, and draw the prompt. */
void sitting_turn_page(struct sitting *sitting);

/* Sit there until one of both ends it. Returns the exit status; what went wrong is told. */
enum exit_status sitting_run(struct sitting *sitting);

#endif
