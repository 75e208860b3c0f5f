/* What a file holds, what of it was synced, and the changes that lie between: so that these can be
 * lost. */
#ifndef TESTS_STORE_DISK_IMAGE_H
#define TESTS_STORE_DISK_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disk_content {
	bool exists;
	char *data;
	size_t size;
};

struct disk_change;

struct disk_image {
	struct disk_content live;
	struct disk_content synced;
	struct disk_change *changes; /* from the synced to the live one */
	struct disk_change **last;
};

/* A file that does not exist; it lives where it is. */
void disk_image_init(struct disk_image *image);
void disk_image_fini(struct disk_image *image);

void disk_image_write(struct disk_image *image, size_t offset, const char *data, size_t size);
void disk_image_set_size(struct disk_image *image, size_t size);
void disk_image_delete(struct disk_image *image);

/* All that was done lasts. */
void disk_image_sync(struct disk_image *image);

/* Its folder was synced: deletions last, and with them all that came before them. */
void disk_image_sync_deletions(struct disk_image *image);

/* How a disk loses things, in one cut. */
struct disk_loss {
	uint64_t *random;
	size_t sector;	   /* 4096 at most */
	unsigned int kept; /* of 256 sectors and other changes */
};

/* Of what was not synced each sector is kept, lost, torn or garbled, each other change kept or
 * lost. */
void disk_image_lose(struct disk_image *image, const struct disk_loss *loss);

#endif
