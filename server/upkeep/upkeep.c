#include "server/upkeep/upkeep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/ops/config.h"
#include "server/store/backup.h"
#include "server/upkeep/check.h"
#include "server/upkeep/export.h"

static volatile sig_atomic_t stop;

static void on_stop(int number)
{
	(void)number;
	stop = 1;
}

/* A file that may grow no further is for SQLite to tell of, as a full disk is. */
static void catch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_stop};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaction(numbers[i], &action, NULL);
	}
	signal(SIGXFSZ, SIG_IGN);
}

int upkeep_backup(const char *db, const char *file)
{
	char why[STORE_SQLITE_MESSAGE_SIZE] = "";
	int64_t bytes = 0;

	catch_signals();
	if (store_backup(db, file, &stop, &bytes, why) != 0) {
		fprintf(stderr, "qtttd: %s\n", why);
		return EXIT_FAILED;
	}
	printf("%s: %" PRId64 " bytes copied from %s\n", file, bytes, db);
	return EXIT_OK;
}

int upkeep_check(const char *db)
{
	char why[STORE_SQLITE_MESSAGE_SIZE] = "";
	struct check_counts counts;

	if (check_database(db, stdout, &counts, why) != 0) {
		fprintf(stderr, "qtttd: %s\n", why);
		return EXIT_FAILED;
	}
	printf("%s: %" PRIu64 " rooms, %" PRIu64 " events, %" PRIu64 " games, %" PRIu64
	       " players; ",
			db, counts.rooms, counts.events, counts.games, counts.players);
	if (counts.findings == 0) {
		puts("sound");
		return EXIT_OK;
	}
	printf("%" PRIu64 " findings\n", counts.findings);
	return EXIT_FAILED;
}

int upkeep_export(const char *db, const char *file)
{
	bool is_output = strcmp(file, "-") == 0;
	FILE *out = is_output ? stdout : fopen(file, "wxe");
	char why[STORE_SQLITE_MESSAGE_SIZE] = "";
	uint64_t count = 0;
	int error;

	if (out == NULL) {
		fprintf(stderr, "qtttd: can't make %s: %s\n", file, strerror(errno));
		return EXIT_FAILED;
	}
	signal(SIGPIPE, SIG_IGN);
	error = export_database(db, out, &count, why);
	if (!is_output && fclose(out) != 0 && error == 0) {
		error = -errno;
		snprintf(why, sizeof(why), "can't write all games: %s", strerror(errno));
	}
	if (error != 0) {
		fprintf(stderr, "qtttd: %s\n", why);
		/* What is there of it would look like all. */
		if (!is_output) {
			unlink(file);
		}
		return EXIT_FAILED;
	}
	if (!is_output) {
		printf("%s: %" PRIu64 " games written from %s\n", file, count, db);
	}
	return EXIT_OK;
}
