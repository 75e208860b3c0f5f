#include "tests/bench/driver/frames.h"

#include <stdint.h>
#include <string.h>

#define FIRST_TEXT '\x81'

const char frames_handshake[] = "GET /ws HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\n"
				"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
				"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

size_t frames_head(size_t length, char ret[FRAMES_HEAD_BYTES])
{
	const size_t used = length < 126 ? 2 : 4;

	memset(ret, 0, FRAMES_HEAD_BYTES);
	ret[0] = FIRST_TEXT;
	ret[1] = (char)(0x80 | (length < 126 ? length : 126));
	if (used == 4) {
		ret[2] = (char)(length >> 8);
		ret[3] = (char)length;
	}
	return used + 4;
}

size_t frames_next(char *data, size_t length, struct frames_text *ret)
{
	const unsigned char *head = (unsigned char *)data;
	const size_t wide = length < 2 ? 0 : head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0;
	uint64_t size = 0;

	if (length < 2 || length < 2 + wide) {
		return 0;
	}
	size = wide == 0 ? head[1] : 0;
	for (size_t i = 0; i < wide; i++) {
		size = size << 8 | head[2 + i];
	}
	if (length - 2 - wide < size) {
		return 0;
	}
	*ret = (struct frames_text){data + 2 + wide, (size_t)size, data[0] == FIRST_TEXT};
	return 2 + wide + (size_t)size;
}
