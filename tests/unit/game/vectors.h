/* Stored games and cases for tests: found in the folder that is the program's first argument. */
#ifndef TEST_VECTORS_H
#define TEST_VECTORS_H

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "server/game/rules.h"
#include "tests/unit/game/cmocka_all.h"

#define VECTORS_GAMES 150
#define VECTORS_CASES 33

static const char *vectors_folder;

static inline FILE *vectors_open(const char *name)
{
	char path[1024];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", vectors_folder, name);
	file = fopen(path, "r");
	if (file == NULL) {
		fail_msg("%s can't be opened", path);
	}
	return file;
}

/* The next value of a file of JSON lines, or of one value; NULL at the end. */
static inline json_t *vectors_next(FILE *file)
{
	json_error_t error;
	json_t *value = json_loadf(file, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);

	if (value == NULL && json_error_code(&error) != json_error_premature_end_of_input) {
		fail_msg("line %d: %s", error.line, error.text);
	}
	return value;
}

static inline int vectors_integer(const json_t *array, size_t i)
{
	const json_t *value = json_array_get(array, i);

	assert_true(json_is_integer(value));
	return (int)json_integer_value(value);
}

/* "O4" is 4; nothing else is. */
static inline int vectors_mark(const char *name)
{
	int mark = name[0] == '\0' ? 0 : name[1] - '0';

	assert_int_equal(strlen(name), 2);
	assert_int_equal(name[0], " XO"[rules_owner(mark)]);
	return mark;
}

/* ["move",[a,b]], ["move",[a]] or ["collapse",square] */
static inline struct rules_action vectors_action(const json_t *action)
{
	const char *word = json_string_value(json_array_get(action, 0));
	const json_t *where = json_array_get(action, 1);

	assert_non_null(word);
	assert_int_equal(json_array_size(action), 2);
	if (strcmp(word, "collapse") == 0) {
		return (struct rules_action){
				.kind = RULES_MEASURE, .squares = {vectors_integer(action, 1)}};
	}
	assert_string_equal(word, "move");
	return (struct rules_action){.kind = RULES_PLACE,
			.squares = {vectors_integer(where, 0),
					vectors_integer(where, json_array_size(where) - 1)}};
}

/* Call `look` with each game of games.jsonl. */
static inline void vectors_each_game(void (*look)(const json_t *game))
{
	FILE *file = vectors_open("games.jsonl");
	json_t *game;
	int count = 0;

	while ((game = vectors_next(file)) != NULL) {
		look(game);
		json_decref(game);
		count++;
	}
	fclose(file);
	assert_int_equal(count, VECTORS_GAMES);
}

#endif
