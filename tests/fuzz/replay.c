/* Hands a target each file of a folder (or each file that is named), in the order of their names;
 * told as one TAP line. The file before a crash is the last that was named. */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

static size_t replayed;

static void replay_file(const char *path)
{
	FILE *file = fopen(path, "re");
	struct stat status;
	uint8_t *data;
	size_t size;

	if (file == NULL || fstat(fileno(file), &status) != 0) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(1);
	}
	/* Not a byte more than there is, so that one read beyond is found out. */
	data = malloc(status.st_size > 0 ? (size_t)status.st_size : 1);
	FUZZ_EXPECT(data != NULL);
	size = fread(data, 1, (size_t)status.st_size, file);
	fclose(file);
	printf("# %s\n", path);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	replayed++;
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void replay_folder(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_shown, alphasort);

	FUZZ_EXPECT(count >= 0);
	for (int i = 0; i < count; i++) {
		char *file;

		FUZZ_EXPECT(asprintf(&file, "%s/%s", path, entries[i]->d_name) > 0);
		replay_file(file);
		free(file);
		free(entries[i]);
	}
	free(entries);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("1..1");
	for (int i = 1; i < argc; i++) {
		struct stat status;

		if (stat(argv[i], &status) == 0 && S_ISDIR(status.st_mode)) {
			replay_folder(argv[i]);
		} else {
			replay_file(argv[i]);
		}
	}
	printf("%s 1 - the corpus was survived: %zu inputs\n", replayed > 0 ? "ok" : "not ok",
			replayed);
	return replayed > 0 ? 0 : 1;
}
