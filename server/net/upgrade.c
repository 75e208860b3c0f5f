#include "server/net/upgrade.h"

#include <string.h>
#include <strings.h>

#include <openssl/evp.h>

/* What the protocol adds to a client's key. */
#define GUID "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#define KEY_CHARS 24
#define KEY_BYTES 16
#define HASH_BYTES 20

static bool same(struct http_text a, struct http_text b)
{
	return a.length == b.length && strncasecmp(a.data, b.data, a.length) == 0;
}

static struct http_text text_of(const char *word)
{
	return (struct http_text){word, strlen(word)};
}

/* Is the word in this list with commas, in any case? */
static bool has_word(struct http_text list, const char *word)
{
	while (list.length > 0) {
		const char *comma = memchr(list.data, ',', list.length);
		struct http_text item = {list.data,
				comma == NULL ? list.length : (size_t)(comma - list.data)};

		list.data += item.length + (comma == NULL ? 0 : 1);
		list.length -= item.length + (comma == NULL ? 0 : 1);
		if (same(http_trimmed(item), text_of(word))) {
			return true;
		}
	}
	return false;
}

static bool header_has(const struct http_request *request, const char *name, const char *word)
{
	struct http_text value;

	return http_header(request, name, &value) && has_word(value, word);
}

/* 16 bytes in base64: what stands before the padding has to be of its letters. */
static bool is_key(struct http_text key)
{
	unsigned char bytes[KEY_BYTES + 2];

	return key.length == KEY_CHARS && key.data[KEY_CHARS - 1] == '=' &&
	       key.data[KEY_CHARS - 2] == '=' && memchr(key.data, '=', KEY_CHARS - 2) == NULL &&
	       EVP_DecodeBlock(bytes, (const unsigned char *)key.data, KEY_CHARS) == sizeof(bytes);
}

static void make_accept(struct http_text key, char ret[UPGRADE_ACCEPT_SIZE])
{
	unsigned char text[KEY_CHARS + sizeof(GUID)];
	unsigned char hash[EVP_MAX_MD_SIZE];

	memcpy(text, key.data, KEY_CHARS);
	memcpy(text + KEY_CHARS, GUID, sizeof(GUID));
	EVP_Digest(text, KEY_CHARS + sizeof(GUID) - 1, hash, NULL, EVP_sha1(), NULL);
	EVP_EncodeBlock((unsigned char *)ret, hash, HASH_BYTES);
}

/* Whoever is no browser need not say where he is from. */
static bool origin_may(const struct http_request *request, const struct upgrade_origins *origins)
{
	struct http_text origin;
	struct http_text host;
	const char *colon;

	if (!http_header(request, "Origin", &origin)) {
		return true;
	}
	for (size_t i = 0; i < origins->count; i++) {
		if (strcmp(origins->origins[i], "*") == 0 ||
				same(origin, text_of(origins->origins[i]))) {
			return true;
		}
	}
	colon = origin.length > 3 ? memmem(origin.data, origin.length, "://", 3) : NULL;
	if (colon == NULL || !http_header(request, "Host", &host)) {
		return false;
	}
	origin.length -= (size_t)(colon + 3 - origin.data);
	origin.data = colon + 3;
	return same(origin, host);
}

void upgrade_judge(const struct http_request *request, const struct upgrade_origins *origins,
		struct upgrade_answer *ret)
{
	struct http_text key;

	*ret = (struct upgrade_answer){.status = 426, .why = "Here is a WebSocket, version 13."};
	if (request->is_head || !request->keeps_alive ||
			!header_has(request, "Upgrade", "websocket") ||
			!header_has(request, "Connection", "upgrade") ||
			!header_has(request, "Sec-WebSocket-Version", "13")) {
		return;
	}
	if (!http_header(request, "Sec-WebSocket-Key", &key) || !is_key(key)) {
		ret->status = 400;
		ret->why = "Sec-WebSocket-Key wants 16 bytes in base64.";
	} else if (!origin_may(request, origins)) {
		ret->status = 403;
		ret->why = "This page is from elsewhere; see --ws-origin.";
	} else {
		ret->status = 101;
		ret->why = NULL;
		make_accept(key, ret->accept);
	}
}
