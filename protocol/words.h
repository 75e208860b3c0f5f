/* The fixed words of the wire: one list for each enum, in the enum's order. Private to protocol/.
 */
#ifndef PROTOCOL_WORDS_H
#define PROTOCOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A word "" stands for a value that has none. */
struct words {
	const char *const *list;
	size_t count;
};

extern const struct words words_seat;	/* enum seat: "", X, O */
extern const struct words words_side;	/* enum seat as a wish: random, X, O */
extern const struct words words_phase;	/* enum phase */
extern const struct words words_status; /* enum room_status */
extern const struct words words_reason; /* enum end_reason */
extern const struct words words_cause;	/* enum end_cause, "" first */
extern const struct words words_change; /* enum lobby_change */
extern const struct words words_bye;	/* enum bye_reason */
extern const struct words words_mode;	/* enum text_mode */
extern const struct words words_event;	/* enum event_type */

/* The place of text[0..length) in the list, exactly or with the case of ASCII letters ignored;
 * words->count if it is not there. */
size_t words_find(const struct words *words, const char *text, size_t length, bool any_case);

/* Is text[0..length) this word, the case of ASCII letters ignored? The locale has no say. */
bool words_same(const char *word, const char *text, size_t length);

#endif
