/* The handshake of a WebSocket (RFC 6455, section 4): is a request one, from a page that may, and
 * what is it answered? Pure but for the hash. */
#ifndef NET_UPGRADE_H
#define NET_UPGRADE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/net/http_request.h"

#define UPGRADE_ACCEPT_SIZE 29

/* Pages elsewhere that may speak with this server: "https://example.org", or "*" for all. Those
 * that came from the same host may always. Text is the caller's. */
struct upgrade_origins {
	size_t count;
	char *const *origins;
};

struct upgrade_answer {
	int status; /* 101, or what refuses it */
	const char *why;
	char accept[UPGRADE_ACCEPT_SIZE]; /* with 101 */
};

void upgrade_judge(const struct http_request *request, const struct upgrade_origins *origins,
		struct upgrade_answer *ret);

#endif
