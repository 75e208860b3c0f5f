#include "tests/unit/store/memory_disk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "server/ops/memory.h"
#include "tests/unit/game/random.h"
#include "tests/unit/store/disk_image.h"

#define FILES_MAX 8
#define SHM_PAGES_MAX 64

struct stored_file {
	char *name;
	struct disk_image image;
	/* It was made as a journal or log: its first sync is one of its folder too. */
	bool syncs_folder;
	void *shm[SHM_PAGES_MAX];
};

struct open_file {
	sqlite3_file file;
	struct stored_file *stored;
};

/* Calls that are counted, and as what each fails. */
enum call {
	CALL_OPEN,
	CALL_DELETE,
	CALL_ACCESS,
	CALL_READ,
	CALL_WRITE,
	CALL_TRUNCATE,
	CALL_SYNC,
	CALL_SIZE,
	CALL_LOCK,
	CALL_SHM_MAP,
	CALL_SHM_LOCK
};

static const int codes[] = {
		[CALL_OPEN] = SQLITE_CANTOPEN,
		[CALL_DELETE] = SQLITE_IOERR_DELETE,
		[CALL_ACCESS] = SQLITE_IOERR_ACCESS,
		[CALL_READ] = SQLITE_IOERR_READ,
		[CALL_WRITE] = SQLITE_IOERR_WRITE,
		[CALL_TRUNCATE] = SQLITE_IOERR_TRUNCATE,
		[CALL_SYNC] = SQLITE_IOERR_FSYNC,
		[CALL_SIZE] = SQLITE_IOERR_FSTAT,
		[CALL_LOCK] = SQLITE_IOERR_LOCK,
		[CALL_SHM_MAP] = SQLITE_IOERR_SHMMAP,
		[CALL_SHM_LOCK] = SQLITE_IOERR_SHMLOCK,
};

/* All of it under the mutex. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct stored_file files[FILES_MAX];
static enum memory_disk_fault armed;
static int64_t armed_number;
static int64_t calls;
static bool met;

/* Files. */

static void shm_free(struct stored_file *stored)
{
	for (size_t i = 0; i < SHM_PAGES_MAX; i++) {
		free(stored->shm[i]);
		stored->shm[i] = NULL;
	}
}

static struct stored_file *file_find(const char *name)
{
	for (size_t i = 0; i < FILES_MAX; i++) {
		if (files[i].name != NULL && strcmp(files[i].name, name) == 0) {
			return &files[i];
		}
	}
	return NULL;
}

static struct stored_file *file_make(const char *name)
{
	struct stored_file *stored = file_find(name);

	for (size_t i = 0; stored == NULL && i < FILES_MAX; i++) {
		if (files[i].name == NULL) {
			stored = &files[i];
			stored->name = memory_string(name);
			disk_image_init(&stored->image);
		}
	}
	if (stored == NULL) {
		abort();
	}
	stored->image.live.exists = true;
	return stored;
}

/* Faults. */

static int fault_of(enum call call, int64_t number)
{
	switch (armed) {
	case MEMORY_DISK_WELL:
		return SQLITE_OK;
	case MEMORY_DISK_ONCE:
	case MEMORY_DISK_SHORT:
		return number == armed_number ? codes[call] : SQLITE_OK;
	case MEMORY_DISK_POWER:
	case MEMORY_DISK_FROM:
		return number >= armed_number ? codes[call] : SQLITE_OK;
	case MEMORY_DISK_FULL:
		return number >= armed_number && call == CALL_WRITE ? SQLITE_FULL : SQLITE_OK;
	}
	return SQLITE_OK;
}

/* SQLITE_OK, or how this call fails. */
static int enter(enum call call)
{
	int result = fault_of(call, calls);

	calls++;
	met = met || result != SQLITE_OK;
	return result;
}

/* Files, as SQLite calls them. */

static struct stored_file *stored_of(sqlite3_file *file)
{
	return ((struct open_file *)file)->stored;
}

static int disk_close(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

static int do_read(const struct disk_content *image, char *data, size_t amount, size_t offset)
{
	size_t there = offset < image->size ? image->size - offset : 0;

	there = there < amount ? there : amount;
	if (there > 0) {
		memcpy(data, image->data + offset, there);
	}
	memset(data + there, 0, amount - there);
	return there == amount ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int disk_read(sqlite3_file *file, void *data, int amount, sqlite3_int64 offset)
{
	int result;

	pthread_mutex_lock(&mutex);
	result = enter(CALL_READ);
	if (result == SQLITE_OK) {
		result = do_read(
				&stored_of(file)->image.live, data, (size_t)amount, (size_t)offset);
	}
	pthread_mutex_unlock(&mutex);
	return result;
}

/* How much of a write that failed is done: a cut may come in the middle of it. */
static size_t failed_size(size_t size)
{
	if (armed == MEMORY_DISK_POWER && calls - 1 == armed_number) {
		return size;
	}
	return armed == MEMORY_DISK_SHORT ? size / 2 : 0;
}

static int disk_write(sqlite3_file *file, const void *data, int amount, sqlite3_int64 offset)
{
	struct stored_file *stored = stored_of(file);
	size_t size = (size_t)amount;
	int result;

	pthread_mutex_lock(&mutex);
	result = enter(CALL_WRITE);
	if (result != SQLITE_OK) {
		size = failed_size(size);
	}
	if (size > 0) {
		disk_image_write(&stored->image, (size_t)offset, data, size);
	}
	pthread_mutex_unlock(&mutex);
	return result;
}

static int disk_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	struct stored_file *stored = stored_of(file);
	int result;

	pthread_mutex_lock(&mutex);
	result = enter(CALL_TRUNCATE);
	if (result == SQLITE_OK) {
		disk_image_set_size(&stored->image, (size_t)size);
	}
	pthread_mutex_unlock(&mutex);
	return result;
}

static int disk_sync(sqlite3_file *file, int flags)
{
	int result;

	(void)flags;
	pthread_mutex_lock(&mutex);
	result = enter(CALL_SYNC);
	if (result == SQLITE_OK) {
		disk_image_sync(&stored_of(file)->image);
		if (stored_of(file)->syncs_folder) {
			for (size_t i = 0; i < FILES_MAX; i++) {
				disk_image_sync_deletions(&files[i].image);
			}
			stored_of(file)->syncs_folder = false;
		}
	}
	pthread_mutex_unlock(&mutex);
	return result;
}

static int disk_size(sqlite3_file *file, sqlite3_int64 *ret_size)
{
	int result;

	pthread_mutex_lock(&mutex);
	result = enter(CALL_SIZE);
	if (result == SQLITE_OK) {
		*ret_size = (sqlite3_int64)stored_of(file)->image.live.size;
	}
	pthread_mutex_unlock(&mutex);
	return result;
}

/* There is one connection at a time: it gets every lock, unless the call fails. */

static int disk_lock(sqlite3_file *file, int kind)
{
	int result;

	(void)file;
	(void)kind;
	pthread_mutex_lock(&mutex);
	result = enter(CALL_LOCK);
	pthread_mutex_unlock(&mutex);
	return result;
}

static int disk_unlock(sqlite3_file *file, int kind)
{
	(void)file;
	(void)kind;
	return SQLITE_OK;
}

static int disk_reserved(sqlite3_file *file, int *ret_reserved)
{
	(void)file;
	*ret_reserved = 0;
	return SQLITE_OK;
}

static int disk_control(sqlite3_file *file, int what, void *arg)
{
	(void)file;
	(void)what;
	(void)arg;
	return SQLITE_NOTFOUND;
}

static int disk_sector(sqlite3_file *file)
{
	(void)file;
	return 4096;
}

/* As the real files have it: a write does no harm to its neighbours. */
static int disk_device(sqlite3_file *file)
{
	(void)file;
	return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int disk_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **ret)
{
	struct stored_file *stored = stored_of(file);
	int result;

	if (page >= SHM_PAGES_MAX) {
		abort();
	}
	pthread_mutex_lock(&mutex);
	result = enter(CALL_SHM_MAP);
	if (result == SQLITE_OK && stored->shm[page] == NULL && extend != 0) {
		stored->shm[page] = memory_new(1, (size_t)size);
	}
	*ret = result == SQLITE_OK ? stored->shm[page] : NULL;
	pthread_mutex_unlock(&mutex);
	return result;
}

static int disk_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
	int result = SQLITE_OK;

	(void)file;
	(void)offset;
	(void)count;
	pthread_mutex_lock(&mutex);
	if ((flags & SQLITE_SHM_LOCK) != 0) {
		result = enter(CALL_SHM_LOCK);
	}
	pthread_mutex_unlock(&mutex);
	return result;
}

static void disk_shm_barrier(sqlite3_file *file)
{
	(void)file;
	__sync_synchronize();
}

/* With the last connection it goes, as its file does. */
static int disk_shm_unmap(sqlite3_file *file, int remove)
{
	(void)remove;
	pthread_mutex_lock(&mutex);
	shm_free(stored_of(file));
	pthread_mutex_unlock(&mutex);
	return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
		.iVersion = 2,
		.xClose = disk_close,
		.xRead = disk_read,
		.xWrite = disk_write,
		.xTruncate = disk_truncate,
		.xSync = disk_sync,
		.xFileSize = disk_size,
		.xLock = disk_lock,
		.xUnlock = disk_unlock,
		.xCheckReservedLock = disk_reserved,
		.xFileControl = disk_control,
		.xSectorSize = disk_sector,
		.xDeviceCharacteristics = disk_device,
		.xShmMap = disk_shm_map,
		.xShmLock = disk_shm_lock,
		.xShmBarrier = disk_shm_barrier,
		.xShmUnmap = disk_shm_unmap,
};

/* The disk, as SQLite calls it. */

static int do_open(const char *name, struct open_file *open, int flags)
{
	const struct stored_file *known = file_find(name);
	bool exists = known != NULL && known->image.live.exists;
	/* Whoever uses SQLite here makes the database file before it is opened, and syncs that. */
	bool is_main = (flags & SQLITE_OPEN_MAIN_DB) != 0;

	if (!exists && !is_main && (flags & SQLITE_OPEN_CREATE) == 0) {
		return SQLITE_CANTOPEN;
	}
	open->stored = file_make(name);
	if (!exists && is_main) {
		disk_image_sync(&open->stored->image);
	} else if (!exists) {
		open->stored->syncs_folder = true;
	}
	open->file.pMethods = &methods;
	return SQLITE_OK;
}

static int disk_open(
		sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *ret_flags)
{
	int result;

	(void)vfs;
	file->pMethods = NULL;
	if (name == NULL) {
		return SQLITE_CANTOPEN;
	}
	pthread_mutex_lock(&mutex);
	result = enter(CALL_OPEN);
	if (result == SQLITE_OK) {
		result = do_open(name, (struct open_file *)file, flags);
	}
	pthread_mutex_unlock(&mutex);
	if (ret_flags != NULL) {
		*ret_flags = flags;
	}
	return result;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int syncs)
{
	struct stored_file *stored;
	int result;

	(void)vfs;
	pthread_mutex_lock(&mutex);
	result = enter(CALL_DELETE);
	stored = file_find(name);
	if (result == SQLITE_OK && stored != NULL) {
		disk_image_delete(&stored->image);
		if (syncs != 0) {
			disk_image_sync_deletions(&stored->image);
		}
	}
	pthread_mutex_unlock(&mutex);
	return result;
}

static int disk_access(sqlite3_vfs *vfs, const char *name, int flags, int *ret_exists)
{
	const struct stored_file *stored;
	int result;

	(void)vfs;
	(void)flags;
	pthread_mutex_lock(&mutex);
	result = enter(CALL_ACCESS);
	stored = file_find(name);
	*ret_exists = stored != NULL && stored->image.live.exists ? 1 : 0;
	pthread_mutex_unlock(&mutex);
	return result;
}

void memory_disk_install(void)
{
	static sqlite3_vfs vfs;

	vfs = *sqlite3_vfs_find(NULL);
	vfs.zName = "memory disk";
	vfs.szOsFile = (int)sizeof(struct open_file);
	vfs.xOpen = disk_open;
	vfs.xDelete = disk_delete;
	vfs.xAccess = disk_access;
	sqlite3_vfs_register(&vfs, 1);
}

void memory_disk_clear(void)
{
	for (size_t i = 0; i < FILES_MAX; i++) {
		struct stored_file *stored = &files[i];

		if (stored->name == NULL) {
			continue;
		}
		disk_image_fini(&stored->image);
		shm_free(stored);
		free(stored->name);
		*stored = (struct stored_file){0};
	}
	armed = MEMORY_DISK_WELL;
}

void memory_disk_arm(enum memory_disk_fault fault, int64_t number)
{
	pthread_mutex_lock(&mutex);
	armed = fault;
	armed_number = number;
	calls = 0;
	met = met && fault == MEMORY_DISK_WELL;
	pthread_mutex_unlock(&mutex);
}

bool memory_disk_met(void)
{
	bool was_met;

	pthread_mutex_lock(&mutex);
	was_met = met;
	pthread_mutex_unlock(&mutex);
	return was_met;
}

/* A cut. */

void memory_disk_restart(uint64_t *random)
{
	struct disk_loss loss = {.random = random};

	loss.sector = random_next(random) % 2 == 0 ? 512 : 4096;
	/* All, nothing, or some of it. */
	loss.kept = (unsigned int)(random_next(random) % 3) * 128;
	if (loss.kept == 128) {
		loss.kept = (unsigned int)(random_next(random) % 256);
	}
	for (size_t i = 0; i < FILES_MAX; i++) {
		struct stored_file *stored = &files[i];

		if (stored->name == NULL) {
			continue;
		}
		disk_image_lose(&stored->image, &loss);
		shm_free(stored);
	}
	armed = MEMORY_DISK_WELL;
}
