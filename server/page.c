#include "server/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/memory.h"

/* Nothing from anywhere else, nothing within the HTML, and no way into a frame or a form elsewhere.
 * Browsers ask each time whether a file is still the same: so a new server has its own page at
 * once.
 */
#define HEADERS                                                                                    \
	"Cache-Control: no-cache\r\n"                                                              \
	"Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "       \
	"img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "         \
	"form-action 'none'; frame-ancestors 'none'\r\n"                                           \
	"Referrer-Policy: no-referrer\r\n"                                                         \
	"Cross-Origin-Opener-Policy: same-origin\r\n"                                              \
	"Cross-Origin-Resource-Policy: same-origin\r\n"
#define HEADERS_SIZE (sizeof(HEADERS) + 64)

struct page {
	struct bytes **bodies; /* of page_files, shared by whoever reads them */
};

struct page *page_new(void)
{
	struct page *page = memory_new(1, sizeof(*page));

	page->bodies = memory_new(page_file_count, sizeof(struct bytes *));
	for (size_t i = 0; i < page_file_count; i++) {
		page->bodies[i] = bytes_new((const char *)page_files[i].data, page_files[i].length);
	}
	return page;
}

/* One mark, or several with commas between, weak ones too; or any. */
static bool is_known(const struct http_request *request, const char *etag)
{
	struct http_text known;

	return http_header(request, "If-None-Match", &known) &&
	       (http_text_is(known, "*") ||
			       memmem(known.data, known.length, etag, strlen(etag)) != NULL);
}

static void send_file(struct http_call *call, const struct page_file *file, struct bytes *body)
{
	const bool known = is_known(http_call_request(call), file->etag);
	char headers[HEADERS_SIZE];
	const struct http_reply reply = {.status = known ? 304 : 200,
			.type = file->type,
			.headers = headers,
			.body = bytes_ref(body)};

	snprintf(headers, sizeof(headers), HEADERS "ETag: %s\r\n", file->etag);
	http_reply(call, &reply);
}

void page_handle(void *arg, struct http_call *call)
{
	const struct page *page = arg;

	for (size_t i = 0; i < page_file_count; i++) {
		if (http_text_is(http_call_request(call)->path, page_files[i].path)) {
			send_file(call, &page_files[i], page->bodies[i]);
			return;
		}
	}
	http_answer_text(call, 404, "There is nothing here.");
}

void page_free(struct page *page)
{
	if (page == NULL) {
		return;
	}
	for (size_t i = 0; i < page_file_count; i++) {
		bytes_unref(page->bodies[i]);
	}
	free(page->bodies);
	free(page);
}
