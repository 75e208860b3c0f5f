/* Whose request it is that an HTTP proxy hands on: X-Forwarded-For, as far as it can be believed.
 */
#ifndef NET_FORWARDED_H
#define NET_FORWARDED_H

#include <stdbool.h>
#include <stddef.h>

#include "server/net/http_request.h"
#include "server/net/peer.h"
#include "server/ops/prefix.h"

/* Whoever is first on the way back from us, proxies that are listed left out: the peer himself
 * where he says nothing of others. False: he is a proxy, and what he says are no addresses; or he
 * is none, and says that he hands it on. Then *ret is the peer. */
bool forwarded_peer(const struct http_request *request, const struct peer_name *peer,
		const struct prefix *proxies, size_t count, struct peer_name *ret);

#endif
