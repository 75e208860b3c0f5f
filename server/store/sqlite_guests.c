#include <stdlib.h>
#include <string.h>

#include "server/store/lines.h"
#include "server/store/sqlite_db.h"

/* Returns how many, or -1. They are read before any is dropped. */
static int guests_read(struct db *db, const struct store_guests *guests, int64_t *ret_ids)
{
	sqlite3_stmt *statement = db->statements[DB_GUESTS];
	int result = SQLITE_DONE;
	int count = 0;

	sqlite3_bind_int64(statement, 1, guests->before_ms);
	while (count < STORE_GUESTS_MAX && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *key = (const char *)sqlite3_column_text(statement, 1);

		if (!store_guests_keep(guests, key)) {
			ret_ids[count] = sqlite3_column_int64(statement, 0);
			count++;
		}
	}
	sqlite3_reset(statement);
	return result == SQLITE_DONE || result == SQLITE_ROW ? count : -1;
}

bool db_drop_guests(struct db *db, const struct store_guests *guests)
{
	sqlite3_stmt *statement = db->statements[DB_GUEST_DROP];
	int64_t ids[STORE_GUESTS_MAX];
	int count = guests_read(db, guests, ids);
	bool dropped = count >= 0;

	for (int i = 0; dropped && i < count; i++) {
		sqlite3_bind_int64(statement, 1, ids[i]);
		dropped = sqlite3_step(statement) == SQLITE_DONE;
		sqlite3_reset(statement);
	}
	if (!dropped) {
		db_note(db, "forget guests");
	}
	return dropped;
}
