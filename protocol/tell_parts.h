/* What the parts of tell share. Private to protocol/. */
#ifndef PROTOCOL_TELL_PARTS_H
#define PROTOCOL_TELL_PARTS_H

#include "protocol/cells.h"
#include "protocol/tell.h"

/* Longest line; what is longer is cut. */
#define TELL_LINE_SIZE 4096

/* "ala (X)" */
#define PERSON_SIZE (NAME_SIZE + 4)
#define CLOCK_TEXT_SIZE 64

/* One line. With tell_text it is the only place that writes: what is not clean, also a newline
 * inside, comes out as \xNN. */
void tell_line(struct tell *tell, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append to the text, which is cut where it would be longer than its size. */
void tell_append(char *text, size_t size, const char *format, ...)
		__attribute__((format(printf, 3, 4)));

/* Lines are marked with the room from here on, if another room runs beside it. "": none. */
void tell_mark_room(struct tell *tell, const char *room);

/* Somebody in a seat: "ala (X)", or "X" while the name is not known. */
void tell_named(const char *name, enum seat seat, char ret_text[PERSON_SIZE]);

/* The player in a seat of the room that is told of, which may not be known. */
void tell_person(const struct tell *tell, enum seat seat, char ret_text[PERSON_SIZE]);

/* Who sits in a seat of a table: the name, or "free". */
const char *tell_name_or_free(const char *name);

/* "playing": where the wire's word is not what is meant, but its meaning. */
const char *tell_status(enum room_status status);

/* "3+2", or "90 s + 0.5 s". */
void tell_clock_agreed(const struct clock_agreed *clock, char ret_text[CLOCK_TEXT_SIZE]);

/* A sentence ("": none), the drawing, the clocks if they run, and whose turn it is if the game
 * `runs`. clock may be NULL. */
void tell_board(struct tell *tell, const char *sentence, const struct board *board,
		const struct clock_running *clock, bool runs);

/* Half points, the sign left out: 3 is "1½". A game gives no more than TELL_HALVES_MAX. */
#define TELL_HALVES_MAX 4
const char *tell_points(const struct tell *tell, int half_points);

/* A rating for people: whole points. */
int64_t tell_rating(int64_t milli);

/* How a game ended, in a sentence. */
void tell_result(struct tell *tell, const struct result *result);

/* A room as it stands. */
void tell_snapshot(struct tell *tell, const struct snapshot *state);

void tell_chat(struct tell *tell, const char *player, enum seat seat, const char *text);

/* What an `analyse` found: the position, what it is worth, and each action in it. */
void tell_values(struct tell *tell, const struct ok *ok);

/* A table, aligned, under its heads. `cell` writes what stands in a row and column. */
struct tell_table {
	size_t column_count; /* at most TELL_COLUMNS_MAX */
	const char *const *heads;
	size_t row_count;
	const void *rows; /* for `cell`, as `step` is */
	size_t step;
	void (*cell)(const struct tell_table *table, size_t row, size_t column,
			char ret_text[CELL_SIZE]);
	/* Columns that are left out where there is no room, in this order; then the widest ones
	 * are cut. */
	size_t spare_count;
	const size_t *spare;
};
#define TELL_COLUMNS_MAX 10

void tell_table(struct tell *tell, const struct tell_table *table);

/* Records and ratings. */
void tell_game(struct tell *tell, const struct ok *ok);
void tell_games(struct tell *tell, const struct ok *ok);
void tell_standing(struct tell *tell, const struct ok *ok);
void tell_top(struct tell *tell, const struct ok *ok);

/* Lists. */
void tell_players(struct tell *tell, const struct ok *ok);
void tell_muted(struct tell *tell, const struct ok *ok);
void tell_rooms(struct tell *tell, const struct ok *ok);
void tell_requests(struct tell *tell, const enum request_type *types, size_t count);
/* A table of summaries, `step` bytes from one to the next. */
void tell_summaries(struct tell *tell, const struct summary *rows, size_t step, size_t count);

/* What an operator is told. */
void tell_touched(struct tell *tell, const struct ok *ok);
void tell_banned(struct tell *tell, const struct ok *ok);
void tell_unbanned(struct tell *tell, const struct ok *ok);
void tell_bans(struct tell *tell, const struct ok *ok);
void tell_all_rooms(struct tell *tell, const struct ok *ok);
void tell_closed(struct tell *tell, const struct ok *ok);
void tell_stats(struct tell *tell, const struct ok *ok);
void tell_released(struct tell *tell, const struct ok *ok);
void tell_drain(struct tell *tell, const struct ok *ok);
void tell_motd(struct tell *tell, const struct ok *ok);

#endif
