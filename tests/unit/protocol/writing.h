/* Checks of what the server writes: to the byte, and by what is read back. */
#ifndef WRITING_H
#define WRITING_H

#include <jansson.h>

#include "protocol/decode.h"
#include "protocol/encode.h"
#include "with_cmocka.h"

static inline struct bytes *encode_again(const struct message *message)
{
	if (message->kind == MESSAGE_OK) {
		return encode_ok(&message->ok);
	}
	return message->kind == MESSAGE_ERROR ? encode_error(&message->error)
					      : encode_event(&message->event);
}

/* The line is exactly that, any reader of JSON takes it, and what is read back writes it again. */
static inline void assert_line(struct bytes *bytes, const char *line)
{
	json_t *object = json_loadb(bytes->data, bytes->length, JSON_REJECT_DUPLICATES, NULL);
	struct message message;
	struct bytes *again;

	assert_non_null(object);
	json_decref(object);
	assert_int_equal(bytes->data[bytes->length - 1], '\n');
	bytes->data[bytes->length - 1] = '\0';
	assert_string_equal(bytes->data, line);
	assert_true(decode_message(bytes->data, bytes->length - 1, &message));
	again = encode_again(&message);
	again->data[again->length - 1] = '\0';
	assert_string_equal(again->data, line);
	bytes_unref(again);
	bytes_unref(bytes);
	message_fini(&message);
}

#endif
