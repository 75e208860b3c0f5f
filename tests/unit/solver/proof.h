/* Games between bots, followed by a judge who does not ask the solver: a player who gives nothing
 * away never ends below what a position that he was given is worth. */
#ifndef TEST_PROOF_H
#define TEST_PROOF_H

#include "server/solver/solver.h"

/* Minimax judges a position if it has to play out no more games than that, about: in a test, and
 * where there is time for all 4 000 games (five minutes). */
enum { PROOF_GAMES_MOST = 1000, PROOF_GAMES_LARGE = 30000 };

struct proof_match {
	enum solver_level level[3]; /* by enum rules_player */
	bool judged[3];
	double games_most; /* PROOF_GAMES_MOST, say */
};

struct proof_game {
	int score;    /* X's half points less O's */
	int judged;   /* positions given to a judged player that minimax valued */
	int earliest; /* the move that was due in the first of them; 10: there was none */
	int least; /* of what a judged X was given, the most that was his: the score's lower bound
		    */
	int most;  /* the same for a judged O: the score's upper bound */
};

/* A game from the start. The judge knows the published values of the start and of the 36
 * openings, and asks minimax where that can reach. */
void proof_play(struct solver *solver, const struct proof_match *match, uint64_t *random,
		struct proof_game *ret_game);

/* Has no judged player given anything away? */
bool proof_holds(const struct proof_game *game);

#endif
