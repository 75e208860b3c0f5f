/* What a person reads: messages as protocol/tell tells them, from what this client remembers of its
 * rooms. Nothing it prints can steer a terminal, whoever wrote it. */
#ifndef CLIENT_VIEW_H
#define CLIENT_VIEW_H

#include <stdio.h>

#include "client-cli/commands.h"
#include "client-cli/rooms.h"
#include "protocol/message.h"

struct view {
	FILE *out;
	bool ascii;
	bool hides_token; /* a file keeps the tokens, so they need not be shown */
	size_t columns;	  /* that tables are made to fit into; 0: any number */
	bool brief;	  /* no drawings and not whose turn it is: another shows them */
	bool quiet;	  /* messages are learnt from and not shown */
	struct rooms rooms;
};

void view_init(struct view *view, FILE *out, bool ascii, bool hides_token);

/* Show a message from the server; `asked` is the request that it answers, or NULL. */
void view_message(struct view *view, const struct message *message, const struct asked *asked);

/* Show that a request was refused, by the server or here. */
void view_refusal(struct view *view, const struct asked *asked, const struct error *error);

/* Show a line that can't be decoded, as it came. */
void view_raw(struct view *view, const char *line, size_t length);

/* Tell the requests, or all about one of them ("": all). */
void view_help(struct view *view, const char *about);

#endif
