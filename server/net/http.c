#include "server/net/http.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <time.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "server/net/conn.h"
#include "server/net/crowd.h"
#include "server/net/deadline.h"
#include "server/net/forwarded.h"
#include "server/net/input.h"
#include "server/net/output.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"

#define HEAD_BYTES 1024
#define TEXT_TYPE "text/plain; charset=utf-8"

/* A connection, and the call that it makes: one at a time. */
struct http_call {
	struct http *http;
	TAILQ_ENTRY(http_call) link;
	struct transport transport;
	struct event readable;
	struct event writable;
	struct loop_task turn; /* reads the next request; frees the connection once it is dead */
	struct deadline end;
	struct input input;
	struct output output;
	struct http_request request;
	struct peer_name peer;
	struct crowd_group *group;  /* NULL: not counted */
	http_upgraded_fn *upgraded; /* NULL: HTTP goes on */
	void *upgraded_arg;
	size_t used;	/* bytes of input that are the request under way */
	bool answering; /* somebody has to call http_answer */
	bool last;	/* the connection closes after this answer */
	bool shut;	/* we have said all, and wait for the client to close */
	bool dead;	/* to be freed: by its turn, or by the answer that it owes */
};

TAILQ_HEAD(http_calls, http_call);

struct http {
	struct loop *loop;
	const struct http_route *routes;
	size_t route_count;
	struct http_calls all;
	size_t count;
	struct http_limits limits;
	struct crowd crowd;
	struct deadlines requests;
	struct deadlines lingering;
	struct input_pool blocks;
};

/* The end. */

/* All but its transport. */
static void forget_call(struct http_call *call)
{
	struct http *http = call->http;

	TAILQ_REMOVE(&http->all, call, link);
	http->count--;
	if (call->group != NULL) {
		crowd_leave(&http->crowd, call->group);
	}
	deadline_clear(&call->end);
	loop_forget(&call->turn);
	input_drop(&call->input, &http->blocks, call->input.length);
	output_fini(&call->output);
	event_del(&call->readable);
	event_del(&call->writable);
	free(call);
}

static void free_call(struct http_call *call)
{
	struct transport transport = call->transport;

	forget_call(call);
	transport.ops->close(&transport);
}

static void die(struct http_call *call)
{
	call->dead = true;
	event_del(&call->readable);
	event_del(&call->writable);
	deadline_clear(&call->end);
	if (!call->answering) {
		loop_defer(call->http->loop, LOOP_BEHIND, &call->turn);
	}
}

static void deadline_passed(struct deadline *deadline)
{
	die((void *)((char *)deadline - offsetof(struct http_call, end)));
}

/* The answer. */

static const char *reason_of(int status)
{
	static const struct {
		int status;
		const char *reason;
	} reasons[] = {{101, "Switching Protocols"}, {200, "OK"}, {304, "Not Modified"},
			{400, "Bad Request"}, {403, "Forbidden"}, {404, "Not Found"},
			{405, "Method Not Allowed"}, {413, "Content Too Large"},
			{426, "Upgrade Required"}, {431, "Request Header Fields Too Large"},
			{503, "Service Unavailable"}, {505, "HTTP Version Not Supported"}};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].status == status) {
			return reasons[i].reason;
		}
	}
	assert(false);
	return "";
}

static const char *headers_of(int status)
{
	switch (status) {
	case 405:
		return "Allow: GET, HEAD\r\n";
	case 426:
		return "Upgrade: websocket\r\nConnection: Upgrade\r\n"
		       "Sec-WebSocket-Version: 13\r\n";
	default:
		return "";
	}
}

static struct bytes *make_head(const struct http_call *call, const struct http_reply *reply)
{
	const time_t now = time(NULL);
	char content[128] = "";
	char date[40] = "";
	char head[HEAD_BYTES];
	struct tm utc;
	int used;

	gmtime_r(&now, &utc);
	strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", &utc);
	if (reply->type != NULL) {
		snprintf(content, sizeof(content),
				"Content-Type: %s\r\nContent-Length: %zu\r\n"
				"X-Content-Type-Options: nosniff\r\n",
				reply->type, reply->body->length);
	}
	used = snprintf(head, sizeof(head), "HTTP/1.1 %d %s\r\nDate: %s\r\n%s%s%s%s\r\n",
			reply->status, reason_of(reply->status), date, content,
			reply->headers == NULL ? "Cache-Control: no-store\r\n" : reply->headers,
			headers_of(reply->status), call->last ? "Connection: close\r\n" : "");
	assert(used > 0 && (size_t)used < sizeof(head));
	return bytes_new(head, (size_t)used);
}

/* The connection is somebody else's now. */
static void hand_over(struct http_call *call)
{
	const struct http_text early = {call->input.length == 0 ? "" : input_data(&call->input),
			call->input.length};

	event_del(&call->readable);
	event_del(&call->writable);
	call->upgraded(call->upgraded_arg, &call->transport, &call->peer, early);
	forget_call(call);
}

/* The client's turn: the next request, or the end. */
static void answered(struct http_call *call)
{
	struct http *http = call->http;

	if (call->upgraded != NULL) {
		hand_over(call);
		return;
	}
	event_del(&call->writable);
	if (call->last) {
		event_add(&call->readable, NULL);
		call->shut = true;
		call->transport.ops->shut(&call->transport);
		deadline_set(&http->lingering, &call->end);
		return;
	}
	deadline_set(&http->requests, &call->end);
	loop_defer(http->loop, LOOP_BEHIND, &call->turn);
}

static void write_out(struct http_call *call)
{
	if (output_write(&call->output, &call->transport) != 0) {
		die(call);
	} else if (call->output.count > 0) {
		event_add(&call->writable, NULL);
	} else {
		answered(call);
	}
}

static void count_answer(int status)
{
	char word[16];

	snprintf(word, sizeof(word), "%d", status);
	metrics_count_word(METRIC_HTTP_REQUESTS, word);
}

void http_reply(struct http_call *call, const struct http_reply *reply)
{
	struct bytes *head;

	assert(call->answering);
	call->answering = false;
	if (call->dead) {
		bytes_unref(reply->body);
		free_call(call);
		return;
	}
	count_answer(reply->status);
	head = make_head(call, reply);
	output_add(&call->output, head);
	bytes_unref(head);
	if (!call->request.is_head && reply->status != 304 && reply->body != NULL &&
			reply->body->length > 0) {
		output_add(&call->output, reply->body);
	}
	bytes_unref(reply->body);
	input_drop(&call->input, &call->http->blocks, call->used);
	write_out(call);
}

void http_answer(struct http_call *call, int status, const char *type, struct bytes *body)
{
	const struct http_reply reply = {.status = status, .type = type, .body = body};

	http_reply(call, &reply);
}

void http_upgrade(
		struct http_call *call, const char *headers, http_upgraded_fn *upgraded, void *arg)
{
	const struct http_reply reply = {.status = 101, .headers = headers};

	struct peer_name peer;

	http_call_peer(call, &peer);
	call->peer = peer;
	call->upgraded = upgraded;
	call->upgraded_arg = arg;
	call->last = false;
	http_reply(call, &reply);
}

void http_answer_text(struct http_call *call, int status, const char *text)
{
	char line[256];
	const int used = snprintf(line, sizeof(line), "%.250s\n", text);

	http_answer(call, status, TEXT_TYPE, bytes_new(line, (size_t)used));
}

const struct http_request *http_call_request(const struct http_call *call)
{
	return &call->request;
}

bool http_call_peer(const struct http_call *call, struct peer_name *ret)
{
	const struct http_limits *limits = &call->http->limits;

	return forwarded_peer(
			&call->request, &call->peer, limits->proxies, limits->proxy_count, ret);
}

/* The request. */

static void answer(struct http_call *call)
{
	const struct http *http = call->http;

	call->last = !call->request.keeps_alive;
	for (size_t i = 0; i < http->route_count; i++) {
		const char *path = http->routes[i].path;

		if (path == NULL || http_text_is(call->request.path, path)) {
			http->routes[i].handle(http->routes[i].arg, call);
			return;
		}
	}
	http_answer_text(call, 404, "There is nothing here.");
}

/* False: there is none yet. */
static bool take_request(struct http_call *call)
{
	int status = 0;
	enum http_parsed parsed;

	if (call->input.length == 0) {
		return false;
	}
	parsed = http_parse(input_data(&call->input), call->input.length, &call->request,
			&call->used, &status);
	if (parsed == HTTP_MORE) {
		return false;
	}
	call->answering = true;
	if (parsed == HTTP_WHOLE) {
		answer(call);
		return true;
	}
	call->last = true;
	call->used = call->input.length;
	call->request = (struct http_request){0};
	http_answer_text(call, status, reason_of(status));
	return true;
}

static void read_input(struct http_call *call);

static void http_turn(struct loop_task *task)
{
	struct http_call *call = (void *)((char *)task - offsetof(struct http_call, turn));

	if (call->dead) {
		free_call(call);
	} else if (!call->answering && call->output.count == 0 && !call->shut) {
		if (take_request(call)) {
			return;
		}
		event_add(&call->readable, NULL);
		if (call->transport.ops->holds_more(&call->transport)) {
			read_input(call);
		}
	}
}

static void read_input(struct http_call *call)
{
	struct input_pool *blocks = &call->http->blocks;
	const ssize_t got = input_read(&call->input, blocks, &call->transport);

	if (got == -EAGAIN || got == -EINTR) {
		return;
	}
	if (got <= 0) {
		die(call);
	} else if (call->shut) {
		input_drop(&call->input, blocks, call->input.length);
	} else {
		/* No more is read than is looked at. */
		event_del(&call->readable);
		loop_defer(call->http->loop, LOOP_BEHIND, &call->turn);
	}
}

static void http_readable(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	read_input(arg);
}

static void http_writable(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	write_out(arg);
}

/* Life. */

static void refuse(const struct transport *transport)
{
	static const char text[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
				   "Connection: close\r\n\r\n";
	struct transport gone = *transport;
	struct bytes *line = bytes_new(text, sizeof(text) - 1);
	struct iovec piece = {line->data, line->length};

	count_answer(503);
	/* It fits into an empty socket's buffer, or the client is gone. */
	(void)!gone.ops->write(&gone, &piece, 1);
	bytes_unref(line);
	gone.ops->shut(&gone);
	gone.ops->close(&gone);
}

static bool is_proxy(const struct http *http, const struct peer_name *peer)
{
	for (size_t i = 0; i < http->limits.proxy_count; i++) {
		if (prefix_holds(&http->limits.proxies[i], peer->address)) {
			return true;
		}
	}
	return false;
}

/* Whoever has asked for nothing loses nothing: browsers keep connections for what may come. */
static bool make_room(struct http *http)
{
	struct http_call *call;

	if (http->count < HTTP_CONNECTIONS_MAX) {
		return true;
	}
	TAILQ_FOREACH(call, &http->all, link)
	{
		if (call->input.length == 0 && !call->answering && call->output.count == 0) {
			free_call(call);
			return true;
		}
	}
	return false;
}

static struct http_call *new_call(
		struct http *http, const struct transport *transport, const struct peer_name *peer)
{
	struct event_base *base = loop_base(http->loop);
	struct http_call *call = memory_new(1, sizeof(*call));

	call->http = http;
	call->transport = *transport;
	call->peer = *peer;
	call->turn.run = http_turn;
	event_assign(&call->readable, base, transport->fd, EV_READ | EV_PERSIST, http_readable,
			call);
	event_assign(&call->writable, base, transport->fd, EV_WRITE | EV_PERSIST, http_writable,
			call);
	TAILQ_INSERT_TAIL(&http->all, call, link);
	http->count++;
	return call;
}

void http_open(struct http *http, const struct transport *transport, const struct peer_name *peer)
{
	const bool counts = !is_proxy(http, peer);
	struct crowd_group *group = counts ? crowd_enter(&http->crowd, peer->group) : NULL;
	struct http_call *call;

	if (counts && group == NULL) {
		refuse(transport);
		return;
	}
	if (!make_room(http)) {
		if (group != NULL) {
			crowd_leave(&http->crowd, group);
		}
		refuse(transport);
		return;
	}
	call = new_call(http, transport, peer);
	call->group = group;
	deadline_set(&http->requests, &call->end);
	event_add(&call->readable, NULL);
	/* By TLS there may be bytes for which the socket is not readable. */
	loop_defer(http->loop, LOOP_BEHIND, &call->turn);
}

void http_set_limits(struct http *http, const struct http_limits *limits)
{
	http->limits = *limits;
	http->crowd.most = limits->per_address;
}

struct http *http_new(
		struct loop *loop, const struct http_route *routes, size_t count, int64_t wait_ms)
{
	struct http *http = memory_new(1, sizeof(*http));

	http->loop = loop;
	http->routes = routes;
	http->route_count = count;
	TAILQ_INIT(&http->all);
	crowd_init(&http->crowd, 0);
	deadlines_init(&http->requests, loop, wait_ms == 0 ? HTTP_REQUEST_MS : wait_ms,
			deadline_passed);
	deadlines_init(&http->lingering, loop, CONN_LINGER_MS, deadline_passed);
	return http;
}

void http_close(struct http *http)
{
	struct http_call *call = TAILQ_FIRST(&http->all);

	while (call != NULL) {
		struct http_call *next = TAILQ_NEXT(call, link);

		if (call->answering) {
			die(call);
		} else {
			free_call(call);
		}
		call = next;
	}
}

void http_free(struct http *http)
{
	if (http == NULL) {
		return;
	}
	http_close(http);
	assert(http->count == 0);
	input_pool_fini(&http->blocks);
	crowd_fini(&http->crowd);
	deadlines_fini(&http->requests);
	deadlines_fini(&http->lingering);
	free(http);
}
