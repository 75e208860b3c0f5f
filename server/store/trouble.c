#include "server/store/trouble.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t hash_of(const char *text)
{
	/* FNV-1a. */
	uint64_t hash = 14695981039346656037U;

	for (; *text != '\0'; text++) {
		hash = (hash ^ (unsigned char)*text) * 1099511628211U;
	}
	return hash;
}

/* Not told yet? Then it counts as told from now on, if there is room for it. */
static bool is_new_kind(struct trouble *trouble, const char *message)
{
	uint64_t hash = hash_of(message);

	for (size_t i = 0; i < trouble->kind_count; i++) {
		if (trouble->kinds[i] == hash) {
			return false;
		}
	}
	if (trouble->kind_count == TROUBLE_KINDS_MAX) {
		return false;
	}
	trouble->kinds[trouble->kind_count++] = hash;
	return true;
}

bool trouble_fails(struct trouble *trouble, const char *message, int64_t now_ms,
		enum store_sqlite_news *ret_news, char ret_text[STORE_SQLITE_MESSAGE_SIZE])
{
	if (trouble->count == 0) {
		*trouble = (struct trouble){.began_ms = now_ms, .told_ms = now_ms};
	}
	trouble->count++;
	trouble->failed_ms = now_ms;
	trouble->went_well = false;
	if (is_new_kind(trouble, message)) {
		*ret_news = STORE_SQLITE_FAILS;
		snprintf(ret_text, STORE_SQLITE_MESSAGE_SIZE, "%s", message);
		return true;
	}
	trouble->untold++;
	if (now_ms - trouble->told_ms < TROUBLE_STILL_MS) {
		return false;
	}
	*ret_news = STORE_SQLITE_STILL_FAILS;
	snprintf(ret_text, STORE_SQLITE_MESSAGE_SIZE, "%.400s; %" PRIu64 " more in %" PRId64 " s",
			message, trouble->untold, (now_ms - trouble->told_ms) / 1000);
	trouble->untold = 0;
	trouble->told_ms = now_ms;
	return true;
}

void trouble_goes_well(struct trouble *trouble)
{
	trouble->went_well = trouble->count > 0;
}

bool trouble_ends(struct trouble *trouble, int64_t now_ms, char ret_text[STORE_SQLITE_MESSAGE_SIZE])
{
	if (trouble->count == 0 || !trouble->went_well ||
			now_ms - trouble->failed_ms < TROUBLE_OVER_MS) {
		return false;
	}
	snprintf(ret_text, STORE_SQLITE_MESSAGE_SIZE,
			"%" PRIu64 " failed, from the first to the last in %" PRId64 " s",
			trouble->count, (trouble->failed_ms - trouble->began_ms + 999) / 1000);
	*trouble = (struct trouble){0};
	return true;
}
