/* How SQLite goes about the store's statements. */
#include <stdlib.h>
#include <string.h>

#include "server/store/sqlite_db.h"
#include "tests/unit/store/folder.h"

/* What a walk may go through: a list in its order up to a limit, and what is always short. */
static const char *const walks[] = {
		"SCAN players USING INDEX players_top",
		"SCAN bans",
		"SCAN CONSTANT ROW",
		"SCAN (subquery",
};

static bool is_short(const char *step)
{
	if (strncmp(step, "SCAN ", strlen("SCAN ")) != 0) {
		return true;
	}
	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++) {
		if (strncmp(step, walks[i], strlen(walks[i])) == 0) {
			return true;
		}
	}
	return false;
}

/* Returns how many steps it has. */
static int check_plan(sqlite3 *handle, const char *sql)
{
	char *question = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);
	sqlite3_stmt *plan;
	int steps = 0;

	assert_int_equal(sqlite3_prepare_v2(handle, question, -1, &plan, NULL), SQLITE_OK);
	while (sqlite3_step(plan) == SQLITE_ROW) {
		const char *step = (const char *)sqlite3_column_text(plan, 3);

		steps++;
		if (!is_short(step)) {
			fail_msg("%s: %s", sql, step);
		}
	}
	sqlite3_finalize(plan);
	sqlite3_free(question);
	return steps;
}

static void no_statement_walks_through_a_whole_table(void **state)
{
	struct suite *suite = folder_new();
	struct db db;
	int steps = 0;

	(void)state;
	folder_open(suite);
	folder_close(suite);
	db_init(&db, folder_path(suite, "qttt.db"));
	assert_int_equal(db_open(&db), 0);
	for (size_t i = 0; i < DB_STATEMENT_COUNT; i++) {
		steps += check_plan(db.handle, sqlite3_sql(db.statements[i]));
	}
	assert_true(steps > DB_STATEMENT_COUNT / 2);
	db_fini(&db);
	folder_free(suite);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
			cmocka_unit_test(no_statement_walks_through_a_whole_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
