/* /healthz: is the loop alive (or nobody would answer), and can the store be written to? That is
 * asked of the store itself, by a batch that changes nothing. */
#ifndef NET_HEALTH_H
#define NET_HEALTH_H

#include "server/net/http.h"
#include "server/net/loop.h"
#include "server/play/ports.h"

/* A store that has not answered for so long is not well. */
#define HEALTH_WAIT_MS 2000

struct health;

/* Both outlive it; the store may answer until it is freed. */
struct health *health_new(struct loop *loop, struct store *store);

/* An http_handler_fn, for a struct health: 200 and `ok`, or 503 and the reason. */
void health_handle(void *arg, struct http_call *call);

/* Answer all who wait. No answer of the store may be outstanding. NULL is fine. */
void health_free(struct health *health);

#endif
