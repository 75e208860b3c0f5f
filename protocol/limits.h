/* Numbers that both ends of the wire agree on. Includes nothing. */
#ifndef PROTOCOL_LIMITS_H
#define PROTOCOL_LIMITS_H

/* A line from a client, its LF included; the server's own lines may be longer. */
#define LIMIT_LINE_BYTES 4096
/* Nesting of a line's JSON; the line's own object is level 1. */
#define LIMIT_DEPTH 8

#define LIMIT_NAME_CHARS_MIN 2
#define LIMIT_NAME_CHARS 20
#define LIMIT_TEXT_CHARS 200
#define LIMIT_TITLE_CHARS 60
#define LIMIT_CHAT_LINES 20
/* Rows of a list in one answer, and what is given when the request does not say. */
#define LIMIT_LIST 100
/* Rooms that one connection follows. */
#define LIMIT_ROOMS_FOLLOWED 32
/* A request's id, when it is a string. */
#define LIMIT_ID_BYTES 64
#define LIMIT_TOKEN_CHARS_MIN 22
#define LIMIT_TOKEN_CHARS 64
#define LIMIT_ROOM_CHARS_MIN 5
#define LIMIT_ROOM_CHARS_PRIVATE 12
#define LIMIT_ROOM_CHARS 16
/* A clock: what each player begins with, and what each of his actions adds. */
#define LIMIT_CLOCK_BASE_MS_MIN 1000
#define LIMIT_CLOCK_BASE_MS 86400000
#define LIMIT_CLOCK_INCREMENT_MS 300000
/* How long a ban or the wait of a drain may be told to last: a hundred years. */
#define LIMIT_SPAN_MS 3155760000000
/* A game's record in a request, its blanks included; one without them has at most 255 bytes. */
#define LIMIT_RECORD_BYTES 1024
/* Actions of a list that are kept: one more than any game has, so that the rules refuse the last
 * of a list that is too long. */
#define LIMIT_ACTIONS 14

/* Sizes of the arrays that hold them as NUL-ended UTF-8. A name has Latin letters alone, at most
 * three bytes each once normalised; as typed it may be decomposed and longer. */
#define NAME_SIZE (LIMIT_NAME_CHARS * 3 + 1)
#define NAME_TYPED_SIZE 192
#define TEXT_SIZE (LIMIT_TEXT_CHARS * 4 + 1)
#define TITLE_SIZE (LIMIT_TITLE_CHARS * 4 + 1)
#define TOKEN_SIZE (LIMIT_TOKEN_CHARS + 1)
#define ROOM_ID_SIZE (LIMIT_ROOM_CHARS + 1)
#define CURSOR_SIZE 48
#define MOTD_SIZE 256
#define RECORD_SIZE (LIMIT_RECORD_BYTES + 1)
#define GAME_RECORD_SIZE 256
#define WORD_SIZE 33

/* The letters of a room id. */
#define ROOM_ID_ALPHABET "23456789abcdefghjkmnpqrstuvwxyz"

#define PROTOCOL_VERSION 1

#endif
