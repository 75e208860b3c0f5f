/* Sentences of the suite about bans, for suite.c. */
#ifndef TESTS_STORE_SUITE_BANS_H
#define TESTS_STORE_SUITE_BANS_H

void bans_come_back_as_they_were_given_the_oldest_first(void **state);
void a_ban_for_the_same_takes_the_place_of_the_one_before(void **state);
void a_ban_that_is_taken_back_is_gone_and_it_may_be_done_twice(void **state);
void a_ban_beside_a_change_that_does_not_fit_is_not_stored(void **state);

#endif
