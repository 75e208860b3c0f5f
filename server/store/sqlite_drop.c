#include "server/store/sqlite_db.h"

struct long_over {
	int64_t n;
	int64_t ended_seq; /* 0: no game was played in it */
};

/* Returns how many, or -1. They are read to the end before anything is changed. */
static int rooms_read(struct db *db, int64_t before_ms, struct long_over ret_rooms[DB_DROP_ROOMS])
{
	sqlite3_stmt *statement = db->statements[DB_LONG_OVER];
	int count = 0;
	int result;

	sqlite3_bind_int64(statement, 1, before_ms);
	sqlite3_bind_int(statement, 2, DB_DROP_ROOMS);
	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		ret_rooms[count].n = sqlite3_column_int64(statement, 0);
		ret_rooms[count].ended_seq = sqlite3_column_int64(statement, 1);
		count++;
	}
	sqlite3_reset(statement);
	return result == SQLITE_DONE ? count : -1;
}

static bool run(struct db *db, enum db_statement which, int64_t room, int64_t seq)
{
	sqlite3_stmt *statement = db->statements[which];
	int result;

	sqlite3_bind_int64(statement, 1, room);
	if (sqlite3_bind_parameter_count(statement) > 1) {
		sqlite3_bind_int64(statement, 2, seq);
	}
	result = sqlite3_step(statement);
	sqlite3_reset(statement);
	return result == SQLITE_DONE;
}

static bool room_drop(struct db *db, const struct long_over *room)
{
	if (room->ended_seq == 0) {
		return run(db, DB_EVENTS_DROP_ALL, room->n, 0) && run(db, DB_ROOM_DROP, room->n, 0);
	}
	return run(db, DB_EVENTS_DROP, room->n, room->ended_seq) &&
	       run(db, DB_ROOM_THIN, room->n, 0);
}

static enum store_status rooms_drop(struct db *db, const struct long_over *rooms, int count)
{
	bool dropped = db_begin(db);

	/* A room's number is free again, and what is known of rooms goes by their numbers. */
	db_forget_rooms(db);
	for (int i = 0; dropped && i < count; i++) {
		dropped = room_drop(db, &rooms[i]);
		if (!dropped) {
			db_note(db, "drop old events");
		}
	}
	if (!dropped) {
		db_rollback(db);
		return STORE_UNAVAILABLE;
	}
	return db_commit(db);
}

enum store_status db_drop_step(struct db *db, int64_t before_ms, int *ret_count)
{
	struct long_over rooms[DB_DROP_ROOMS];
	int count = rooms_read(db, before_ms, rooms);
	enum store_status status = STORE_STORED;

	if (count < 0) {
		db_note(db, "look for old events");
		return STORE_UNAVAILABLE;
	}
	if (count > 0) {
		status = rooms_drop(db, rooms, count);
	}
	if (status == STORE_STORED) {
		*ret_count = count;
	}
	return status;
}
