/* A store that keeps everything in memory: for tests, and for a server that shall forget. It has no
 * thread: an answer waits until its owner delivers it, so that it never comes from within the call
 * that asked. What is committed is there from the call on; nothing is ever unavailable. */
#ifndef STORE_MEMORY_H
#define STORE_MEMORY_H

#include "server/play/ports.h"

/* Answers wait, and none did before: deliver them soon, but not from within this. */
typedef void store_memory_notify_fn(void *arg);

/* `notify` may be NULL. Never NULL. */
struct store *store_memory_new(store_memory_notify_fn *notify, void *arg);

/* Give the answers that wait, in the order in which they were asked for; those asked for meanwhile
 * wait for the next time. Returns how many it gave. */
size_t store_memory_deliver(struct store *store);

/* The lines of a room as they are stored now, NULL where one was dropped, valid until the next
 * call; NULL and 0 if there is no such room. */
struct bytes *const *store_memory_lines(
		const struct store *store, const char *room, size_t *ret_count);

/* For tests: a player's rating as it is stored right now. False: there is no such player. */
bool store_memory_rating(const struct store *store, int64_t id, struct store_rating *ret_rating);

#endif
