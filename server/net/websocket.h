/* Frames of a WebSocket (RFC 6455), as far as lines go by them: what comes becomes bytes of lines,
 * a line that goes gets a head. Reading is wslay's, which knows what a peer may send. Knows neither
 * connections nor lines' limits; the handshake is upgrade.h's. */
#ifndef NET_WEBSOCKET_H
#define NET_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/bytes.h"

/* Of a frame that is sent; they are not masked. */
#define WEBSOCKET_HEAD_BYTES 10
/* A message that comes, in all its fragments; far more than a line, so that one that is a little
 * too long is told so as a line is. */
#define WEBSOCKET_MESSAGE_BYTES 65536

/* Why a WebSocket closes, as told to the peer. */
enum websocket_code {
	WEBSOCKET_OPEN = 0,
	WEBSOCKET_NORMAL = 1000,
	WEBSOCKET_GOING_AWAY = 1001, /* the server stops */
	WEBSOCKET_PROTOCOL = 1002,
	WEBSOCKET_NOT_TEXT = 1003, /* a binary message */
	WEBSOCKET_NONE = 1005,	   /* the peer closed without saying why */
	WEBSOCKET_NOT_UTF8 = 1007,
	WEBSOCKET_POLICY = 1008, /* it does not read */
	WEBSOCKET_TOO_BIG = 1009,
	WEBSOCKET_TRY_LATER = 1013 /* there is no room */
};

struct websocket;

/* Where things go that came. None may free the websocket. */
struct websocket_sink {
	/* Bytes of lines; at the end of a message comes an LF, unless it ended with one. */
	void (*text)(void *arg, const char *data, size_t length);
	/* A frame to be sent, whole: the answer to a ping. The callee takes it over. */
	void (*answer)(void *arg, struct bytes *frame);
};

/* The sink is static. */
struct websocket *websocket_new(const struct websocket_sink *sink, void *arg);

/* NULL is fine. */
void websocket_free(struct websocket *websocket);

/* Take in what came. WEBSOCKET_OPEN while more may come; else the peer has closed, or said what he
 * may not, and is to be told that code: what comes after that is not to be looked at. */
int websocket_take(struct websocket *websocket, const char *data, size_t length);

/* Bytes of the head of a frame that is a text of so many bytes. */
static inline size_t websocket_head_bytes(size_t length)
{
	return length < 126 ? 2 : length < 65536 ? 4 : 10;
}

/* The head of a frame that is a text of so many bytes. Returns its length. */
size_t websocket_text_head(size_t length, unsigned char ret_head[WEBSOCKET_HEAD_BYTES]);

/* Frames that are no lines. */
struct bytes *websocket_close_frame(int code);
struct bytes *websocket_ping_frame(void);

/* Is it one of those, and no line? They begin with what no text begins with. */
static inline bool websocket_is_frame(const struct bytes *bytes)
{
	return bytes->length > 0 && ((unsigned char)bytes->data[0] & 0xc0) == 0x80;
}

#endif
