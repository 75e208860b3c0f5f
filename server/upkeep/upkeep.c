#include "server/upkeep/upkeep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/ops/config.h"
#include "server/ops/new_file.h"
#include "server/store/backup.h"
#include "server/upkeep/check.h"
#include "server/upkeep/export.h"

static volatile sig_atomic_t stop;

static void on_stop(int number)
{
	(void)number;
	stop = 1;
}

static void catch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_stop};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaction(numbers[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
}

static int complain(const char *why)
{
	fprintf(stderr, "qtttd: %s\n", why);
	return EXIT_FAILED;
}

int upkeep_backup(const char *db, const char *file)
{
	char why[STORE_SQLITE_MESSAGE_SIZE] = "";
	int64_t bytes = 0;

	catch_signals();
	if (store_backup(db, file, &stop, &bytes, why) != 0) {
		return complain(why);
	}
	printf("%s: %" PRId64 " bytes copied from %s\n", file, bytes, db);
	return EXIT_OK;
}

int upkeep_check(const char *db)
{
	char why[STORE_SQLITE_MESSAGE_SIZE] = "";
	struct check_counts counts;

	if (check_database(db, stdout, &counts, why) != 0) {
		return complain(why);
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

static int export_to_output(const char *db)
{
	char why[STORE_SQLITE_MESSAGE_SIZE] = "";
	uint64_t count;

	return export_database(db, stdout, &stop, &count, why) == 0 ? EXIT_OK : complain(why);
}

/* The file stays open. */
static int export_into(const struct new_file *file, const char *db, uint64_t *ret_count, char *why)
{
	int fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int error;

	if (out == NULL) {
		return new_file_say(errno, "write", file->path, why);
	}
	error = export_database(db, out, &stop, ret_count, why);
	fclose(out);
	return error;
}

static int export_to_file(const char *db, const char *path)
{
	char why[STORE_SQLITE_MESSAGE_SIZE] = "";
	struct new_file file;
	uint64_t count = 0;
	int error;

	if (store_refuse_beside(db, path, why) != 0) {
		return complain(why);
	}
	error = new_file_begin(&file, path, why);
	if (error == 0) {
		error = export_into(&file, db, &count, why);
	}
	if (error == 0) {
		error = new_file_finish(&file, why);
	}
	new_file_fini(&file);
	if (error != 0) {
		return complain(why);
	}
	printf("%s: %" PRIu64 " games written from %s\n", path, count, db);
	return EXIT_OK;
}

int upkeep_export(const char *db, const char *file)
{
	catch_signals();
	return strcmp(file, "-") == 0 ? export_to_output(db) : export_to_file(db, file);
}
