#include "server/ops/log.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "server/ops/clock.h"

/* One line, its LF included; what does not fit is cut. */
#define LOG_LINE_BYTES 1024
#define SHARE_MS 1000
#define LOG_TEXT_BYTES 100
#define LOG_TEXT_BUFFERS 8
/* Escaped, quoted, and with dots after it where it was cut. */
#define LOG_TEXT_SIZE ((size_t)4 * LOG_TEXT_BYTES + sizeof("\"\"..."))

static enum log_level written_level = LOG_INFO;

static const char *const level_words[] = {
		[LOG_ERROR] = "error",
		[LOG_WARN] = "warn",
		[LOG_INFO] = "info",
		[LOG_DEBUG] = "debug",
};

const char *log_level_word(enum log_level level)
{
	return level_words[level];
}

void log_set_level(enum log_level level)
{
	written_level = level;
}

static size_t append_head(char *line, enum log_level level, const char *event)
{
	struct timeval now;
	struct tm utc;
	size_t used;
	int more;

	gettimeofday(&now, NULL);
	gmtime_r(&now.tv_sec, &utc);
	used = strftime(line, LOG_LINE_BYTES, "%Y-%m-%dT%H:%M:%S", &utc);
	more = snprintf(line + used, LOG_LINE_BYTES - used, ".%03dZ %s %.64s ",
			(int)(now.tv_usec / 1000), level_words[level], event);
	return more > 0 ? used + (size_t)more : used;
}

void log_event(enum log_level level, const char *event, const char *format, ...)
{
	char line[LOG_LINE_BYTES];
	va_list arguments;
	size_t used;
	int more;

	if (level > written_level) {
		return;
	}
	used = append_head(line, level, event);
	va_start(arguments, format);
	more = vsnprintf(line + used, LOG_LINE_BYTES - used, format, arguments);
	va_end(arguments);
	used += more > 0 ? (size_t)more : 0;
	used = used < LOG_LINE_BYTES ? used : LOG_LINE_BYTES - 1;
	while (used > 0 && line[used - 1] == ' ') {
		used--;
	}
	line[used++] = '\n';
	/* One write, so that lines of several processes on one terminal or pipe stay whole. A log
	 * that can't be written is no reason to stop. */
	if (write(STDERR_FILENO, line, used) < 0) {
		return;
	}
}

bool log_may(struct log_share *share)
{
	const int64_t now_ms = clock_now_ms();

	if (now_ms >= share->from_ms + SHARE_MS) {
		if (share->left_out > 0) {
			log_event(LOG_WARN, "logs_left_out", "lines=%zu", share->left_out);
		}
		*share = (struct log_share){.from_ms = now_ms};
	}
	if (share->lines == LOG_SHARE_LINES) {
		share->left_out++;
		return false;
	}
	share->lines++;
	return true;
}

/* Up to four characters for one byte; returns how many. */
static size_t escape(unsigned char byte, char *ret)
{
	static const char digits[] = "0123456789abcdef";

	if (byte == '"' || byte == '\\') {
		ret[0] = '\\';
		ret[1] = (char)byte;
		return 2;
	}
	if (byte >= 0x20 && byte < 0x7f) {
		ret[0] = (char)byte;
		return 1;
	}
	ret[0] = '\\';
	ret[1] = 'x';
	ret[2] = digits[byte >> 4];
	ret[3] = digits[byte & 15];
	return 4;
}

const char *log_text(const char *text)
{
	static char buffers[LOG_TEXT_BUFFERS][LOG_TEXT_SIZE];
	static size_t turn;
	char *buffer = buffers[turn++ % LOG_TEXT_BUFFERS];
	const size_t length = strnlen(text, LOG_TEXT_BYTES);
	size_t used = 0;

	buffer[used++] = '"';
	for (size_t i = 0; i < length; i++) {
		used += escape((unsigned char)text[i], buffer + used);
	}
	buffer[used++] = '"';
	snprintf(buffer + used, LOG_TEXT_SIZE - used, "%s", text[length] == '\0' ? "" : "...");
	return buffer;
}
