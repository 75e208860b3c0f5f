/* A SQLite store in a folder of its own that goes with it. */
#ifndef TESTS_STORE_FOLDER_H
#define TESTS_STORE_FOLDER_H

#include "server/store/sqlite.h"
#include "tests/unit/store/suite.h"

/* A new folder, no store open in it. */
struct suite *folder_new(void);

/* Closes the store if one is open, and removes the folder. */
void folder_free(struct suite *suite);

/* A path in the folder, in a static buffer; "" is the folder. */
const char *folder_path(const struct suite *suite, const char *name);

/* Open the store, qttt.db; the test fails if that does. */
void folder_open(struct suite *suite);

/* The same, but that it may fail. */
bool folder_open_if_it_can(struct suite *suite);

/* Close it: all that was asked is answered. */
void folder_close(struct suite *suite);

/* Try to open one more, by this name of its file; returns what store_sqlite_open does and closes it
 * again if that was 0. ret_message is the sentence then. */
int folder_try(struct suite *suite, const char *name, char ret_message[STORE_SQLITE_MESSAGE_SIZE]);

/* The last report; "": none. */
const char *folder_report(const struct suite *suite);

/* How many of that kind there were. */
int folder_reports(const struct suite *suite, enum store_sqlite_news news);

#endif
