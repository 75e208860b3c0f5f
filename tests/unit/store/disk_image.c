#include "tests/unit/store/disk_image.h"

#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"
#include "tests/unit/game/random.h"

enum change_kind { CHANGE_WRITE, CHANGE_SIZE, CHANGE_DELETE };

/* A change that was not synced. */
struct disk_change {
	struct disk_change *next;
	enum change_kind kind;
	size_t offset;
	size_t size;
	char data[];
};

/* Contents. */

static void content_resize(struct disk_content *content, size_t size)
{
	if (size > content->size) {
		content->data = memory_resize(content->data, size, 1);
		memset(content->data + content->size, 0, size - content->size);
	}
	content->size = size;
}

static void content_write(
		struct disk_content *content, size_t offset, const char *data, size_t size)
{
	if (offset + size > content->size) {
		content_resize(content, offset + size);
	}
	if (size > 0) {
		memcpy(content->data + offset, data, size);
	}
}

static void content_clear(struct disk_content *content)
{
	free(content->data);
	*content = (struct disk_content){0};
}

static void content_copy(struct disk_content *content, const struct disk_content *from)
{
	content->exists = from->exists;
	content_resize(content, from->size);
	if (from->size > 0) {
		memcpy(content->data, from->data, from->size);
	}
}

/* Changes. */

static void change_add(struct disk_image *image, enum change_kind kind, size_t offset,
		const char *data, size_t size)
{
	size_t copied = kind == CHANGE_WRITE ? size : 0;
	struct disk_change *change = memory_resize(NULL, sizeof(*change) + copied, 1);

	*change = (struct disk_change){.kind = kind, .offset = offset, .size = size};
	if (copied > 0) {
		memcpy(change->data, data, copied);
	}
	*image->last = change;
	image->last = &change->next;
}

static void changes_clear(struct disk_image *image)
{
	struct disk_change *next;

	for (struct disk_change *change = image->changes; change != NULL; change = next) {
		next = change->next;
		free(change);
	}
	image->changes = NULL;
	image->last = &image->changes;
}

void disk_image_sync(struct disk_image *image)
{
	content_copy(&image->synced, &image->live);
	changes_clear(image);
}

void disk_image_init(struct disk_image *image)
{
	*image = (struct disk_image){.last = &image->changes};
}

void disk_image_fini(struct disk_image *image)
{
	content_clear(&image->live);
	content_clear(&image->synced);
	changes_clear(image);
}

void disk_image_write(struct disk_image *image, size_t offset, const char *data, size_t size)
{
	content_write(&image->live, offset, data, size);
	change_add(image, CHANGE_WRITE, offset, data, size);
}

void disk_image_set_size(struct disk_image *image, size_t size)
{
	content_resize(&image->live, size);
	change_add(image, CHANGE_SIZE, 0, NULL, size);
}

void disk_image_delete(struct disk_image *image)
{
	content_clear(&image->live);
	change_add(image, CHANGE_DELETE, 0, NULL, 0);
}

void disk_image_sync_deletions(struct disk_image *image)
{
	const struct disk_change *deletion = NULL;
	struct disk_change *first;

	for (const struct disk_change *change = image->changes; change != NULL;
			change = change->next) {
		deletion = change->kind == CHANGE_DELETE ? change : deletion;
	}
	while (deletion != NULL) {
		first = image->changes;
		image->changes = first->next;
		deletion = first == deletion ? NULL : deletion;
		free(first);
		content_clear(&image->synced);
	}
	if (image->changes == NULL) {
		image->last = &image->changes;
	}
}

/* Loss. */

static bool is_kept(const struct disk_loss *loss)
{
	return random_next(loss->random) % 256 < loss->kept;
}

/* One sector's part of a write. */
static void lose_piece(const struct disk_loss *loss, struct disk_content *content, size_t offset,
		const char *data, size_t size)
{
	char garbled[4096];

	if (is_kept(loss)) {
		content_write(content, offset, data, size);
		return;
	}
	switch (random_next(loss->random) % 4) {
	case 0:
		content_write(content, offset, data, random_next(loss->random) % size);
		break;
	case 1:
		for (size_t i = 0; i < size; i++) {
			garbled[i] = (char)random_next(loss->random);
		}
		content_write(content, offset, garbled, size);
		break;
	case 2:
		/* Its place was made, and what should stand there was not written. */
		if (content->size < offset + size) {
			content_resize(content, offset + size);
		}
		break;
	default:
		break;
	}
}

static void lose_write(const struct disk_loss *loss, struct disk_content *content,
		const struct disk_change *change)
{
	size_t done = 0;

	while (done < change->size) {
		size_t offset = change->offset + done;
		size_t size = loss->sector - offset % loss->sector;

		size = size < change->size - done ? size : change->size - done;
		content->exists = true;
		lose_piece(loss, content, offset, change->data + done, size);
		done += size;
	}
}

static void lose_change(const struct disk_loss *loss, struct disk_content *content,
		const struct disk_change *change)
{
	switch (change->kind) {
	case CHANGE_WRITE:
		lose_write(loss, content, change);
		break;
	case CHANGE_SIZE:
		if (is_kept(loss)) {
			content_resize(content, change->size);
		}
		break;
	case CHANGE_DELETE:
		if (is_kept(loss)) {
			content_clear(content);
		}
		break;
	}
}

void disk_image_lose(struct disk_image *image, const struct disk_loss *loss)
{
	for (const struct disk_change *change = image->changes; change != NULL;
			change = change->next) {
		lose_change(loss, &image->synced, change);
	}
	changes_clear(image);
	content_copy(&image->live, &image->synced);
}
