/* A game told in a few words, for tests. */
#ifndef TEST_WORDS_H
#define TEST_WORDS_H

#include <string.h>

#include "server/game/rules.h"
#include "tests/unit/game/cmocka_all.h"

/* "1-5" puts the next marks in 1 and 5, "c5" the closing mark in 5, "c5:2" mark 2 in 5. */
static inline struct rules_action parse_word(const char *word)
{
	if (word[0] == 'c') {
		return (struct rules_action){.kind = RULES_MEASURE,
				.squares = {word[1] - '0'},
				.mark = word[2] == ':' ? word[3] - '0' : 0};
	}
	return (struct rules_action){
			.kind = RULES_PLACE, .squares = {word[0] - '0', word[2] - '0'}};
}

static inline enum rules_refusal try_word(struct rules_state *state, const char *word)
{
	struct rules_action action = parse_word(word);

	return rules_apply(state, rules_turn(state), &action);
}

/* Words parted by blanks, every one of them legal. */
static inline struct rules_state play(const char *words)
{
	struct rules_state state;

	rules_start(&state);
	for (; *words != '\0'; words += strcspn(words, " "), words += strspn(words, " ")) {
		assert_string_equal(rules_refusal_word(try_word(&state, words)), "");
	}
	return state;
}

static inline enum rules_refusal place(struct rules_state *state, int one, int other)
{
	struct rules_action action = {.kind = RULES_PLACE, .squares = {one, other}};

	return rules_apply(state, rules_turn(state), &action);
}

static inline enum rules_refusal measure(struct rules_state *state, int mark, int square)
{
	struct rules_action action = {.kind = RULES_MEASURE, .mark = mark, .squares = {square}};

	return rules_apply(state, rules_turn(state), &action);
}

#endif
