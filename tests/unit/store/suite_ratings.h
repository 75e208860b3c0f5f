/* Sentences of the suite about ratings, for suite.c. */
#ifndef TESTS_STORE_SUITE_RATINGS_H
#define TESTS_STORE_SUITE_RATINGS_H

void a_player_who_is_new_has_no_rating(void **state);
void a_rating_changes_under_the_expected_number_of_games_only(void **state);
void of_an_end_and_two_ratings_all_are_stored_or_none(void **state);
void a_change_of_a_player_leaves_his_rating(void **state);
void a_rated_game_is_of_those_whose_ratings_it_changed(void **state);

#endif
