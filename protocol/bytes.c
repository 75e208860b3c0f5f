#include "protocol/bytes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/heap.h"

struct bytes *bytes_new(const char *data, size_t length)
{
	struct bytes *bytes = heap_resized(NULL, sizeof(*bytes) + length);

	bytes->references = 1;
	bytes->length = length;
	if (length > 0) {
		memcpy(bytes->data, data, length);
	}
	return bytes;
}

char *bytes_with_head(struct bytes *bytes, const void *head, size_t length)
{
	char *begin = (char *)bytes + offsetof(struct bytes, data) - length;

	assert(length <= BYTES_ROOM);
	memcpy(begin, head, length);
	return begin;
}

struct bytes *bytes_ref(struct bytes *bytes)
{
	bytes->references++;
	return bytes;
}

void bytes_unref(struct bytes *bytes)
{
	if (bytes == NULL) {
		return;
	}
	assert(bytes->references > 0);
	bytes->references--;
	if (bytes->references == 0) {
		free(bytes);
	}
}
