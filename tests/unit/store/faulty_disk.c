#include "tests/unit/store/faulty_disk.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <sqlite3.h>

/* The real file follows it in memory. */
struct faulty_file {
	sqlite3_file file;
	sqlite3_file *real;
};

static atomic_int left[FAULTY_ACTS];
static atomic_int codes[FAULTY_ACTS];
static atomic_int met;
static atomic_int locked_out;

static bool count_down(atomic_int *counter)
{
	int before = atomic_load(counter);

	while (before > 0) {
		if (atomic_compare_exchange_weak(counter, &before, before - 1)) {
			return true;
		}
	}
	return false;
}

static int fault(enum faulty_disk_act act)
{
	if (!count_down(&left[act])) {
		return SQLITE_OK;
	}
	atomic_fetch_add(&met, 1);
	return atomic_load(&codes[act]);
}

static sqlite3_file *real(sqlite3_file *file)
{
	return ((struct faulty_file *)file)->real;
}

static int disk_close(sqlite3_file *file)
{
	return real(file)->pMethods->xClose(real(file));
}

static int disk_read(sqlite3_file *file, void *data, int amount, sqlite3_int64 offset)
{
	int code = fault(FAULTY_READ);

	return code != SQLITE_OK ? code
				 : real(file)->pMethods->xRead(real(file), data, amount, offset);
}

static int disk_write(sqlite3_file *file, const void *data, int amount, sqlite3_int64 offset)
{
	int code = fault(FAULTY_WRITE);

	return code != SQLITE_OK ? code
				 : real(file)->pMethods->xWrite(real(file), data, amount, offset);
}

static int disk_sync(sqlite3_file *file, int flags)
{
	int code = fault(FAULTY_SYNC);

	return code != SQLITE_OK ? code : real(file)->pMethods->xSync(real(file), flags);
}

static int disk_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return real(file)->pMethods->xTruncate(real(file), size);
}

static int disk_size(sqlite3_file *file, sqlite3_int64 *ret_size)
{
	return real(file)->pMethods->xFileSize(real(file), ret_size);
}

static int disk_lock(sqlite3_file *file, int kind)
{
	return real(file)->pMethods->xLock(real(file), kind);
}

static int disk_unlock(sqlite3_file *file, int kind)
{
	return real(file)->pMethods->xUnlock(real(file), kind);
}

static int disk_reserved(sqlite3_file *file, int *ret_reserved)
{
	return real(file)->pMethods->xCheckReservedLock(real(file), ret_reserved);
}

static int disk_control(sqlite3_file *file, int what, void *arg)
{
	return real(file)->pMethods->xFileControl(real(file), what, arg);
}

static int disk_sector(sqlite3_file *file)
{
	return real(file)->pMethods->xSectorSize(real(file));
}

static int disk_device(sqlite3_file *file)
{
	return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int disk_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **ret)
{
	return real(file)->pMethods->xShmMap(real(file), page, size, extend, ret);
}

static int disk_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
	int result = real(file)->pMethods->xShmLock(real(file), offset, count, flags);

	if (result == SQLITE_BUSY) {
		atomic_fetch_add(&locked_out, 1);
	}
	return result;
}

static void disk_shm_barrier(sqlite3_file *file)
{
	real(file)->pMethods->xShmBarrier(real(file));
}

static int disk_shm_unmap(sqlite3_file *file, int remove)
{
	return real(file)->pMethods->xShmUnmap(real(file), remove);
}

/* Version 2: without mapped reads, which could not fail. */
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

static int disk_open(
		sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *ret_flags)
{
	sqlite3_vfs *below = vfs->pAppData;
	struct faulty_file *faulty = (struct faulty_file *)file;
	int result;

	faulty->real = (sqlite3_file *)(faulty + 1);
	result = below->xOpen(below, name, faulty->real, flags, ret_flags);
	file->pMethods = faulty->real->pMethods == NULL ? NULL : &methods;
	return result;
}

void faulty_disk_install(void)
{
	static sqlite3_vfs vfs;
	sqlite3_vfs *below = sqlite3_vfs_find(NULL);

	vfs = *below;
	vfs.zName = "faulty";
	vfs.szOsFile = (int)sizeof(struct faulty_file) + below->szOsFile;
	vfs.pAppData = below;
	vfs.xOpen = disk_open;
	sqlite3_vfs_register(&vfs, 1);
}

void faulty_disk_fail(enum faulty_disk_act act, int count, int code)
{
	atomic_store(&codes[act], code);
	atomic_store(&left[act], count);
}

void faulty_disk_await_lock(void)
{
	while (atomic_load(&locked_out) == 0) {
		sqlite3_sleep(1);
	}
}

int faulty_disk_heal(void)
{
	atomic_store(&locked_out, 0);
	for (int act = 0; act < FAULTY_ACTS; act++) {
		atomic_store(&left[act], 0);
	}
	return atomic_exchange(&met, 0);
}
