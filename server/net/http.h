/* Answers by HTTP: a table of paths and who answers them. A connection has one deadline from a
 * request's first moment to its answer's last byte, which no byte moves, and no more memory than
 * one request and one answer.
 *
 * A reader of its own, as libevent's evhttp has neither that deadline nor a bound on connections,
 * nor a way to go on with a socket (a WebSocket) as what connections are here: a transport whose
 * output is lines that many share. */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/bytes.h"
#include "server/net/http_request.h"
#include "server/net/loop.h"
#include "server/net/peer.h"
#include "server/net/transport.h"

/* Connections at a time; beyond, they are told so and closed. */
#define HTTP_CONNECTIONS_MAX 64
/* From a request's beginning (or from when it might begin) to the end of its answer. */
#define HTTP_REQUEST_MS 10000

struct http;

/* A request that is to be answered. */
struct http_call;

/* Called from the loop; has to see to it that http_answer is called for it exactly once, now or
 * later, whether the client is still there or not. */
typedef void http_handler_fn(void *arg, struct http_call *call);

struct http_route {
	const char *path;
	http_handler_fn *handle;
	void *arg;
};

/* `routes` is the caller's and outlives it. `wait_ms` is in place of HTTP_REQUEST_MS, for tests; 0:
 * that. */
struct http *http_new(
		struct loop *loop, const struct http_route *routes, size_t count, int64_t wait_ms);

/* Take over a connection. */
void http_open(struct http *http, const struct transport *transport);

/* Valid until it is answered. */
const struct http_request *http_call_request(const struct http_call *call);

/* The answer, all of it; takes the body over, which is left out for HEAD. `type` is its content
 * type, static. */
void http_answer(struct http_call *call, int status, const char *type, struct bytes *body);

/* The same with a line of plain text, which gets its LF. */
void http_answer_text(struct http_call *call, int status, const char *text);

/* Close all connections. Calls that are not answered yet stay until they are. */
void http_close(struct http *http);

/* No call may be unanswered. NULL is fine. */
void http_free(struct http *http);

#endif
