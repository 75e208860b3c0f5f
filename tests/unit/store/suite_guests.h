/* Sentences of the suite about guests who are forgotten, for suite.c. */
#ifndef TESTS_STORE_SUITE_GUESTS_H
#define TESTS_STORE_SUITE_GUESTS_H

void guests_of_long_ago_are_forgotten_but_for_those_to_be_kept(void **state);
void who_has_a_name_of_his_own_is_never_forgotten(void **state);
void who_has_finished_a_game_is_never_forgotten(void **state);
void who_is_looked_for_after_he_was_to_be_forgotten_is_absent(void **state);

#endif
