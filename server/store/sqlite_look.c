#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "server/ops/memory.h"
#include "server/store/sqlite_db.h"

/* A server that opens the file or closes it holds everybody off for as long as its log is long. */
#define LOOK_BUSY_MS 10000

static int look_at(struct db *db, const char *name, int flags)
{
	flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
	if (sqlite3_open_v2(name, &db->handle, flags, NULL) != SQLITE_OK) {
		db_note(db, "open the database");
		return -EIO;
	}
	sqlite3_busy_timeout(db->handle, LOOK_BUSY_MS);
	return 0;
}

/* A log is read by way of a file beside it, which has to be made where no server has. */
static bool wants_to_write(const struct db *db)
{
	int code = sqlite3_errcode(db->handle) & 0xff;

	return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

static bool has_log(const struct db *db)
{
	struct stat status;

	return stat(db->log_path, &status) == 0 && status.st_size > 0;
}

/* The path as a URI that says nobody writes to the file, escaped letter by letter. */
static char *immutable_name(const char *path)
{
	static const char before[] = "file:";
	static const char after[] = "?immutable=1";
	char *name = memory_new(3 * strlen(path) + sizeof(before) + sizeof(after), 1);
	char *end = stpcpy(name, before);

	for (; *path != '\0'; path++) {
		if (strchr("%?#", *path) != NULL) {
			end += sprintf(end, "%%%02x", (unsigned char)*path);
		} else {
			*end = *path;
			end++;
		}
	}
	strcpy(end, after);
	return name;
}

/* Where nothing may be written, nobody else writes either. */
static int look_at_immutable(struct db *db, int *ret_version)
{
	char *name = immutable_name(db->path);
	int error;

	db_close(db);
	db->message[0] = '\0';
	error = look_at(db, name, SQLITE_OPEN_URI);
	free(name);
	return error == 0 ? db_identify(db, ret_version) : error;
}

int db_look(struct db *db, int *ret_version)
{
	int version = 0;
	int error = look_at(db, db->path, 0);

	if (error == 0) {
		error = db_identify(db, &version);
	}
	if (error == -EIO && db->handle != NULL && wants_to_write(db) && !has_log(db)) {
		error = look_at_immutable(db, &version);
	}
	if (error == 0 && version == 0) {
		error = db_refuse(db, -ENODATA, "is empty");
	}
	if (error != 0) {
		db_close(db);
		return error;
	}
	*ret_version = version;
	return 0;
}
