#include "server/ops/supervisor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>

#include "server/ops/log.h"

/* The status is told so often where no watchdog asks for signs of life. */
#define STATUS_MS 15000

/* Sockets. */

/* The library passes over what is meant for another process, and this one would then bind
 * addresses that the supervisor holds, or others than it should. */
static bool are_for_us(char *why)
{
	const char *text = getenv("LISTEN_PID");
	char own[24];

	if (getenv("LISTEN_FDS") == NULL) {
		return true;
	}
	snprintf(own, sizeof(own), "%ld", (long)getpid());
	if (text == NULL || strcmp(text, own) == 0) {
		return true;
	}
	snprintf(why, SUPERVISOR_WHY_SIZE,
			"sockets were passed (LISTEN_FDS) to process %s (LISTEN_PID), and this is "
			"%s: is it started by a script that does not exec it?",
			log_text(text), own);
	return false;
}

static bool check_count(int count, char *why)
{
	if (count < 0) {
		snprintf(why, SUPERVISOR_WHY_SIZE,
				"the sockets that were passed (LISTEN_FDS, LISTEN_FDNAMES) are not "
				"there, or not as they should be: %s",
				strerror(-count));
		return false;
	}
	if (count > SUPERVISOR_SOCKETS) {
		snprintf(why, SUPERVISOR_WHY_SIZE, "%d sockets were passed, and %d are the most",
				count, SUPERVISOR_SOCKETS);
		return false;
	}
	return true;
}

bool supervisor_take_sockets(struct supervisor_sockets *ret, char ret_why[SUPERVISOR_WHY_SIZE])
{
	char **names = NULL;
	int count;

	ret->count = 0;
	if (!are_for_us(ret_why)) {
		return false;
	}
	count = sd_listen_fds_with_names(1, &names);
	if (!check_count(count, ret_why)) {
		for (int i = 0; i < count; i++) {
			free(names[i]);
		}
		free(names);
		return false;
	}
	for (int i = 0; i < count; i++) {
		ret->items[i] = (struct supervisor_socket){SD_LISTEN_FDS_START + i, names[i]};
	}
	ret->count = (size_t)count;
	free(names);
	return true;
}

void supervisor_sockets_fini(struct supervisor_sockets *sockets)
{
	for (size_t i = 0; i < sockets->count; i++) {
		free(sockets->items[i].name);
	}
	sockets->count = 0;
}

/* News. */

/* Once is enough: nothing that is told later would arrive either. */
static void notify(const char *words)
{
	static bool failed;
	const int result = sd_notify(0, words);

	if (result < 0 && !failed) {
		failed = true;
		log_event(LOG_WARN, "notify_failed", "error=%s", log_text(strerror(-result)));
	}
}

void supervisor_tell(enum supervisor_news news)
{
	static const char *const words[] = {
			[SUPERVISOR_READY] = "READY=1",
			[SUPERVISOR_RELOADING] = "RELOADING=1",
			[SUPERVISOR_STOPPING] = "STOPPING=1\nSTATUS=Stopping",
	};
	struct timespec now = {0};
	char text[80];

	if (news != SUPERVISOR_RELOADING) {
		notify(words[news]);
		return;
	}
	/* So that it can tell this reload's end from an earlier one's. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(text, sizeof(text), "%s\nMONOTONIC_USEC=%lld", words[news],
			(long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
	notify(text);
}

static uint64_t watchdog_us(void)
{
	uint64_t us = 0;

	return sd_watchdog_enabled(0, &us) > 0 ? us : 0;
}

int64_t supervisor_beat_ms(void)
{
	const uint64_t half_ms = watchdog_us() / 2 / 1000;

	if (getenv("NOTIFY_SOCKET") == NULL) {
		return 0;
	}
	if (watchdog_us() == 0) {
		return STATUS_MS;
	}
	return half_ms == 0 ? 1 : (int64_t)half_ms;
}

void supervisor_tell_alive(const char *status)
{
	char text[256];

	snprintf(text, sizeof(text), "%sSTATUS=%s", watchdog_us() == 0 ? "" : "WATCHDOG=1\n",
			status);
	notify(text);
}
