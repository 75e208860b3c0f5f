/* The files of the page (web/), which are part of the program: each with its type, and with a mark
 * by which whoever has it already is told so. */
#ifndef PAGE_H
#define PAGE_H

#include <stddef.h>

#include "server/net/http.h"

/* One file, made by embed.py. */
struct page_file {
	const char *path; /* "/app.js"; index.html is "/" */
	const char *type;
	const char *etag; /* with its quotes */
	const unsigned char *data;
	size_t length;
};

/* Sorted by path. */
extern const struct page_file page_files[];
extern const size_t page_file_count;

struct page;

struct page *page_new(void);

/* The handler of all paths that are nobody else's; `arg` is the page. */
void page_handle(void *arg, struct http_call *call);

/* NULL is fine. */
void page_free(struct page *page);

#endif
