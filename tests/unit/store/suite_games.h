/* Sentences of the suite about games that are over, for suite.c. */
#ifndef TESTS_STORE_SUITE_GAMES_H
#define TESTS_STORE_SUITE_GAMES_H

void a_game_is_over_once(void **state);
void a_finished_game_comes_with_its_players_as_they_are_now(void **state);
void a_game_that_nobody_finished_is_absent(void **state);
void of_a_game_long_over_the_ends_of_its_events_stay(void **state);
void of_a_room_without_a_game_nothing_stays(void **state);
void rooms_that_are_not_long_over_stay_whole(void **state);
void a_room_whose_events_are_dropped_goes_on(void **state);
void many_rooms_are_dropped_and_no_more_than_they(void **state);

#endif
