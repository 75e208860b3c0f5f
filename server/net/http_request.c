#include "server/net/http_request.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#define STATUS_BAD_REQUEST 400
#define STATUS_METHOD_NOT_ALLOWED 405
#define STATUS_CONTENT_TOO_LARGE 413
#define STATUS_HEADERS_TOO_LARGE 431
#define STATUS_VERSION_NOT_SUPPORTED 505

bool http_text_is(struct http_text text, const char *word)
{
	return text.length == strlen(word) && memcmp(text.data, word, text.length) == 0;
}

static bool text_is_any_case(struct http_text text, const char *word)
{
	return text.length == strlen(word) && strncasecmp(text.data, word, text.length) == 0;
}

/* Letters of a method or a header's name. */
static bool is_token(struct http_text text)
{
	for (size_t i = 0; i < text.length; i++) {
		if (isalnum((unsigned char)text.data[i]) == 0 &&
				(text.data[i] == '\0' ||
						strchr("!#$%&'*+-.^_`|~", text.data[i]) == NULL)) {
			return false;
		}
	}
	return text.length > 0;
}

/* Cut off what stands before a character; without it, all. */
static struct http_text cut(struct http_text *rest, char at)
{
	const char *end = rest->length == 0 ? NULL : memchr(rest->data, at, rest->length);
	const size_t length = end == NULL ? rest->length : (size_t)(end - rest->data);
	const struct http_text first = {rest->data, length};

	rest->data += end == NULL ? length : length + 1;
	rest->length -= end == NULL ? length : length + 1;
	return first;
}

/* A line without its LF and the CR before that. */
static struct http_text cut_line(struct http_text *rest)
{
	struct http_text line = cut(rest, '\n');

	if (line.length > 0 && line.data[line.length - 1] == '\r') {
		line.length--;
	}
	return line;
}

struct http_text http_trimmed(struct http_text text)
{
	while (text.length > 0 && (text.data[0] == ' ' || text.data[0] == '\t')) {
		text.data++;
		text.length--;
	}
	while (text.length > 0 &&
			(text.data[text.length - 1] == ' ' || text.data[text.length - 1] == '\t')) {
		text.length--;
	}
	return text;
}

static size_t find_header(const struct http_request *request, const char *name, size_t most,
		struct http_text *ret)
{
	struct http_text rest = request->headers;
	size_t found = 0;

	while (rest.length > 0 && found < most) {
		struct http_text line = cut_line(&rest);

		if (text_is_any_case(cut(&line, ':'), name)) {
			*ret = http_trimmed(line);
			found++;
		}
	}
	return found;
}

bool http_header(const struct http_request *request, const char *name, struct http_text *ret)
{
	return find_header(request, name, 1, ret) > 0;
}

bool http_last_header(const struct http_request *request, const char *name, struct http_text *ret)
{
	return find_header(request, name, SIZE_MAX, ret) > 0;
}

/* Bytes of the head up to and with its empty line; 0: not all there. Empty lines before it do not
 * count as its end. */
static size_t find_end(const char *data, size_t length, size_t *ret_start)
{
	size_t start = 0;
	const char *mark;

	while (start < length && (data[start] == '\r' || data[start] == '\n')) {
		start++;
	}
	*ret_start = start;
	for (size_t at = start; at < length; at = (size_t)(mark - data) + 1) {
		mark = memchr(data + at, '\n', length - at);
		if (mark == NULL) {
			return 0;
		}
		const size_t next = (size_t)(mark - data) + 1;

		if (next < length && data[next] == '\n') {
			return next + 1;
		}
		if (next + 1 < length && data[next] == '\r' && data[next + 1] == '\n') {
			return next + 2;
		}
	}
	return 0;
}

static bool has_control_character(struct http_text text)
{
	for (size_t i = 0; i < text.length; i++) {
		const unsigned char byte = (unsigned char)text.data[i];

		if ((byte < 0x20 && strchr("\t\r\n", byte) == NULL) || byte == 0 || byte == 0x7f) {
			return true;
		}
	}
	return false;
}

static int read_version(struct http_text version, struct http_request *request)
{
	if (http_text_is(version, "HTTP/1.1")) {
		request->keeps_alive = true;
		return 0;
	}
	if (http_text_is(version, "HTTP/1.0")) {
		return 0;
	}
	return version.length == 8 && memcmp(version.data, "HTTP/", 5) == 0
			       ? STATUS_VERSION_NOT_SUPPORTED
			       : STATUS_BAD_REQUEST;
}

/* 0, or the status that refuses it. */
static int read_first_line(struct http_text line, struct http_request *request)
{
	const struct http_text method = cut(&line, ' ');
	struct http_text target = cut(&line, ' ');
	const int refused = read_version(line, request);

	if (!is_token(method) || target.length == 0 || target.data[0] != '/') {
		return STATUS_BAD_REQUEST;
	}
	if (refused != 0) {
		return refused;
	}
	request->path = cut(&target, '?');
	request->query = target;
	request->is_head = http_text_is(method, "HEAD");
	return request->is_head || http_text_is(method, "GET") ? 0 : STATUS_METHOD_NOT_ALLOWED;
}

static int check_headers(const struct http_request *request)
{
	struct http_text rest = request->headers;
	int hosts = 0;

	while (rest.length > 0) {
		struct http_text value = cut_line(&rest);
		const bool has_colon = memchr(value.data, ':', value.length) != NULL;
		const struct http_text name = cut(&value, ':');

		/* A line that begins with a blank goes on with the one before: long out of use,
		 * and every way to read it differs. */
		if (!has_colon || !is_token(name)) {
			return STATUS_BAD_REQUEST;
		}
		hosts += text_is_any_case(name, "Host") ? 1 : 0;
		if (text_is_any_case(name, "Transfer-Encoding") ||
				(text_is_any_case(name, "Content-Length") &&
						!http_text_is(http_trimmed(value), "0"))) {
			return STATUS_CONTENT_TOO_LARGE;
		}
	}
	return hosts > 1 || (hosts == 0 && request->keeps_alive) ? STATUS_BAD_REQUEST : 0;
}

static void see_about_closing(struct http_request *request)
{
	struct http_text value;

	if (http_header(request, "Connection", &value) && text_is_any_case(value, "close")) {
		request->keeps_alive = false;
	}
}

enum http_parsed http_parse(const char *data, size_t length, struct http_request *ret,
		size_t *ret_used, int *ret_status)
{
	size_t start = 0;
	const size_t end = find_end(data, length, &start);
	struct http_text head = {data + start, end == 0 ? length - start : end - start};
	struct http_request request = {0};
	int refused = 0;

	if (end > HTTP_REQUEST_BYTES || (end == 0 && length >= HTTP_REQUEST_BYTES)) {
		refused = STATUS_HEADERS_TOO_LARGE;
	} else if (has_control_character(head)) {
		refused = STATUS_BAD_REQUEST;
	} else if (end == 0) {
		return HTTP_MORE;
	}
	if (refused == 0) {
		refused = read_first_line(cut_line(&head), &request);
	}
	if (refused == 0) {
		/* Without the empty line. */
		request.headers = (struct http_text){head.data,
				head.length - (head.length > 1 && head.data[head.length - 2] == '\r'
									      ? 2
									      : 1)};
		refused = check_headers(&request);
	}
	if (refused != 0) {
		*ret_status = refused;
		return HTTP_BAD;
	}
	see_about_closing(&request);
	*ret = request;
	*ret_used = end;
	return HTTP_WHOLE;
}
