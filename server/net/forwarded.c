#include "server/net/forwarded.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#define HEADER "X-Forwarded-For"

static bool is_listed(const struct peer_name *peer, const struct prefix *proxies, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (prefix_holds(&proxies[i], peer->address)) {
			return true;
		}
	}
	return false;
}

static bool read_address(struct http_text text, struct peer_name *ret)
{
	struct sockaddr_in ipv4 = {.sin_family = AF_INET};
	struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
	char copy[INET6_ADDRSTRLEN];

	if (text.length >= sizeof(copy)) {
		return false;
	}
	memcpy(copy, text.data, text.length);
	copy[text.length] = '\0';
	if (inet_pton(AF_INET, copy, &ipv4.sin_addr) == 1) {
		peer_name_of((struct sockaddr *)&ipv4, sizeof(ipv4), ret);
		return true;
	}
	if (inet_pton(AF_INET6, copy, &ipv6.sin6_addr) == 1) {
		peer_name_of((struct sockaddr *)&ipv6, sizeof(ipv6), ret);
		return true;
	}
	return false;
}

/* Cut the last off a list with commas. */
static struct http_text cut_last(struct http_text *list)
{
	const char *comma = list->length == 0 ? NULL : memrchr(list->data, ',', list->length);
	const size_t begin = comma == NULL ? 0 : (size_t)(comma - list->data) + 1;
	const struct http_text last = {list->data + begin, list->length - begin};

	list->length = comma == NULL ? 0 : begin - 1;
	return http_trimmed(last);
}

bool forwarded_peer(const struct http_request *request, const struct peer_name *peer,
		const struct prefix *proxies, size_t count, struct peer_name *ret)
{
	struct http_text list;
	const bool is_proxy = is_listed(peer, proxies, count);

	*ret = *peer;
	/* Each proxy adds at the end, be it to the line or by a line of its own. */
	if (!http_last_header(request, HEADER, &list)) {
		return true;
	}
	if (!is_proxy) {
		return false;
	}
	while (list.length > 0) {
		struct peer_name before;

		if (!read_address(cut_last(&list), &before)) {
			break;
		}
		*ret = before;
		if (!is_listed(ret, proxies, count)) {
			return true;
		}
	}
	*ret = *peer;
	return false;
}
