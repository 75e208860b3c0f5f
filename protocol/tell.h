/* Messages in words: what a person reads, as lines of plain text with the board as a drawing. For
 * the client, and for people at a bare netcat. It computes no rules: whose turn it is and what may
 * be chosen comes from the board. Nothing it makes can steer a terminal, whoever wrote it: of what
 * comes from people, control, bidi and other characters that are not clean come out as \xNN. */
#ifndef PROTOCOL_TELL_H
#define PROTOCOL_TELL_H

#include "protocol/message.h"
#include "protocol/writer.h"

/* A room as its reader knows it. */
struct tell_room {
	char id[ROOM_ID_SIZE];
	enum seat seat;		    /* his; SEAT_NONE: he watches, or it is not known */
	char players[2][NAME_SIZE]; /* X, O; "": nobody yet */
	char kept_for[NAME_SIZE];   /* another, for whom alone the free seat is; "": none, or it is
				       not known */
	enum room_status status;
};

/* Something that is being told. */
struct tell {
	struct writer text; /* what was told so far: lines, each ended by LF */
	/* Whom it is told, for the caller to set after tell_init: */
	const struct tell_room *room; /* the room that it is about; NULL: none, or not known */
	bool others_run;	      /* another room of his waits or plays: lines name theirs */
	bool knows_name; /* the name in an `ok` is no news to him (hello's always is) */
	bool hides_token;
	bool ascii;
	bool is_operator; /* he is at the operator's door, where there are more requests */
	/* He is at a bare netcat: each line begins with "# ", every `ok` is told, a move and whose
	 * turn it is are one line above the drawing. */
	bool bare;
	size_t columns; /* tables are made to fit into so many; 0: they are as wide as they are */
	bool brief;	/* it is past: neither drawings nor whose turn it is */
	/* For tell.c: */
	char mark[ROOM_ID_SIZE + 3]; /* before every line: "[k7m2q] " or "" */
	bool count_follows; /* how many watch is told by the event that his coming causes */
};

void tell_init(struct tell *tell);
void tell_fini(struct tell *tell);

void tell_event(struct tell *tell, const struct event *event);
void tell_ok(struct tell *tell, const struct ok *ok);

/* What it says: the sentence that came with it, or where there is none the code's. */
const char *tell_error_sentence(const struct error *error);

/* `words`: the request as it was typed, "" or NULL where that is not known. */
void tell_error(struct tell *tell, const struct error *error, const char *words);

/* "2026-11-30 13:21:40 UTC" */
#define TELL_TIME_SIZE 32
void tell_time(int64_t at_ms, char ret_text[TELL_TIME_SIZE]);

/* "Clocks: X 2:59, O 1:00. X's runs." */
#define TELL_CLOCKS_SIZE 128
void tell_clocks_text(const struct clock_running *clock, char ret_text[TELL_CLOCKS_SIZE]);

/* All requests, or all about one of them. */
void tell_help(struct tell *tell, const char *about);

/* One line of text from elsewhere, as it is but for what is not clean. */
void tell_text(struct tell *tell, const char *text, size_t length);

#endif
