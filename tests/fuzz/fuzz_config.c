/* A configuration file: it is taken, or it is told in one clean line what is wrong. */
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "server/ops/config.h"

static void expect_told(const char *why)
{
	FUZZ_EXPECT(memchr(why, '\0', CONFIG_WHY_SIZE) != NULL);
	FUZZ_EXPECT(why[0] != '\0');
	for (const char *at = why; *at != '\0'; at++) {
		FUZZ_EXPECT((unsigned char)*at >= ' ' && *at != '\x7f');
	}
}

static void expect_whole(const struct config *config)
{
	FUZZ_EXPECT(config->listen.count >= 1 && config->listen.count <= CONFIG_LIST_MAX);
	FUZZ_EXPECT(config->db != NULL && config->motd != NULL);
	FUZZ_EXPECT(strlen(config->name) <= CONFIG_NAME_BYTES);
	FUZZ_EXPECT(strlen(config->motd) <= CONFIG_MOTD_BYTES);
	FUZZ_EXPECT(config->max_connections > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int file = memfd_create("config", MFD_CLOEXEC);
	char program[] = "qtttd";
	char option[] = "--config";
	char path[64];
	char *argv[] = {program, option, path, NULL};
	char why[CONFIG_WHY_SIZE] = "";
	struct config config;

	FUZZ_EXPECT(file >= 0 && write(file, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	setenv("HOME", "/home/ala", 1);
	if (config_read(3, argv, &config, why) == CONFIG_RUN) {
		expect_whole(&config);
	} else {
		expect_told(why);
	}
	config_fini(&config);
	close(file);
	return 0;
}
