#include "server/ops/address.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORT_MAX 65535

static bool is_port(const char *text)
{
	const size_t length = strlen(text);

	return length >= 1 && length <= 5 && strspn(text, "0123456789") == length &&
	       strtol(text, NULL, 10) <= PORT_MAX;
}

/* Where the host's letters lie in text[0..length): inside the brackets of an IPv6 address, which
 * nothing else may have colons without. */
static bool find_host(const char *text, size_t length, const char **ret_host, size_t *ret_length)
{
	if (text[0] == '[') {
		if (length < 3 || text[length - 1] != ']') {
			return false;
		}
		*ret_host = text + 1;
		*ret_length = length - 2;
		return true;
	}
	*ret_host = text;
	*ret_length = length;
	return length > 0 && memchr(text, ':', length) == NULL;
}

bool address_split(const char *text, struct address *ret)
{
	const char *colon = strrchr(text, ':');
	const char *host = NULL;
	size_t length = 0;

	if (colon == NULL || !is_port(colon + 1) ||
			!find_host(text, (size_t)(colon - text), &host, &length) ||
			length >= sizeof(ret->host)) {
		return false;
	}
	memcpy(ret->host, host, length);
	ret->host[length] = '\0';
	if (strcmp(ret->host, "*") == 0) {
		snprintf(ret->host, sizeof(ret->host), "0.0.0.0");
	}
	snprintf(ret->port, sizeof(ret->port), "%.5s", colon + 1);
	return true;
}
