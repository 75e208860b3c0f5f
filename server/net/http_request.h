/* The head of an HTTP request (RFC 9112), as far as this server takes one: GET and HEAD, no body,
 * HTTP/1.0 and 1.1. Pure: bytes in, values out; what it returns points into those bytes. */
#ifndef NET_HTTP_REQUEST_H
#define NET_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

/* A request with all its headers. */
#define HTTP_REQUEST_BYTES 8192

struct http_text {
	const char *data;
	size_t length;
};

struct http_request {
	bool is_head;
	bool keeps_alive;      /* further requests may come */
	struct http_text path; /* as sent, without what follows a question mark */
	struct http_text query;
	struct http_text headers; /* all lines of them, for http_header */
};

enum http_parsed {
	HTTP_MORE, /* not all of it is there */
	HTTP_WHOLE,
	HTTP_BAD /* *ret_status says how it is to be answered; what follows can't be read */
};

/* *ret_used: bytes of a whole request. */
enum http_parsed http_parse(const char *data, size_t length, struct http_request *ret,
		size_t *ret_used, int *ret_status);

/* The first header of this name, in any case, without blanks around; false if there is none. */
bool http_header(const struct http_request *request, const char *name, struct http_text *ret);

/* The same of the last one. */
bool http_last_header(const struct http_request *request, const char *name, struct http_text *ret);

/* Without blanks around. */
struct http_text http_trimmed(struct http_text text);

/* Is the text this, letter by letter? */
bool http_text_is(struct http_text text, const char *word);

#endif
