#include "server/net/websocket.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <wslay/wslay.h>

#include "server/ops/memory.h"

#define FIN 0x80
#define CONTROL_HEAD_BYTES 2
#define CONTROL_PAYLOAD_BYTES 125

struct websocket {
	const struct websocket_sink *sink;
	void *arg;
	wslay_event_context_ptr events;
	/* What is being taken in. */
	const char *data;
	size_t length;
	size_t message;	 /* bytes of the message that is under way */
	int code;	 /* to close with; WEBSOCKET_OPEN: not yet */
	bool is_control; /* of the frame that is under way */
	bool after_lf;	 /* the last byte of the message was one */
	/* A frame that wslay sends, by pieces. */
	size_t gathered;
	char frame[CONTROL_HEAD_BYTES + CONTROL_PAYLOAD_BYTES];
};

/* What wslay asks of us, and tells. */

static ssize_t give_data(
		wslay_event_context_ptr events, uint8_t *buffer, size_t size, int flags, void *arg)
{
	struct websocket *websocket = arg;
	const size_t length = websocket->length < size ? websocket->length : size;

	(void)flags;
	if (length == 0 || websocket->code != WEBSOCKET_OPEN) {
		wslay_event_set_error(events, WSLAY_ERR_WOULDBLOCK);
		return -1;
	}
	memcpy(buffer, websocket->data, length);
	websocket->data += length;
	websocket->length -= length;
	return (ssize_t)length;
}

static void frame_begins(wslay_event_context_ptr events,
		const struct wslay_event_on_frame_recv_start_arg *frame, void *arg)
{
	struct websocket *websocket = arg;

	(void)events;
	websocket->is_control = wslay_is_ctrl_frame(frame->opcode) != 0;
	if (websocket->is_control || websocket->code != WEBSOCKET_OPEN) {
		return;
	}
	if (frame->opcode == WSLAY_BINARY_FRAME) {
		websocket->code = WEBSOCKET_NOT_TEXT;
	} else if (frame->payload_length > WEBSOCKET_MESSAGE_BYTES - websocket->message) {
		websocket->code = WEBSOCKET_TOO_BIG;
	} else {
		websocket->message += (size_t)frame->payload_length;
	}
}

static void chunk_came(wslay_event_context_ptr events,
		const struct wslay_event_on_frame_recv_chunk_arg *chunk, void *arg)
{
	struct websocket *websocket = arg;

	(void)events;
	if (websocket->is_control || websocket->code != WEBSOCKET_OPEN || chunk->data_length == 0) {
		return;
	}
	websocket->after_lf = chunk->data[chunk->data_length - 1] == '\n';
	websocket->sink->text(websocket->arg, (const char *)chunk->data, chunk->data_length);
}

static void message_came(wslay_event_context_ptr events,
		const struct wslay_event_on_msg_recv_arg *message, void *arg)
{
	struct websocket *websocket = arg;

	(void)events;
	if (message->opcode == WSLAY_CONNECTION_CLOSE && message->msg_length == 1 &&
			websocket->code == WEBSOCKET_OPEN) {
		websocket->code = WEBSOCKET_PROTOCOL; /* half a code */
	}
	if (wslay_is_ctrl_frame(message->opcode)) {
		return;
	}
	if (websocket->message > 0 && !websocket->after_lf && websocket->code == WEBSOCKET_OPEN) {
		websocket->sink->text(websocket->arg, "\n", 1);
	}
	websocket->message = 0;
}

/* It answers pings, and closes where it has to: the first is sent as it stands; what it would close
 * with is for our caller, who has more to say before. */
static void frame_is_whole(struct websocket *websocket)
{
	const unsigned char *frame = (const unsigned char *)websocket->frame;

	if (frame[0] == (FIN | WSLAY_PONG) && websocket->code == WEBSOCKET_OPEN) {
		websocket->sink->answer(
				websocket->arg, bytes_new(websocket->frame, websocket->gathered));
	}
	if (frame[0] == (FIN | WSLAY_CONNECTION_CLOSE) && websocket->code == WEBSOCKET_OPEN) {
		websocket->code = frame[1] < 2 ? WEBSOCKET_NONE : frame[2] << 8 | frame[3];
	}
}

static ssize_t take_frame(wslay_event_context_ptr events, const uint8_t *data, size_t length,
		int flags, void *arg)
{
	struct websocket *websocket = arg;

	(void)events;
	(void)flags;
	for (size_t i = 0; i < length; i++) {
		assert(websocket->gathered < sizeof(websocket->frame));
		websocket->frame[websocket->gathered++] = (char)data[i];
		if (websocket->gathered >= CONTROL_HEAD_BYTES &&
				websocket->gathered ==
						CONTROL_HEAD_BYTES + (size_t)websocket->frame[1]) {
			frame_is_whole(websocket);
			websocket->gathered = 0;
		}
	}
	return (ssize_t)length;
}

/* Life. */

struct websocket *websocket_new(const struct websocket_sink *sink, void *arg)
{
	static const struct wslay_event_callbacks callbacks = {
			.recv_callback = give_data,
			.send_callback = take_frame,
			.on_frame_recv_start_callback = frame_begins,
			.on_frame_recv_chunk_callback = chunk_came,
			.on_msg_recv_callback = message_came,
	};
	struct websocket *websocket = memory_new(1, sizeof(*websocket));

	websocket->sink = sink;
	websocket->arg = arg;
	if (wslay_event_context_server_init(&websocket->events, &callbacks, websocket) != 0) {
		abort(); /* no memory: as memory_new does */
	}
	wslay_event_config_set_no_buffering(websocket->events, 1);
	return websocket;
}

void websocket_free(struct websocket *websocket)
{
	if (websocket == NULL) {
		return;
	}
	wslay_event_context_free(websocket->events);
	free(websocket);
}

int websocket_take(struct websocket *websocket, const char *data, size_t length)
{
	websocket->data = data;
	websocket->length = length;
	while (websocket->length > 0 && websocket->code == WEBSOCKET_OPEN) {
		const int failure = wslay_event_recv(websocket->events);

		if (failure == WSLAY_ERR_NOMEM) {
			abort(); /* as memory_new does */
		}
		if (failure != 0) {
			/* Of what is wrong, the first is told. */
			websocket->code = websocket->code == WEBSOCKET_OPEN ? WEBSOCKET_PROTOCOL
									    : websocket->code;
		} else if (wslay_event_send(websocket->events) != 0) {
			abort(); /* it fails for want of memory alone */
		}
	}
	return websocket->code;
}

/* What is sent. */

size_t websocket_text_head(size_t length, unsigned char ret_head[WEBSOCKET_HEAD_BYTES])
{
	const size_t bytes = websocket_head_bytes(length) - 2;

	ret_head[0] = FIN | WSLAY_TEXT_FRAME;
	ret_head[1] = bytes == 0 ? (unsigned char)length : bytes == 2 ? 126 : 127;
	for (size_t i = 0; i < bytes; i++) {
		ret_head[2 + i] = (unsigned char)((uint64_t)length >> 8 * (bytes - 1 - i));
	}
	return 2 + bytes;
}

struct bytes *websocket_close_frame(int code)
{
	const size_t told = code == WEBSOCKET_NONE ? 0 : 2;
	const unsigned char frame[] = {FIN | WSLAY_CONNECTION_CLOSE, (unsigned char)told,
			(unsigned char)(code >> 8), (unsigned char)code};

	return bytes_new((const char *)frame, CONTROL_HEAD_BYTES + told);
}

struct bytes *websocket_ping_frame(void)
{
	static const unsigned char frame[] = {FIN | WSLAY_PING, 0};

	return bytes_new((const char *)frame, sizeof(frame));
}
