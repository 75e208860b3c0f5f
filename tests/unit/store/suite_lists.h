/* Sentences of the suite about lists of games and of players, for suite.c. */
#ifndef TESTS_STORE_SUITE_LISTS_H
#define TESTS_STORE_SUITE_LISTS_H

void games_are_listed_from_the_last_one_on(void **state);
void a_list_goes_on_from_its_place_while_games_are_added(void **state);
void a_players_games_are_listed_by_his_id_and_a_strangers_by_his_key(void **state);
void private_games_are_not_listed(void **state);
void of_those_whose_rating_is_settled_the_highest_come_first(void **state);
void who_is_gone_is_not_among_the_highest(void **state);
void a_key_that_a_batch_gives_up_is_anothers_in_the_same_batch(void **state);

#endif
