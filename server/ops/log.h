/* The log: one line an event on standard error, key=value, the event's word first:
 *
 *     2026-11-30T10:00:00.123Z info conn_open conn=17 peer=127.0.0.1:40112
 *
 * Strangers' text goes through log_text: quoted, with everything but printable ASCII escaped, and
 * cut at 100 bytes. For one thread, the loop's: another hands what it has to say to that one. */
#ifndef OPS_LOG_H
#define OPS_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* The level's word, as in a line of the log and in the options. */
const char *log_level_word(enum log_level level);

/* What is written: this level and the graver ones. LOG_INFO at the start. */
void log_set_level(enum log_level level);

/* printf-like; `event` is a word with no blanks. */
void log_event(enum log_level level, const char *event, const char *format, ...)
		__attribute__((format(printf, 3, 4)));

/* What strangers cause by the thousand gets so many lines in a second and no more: who comes and
 * goes is not to fill the disk. */
#define LOG_SHARE_LINES 100

/* Empty when zeroed. */
struct log_share {
	int64_t from_ms; /* since when it is that second */
	size_t lines;
	size_t left_out;
};

/* May one more line be written? How many were left out is told before the first of a later second.
 */
bool log_may(struct log_share *share);

/* Text quoted and escaped for the log, in one of eight static buffers that are used in turn. */
const char *log_text(const char *text);

#endif
