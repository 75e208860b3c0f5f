/* Answers by HTTP: a table of paths and who answers them. A connection has one deadline from a
 * request's first moment to its answer's last byte, which no byte moves, and no more memory than
 * one request and one answer.
 *
 * A reader of its own, as libevent's evhttp has neither that deadline nor a bound on connections,
 * nor a way to go on with a socket (a WebSocket) as what connections are here: a transport whose
 * output is lines that many share. */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/bytes.h"
#include "server/net/http_request.h"
#include "server/net/loop.h"
#include "server/net/peer.h"
#include "server/net/transport.h"
#include "server/ops/prefix.h"

/* Connections at a time; beyond, one that has asked for nothing yet goes, and if there is none the
 * new ones are told so and closed. */
#define HTTP_CONNECTIONS_MAX 256
/* From a request's beginning (or from when it might begin) to the end of its answer. */
#define HTTP_REQUEST_MS 10000

struct http;

/* A request that is to be answered. */
struct http_call;

/* Called from the loop; has to see to it that http_answer is called for it exactly once, now or
 * later, whether the client is still there or not. */
typedef void http_handler_fn(void *arg, struct http_call *call);

struct http_route {
	const char *path; /* NULL: what none of the rows before has */
	http_handler_fn *handle;
	void *arg;
};

/* Those who hand on others' requests, and how many connections one address may have; 0: no limit. A
 * proxy has as many as it needs. */
struct http_limits {
	const struct prefix *proxies;
	size_t proxy_count;
	size_t per_address;
};

/* `routes` is the caller's and outlives it. `wait_ms` is in place of HTTP_REQUEST_MS, for tests; 0:
 * that. */
struct http *http_new(
		struct loop *loop, const struct http_route *routes, size_t count, int64_t wait_ms);

/* From now on; at first there are none. */
void http_set_limits(struct http *http, const struct http_limits *limits);

/* Take over a connection; `peer` is copied. */
void http_open(struct http *http, const struct transport *transport, const struct peer_name *peer);

/* Valid until it is answered. */
const struct http_request *http_call_request(const struct http_call *call);

/* Whose request it is, a proxy left out. False: there is something in between that can't be
 * believed, and *ret is who is at the other end of the connection. */
bool http_call_peer(const struct http_call *call, struct peer_name *ret);

struct http_reply {
	int status;
	const char *type;    /* of the content */
	const char *headers; /* more lines, each with CR LF; NULL: that nobody may keep it */
	struct bytes *body;  /* taken over; left out for HEAD and for 304 */
};

/* The answer, all of it. */
void http_reply(struct http_call *call, const struct http_reply *reply);

void http_answer(struct http_call *call, int status, const char *type, struct bytes *body);

/* The same with a line of plain text, which gets its LF. */
void http_answer_text(struct http_call *call, int status, const char *text);

/* Called once the answer is out: the transport is the callee's from here on, and so is to be what
 * came behind the request, valid during the call. */
typedef void http_upgraded_fn(void *arg, const struct transport *transport,
		const struct peer_name *peer, struct http_text early);

/* The answer is that another protocol is spoken from here on, with these headers, each with CR LF.
 * If the client is gone before it is out, `upgraded` is not called. */
void http_upgrade(
		struct http_call *call, const char *headers, http_upgraded_fn *upgraded, void *arg);

/* Close all connections. Calls that are not answered yet stay until they are. */
void http_close(struct http *http);

/* No call may be unanswered. NULL is fine. */
void http_free(struct http *http);

#endif
