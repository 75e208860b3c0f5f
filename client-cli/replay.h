/* A recorded game, played through step by step with what each position is worth. The server is
 * asked for all positions first; from then on it is not needed. Knows no rule of the game. */
#ifndef CLIENT_REPLAY_H
#define CLIENT_REPLAY_H

#include "client-cli/record.h"
#include "client-cli/session.h"
#include "client-cli/show_values.h"

/* Two of nine squares. */
#define REPLAY_EACH_MAX 36

/* A position of the game. */
struct replay_step {
	struct board board;
	int8_t half_points;
	size_t each_count;
	struct action_value each[REPLAY_EACH_MAX];
};

struct replay {
	const struct options *options;
	const struct record *record;
	struct session session;
	struct study study;
	struct replay_step steps[STUDY_STEPS_MAX + 1]; /* [0]: the start */
	size_t asked;				       /* how many are known */
	bool checked;				       /* the whole record was answered */
	bool done;
	int64_t wait_ms;	 /* until the server may be asked again */
	enum exit_status status; /* EXIT_FINE unless it was refused */
};

/* A replay on the heap, or NULL; it borrows what it is given. */
struct replay *replay_new(
		const struct options *options, const struct record *record, struct link *link);
void replay_free(struct replay *replay);

/* Ask for all positions. Returns EXIT_FINE, or tells on standard error what is wrong. */
enum exit_status replay_fetch(struct replay *replay);

/* A step of the game, 0 to study.count: what was done, the board, what is best. */
void replay_show(const struct replay *replay, const struct show *show, size_t step);

/* How it is shown as the options say, on standard output, which may be a terminal. */
struct show replay_pen(const struct replay *replay, bool is_terminal);

/* All steps on standard output, one after the other, and the table of them. */
void replay_print(const struct replay *replay);

/* Step through it at a terminal, as its user asks. Returns the exit status. */
enum exit_status replay_sit(const struct replay *replay);

#endif
