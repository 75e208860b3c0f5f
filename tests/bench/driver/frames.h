/* Lines in frames of a WebSocket, as far as a client needs it that trusts its server. */
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Of a frame that a client sends; its mask is of zeros. */
#define FRAMES_HEAD_BYTES 8

/* What begins a WebSocket. */
extern const char frames_handshake[];

/* The head of a text of so many bytes, fewer than 65536. Returns its length. */
size_t frames_head(size_t length, char ret[FRAMES_HEAD_BYTES]);

struct frames_text {
	char *data;
	size_t length;
	bool is_text;
};

/* The next whole frame of data[0..length). Returns how many bytes it takes; 0: it is not all there.
 */
size_t frames_next(char *data, size_t length, struct frames_text *ret);

#endif
